"""What a declarer puts aside, in a quick form for play-outs."""

from __future__ import annotations

from bots.search.policies import worst_card
from engine.cards import NO_CARDS, SUIT_CARDS, CardSet, cards_in, rank_of


def put_aside(hand: CardSet, number: int, trump: CardSet, duck: bool) -> CardSet:
    """The `number` cards of a hand that its owner misses least: the dangerous ones when tricks are unwanted (`duck`),
    otherwise low cards of short side suits."""
    aside = NO_CARDS
    if duck:
        for _ in range(number):
            aside |= worst_card(hand & ~aside)
        return aside
    prices = []
    for suit in SUIT_CARDS:
        mine = hand & suit
        if mine:
            length = mine.bit_count()
            extra = 20.0 if suit == trump else LENGTH_PRICE * length if trump else -LENGTH_PRICE * length
            prices += [(rank_of(card) + extra, card) for card in cards_in(mine)]
    prices.sort()
    for _, card in prices[:number]:
        aside |= 1 << card
    return aside


LENGTH_PRICE = 1.0
"""How many ranks a card more in its suit is worth keeping a card for: with trumps short suits go, so that others can be
ruffed; without, long ones win tricks in the end."""
