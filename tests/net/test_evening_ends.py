"""How evenings end before their time: signals, kills, full disks. Nothing is lost, and no process stays behind."""

from __future__ import annotations

import resource
import signal
import sys
from pathlib import Path

import pytest
import trio

from p2p.store import list_tables, read_log_untrusted
from protocol.verify import verify_records
from tests.net.processes import DEADLINE, Program, Room, first_choice, host, invite_of, nothing

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")
SHORT = ("three_five_eight", "--option", "deals=3")
NO_TRACE = "Traceback"


def open_tables(home: Path) -> list[Path]:
    """The tables that some process has open, those of bots beside a host included."""
    roots = [path for path in home.glob("**/tables") if path.is_dir()]
    return [table.path for root in roots for table in list_tables(root) if table.locked]


def checked(logs: list[Path]) -> None:
    """All logs are the same game, and it is honest and finished."""
    contents = {log.read_bytes() for log in logs}
    assert len(contents) == 1
    verdict = verify_records(read_log_untrusted(logs[0])[0])
    assert verdict.error is None and verdict.finished and not verdict.faults


def stopped(program: Program, home: Path) -> None:
    """It said how to come back, and nothing of it runs any more."""
    assert any("majlis resume" in line for line in program.lines)
    assert not any(NO_TRACE in line for line in program.lines), program.lines
    assert open_tables(home) == []


@pytest.mark.parametrize(
    ("number", "moment", "bots"),
    [
        (signal.SIGTERM, "Waiting for players: 1", 2),
        (signal.SIGHUP, "Waiting for players: 2", 1),  # of two that come at once this might never be said
        (signal.SIGINT, "All seats are taken", 2),
        (signal.SIGTERM, "You sit in seat", 2),
        (signal.SIGHUP, "Your move", 2),
    ],
)
async def test_a_host_that_is_stopped_takes_its_bots_along(
    tmp_path: Path, number: int, moment: str, bots: int
) -> None:
    with trio.fail_after(DEADLINE):
        async with trio.open_nursery() as nursery:
            amal = await host(Room(nursery, tmp_path), "Amal", *SHORT, "--bots", str(bots), answer=nothing)
            await amal.line_with(moment)
            amal.process.send_signal(number)
            assert await amal.wait() == 130
    stopped(amal, tmp_path)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_guest_who_leaves_before_the_game_frees_the_seat(tmp_path: Path, number: int) -> None:
    with trio.fail_after(DEADLINE):
        async with trio.open_nursery() as nursery:
            room = Room(nursery, tmp_path)
            amal = await host(room, "Amal", *SHORT, answer=nothing)
            basil = await room.start("Basil", "join", await invite_of(amal), "--name", "Basil")
            await basil.line_with("Basil sits down")
            basil.process.send_signal(number)
            assert await basil.wait() == 130
            await amal.line_with("Basil has left; the seat is free again")
            basil = await room.start("Basil", "resume")
            await amal.line_with("Basil sits down", after=len(amal.lines))
            await basil.line_with("2 of 3")
            await amal.type("/quit")
            assert await amal.wait() == 0
            await basil.line_with("The host has left for now")
            basil.process.send_signal(number)
            assert await basil.wait() == 130
    stopped(basil, tmp_path)


async def test_kills_before_the_game_cost_nothing_but_a_resume(tmp_path: Path) -> None:
    with trio.fail_after(DEADLINE):
        async with trio.open_nursery() as nursery:
            room = Room(nursery, tmp_path)
            amal = await host(room, "Amal", *SHORT, answer=nothing)
            invite = await invite_of(amal)
            basil = await room.start("Basil", "join", invite, "--name", "Basil")
            await amal.line_with("Basil sits down")
            basil.kill()
            await basil.wait()
            await amal.line_with("Basil lost the connection; the seat is kept")
            celine = await room.start("Celine", "join", invite, "--name", "Celine")
            await amal.line_with("3 of 3")  # and yet the game does not begin without Basil
            amal.kill()
            await amal.wait()
            await celine.line_with("Connection lost")
            basil = await room.start("Basil", "resume")  # the host is not there yet
            await basil.line_with("Connection lost")
            amal = await room.start("Amal", "resume")
            assert [await one.wait() for one in (amal, basil, celine)] == [0, 0, 0]
    checked(room.logs())


async def test_bots_whose_host_was_killed_find_the_resumed_one(tmp_path: Path) -> None:
    with trio.fail_after(DEADLINE):
        async with trio.open_nursery() as nursery:
            room = Room(nursery, tmp_path)
            amal = await host(room, "Amal", *SHORT, "--bots", "2", answer=nothing)
            await amal.line_with("Your move")
            amal.kill()
            await amal.wait()
            assert len(open_tables(tmp_path)) == 2
            amal = await room.start("Amal", "resume", answer=nothing)
            await amal.line_with("is back")
            await amal.line_with("is back", after=len(amal.lines) - 1)
            amal.process.terminate()
            assert await amal.wait() == 130
            while open_tables(tmp_path):  # they are told to go, and nobody waits for them
                await trio.lowlevel.checkpoint()
            amal = await room.start("Amal", "resume")
            await amal.line_with("Points of this deal")  # killed at the score
            amal.kill()
            await amal.wait()
            amal = await room.start("Amal", "resume")
            assert await amal.wait() == 0
    checked(room.logs())


@pytest.mark.parametrize("victim", ["Amal", "Basil"])
async def test_a_full_disk_is_a_sentence_and_the_game_goes_on_when_there_is_room(tmp_path: Path, victim: str) -> None:
    with trio.fail_after(DEADLINE):
        async with trio.open_nursery() as nursery:
            room = Room(nursery, tmp_path)
            amal = await host(room, "Amal", *SHORT, "--bots", "1")
            basil = await room.start("Basil", "join", await invite_of(amal), "--name", "Basil")
            full = {"Amal": amal, "Basil": basil}[victim]
            await full.line_with("Your move")
            size = next((tmp_path / victim / "tables").glob("*/log")).stat().st_size
            resource.prlimit(full.process.pid, resource.RLIMIT_FSIZE, (size + 1000, size + 1000))
            assert await full.wait() == 1
            await full.line_with("There is no room left on the disk")
            assert not any(NO_TRACE in line for line in full.lines)
            again = await room.start(victim, "resume")
            others = basil if victim == "Amal" else amal
            assert [await again.wait(), await others.wait()] == [0, 0]
    checked(room.logs())


async def test_a_closed_output_does_not_stop_the_game(tmp_path: Path) -> None:
    with trio.fail_after(DEADLINE):
        async with trio.open_nursery() as nursery:
            room = Room(nursery, tmp_path)
            amal = await host(room, "Amal", *SHORT, "--bots", "1")
            basil = await room.start("Basil", "join", await invite_of(amal), "--name", "Basil", answer=first_choice)
            await basil.line_with("Your move")
            assert basil.process.stdout is not None and basil.process.stdin is not None
            await basil.process.stdout.aclose()
            await basil.process.stdin.aclose()
            assert [await amal.wait(), await basil.wait()] == [0, 0]
    checked(room.logs())
