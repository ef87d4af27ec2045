"""A program in a real pseudo-terminal of 80 x 24: keys in, screen out. No sleeps: everything waits for output."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyte

from p2p.settings import Settings, settings_file, write_settings

COLUMNS, LINES = 80, 24
DEADLINE = 60.0
"""Seconds after which a test gives up; a table with bots deals in a few."""

PROMPTS = ("Your move", "دورك")


class Terminal:
    """A running `majlis`, its screen, and everything that it printed."""

    def __init__(self, process: subprocess.Popen[bytes], master: int) -> None:
        self.process = process
        self.text = ""
        self._master = master
        self._screen = pyte.Screen(COLUMNS, LINES)
        self._stream = pyte.ByteStream(self._screen)

    @property
    def rows(self) -> list[str]:
        """The rows of the screen, without the spaces behind."""
        return [row.rstrip() for row in self._screen.display]

    def keys(self, line: str) -> None:
        """Type a line."""
        os.write(self._master, line.encode() + b"\n")

    def until(self, words: str, since: int = 0) -> str:
        """Wait until something was printed, and give all that was printed since then."""
        ends = time.monotonic() + DEADLINE
        while words not in self.text[since:]:
            ready, _, _ = select.select([self._master], [], [], max(0.0, ends - time.monotonic()))
            assert ready, f"no {words!r} on the screen:\n" + "\n".join(self.rows)
            assert self._read(), f"it ended before {words!r}:\n" + self.text[-2000:]
        return self.text[since:]

    def answer(self, line: str, then: str) -> str:
        """Type a line and wait for what follows."""
        since = len(self.text)
        self.keys(line)
        return self.until(then, since)

    def _read(self) -> bool:
        try:
            data = os.read(self._master, 65536)
        except OSError:  # Linux says so when the other end is closed
            return False
        self._stream.feed(data)
        self.text += data.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(data)

    def wait(self) -> int:
        """Its exit code, when it has printed its last."""
        ends = time.monotonic() + DEADLINE
        while time.monotonic() < ends and self._read():
            pass
        return self.process.wait(DEADLINE)


@contextmanager
def majlis(home: Path, *words: str, lang: str = "en", encoding: str = "utf-8") -> Iterator[Terminal]:
    """`majlis WORDS…` in a terminal."""
    if not settings_file({"MAJLIS_HOME": str(home)}).exists():  # nobody is asked which of two lines reads right
        write_settings(Settings(bidi="visual"), settings_file({"MAJLIS_HOME": str(home)}))
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    environment = {
        **{name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")},
        "MAJLIS_HOME": str(home),
        "MAJLIS_LANG": lang,
        "PYTHONIOENCODING": encoding,
        "TERM": "xterm",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "p2p.cli", *words],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=environment,
        start_new_session=True,
    )
    os.close(slave)
    try:
        yield Terminal(process, master)
    finally:
        process.terminate()
        process.wait(DEADLINE)
        os.close(master)


def table(game: str, bots: int, *options: str) -> list[str]:
    """The words that host a table on this machine, where nobody hurries."""
    words = ["host", game, "--bots", str(bots), "--port", "0", "--bind", "127.0.0.1", "--name", "Amal"]
    return [*words, *(word for option in ("turn_seconds=0", *options) for word in ("--option", option))]
