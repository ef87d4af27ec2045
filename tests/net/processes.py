"""Whole programs: `majlis` in processes of its own, typed to and read through pipes. Tests wait for lines only."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import trio

DEADLINE = 45.0
"""Seconds after which a test gives up on a program; a whole game takes a tenth of it on a quiet machine."""


class Program:
    """A running `majlis`. `lines` is everything it printed so far; `answer` types for it when it asks."""

    def __init__(self, name: str, process: trio.Process) -> None:
        self.name = name
        self.process = process
        self.lines: list[str] = []
        self._new = trio.Event()
        self.ended = False

    async def read(self, answer: Callable[[str], str | None]) -> None:
        """Collect its output until it ends; type what `answer` gives for a line."""
        assert self.process.stdout is not None
        left = b""
        try:
            async for chunk in self.process.stdout:
                *whole, left = (left + chunk).split(b"\n")
                for raw in whole:
                    line = raw.decode("utf-8", "replace")
                    self.lines.append(line)
                    typed = answer(line)
                    if typed is not None:
                        await self.type(typed)
                self._tell()
        except trio.ClosedResourceError:
            return  # the test has closed it
        except trio.Cancelled:
            self.process.terminate()  # a failed test leaves nothing behind: a host ends its bots
            raise
        self.ended = True
        self._tell()

    def _tell(self) -> None:
        event, self._new = self._new, trio.Event()
        event.set()

    async def type(self, text: str) -> None:
        """Type a line. A program that has ended takes nothing."""
        assert self.process.stdin is not None
        try:
            await self.process.stdin.send_all(text.encode() + b"\n")
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return

    async def line_with(self, *words: str, after: int = 0) -> str:
        """The first line that holds all of these words."""
        seen = after
        while True:
            new = self._new
            for line in self.lines[seen:]:
                seen += 1
                if all(word in line for word in words):
                    return line
            if self.ended:
                raise AssertionError(f"{self.name} ended without {words}:\n" + "\n".join(self.lines[-30:]))
            await new.wait()

    async def wait(self) -> int:
        """Its exit code."""
        return await self.process.wait()

    def kill(self) -> None:
        """kill -9, in the middle of whatever it does."""
        self.process.kill()


def first_choice(line: str) -> str | None:
    """A person who always takes the first move offered."""
    return "1" if line.startswith("Your move") else None


def votes(line: str) -> str | None:
    """The same, who also votes about whoever is lost, as the table says how."""
    return "/vote " + line.rsplit("/vote ", 1)[1] if "/vote " in line else first_choice(line)


def nothing(line: str) -> str | None:
    """Nobody types."""
    return None


class Room:
    """A folder for each player, and a nursery for their programs."""

    def __init__(self, nursery: trio.Nursery, folder: Path, encoding: str = "utf-8") -> None:
        self.nursery = nursery
        self.folder = folder
        self.encoding = encoding

    async def start(
        self, player: str, *words: str, answer: Callable[[str], str | None] = first_choice, lang: str = "en"
    ) -> Program:
        """Start `majlis WORDS…` as this player."""
        environment = {
            **os.environ,
            "MAJLIS_HOME": str(self.folder / player),
            "MAJLIS_LANG": lang,
            "PYTHONIOENCODING": self.encoding,
        }
        process = await trio.lowlevel.open_process(
            [sys.executable, "-m", "p2p.cli", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment,
        )
        program = Program(player, process)
        self.nursery.start_soon(program.read, answer)
        return program

    def logs(self) -> list[Path]:
        """The logs of everybody in the room, bots that ran beside a host included."""
        return sorted(self.folder.glob("**/tables/*/log"))


async def invite_of(program: Program) -> str:
    """The invite that a host prints."""
    return await program.line_with("majlis1:")


async def host(
    room: Room, player: str, *words: str, answer: Callable[[str], str | None] = first_choice
) -> Program:
    """Host on loopback with a free port."""
    network = ("--port", "0", "--bind", "127.0.0.1")
    return await room.start(player, "host", *words, *network, "--name", player, answer=answer)


def totals(program: Program) -> list[int]:
    """The last row of the score table."""
    row = next(line for line in reversed(program.lines) if line.startswith("  ="))
    return [int(word) for word in row.split()[1:]]

