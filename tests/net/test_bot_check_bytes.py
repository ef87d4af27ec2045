"""`majlis bot check` of what programs write: how lines may end, and that one fault is told once."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from bots.check.findings import Report
from bots.check.trials import check
from protocol.seat import LINE_LIMIT, Clocks

QUICK = Clocks(startup=10.0, move=1.0)
"""Nobody waits for a bot longer than it takes to see that it is broken."""

BOT = r"""
import json, os, sys
def say(**message): os.write(1, json.dumps(message).encode() + b"\r\n")
say(type="ready")
for line in sys.stdin:
    heard = json.loads(line)
    if heard["type"] == "end": break
    if heard["type"] == "ping": say(type="pong")
    if heard["type"] in ("act", "error") and heard.get("legal"):
        say(type="act", id=heard["id"], action=heard["legal"][0])
"""
FLOODS = {
    "pongs": ('say(type="pong")', "check-too-many"),
    "prints": ('os.write(1, b"thinking\\n" * 100)', "check-garbage"),
    "a line without end": (f'os.write(1, b"{{" * {LINE_LIMIT + 1})', "check-endless"),
}


async def examined(tmp_path: Path, source: str) -> Report:
    bot = tmp_path / "bot.py"
    bot.write_text(source, "utf-8")
    return await check(f"{shlex.quote(sys.executable)} -S -E {shlex.quote(str(bot))}", ["358"], clocks=QUICK)


async def test_lines_may_end_as_on_windows(tmp_path: Path) -> None:
    report = await examined(tmp_path, BOT)
    assert report.fit, report.trials


@pytest.mark.parametrize(("flood", "code"), FLOODS.values(), ids=FLOODS)
async def test_whose_flood_we_end_is_not_said_to_have_stopped(tmp_path: Path, flood: str, code: str) -> None:
    report = await examined(tmp_path, BOT + f"        while True: {flood}\n")
    assert {(trial.name, code) for trial in report.trials for code in trial.counts} == {("played", code)}
