"""Bytes of the seat protocol: two encodings of the same messages, and garbage that raises one exception."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import Malformed, Misuse
from protocol.seat import (
    ACTION_LIMIT,
    DEPTH_LIMIT,
    LINE_LIMIT,
    TEXT_LIMIT,
    Act,
    Answer,
    Bye,
    Encoding,
    FromPlayer,
    Ready,
    Say,
    Vote,
    act_message,
    agree_untrusted,
    messages_in,
    peer_codec,
    player_codec,
    schema,
    wanted,
)

READY = b'{"type":"ready","name":"x"}\n'


def peer(data: bytes) -> list[FromPlayer]:
    codec = peer_codec()
    codec.feed(data)
    return list(messages_in(codec))


@pytest.mark.parametrize("encoding", Encoding)
def test_the_peer_answers_in_the_encoding_of_the_first_byte(encoding: Encoding) -> None:
    program, ours = player_codec(encoding), peer_codec()
    ours.feed(program.encode(Ready(name="نرد", wants=["events"])))
    assert ours.next_untrusted() == Ready(name="نرد", wants=["events"])
    assert ours.encoding is encoding
    act = Act(id=3, legal=["play AS"], view={"hand": ["AS"], "x": [1, 2.5, None]})
    program.feed(ours.encode(act))
    assert program.next_untrusted() == act and program.next_untrusted() is None


def test_the_peer_may_not_speak_first() -> None:
    with pytest.raises(Misuse):
        peer_codec().encode(Bye())


@pytest.mark.parametrize("encoding", Encoding)
def test_messages_may_arrive_byte_by_byte(encoding: Encoding) -> None:
    program, ours = player_codec(encoding), peer_codec()
    sent: list[FromPlayer] = [
        Ready(),
        Say(text="مرحبا\nبكم"),
        Answer(id=1, action="pass"),
        Vote(id=2, yes=True),
        Bye(),
    ]
    got: list[FromPlayer] = []
    for byte in b"".join(program.encode(message) for message in sent):
        ours.feed(bytes([byte]))
        got += messages_in(ours)
    assert got == sent


def test_unknown_fields_are_ignored() -> None:
    assert peer(b'{"type":"ready","x":{"y":[1]},"name":"x"}\n') == [Ready(name="x")]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"x", "frame-garbage"),
        (b"[1]", "frame-garbage"),
        (b'"text"', "frame-garbage"),
        (b'{"type":"ready"', "frame-garbage"),
        (b'{"type":"chat","text":"\xff"}', "frame-garbage"),
        (b'{"type":"chat","text":"\\ud800"}', "frame-garbage"),
        (b'{"type":"act","id":' + b"9" * 5000 + b',"action":"pass"}', "frame-garbage"),
        (b'{"a":' * (DEPTH_LIMIT + 1) + b"1" + b"}" * (DEPTH_LIMIT + 1), "too-deep"),
        (b"[" * 60000, "too-deep"),
        (b'{"type":"dance"}', "message-unknown"),
        (b'{"type":["act"]}', "message-unknown"),
        (b"{}", "message-unknown"),
        (b'{"type":"hello"}', "message-unknown"),  # not for a player to say
        (b'{"type":"act","id":1}', "message-misfit"),
        (b'{"type":"act","id":-1,"action":"pass"}', "message-misfit"),
        (b'{"type":"act","id":1.5,"action":"pass"}', "message-misfit"),
        (b'{"type":"act","id":9007199254740992,"action":"pass"}', "message-misfit"),
        (b'{"type":"act","id":1,"action":"' + b"x" * (ACTION_LIMIT + 1) + b'"}', "message-misfit"),
        (b'{"type":"chat","text":"' + b"x" * (TEXT_LIMIT + 1) + b'"}', "message-misfit"),
        (b'{"type":"ready","wants":["events",1]}', "message-misfit"),
    ],
)
def test_a_bad_line_is_refused_and_the_next_one_is_read(line: bytes, code: str) -> None:
    codec = peer_codec()
    codec.feed(READY + line + b"\n" + b'{"type":"bye"}\n')
    assert codec.next_untrusted() == Ready(name="x")
    with pytest.raises(Malformed) as refused:
        codec.next_untrusted()
    assert refused.value.code == code and not codec.broken
    assert codec.next_untrusted() == Bye()


def test_brackets_in_text_are_not_nesting() -> None:
    text = "[{" * 100 + '\\"' + "}]" * 20
    assert peer(b'{"type":"chat","text":' + json.dumps(text).encode() + b"}\n") == [Say(text=text)]


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_a_line_that_is_too_long_ends_the_conversation(end: bytes) -> None:
    codec = peer_codec()
    codec.feed(b'{"type":"chat","text":"' + b"x" * LINE_LIMIT + end)
    with pytest.raises(Malformed) as refused:
        codec.next_untrusted()
    assert refused.value.code == "frame-too-long" and codec.broken
    codec.feed(READY)
    assert codec.next_untrusted() is None


@pytest.mark.parametrize(
    ("first", "code"),
    [
        (b"Loading...\n", "seat-encoding"),
        (b"\xff\xff\xff\xff", "seat-encoding"),
        (b"\0\xff\0\0", "frame-too-long"),
    ],
)
def test_a_first_byte_or_length_that_is_none_ends_the_conversation(first: bytes, code: str) -> None:
    codec = peer_codec()
    codec.feed(first)
    with pytest.raises(Malformed) as refused:
        codec.next_untrusted()
    assert refused.value.code == code and codec.broken and codec.next_untrusted() is None


def test_a_bad_frame_is_refused_and_the_next_one_is_read() -> None:
    codec, program = peer_codec(), player_codec(Encoding.FRAMES)
    codec.feed(program.encode(Ready()) + b"\0\0\0\3abc" + program.encode(Bye()))
    assert codec.next_untrusted() == Ready()
    with pytest.raises(Malformed):
        codec.next_untrusted()
    assert codec.next_untrusted() == Bye()


@given(st.binary(max_size=300), st.sampled_from([b"", b"{", b"\0\0\0\x20", READY, b'{"type":"act",']))
def test_garbage_raises_malformed_and_nothing_else(garbage: bytes, start: bytes) -> None:
    codec = peer_codec()
    codec.feed(start + garbage)
    for _ in range(400):
        try:
            if codec.next_untrusted() is None:
                break
        except Malformed:
            pass
    else:
        pytest.fail("it should have come to an end")


def test_versions_are_agreed_on() -> None:
    assert agree_untrusted((1, 9)) == 1
    with pytest.raises(Malformed) as refused:
        agree_untrusted((2, 9))
    assert refused.value.code == "seat-version"


def test_wants() -> None:
    from protocol.seat import Cancel, Event, Table

    assert wanted(Cancel(id=1), [])
    assert not wanted(Event(deal=1, seat=0, action="pass"), ["table"])
    assert wanted(Event(deal=1, seat=0, action="pass"), ["events"])
    assert not wanted(Table(presence=[]), []) and wanted(Table(presence=[]), ["table"])


def test_nobody_is_asked_without_a_choice() -> None:
    with pytest.raises(Misuse):
        act_message(1, {"legal": []})
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "act", "id": 1, "legal": [], "view": {}}, Act)


def test_every_message_is_in_the_schema() -> None:
    found = schema()["$defs"]
    assert {"Hello", "Act", "Answer", "Clocks", "fromPeer", "fromPlayer"} <= set(found)
    for name, definition in found.items():
        assert "additionalProperties" not in definition, name  # unknown fields are ignored
