"""An easy opponent: bids and declares as people do, but often plays a card without thinking."""

from __future__ import annotations

from typing import Final

from bots.builtin.steady import choose
from bots.sdk import Bot, View

CARELESS: Final = 0.3
"""The part of its cards that it does not think about. With fewer it is as hard to beat as `steady` to a beginner; with
more it looks silly."""


class Careless(Bot):
    """Plays as `steady`, but for some cards, which are any legal ones."""

    name = "careless"

    def act(self, view: View) -> str:
        """Mostly what a sensible player would do."""
        plays = [action for action in view.legal if action.startswith("play ")]
        if plays and self.random.random() < CARELESS:
            return self.random.choice(plays)
        return choose(view.raw, view.legal)
