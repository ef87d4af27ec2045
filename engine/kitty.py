"""The course of a deal that Isti'mar and 3-5-8 share: three seats, sixteen cards each, four in the kitty.

    NewPack → … → [exchange] → … → OpenKitty → TakeKitty → discard ×4 → play ×48 → [Audit] → NewPack or Finished

Roles go round in order of play: the declarer must take 8 tricks, the next seat 5, the third (who deals) 3. What stands
at the dots is each game's own: who is the declarer, when he names trumps, and when cards are released. Whoever leads
may claim the rest (engine.tricks): what the others hold is then never seen, but the audit follows all the same.
`KittyDeal` is the part from the kitty to the last trick; `KittyGame` is the fold around it, and each game derives its
state from it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Self

from engine.actions import FACE_DOWN, Action
from engine.cards import (
    FULL_PACK,
    NO_CARDS,
    SUITS,
    Card,
    CardSet,
    Suit,
    card_name,
    count,
    name_list,
)
from engine.exchange import Exchange
from engine.game import (
    ASKS,
    Ask,
    Audit,
    Claim,
    Duty,
    Finished,
    Game,
    Illegal,
    NewPack,
    OpenKitty,
    Options,
    Outcome,
    Result,
    Start,
    Step,
    TakeKitty,
    Where,
    candidates,
    duty_claim,
)
from engine.tricks import Duties, Trick, beaters, cards_of, claim_rest, lacking, owed, winning
from engine.values import changed

SEATS = 3
HAND_SIZE = 16
KITTY_SIZE = 4
KITTY = (48, 49, 50, 51)  # the positions that no seat owns (engine.game.owner)
GOALS = (8, 5, 3)  # from the declarer on, in order of play


def by_role(declarer: int, values: tuple[int, int, int] = GOALS) -> tuple[int, ...]:
    """`values` (of the declarer, the next seat, the third) by seat."""
    return tuple(values[(seat - declarer) % SEATS] for seat in range(SEATS))


def from_seat(seat: int) -> tuple[int, ...]:
    """The three seats in order of play from `seat`."""
    return tuple((seat + steps) % SEATS for steps in range(SEATS))


@dataclass(frozen=True)
class KittyDeal:
    """From the kitty to the last trick.

    trump       a suit, or None
    owner_only  the kitty is shown to the declarer alone
    kitty       its cards, where everybody saw them
    aside       how many cards the declarer has put aside
    tricks      the finished tricks, in order; `played` are their cards
    won         tricks won, by seat
    """

    declarer: int
    trump: Suit | None
    duties: Duties
    discard_rule: str
    owner_only: bool = False
    opened: bool = False
    kitty: CardSet = NO_CARDS
    taken: bool = False
    aside: int = 0
    leader: int = -1
    trick: Trick = ()
    tricks: tuple[Trick, ...] = ()
    played: CardSet = NO_CARDS
    won: tuple[int, ...] = (0, 0, 0)

    @property
    def over(self) -> bool:
        """Whether all sixteen tricks are won, by play or by a claim."""
        return sum(self.won) == HAND_SIZE

    @property
    def playing(self) -> bool:
        """Whether the kitty is dealt with and cards are played."""
        return self.aside == KITTY_SIZE

    @property
    def step(self) -> Step:
        """What happens next, while the deal is not over."""
        if self.taken:
            return ASKS[self.turn]
        if not self.opened:
            return OpenKitty(KITTY, only=self.declarer if self.owner_only else -1)
        return TakeKitty(self.declarer, KITTY)

    @property
    def turn(self) -> int:
        """Who puts a card aside, or plays."""
        return (self.leader + len(self.trick)) % SEATS if self.aside == KITTY_SIZE else self.declarer

    @property
    def phase(self) -> str:
        """``kitty``, ``discard`` or ``play``."""
        return "play" if self.playing else "discard" if self.taken else "kitty"

    @property
    def counts(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        laid = {seat for seat, _ in self.trick}
        extra = KITTY_SIZE - self.aside if self.taken else 0
        return tuple(
            HAND_SIZE - len(self.tricks) - (seat in laid) + (extra if seat == self.declarer else 0)
            for seat in range(SEATS)
        )

    def after(self, step: Step, cards: CardSet) -> Self:
        """The deal after the kitty was opened or taken."""
        if isinstance(step, OpenKitty):
            return changed(self, opened=True, kitty=cards)
        return changed(self, taken=True)

    @property
    def card_duties(self) -> tuple[Duty, ...]:
        """What the seat that must act claims by a card (`State.duties`), once the kitty is taken."""
        if not self.playing:
            return (_putting_aside(self.discard_rule),)
        return owed(self.trick, self.trump, self.duties)

    def claim(self, action: Action) -> Claim:
        """The claim of an action of the seat that must act, if none of the duties speaks of it (`State.claim`)."""
        if not self.playing:
            if action.verb != "discard":
                raise Illegal(self.discard_rule, "illegal-action", action=str(action))
            return _putting_aside(self.discard_rule).claim(action)
        if action.verb == "claim":
            held = HAND_SIZE - len(self.tricks)
            return claim_rest(action.cards, held, self.trick, self._may_beat(action.cards), self.trump)
        raise Illegal(self.duties.follow_rule, "illegal-action", action=str(action))

    def _may_beat(self, cards: CardSet) -> CardSet:
        """Of the cards that beat one of the leader's `cards`, some that another seat may have, if there are any: unseen
        ones, unless they lie aside or their suit was not followed."""
        better = beaters(cards, self.trump) & ~self.played
        if count(better) > KITTY_SIZE:
            return better  # some of these are held; no need to look closer
        for seat in range(SEATS):
            if seat != self.leader and (held := better & ~lacking(self.tricks, seat, self.trump, self.duties)):
                return held
        return NO_CARDS

    def choices(self, cards: CardSet) -> Iterator[Action]:
        """In the play, for the leader, the claim."""
        if self.playing and not self.trick and not self._may_beat(cards):
            yield Action("claim", cards=cards)

    def apply(self, action: Action) -> Self:
        """The deal after a legal action (a discarded card may be hidden)."""
        if action.verb == "discard":
            return changed(self, aside=self.aside + 1, leader=self.declarer)
        if action.verb == "claim":
            return changed(self, won=self._with_tricks(self.leader, HAND_SIZE - sum(self.won)))
        trick = (*self.trick, (self.turn, action.card))
        if len(trick) < SEATS:
            return changed(self, trick=trick)
        winner, _ = winning(trick, self.trump)
        won = self._with_tricks(winner, 1)
        played = self.played | cards_of(trick)
        return changed(self, trick=(), tricks=(*self.tricks, trick), played=played, won=won, leader=winner)

    def _with_tricks(self, winner: int, more: int) -> tuple[int, ...]:
        won = list(self.won)
        won[winner] += more
        return tuple(won)


@cache
def _putting_aside(rule: str) -> Duty:
    """Any card may be put aside."""
    return Duty(FULL_PACK, NO_CARDS, rule, "", ("discard", -1), Where.ASIDE)


class Stage(Enum):
    """Where a deal stands. DEAL to CHOOSE are each game's own."""

    PACK = "pack"
    DEAL = "deal"
    SHOW = "show"
    CHOOSE = "choose"
    REST = "rest"
    EXCHANGE = "exchange"
    HAND = "hand"
    AUDIT = "audit"
    OVER = "over"


_PHASES = {Stage.PACK: "deal", Stage.DEAL: "deal", Stage.REST: "deal"}


@dataclass(frozen=True)
class KittyGame(ABC):
    """The public state of either game. Derived classes give the stages of their own and the score.

    previous   points of the deal before, by seat; () when there was none or it is not known
    exchange   the exchange of this deal, also when it is over
    hand       from the kitty on
    last_trick the trick that lies at its winner, also when the next deal has begun
    history    every action of this deal, cards that only some may see hidden
    """

    options: Options
    deal: int
    dealer: int
    declarer: int = -1
    stage: Stage = Stage.PACK
    previous: tuple[int, ...] = ()
    results: tuple[Result, ...] = ()
    redeals: tuple[str, ...] = ()
    exchange: Exchange | None = None
    hand: KittyDeal | None = None
    last_trick: Trick = ()
    history: tuple[tuple[int, Action], ...] = ()

    # What each game says ---------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def game(self) -> Game:
        """The game."""

    @property
    @abstractmethod
    def goals(self) -> tuple[int, ...]:
        """The tricks that each seat should take (or at most take); () before the roles are known."""

    @property
    @abstractmethod
    def last_deal(self) -> int:
        """See `engine.game.State.last_deal`."""

    @property
    def _held(self) -> int:
        """How many cards everybody holds in a stage of the game's own, once some are dealt."""
        return HAND_SIZE

    @abstractmethod
    def _own_step(self) -> Step:
        """The step of a stage of the game's own."""

    @abstractmethod
    def _own_claim(self, seat: int, action: Action) -> Claim:
        """The claim of an action in a stage of the game's own."""

    @abstractmethod
    def _own_candidates(self, cards: CardSet) -> Iterator[Action]:
        """What may be chosen in a stage of the game's own."""

    @abstractmethod
    def _own_apply(self, seat: int, action: Action) -> Self:
        """The state after an action in a stage of the game's own."""

    @abstractmethod
    def _own_after(self, step: Step) -> Self:
        """The state after a step of a stage of the game's own."""

    @abstractmethod
    def _after_exchange(self) -> Self:
        """The state when the exchange is over."""

    @abstractmethod
    def _points(self, won: tuple[int, ...]) -> tuple[str, tuple[int, ...]]:
        """The points by seat for these tricks, and the rule that gives them."""

    @abstractmethod
    def _scored(self) -> Self:
        """The state after `results` got its last entry: the next deal, or the end."""

    @abstractmethod
    def _thrown_in(self) -> Self:
        """The same deal before anything happened in it, but for what this class keeps."""

    @abstractmethod
    def _own_view(self) -> dict[str, object]:
        """What the game adds to the view."""

    # The fold --------------------------------------------------------------------------------------------------

    @property
    def step(self) -> Step:
        """What must happen next."""
        hand = self.hand
        if hand is not None and self.stage is Stage.HAND:
            return hand.step
        match self.stage:
            case Stage.PACK:
                return NewPack()
            case Stage.EXCHANGE:
                return self._exchange.step
            case Stage.AUDIT:
                return Audit()
            case Stage.OVER:
                return Finished()
            case _:
                return self._own_step()

    @property
    def phase(self) -> str:
        """``deal``, ``show``, ``choose``, ``exchange``, ``kitty``, ``discard``, ``play``, ``audit``, ``over``."""
        if self.stage is Stage.HAND:
            return self._hand.phase
        return _PHASES.get(self.stage, str(self.stage.value))

    @property
    def counts(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        match self.stage:
            case Stage.PACK | Stage.DEAL | Stage.AUDIT | Stage.OVER:
                return (0,) * SEATS
            case Stage.EXCHANGE:
                return self._exchange.counts(HAND_SIZE)
            case Stage.HAND:
                return self._hand.counts
            case _:
                return (self._held,) * SEATS

    @property
    def totals(self) -> tuple[int, ...]:
        """The points so far, by seat."""
        return self.results[-1].totals if self.results else (0,) * SEATS

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the highest total once the game is over (IST-16, IST-17, S358-14)."""
        if self.stage is not Stage.OVER:
            return ()
        best = max(self.totals)
        return tuple(seat for seat, total in enumerate(self.totals) if total == best)

    def claim(self, seat: int, action: Action, received: Card | None = None) -> Claim:
        """See `engine.game.State.claim`."""
        if claim := duty_claim(self.duties(seat, received), action):
            return claim
        if not self._asks(seat):
            raise Illegal("C-3", "not-your-turn")
        match self.stage:
            case Stage.EXCHANGE:
                return self._exchange.claim(action)
            case Stage.HAND:
                return self._hand.claim(action)
            case _:
                return self._own_claim(seat, action)

    def duties(self, seat: int, received: Card | None = None) -> tuple[Duty, ...]:
        """See `engine.game.State.duties`."""
        hand = self.hand
        if hand is not None and self.stage is Stage.HAND:
            return hand.card_duties if hand.taken and seat == hand.turn else ()
        if self.stage is Stage.EXCHANGE and self._asks(seat):
            return self._exchange.duties(received)
        return ()

    def candidates(self, seat: int, cards: CardSet) -> Iterator[Action]:
        """See `engine.game.State.candidates`: `stop`; contracts S H D C NT none; trumps C D H S; seats, then cards."""
        return candidates(self, seat, cards)

    def choices(self, seat: int, cards: CardSet) -> Iterator[Action]:
        """See `engine.game.State.choices`."""
        hand = self.hand
        if (hand is not None and hand.trick) or not self._asks(seat):
            return
        match self.stage:
            case Stage.EXCHANGE:
                yield from self._exchange.choices()
            case Stage.HAND:
                yield from self._hand.choices(cards)
            case _:
                yield from self._own_candidates(cards)

    def apply(self, seat: int, action: Action) -> Self:
        """See `engine.game.State.apply`. The card of `give`, `return` and `discard` may be hidden."""
        told = action.concealed() if action.verb in FACE_DOWN else action
        history = (*self.history, (seat, told))
        if self.stage is Stage.HAND:
            return self._played(self._hand.apply(action), history)
        state = changed(self, history=history)
        match self.stage:
            case Stage.EXCHANGE:
                exchange = state._exchange.apply(action)
                state = changed(state, exchange=exchange)
                return state._after_exchange() if exchange.over else state
            case _:
                return state._own_apply(seat, action)

    def after(self, step: Step, cards: CardSet = NO_CARDS) -> Self:
        """See `engine.game.State.after`."""
        match self.stage:
            case Stage.PACK:
                return changed(self, stage=Stage.DEAL)
            case Stage.HAND:
                return changed(self, hand=self._hand.after(step, cards))
            case Stage.AUDIT:
                return self._score(self._hand.won)
            case _:
                return self._own_after(step)

    def void(self, reason: str) -> Self:
        """See `engine.game.State.void`."""
        return changed(
            self._thrown_in(),
            stage=Stage.PACK,
            redeals=(*self.redeals, reason),
            exchange=None,
            hand=None,
            history=(),
        )

    def view(self) -> dict[str, object]:
        """The public state as plain JSON values. Seats are numbers, cards two letters, lists by seat have three items.

        game, options, deal, dealer, phase, counts, totals, winners as in `State`
        turn       the seat that is asked, or null
        deals      the number of the last deal (Isti'mar: 6 once a tie is played out)
        declarer   the seat with goal 8, null until it is known; goals by seat, empty until then
        trump      ``S H D C``, or null
        exchange   see `Exchange.view`, or null when this deal has none
        kitty      its cards, where everybody sees them
        trick, last_trick   [seat, card] pairs in the order played
        tricks     the finished tricks of this deal; taken: how many each seat took
        history    [seat, action] pairs, everything done in this deal; cards that only some may see are ``??``
        results    the points of every deal so far
        """
        hand = self.hand
        return {
            "game": self.game.name,
            "options": dict(self.options),
            "deal": self.deal,
            "deals": self.last_deal,
            "dealer": self.dealer,
            "phase": self.phase,
            "turn": self.step.seat if isinstance(self.step, Ask) else None,
            "counts": list(self.counts),
            "declarer": self.declarer if self.declarer >= 0 else None,
            "goals": list(self.goals),
            "trump": SUITS[hand.trump] if hand is not None and hand.trump is not None else None,
            "exchange": self.exchange.view() if self.exchange else None,
            "kitty": name_list(hand.kitty) if hand else [],
            "trick": _named(hand.trick) if hand else [],
            "last_trick": _named(self.last_trick),
            "tricks": [_named(trick) for trick in hand.tricks] if hand else [],
            "taken": list(hand.won) if hand else [0] * SEATS,
            "history": [[seat, str(action)] for seat, action in self.history],
            "totals": list(self.totals),
            "results": [list(result.points) for result in self.results],
            "winners": list(self.winners),
            **self._own_view(),
        }

    # Score sheets ----------------------------------------------------------------------------------------------

    def skip_hidden(self) -> Self:
        """The state without an exchange, and without the kitty, that is waited for (`engine.game.Sheet`)."""
        state = self
        if state.stage is Stage.EXCHANGE:
            state = changed(state, exchange=None)._after_exchange()
        if state.stage is Stage.HAND and not state._hand.playing:
            hand = changed(state._hand, opened=True, taken=True, aside=KITTY_SIZE, leader=state.declarer)
            state = changed(state, hand=hand)
        return state

    def score_sheet(self, outcome: Outcome) -> Self:
        """The state after this deal was scored by its tricks (`engine.game.Sheet`)."""
        tricks = outcome.tricks
        if (
            self.phase != "play"
            or len(tricks) != SEATS
            or min(tricks) < 0
            or sum(tricks) != HAND_SIZE
            or outcome.took
            or outcome.last
            or outcome.out
        ):
            raise Illegal("C-3", "bad-outcome", tricks=" ".join(map(str, tricks)))
        return self._score(tricks)

    # Parts -----------------------------------------------------------------------------------------------------

    @property
    def _exchange(self) -> Exchange:
        assert self.exchange is not None
        return self.exchange

    @property
    def _hand(self) -> KittyDeal:
        assert self.hand is not None
        return self.hand

    def _asks(self, seat: int) -> bool:
        """Whether the seat may act now."""
        step = self.step
        return isinstance(step, Ask) and step.seat == seat

    def _exchanging(self, exchange: Exchange) -> Self:
        """The state in which this exchange takes place, unless there is nothing to exchange."""
        if exchange.over:
            return self._after_exchange()
        return changed(self, stage=Stage.EXCHANGE, exchange=exchange)

    def _played(self, hand: KittyDeal, history: tuple[tuple[int, Action], ...]) -> Self:
        last_trick = hand.tricks[-1] if hand.tricks else self.last_trick
        state = changed(self, history=history, hand=hand, last_trick=last_trick)
        if not hand.over:
            return state
        if self.exchange is not None and self.exchange.moved:
            return changed(state, stage=Stage.AUDIT)
        return state._score(hand.won)

    def _score(self, won: tuple[int, ...]) -> Self:
        rule, points = self._points(won)
        result = Result(
            deal=self.deal,
            points=points,
            breakdown=tuple(((rule, one),) for one in points),
            totals=tuple(total + one for total, one in zip(self.totals, points, strict=True)),
            redeals=self.redeals,
        )
        state = changed(
            self,
            results=(*self.results, result),
            previous=points,
            redeals=(),
            exchange=None,
            hand=None,
            history=(),
        )
        return state._scored()


def check_start(start: Start, deals: int, unit: int) -> None:
    """`Illegal` unless a record can begin there: a deal from 1 to `deals`, seats of the table, and previous points that
    are multiples of `unit` and add up to nothing."""
    seats = range(-1, SEATS)
    points = start.previous
    if not 1 <= start.deal <= deals or start.dealer not in seats or start.owner not in seats or start.multiplier != 1:
        raise Illegal("C-1", "bad-start", deal=start.deal)
    if points and (len(points) != SEATS or sum(points) or any(one % unit for one in points)):
        raise Illegal("C-4", "bad-start", deal=start.deal)


def _named(trick: Trick) -> list[list[object]]:
    return [[seat, card_name(card)] for seat, card in trick]
