"""A game that ends the process that plays it, for tests of worker processes (which are told a function by its name)."""

from __future__ import annotations

import os

from bots.arena.boards import Job, Plan
from bots.arena.playing import Game


def play(plan: Plan, job: Job, errors: str) -> Game:
    """Never comes back."""
    os._exit(3)
