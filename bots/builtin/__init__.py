"""The bots that come with Majlis: `random` plays anything legal, `steady` plays every game by rules of thumb, `quick`
and `sharp` play every choice out in 20 or 100 worlds (`bots.search`), and `ismcts` searches a tree."""

from __future__ import annotations

import random as chance
from collections.abc import Callable
from importlib import import_module

from bots.sdk import Bot

_WHERE = {
    "random": ("bots.builtin.random", "Random"),
    "steady": ("bots.builtin.steady", "Steady"),
    "quick": ("bots.search.player", "Quick"),
    "sharp": ("bots.search.player", "Sharp"),
    "ismcts": ("bots.search.player", "Ismcts"),
}
NAMES = tuple(_WHERE)


def make(name: str, seed: int = 0) -> Bot:
    """A new bot of that name, seeded until a game's `hello` seeds it; `KeyError` when there is none (see `NAMES`)."""
    module, kind = _WHERE[name]
    maker: Callable[[], Bot] = getattr(import_module(module), kind)
    bot = maker()
    bot.random = chance.Random(seed)
    return bot
