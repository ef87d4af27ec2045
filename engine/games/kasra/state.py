"""Kasra as a fold: everything public about a game, what must happen next, and the claim of every action.

Phases of a deal, and what each waits for (doubling=off leaves `double` out, `sequential` asks one by one):

    shuffle   a new pack
    deal      all 52 cards face down to their owners
    show      first deal of the game only: the holder of 7♥ shows it and owns the first kingdom (KAS-2)
    choose    the owner's game, one not yet played in this kingdom (KAS-3, B-KAS-20)
    double    Complex: every seat's doubles, at once (KAS-9, B-KAS-7, E-11)
    trump     Tarneeb: the owner's trump (KAS-6)
    play      one card (or, in Trix, a pass) by the seat `turn`; the owner begins (B-KAS-2); or the rest is claimed
    over      the last kingdom is finished
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from engine.actions import PASS, Action
from engine.cards import (
    FULL_PACK,
    HEARTS,
    NO_CARDS,
    PACK_SIZE,
    POSITIONS,
    SUITS,
    CardSet,
    Suit,
    card,
    card_name,
    card_set,
    cards_in,
    name_list,
)
from engine.game import (
    ASKS,
    FREE,
    Ask,
    Claim,
    Duty,
    Finished,
    Game,
    Illegal,
    NewPack,
    Options,
    Outcome,
    Release,
    Result,
    Sealed,
    Search,
    Start,
    Step,
    asked,
    candidates,
    duty_claim,
)
from engine.games.kasra.scoring import DOUBLABLE, SEATS, TRICKS, breakdown
from engine.games.kasra.trix import laying, passing, rows
from engine.tricks import Duties, Trick, cards_of, certain, claim_rest, owed, winning
from engine.values import changed

if TYPE_CHECKING:
    from engine.cards import Card

GAMES = ("complex", "tarneeb", "ltooshain", "trix")  # what an owner may choose, the most modest choice first
HAND_SIZE = PACK_SIZE // SEATS
SEVEN_OF_HEARTS = card(5, HEARTS)
TRICK_DUTIES = {
    "complex": Duties("B-KAS-3"),
    "tarneeb": Duties("KAS-6"),  # no duty to trump (B-KAS-12)
    "ltooshain": Duties("B-KAS-3"),
}
_DEALT = Release(POSITIONS)
NOT_OUT_YET = SEATS - 1  # Trix is over when this many are out (B-KAS-15)
EMPTY: tuple[CardSet, ...] = (NO_CARDS,) * SEATS
NO_COUNTS = (0,) * SEATS


@dataclass(frozen=True)
class Kasra:
    """All that everybody at a table of Kasra knows. Fields below `turn` are about the present deal."""

    options: Options
    seat_zero: int  # the dealer given at the start; without meaning once 7♥ is shown (B-KAS-19)
    deal: int = 1
    first_owner: int = -1  # owner of kingdom 0; -1 until 7♥ is shown
    owner_given: bool = False  # by the record, so that 7♥ is not looked for
    used: tuple[str, ...] = ()  # games played in this kingdom
    results: tuple[Result, ...] = ()
    phase: str = "shuffle"
    turn: int = -1
    redeals: tuple[str, ...] = ()
    contract: str = ""  # the game chosen
    trump: Suit | None = None
    answers: tuple[int, ...] = ()  # the seats that have said what they double
    doubled: tuple[CardSet, ...] = EMPTY  # by seat
    counts: tuple[int, ...] = NO_COUNTS
    history: tuple[tuple[int, Action], ...] = ()  # every action of the deal
    trick: Trick = ()  # on the table
    last_trick: Trick = ()
    takers: tuple[int, ...] = ()  # who won each trick
    taken: tuple[CardSet, ...] = EMPTY  # cards won in tricks, by seat
    down: CardSet = NO_CARDS  # Trix: cards on the table
    out: tuple[int, ...] = ()  # Trix: seats that have gone out, in order

    @classmethod
    def begin(cls, options: Options, dealer: int) -> Kasra:
        """A new game."""
        return cls(options, dealer)

    @classmethod
    def begin_at(cls, options: Options, start: Start) -> Kasra:
        """A game from deal `start.deal` on."""
        new = cls(options, max(start.dealer, 0), deal=start.deal)
        owner = start.owner if start.owner >= 0 or start.deal == 1 else start.dealer
        if not 1 <= start.deal <= new.last_deal or owner >= SEATS or (owner < 0 and start.deal > 1):
            raise Illegal("KAS-2", "bad-start", deal=start.deal)
        if owner < 0:
            return new
        return changed(new, first_owner=(owner - new.kingdom) % SEATS, owner_given=True)

    # --- what everybody can read off ----------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The game."""
        from engine.games.kasra import GAME

        return GAME

    @property
    def last_deal(self) -> int:
        """Deals in the whole game (KAS-2)."""
        return len(GAMES) * int(self.options["kingdoms"])

    @property
    def kingdom(self) -> int:
        """Number of the kingdom, from 0."""
        return (self.deal - 1) // len(GAMES)

    @property
    def owner(self) -> int:
        """Who owns the kingdom, or -1 while nobody knows; it passes to the right (B-KAS-4)."""
        return -1 if self.first_owner < 0 else (self.first_owner + self.kingdom) % SEATS

    @property
    def dealer(self) -> int:
        """The owner (B-KAS-19); before 7♥ was shown, whoever dealt."""
        return self.seat_zero if self.owner < 0 else self.owner

    @property
    def available(self) -> tuple[str, ...]:
        """The games that the owner may still choose in this kingdom."""
        return tuple(name for name in GAMES if name not in self.used)

    @property
    def tricks(self) -> tuple[int, ...]:
        """Tricks won, by seat."""
        return tuple(self.takers.count(seat) for seat in range(SEATS))

    @property
    def totals(self) -> tuple[int, ...]:
        """Points so far, by seat."""
        return self.results[-1].totals if self.results else (0,) * SEATS

    @property
    def winners(self) -> tuple[int, ...]:
        """The highest totals of a finished game (KAS-10, ties share: B-KAS-18)."""
        if self.phase != "over":
            return ()
        return tuple(seat for seat, total in enumerate(self.totals) if total == max(self.totals))

    @property
    def step(self) -> Step:
        """What must happen next."""
        match self.phase:
            case "play":
                return ASKS[self.turn]
            case "shuffle":
                return NewPack()
            case "deal":
                return _DEALT
            case "show":
                return Search(SEVEN_OF_HEARTS)
            case "double" if self.turn < 0:
                return Sealed(tuple(seat for seat in self._round() if seat not in self.answers))
            case "over":
                return Finished()
            case _:
                return Ask(self.turn)

    def _round(self) -> tuple[int, ...]:
        """All seats in order of play from the owner."""
        return tuple((self.owner + k) % SEATS for k in range(SEATS))

    # --- what is legal ------------------------------------------------------------------------------------------

    def claim(self, seat: int, action: Action, received: Card | None = None) -> Claim:
        """What `action` by `seat` claims about the hand."""
        verb = action.verb
        if verb == "play" and (claim := duty_claim(self.duties(seat), action)):
            return claim
        match self.phase:
            case "show":
                if verb != "show" or action.cards != 1 << SEVEN_OF_HEARTS:
                    raise Illegal("KAS-2", "must-show-seven")
                return Claim(opens=action.cards)
            case "choose" if seat == self.turn and verb == "game":
                if action.word in self.used:
                    raise Illegal("B-KAS-20", "contract-used-already", contract=action.word)
                return FREE
            case "trump" if seat == self.turn and verb == "trump":
                return FREE
            case "double" if self._answers_now(seat) and verb == "double":
                if action.cards & ~DOUBLABLE:
                    raise Illegal("KAS-9", "double-not-allowed")
                return Claim(opens=action.cards)
            case "play" if seat == self.turn and not action.hidden:
                if self.contract == "trix":
                    return self._trix_claim(action)
                if verb == "claim":
                    held, unseen = self.counts[seat], self._unseen(action.cards)
                    return claim_rest(action.cards, held, self.trick, unseen, self.trump)
        if self._answers_now(seat):
            raise Illegal("KAS-3", "illegal-action", action=str(action))
        raise Illegal("C-1", "not-your-turn", action=str(action))

    def _answers_now(self, seat: int) -> bool:
        return seat in asked(self.step)

    def _trix_claim(self, action: Action) -> Claim:
        """A pass only with no card that fits (KAS-8, B-KAS-13, D-6); another card does not."""
        if action.verb == "pass":
            return passing(self.down)
        raise Illegal("KAS-8", "card-does-not-fit" if action.verb == "play" else "illegal-action", action=str(action))

    def duties(self, seat: int, received: Card | None = None) -> tuple[Duty, ...]:
        """See `engine.game.State.duties`: what tricks ask for; in Trix one card that fits, and nothing else."""
        if self.phase != "play" or seat != self.turn:
            return ()
        if self.contract == "trix":
            return laying(self.down)
        return owed(self.trick, self.trump, TRICK_DUTIES[self.contract])

    def candidates(self, seat: int, cards: CardSet) -> Iterator[Action]:
        """See `engine.game.State.candidates`; the other choices are in the order of `choices`."""
        return candidates(self, seat, cards)

    def choices(self, seat: int, cards: CardSet) -> Iterator[Action]:
        """Games in the order complex, tarneeb, ltooshain, trix; suits from clubs up; doubles from none up (fewer
        first, then king before queens by suit); in Trix the pass after the cards, elsewhere the leader's claim."""
        match self.phase:
            case "show" if cards >> SEVEN_OF_HEARTS & 1:
                yield Action("show", cards=1 << SEVEN_OF_HEARTS)
            case "choose" if seat == self.turn:
                for name in self.available:
                    yield Action("game", word=name)
            case "trump" if seat == self.turn:
                for suit in SUITS:
                    yield Action("trump", word=suit)
            case "double" if self._answers_now(seat):
                mine = list(cards_in(cards & DOUBLABLE))
                for size in range(len(mine) + 1):
                    for chosen in combinations(mine, size):
                        yield Action("double", cards=card_set(chosen))
            case "play" if seat == self.turn:
                if self.contract == "trix":
                    yield PASS
                elif not self.trick and certain(cards, self._unseen(cards), self.trump):
                    yield Action("claim", cards=cards)

    # --- what happens -------------------------------------------------------------------------------------------

    def apply(self, seat: int, action: Action) -> Kasra:
        """The state after a legal action."""
        history = (*self.history, (seat, action))
        match action.verb:
            case "show":
                return changed(self, history=history, first_owner=seat, phase="choose", turn=seat)
            case "game":
                return self._chosen(action.word, history)
            case "trump":
                return changed(self, history=history, trump=SUITS.index(action.word), phase="play")
            case "double":
                doubled = _with(self.doubled, seat, action.cards)
                answers = (*self.answers, seat)
                answered = changed(self, history=history, doubled=doubled, answers=answers)
                return answered._next_double()
            case "pass":
                return changed(self, history=history, turn=self._next_in(seat, self.out))
            case "claim":
                takers = (*self.takers, *(seat for _ in range(self.counts[seat])))
                won = self.taken[seat] | FULL_PACK & ~self._won()
                return changed(self, takers=takers, taken=_with(self.taken, seat, won))._after_last_trick()
        counts = _with(self.counts, seat, self.counts[seat] - 1)
        if self.contract == "trix":
            return self._laid(seat, action, history, counts)
        return self._trick_card(seat, action, history, counts)

    def _chosen(self, name: str, history: tuple[tuple[int, Action], ...]) -> Kasra:
        chosen = changed(self, history=history, contract=name, phase="trump" if name == "tarneeb" else "play")
        return chosen._next_double() if name == "complex" and self.options["doubling"] != "off" else chosen

    def _next_double(self) -> Kasra:
        """Who is asked what he doubles: everybody at once, or one after the other from the owner (B-KAS-7)."""
        waiting = [seat for seat in self._round() if seat not in self.answers]
        if not waiting:
            return changed(self, phase="play", turn=self.owner)
        at_once = self.options["doubling"] == "simultaneous"
        return changed(self, phase="double", turn=-1 if at_once else waiting[0])

    def _next_in(self, seat: int, out: tuple[int, ...]) -> int:
        """The next seat to the right that is still in."""
        return next(s for s in ((seat + k) % SEATS for k in range(1, SEATS + 1)) if s not in out)

    def _laid(
        self, seat: int, action: Action, history: tuple[tuple[int, Action], ...], counts: tuple[int, ...]
    ) -> Kasra:
        """A card laid to its row in Trix."""
        out = self.out if counts[seat] else (*self.out, seat)
        laid = changed(self, history=history, counts=counts, down=self.down | action.cards, out=out)
        if len(out) == NOT_OUT_YET:
            return laid.scored(Outcome(out=out))
        return changed(laid, turn=self._next_in(seat, out))

    def _trick_card(
        self, seat: int, action: Action, history: tuple[tuple[int, Action], ...], counts: tuple[int, ...]
    ) -> Kasra:
        """A card played to a trick; all thirteen are played (B-KAS-10)."""
        trick = (*self.trick, (seat, action.card))
        if len(trick) < SEATS:
            return changed(self, history=history, counts=counts, trick=trick, turn=(seat + 1) % SEATS)
        winner = winning(trick, self.trump)[0]
        won = self.taken[winner] | cards_of(trick)
        after = changed(
            self,
            history=history,
            counts=counts,
            trick=(),
            last_trick=trick,
            takers=(*self.takers, winner),
            taken=_with(self.taken, winner, won),
            turn=winner,
        )
        return after if len(after.takers) < TRICKS else after._after_last_trick()

    def _after_last_trick(self) -> Kasra:
        return self.scored(Outcome(self.tricks, self.taken, self.takers[-2:]))

    def _unseen(self, hand: CardSet) -> CardSet:
        """What the leader, who holds `hand`, has not seen: all of it is in the others' hands."""
        return FULL_PACK & ~self._won() & ~hand

    def _won(self) -> CardSet:
        """All cards of finished tricks."""
        won = NO_CARDS
        for cards in self.taken:
            won |= cards
        return won

    def scored(self, outcome: Outcome) -> Kasra:
        """The deal is over: its points, then the next deal, the next kingdom, or the end."""
        lines = breakdown(self.contract, outcome, self.doubled, str(self.options["self_capture"]))
        points = tuple(sum(value for _, value in seat) for seat in lines)
        totals = tuple(map(sum, zip(self.totals, points, strict=True)))
        results = (*self.results, Result(self.deal, points, lines, totals, redeals=self.redeals))
        last = self.deal == self.last_deal
        ends_kingdom = self.deal % len(GAMES) == 0
        return changed(
            self.cleared(),
            last_trick=self.last_trick,  # to be looked at until the next deal (E-5)
            deal=self.deal if last else self.deal + 1,
            used=() if ends_kingdom and not last else (*self.used, self.contract),
            results=results,
            phase="over" if last else "shuffle",
            redeals=(),
        )

    def cleared(self) -> Kasra:
        """The same game with nothing dealt."""
        return Kasra(
            self.options,
            self.seat_zero,
            self.deal,
            self.first_owner,
            self.owner_given,
            self.used,
            self.results,
            redeals=self.redeals,
        )

    def after(self, step: Step, cards: CardSet = NO_CARDS) -> Kasra:
        """The state after the pack is shuffled, or dealt."""
        match step:
            case NewPack():
                return changed(self, phase="deal")
            case Release():
                phase = "show" if self.owner < 0 else "choose"
                return changed(self, phase=phase, turn=self.owner, counts=(HAND_SIZE,) * SEATS, last_trick=())
            case _:
                raise AssertionError(step)

    def void(self, reason: str) -> Kasra:
        """The deal is dealt again; in the first deal of a game 7♥ is looked for again."""
        again = changed(self.cleared(), redeals=(*self.redeals, reason))
        if self.deal == 1 and not self.owner_given:
            return changed(again, first_owner=-1)
        return again

    def view(self) -> dict[str, object]:
        """Plain values, cards as text, suits as letters, seats as numbers (-1: nobody yet):

        ``phase deal deals kingdom owner dealer turn contract trump available used counts totals``; ``winners``, once
        the game is over;
        ``doubled`` card lists by seat; ``trick`` and ``last_trick`` as [seat, card] pairs; ``tricks`` won by seat;
        ``taken`` card lists by seat (Complex); ``history`` as [seat, action] pairs; in Trix ``rows``, the lowest and
        highest card of each suit on the table (``[]`` for none), and ``out``, seats in the order of going out.
        """
        return {
            "phase": self.phase,
            "deal": self.deal,
            "deals": self.last_deal,
            "kingdom": self.kingdom,
            "owner": self.owner,
            "dealer": self.dealer,
            "turn": self.turn,
            "contract": self.contract,
            "trump": "" if self.trump is None else SUITS[self.trump],
            "available": list(self.available),
            "used": list(self.used),
            "counts": list(self.counts),
            "totals": list(self.totals),
            "winners": list(self.winners),
            "doubled": [name_list(cards) for cards in self.doubled],
            "trick": [[seat, card_name(one)] for seat, one in self.trick],
            "last_trick": [[seat, card_name(one)] for seat, one in self.last_trick],
            "tricks": list(self.tricks),
            "taken": [name_list(cards) for cards in self.taken],
            "history": [[seat, str(action)] for seat, action in self.history],
            "rows": {
                SUITS[suit]: [card_name(card(rank, suit)) for rank in ends]
                for suit, ends in enumerate(rows(self.down))
            },
            "out": list(self.out),
        }


def _with(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    """`values` with one entry changed."""
    return (*values[:seat], value, *values[seat + 1 :])
