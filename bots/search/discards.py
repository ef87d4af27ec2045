"""What a declarer puts aside, and what he makes trumps, in quick forms for play-outs."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from bots.search.policies import worst_card
from engine.cards import ACE, KING, NO_CARDS, SUIT_CARDS, CardSet, by_rank, cards_in, rank_of

KEEP: Final = (0.0,) * 8 + (0.5, 1.0, 2.0, 3.5, 6.0)
"""What a card of each rank, two to ace, weighs against giving its suit up; each card at all weighs `LENGTH`."""

LENGTH: Final = 0.6


def put_aside(hand: CardSet, number: int, trump: CardSet, duck: bool, gone: CardSet = NO_CARDS) -> CardSet:
    """The `number` cards of a hand that its owner misses least; `gone` are those that he has played since.

    When tricks are unwanted (`duck`) the dangerous ones. With trumps, side suits are given up one after the other, the
    poorest first, so that others can be ruffed: found to be worth 0.8 points a deal of Isti'mar more than putting the
    lowest cards aside. Without trumps the lowest.
    """
    aside = NO_CARDS
    if duck:
        for _ in range(number):
            aside |= worst_card(hand & ~aside)
        return aside
    if trump:
        suits = [(hand | gone) & suit for suit in SUIT_CARDS if suit != trump and hand & suit]
        for mine in sorted(suits, key=_weight):
            for card in cards_in(mine & ~gone):
                if number and _idle(card, mine):
                    aside |= 1 << card
                    number -= 1
    for card in by_rank(hand & ~aside)[:number]:
        aside |= 1 << card
    return aside


@lru_cache(1 << 16)  # asked of every world that is drawn, and suits come again
def _weight(mine: CardSet) -> float:
    return LENGTH * mine.bit_count() + sum(KEEP[rank_of(card)] for card in cards_in(mine))


def _idle(card: int, mine: CardSet) -> bool:
    """Not an ace, and no king that has company."""
    rank = rank_of(card)
    return rank < KING or (rank < ACE and not mine & (mine - 1))


def longest_suit(hand: CardSet) -> CardSet:
    """All cards of the suit that a hand holds most of, the higher one of equals."""
    return max(SUIT_CARDS, key=lambda suit: ((hand & suit).bit_count(), hand & suit))
