"""How long a table waits for its players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.game import Value
from protocol.rules import table_rules_untrusted

BANK_MOVES = 4
"""A bot may be late by as many moves' time in a whole game: a cold start, a collection of garbage, a laptop that wakes
up. A table with the usual five seconds is held up by twenty at most."""


@dataclass(frozen=True)
class Clocks:
    """How long players have, in seconds (0: no limit), and how long a silent seat is waited for."""

    turn: float = 60.0
    bot: float = 5.0
    away: float = 300.0

    @property
    def bank(self) -> float:
        """What a bot may use once a game beyond the time of its moves."""
        return BANK_MOVES * self.bot

    @classmethod
    def of(cls, rules: Mapping[str, Value]) -> Clocks:
        """The clocks that a table's own options (`protocol.rules`) ask for."""
        chosen = table_rules_untrusted(rules)
        turn, bot, away = (float(chosen[name]) for name in ("turn_seconds", "bot_seconds", "away_minutes"))
        return cls(turn, bot, 60.0 * away)
