"""What the public can tell about hidden hands: for every face-down slot, the set of cards that it can still be.

A slot is a face-down card at the table, named by a number; only its owner knows its card. Everybody keeps these sets
alike, from what was shown and what was proved. A rule that they already imply needs no new proof, and a proof that is
needed gets smaller with them (design/deck step 6).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from engine.cards import FULL_PACK, NO_CARDS, Card, CardSet

Slot: TypeAlias = int


@dataclass(slots=True, eq=False)
class Knowledge:
    """`hands[seat]` maps the seat's slots, in order, to the cards each can be; `seen` is what everybody has seen.

    What a whole hand cannot hold any more is only noted (`_gone`), and taken out of its slots' sets when somebody looks
    at them: most cards are played without anybody looking.
    """

    _hands: list[dict[Slot, CardSet]]
    _gone: list[CardSet]  # by seat
    seen: CardSet = NO_CARDS
    shown: dict[Slot, Card] = field(default_factory=dict)  # slots that stay in a hand although their card was shown

    @classmethod
    def of(cls, seats: int) -> Knowledge:
        """Nothing dealt, nothing seen."""
        return cls([{} for _ in range(seats)], [NO_CARDS] * seats)

    def __eq__(self, other: object) -> bool:
        """Whether the same is known, worked out already or not."""
        if not isinstance(other, Knowledge):
            return NotImplemented
        return (self.hands, self.seen, self.shown) == (other.hands, other.seen, other.shown)

    __hash__ = None  # type: ignore[assignment]  # it changes

    @property
    def hands(self) -> list[dict[Slot, CardSet]]:
        """By seat, its slots in order with the cards each can be."""
        for seat in range(len(self._hands)):
            self._hand(seat)
        return self._hands

    def _hand(self, seat: int) -> dict[Slot, CardSet]:
        """The slots of one seat, with what is gone taken out. A card that was shown and kept is seen as well, but its
        own slot can still be it, and nothing else: a set never becomes empty."""
        hand, gone = self._hands[seat], self._gone[seat]
        if gone:
            for slot, cards in hand.items():
                hand[slot] = cards & ~gone or cards
            self._gone[seat] = NO_CARDS
        return hand

    def deal(self, seat: int, *slots: Slot) -> None:
        """Cards nobody has seen go face down to `seat`."""
        self._hand(seat).update(dict.fromkeys(slots, FULL_PACK & ~self.seen))

    def see(self, card: Card) -> None:
        """Everybody has seen `card`: no other slot can be it."""
        bit = 1 << card
        self.seen |= bit
        self._gone = [gone | bit for gone in self._gone]

    def show(self, seat: int, slot: Slot, card: Card) -> None:
        """`seat` shows the card in `slot` and keeps it."""
        self._hand(seat)[slot] = 1 << card
        self.shown[slot] = card
        self.see(card)

    def leave(self, seat: int, slot: Slot) -> CardSet:
        """`slot` leaves the hand (played, put aside, handed on); what was known of it is returned."""
        self.shown.pop(slot, None)
        cards = self._hands[seat].pop(slot)
        return cards & ~self._gone[seat] or cards

    def enter(self, seat: int, slot: Slot, cards: CardSet) -> None:
        """A card of which this much is known enters a hand under a new slot number."""
        self._hand(seat)[slot] = cards

    def fold(self) -> list[dict[Slot, CardSet]]:
        """All hands are put away unseen, because the rest was claimed; what was known of them is returned."""
        folded = self.hands
        self._hands, self._gone, self.shown = [{} for _ in folded], [NO_CARDS] * len(folded), {}
        return folded

    def mix(self, seat: int, new_slots: list[Slot]) -> None:
        """The seat's slots were mixed into `new_slots`: each may now be what any of them was."""
        union = NO_CARDS
        for slot, cards in self._hand(seat).items():
            union |= cards
            self.shown.pop(slot, None)
        self._hands[seat] = dict.fromkeys(new_slots, union)

    def doubtful(self, seat: int, excluded: CardSet) -> list[Slot]:
        """The slots of `seat` that could still hold one of the excluded cards: a claim must be proved for these."""
        return [slot for slot, cards in self._hand(seat).items() if cards & excluded]

    def possible(self, seat: int, slots: list[Slot]) -> CardSet:
        """The cards that these slots can be between them."""
        hand, union = self._hand(seat), NO_CARDS
        for slot in slots:
            union |= hand[slot]
        return union

    def exclude(self, seat: int, excluded: CardSet) -> None:
        """It was proved that `seat` holds none of these cards."""
        self._gone[seat] |= excluded

    def can_hold(self, seat: int) -> CardSet:
        """All cards that `seat` can still hold."""
        return self.possible(seat, list(self._hands[seat]))


def arranged(places: Sequence[CardSet], cards: Sequence[Card]) -> list[Card] | None:
    """A card for each place, one that it may hold, and no card twice; None when that cannot be.

    Places are filled one by one, and cards that lie are moved on where that makes room (Kuhn's augmenting paths). Among
    the ways there are, which one comes out depends on the order of `cards`.
    """
    place_of: dict[Card, int] = {}

    def fill(place: int, tried: set[Card]) -> bool:
        for card in cards:
            if places[place] >> card & 1 and card not in tried:
                tried.add(card)
                if card not in place_of or fill(place_of[card], tried):
                    place_of[card] = place
                    return True
        return False

    if not all(fill(place, set()) for place in range(len(places))):
        return None
    return sorted(place_of, key=place_of.__getitem__)
