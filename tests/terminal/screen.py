"""A program in a real pseudo-terminal of 80 x 24: keys in, screen out. No sleeps: everything waits for output.

The terminal is the program's own (its session's controlling terminal), so that a new size and a closed window reach
it as they would from a real one. pyte keeps the screen; what it does not know is added here: the alternate screen, and
format characters, which terminals do not draw.
"""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from functools import cache
from pathlib import Path

import pyte
from wcwidth import wcwidth

from p2p.language import load
from p2p.settings import Settings, settings_file, write_settings
from p2p.terminal.screen.bidi import visual

COLUMNS, LINES = 80, 24
DEADLINE = 60.0
"""Seconds after which a test gives up; a table with bots deals in a few."""

LOOK = 0.1
"""Seconds between two looks at what may change without output (a file)."""

PROMPTS = ("Your move", "دورك")

KEYS = {
    "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "home": "\x1b[H", "end": "\x1b[F",
    "pageup": "\x1b[5~", "pagedown": "\x1b[6~", "enter": "\r", "escape": "\x1b", "tab": "\t", "backspace": "\x7f",
    "c-c": "\x03", "f1": "\x1bOP", "f2": "\x1bOQ", "f3": "\x1bOR", "f4": "\x1bOS", "f5": "\x1b[15~", "f6": "\x1b[17~",
    "f7": "\x1b[18~", "f8": "\x1b[19~", "f9": "\x1b[20~",
}  # fmt: skip
"""What xterm sends. Any other key is the text itself."""

ALTERNATE = 1049 << 5
BIDI_BY_TERMINAL = 8
"""Modes as pyte counts them: a private one is shifted. The second is BDSM: the terminal orders text by itself."""

OWN_TERMINAL = f"import fcntl, os, sys; fcntl.ioctl(0, {termios.TIOCSCTTY}, 0); os.execv(sys.argv[1], sys.argv[1:])"
"""Makes its standard input the controlling terminal, then becomes the program."""


class _Screen(pyte.Screen):
    """With an alternate screen: what stood there before comes back when it is left."""

    _before: tuple[object, object] | None = None

    def set_mode(self, *modes: int, **kwargs: bool) -> None:
        super().set_mode(*modes, **kwargs)
        if 1049 in modes and kwargs.get("private"):
            self._before = deepcopy((self.buffer, self.cursor))
            self.erase_in_display(2)

    def reset_mode(self, *modes: int, **kwargs: bool) -> None:
        super().reset_mode(*modes, **kwargs)
        if 1049 in modes and kwargs.get("private") and self._before:
            self.buffer, self.cursor = self._before
            self._before = None


def drawn(text: str) -> str:
    """Without the characters that a terminal does not draw: pyte drops the rest of a text at one."""
    return "".join(letter for letter in text if letter < " " or wcwidth(letter) or unicodedata.combining(letter))


class Terminal:
    """A running program, its screen, and everything that it printed."""

    def __init__(self, process: subprocess.Popen[bytes], master: int, lang: str) -> None:
        self.process = process
        self.lang = lang
        self.text = ""
        self.columns, self.lines = COLUMNS, LINES
        self._master = master
        self._screen = _Screen(COLUMNS, LINES)
        self._stream = pyte.Stream(self._screen)
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._first = termios.tcgetattr(master), set(self._screen.mode)

    # --- what is seen -------------------------------------------------------------------------------------------------

    @property
    def rows(self) -> list[str]:
        """The rows of the screen, without the spaces behind. (pyte's own `display` fails where half of a wide letter
        has been drawn over.)"""
        buffer = self._screen.buffer
        return ["".join(buffer[y][x].data for x in range(self.columns)).rstrip() for y in range(self.lines)]

    @property
    def whole(self) -> bool:
        """Whether all of a screen has been drawn: rows come from above, and then the cursor goes home. A read may end
        anywhere, above all when this test lags behind; what is half new and half old must not be looked at."""
        cursor = self._screen.cursor
        return not self.full_screen or (cursor.x, cursor.y) == (0, 0)

    @property
    def full_screen(self) -> bool:
        """Whether the alternate screen is shown."""
        return ALTERNATE in self._screen.mode

    def shows(self, *wanted: str) -> bool:
        """Whether each of these stands somewhere on the screen: a text as it is seen, or the id of a sentence."""
        rows = self.rows
        return all(any(seen(one, self.lang) in row for row in rows) for one in wanted)

    def find(self, wanted: str) -> tuple[int, int]:
        """Column and row where a text, or the sentence with this id, begins."""
        text = seen(wanted, self.lang)
        row = next((at for at, row in enumerate(self.rows) if text in row), -1)
        assert row >= 0, f"no {wanted!r} on the screen:\n{self}"
        return self.rows[row].index(text), row

    def __str__(self) -> str:
        return "\n".join(self.rows)

    # --- waiting ------------------------------------------------------------------------------------------------------

    def see(self, *wanted: str | Callable[[Terminal], object]) -> Terminal:
        """Wait until the screen shows each of these, or until functions of it are true, all at the same time. It looks
        first at what is there already: name what was not there before the key that is waited for."""

        def there(one: str | Callable[[Terminal], object]) -> bool:
            return self.shows(one) if isinstance(one, str) else bool(one(self))

        ends = time.monotonic() + DEADLINE
        while not (self.whole and all(there(one) for one in wanted)):
            assert self.read(LOOK) and time.monotonic() < ends, f"never seen: {wanted}\n{self}\n{self.text[-500:]!r}"
        return self

    def until(self, words: str, since: int = 0) -> str:
        """Wait until something was printed, and give all that was printed since then."""
        ends = time.monotonic() + DEADLINE
        while words not in self.text[since:]:
            assert self.read(LOOK) and time.monotonic() < ends, f"never printed: {words!r}\n{self.text[-2000:]}"
        return self.text[since:]

    def wait(self) -> int:
        """Its exit code, when it has printed its last."""
        ends = time.monotonic() + DEADLINE
        while self.read(LOOK) and time.monotonic() < ends:
            pass
        return self.process.wait(max(0.1, ends - time.monotonic()))

    def read(self, seconds: float) -> bool:
        """Take what is printed now or within some seconds. False when it has printed its last."""
        if not select.select([self], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self._master, 65536)
        except OSError:  # Linux says so when the other end is closed
            return False
        text = self._decode(data)
        self._stream.feed(drawn(text))
        self.text += text.replace("\r", "")  # a read may end between this and the end of the line
        return bool(data)

    def fileno(self) -> int:
        """Where its output comes from, for `select`."""
        return self._master

    # --- what is done -------------------------------------------------------------------------------------------------

    def press(self, *keys: str) -> Terminal:
        """Press keys: of `KEYS`, or the characters themselves."""
        self.send("".join(KEYS.get(key, key) for key in keys))
        return self

    def send(self, text: str) -> None:
        """What a terminal sends, byte for byte."""
        os.write(self._master, text.encode())

    def click(self, x: int, y: int) -> Terminal:
        """The left button, pressed and released on a cell (SGR encoding)."""
        self.send(f"\x1b[<0;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}m")
        return self

    def resize(self, columns: int, lines: int) -> Terminal:
        """Another size; the kernel tells the program. What stood there is gone, as the program does not rely on it."""
        self.columns, self.lines = columns, lines
        self._screen.resize(lines, columns)
        self._screen.erase_in_display(2)
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        return self

    def hang_up(self) -> int:
        """The window is closed: the exit code of a program that nobody sees any more."""
        os.close(self._master)
        self._master = -1
        return self.process.wait(DEADLINE)

    def keys(self, line: str) -> None:
        """Type a line."""
        self.send(line + "\n")

    def answer(self, line: str, then: str) -> str:
        """Type a line and wait for what follows."""
        since = len(self.text)
        self.keys(line)
        return self.until(then, since)

    # --- how it is left -----------------------------------------------------------------------------------------------

    def left_over(self) -> list[str]:
        """What a program that has ended left changed in the terminal; nothing, if it is well-behaved."""
        before, modes = self._first
        found = [] if termios.tcgetattr(self._master) == before else ["echo, lines or signals of the terminal"]
        changed = (self._screen.mode ^ modes) - {BIDI_BY_TERMINAL}
        found += [f"mode {mode >> 5 if mode > 31 else mode}" for mode in changed]
        if "\x1b[8l" in self.text and BIDI_BY_TERMINAL not in self._screen.mode:
            found.append("explicit order of text")
        if self._screen.cursor.hidden:
            found.append("a hidden cursor")
        if self._screen.cursor.attrs != self._screen.default_char:
            found.append("colours")
        return found

    def close(self) -> None:
        """End the program, whatever it does, and the terminal."""
        if self._master >= 0:
            os.close(self._master)
        try:
            self.process.terminate()
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@cache
def seen(wanted: str, lang: str) -> str:
    """A piece of a sentence of the catalogue as it stands on a screen: the longest that holds no value. What is no
    sentence's id is the text itself."""
    language = load(lang)
    sentence = language.t(wanted)
    if sentence == wanted:
        return wanted
    pieces = re.split(r"\{[a-z_]+\}", language.template(wanted))
    if not language.right_to_left:
        return max(pieces, key=len).strip()
    # Arabic letters alone stay together in their order, whatever stands around them.
    runs = [run for piece in pieces for run in re.findall("[\u0621-\u0652]+(?: [\u0621-\u0652]+)*", piece)]
    return visual(max(runs, key=len), True)


@contextmanager
def program(*words: str, home: Path, lang: str = "en", encoding: str = "utf-8") -> Iterator[Terminal]:
    """A Python program (`sys.executable WORDS…`) in a terminal."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    unset = ("COLUMNS", "LINES", "NO_COLOR", "KONSOLE_VERSION", "KITTY_WINDOW_ID", "TERM_PROGRAM")
    environment = {
        **{name: value for name, value in os.environ.items() if name not in unset},
        "MAJLIS_HOME": str(home),
        "MAJLIS_LANG": lang,
        "PYTHONIOENCODING": encoding,
        "TERM": "xterm",
    }
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", OWN_TERMINAL, sys.executable, *words],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=environment,
        start_new_session=True,
    )
    terminal = Terminal(process, master, lang)
    os.close(slave)
    try:
        yield terminal
    finally:
        terminal.close()


@contextmanager
def majlis(home: Path, *words: str, lang: str = "en", encoding: str = "utf-8") -> Iterator[Terminal]:
    """`majlis WORDS…` in a terminal."""
    file = settings_file({"MAJLIS_HOME": str(home)})
    if not file.exists():  # nobody is asked which of two lines reads right, and nothing is shown longer than it takes
        write_settings(Settings(bidi="visual", pace="off"), file)
    with program("-m", "p2p.cli", *words, home=home, lang=lang, encoding=encoding) as terminal:
        yield terminal


def table(game: str, bots: int, *options: str) -> list[str]:
    """The words that host a table on this machine, where nobody hurries."""
    words = ["host", game, "--bots", str(bots), "--port", "0", "--bind", "127.0.0.1", "--name", "Amal", "--no-lan"]
    return [*words, *(word for option in ("turn_seconds=0", *options) for word in ("--option", option))]
