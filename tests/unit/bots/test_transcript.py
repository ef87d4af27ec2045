"""The transcript of a seat: everything that was said, nothing that gives access, and never a reason to stop."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bots import transcript
from bots.transcript import Transcript
from protocol.seat import Ping, Ready, player_codec


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


async def test_what_was_said_is_kept_in_order_without_the_token(tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    tape = Transcript(file)
    tape.started()
    tape.player(Ready(name="mine", token="0123456789abcdef"))
    tape.peer(Ping())
    tape.refused("message-misfit", b'{"type":"ready", "token" : "0123456789abcdef","versions":1}')
    tape.refused("frame-garbage", b"\xff\x00thinking")
    tape.ended(3)
    kept = lines(file)
    assert [line.get("run") or line.get("refused") or line["from"] for line in kept] == [
        "started", "player", "peer", "message-misfit", "frame-garbage", "ended",
    ]  # fmt: skip
    assert "code" not in kept[0] and kept[-1]["code"] == 3
    assert kept[1]["message"] == {"type": "ready", "name": "mine", "token": "…"}
    assert kept[4]["text"] == "\\xff\x00thinking"
    assert "0123456789abcdef" not in file.read_text("utf-8")
    assert file.stat().st_mode & 0o077 == 0  # it holds the seat's cards
    message = player_codec()
    message.feed(json.dumps(kept[2]["message"]).encode() + b"\n")
    assert message.next_untrusted() == Ping()


async def test_a_full_disk_and_an_endless_talk_do_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere = Transcript(tmp_path / "no" / "such" / "folder")
    nowhere.peer(Ping())
    assert nowhere.trouble
    monkeypatch.setattr(transcript, "TRANSCRIPT_LIMIT", 100)
    tape = Transcript(tmp_path / "talk.jsonl")
    for _ in range(50):
        tape.peer(Ping())
    assert len(lines(tmp_path / "talk.jsonl")) == 1 and not tape.trouble
