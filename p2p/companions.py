"""Bots that a host starts beside itself: each a whole peer in a process of its own, with its own keys.

The child tells its public key on standard output; the host, whose machine it is, signs that key (*vouches* for it) so
that the table can say whose machine runs the bot. No secret passes between them.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Container
from dataclasses import dataclass, field
from pathlib import Path

import trio

from bots.programs import LAST_BYTES, Ending, last_lines
from p2p import limits
from p2p.itself import INVITE_VARIABLE, OWN_COMMAND
from p2p.store import Listed, list_tables
from p2p.trouble import how_it_ended
from protocol.errors import Refused

INTRODUCTION = 4096
"""Bytes of a companion's output that are looked at for its introduction."""


@dataclass(frozen=True)
class Companion:
    """A bot to start: its name, what plays it, and the folder that keeps its table."""

    name: str
    bot: str
    home: Path
    seed: int | None = None

    def command(self) -> list[str]:
        """Join (the invite stands in the environment), or go on where an earlier process stopped."""
        if self.tables():
            return [*OWN_COMMAND, "resume", "--companion"]
        chosen = [] if self.seed is None else ["--seed", str(self.seed)]
        return [*OWN_COMMAND, "join", f"--bot={self.bot}", f"--name={self.name}", "--companion", *chosen]

    def tables(self) -> list[Listed]:
        """Where it sat at the table before."""
        return list_tables(self.home / "tables")

    def running(self) -> bool:
        """Whether a process that outlived its host still plays it: that one will find the host by itself."""
        return any(table.locked for table in self.tables())

    def finished(self) -> bool:
        """Whether it has seen the end of the game."""
        return any(table.meta.run.get("finished") for table in self.tables())

    @property
    def complaints(self) -> Path:
        """Where its standard error goes."""
        return self.home / "stderr.txt"


async def run(
    companion: Companion, invite: str, vouch: Callable[[bytes], dict[str, str]], trouble: Callable[[Refused], None]
) -> None:
    """Run one companion until it ends or this task is cancelled. One that breaks down is started again."""
    if companion.running():
        return
    for attempt in range(limits.COMPANION_RESTARTS + 1):
        try:
            reason = await _run_once(companion, invite, vouch)
        except OSError as error:
            reason = error.strerror or str(error)
        if not reason:
            return
        code = "bot-did-not-start" if attempt == limits.COMPANION_RESTARTS else "bot-restarted"
        trouble(Refused(code, {"bot": companion.name, "reason": reason}))


async def _run_once(companion: Companion, invite: str, vouch: Callable[[bytes], dict[str, str]]) -> str:
    """One process, from start to end: why it broke down, or nothing. Raises OSError when it cannot be started."""
    companion.home.mkdir(parents=True, exist_ok=True)
    own = {"MAJLIS_HOME": str(companion.home.resolve()), INVITE_VARIABLE: invite, "PYTHONIOENCODING": "utf-8"}
    with companion.complaints.open("ab") as log:
        process = await trio.lowlevel.open_process(
            companion.command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, env={**os.environ, **own}
        )
        try:
            assert process.stdin is not None and process.stdout is not None
            async with process.stdin, process.stdout:
                await _introduce(process, vouch)
                while await process.stdout.receive_some(4096):
                    pass
                code = await process.wait()
        finally:
            with trio.CancelScope(shield=True):
                await _end(process)
    words = _last_words(companion.complaints)
    return "" if code == 0 else words[-1].strip() if words else how_it_ended(Ending(code))


def _last_words(path: Path) -> tuple[str, ...]:
    """What a process said last before it ended."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - LAST_BYTES))
            return last_lines(file.read())
    except OSError:
        return ()


async def _introduce(process: trio.Process, vouch: Callable[[bytes], dict[str, str]]) -> None:
    """Hear its key, and vouch for it. What is no introduction is left: such a process does not get far."""
    assert process.stdin is not None and process.stdout is not None
    line = b""
    while not line.endswith(b"\n"):
        more = await process.stdout.receive_some(4096)
        if not more or len(line) > INTRODUCTION:
            return
        line += more
    try:
        key = bytes.fromhex(json.loads(line)["key"])
        await process.stdin.send_all(json.dumps(vouch(key)).encode() + b"\n")
    except (ValueError, KeyError, TypeError, trio.BrokenResourceError):
        return


async def _end(process: trio.Process) -> None:
    if process.poll() is None:
        process.terminate()
        with trio.move_on_after(limits.COMPANION_DEADLINE):
            await process.wait()
    if process.poll() is None:
        process.kill()
        await process.wait()


@dataclass(eq=False)
class _Hired:
    companion: Companion
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    ended: trio.Event = field(default_factory=trio.Event)
    key: bytes = b""  # once it has introduced itself


class Company:
    """The bots beside one host, by number from 1. They run in `nursery` and come by `invite`; `vouch(key)` is what the
    host signs for each, `trouble` is told what goes wrong."""

    def __init__(
        self,
        nursery: trio.Nursery,
        folder: Path,
        seed: int | None,
        invite: str,
        vouch: Callable[[bytes], dict[str, str]],
        trouble: Callable[[Refused], None],
    ) -> None:
        self._nursery = nursery
        self._folder = folder
        self._seed = seed
        self._invite = invite
        self._vouch = vouch
        self._trouble = trouble
        self._hired: dict[int, _Hired] = {}

    def start(self, number: int, name: str, bot: str) -> None:
        """Start a bot, or let it go on where an earlier process stopped."""
        seed = None if self._seed is None else self._seed + number
        hired = _Hired(Companion(name, bot, self._folder / str(number), seed))
        self._hired[number] = hired
        if not hired.companion.finished():
            self._nursery.start_soon(self._run, hired)

    async def _run(self, hired: _Hired) -> None:
        def vouch(key: bytes) -> dict[str, str]:
            hired.key = key
            return self._vouch(key)

        try:
            with hired.scope:
                await run(hired.companion, self._invite, vouch, self._trouble)
        finally:
            hired.ended.set()

    @property
    def bots(self) -> list[str]:
        """Which bot has which number; "" where a number is free."""
        last = max(self._hired, default=0)
        return [self._hired[number].companion.bot if number in self._hired else "" for number in range(1, last + 1)]

    @property
    def free_number(self) -> int:
        """The number of the next bot."""
        return next(number for number in range(1, len(self._hired) + 2) if number not in self._hired)

    def coming(self, seated: Container[bytes]) -> int:
        """How many are on their way to a seat."""
        return sum(hired.key not in seated and not hired.ended.is_set() for hired in self._hired.values())

    def number_of(self, key: bytes) -> int | None:
        """The bot with this key."""
        return next((number for number, hired in self._hired.items() if hired.key == key), None)

    async def dismiss(self, number: int) -> None:
        """End a bot before the game, and forget that it was there."""
        hired = self._hired.pop(number)
        hired.scope.cancel()
        await hired.ended.wait()
        await trio.to_thread.run_sync(lambda: shutil.rmtree(hired.companion.home, ignore_errors=True))
