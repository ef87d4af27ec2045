"""Games by name, for those who know the contract and no game: the protocol finds its game here."""

from __future__ import annotations

from engine.games import game as find_game

__all__ = ["find_game"]
