"""What a view says, as the search needs it: cards as sets, and the deal so far.

A `Reading` is made of the view alone, so a bot that was restarted in the middle of a deal decides as one that was not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.cards import FULL_PACK, NO_CARDS, SUIT_CARDS, SUITS, CardSet, parse_card, parse_cards
from protocol.seat import cards_aside


@dataclass(frozen=True, slots=True)
class Reading:
    """A view, read.

    hand      the own cards
    counts    cards in each hand
    can_hold  what each seat can hold; the own entry is the hand
    plays     (seat, card as a set) of this deal, in order; 0 is a pass
    aside     what the seat put aside itself
    """

    raw: Mapping[str, Any]
    seat: int
    hand: CardSet
    counts: tuple[int, ...]
    can_hold: tuple[CardSet, ...]
    plays: tuple[tuple[int, CardSet], ...]
    aside: CardSet

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> Reading:
        """Read a view (`protocol.seat.build_view`)."""
        return cls(
            raw,
            int(raw["seat"]),
            cards_of(raw["hand"]),
            tuple(raw["counts"]),
            tuple(cards_of(cards) for cards in raw["can_hold"]),
            tuple(_plays(raw)),
            cards_aside(raw["history"], int(raw["seat"])),
        )

    @property
    def game(self) -> str:
        """The game's name."""
        return str(self.raw["game"])

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.counts)

    @property
    def options(self) -> Mapping[str, Any]:
        """The table's options."""
        options: Mapping[str, Any] = self.raw["options"]
        return options

    @property
    def trump(self) -> CardSet:
        """All cards of the trump suit, 0 without trumps or while they are not named."""
        return trump_cards(self.raw.get("trump"))

    @property
    def others(self) -> tuple[int, ...]:
        """The other seats in order of play."""
        return tuple((self.seat + step) % self.seats for step in range(1, self.seats))

    @property
    def played(self) -> tuple[CardSet, ...]:
        """What each seat has played."""
        played = [NO_CARDS] * self.seats
        for seat, bit in self.plays:
            played[seat] |= bit
        return tuple(played)

    @property
    def unseen(self) -> CardSet:
        """The cards that are neither ours nor played, nor put aside by us."""
        unseen = FULL_PACK & ~self.hand & ~self.aside
        for _, bit in self.plays:
            unseen &= ~bit
        return unseen


def cards_of(names: Sequence[str]) -> CardSet:
    """The set of some cards by name."""
    return parse_cards(" ".join(names))


def trump_cards(strain: object) -> CardSet:
    """All cards of a suit by its letter; 0 for no trumps, and for what is no suit."""
    if isinstance(strain, str) and len(strain) == 1 and strain in SUITS:
        return SUIT_CARDS[SUITS.index(strain)]
    return NO_CARDS


def _plays(raw: Mapping[str, Any]) -> list[tuple[int, CardSet]]:
    found = []
    for seat, words in raw["history"]:
        if words.startswith("play "):
            found.append((int(seat), 1 << parse_card(words[5:])))
        elif words == "pass" and raw.get("contract") == "trix":
            found.append((int(seat), NO_CARDS))
    return found
