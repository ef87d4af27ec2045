"""The score sheet: a row a deal, a column a seat, below it the points of one deal by rule; or a plot of the totals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.game import Result
from p2p.language import digits, t
from p2p.language.cards import figures
from p2p.terminal import lookups, plot, words
from p2p.terminal.screen.canvas import Align, Canvas
from p2p.terminal.screen.panes import Line, TablePane, folded
from p2p.terminal.screen.theme import Look
from p2p.terminal.screen.ui import Hint, draw_range, pane_frame

if TYPE_CHECKING:
    from p2p.terminal.screen.table_page import TablePage

Region = tuple[int, int, int, int]

NUMBERS = 6
"""Columns for the number of the deal."""

BREAKDOWN = 8
"""Rows for the points of a deal by rule: a heading, and no game has more than seven rules that score at once."""


class ScorePane(TablePane):
    """Arrow keys go through deals and seats."""

    title = "pane-score"

    def __init__(self, page: TablePage) -> None:
        super().__init__(page)
        self.plotting = False
        self.deal = len(self._results) - 1
        self.seat = max(0, page.scene.seat) if page.scene is not None else 0
        self._first = 0

    @property
    def _results(self) -> Sequence[Result]:
        return () if self.page.scene is None else self.page.scene.results

    def lines(self, size: int, now: float) -> list[Line]:
        """Drawn otherwise."""
        return []

    def draw(self, canvas: Canvas, now: float) -> None:
        """Sheet or plot."""
        inner = pane_frame(canvas, t(self.title))
        if not self._results:
            canvas.put(inner[0], inner[1], t("score-none"), Look.DIM, size=inner[2])
            return
        self.deal = min(max(self.deal, 0), len(self._results) - 1)
        if self.plotting:
            self._draw_plot(canvas, inner)
        else:
            self._draw_sheet(canvas, inner)

    def press(self, key: str) -> None:
        """Up and down are deals, left and right seats, Tab the other view."""
        seats = 1 if self.page.scene is None else self.page.scene.seats
        on = -1 if self.ui.manner.right_to_left else 1
        match key:
            case "tab" | "backtab" | " ":
                self.plotting = not self.plotting
            case "up" | "down":
                self.deal += 1 if key == "down" else -1
            case "pageup" | "pagedown":
                self.deal += 5 if key == "pagedown" else -5
            case "home" | "end":
                self.deal = 0 if key == "home" else len(self._results) - 1
            case "left" | "right":
                self.seat = (self.seat + (on if key == "right" else -on)) % seats
            case _ if key.startswith("cell:"):
                self.deal, self.seat = (int(part) for part in key.split(":")[1:])
            case _:
                self.ui.close()
        self.deal = min(max(self.deal, 0), max(0, len(self._results) - 1))

    def hints(self) -> list[Hint]:
        """How to go on."""
        close, *_ = super().hints()
        if not self._results:
            return [close]
        if self.plotting:
            return [close, Hint("Tab", t("hint-sheet"), "tab")]
        arrows = [Hint("↑↓", t("hint-deals"), "down"), Hint("←→", t("hint-players"), "right")]
        return [close, Hint("Tab", t("hint-plot"), "tab"), *arrows]

    # --- the sheet ----------------------------------------------------------------------------------------------------

    def _draw_sheet(self, canvas: Canvas, region: Region) -> None:
        x, y, columns, rows = region
        scene = self.page.scene
        assert scene is not None
        room = rows - BREAKDOWN - 3  # heading, totals, a blank row
        self._first = max(min(self._first, self.deal, len(self._results) - room), self.deal - room + 1, 0)
        shown = self._results[self._first : self._first + room]
        for seat in range(scene.seats):
            self._draw_cell(canvas, region, y, seat, words.player(seat, scene.names), Look.PROMPT)
        for row, result in enumerate(shown, 1):
            self._draw_number(canvas, region, y + row, digits(result.deal))
            for seat, points in enumerate(result.points):
                here = (self._first + row - 1, seat) == (self.deal, self.seat)
                self._draw_cell(canvas, region, y + row, seat, words.signed(points), *((Look.CHOSEN,) if here else ()))
                at, size = self._column(canvas, region, seat)
                canvas.target(at, y + row, size, f"cell:{self._first + row - 1}:{seat}")
        totals = y + 1 + len(shown)
        self._draw_number(canvas, region, totals, "=")
        for seat, points in enumerate(self._results[-1].totals):
            self._draw_cell(canvas, region, totals, seat, words.signed(points), Look.WINNER)
        draw_range(canvas, region, self._first, len(shown), len(self._results))
        self._draw_rules(canvas, (x, totals + 2, columns, rows - (totals + 2 - y)))

    def _column(self, canvas: Canvas, region: Region, seat: int) -> tuple[int, int]:
        """Where a seat's column begins and how wide it is, without the gap behind it; from the right in Arabic."""
        x, _, columns, _ = region
        assert self.page.scene is not None
        size = (columns - NUMBERS) // self.page.scene.seats
        place = x + NUMBERS + seat * size
        return (2 * x + columns - place - size + 1 if canvas.right_to_left else place), size - 1

    def _draw_cell(self, canvas: Canvas, region: Region, y: int, seat: int, text: str, *looks: Look) -> None:
        at, size = self._column(canvas, region, seat)
        canvas.put(at, y, text, *looks, size=size, align=Align.END)

    def _draw_number(self, canvas: Canvas, region: Region, y: int, text: str) -> None:
        x, _, columns, _ = region
        canvas.put(x + columns - NUMBERS if canvas.right_to_left else x, y, text, Look.DIM, size=NUMBERS)

    def _draw_rules(self, canvas: Canvas, region: Region) -> None:
        """The points of the chosen seat in the chosen deal."""
        x, y, columns, rows = region
        result, names = self._results[self.deal], self.page.scene.names if self.page.scene else []
        head = t(
            "score-cell",
            deal=result.deal,
            player=words.player(self.seat, names),
            points=words.signed(result.points[self.seat]),
        )
        times = t("points-times", multiplier=result.multiplier) if result.multiplier > 1 else ""
        canvas.put(x, y, f"{head} {times}".rstrip(), Look.TITLE, size=columns)
        by_rule = lookups.points_by_rule(result, self.seat)
        told = [f"{words.signed(points)}  {rule}" for rule, points in by_rule.items()] or [t("score-nothing")]
        told += [why for reason in result.redeals if (why := words.why_redealt(reason, names))]
        lines = [part for text in told for part in folded(text, columns - 2)]
        for row, text in enumerate(lines[: rows - 1], 1):
            canvas.put(x if canvas.right_to_left else x + 2, y + row, text, size=columns - 2)

    # --- the plot -----------------------------------------------------------------------------------------------------

    def _draw_plot(self, canvas: Canvas, region: Region) -> None:
        x, y, columns, rows = region
        scene, letters = self.page.scene, canvas.manner.letters
        assert scene is not None
        legend = folded(lookups.plot_legend(self._results[-1].totals, scene.names, letters), columns)
        totals = [result.totals for result in self._results]
        drawn = plot.plot(totals, self._results[0].deal, columns, rows - len(legend) - 1, letters)
        for row, line in enumerate(drawn):
            canvas.put_ltr(x, y + row, figures(line))
        for row, text in enumerate(legend):
            canvas.put(x, y + rows - len(legend) + row, text, size=columns)
