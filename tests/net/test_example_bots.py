"""The example bots at a real table, beside a person at a keyboard and bots of the host's; and one that is killed."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
import trio

from protocol.seat import Act, Answer, End, Error, Ready, player_codec
from tests.net.processes import DEADLINE, Program, Room, first_choice, host, invite_of, nothing, totals
from tests.net.test_tables import checked

EXAMPLES = Path(__file__).parents[2] / "examples"
KASRA, SHORTER = ("kasra", "--option", "kingdoms=1"), ("358", "--option", "deals=3")
PYTHON = f"{shlex.quote(sys.executable)} -E"

MORTAL = '''
import json, os, socket, sys
def say(**fields):
    print(json.dumps(fields), flush=True)
say(type="ready", name="mortal")
port, mark = int(sys.argv[1]), sys.argv[2]
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "act":
        if message["view"]["trick"] and not os.path.exists(mark):
            open(mark, "w").close()
            with socket.create_connection(("127.0.0.1", port)) as test:
                test.sendall(str(os.getpid()).encode())
                test.recv(1)  # killed while it thinks
        say(type="act", id=message["id"], action=message["legal"][-1])
'''


def talk_of(room: Room, player: str) -> list[dict[str, Any]]:
    """What was said at the seat of a program."""
    (file,) = (room.folder / player).glob("tables/*/bot-talk.jsonl")
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def said(talk: list[dict[str, Any]], who: str, kind: str) -> list[dict[str, Any]]:
    return [line["message"] for line in talk if line.get("from") == who and line.get("message", {}).get("type") == kind]


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
async def test_the_example_bots_play_a_whole_game_beside_a_person(tmp_path: Path, c_bot: str) -> None:
    commands = {
        "C": c_bot,
        "Node": f"node {shlex.quote(str(EXAMPLES / 'bot.js'))}",
        "Python": f"{PYTHON} {shlex.quote(str(EXAMPLES / 'bot.py'))}",
    }
    with trio.fail_after(DEADLINE):
        async with trio.open_nursery() as nursery:
            room = Room(nursery, tmp_path)
            amal = await host(room, "Amal", *KASRA)
            invite = await invite_of(amal)
            bots = [
                await room.start(name, "join", invite, "--name", name, "--bot", command)
                for name, command in commands.items()
            ]
            assert [await program.wait() for program in (amal, *bots)] == [0, 0, 0, 0]
    assert totals(amal) == totals(bots[0]) == totals(bots[1]) == totals(bots[2])
    checked(room.logs())
    for name in commands:
        talk = talk_of(room, name)
        hello = said(talk, "peer", "hello")[0]
        assert hello["clocks"] == {"startup": 10.0, "move": 5.0, "bank": 20.0}
        assert hello["capabilities"] == ["chat", "notes", "votes"]
        assert len(said(talk, "peer", "act")) == len(said(talk, "player", "act")) >= 4
        assert said(talk, "peer", "error") == [] and not any("refused" in line for line in talk)
        assert said(talk, "peer", "end")[0]["totals"] == totals(amal)


async def test_a_bot_killed_in_mid_turn_costs_nobody_else_anything(tmp_path: Path) -> None:
    script, mark = tmp_path / "mortal.py", tmp_path / "killed"
    script.write_text(MORTAL, "utf-8")
    with trio.fail_after(DEADLINE):
        async with trio.open_nursery() as nursery:
            room = Room(nursery, tmp_path / "room")
            (door,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
            amal = await host(room, "Amal", *SHORTER)
            invite = await invite_of(amal)
            basil = await room.start("Basil", "join", invite, "--name", "Basil", answer=first_choice)
            port = door.socket.getsockname()[1]
            command = f"{PYTHON} {shlex.quote(str(script))} {port} {shlex.quote(str(mark))}"
            mortal = await room.start("Mortal", "join", invite, "--name", "Mortal", "--bot", command)
            async with await door.accept() as waiting:
                os.kill(int(await waiting.receive_some(20)), signal.SIGKILL)
            await door.aclose()
            assert [await program.wait() for program in (amal, basil, mortal)] == [0, 0, 0]
    assert totals(amal) == totals(basil) == totals(mortal)
    checked(room.logs())
    assert any("started again (1 of 3)" in line for line in mortal.lines)
    for other in (amal, basil):
        assert not any(word in line for line in told_of(other) for word in ("stand-in", "/vote", "connection", "late"))
    talk = talk_of(room, "Mortal")
    again = next(number for number, line in enumerate(talk) if line.get("run") == "started" and number)
    before, after = said(talk[:again], "peer", "act")[-1], said(talk[again:], "peer", "act")[0]
    assert before == after, "the very same question"
    assert said(talk[again:], "player", "act")[0] == {"type": "act", "id": after["id"], "action": after["legal"][-1]}
    events = [line for line in amal.lines if line.startswith("Mortal")]
    assert events, "its seat played on"


async def test_a_program_at_its_own_port_comes_back_after_a_cut_to_the_same_question(tmp_path: Path) -> None:
    with trio.fail_after(DEADLINE):
        async with trio.open_nursery() as nursery:
            room = Room(nursery, tmp_path)
            amal = await host(room, "Amal", *SHORTER, "--bots", "2", "--no-seat", answer=nothing)
            invite = await invite_of(amal)
            door = await room.start("Door", "join", invite, "--name", "Door", "--seat-port", "0")
            found = re.search(r"127\.0\.0\.1:(\d+) with token ([0-9a-f]+)", await door.line_with("with token"))
            assert found is not None
            port, token = int(found[1]), found[2]
            assert isinstance(await play_at(port, "0" * 16, 0), Error)
            cut = await play_at(port, token, 3)
            assert isinstance(cut, Act)
            back = await play_at(port, token, 0, again=cut)
            assert isinstance(back, End)
            assert [await amal.wait(), await door.wait()] == [0, 0]
    checked(room.logs())
    assert not any(token in line for line in map(str, talk_of(room, "Door")))
    assert list(back.totals) == totals(door)


async def play_at(port: int, token: str, cut: int, again: Act | None = None) -> Act | End | Error:
    """Plays over TCP until the end, a refusal, or question number `cut`, at which the connection breaks. `again`: what
    must be asked first."""
    codec = player_codec()
    async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
        await stream.send_all(codec.encode(Ready(token=token, name="door")))
        asked = 0
        async for data in stream:
            codec.feed(data)
            while (message := codec.next_untrusted()) is not None:
                match message:
                    case Act():
                        asked += 1
                        assert asked > 1 or again is None or message == again
                        if asked == cut:
                            return message
                        await stream.send_all(codec.encode(Answer(id=message.id, action=message.legal[0])))
                    case End() | Error():
                        return message
    raise AssertionError("hung up")


def told_of(program: Program) -> list[str]:
    """What a person was told about the bot that was killed."""
    return [line for line in program.lines if "Mortal" in line]
