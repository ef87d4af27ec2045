"""Bots that a host starts beside itself: each a whole peer in a process of its own, with its own keys.

The child tells its public key on standard output; the host, whose machine it is, signs that key (*vouches* for it) so
that the table can say whose machine runs the bot. No secret passes between them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import trio

from p2p import limits
from p2p.store import Listed, list_tables
from protocol.errors import Refused

LAST_WORDS = 4096
"""Bytes of a companion's output that are looked at for its introduction, and of its complaints for the last one."""


@dataclass(frozen=True)
class Companion:
    """A bot to start: its name, what plays it, and the folder that keeps its table."""

    name: str
    bot: str
    home: Path
    seed: int | None = None

    def command(self, invite: str) -> list[str]:
        """Join, or go on where an earlier process stopped."""
        majlis = [sys.executable, "-m", "p2p.cli"]
        if self.tables():
            return [*majlis, "resume", "--companion"]
        chosen = [] if self.seed is None else ["--seed", str(self.seed)]
        return [*majlis, "join", invite, f"--bot={self.bot}", f"--name={self.name}", "--companion", *chosen]

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
    environment = {**os.environ, "MAJLIS_HOME": str(companion.home.resolve()), "PYTHONIOENCODING": "utf-8"}
    with companion.complaints.open("ab") as log:
        process = await trio.lowlevel.open_process(
            companion.command(invite), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, env=environment
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
    return "" if code == 0 else (_last_line(companion.complaints) or f"exit {code}")


def _last_line(path: Path) -> str:
    """What a process said last before it ended."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - LAST_WORDS))
            lines = file.read().decode("utf-8", "replace").split("\n")
    except OSError:
        return ""
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


async def _introduce(process: trio.Process, vouch: Callable[[bytes], dict[str, str]]) -> None:
    """Hear its key, and vouch for it. What is no introduction is left: such a process does not get far."""
    assert process.stdin is not None and process.stdout is not None
    line = b""
    while not line.endswith(b"\n"):
        more = await process.stdout.receive_some(4096)
        if not more or len(line) > LAST_WORDS:
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
