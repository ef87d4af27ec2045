"""The notes of a bot: each line is JSON, whatever the bot noted, and a note that cannot be one harms nobody."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from p2p.notes import NOTES_LIMIT, Notes
from protocol.seat import Answer, peer_codec
from protocol.wire import encode_frame


def kept(folder: Path) -> list[dict[str, object]]:
    def refused(constant: str) -> object:
        raise AssertionError(f"{constant} is not JSON")

    path = folder / "notes.jsonl"
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return [json.loads(line, parse_constant=refused) for line in lines]


def test_what_only_messagepack_can_say_becomes_json(tmp_path: Path) -> None:
    codec = peer_codec()
    noted = {"bytes": b"\0\xff", "none": float("nan"), "much": float("inf"), "name": "أمل"}
    codec.feed(encode_frame({"type": "act", "id": 1, "action": "pass", "info": noted}, 1000))
    answer = codec.next_untrusted()
    assert isinstance(answer, Answer) and answer.info is not None
    Notes(tmp_path).add(3, 71, answer.action, answer.info)
    (line,) = kept(tmp_path)
    assert line == {
        "deal": 3, "step": 71, "action": "pass",
        "info": {"bytes": "AP8=", "none": None, "much": None, "name": "أمل"},
    }  # fmt: skip


LOOP: dict[str, object] = {}
LOOP["again"] = LOOP


@pytest.mark.parametrize("info", [{"object": object()}, {"key": {None: 1}}, LOOP, {"half": "\ud800"}])
def test_what_cannot_be_written_is_left_out(tmp_path: Path, info: Mapping[str, object]) -> None:
    notes = Notes(tmp_path)
    notes.add(0, 1, "pass", info)
    notes.add(0, 2, "pass", {"well": 1})
    assert [line["step"] for line in kept(tmp_path)] == [2]


def test_a_talkative_bot_does_not_fill_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_bytes(b"x" * (NOTES_LIMIT - 10))
    Notes(tmp_path).add(0, 1, "pass", {"too": "long"})
    assert path.stat().st_size == NOTES_LIMIT - 10
