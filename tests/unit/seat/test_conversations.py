"""The recorded conversations and the schema are what the code says today, and they agree with each other."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from jsonschema import Draft202012Validator

from bots import conversation
from bots.check.questions import kind_of, sittings
from engine.games import NAMES as GAMES
from protocol.seat import PEER_MESSAGES, PLAYER_MESSAGES, Act, Answer, Clocks, Encoding, peer_codec, player_codec

ROOT = Path(__file__).parents[3]


CONVERSATIONS = conversation.recorded()
FOLDER = ROOT / "examples" / "conversations"


def recorded(name: str) -> list[dict[str, object]]:
    text = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("name", CONVERSATIONS)
def test_the_recorded_conversation_is_todays(name: str) -> None:
    said = CONVERSATIONS[name]
    file = FOLDER / f"{name}.jsonl"
    assert file.read_text(encoding="utf-8") == conversation.as_lines(said), "run python -m bots.conversation"
    for who in ("peer", "player"):
        assert (FOLDER / f"{name}.{who}.frames").read_bytes() == conversation.as_frames(said, who)


def test_no_conversation_is_left_over() -> None:
    names = {file.name.split(".")[0] for file in FOLDER.iterdir()}
    assert names == set(CONVERSATIONS) and len(list(FOLDER.iterdir())) == 3 * len(names)


@pytest.mark.parametrize("name", CONVERSATIONS)
def test_both_encodings_say_the_same(name: str) -> None:
    player, peer = peer_codec(), player_codec(Encoding.FRAMES)
    player.feed((FOLDER / f"{name}.player.frames").read_bytes())
    peer.feed((FOLDER / f"{name}.peer.frames").read_bytes())
    read = {"player": player, "peer": peer}
    for line in recorded(name):
        message = read[str(line["from"])].next_untrusted()
        assert json.loads(msgspec.json.encode(message)) == line["message"]
    assert player.next_untrusted() is None and peer.next_untrusted() is None


def test_the_schema_and_the_guide_are_todays() -> None:
    assert (ROOT / "docs" / "seat-schema.json").read_text(encoding="utf-8") == conversation.schema_text()
    guide = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    assert conversation.with_story(guide) == guide, "run python -m bots.conversation"


@pytest.mark.parametrize("name", CONVERSATIONS)
def test_schema_and_structs_accept_the_same_conversation(name: str) -> None:
    definitions = json.loads((ROOT / "docs" / "seat-schema.json").read_text(encoding="utf-8"))
    side = {
        who: Draft202012Validator({**definitions, "anyOf": [{"$ref": f"#/$defs/{name}"}]})
        for who, name in (("peer", "fromPeer"), ("player", "fromPlayer"))
    }
    peer, player = peer_codec(), player_codec(Encoding.JSON)
    open_question: object = None
    for line in recorded(name):
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
            assert read.action in open_question["legal"] or name == "manners"


def test_every_message_of_the_protocol_is_recorded() -> None:
    kinds = {(who, type(message)) for said in CONVERSATIONS.values() for who, message in said}
    assert kinds == {*(("peer", kind) for kind in PEER_MESSAGES), *(("player", kind) for kind in PLAYER_MESSAGES)}


def test_every_kind_of_question_is_recorded() -> None:
    asked = {(act.view["game"], kind_of(act)) for _, act in CONVERSATIONS["phases"] if isinstance(act, Act)}
    todays = {
        (game, kind_of(act)) for game in GAMES for sitting in sittings(game, Clocks()) for act in sitting.acts
    }
    assert asked == todays


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
