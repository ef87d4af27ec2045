"""The options of a table itself, whatever is played: clocks and manners (conventions, part F). Default first."""

from __future__ import annotations

from collections.abc import Mapping

from engine.game import Option, Value
from protocol.errors import Malformed

TABLE_OPTIONS: tuple[Option, ...] = (
    Option("turn_seconds", (60, *(second for second in range(601) if second != 60)), "F"),
    Option("bot_seconds", (5, *(second for second in range(1, 121) if second != 5)), "F"),
    Option("away_minutes", (5, *(minute for minute in range(121) if minute != 5)), "F"),
    Option("hints", ("allow", "forbid"), "F"),
)
_BY_NAME = {option.name: option for option in TABLE_OPTIONS}


def table_rules_untrusted(given: Mapping[str, Value]) -> dict[str, Value]:
    """All options of a table, from those that differ from the defaults. `Malformed` for one that is unknown here."""
    rules = {option.name: option.values[0] for option in TABLE_OPTIONS}
    for name, value in given.items():
        if name not in _BY_NAME or value not in _BY_NAME[name].values:
            raise Malformed("bad-table-option", {"option": name, "value": value})
        rules[name] = value
    return rules


def hints_allowed(chosen: Mapping[str, Value]) -> bool:
    """Whether players may be told what a bot would do, by the options of a table that were chosen."""
    return chosen.get("hints") != "forbid"
