"""The games, each a module (or folder) that exports `GAME` and knows none of the others."""

from __future__ import annotations

from importlib import import_module

from engine.game import Game, Illegal

NAMES = ("estimation", "kasra", "istimar", "three_five_eight")
ALIASES = {"358": "three_five_eight"}


def game(name: str) -> Game:
    """The game of that name or alias; `Illegal` (code ``unknown-game``) when there is none."""
    name = ALIASES.get(name, name)
    if name not in NAMES:
        raise Illegal("F", "unknown-game", game=name)
    found: Game = import_module(f"engine.games.{name}").GAME
    return found
