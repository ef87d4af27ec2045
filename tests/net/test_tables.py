"""Whole tables of real programs over TCP and TLS: people at pipes, bots of ours, a foreign bot, kills and returns."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
import trio

from p2p.store import read_log_untrusted
from protocol.verify import verify_records
from tests.net.processes import DEADLINE, Room, host, invite_of, nothing, totals, votes

NODE = shutil.which("node")
FOREIGN = "node examples/bot.js" if NODE else f"{sys.executable} examples/ten_lines.py"


def checked(logs: list[Path]) -> None:
    """All logs are the same game, and it is honest and finished."""
    contents = {log.read_bytes() for log in logs}
    assert len(contents) == 1
    verdict = verify_records(read_log_untrusted(logs[0])[0])
    assert verdict.error is None and verdict.finished and not verdict.faults


async def test_two_people_a_bot_of_ours_and_a_foreign_one_play_kasra(tmp_path: Path) -> None:
    with trio.fail_after(DEADLINE):
        async with trio.open_nursery() as nursery:
            room = Room(nursery, tmp_path)
            amal = await host(room, "Amal", "kasra", "--bots", "1", "--option", "kingdoms=1")
            invite = await invite_of(amal)
            basil = await room.start("Basil", "join", invite, "--name", "Basil")
            node = await room.start("Node", "join", invite, "--name", "Node", "--bot", FOREIGN)
            assert [await amal.wait(), await basil.wait(), await node.wait()] == [0, 0, 0]
    assert totals(amal) == totals(basil) == totals(node)
    assert sum(totals(amal)) == 0
    assert any("Bot 1 (bot, runs on Amal's machine)" in line for line in basil.lines)
    assert any("Node (bot, runs on a machine of its own)" in line for line in amal.lines)
    for player in (amal, basil):  # the last lines say how to check it
        told = next(line for line in player.lines if "majlis verify" in line)
        assert verify_records(read_log_untrusted(Path(told.split()[-1]) / "log")[0]).finished
    checked(room.logs())


@pytest.mark.long
async def test_a_whole_game_of_sixteen_deals(tmp_path: Path) -> None:
    with trio.fail_after(DEADLINE):
        async with trio.open_nursery() as nursery:
            room = Room(nursery, tmp_path)
            amal = await host(room, "Amal", "kasra", "--bots", "1")
            invite = await invite_of(amal)
            basil = await room.start("Basil", "join", invite, "--name", "Basil")
            node = await room.start("Node", "join", invite, "--name", "Node", "--bot", FOREIGN)
            assert [await amal.wait(), await basil.wait(), await node.wait()] == [0, 0, 0]
    assert totals(amal) == totals(basil) == totals(node)
    assert sum(totals(amal)) == 0
    assert sum(line.startswith("Points of this deal") for line in amal.lines) == 16
    checked(room.logs())


async def test_killed_programs_come_back_to_the_same_seat_and_hand(tmp_path: Path) -> None:
    """kill -9 of a guest, then of the host, each in the middle of a deal; then `majlis resume`."""
    with trio.fail_after(DEADLINE):
        async with trio.open_nursery() as nursery:
            room = Room(nursery, tmp_path)
            amal = await host(room, "Amal", "kasra", "--bots", "2", "--option", "kingdoms=1")
            invite = await invite_of(amal)
            basil = await room.start("Basil", "join", invite, "--name", "Basil", answer=nothing)
            await basil.line_with("Your move")  # in the middle of a deal, and it is his turn
            asked = next(line for line in reversed(basil.lines) if line.startswith("Your hand"))
            basil.kill()
            await basil.wait()
            basil = await room.start("Basil", "resume")
            again = await basil.line_with("Your hand")
            assert again == asked
            await amal.line_with("Points of this deal")
            await amal.line_with("Your move", after=len(amal.lines))
            amal.kill()
            await amal.wait()
            await basil.line_with("Connection lost")
            amal = await room.start("Amal", "resume")
            assert [await amal.wait(), await basil.wait()] == [0, 0]
    assert totals(amal) == totals(basil)
    assert sum(totals(amal)) == 0
    checked(room.logs())


async def test_ctrl_c_says_how_to_come_back(tmp_path: Path) -> None:
    with trio.fail_after(DEADLINE):
        async with trio.open_nursery() as nursery:
            room = Room(nursery, tmp_path)
            amal = await host(room, "Amal", "kasra", "--bots", "3", answer=nothing)
            await amal.line_with("Your move")
            amal.process.terminate()
            assert await amal.wait() == 130
            await amal.line_with("majlis resume")
    assert not any("Traceback" in line for line in amal.lines)


async def test_three_vote_a_lost_player_away_and_the_stand_in_ends_the_deal(tmp_path: Path) -> None:
    options = ("--option", "kingdoms=1", "--option", "away_minutes=0")
    with trio.fail_after(DEADLINE):
        async with trio.open_nursery() as nursery:
            room = Room(nursery, tmp_path)
            amal = await host(room, "Amal", "kasra", *options, answer=votes)
            invite = await invite_of(amal)
            others = [
                await room.start(name, "join", invite, "--name", name, answer=votes) for name in ("Basil", "Celine")
            ]
            dawud = await room.start("Dawud", "join", invite, "--name", "Dawud", answer=nothing)
            await dawud.line_with("Your move")
            dawud.kill()
            await dawud.wait()
            await amal.line_with("All the others agree")
            assert [await player.wait() for player in (amal, *others)] == [0, 0, 0]
    assert any("The stand-in for Dawud" in line for line in amal.lines)
    assert totals(amal) == totals(others[0]) == totals(others[1])
    assert sum(totals(amal)) == 0
    checked([log for log in room.logs() if "Dawud" not in str(log)])


async def test_a_lost_player_sits_down_again_with_the_next_pack(tmp_path: Path) -> None:
    options = ("--option", "kingdoms=1", "--option", "away_minutes=0", "--bots", "2")
    with trio.fail_after(DEADLINE):
        async with trio.open_nursery() as nursery:
            room = Room(nursery, tmp_path)
            amal = await host(room, "Amal", "kasra", *options, answer=votes)
            basil = await room.start("Basil", "join", await invite_of(amal), "--name", "Basil", answer=nothing)
            await basil.line_with("Your move")
            basil.kill()
            await basil.wait()
            await amal.line_with("All the others agree")
            basil = await room.start("Basil", "resume")
            await amal.line_with("Basil sits down again")
            assert [await amal.wait(), await basil.wait()] == [0, 0]
    assert totals(amal) == totals(basil)
    checked(room.logs())


async def test_an_old_copy_of_a_table_never_signs_a_second_entry_in_the_same_place(tmp_path: Path) -> None:
    """A restored backup, or a cloned disk."""
    with trio.fail_after(DEADLINE):
        async with trio.open_nursery() as nursery:
            room = Room(nursery, tmp_path)
            amal = await host(room, "Amal", "358", "--bots", "1", "--option", "deals=3")
            basil = await room.start("Basil", "join", await invite_of(amal), "--name", "Basil", answer=nothing)
            await basil.line_with("Your move")
            basil.kill()
            await basil.wait()
            shutil.copytree(tmp_path / "Basil", tmp_path / "Backup")
            basil = await room.start("Basil", "resume")
            await amal.line_with("Points of this deal")
            basil.kill()
            await basil.wait()
            restored = await room.start("Backup", "resume")
            assert await restored.wait() == 1
            await restored.line_with("older than the game")
            basil = await room.start("Basil", "resume")
            assert [await amal.wait(), await basil.wait()] == [0, 0]
    assert totals(amal) == totals(basil)
    assert not any("caught" in line for line in amal.lines)
    checked([log for log in room.logs() if "Backup" not in str(log)])
