"""Plots of an arena as inline SVG: numbers in, text out. Colours are classes, which the page's style gives a meaning in
light and in dark; words are left to the page, so the same drawing serves every language."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from bots.arena.playing import shortened
from bots.arena.results import Row
from bots.arena.statistics import PER_DOUBLING, Times, seconds_of

WIDTH = 720
NAMES_WIDTH = 190
ROW = 30
MARGIN = 14
AXIS = 26
CURVES_HEIGHT = 240
NAME_LETTERS = 26
"""Letters of a bot's name beside a plot; the whole name is in the table."""

ROOM = 0.04
"""Part of an axis that stays free at either end, so that nothing is drawn on its edge."""

TICKS = 6
"""Marks of an axis, about."""


def means(rows: Sequence[Row]) -> str:
    """A dot for each bot's points a deal, and a line for its interval."""
    values = [0.0, *(value for row in rows for value in (row.points.low, row.points.mean, row.points.high))]
    across = Axis(*_ends(values), NAMES_WIDTH, WIDTH - MARGIN)
    height = MARGIN + ROW * len(rows) + AXIS
    bottom = height - AXIS
    parts = [_grid(across, bottom)]
    for number, row in enumerate(rows):
        y = MARGIN + ROW * number + ROW / 2
        low = across.at(row.points.low if math.isfinite(row.points.low) else row.points.mean)
        high = across.at(row.points.high if math.isfinite(row.points.high) else row.points.mean)
        parts.append(
            f'<text x="{NAMES_WIDTH - 10}" y="{y + 4:.1f}" class="name">{short(row.bot)}</text>'
            f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{y:.1f}" y2="{y:.1f}" class="line bot{number}"/>'
            f'<circle cx="{across.at(row.points.mean):.1f}" cy="{y:.1f}" r="5" class="dot bot{number}"/>'
        )
    return _drawing(height, parts)


def curves(rows: Sequence[Row], lines: Sequence[Sequence[tuple[int, float]]]) -> str:
    """Each bot's mean after so many boards: a curve that still climbs says that more boards are needed."""
    values = [value for line in lines for _, value in line]
    boards = max(board for line in lines for board, _ in line)
    across = Axis(0, boards, NAMES_WIDTH, WIDTH - MARGIN)
    bottom = CURVES_HEIGHT - AXIS
    upward = Axis(*_ends([*values, 0.0]), bottom, MARGIN)
    parts = [_grid(across, bottom, at_least=1)]
    for value in upward.ticks():
        y = upward.at(value)
        kind = "grid" if value else "grid zero"
        parts.append(
            f'<line x1="{NAMES_WIDTH}" x2="{WIDTH - MARGIN}" y1="{y:.1f}" y2="{y:.1f}" class="{kind}"/>'
            f'<text x="{NAMES_WIDTH - 10}" y="{y + 4:.1f}" class="name">{number(value)}</text>'
        )
    for bot, line in enumerate(lines):
        points = " ".join(f"{across.at(board):.1f},{upward.at(value):.1f}" for board, value in line)
        parts.append(
            f'<polyline points="{points}" class="curve bot{bot}"><title>{escape(rows[bot].bot)}</title></polyline>'
        )
    return _drawing(CURVES_HEIGHT, parts)


def times(rows: Sequence[Row]) -> str:
    """How long each bot's moves took: how many fell into each part of a logarithmic axis of seconds."""
    buckets = [bucket for row in rows for bucket in row.times.counts]
    first, last = min(buckets, default=0), max(buckets, default=PER_DOUBLING) + 1
    across = Axis(first, last, NAMES_WIDTH, WIDTH - MARGIN)
    rise = ROW * 1.6
    height = MARGIN + rise * len(rows) + AXIS
    bottom = height - AXIS
    parts = [_powers(across, bottom)]
    for number_of_bot, row in enumerate(rows):
        base = MARGIN + rise * (number_of_bot + 1)
        parts.append(f'<text x="{NAMES_WIDTH - 10}" y="{base - 6:.1f}" class="name">{short(row.bot)}</text>')
        parts += _bars(row.times, across, base, rise - 6, number_of_bot)
    return _drawing(height, parts)


def _bars(of: Times, across: Axis, base: float, rise: float, bot: int) -> list[str]:
    most = max(of.counts.values(), default=1)
    wide = across.at(1) - across.at(0)
    return [
        f'<rect x="{across.at(bucket):.1f}" y="{base - rise * count / most:.1f}" width="{wide:.1f}" '
        f'height="{rise * count / most:.1f}" class="dot bot{bot}"/>'
        for bucket, count in of.pairs()
    ]


class Axis:
    """Values from `low` to `high` on the line from pixel `start` to `end`."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        if low == high:
            low, high = low - 1, high + 1
        self.low, self.high, self.start, self.end = low, high, start, end

    def at(self, value: float) -> float:
        """Where a value lies."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self, at_least: float = 0.0) -> list[float]:
        """Round values between the ends: 1, 2 or 5 times a power of ten apart, and no closer than `at_least`."""
        rough = (self.high - self.low) / TICKS
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= max(rough, at_least))
        first = math.ceil(self.low / step)
        return [count * step for count in range(first, math.floor(self.high / step) + 1)]


def number(value: float) -> str:
    """A value beside an axis."""
    return f"{value:.4g}" if value else "0"


def short(name: str) -> str:
    """A bot's name beside a plot or in a table of many columns."""
    return escape(shortened(name, NAME_LETTERS))


def _ends(values: Sequence[float]) -> tuple[float, float]:
    """The ends of an axis for these values, with some room."""
    finite = list(filter(math.isfinite, values))
    room = ROOM * (max(finite) - min(finite))
    return min(finite) - room, max(finite) + room


def _grid(across: Axis, bottom: float, at_least: float = 0.0) -> str:
    ticks = across.ticks(at_least)
    return "".join(_mark(across.at(value), bottom, number(value), strong=value == 0) for value in ticks)


def _powers(across: Axis, bottom: float) -> str:
    """Marks at a microsecond, ten, a hundred…"""
    marks = []
    for power in range(-6, 4):
        bucket = PER_DOUBLING * math.log2(10.0**power / seconds_of(0))
        if across.low <= bucket <= across.high:
            told = f"{10.0 ** (power + 3):g} ms" if power < 0 else f"{10**power} s"
            marks.append(_mark(across.at(bucket), bottom, told, strong=False))
    return "".join(marks)


def _mark(x: float, bottom: float, told: str, strong: bool) -> str:
    kind = "grid zero" if strong else "grid"
    return (
        f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{MARGIN}" y2="{bottom:.1f}" class="{kind}"/>'
        f'<text x="{x:.1f}" y="{bottom + 17:.1f}" class="tick">{told}</text>'
    )


def _drawing(height: float, parts: Sequence[str]) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img">{"".join(parts)}</svg>'
