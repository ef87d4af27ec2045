"""The options of Estimation and its presets (rules/conventions part F)."""

from __future__ import annotations

from collections.abc import Mapping

from engine.game import Option, Options, Value

OPTIONS: tuple[Option, ...] = (
    Option("normal_deals", (13, *range(1, 13)), "EST-1"),
    Option("speed_deals", (5, *range(5)), "EST-14"),
    Option("auction", ("single", "until_pass"), "B-EST-6"),
    Option("dash_timing", ("in_turn", "before_bidding"), "B-EST-8"),
    Option("max_dash", (2, 1), "B-EST-8"),
    Option("all_pass", ("redeal_next", "redeal_same"), "B-EST-7"),
    Option("void_rule", ("declarer_decides", "off"), "B-EST-10"),
    Option("risk_from", (1, 2), "B-EST-12"),
    Option("double_risk_from", (4,), "B-EST-12"),
    Option("with_miss", (20, 10), "B-EST-14"),
    Option("base_bonus", (10, 13), "B-EST-23"),
    # `federation` here and below is meant for the preset of that name
    Option("dash_table", ("seed", "flat", "federation"), "B-EST-17"),
    Option("high_call", ("off", "square", "federation"), "B-EST-23"),
    Option("plain_zero_under_bonus", (0, 10), "B-EST-9"),
    Option("all_miss", ("double_next", "keep"), "EST-S13"),
    Option("multi_with_double", ("no", "yes"), "B-EST-23"),
)

_EGYPTIAN: dict[str, Value] = {
    "auction": "until_pass",
    "dash_timing": "before_bidding",
    "risk_from": 2,
    "with_miss": 10,
    "dash_table": "flat",
    "high_call": "square",
}
# As one scorekeeping project records it: 13 + n, caller and With 23 + n; missed the difference, caller and With 10
# more; Dash Call 23 / -10 and the difference under, 13 / the difference over; Risk and Double Risk on top.
_FEDERATION: dict[str, Value] = {
    "auction": "until_pass",
    "dash_timing": "before_bidding",
    "all_pass": "redeal_same",
    "risk_from": 2,
    "with_miss": 10,
    "base_bonus": 13,
    "dash_table": "federation",
    "high_call": "federation",
    "all_miss": "keep",
}
PRESETS: Mapping[str, Options] = {"seed": {}, "egyptian": _EGYPTIAN, "federation_2026": _FEDERATION}
