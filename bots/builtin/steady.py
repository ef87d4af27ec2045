"""The bot of sound habits: for each game a module `steady_<game>` with one function,

    choose(view: Mapping[str, object], legal: Sequence[str]) -> str

that looks at the view of the moment only. It is also what a peer plays for somebody who is late.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec

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
    return chooser(str(view["game"]))(view, legal)


def chooser(game: str) -> Choose:
    """The rules of thumb of one game; for a game that has none yet, the first legal action."""
    module = f"bots.builtin.steady_{game}"
    if find_spec(module) is None:
        return lambda _, legal: legal[0]
    found: Choose = import_module(module).choose
    return found
