"""What the public can tell about hidden hands: for every face-down slot, the set of cards that it can still be.

A slot is a face-down card at the table, named by a number; only its owner knows its card. Everybody keeps these sets
alike, from what was shown and what was proved. A rule that they already imply needs no new proof, and a proof that is
needed gets smaller with them (design/deck step 6).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from engine.cards import FULL_PACK, NO_CARDS, Card, CardSet

Slot: TypeAlias = int


@dataclass(slots=True)
class Knowledge:
    """`hands[seat]` maps the seat's slots, in order, to the cards each can be; `seen` is what everybody has seen."""

    hands: list[dict[Slot, CardSet]]
    seen: CardSet = NO_CARDS
    shown: dict[Slot, Card] = field(default_factory=dict)  # slots that stay in a hand although their card was shown

    @classmethod
    def of(cls, seats: int) -> Knowledge:
        """Nothing dealt, nothing seen."""
        return cls([{} for _ in range(seats)])

    def deal(self, seat: int, slot: Slot) -> None:
        """A card nobody has seen goes face down to `seat`."""
        self.hands[seat][slot] = FULL_PACK & ~self.seen

    def see(self, card: Card) -> None:
        """Everybody has seen `card`: no other slot can be it."""
        self.seen |= 1 << card
        for hand in self.hands:
            for slot, cards in hand.items():
                if cards != 1 << card:
                    hand[slot] = cards & ~(1 << card)

    def show(self, seat: int, slot: Slot, card: Card) -> None:
        """`seat` shows the card in `slot` and keeps it."""
        self.hands[seat][slot] = 1 << card
        self.shown[slot] = card
        self.see(card)

    def leave(self, seat: int, slot: Slot) -> CardSet:
        """`slot` leaves the hand (played, put aside, handed on); what was known of it is returned."""
        self.shown.pop(slot, None)
        return self.hands[seat].pop(slot)

    def enter(self, seat: int, slot: Slot, cards: CardSet) -> None:
        """A card of which this much is known enters a hand under a new slot number."""
        self.hands[seat][slot] = cards

    def mix(self, seat: int, new_slots: list[Slot]) -> None:
        """The seat's slots were mixed into `new_slots`: each may now be what any of them was."""
        union = NO_CARDS
        for slot, cards in self.hands[seat].items():
            union |= cards
            self.shown.pop(slot, None)
        self.hands[seat] = dict.fromkeys(new_slots, union)

    def doubtful(self, seat: int, excluded: CardSet) -> list[Slot]:
        """The slots of `seat` that could still hold one of the excluded cards: a claim must be proved for these."""
        return [slot for slot, cards in self.hands[seat].items() if cards & excluded]

    def possible(self, seat: int, slots: list[Slot]) -> CardSet:
        """The cards that these slots can be between them."""
        union = NO_CARDS
        for slot in slots:
            union |= self.hands[seat][slot]
        return union

    def exclude(self, seat: int, excluded: CardSet) -> None:
        """It was proved that `seat` holds none of these cards."""
        hand = self.hands[seat]
        for slot, cards in hand.items():
            hand[slot] = cards & ~excluded

    def can_hold(self, seat: int) -> CardSet:
        """All cards that `seat` can still hold."""
        return self.possible(seat, list(self.hands[seat]))
