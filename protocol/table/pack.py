"""A pack that is being made ready, and its slots once it is in play."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.actions import Action
from engine.cards import Card, CardSet
from engine.game import State
from engine.knowledge import Knowledge, Slot
from protocol.deck.elgamal import Cipher
from protocol.deck.group import Point, encode
from protocol.deck.recovery import PublishedShares

FEWEST_PLAYERS = 2
"""With a single player left there is nobody to play against, and nobody to hide a card from."""


@dataclass(frozen=True, slots=True)
class Deferred:
    """A claim to be proved at the end of the deal: everything as it was when the action was done."""

    seat: int
    height: int  # of the entry with the action
    state: State  # before the action
    action: Action  # its card hidden
    left: tuple[Cipher, ...]  # what remained in the hand
    possible: tuple[CardSet, ...]  # and what the public knew of it
    moved: Cipher  # the card of the action
    received: Cipher | None  # what had just been handed to the seat


@dataclass(frozen=True, slots=True)
class FaceDown:
    """A card that was put aside or went to another seat.

    seat, moved  who moved it, and what lay before him
    to, handed   the seat that it went to, and what lies there; -1 and None for a card that was put aside
    card         what it is, if everybody saw it; then nothing else is needed
    """

    seat: int
    moved: Cipher | None = None
    to: int = -1
    handed: Cipher | None = None
    card: Card | None = None


@dataclass
class Pack:
    """One attempt to deal. Seats not in `seats` have no key: what they are dealt is open.

    While it is made ready `ciphers` is the pack after the last verified shuffle; a slot is the position of a dealt
    card, or a number from 52 up for a card that was mixed or handed over.
    """

    serial: int
    seats: tuple[int, ...]
    table_seats: int
    commitments: dict[int, bytes] = field(default_factory=dict)
    keys: dict[int, Point] = field(default_factory=dict)
    published: dict[int, PublishedShares] = field(default_factory=dict)
    shared_at: dict[int, int] = field(default_factory=dict)  # height of the entry with a seat's recovery shares
    joint: Point | None = None
    ciphers: list[Cipher] = field(default_factory=list)
    ready: bool = False

    # in play
    slots: dict[Slot, Cipher] = field(default_factory=dict)
    open_cards: dict[Slot, Card] = field(default_factory=dict)  # in the hands that lie open
    opened: dict[int, Card] = field(default_factory=dict)  # positions opened to everybody
    mixed: set[int] = field(default_factory=set)  # seats whose slots no longer tell where they came from
    received: dict[int, Cipher] = field(default_factory=dict)  # what was last handed to a seat
    received_open: dict[int, Card] = field(default_factory=dict)  # the same, where everybody saw it
    declared_at: dict[int, int] = field(default_factory=dict)  # height of the entry that opened a seat's seal
    folded: list[dict[Slot, CardSet]] = field(default_factory=list)  # hands that a claim left unseen, as far as known
    face_down: list[FaceDown] = field(default_factory=list)  # in the order in which they were moved
    deferred: list[Deferred] = field(default_factory=list)
    audited: set[int] = field(default_factory=set)  # those of them that were proved
    recovered: dict[tuple[int, bytes], Point] = field(default_factory=dict)  # (lost seat, a) -> x·a
    knowledge: Knowledge = field(init=False)
    next_slot: Slot = 52

    def __post_init__(self) -> None:
        self.knowledge = Knowledge.of(self.table_seats)

    def new_slots(self, count: int) -> list[Slot]:
        """Numbers for `count` new slots."""
        self.next_slot += count
        return list(range(self.next_slot - count, self.next_slot))

    def hand(self, seat: int) -> list[Slot]:
        """The slots of a seat, in order."""
        return list(self.knowledge.hands[seat])

    def ciphers_of(self, slots: list[Slot]) -> list[Cipher]:
        """The ciphers in these slots."""
        return [self.slots[slot] for slot in slots]

    def recovered_at(self, seat: int, point: Point) -> Point | None:
        """`x·point` of a lost seat, once the others have recovered it."""
        return self.recovered.get((seat, encode(point)))

    def take_card(self, seat: int, slot: Slot, cipher: Cipher, known: CardSet) -> None:
        """A card comes into a hand face down."""
        self.slots[slot] = cipher
        self.knowledge.enter(seat, slot, known)
        self.mixed.discard(seat)

    def take_open(self, seat: int, slot: Slot, card: Card) -> None:
        """A card comes into a hand that lies open."""
        self.open_cards[slot] = card
        self.knowledge.enter(seat, slot, 1 << card)
        self.knowledge.see(card)

    def open_hand(self, seat: int) -> CardSet:
        """The cards of a hand that lies open."""
        cards = 0
        for slot in self.knowledge.hands[seat]:
            cards |= 1 << self.open_cards[slot]
        return cards
