"""The stand-in: what an abandoned hand, open on the table, plays. A rule, computed alike by everybody.

It takes the first legal action in the game's canonical order (choices from the most modest, cards from the lowest rank
up), except that trumps are the suit it holds most of. SPEC.md states the same rule for other implementations.
"""

from __future__ import annotations

from engine.actions import Action
from engine.cards import SUIT_CARDS, SUITS, Card, CardSet, count
from engine.game import State, legal


def standin(state: State, seat: int, hand: CardSet, received: Card | None = None) -> Action:
    """The action of the stand-in for `seat`, which must be asked to act."""
    actions = legal(state, seat, hand, received)
    if actions[0].verb in ("trump", "contract"):
        in_suits = [action for action in actions if action.word in SUITS] or actions
        return max(in_suits, key=lambda action: count(hand & SUIT_CARDS[SUITS.find(action.word)]))
    return actions[0]
