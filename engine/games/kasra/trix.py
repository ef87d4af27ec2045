"""The rows of Trix: one a suit, from the jack up to the ace and down to the two (KAS-8).

What lies on the table is one set of cards; in each suit it is a run that holds the jack, or nothing.
"""

from __future__ import annotations

from engine.cards import JACK, NO_CARDS, SUIT_CARDS, SUIT_SIZE, CardSet, card


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


def rows(down: CardSet) -> list[list[int]]:
    """For each suit the ranks of its lowest and highest card on the table, or an empty list."""
    ends = []
    for suit, in_suit in enumerate(SUIT_CARDS):
        row = (down & in_suit) >> (SUIT_SIZE * suit)
        ends.append([(row & -row).bit_length() - 1, row.bit_length() - 1] if row else [])
    return ends
