"""How long a table waits for its players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.game import Value
from protocol.rules import table_rules_untrusted


@dataclass(frozen=True)
class Clocks:
    """How long players have, in seconds (0: no limit), and how long a silent seat is waited for."""

    turn: float = 60.0
    bot: float = 5.0
    away: float = 300.0

    @classmethod
    def of(cls, rules: Mapping[str, Value]) -> Clocks:
        """The clocks that a table's own options (`protocol.rules`) ask for."""
        chosen = table_rules_untrusted(rules)
        turn, bot, away = (float(chosen[name]) for name in ("turn_seconds", "bot_seconds", "away_minutes"))
        return cls(turn, bot, 60.0 * away)
