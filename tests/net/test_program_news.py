"""A program at a real table hears who is there and what is said, may vote, and its notes are kept."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import trio

from tests.net.processes import DEADLINE, Room, first_choice, host, invite_of, nothing

LISTENER = '''
import json, sys
def say(**fields):
    print(json.dumps(fields), flush=True)
say(type="ready", wants=["events", "table"])
log = open(sys.argv[1], "a", encoding="utf-8")
for line in sys.stdin:
    message = json.loads(line)
    log.write(line); log.flush()
    if message["type"] == "act":
        say(type="act", id=message["id"], action=message["legal"][0], info={"of": len(message["legal"])})
    elif message["type"] == "ask":
        say(type="vote", id=message["id"], yes=True)
    elif message["type"] == "ping":
        say(type="pong")
    elif message["type"] == "end":
        break
'''


async def test_a_program_hears_of_the_table_and_votes(tmp_path: Path) -> None:
    script, heard = tmp_path / "listener.py", tmp_path / "heard.jsonl"
    script.write_text(LISTENER, "utf-8")
    said = False

    def amal_types(line: str) -> str | None:
        nonlocal said
        if "/vote " in line:
            return "/vote " + line.rsplit("/vote ", 1)[1]
        if not said and line.startswith("Deal 1"):
            said = True
            return "/say good luck"
        return first_choice(line)

    options = ("--option", "kingdoms=1", "--option", "away_minutes=0", "--bots", "1")
    with trio.fail_after(DEADLINE):
        async with trio.open_nursery() as nursery:
            room = Room(nursery, tmp_path / "room")
            amal = await host(room, "Amal", "kasra", *options, answer=amal_types)
            invite = await invite_of(amal)
            command = f"{sys.executable} {script} {heard}"
            program = await room.start("Program", "join", invite, "--name", "Program", "--bot", command)
            basil = await room.start("Basil", "join", invite, "--name", "Basil", answer=nothing)
            await basil.line_with("Your move")
            basil.kill()
            await basil.wait()
            await amal.line_with("Program votes that the stand-in plays for Basil")
            assert [await amal.wait(), await program.wait()] == [0, 0]
    messages = [json.loads(line) for line in heard.read_text("utf-8").splitlines()]
    kinds = {message["type"] for message in messages}
    assert {"hello", "act", "deal", "event", "score", "end", "table", "chat", "ask"} <= kinds
    assert any(message["text"] == "good luck" for message in messages if message["type"] == "chat")
    seats = [message["presence"] for message in messages if message["type"] == "table"]
    assert any(seat["name"] == "Basil" and seat["state"] == "missing" for table in seats for seat in table)
    assert any(seat["name"] == "Bot 1" and seat["bot_of"] >= 0 for table in seats for seat in table)
    (notes,) = (tmp_path / "room" / "Program").glob("tables/*/notes.jsonl")
    first = json.loads(notes.read_text("utf-8").splitlines()[0])
    assert first["deal"] == 1 and first["info"]["of"] >= 1 and first["action"]
