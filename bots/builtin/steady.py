"""The bot of sound habits: for each game a module `steady_<game>` with one function,

    choose(view: Mapping[str, object], legal: Sequence[str]) -> str

that looks at the view of the moment only. It is also what a peer plays for somebody who is late.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module

from bots.sdk import Bot, View

Choose = Callable[[Mapping[str, object], Sequence[str]], str]


class Steady(Bot):
    """Plays every game by rules of thumb, always the same in the same situation."""

    name = "steady"

    def act(self, view: View) -> str:
        """What a sensible player would do."""
        return choose(view.raw, view.legal)


def choose(view: Mapping[str, object], legal: Sequence[str]) -> str:
    """A sensible legal action for this view."""
    rules_of_thumb: Choose = import_module(f"bots.builtin.steady_{view['game']}").choose
    return rules_of_thumb(view, legal)
