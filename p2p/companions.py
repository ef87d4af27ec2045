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
from p2p.store import list_tables
from protocol.errors import Refused


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
        return [*majlis, "join", invite, "--bot", self.bot, "--name", self.name, "--companion", *chosen]

    def tables(self) -> bool:
        """Whether it sat at the table before."""
        return bool(list_tables(self.home / "tables"))

    def running(self) -> bool:
        """Whether a process that outlived its host still plays it: that one will find the host by itself."""
        return any(table.locked for table in list_tables(self.home / "tables"))


async def run(
    companion: Companion, invite: str, vouch: Callable[[bytes], dict[str, str]], trouble: Callable[[Refused], None]
) -> None:
    """Run one companion until it ends or this task is cancelled."""
    if companion.running():
        return
    companion.home.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "MAJLIS_HOME": str(companion.home), "PYTHONIOENCODING": "utf-8"}
    with (companion.home / "stderr.txt").open("ab") as log:
        process = await trio.lowlevel.open_process(
            companion.command(invite), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, env=environment
        )
        try:
            await _introduce(process, vouch)
            assert process.stdout is not None
            while await process.stdout.receive_some(4096):
                pass
            code = await process.wait()
            if code != 0:
                trouble(Refused("bot-did-not-start", {"bot": companion.name, "reason": f"exit {code}"}))
        finally:
            with trio.CancelScope(shield=True):
                await _end(process)


async def _introduce(process: trio.Process, vouch: Callable[[bytes], dict[str, str]]) -> None:
    assert process.stdin is not None and process.stdout is not None
    line = b""
    while not line.endswith(b"\n"):
        more = await process.stdout.receive_some(4096)
        if not more:
            return
        line += more
    key = bytes.fromhex(json.loads(line)["key"])
    try:
        await process.stdin.send_all(json.dumps(vouch(key)).encode() + b"\n")
    except trio.BrokenResourceError:
        return


async def _end(process: trio.Process) -> None:
    if process.poll() is None:
        process.terminate()
        with trio.move_on_after(limits.COMPANION_DEADLINE):
            await process.wait()
    if process.poll() is None:
        process.kill()
        await process.wait()
