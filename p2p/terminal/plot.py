"""The totals over the deals as a picture made of characters: pure, numbers in and lines out.

Every player has a mark of his own, so no colour is needed; where several have the same total, one mark stands for
them. Time runs from left to right in every language.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

MARKS = "●■▲◆"
"""One a seat, each of one cell and of a shape of its own."""

LETTERS = "o#^x"
"""The same where an output has ASCII only."""

SEVERAL, SEVERAL_LETTERS = "✶", "*"
BETWEEN, BETWEEN_LETTERS = "·", "."

STEP = 8
"""Most columns between two deals: after three deals a line across the whole screen would say no more."""


def marks(letters: bool) -> str:
    """The mark of each seat."""
    return LETTERS if letters else MARKS


def several(letters: bool) -> str:
    """The mark of several seats at one place."""
    return SEVERAL_LETTERS if letters else SEVERAL


def plot(totals: Sequence[Sequence[int]], first: int, columns: int, rows: int, letters: bool = False) -> list[str]:
    """Lines of at most `columns` cells, at most `rows` of them: `totals` after each deal, by seat, from deal `first`
    on. Everybody begins at 0. Where there are more deals than columns, the last ones are shown."""
    margin = max(len(_signed(number)) for number in _reach(totals)) + 1
    shown = ((0,) * len(totals[0]), *totals)[-max(2, columns - margin - 1) :]
    low, high = _reach(shown)
    step = max(1, min(STEP, (columns - margin - 2) // (len(shown) - 1)))
    height = rows - 2  # the axis and its numbers

    def row_of(value: float) -> int:
        return round((high - value) * (height - 1) / max(1, high - low))

    grid = [[" "] * (step * (len(shown) - 1) + 1) for _ in range(height)]
    _draw_lines(grid, shown, step, row_of, letters)
    named = {row_of(number): _signed(number) for number in (high, low, 0)}
    edge, corner, across = ("|", "+", "-") if letters else ("┤", "└", "─")
    lines = [named.get(row, "").rjust(margin) + edge + "".join(cells).rstrip() for row, cells in enumerate(grid)]
    axis = " " * margin + corner + across * len(grid[0])
    last = first + len(totals)
    return [*lines, axis, _numbers(range(last - len(shown) + 1, last), step, margin + 1, columns)]


def _signed(number: int) -> str:
    return f"{number:+d}" if number else "0"


def _reach(totals: Sequence[Sequence[int]]) -> tuple[int, int]:
    values = [0, *(value for deal in totals for value in deal)]
    return min(values), max(values)


def _draw_lines(
    grid: list[list[str]], shown: Sequence[Sequence[int]], step: int, row_of: Callable[[float], int], letters: bool
) -> None:
    """Dots from deal to deal, and on top of them the marks."""
    for deal, (before, after) in enumerate(pairwise(shown)):
        for one, other in zip(before, after, strict=True):
            for column in range(1, step):
                row = row_of(one + (other - one) * column / step)
                grid[row][deal * step + column] = BETWEEN_LETTERS if letters else BETWEEN
    for deal, values in enumerate(shown):
        places: dict[int, list[int]] = {}
        for seat, value in enumerate(values):
            places.setdefault(row_of(value), []).append(seat)
        for row, seats in places.items():
            grid[row][deal * step] = marks(letters)[seats[0]] if len(seats) == 1 else several(letters)


def _numbers(deals: range, step: int, margin: int, columns: int) -> str:
    """The number of each deal below its column, as many as there is room for."""
    line = " " * (margin - 1)
    for place, deal in enumerate(deals, 1):
        at = margin + place * step
        if len(line) < at and at + len(str(deal)) <= columns:
            line = line.ljust(at) + str(deal)
    return line
