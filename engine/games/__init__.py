"""The games, each a module (or folder) that exports `GAME` and knows none of the others."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

from engine.game import Game, Illegal

if TYPE_CHECKING:
    from engine.game import Sheet

NAMES = ("estimation", "kasra", "istimar", "three_five_eight")
ALIASES = {"358": "three_five_eight", "3-5-8": "three_five_eight"}


def game(name: str) -> Game:
    """The game of that name or alias; `Illegal` (code ``unknown-game``) when there is none."""
    name = ALIASES.get(name, name)
    if name not in NAMES:
        raise Illegal("F", "unknown-game", game=name)
    found: Game = import_module(f"engine.games.{name}").GAME
    return found


def sheet(name: str) -> Sheet:
    """The functions of that game for records that begin in the middle and for score sheets."""
    return cast("Sheet", import_module(f"engine.games.{game(name).name}"))
