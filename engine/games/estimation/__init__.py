"""Estimation: four players, no partners, each must take exactly as many tricks as announced.

`rules` is the course of a deal and what each action claims, `scoring` the table of numbers, `options` what a table can
choose, `sheet` what game records need. Rule ids: EST-1 to EST-18, EST-S1 to EST-S14, B-EST-1 to B-EST-26.
"""

from engine.games.estimation.options import OPTIONS, PRESETS
from engine.games.estimation.rules import (
    DASH,
    FULL,
    GAME,
    NO_DASH,
    VOID_PLAY,
    VOID_REDEAL,
    State,
    bid,
    estimate,
)
from engine.games.estimation.scoring import Declared, Table, risk_level, score, table
from engine.games.estimation.sheet import begin_at, score_sheet, skip_hidden

__all__ = [
    "DASH",
    "FULL",
    "GAME",
    "NO_DASH",
    "OPTIONS",
    "PRESETS",
    "VOID_PLAY",
    "VOID_REDEAL",
    "Declared",
    "State",
    "Table",
    "begin_at",
    "bid",
    "estimate",
    "risk_level",
    "score",
    "score_sheet",
    "skip_hidden",
    "table",
]
