"""A page or a pane that is a list of rows: one is under the cursor, and arrows, one key, or a click do what it says.

The cursor stays with its row when others come and go above it, so that nobody does to one what he meant for another.
"""

from __future__ import annotations

import unicodedata
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from p2p.language import digits, t
from p2p.language.cards import left_to_right
from p2p.terminal.screen.canvas import Align, Canvas
from p2p.terminal.screen.panes import typed_text
from p2p.terminal.screen.theme import Look
from p2p.terminal.screen.ui import Hint, Page, Ui

PAGE = 10
"""Rows that page-up and page-down go."""

Do = Callable[[], None]


@dataclass(frozen=True)
class Row:
    """One line of a list. `id` tells it from the others, `key` (a digit) is a shortcut to it. What it can do has a
    function and the id of its hint: `enter`, `delete`, `turn` (left and right: -1 or 1). `write` takes what is typed on
    it: a text, or ``backspace``."""

    id: str
    text: str
    looks: tuple[Look, ...] = ()
    key: str = ""
    enter: tuple[str, Do] | None = None
    delete: tuple[str, Do] | None = None
    turn: Callable[[int], None] | None = None
    write: Callable[[str], None] | None = None


class RowsPage(Page):
    """Subclasses give the rows and draw what stands around them."""

    click_does = True
    """Whether the first click on a row already does what enter does."""

    def __init__(self, ui: Ui, on: str = "") -> None:
        super().__init__(ui)
        self.on = on
        self._at = 0
        self._top = 0

    @abstractmethod
    def rows(self) -> list[Row]:
        """The list as it is now, never empty."""

    @property
    def row(self) -> Row:
        """The row under the cursor."""
        return self._find(self.rows())

    def _find(self, rows: Sequence[Row]) -> Row:
        """Where the cursor is; if that row has gone, at the one that took its place."""
        self._at = next((at for at, row in enumerate(rows) if row.id == self.on), min(self._at, len(rows) - 1))
        self.on = rows[self._at].id
        return rows[self._at]

    # --- keys ---------------------------------------------------------------------------------------------------------

    def press(self, key: str) -> None:
        """Whatever the list, or the row under the cursor, does with a key; the rest is `other`'s."""
        rows = self.rows()
        row, last = self._find(rows), len(rows) - 1
        moves = {"up": self._at - 1, "down": self._at + 1, "home": 0, "end": last}
        pages = {"pageup": max(0, self._at - PAGE), "pagedown": min(last, self._at + PAGE)}
        if key in moves:
            self.on = rows[moves[key] % len(rows)].id
        elif key in pages:
            self.on = rows[pages[key]].id
        elif key.startswith("row:"):
            self._clicked(row, key.removeprefix("row:"))
        elif key in ("left", "right") and row.turn is not None:
            row.turn(self.step(key))
        elif row.write is not None and (len(key) == 1 or key.startswith("paste:") or key == "backspace"):
            row.write(key if key == "backspace" else typed_text(key))
        elif key in ("enter", " ") and row.enter is not None:
            row.enter[1]()
        elif key in ("delete", "backspace") and row.delete is not None:
            row.delete[1]()
        elif not self._shortcut(key, rows):
            self.other(key)

    def _clicked(self, row: Row, chosen: str) -> None:
        again, self.on = row.id == chosen, chosen
        now = self.row
        if now.id != chosen or not (again or self.click_does):
            return
        if now.enter is not None:
            now.enter[1]()
        elif now.turn is not None and again:
            now.turn(1)

    def _shortcut(self, key: str, rows: Sequence[Row]) -> bool:
        """A digit of any script."""
        digit = unicodedata.digit(key, None) if len(key) == 1 else None
        row = next((one for one in rows if one.key and digit is not None and one.key == str(digit)), None)
        if row is None or row.enter is None:
            return False
        self.on = row.id
        row.enter[1]()
        return True

    def other(self, key: str) -> None:
        """A key that the list has no use for."""

    def hints(self) -> list[Hint]:
        """What the row under the cursor can do."""
        row = self.row
        found = [] if row.enter is None else [Hint("Enter", t(row.enter[0]), "enter")]
        found += [] if row.turn is None else [Hint("←→", t("hint-change"), "right")]
        found += [] if row.delete is None else [Hint("Del", t(row.delete[0]), "delete")]
        return [*found, Hint("↑↓", t("hint-move"), "down")]

    # --- drawing ------------------------------------------------------------------------------------------------------

    def draw_rows(self, canvas: Canvas, y: int, most: int, x: int = 1, size: int = 0) -> int:
        """The rows that fit, the one under the cursor among them; which they are is said below if some do not. They are
        `size` cells long, or as the screen. Returns how many lines it took."""
        rows = self.rows()
        here, size = self._find(rows), size or canvas.columns - 2
        room = most if len(rows) <= most else most - 1
        self._top = max(0, min(self._top, self._at, len(rows) - room), self._at - room + 1)
        for line, row in enumerate(rows[self._top : self._top + room]):
            sign = canvas.pointer if row is here else " "
            looks = (*row.looks, Look.CHOSEN) if row is here else row.looks
            key = f"{digits(row.key)}  " if row.key else ""
            canvas.line(y + line, f"{sign} {key}{row.text}", *looks, x=x, size=size)
            canvas.target(x, y + line, size, f"row:{row.id}")
        if len(rows) <= most:
            return len(rows)
        told = digits(f"{self._top + 1}–{self._top + room}/{len(rows)}")
        canvas.line(y + room, left_to_right(told), Look.DIM, x=x, size=size, align=Align.END)
        return most


def numbered(rows: Sequence[Row]) -> list[Row]:
    """The rows with shortcuts."""
    return [replace(row, key=key) for row, key in zip(rows, keys_for(len(rows)), strict=True)]


def keys_for(count: int) -> list[str]:
    """Shortcuts for so many rows: 1 to 9, then 0, then none."""
    return [str(number % 10) if number <= 10 else "" for number in range(1, count + 1)]


def draw_told(canvas: Canvas, y: int, rows: int, text: str, look: Look) -> None:
    """A sentence on at most so many lines, from `y` on."""
    canvas.paragraph(1, y, canvas.columns - 2, text, look, most=rows)
