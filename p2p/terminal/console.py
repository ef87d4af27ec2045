"""Lines out and lines in, for pipes, files, screen readers and terminals of any kind.

Text is printed in logical order; a terminal that knows bidi shows it right, and the isolates of `p2p.language.cards`
keep cards and names whole in it. Where the output cannot carry them they are left out, and suits become letters.
"""

from __future__ import annotations

import math
import re
import shutil
import sys
import unicodedata
from collections.abc import Callable, Iterator
from typing import TextIO

import trio

LINE_LENGTH = 500
"""Longest line that is read from a person; the rest is ignored."""

_OPENING, _CLOSING = "\u2066\u2067\u2068", "\u2069"
_PLAIN = str.maketrans(
    {**dict.fromkeys(_OPENING + _CLOSING), "♠": "S", "♥": "H", "♦": "D", "♣": "C", "−": "-", "–": "-", "—": "-"}
    | {"×": "x", "…": "...", "·": "-"}
)
"""What output that is no Unicode gets instead: cards as they are typed."""


class Console:
    """Lines out and lines in. Output that nobody reads any more is dropped, the game goes on."""

    def __init__(self, out: TextIO | None = None, source: TextIO | None = None, quiet: bool = False) -> None:
        self._out = out or sys.stdout
        self._source = source or sys.stdin
        self._open = True
        self._width = terminal_width if self._out.isatty() else None
        self.quiet = quiet
        self.printed = 0
        """How many lines were printed so far."""
        self.lines, self._lines = trio.open_memory_channel[str](math.inf)

    @property
    def letters(self) -> bool:
        """Whether the output can only carry letters: its encoding has no symbols."""
        return not (self._out.encoding or "utf-8").lower().startswith("utf")

    def say(self, text: str, important: bool = False) -> None:
        """Print a text as lines, each at once."""
        if not self._open or (self.quiet and not important):
            return
        encoding = self._out.encoding or "utf-8"
        text = fit_for(encoding, text)
        if self._width is not None:
            text = "\n".join(wrapped(line, self._width()) for line in text.split("\n"))
        try:
            self._out.write(text.encode(encoding, "replace").decode(encoding) + "\n")
            self._out.flush()
        except (OSError, ValueError):
            self._open = False
        self.printed += text.count("\n") + 1

    @property
    def rings(self) -> bool:
        """Whether there is somebody to hear a bell: on a terminal, of whom not only what matters is read."""
        return self._width is not None and not self.quiet

    def ring(self) -> None:
        """Ring the terminal's bell."""
        try:
            self._out.write("\a")
            self._out.flush()
        except (OSError, ValueError):
            self._open = False

    async def read(self) -> None:
        """Pass typed lines on until the input ends; then close the channel."""
        async with self.lines:
            while True:
                try:
                    line = await trio.to_thread.run_sync(self._source.readline, LINE_LENGTH, abandon_on_cancel=True)
                except (OSError, ValueError):
                    return
                if not line:
                    return
                self.lines.send_nowait(line.strip())

    @property
    def typed(self) -> trio.MemoryReceiveChannel[str]:
        """The lines that were typed."""
        return self._lines


def terminal_width() -> int:
    """The terminal's width in cells, now."""
    return shutil.get_terminal_size().columns


def fit_for(encoding: str, text: str) -> str:
    """`text` as far as this encoding can carry it: isolates only in Unicode, suits as letters where there are none."""
    if encoding.lower().replace("-", "").startswith("utf"):
        return text
    try:
        "♠".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return text.translate(_PLAIN)
    return "".join(letter for letter in text if letter not in _OPENING + _CLOSING)


def cells(text: str) -> int:
    """How many cells of a terminal a text takes: marks and isolates none, wide characters two."""
    count = 0
    for letter in text:
        if unicodedata.category(letter) not in ("Mn", "Me", "Cf"):
            count += 2 if unicodedata.east_asian_width(letter) in "WF" else 1
    return count


def wrapped(line: str, width: int) -> str:
    """A line folded at spaces. Items of a list, which have two spaces between them, stay whole where they fit; so do
    words that are longer than a line (an invite), so that they can be copied.

    Every line is a paragraph of its own to a terminal, so isolates that are open at a fold end and begin anew there.
    """
    if cells(line) <= width:
        return line
    lines: list[str] = []
    text = line[: len(line) - len(line.lstrip(" "))]
    used, open_, empty = len(text), "", True
    for gap, word in _pieces(line.strip(" "), width):
        size = cells(word)
        if not empty and used + len(gap) + size > width:
            lines.append(text + _CLOSING * len(open_))
            text, used, empty = open_, 0, True
        text, used = (text + word, used + size) if empty else (text + gap + word, used + len(gap) + size)
        open_, empty = _still_open(open_, word), False
    return "\n".join([*lines, text])


def _pieces(line: str, width: int) -> Iterator[tuple[str, str]]:
    """What a line may be folded between, each with the spaces before it."""
    gap = ""
    for item in re.split(r"( {2,})", line):
        if item.isspace():
            gap = item
            continue
        for piece in [item] if cells(item) <= width and "  " in line else item.split(" "):
            yield gap, piece
            gap = " "


def _still_open(open_: str, word: str) -> str:
    for letter in word:
        if letter in _OPENING:
            open_ += letter
        elif letter == _CLOSING:
            open_ = open_[:-1]
    return open_


Commands = dict[str, Callable[[str], None]]
"""What a person may do besides answering, by the word behind the slash: functions of the words that follow."""
