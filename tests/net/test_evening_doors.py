"""What the commands say when a table cannot be had: each a sentence and an exit code, and nothing left to trip over."""

from __future__ import annotations

import json
import socket
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from p2p.invite import read_invite_untrusted, write_invite
from tests.net.processes import DEADLINE, Program, Room, host, invite_of, nothing

SHORT = ("three_five_eight", "--option", "deals=3")


async def ends(room: Room, player: str, *words: str, code: int = 1, says: str = "") -> Program:
    """Run a command that must end with this code and sentence, and without a traceback."""
    program = await room.start(player, *words)
    assert await program.wait() == code
    if says:
        await program.line_with(says)
    assert not any("Traceback" in line for line in program.lines)
    return program


def saved(room: Room, player: str) -> list[Path]:
    """The tables that a player could resume."""
    return sorted((room.folder / player / "tables").glob("*"))


async def test_who_cannot_come_in_is_told_why(tmp_path: Path) -> None:
    with trio.fail_after(DEADLINE):
        async with trio.open_nursery() as nursery:
            room = Room(nursery, tmp_path)
            amal = await host(room, "Amal", *SHORT, "--bots", "1", answer=nothing)
            line = await invite_of(amal)
            invite = read_invite_untrusted(line)
            with socket.create_server(("127.0.0.1", 0)) as closed:
                free = closed.getsockname()[1]
            wrong = {
                line[:-1] + ("a" if line[-1] != "a" else "b"): "invite",
                "majlis1:": "invite",
                write_invite(replace(invite, certificate_hash=bytes(16))): "Somebody else answers",
                write_invite(replace(invite, table=bytes(16))): "another table",
                write_invite(replace(invite, token=bytes(16))): "invite",
                write_invite(replace(invite, port=free)): "",
            }
            for text, says in wrong.items():
                await ends(room, "Basil", "join", text, "--name", "Basil", says=says)
            await ends(room, "Basil", "join", line, "--bot", "no-such-program at all", code=2, says="There is no bot")
            assert saved(room, "Basil") == []
            basil = await room.start("Basil", "join", line, "--name", "Basil", answer=nothing)
            await amal.line_with("All seats are taken")
            await ends(room, "Dawud", "join", line, "--name", "Dawud", says="already playing")
            await ends(room, "Basil", "join", line, "--name", "Basil", says="already playing")  # the seat is open
            await ends(room, "Basil", "resume", says="open in another majlis")
            await ends(room, "Dawud", "resume", says="no interrupted table")
            basil.kill()
            await basil.wait()
            basil = await room.start("Basil", "join", line, "--name", "Basil", answer=nothing)  # back by the invite
            await basil.line_with("Back at the table")
            for program in (basil, amal):
                await program.type("/quit")
                assert await program.wait() == 0
            await ends(room, "Basil", "resume", "0" * 8, says="no table")


async def test_a_host_that_cannot_open_says_so(tmp_path: Path) -> None:
    with trio.fail_after(DEADLINE), socket.create_server(("127.0.0.1", 0)) as busy:
        port = str(busy.getsockname()[1])
        async with trio.open_nursery() as nursery:
            room = Room(nursery, tmp_path)
            at = ("host", *SHORT, "--bind", "127.0.0.1", "--port", port)
            await ends(room, "Amal", *at, says=f"uses port {port}")
            await ends(room, "Amal", *at, "--bots", "3", code=2, says="2")
            await ends(room, "Amal", *at, "--bots", "1", "--bots-are", "no-such", code=2, says="There is no bot")
            await ends(room, "Amal", *at, "--bot", "'unclosed", code=2, says="There is no bot")
            await ends(room, "Amal", "host", "kasra", "--bind", "no.such.host.invalid", says="no.such.host.invalid")
            assert saved(room, "Amal") == []
            amal = await host(room, "Amal", *SHORT, answer=nothing)
            invite = await invite_of(amal)
            taken = ("join", invite, "--name", "Basil", "--seat-port", port)
            await ends(room, "Basil", *taken, says=f"Port {port} is in use")
            amal.kill()
            await amal.wait()
            with socket.create_server(("127.0.0.1", read_invite_untrusted(invite).port)):
                await ends(room, "Amal", "resume", says="Another program uses port")


async def test_bots_come_by_level_and_by_name(tmp_path: Path) -> None:
    """From the command and from the waiting room; what is no bot is told which there are, and nobody comes."""
    with trio.fail_after(DEADLINE):
        async with trio.open_nursery() as nursery:
            room = Room(nursery, tmp_path)
            amal = await host(room, "Amal", "kasra", "--bots", "1", "--bots-are", "hard", answer=nothing)
            await amal.line_with("2 of 4 are seated")
            for wrong in ("medium", "node mybot.js", "cheater"):
                await amal.type(f"/bot {wrong}")
                assert ": easy, normal, hard, random," in await amal.line_with("There is no bot", wrong)
            for number, bot in enumerate(("Easy", "quick"), 3):
                await amal.type(f"/bot {bot}")
                await amal.line_with(f"{number} of 4 are seated")
            await amal.line_with("All seats are taken")
            await amal.type("/bot hard")
            await amal.line_with("no free seat for another bot")
            await amal.type("/quit")
            assert await amal.wait() == 0
    (table,) = saved(room, "Amal")
    metas = [next((table / "bots" / number / "tables").glob("*/meta")) for number in "123"]
    played_by = [json.loads(meta.read_text("utf-8"))["run"]["bot"] for meta in metas]
    assert played_by == ["sharp", "careless", "quick"]


async def test_two_players_on_one_machine_are_told_apart(tmp_path: Path) -> None:
    with trio.fail_after(DEADLINE):
        async with trio.open_nursery() as nursery:
            room = Room(nursery, tmp_path)
            amal = await host(room, "Amal", *SHORT, answer=nothing)
            invite = await invite_of(amal)
            names = ("Basil", "\u202eabc\x1b[2Jسلمى" + "x" * 80)
            programs = []
            for name in names:
                programs.append(await room.start("Flat", "join", invite, "--name", name))
                await programs[-1].line_with("sits down")
                await amal.line_with(f"{len(programs) + 1} of 3 are seated")
            for program in programs:
                program.kill()
                await program.wait()
            assert not any("\x1b" in line or "\u202e" in line for line in amal.lines)
            listed = await ends(room, "Flat", "resume", code=0, says="Tables you can return to")
            found = [line for line in listed.lines if "Basil" in line]
            assert len(found) == 1 and len([line for line in listed.lines if "majlis resume" in line]) == 2
            basil = await room.start("Flat", *found[0].split("  ")[0].split()[1:])
            await basil.line_with("Connecting")
            other = await room.start("Flat", "resume")  # the only one that is free
            assert await amal.line_with("Your move")
            for program in (basil, other, amal):
                await program.type("/quit")
                assert await program.wait() == 0


@pytest.mark.parametrize("environment", [{"LC_ALL": "C"}, {"TERM": "dumb", "LANG": "ar_EG.UTF-8"}])
async def test_any_terminal_will_do(
    tmp_path: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", **environment}.items():
        monkeypatch.setenv(name, value)
    with trio.fail_after(DEADLINE):
        async with trio.open_nursery() as nursery:
            room = Room(nursery, tmp_path, encoding="ascii" if "LC_ALL" in environment else "utf-8")
            amal = await host(room, "Amal", *SHORT, "--bots", "2", answer=nothing)
            await amal.line_with("Your move")
            await amal.type("/quit")
            assert await amal.wait() == 0


async def test_a_program_that_breaks_does_not_stop_the_game(tmp_path: Path) -> None:
    with trio.fail_after(DEADLINE):
        async with trio.open_nursery() as nursery:
            room = Room(nursery, tmp_path)
            amal = await host(room, "Amal", *SHORT, "--bots", "2", "--no-seat", answer=nothing)
            bot = f"{sys.executable} -c 'import os; os.write(2, b\"no luck\"); os._exit(7)'"
            broken = await room.start("Broken", "join", await invite_of(amal), "--name", "Broken", "--bot", bot)
            assert [await amal.wait(), await broken.wait()] == [0, 0]
    (gave_up,) = (line for line in broken.lines if "stopped too often" in line)
    assert gave_up.endswith("It ended with exit code 7. Its last words: no luck")


@pytest.mark.long
async def test_a_program_that_never_connects_does_not_stop_the_game(tmp_path: Path) -> None:
    with trio.fail_after(4 * DEADLINE):
        async with trio.open_nursery() as nursery:
            room = Room(nursery, tmp_path)
            amal = await host(room, "Amal", *SHORT, "--bots", "2", "--no-seat", answer=nothing)
            with socket.create_server(("127.0.0.1", 0)) as server:
                port = str(server.getsockname()[1])
            silent = await room.start("Silent", "join", await invite_of(amal), "--seat-port", port)
            assert [await amal.wait(), await silent.wait()] == [0, 0]
