"""How far an arena has come, on a terminal: one line that is written over."""

from __future__ import annotations

import os
import time
from typing import TextIO

from bots.arena.running import Run
from p2p.language import t
from p2p.terminal.console import cells

BAR = 24
"""Cells of the bar, where there is room for them."""

UNKNOWN_WIDTH = 80
"""Columns of a terminal that does not say."""

PAUSE = 0.2
"""Seconds between two looks of the line: more often nobody reads it, and it would cost time."""

_CLEAR = "\r\x1b[K"


class Progress:
    """The line. Where `stream` is no terminal (or closed: None) nothing is written."""

    def __init__(self, games: int, stream: TextIO | None) -> None:
        self._games = games
        self._stream = stream if stream is not None and stream.isatty() else None
        self._since = self._last = time.monotonic()

    def show(self, run: Run) -> None:
        """One game more was played."""
        now = time.monotonic()
        if self._stream is None or now - self._last < PAUSE:
            return
        self._last = now
        done = min(self._games, run.found)
        left = (now - self._since) / run.played * (self._games - done)
        values = {"done": run.tally.boards, "boards": run.boards, "left": duration(left)}
        room = _columns(self._stream) - 1  # a line that wraps could not be written over
        size = max(0, min(BAR, room - cells(t("arena-progress", bar="", **values))))
        filled = size * done // self._games
        line = t("arena-progress", bar="█" * filled + "░" * (size - filled), **values)
        self._stream.write(_CLEAR + (line if cells(line) <= room else duration(left)[:room]))
        self._stream.flush()

    def clear(self) -> None:
        """The line is no longer needed."""
        if self._stream is not None:
            self._stream.write(_CLEAR)
            self._stream.flush()


def _columns(stream: TextIO) -> int:
    """Of the terminal that the line is on; standard output, which is usually asked, may be a file."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or UNKNOWN_WIDTH
    except (OSError, ValueError):
        return UNKNOWN_WIDTH


def duration(seconds: float) -> str:
    """Minutes and seconds, or hours and minutes: ``4:05``, ``1h 20``."""
    whole = round(seconds)
    if whole >= 3600:
        return f"{whole // 3600}h {whole % 3600 // 60:02}"
    return f"{whole // 60}:{whole % 60:02}"
