"""The rows of Trix: one a suit, from the jack up to the ace and down to the two (KAS-8).

What lies on the table is one set of cards; in each suit it is a run that holds the jack, or nothing.
"""

from __future__ import annotations

from functools import lru_cache

from engine.cards import JACK, NO_CARDS, SUIT_CARDS, SUIT_SIZE, CardSet, card
from engine.game import Claim, Duty


def playable(down: CardSet) -> CardSet:
    """The cards that fit now: the jack of a row not begun, else the direct neighbours of the row's two ends."""
    fits = NO_CARDS
    for suit, in_suit in enumerate(SUIT_CARDS):
        row = down & in_suit
        if row:
            fits |= (row << 1 | row >> 1) & in_suit & ~row
        else:
            fits |= 1 << card(JACK, suit)
    return fits


# A position is looked at when the choices are listed, when one is checked, and when it is not made.
TABLES = 4096  # positions whose claims are kept


@lru_cache(TABLES)
def laying(down: CardSet) -> tuple[Duty, ...]:
    """What playing a card claims (`engine.game.State.duties`): nothing, if it fits."""
    return (Duty(playable(down), NO_CARDS, "", ""),)


@lru_cache(TABLES)
def passing(down: CardSet) -> Claim:
    """What a pass claims: to hold no card that fits (KAS-8, B-KAS-13, D-6)."""
    return Claim(excludes=(playable(down),), rule="KAS-8", code="must-pass-only-with-none")


def rows(down: CardSet) -> list[list[int]]:
    """For each suit the ranks of its lowest and highest card on the table, or an empty list."""
    ends = []
    for suit, in_suit in enumerate(SUIT_CARDS):
        row = (down & in_suit) >> (SUIT_SIZE * suit)
        ends.append([(row & -row).bit_length() - 1, row.bit_length() - 1] if row else [])
    return ends
