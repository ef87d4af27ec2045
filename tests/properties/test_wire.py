"""Whatever bytes come, the wire raises Malformed or gives a map; and what we write reads back."""

from __future__ import annotations

from typing import Any

import msgpack
from hypothesis import example, given
from hypothesis import strategies as st

from p2p.invite import read_invite_untrusted
from p2p.journal import read_records_untrusted
from protocol.errors import Malformed, Refused
from protocol.handshake import Auth, Hello, ServerAnswer
from protocol.wire import (
    LIMIT_BEFORE_AUTH,
    FrameReader,
    convert_untrusted,
    encode_frame,
    frame,
    pack,
    unpack_untrusted,
)

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.binary(max_size=40)
    | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
MAPS = st.dictionaries(st.text(max_size=8), VALUES, max_size=6)
ANYTHING = st.recursive(
    st.none()
    | st.floats()
    | st.integers(-(2**63), 2**64 - 1)
    | st.binary(max_size=40)
    | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=6) | st.integers(0, 9), inner, max_size=3)
    ),
    max_leaves=12,
)


def read_all(data: bytes) -> None:
    """Everything that a peer's bytes pass through before the table sees them."""
    reader = FrameReader(LIMIT_BEFORE_AUTH)
    reader.feed(data)
    for body in reader:
        found = unpack_untrusted(body)
        for schema in (Hello, Auth, ServerAnswer):
            try:
                convert_untrusted(found, schema)
            except Malformed:
                continue
    reader.finish()


@given(st.binary(max_size=300))
@example(b"\xff\xff\xff\xff")
@example(b"\x00\x00\x0f\xff" + b"\x91" * 0xFFF)
def test_garbage_raises_malformed_only(data: bytes) -> None:
    try:
        read_all(data)
    except Malformed:
        pass


@given(st.binary(min_size=1, max_size=300))
def test_garbage_in_a_frame_raises_malformed_only(body: bytes) -> None:
    try:
        read_all(frame(body))
    except Malformed:
        pass


@given(ANYTHING)
def test_any_messagepack_raises_malformed_only(value: object) -> None:
    try:
        read_all(frame(msgpack.packb(value)))
    except Malformed:
        pass


@given(MAPS, st.data())
def test_a_changed_byte_raises_malformed_only(message: dict[str, object], data: st.DataObject) -> None:
    stream = bytearray(encode_frame({"k": "hello", **message}))
    stream[data.draw(st.integers(0, len(stream) - 1))] = data.draw(st.integers(0, 255))
    try:
        read_all(bytes(stream))
    except Malformed:
        pass


@given(MAPS)
def test_what_is_packed_is_unpacked(message: dict[str, object]) -> None:
    assert unpack_untrusted(pack(message)) == message
    assert pack(unpack_untrusted(pack(message))) == pack(message)


@given(st.lists(MAPS, max_size=6), st.lists(st.integers(1, 50), min_size=1, max_size=20))
def test_pieces_do_not_matter(messages: list[dict[str, object]], sizes: list[int]) -> None:
    stream = b"".join(map(encode_frame, messages))
    reader, bodies, at, turn = FrameReader(), list[bytes](), 0, 0
    while at < len(stream):
        size = sizes[turn % len(sizes)]
        reader.feed(stream[at : at + size])
        bodies += list(reader)
        at, turn = at + size, turn + 1
    reader.finish()
    assert bodies == list(map(pack, messages))


@given(st.text(max_size=200) | st.text(alphabet="majlis1:abcdefgh234567 ", max_size=300))
def test_any_text_as_an_invite_raises_a_refusal_only(text: str) -> None:
    for written in (text, "majlis1:" + text):
        try:
            read_invite_untrusted(written)
        except Refused:
            pass


@given(st.binary(max_size=200))
def test_any_file_as_a_journal_raises_a_refusal_only(data: bytes) -> None:
    try:
        found = read_records_untrusted(data)
    except Refused as refused:
        assert refused.code == "store-damaged"
    else:
        assert found.end + found.torn == len(data)
