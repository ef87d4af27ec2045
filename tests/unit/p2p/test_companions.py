"""A bot's process beside a host: one that breaks down is started again, and one that cannot start is given up."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import trio

from p2p import companions, limits
from p2p.itself import INVITE_VARIABLE, OWN_COMMAND
from protocol.errors import Refused

DEADLINE = 30.0
KEY = "ab" * 32


@dataclass(frozen=True)
class Script(companions.Companion):
    """A companion that is a few lines of Python."""

    text: str = ""

    def command(self) -> list[str]:
        return [sys.executable, "-S", "-E", "-c", self.text]


async def troubles(tmp_path: Path, text: str) -> list[Refused]:
    """What the host is told of a companion with this script."""
    told: list[Refused] = []
    companion = Script("Bot 1", "steady", tmp_path / "bot", text=text)
    with trio.fail_after(DEADLINE):
        await companions.run(companion, "invite", lambda key: {"machine": "m", "vouch": key.hex()}, told.append)
    return told


async def test_one_that_crashes_at_its_start_is_given_up_with_its_last_words(tmp_path: Path) -> None:
    told = await troubles(tmp_path, "import sys; sys.exit('no such luck')")
    assert [trouble.code for trouble in told] == ["bot-restarted"] * limits.COMPANION_RESTARTS + ["bot-did-not-start"]
    assert {str(trouble.values["reason"]) for trouble in told} == {"no such luck"}


async def test_one_that_breaks_down_once_is_started_again_and_vouched_for(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    script = f"""
import json, os, sys
print(json.dumps({{"key": "{KEY}"}}), flush=True)
told = json.loads(sys.stdin.readline())
if not os.path.exists({str(mark)!r}):
    open({str(mark)!r}, "w").close()
    os._exit(9)
sys.exit(0 if told == {{"machine": "m", "vouch": "{KEY}"}} else "not vouched for")
"""
    told = await troubles(tmp_path, script)
    (trouble,) = told
    assert (trouble.code, trouble.values["reason"]) == ("bot-restarted", "It ended with exit code 9.")


async def test_what_is_no_introduction_is_not_vouched_for(tmp_path: Path) -> None:
    for text in ("print('x' * 100_000)", "print('{}')", "print('[1]')", "import os; os.write(1, b'\\xff\\n')"):
        assert await troubles(tmp_path, text) == []


async def test_one_is_ended_with_its_host(tmp_path: Path) -> None:
    heard = trio.Event()

    def vouch(key: bytes) -> dict[str, str]:
        heard.set()
        return {"machine": "m", "vouch": "v"}

    text = f"import json, sys\nprint(json.dumps({{'key': '{KEY}'}}), flush=True)\nwhile True: sys.stdin.read(1)"
    with trio.fail_after(DEADLINE):
        async with trio.open_nursery() as nursery:
            companion = Script("Bot 1", "steady", tmp_path / "bot", text=text)
            nursery.start_soon(companions.run, companion, "invite", vouch, lambda trouble: None)
            await heard.wait()
            nursery.cancel_scope.cancel()


async def test_the_invite_is_not_on_a_command_line_that_everybody_can_read(tmp_path: Path) -> None:
    companion = companions.Companion("Bot 1", "steady", tmp_path / "bot")
    assert not any("invite" in word for word in companion.command())
    told = await troubles(tmp_path, f"import os, sys; sys.exit(os.environ['{INVITE_VARIABLE}'])")
    assert {str(trouble.values["reason"]) for trouble in told} == {"invite"}


def test_what_lies_in_the_folder_one_is_in_is_not_run(tmp_path: Path) -> None:
    """A bot beside a host, and the maker of a record, are started from wherever the person happens to be."""
    for name in ("trio", "click", "msgspec", "p2p", "engine"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('run by mistake')")
    made = subprocess.run([*OWN_COMMAND, "--version"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert made.returncode == 0 and made.stdout.startswith("majlis"), made.stderr
