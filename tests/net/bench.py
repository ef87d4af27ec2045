"""A bench for programs that play a seat: what is put to them, and what they say and is said of them."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import trio

from bots.external import External
from bots.player import Notice
from bots.programs import Opener, Program
from bots.session import FromBot
from protocol.seat import Act, Clocks, End, Hello

HELLO = Hello(
    game="kasra", options={"kingdoms": 1}, seat=2, names=["A", "B", "C", "D"], clocks=Clocks(move=5.0), seed=7
)
END = End(totals=[0, 0, 0, 0], winners=[0, 1, 2, 3])
LEGAL = ["double", "double KH", "double QS", "double KH QS"]

# What every script below begins with: `say` writes a message, `read` gives the next one and leaves at the end.
PRELUDE = """
import json, os, sys, time
def raw(text): sys.stdout.write(text); sys.stdout.flush()
def say(**message): raw(json.dumps(message) + "\\n")
def read():
    line = sys.stdin.readline()
    if not line: sys.exit(0)
    return json.loads(line)
def answer(message, action): say(type="act", id=message["id"], action=action)
def hang():
    while True: os.read(0, 1) or sys.exit(0)
say(type="ready", name="script", wants=WANTS)
hello = read()
"""
PLAY = """
while True:
    message = read()
    if message["type"] in ("act", "error"): answer(message, message["legal"][0])
    if message["type"] == "end": break
"""


def question(number: int, legal: Sequence[str] = LEGAL) -> Act:
    return Act(id=number, legal=list(legal), view={"game": "unknown"})


class Bench:
    """A program under test, with what it says and what is said of it."""

    def __init__(self, nursery: trio.Nursery, tmp_path: Path) -> None:
        self.nursery = nursery
        self.tmp_path = tmp_path
        self.notices: list[Notice] = []
        self.heard: list[FromBot] = []
        self.spoke = trio.Event()
        self.noticed = trio.Event()

    def script(self, body: str, wants: Sequence[str] = ()) -> External:
        file = self.tmp_path / "bot.py"
        file.write_text(f"WANTS = {list(wants)!r}\n" + PRELUDE + body, encoding="utf-8")
        return self.program(f"{shlex.quote(sys.executable)} -S -E {shlex.quote(str(file))}")

    def program(self, command: str) -> External:
        return self.player(Program(command, self.tmp_path / "bot.log"))

    def player(self, opener: Opener) -> External:
        return External(self.nursery, opener, notice=self._notice, said=self._said)

    def _notice(self, notice: Notice) -> None:
        self.notices.append(notice)
        self.noticed.set()

    def _said(self, message: FromBot) -> None:
        self.heard.append(message)
        self.spoke.set()

    async def told(self) -> None:
        """Until the program has said something unasked."""
        await self.spoke.wait()
        self.spoke = trio.Event()

    @property
    def codes(self) -> list[str]:
        return [notice.code for notice in self.notices]
