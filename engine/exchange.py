"""The exchange between two deals, shared by Isti'mar and 3-5-8: winners give cards, losers return their highest.

Each exchange is two actions. `give TO CARD` hands a card to a seat that did worse than its goal; that seat answers with
`return CARD`, which the rule usually dictates. Both cards are known to these two seats only, so the state counts cards
and never names them, and the return is proved at the end of the deal (conventions D-11 to D-13).

One function says what may be returned, in two modes (G is the card given, of suit s):

    include_received   the highest of (his cards of s and G)                         B-IST-15
    own_cards          the highest of his own cards of s; G itself if he has none    B-358-9
    G is a trump       any card of his hand, G among them                            S358-7, B-358-11
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Self

from engine.actions import Action
from engine.cards import FULL_PACK, NO_CARDS, SUIT_CARDS, Card, CardSet, Suit, above, cards_in, single, suit_of
from engine.game import ASKS, Ask, Claim, Duty, Illegal, Where
from engine.values import changed


@dataclass(frozen=True, slots=True)
class Terms:
    """What the two games and their options settle differently. The strings are the ids of the rules.

    optional          the giver may stop before the quota is used up
    per_loser_cap     no loser answers more often than he was short
    include_received  the first mode of returning (see above), otherwise the second
    trump             a given card of this suit is answered with any card
    """

    optional: bool
    per_loser_cap: bool
    include_received: bool
    trump: Suit | None
    quota_rule: str
    stop_rule: str
    return_rule: str


@dataclass(frozen=True)
class Exchange:
    """Where the exchange stands.

    givers    seats that still give, in order; the first one is giving
    may_give  by seat, how many cards it may still give
    may_get   by seat, how many cards it may still be given
    owing     the seat that must return a card now, or -1
    moved     (giver, loser) of every exchange so far
    """

    terms: Terms
    givers: tuple[int, ...]
    may_give: tuple[int, ...]
    may_get: tuple[int, ...]
    owing: int = -1
    moved: tuple[tuple[int, int], ...] = ()

    @classmethod
    def begin(cls, terms: Terms, balance: tuple[int, ...], order: tuple[int, ...]) -> Self:
        """The exchange that follows a deal with these tricks over (+) or under (-) the goal, by seat. `order` says
        which of two winners gives first (B-IST-13, B-358-8)."""
        may_give = tuple(max(0, one) for one in balance)
        short = tuple(max(0, -one) for one in balance)
        may_get = short if terms.per_loser_cap else tuple(sum(may_give) if one else 0 for one in short)
        return cls(terms, order, may_give, may_get)._settled()

    @property
    def over(self) -> bool:
        """Whether nobody can give any more."""
        return not self.givers

    @property
    def step(self) -> Ask:
        """Who must act, while the exchange is not over."""
        return ASKS[self.owing if self.owing >= 0 else self.givers[0]]

    def counts(self, held: int) -> tuple[int, ...]:
        """How many cards each seat holds, when each held `held` before the exchange."""
        change = [0] * len(self.may_give)
        if self.owing >= 0:
            change[self.givers[0]] -= 1
            change[self.owing] += 1
        return tuple(held + one for one in change)

    def duties(self, received: Card | None = None) -> tuple[Duty, ...]:
        """What the seat that must act claims by a card; see `engine.game.State.duties`."""
        terms = self.terms
        if self.owing >= 0:
            return _returning(terms, received, self.givers[0])
        return tuple(_giving(terms, to) for to in self._takers())

    def claim(self, action: Action) -> Claim:
        """The claim of an action that none of the `duties` speaks of; see `engine.game.State.claim`."""
        terms = self.terms
        if self.owing >= 0:
            if action.verb != "return":
                raise Illegal(terms.return_rule, "illegal-action", action=str(action))
            if not action.hidden:
                raise Illegal(terms.return_rule, "return-suit", action=str(action))
            # The public knows neither card: where it goes, and that it is proved later, is all it can say.
            return _returning(terms, None, self.givers[0])[0].claim(action)
        if action.verb == "stop":
            if not terms.optional:
                raise Illegal(terms.stop_rule, "exchange-not-optional")
            return Claim(rule=terms.stop_rule, code="exchange-not-optional")
        if action.verb != "give":
            raise Illegal(terms.quota_rule, "illegal-action", action=str(action))
        if action.to not in self._takers():
            raise Illegal(terms.quota_rule, "exchange-quota", player=action.to)
        return _giving(terms, action.to).claim(action)

    def choices(self) -> Iterator[Action]:
        """`stop`, where it is allowed; see `engine.game.State.choices`."""
        if self.owing < 0 and self.terms.optional:
            yield Action("stop")

    def apply(self, action: Action) -> Self:
        """The exchange after a legal action, whose card may be hidden."""
        match action.verb:
            case "stop":
                return changed(self, givers=self.givers[1:])._settled()
            case "give":
                return changed(
                    self,
                    may_give=_one_less(self.may_give, self.givers[0]),
                    may_get=_one_less(self.may_get, action.to),
                    owing=action.to,
                )
            case _:
                moved = (*self.moved, (self.givers[0], self.owing))
                return changed(self, owing=-1, moved=moved)._settled()

    def view(self) -> dict[str, object]:
        """For bots and screens: `giver` and `owing` (seats or null), `may_give` and `may_get` by seat, `moved` as
        [giver, loser] pairs, `optional` (whether `stop` is allowed), `own_cards` (the mode of returning)."""
        return {
            "giver": self.givers[0] if self.givers else None,
            "owing": self.owing if self.owing >= 0 else None,
            "may_give": list(self.may_give),
            "may_get": list(self.may_get),
            "moved": [list(pair) for pair in self.moved],
            "optional": self.terms.optional,
            "own_cards": not self.terms.include_received,
        }

    def _takers(self) -> list[int]:
        """The seats that the giver may give to, in order of play from him."""
        giver, seats = self.givers[0], len(self.may_get)
        others = [(giver + steps) % seats for steps in range(1, seats)]
        return [seat for seat in others if self.may_get[seat]]

    def _settled(self) -> Self:
        """The same without givers at the front who have nothing left to give, or nobody to give it to."""
        state = self
        while state.givers and not (state.may_give[state.givers[0]] and state._takers()):
            state = changed(state, givers=state.givers[1:])
        return state


@cache
def _giving(terms: Terms, to: int) -> Duty:
    """Any card may be given."""
    return Duty(FULL_PACK, NO_CARDS, terms.quota_rule, "exchange-quota", ("give", to), Where.SEAT, to)


@cache
def _returning(terms: Terms, received: Card | None, giver: int) -> tuple[Duty, ...]:
    """What each card claims by going back: that it is the highest of its suit; nothing when a trump was given, or when
    it is not known what was given."""

    def back(cards: CardSet, excludes: CardSet) -> Duty:
        rule = terms.return_rule
        return Duty(cards, excludes, rule, "return-highest", ("return", -1), Where.SEAT, giver, deferred=True)

    if received is None or suit_of(received) == terms.trump:
        return (back(FULL_PACK, NO_CARDS),)
    suit = SUIT_CARDS[suit_of(received)]
    if terms.include_received:
        return tuple(back(single(card), above(card)) for card in cards_in(suit))
    own = tuple(back(single(card), above(card) & ~single(received)) for card in cards_in(suit & ~single(received)))
    return (*own, back(single(received), suit))


def _one_less(numbers: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(number - (index == seat) for index, number in enumerate(numbers))
