"""Rules of thumb for 3-5-8: declare what the first six cards suit better than six others would; the rest is
`steady_kitty`.

Every contract must be declared once, so what counts is not which one brings most but which one gains most by these
cards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bots.builtin.steady_kitty import Sight, best_action, honours, unclaimed
from engine.cards import SUIT_CARDS, SUITS, CardSet, cards_in, count

# What each of these adds to the declarer's points, found by playing 4,000 deals in which the contract was random; and
# what six average cards have.
LENGTH, AVERAGE_LENGTH = 0.71, 1.5
TRUMP_HONOURS, AVERAGE_TRUMP_HONOURS = 0.41, 0.3
SIDE_HONOURS, AVERAGE_SIDE_HONOURS = 0.57, 0.92
NO_TRUMP_HONOURS, AVERAGE_HONOURS = 0.99, 1.22
HEIGHT, AVERAGE_HEIGHT = -0.1, 36.0  # the sum of the ranks, two being 0 and ace 12


def choose(view: Mapping[str, object], legal: Sequence[str]) -> str:
    """A sensible one of `legal` for the view of a seat that is asked."""
    if len(legal) == 1:
        return legal[0]
    sight, actions = Sight.of(view), unclaimed(legal)
    if actions[-1].verb == "contract":
        return str(max(actions, key=lambda action: promise(sight.hand, action.word)))
    return str(best_action(view, sight, actions, duck=view["contract"] == "none"))


def promise(six: CardSet, contract: str) -> float:
    """How many points more than with six average cards the declarer may hope for."""
    if contract == "none":
        return HEIGHT * (sum(card % 13 for card in cards_in(six)) - AVERAGE_HEIGHT)
    if contract == "NT":
        return NO_TRUMP_HONOURS * (honours(six) - AVERAGE_HONOURS)
    trumps = six & SUIT_CARDS[SUITS.index(contract)]
    return (
        LENGTH * (count(trumps) - AVERAGE_LENGTH)
        + TRUMP_HONOURS * (honours(trumps) - AVERAGE_TRUMP_HONOURS)
        + SIDE_HONOURS * (honours(six & ~trumps) - AVERAGE_SIDE_HONOURS)
    )
