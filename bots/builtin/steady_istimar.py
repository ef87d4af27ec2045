"""Rules of thumb for Isti'mar: the longest suit with the best honours is trumps; the rest is `steady_kitty`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bots.builtin.steady_kitty import (
    Sight,
    best_discard,
    best_exchange,
    best_play,
    best_return,
    chosen,
    suit_strength,
)
from engine.actions import parse_action
from engine.cards import SUITS


def choose(view: Mapping[str, object], legal: Sequence[str]) -> str:
    """A sensible one of `legal` for the view of a seat that is asked."""
    if len(legal) == 1:
        return legal[0]
    sight = Sight.of(view)
    actions = [action for action in map(parse_action, legal) if action.verb != "claim"]  # it plays on
    match actions[-1].verb:
        case "trump":
            best = max(actions, key=lambda action: suit_strength(sight.hand, SUITS.index(action.word)))
        case "give":
            own_cards = chosen(view, "return_rule", "include_received") == "own_cards"
            best = best_exchange(sight, actions, own_cards)
        case "return":
            best = best_return(sight, actions)
        case "discard":
            best = best_discard(sight, actions, duck=False)
        case "play":
            best = best_play(sight, actions, duck=False)
        case _:
            best = actions[0]
    return str(best)
