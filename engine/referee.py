"""A table in one process that sees every card: for game records, bots in training, and tests.

The referee does what a table of peers does with proofs: it shuffles (by a callable that is given), deals, opens,
searches, asks, and passes the public outcome to the game's `State`. It keeps the true hands, and the `Knowledge` that
the public would have. Since it sees the cards, it refuses at once even what a table of peers finds out only at the end
of the deal (deferred claims).

A slot is numbered by the card's position in the pack; mixing a hand gives its slots new numbers from 52 up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from engine.actions import Action, whole
from engine.cards import FULL_PACK, NO_CARDS, PACK_SIZE, Card, CardSet, card_set, cards_in, highest, single
from engine.game import (
    Ask,
    Audit,
    Claim,
    Fault,
    Finished,
    Game,
    NewPack,
    OpenKitty,
    Options,
    Release,
    Result,
    Sealed,
    Search,
    State,
    Step,
    TakeKitty,
    Where,
    check,
    legal,
    shares,
)
from engine.knowledge import Knowledge, Slot

_WAITING = (Ask, Sealed, Finished)  # the steps that the table cannot do by itself

Pack: TypeAlias = list[Card]
Chooser: TypeAlias = Callable[[int, State, CardSet, list[Action]], Action]


# What observers are told. They see everything; what a seat may know is for the caller to decide ------------------


@dataclass(frozen=True, slots=True)
class Dealt:
    """A step released the cards at `positions`: `hands` are all cards held now, by seat."""

    state: State
    positions: tuple[int, ...]
    hands: tuple[CardSet, ...]


@dataclass(frozen=True, slots=True)
class Opened:
    """The kitty was opened, to everybody or to `only`."""

    state: State
    cards: tuple[Card, ...]
    only: int


@dataclass(frozen=True, slots=True)
class Acted:
    """A seat acted. `before` is the state in which it chose, `hand` what it held then."""

    before: State
    seat: int
    action: Action
    claim: Claim
    hand: CardSet


@dataclass(frozen=True, slots=True)
class Scored:
    """A deal was scored."""

    state: State
    result: Result


@dataclass(frozen=True, slots=True)
class ThrownIn:
    """The deal will be dealt again; `before` is the last state of it."""

    before: State
    state: State


@dataclass(frozen=True, slots=True)
class Faulted:
    """What a seat declared was found false at the end of the deal."""

    state: State
    fault: Fault


Event: TypeAlias = Dealt | Opened | Acted | Scored | ThrownIn | Faulted
Observer: TypeAlias = Callable[[Event], None]


@dataclass
class Referee:
    """A game being played on an open table.

    state      what is public
    next_pack  gives the 52 cards in the order of the next shuffled pack
    hands      what every seat holds
    received   the card just handed to each seat in an exchange, or None
    slots      where each card is
    face_down  the cards of this pack that went face down, in order: who moved it, the seat it went to (-1: aside), it
    """

    state: State
    next_pack: Callable[[], Pack]
    observers: list[Observer] = field(default_factory=list)
    pack: Pack = field(default_factory=list)
    hands: list[CardSet] = field(default_factory=list)
    received: list[Card | None] = field(default_factory=list)
    slots: dict[Card, Slot] = field(default_factory=dict)
    face_down: list[tuple[int, int, Card]] = field(default_factory=list)
    next_slot: Slot = PACK_SIZE
    _knowledge: Knowledge = field(init=False)
    _noted: list[tuple[int, Slot, Claim]] = field(default_factory=list)  # by whom, the slot played (-1: none)

    def __post_init__(self) -> None:
        self._clear()

    @classmethod
    def start(
        cls, game: Game, next_pack: Callable[[], Pack], options: Options | None = None, dealer: int = 0
    ) -> Referee:
        """A new game."""
        return cls(game.start(options, dealer), next_pack)

    # --- the table's own steps ----------------------------------------------------------------------------------

    def advance(self) -> Ask | Sealed | Finished:
        """Do all that needs nobody's choice; the step that then waits: `Ask`, `Sealed` or `Finished`."""
        while not isinstance(step := self.state.step, _WAITING):
            self.do(step)
        return step

    def do(self, step: Step) -> None:
        """Do one step that needs nobody's choice. The holder of a searched card shows it."""
        match step:
            case NewPack():
                self._clear()
                self.pack = self.next_pack()
                assert card_set(self.pack) == FULL_PACK and len(self.pack) == PACK_SIZE, "not a pack"
                self._go_on(self.state.after(step))
            case Release(positions):
                self._deal(positions)
                self._go_on(self.state.after(step))
                self._tell(Dealt(self.state, positions, tuple(self.hands)))
            case OpenKitty(positions, only):
                kitty = [self.pack[position] for position in positions]
                if only < 0:
                    for one in kitty:
                        self.knowledge.see(one)
                self._go_on(self.state.after(step, card_set(kitty) if only < 0 else NO_CARDS))
                self._tell(Opened(self.state, tuple(kitty), only))
            case TakeKitty(seat, positions):
                self._take_kitty(seat, positions)
                self._go_on(self.state.after(step))
            case Search(card):
                self._search(step, card)
            case Audit():
                self._go_on(self.state.after(step))
            case Fault():
                self._tell(Faulted(self.state, step))
                self._go_on(self.state.after(step))
            case _:
                raise AssertionError(step)

    def void(self, reason: str) -> None:
        """Throw the present deal in."""
        self._go_on(self.state.void(reason))

    def _clear(self) -> None:
        seats = self.state.game.seats
        self.hands = [NO_CARDS] * seats
        self.received = [None] * seats
        self._knowledge = Knowledge.of(seats)
        self._noted = []
        self.slots = {}
        self.face_down = []
        self.next_slot = PACK_SIZE

    def _deal(self, positions: tuple[int, ...]) -> None:
        seats = len(self.hands)
        for seat, share in enumerate(shares(positions, seats)[:seats]):
            cards = [self.pack[position] for position in share]
            self.hands[seat] |= card_set(cards)
            self.slots.update(zip(cards, share, strict=True))
            self.knowledge.deal(seat, *share)

    def _search(self, step: Search, card: Card) -> None:
        holder = next((seat for seat, hand in enumerate(self.hands) if hand >> card & 1), -1)
        for seat in range(len(self.hands)):
            if seat != holder:
                self.knowledge.exclude(seat, 1 << card)
        if holder < 0:
            self._go_on(self.state.after(step))
        else:
            self.act(holder, Action("show", cards=1 << card))

    def _take_kitty(self, seat: int, positions: tuple[int, ...]) -> None:
        for position in positions:
            card = self.pack[position]
            seen = self.knowledge.seen >> card & 1
            self.hands[seat] |= 1 << card
            self.knowledge.enter(seat, position, 1 << card if seen else FULL_PACK & ~self.knowledge.seen)
        self._mix(seat)

    def _mix(self, seat: int) -> None:
        """The seat's slots get new numbers, in the order of its cards (which tells the public nothing)."""
        cards = list(cards_in(self.hands[seat]))
        new = list(range(self.next_slot, self.next_slot + len(cards)))
        self.next_slot += len(cards)
        self.slots.update(zip(cards, new, strict=True))
        self.knowledge.mix(seat, new)

    # --- the seats' actions -------------------------------------------------------------------------------------

    def legal(self, seat: int) -> list[Action]:
        """The legal actions of a seat, in canonical order."""
        return legal(self.state, seat, self.hands[seat], self.received[seat])

    def known_face_down(self, seat: int) -> list[CardSet]:
        """The cards that went face down, in order, as far as `seat` knows them: what it moved itself or was handed.
        `NO_CARDS` stands for any other."""
        return [single(card) if seat >= 0 and seat in (mover, to) else NO_CARDS for mover, to, card in self.face_down]

    def act(self, seat: int, action: Action) -> None:
        """Let a seat act (a claim may leave away its cards); `Illegal` if the rules or its hand do not allow it."""
        before, action = self.state, whole(action, self.hands[seat])
        claim = check(before, seat, action, self.hands[seat], self.received[seat])
        self._settle(before, seat, action, claim)

    def act_at_once(self, actions: Mapping[int, Action]) -> None:
        """Let the seats of a `Sealed` step act: all choose in the same state, then act in the step's order."""
        step = self.state.step
        assert isinstance(step, Sealed) and set(actions) == set(step.seats), (step, actions)
        before = self.state
        claims = {seat: check(before, seat, actions[seat], self.hands[seat]) for seat in step.seats}
        for seat in step.seats:
            self._settle(before, seat, actions[seat], claims[seat])

    def _settle(self, before: State, seat: int, action: Action, claim: Claim) -> None:
        """Move the card, learn what the public learns, and go on."""
        hand, shown = self.hands[seat], action
        where, played = claim.where, -1
        self.received[seat] = None
        if where is Where.TABLE:
            self.hands[seat] = hand & ~action.cards
            played = self.slots.pop(action.card)
        elif where is Where.STAYS:
            for card in cards_in(claim.opens):
                self.knowledge.show(seat, self.slots[card], card)
        else:
            card, shown = action.card, action.concealed()
            self._mix(seat)
            self.face_down.append((seat, claim.to, card))
            self.hands[seat] = hand & ~action.cards
            known = self.knowledge.leave(seat, self.slots.pop(card))
            if where is Where.SEAT:
                self._enter(claim.to, card, known)
        self._noted.append((seat, played, claim))
        if action.verb == "claim":  # the deal is over, and what the others held is never seen
            self.hands = [NO_CARDS] * len(self.hands)
            self.knowledge.fold()
        self._tell(Acted(before, seat, action, claim, hand))
        self._go_on(self.state.apply(seat, shown))

    @property
    def knowledge(self) -> Knowledge:
        """What the public knows of every face-down slot. What is played or said is only noted until somebody looks:
        most deals are played without."""
        for seat, played, claim in self._noted:
            if played >= 0:
                self._knowledge.leave(seat, played)
                self._knowledge.see(highest(claim.opens))
            if len(claim.excludes) == 1 and not claim.deferred:
                self._knowledge.exclude(seat, claim.excludes[0])
        self._noted.clear()
        return self._knowledge

    def _enter(self, seat: int, card: Card, known: CardSet) -> None:
        """A card handed over comes into a hand; the public knows that it is one of `known`."""
        self.hands[seat] |= 1 << card
        self.received[seat] = card
        self.slots[card] = self.next_slot
        self.knowledge.enter(seat, self.next_slot, known)
        self.next_slot += 1

    def _go_on(self, state: State) -> None:
        before, self.state = self.state, state
        if (end := deal_end(before, state)) is not None:
            self._tell(end)

    def _tell(self, event: Event) -> None:
        for observer in self.observers:
            observer(event)

    # --- whole games --------------------------------------------------------------------------------------------

    def play(self, choosers: Sequence[Chooser], deals: int = 0) -> State:
        """Play on with `choosers` (one a seat) to the end of the game, or until `deals` more deals are scored.
        A seat that has only one legal action is not asked."""
        until = len(self.state.results) + deals if deals else -1
        while not isinstance(step := self.advance_until_scored(until), Finished | NewPack):
            if isinstance(step, Sealed):
                self.act_at_once({seat: self._choose(choosers[seat], seat) for seat in step.seats})
            else:
                self.act(step.seat, self._choose(choosers[step.seat], step.seat))
        return self.state

    def advance_until_scored(self, results: int) -> Ask | Sealed | Finished | NewPack:
        """As `advance`, but stop before the next pack once so many deals are scored."""
        while not isinstance(step := self.state.step, _WAITING):
            if len(self.state.results) == results and isinstance(step, NewPack):
                return step
            self.do(step)
        return step

    def _choose(self, chooser: Chooser, seat: int) -> Action:
        actions = self.legal(seat)
        return actions[0] if len(actions) == 1 else chooser(seat, self.state, self.hands[seat], actions)


def deal_end(before: State, state: State) -> Scored | ThrownIn | None:
    """What to tell when `state` follows on `before` and the deal ended with it."""
    if len(state.results) > len(before.results):
        return Scored(state, state.results[-1])
    if len(state.redeals) > len(before.redeals):
        return ThrownIn(before, state)
    return None


def packs(orders: Iterable[Pack]) -> Callable[[], Pack]:
    """A `next_pack` that gives these packs one after the other."""
    return iter(orders).__next__


def shuffled(shuffle: Callable[[Pack], None]) -> Callable[[], Pack]:
    """A `next_pack` that puts a whole pack in order by `shuffle` (such as `random.Random(seed).shuffle`)."""

    def next_pack() -> Pack:
        pack = list(range(PACK_SIZE))
        shuffle(pack)
        return pack

    return next_pack
