"""The bots that come with Majlis: `random` plays anything legal, `steady` plays every game by rules of thumb,
`careless` does so with mistakes, `quick` and `sharp` play every choice out in 20 or 100 worlds (`bots.search`), and
`ismcts` searches a tree. People choose by `LEVELS`."""

from __future__ import annotations

import random as chance
from collections.abc import Callable
from importlib import import_module

from bots.sdk import Bot

_WHERE = {
    "random": ("bots.builtin.random", "Random"),
    "careless": ("bots.builtin.careless", "Careless"),
    "steady": ("bots.builtin.steady", "Steady"),
    "quick": ("bots.search.player", "Quick"),
    "sharp": ("bots.search.player", "Sharp"),
    "ismcts": ("bots.search.player", "Ismcts"),
}
NAMES = tuple(_WHERE)

LEVELS = {"easy": "careless", "normal": "steady", "hard": "sharp"}
"""How strong an opponent is, in words for people, and the bot that is. `random` is none: it bids anything, which spoils
a game for everybody. How far they are apart: docs/bots.md."""

OFFERED = (*LEVELS, *NAMES)
"""Every word that names a built-in bot."""


def bot_named(word: str) -> str:
    """The bot that a level stands for; any other word is itself."""
    return LEVELS.get(word, word)


def turned(bot: str, step: int) -> str:
    """The bot so many levels on from another, round and round; a bot that is no level counts as `normal`."""
    bots = tuple(LEVELS.values())
    return bots[(bots.index(bot if bot in bots else bot_named("normal")) + step) % len(bots)]


def make(name: str, seed: int = 0) -> Bot:
    """A new bot of that name, seeded until a game's `hello` seeds it; `KeyError` when there is none (see `NAMES`)."""
    module, kind = _WHERE[name]
    maker: Callable[[], Bot] = getattr(import_module(module), kind)
    bot = maker()
    bot.random = chance.Random(seed)
    return bot
