"""The recorded conversations and the schema are what the code says today, and they agree with each other."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from jsonschema import Draft202012Validator

from bots.conversation import as_lines, conversation, schema_text, with_story
from engine.games import NAMES as GAMES
from protocol.seat import PEER_MESSAGES, PLAYER_MESSAGES, Answer, Encoding, peer_codec, player_codec

ROOT = Path(__file__).parents[3]


def recorded(game: str) -> list[dict[str, object]]:
    text = (ROOT / "examples" / "conversations" / f"{game}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("game", GAMES)
def test_the_recorded_conversation_is_todays(game: str) -> None:
    file = ROOT / "examples" / "conversations" / f"{game}.jsonl"
    assert file.read_text(encoding="utf-8") == as_lines(conversation(game)), "run python -m bots.conversation"


def test_the_schema_and_the_guide_are_todays() -> None:
    assert (ROOT / "docs" / "seat-schema.json").read_text(encoding="utf-8") == schema_text()
    guide = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    assert with_story(guide) == guide, "run python -m bots.conversation"


@pytest.mark.parametrize("game", GAMES)
def test_schema_and_structs_accept_the_same_conversation(game: str) -> None:
    definitions = json.loads((ROOT / "docs" / "seat-schema.json").read_text(encoding="utf-8"))
    side = {
        who: Draft202012Validator({**definitions, "anyOf": [{"$ref": f"#/$defs/{name}"}]})
        for who, name in (("peer", "fromPeer"), ("player", "fromPlayer"))
    }
    peer, player = peer_codec(), player_codec(Encoding.JSON)
    open_question: object = None
    for line in recorded(game):
        who, message = str(line["from"]), line["message"]
        assert isinstance(message, dict)
        side[who].validate(message)
        reader = peer if who == "player" else player
        reader.feed(json.dumps(message).encode() + b"\n")
        read = reader.next_untrusted()
        assert read is not None and msgspec.to_builtins(read)["type"] == message["type"]
        if message["type"] == "act" and who == "peer":
            open_question = message
        if isinstance(read, Answer):
            assert isinstance(open_question, dict) and read.id == open_question["id"]
            assert read.action in open_question["legal"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"type": "act", "id": 1, "legal": [], "view": {}},
        {"type": "act", "id": -1, "legal": ["pass"], "view": {}},
        {"type": "chat", "text": "x" * 501},
        {"type": "vote", "id": 1},
        {"type": "dance"},
    ],
)
def test_schema_and_structs_refuse_the_same(wrong: dict[str, object]) -> None:
    validator = Draft202012Validator(
        json.loads((ROOT / "docs" / "seat-schema.json").read_text(encoding="utf-8"))
    )
    assert not validator.is_valid(wrong)
    for kinds in (PEER_MESSAGES, PLAYER_MESSAGES):
        for kind in kinds:
            with pytest.raises(msgspec.ValidationError):
                msgspec.convert(wrong, kind)


def test_kasra_shows_every_phase() -> None:
    said = recorded("kasra")
    messages = [line["message"] for line in said]
    kinds = {message["type"] for message in messages if isinstance(message, dict)}
    assert {"ready", "hello", "act", "deal", "event", "score", "end"} <= kinds
    actions = " ".join(str(message.get("action")) for message in messages if isinstance(message, dict))
    for word in (
        "show",
        "game complex",
        "game trix",
        "game tarneeb",
        "game ltooshain",
        "double",
        "trump",
        "pass",
    ):
        assert word in actions
