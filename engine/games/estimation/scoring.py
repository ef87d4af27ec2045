"""Scoring in Estimation: one table of numbers, and how a played deal reads it.

A player who takes exactly as many tricks as estimated scores the estimate, any other loses the difference (EST-S1). On
top comes exactly one row of the table: what the player was in this deal (EST-S2 to EST-S9), as (made, missed)::

    row            seed        made = plain 10, +10 for caller and With, +10 Risk or +20 Double Risk (B-EST-15)
    plain          +10    0
    caller         +20  -10
    With           +20  -20    the source's odd one: everywhere else With costs as much as the caller (B-EST-14)
    Risk           +20  -10
    Risk, With     +30  -20    a caller who is also the Risk (speed deals) counts as this row, and as the last one
    Double         +30  -20
    Double, With   +40  -30
    Dash Call      +23  -23    and +10 -10 more when the estimates total less than 13 (EST-S12)

Then the only one who made it gets more, and the only one who missed loses more (EST-S10, EST-S11). Options choose
other numbers in the same table; a preset is such a choice together with an auction (rules/conventions part F).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from engine.game import Options

SEATS = 4
TRICKS = 13
HIGH_CALL = 8  # from here on a call is "high" (B-EST-23)

Pair: TypeAlias = tuple[int, int]
"""Points when the estimate was (made, missed)."""
Breakdown: TypeAlias = tuple[tuple[str, int], ...]
"""(rule id, points), which add up to a seat's points before the multiplier."""


@dataclass(frozen=True, slots=True)
class Table:
    """The numbers of one way of scoring; the defaults are the seed's. Roles have a pair for each risk level 0 to 2."""

    plain: tuple[Pair, Pair, Pair] = ((10, 0), (20, -10), (30, -20))
    caller: tuple[Pair, Pair, Pair] = ((20, -10), (30, -20), (40, -30))
    with_caller: tuple[Pair, Pair, Pair] = ((20, -20), (30, -20), (40, -30))
    dash: Pair = (23, -23)
    dash_under: Pair = (10, -10)
    dash_tricks_count: bool = True  # a Dash Caller who misses also loses a point a trick (B-EST-17)
    zero_under: Pair = (0, 0)  # for a plain estimate of 0 when the total is under 13 (B-EST-9)
    sole: Pair = (10, -10)  # for the only one who made it, for the only one who missed
    high_calls: Mapping[int, int] = field(default_factory=dict)  # made: in place of the estimate and its row
    risk_from: int = 1  # how far the total must be from 13 (B-EST-12)
    double_risk_from: int = 4
    all_miss_doubles: bool = True
    withs_double: bool = False


_WITH_MISSES_TEN: tuple[Pair, Pair, Pair] = ((20, -10), (30, -20), (40, -30))
# dash, dash_under, dash_tricks_count of the option `dash_table`
_DASH: Mapping[str, tuple[Pair, Pair, bool]] = {
    "seed": ((23, -23), (10, -10), True),
    "flat": ((33, -25), (0, 0), False),
    "federation": ((13, 0), (10, -10), True),
}
_HIGH_CALLS: Mapping[str, Mapping[int, int]] = {
    "off": {},
    "square": {call: call * call for call in range(HIGH_CALL, TRICKS + 1)},
    # 41, 42, 43 for 8, 9, 10; recorded no further, and 11 should not be worth less than 10
    "federation": {call: 33 + call for call in range(HIGH_CALL, TRICKS + 1)},
}


def table(options: Options) -> Table:
    """The table that a game's options choose."""
    more = int(options["base_bonus"]) - 10

    def raised(rows: tuple[Pair, Pair, Pair]) -> tuple[Pair, Pair, Pair]:
        a, b, c = ((made + more, missed) for made, missed in rows)
        return a, b, c

    dash, dash_under, dash_tricks_count = _DASH[str(options["dash_table"])]
    zero = int(options["plain_zero_under_bonus"])
    return Table(
        plain=raised(Table().plain),
        caller=raised(Table().caller),
        with_caller=raised(_WITH_MISSES_TEN if options["with_miss"] == 10 else Table().with_caller),
        dash=dash,
        dash_under=dash_under,
        dash_tricks_count=dash_tricks_count,
        zero_under=(zero, -zero),
        high_calls=_HIGH_CALLS[str(options["high_call"])],
        risk_from=int(options["risk_from"]),
        double_risk_from=int(options["double_risk_from"]),
        all_miss_doubles=options["all_miss"] == "double_next",
        withs_double=options["multi_with_double"] == "yes",
    )


@dataclass(frozen=True, slots=True)
class Declared:
    """What the seats promised: estimates (the caller's is the bid, a Dash Caller's 0), who is who. -1: nobody."""

    estimates: tuple[int, ...]
    caller: int
    dashes: frozenset[int]
    last: int  # the last seat that really estimated (B-EST-13)

    @property
    def total(self) -> int:
        return sum(self.estimates)

    @property
    def withs(self) -> tuple[int, ...]:
        """The seats that estimated as much as the caller. They never take the call over (trap E-3)."""
        high = self.estimates[self.caller]
        return tuple(
            seat
            for seat in range(SEATS)
            if seat != self.caller and seat not in self.dashes and self.estimates[seat] == high
        )


def risk_level(numbers: Table, declared: Declared) -> int:
    """0, 1 for Risk, 2 for Double Risk: what the last estimator carries, given how far the total is from 13."""
    distance = abs(declared.total - TRICKS)
    if distance >= numbers.double_risk_from:
        return 2
    return 1 if distance >= numbers.risk_from else 0


def factor(numbers: Table, declared: Declared) -> int:
    """What this deal's score is multiplied by because of two or more Withs (option `multi_with_double`)."""
    return 2 if numbers.withs_double and len(declared.withs) >= 2 else 1


def score(numbers: Table, declared: Declared, tricks: tuple[int, ...]) -> tuple[Breakdown, ...]:
    """Every seat's points before any multiplier, rule by rule. Nobody made it: EST-S13, nothing for anybody."""
    made = [tricks[seat] == declared.estimates[seat] for seat in range(SEATS)]
    if not any(made) and numbers.all_miss_doubles:
        return ((("EST-S13", 0),),) * SEATS
    return tuple(_seat_score(numbers, declared, tricks, made, seat) for seat in range(SEATS))


def _seat_score(numbers: Table, declared: Declared, tricks: tuple[int, ...], made: list[bool], seat: int) -> Breakdown:
    estimate = declared.estimates[seat]
    column = 0 if made[seat] else 1
    basic = estimate if made[seat] else -abs(estimate - tricks[seat])
    under = declared.total < TRICKS
    parts: list[tuple[str, int]]
    if seat in declared.dashes:
        parts = [("EST-S1", basic if numbers.dash_tricks_count else 0), ("EST-S3", numbers.dash[column])]
        if under:
            parts.append(("EST-S12", numbers.dash_under[column]))
    else:
        level = risk_level(numbers, declared) if seat == declared.last else 0
        rule, rows = _row(numbers, declared, seat, level)
        if made[seat] and estimate in numbers.high_calls:
            extra = rows[level][0] - rows[0][0]
            parts = [("B-EST-23", numbers.high_calls[estimate]), ("EST-S7" if level == 2 else "EST-S5", extra)]
        else:
            parts = [("EST-S1", basic), (rule, rows[level][column])]
        if estimate == 0 and under:
            parts.append(("B-EST-9", numbers.zero_under[column]))
    if made[seat] and sum(made) == 1:
        parts.append(("EST-S10", numbers.sole[0]))
    if not made[seat] and sum(made) == SEATS - 1:
        parts.append(("EST-S11", numbers.sole[1]))
    return tuple(part for part in parts if part[1])


def _row(numbers: Table, declared: Declared, seat: int, level: int) -> tuple[str, tuple[Pair, Pair, Pair]]:
    """The rule that a seat is scored by, and its numbers for each risk level."""
    if seat == declared.caller:
        return ("EST-S2", "B-EST-15", "B-EST-15")[level], numbers.caller
    if seat in declared.withs:
        return ("EST-S4", "EST-S6", "EST-S8")[level], numbers.with_caller
    return ("EST-S9", "EST-S5", "EST-S7")[level], numbers.plain
