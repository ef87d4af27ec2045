"""A sheet of terminal cells to draw on, and what it takes to put it on a terminal or into a text file.

Texts are given in logical order; the canvas shapes and orders them for the terminal (`bidi`), counts cells, clips at
the edges, and colours the suits of all cards in them. Columns are counted from the left in every language; `start`
means the side where a line of the language begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.utils import get_cwidth

from p2p.language import current
from p2p.language.cards import SUIT_SYMBOLS
from p2p.terminal.console import wrapped
from p2p.terminal.screen.bidi import Align, Bidi, drawn_line, field, paragraph, width
from p2p.terminal.screen.theme import SUIT_LOOKS, Look, style, suits_shown

_CARD = re.compile(r"(?:10|[2-9JQKA٢-٩]|١٠)?([♠♥♦♣])")
_SUIT_OF = {symbol: suit for suit, symbol in SUIT_SYMBOLS.items()}

_BARE = str.maketrans(dict(zip("·—–−×…←→↑↓", "----x.<>^v", strict=True)))
"""What a terminal without Unicode gets instead, cell for cell; suits and frames are letters and signs there already."""


@dataclass(frozen=True)
class Manner:
    """How a person's terminal is drawn on: the same for every canvas until the settings change."""

    bidi: Bidi = Bidi.VISUAL
    letters: bool = False
    """Suits as letters."""

    bare: bool = False
    """Nothing but what every encoding carries: neither marks nor signs of Unicode."""

    @property
    def right_to_left(self) -> bool:
        """Whether lines begin at the right."""
        return current().right_to_left


@dataclass(frozen=True)
class Target:
    """Cells that can be clicked, and the key that a click there stands for."""

    x: int
    y: int
    width: int
    height: int
    key: str


class Canvas:
    """Cells of one screen. Cell (0, 0) is the upper left one; what lies outside is not drawn."""

    def __init__(self, columns: int, rows: int, manner: Manner | None = None) -> None:
        self.columns = columns
        self.rows = rows
        self.manner = manner or Manner()
        self.targets: list[Target] = []
        self._cells: list[list[str]] = [[" "] * columns for _ in range(rows)]
        self._styles: list[list[str]] = [[""] * columns for _ in range(rows)]

    @property
    def right_to_left(self) -> bool:
        """Whether lines begin at the right."""
        return self.manner.right_to_left

    @property
    def pointer(self) -> str:
        """The sign before the line that the cursor is on: it points at what follows."""
        if self.manner.letters:
            return ">"
        return "◂" if self.right_to_left else "▸"

    def measure(self, text: str) -> int:
        """Cells that a text takes."""
        return width(suits_shown(text, self.manner.letters), self.manner.bidi)

    # --- drawing ------------------------------------------------------------------------------------------------------

    def put(self, x: int, y: int, text: str, *looks: Look, size: int = 0, align: Align = Align.START) -> int:
        """Draw a text at a cell, in a field of `size` cells (or as long as it is). Returns the column behind it."""
        shown = suits_shown(text, self.manner.letters)
        size = size or width(shown, self.manner.bidi)
        drawn = field(shown, size, align, self.manner.bidi, self.right_to_left)
        self._draw(x, y, drawn, style(*looks))
        return x + size

    def put_ltr(
        self, x: int, y: int, text: str, *looks: Look, size: int = 0, align: Align = Align.START
    ) -> int:
        """As `put`, for cards, figures and frames, which run from left to right in every language; here the start is
        the left."""
        shown = suits_shown(text, self.manner.letters)
        size = size or width(shown, self.manner.bidi)
        self._draw(x, y, field(shown, size, align, self.manner.bidi, False), style(*looks))
        return x + size

    def line(self, y: int, text: str, *looks: Look, x: int = 0, size: int = 0, align: Align = Align.START) -> None:
        """Draw a text on a line, from the side where the language begins."""
        size = size or self.columns - x
        self.put(x, y, text, *looks, size=size, align=align)

    def paragraph(self, x: int, y: int, size: int, text: str, *looks: Look, most: int = 99) -> int:
        """Draw a text folded at spaces; at most so many lines. Returns how many there are."""
        shown = suits_shown(text, self.manner.letters)
        lines = paragraph(shown, size, self.manner.bidi, self.right_to_left)[:most]
        for row, drawn in enumerate(lines):
            self._draw(x, y + row, drawn, style(*looks))
        return len(lines)

    def folded(self, text: str, size: int) -> list[str]:
        """A text folded at spaces, in logical order: what `put` draws line by line."""
        return wrapped(suits_shown(text, self.manner.letters), max(size, 1)).split("\n")

    def fill(self, x: int, y: int, columns: int, rows: int, *looks: Look, text: str = " ") -> None:
        """Fill a rectangle with a character of one cell."""
        for row in range(y, y + rows):
            self._draw(x, row, text * columns, style(*looks))

    def box(self, x: int, y: int, columns: int, rows: int, title: str = "", *looks: Look) -> None:
        """Draw an empty frame with a title in its upper edge."""
        self.fill(x, y, columns, rows)
        plain = self.manner.letters
        across, down = ("-", "|") if plain else ("─", "│")
        corners = "++++" if plain else "╭╮╰╯"
        for row, left, right in ((y, *corners[:2]), (y + rows - 1, *corners[2:])):
            self._draw(x, row, left + across * (columns - 2) + right, style(Look.BORDER))
        for row in range(y + 1, y + rows - 1):
            self._draw(x, row, down, style(Look.BORDER))
            self._draw(x + columns - 1, row, down, style(Look.BORDER))
        if title:
            size = min(self.measure(title) + 2, columns - 4)
            at = x + columns - 2 - size if self.right_to_left else x + 2
            self.put(at, y, f" {title} ", *(looks or (Look.PROMPT,)), size=size)

    def paint(self, x: int, y: int, columns: int, rows: int, *looks: Look) -> None:
        """Give what is drawn already another look as well."""
        added = style(*looks)
        for row in range(max(y, 0), min(y + rows, self.rows)):
            for column in range(max(x, 0), min(x + columns, self.columns)):
                self._styles[row][column] = f"{self._styles[row][column]} {added}".strip()

    def target(self, x: int, y: int, columns: int, key: str, rows: int = 1) -> None:
        """A click on these cells is this key."""
        self.targets.append(Target(x, y, columns, rows, key))

    def hit(self, x: int, y: int) -> str:
        """The key that a click stands for, or nothing; what was drawn last lies on top."""
        for one in reversed(self.targets):
            if one.x <= x < one.x + one.width and one.y <= y < one.y + one.height:
                return one.key
        return ""

    def _draw(self, x: int, y: int, text: str, look: str) -> None:
        """Put text as it is sent into cells; what takes no cell of its own stays with its neighbour."""
        if not 0 <= y < self.rows:
            return
        cells, styles, suits = self._cells[y], self._styles[y], _suit_looks(text)
        waiting, at = "", x
        for index, letter in enumerate(text):
            wide = get_cwidth(letter)
            if wide == 0:
                if x < at <= self.columns:
                    cells[at - 1] += letter
                elif at == x:
                    waiting += letter
                continue
            if at >= 0 and at + wide <= self.columns:
                cells[at], waiting = waiting + letter, ""
                styles[at] = f"{suits.get(index, '')} {look}".strip() if index in suits else look
                for behind in range(at + 1, at + wide):
                    cells[behind], styles[behind] = "", look
            at += wide

    # --- on a terminal, in a file -------------------------------------------------------------------------------------

    def fragments(self, y: int) -> StyleAndTextTuples:
        """A row for prompt_toolkit. The first cell is a margin that carries the marks of the whole line."""
        row: StyleAndTextTuples = []
        bare = self.manner.bare
        for cell, look in zip(self._cells[y], self._styles[y], strict=True):
            text = _bare(cell) if bare else cell
            if row and row[-1][0] == look:
                row[-1] = (look, row[-1][1] + text)
            else:
                row.append((look, text))
        if not bare and any(_is_strong_rtl(text) for text in self._cells[y]):
            before, _, after = drawn_line("\0", self.manner.bidi).partition("\0")
            first = row[0]
            row[0] = (first[0], first[1][:1] + before + first[1][1:])
            row[-1] = (row[-1][0], row[-1][1] + after)
        return row

    def text(self) -> list[str]:
        """The rows as text, without the spaces behind, without marks: for snapshots."""
        return ["".join(row).rstrip() for row in self._cells]


def _bare(cell: str) -> str:
    """A cell as far as any encoding has it; what takes no cell of its own would take one as a question mark."""
    return "".join(letter for letter in cell if get_cwidth(letter)).translate(_BARE)


def _is_strong_rtl(cell: str) -> bool:
    return any("\u0590" <= letter <= "\u08ff" or "\ufb1d" <= letter <= "\ufefc" for letter in cell)


def _suit_looks(text: str) -> dict[int, str]:
    """The look of each character that belongs to a card with a suit."""
    return dict(_coloured(text))


def _coloured(text: str) -> Iterator[tuple[int, str]]:
    for found in _CARD.finditer(text):
        look = style(SUIT_LOOKS[_SUIT_OF[found.group(1)]])
        for index in range(*found.span()):
            yield index, look


__all__ = ["Align", "Bidi", "Canvas", "Manner", "Target"]
