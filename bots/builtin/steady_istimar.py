"""Rules of thumb for Isti'mar: the longest suit with the best honours is trumps; the rest is `steady_kitty`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bots.builtin.steady_kitty import Sight, best_action, suit_strength, unclaimed
from engine.cards import SUITS


def choose(view: Mapping[str, object], legal: Sequence[str]) -> str:
    """A sensible one of `legal` for the view of a seat that is asked."""
    if len(legal) == 1:
        return legal[0]
    sight, actions = Sight.of(view), unclaimed(legal)
    if actions[-1].verb == "trump":
        return str(max(actions, key=lambda action: suit_strength(sight.hand, SUITS.index(action.word))))
    return str(best_action(view, sight, actions))
