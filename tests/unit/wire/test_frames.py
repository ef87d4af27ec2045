"""Cutting a stream into frames: limits are judged from the header, and nothing is lost between pieces."""

from __future__ import annotations

import msgspec
import pytest

from protocol.errors import Malformed, Misuse
from protocol.wire import (
    LIMIT_AFTER_AUTH,
    LIMIT_BEFORE_AUTH,
    FrameReader,
    encode_frame,
    frame,
    pack,
)


class Example(msgspec.Struct, tag_field="k", tag="example"):
    second: int
    first: bytes = b""


def test_a_frame_is_a_length_and_a_map_in_declared_order() -> None:
    body = "83 a16b a76578616d706c65 a67365636f6e64 cd012c a56669727374 c40178"
    assert encode_frame(Example(300, b"x")) == bytes.fromhex("0000001e" + body)


def test_a_map_and_a_struct_are_packed_alike() -> None:
    assert pack({"k": "example", "second": 1, "first": b""}) == pack(Example(1))


def test_frames_come_out_whole_whatever_the_pieces() -> None:
    stream = b"".join(encode_frame({"n": n, "pad": b"p" * n}) for n in range(40))
    for size in (1, 3, 7, 1000, len(stream)):
        reader = FrameReader()
        bodies = []
        for start in range(0, len(stream), size):
            reader.feed(stream[start : start + size])
            bodies += list(reader)
        assert bodies == [pack({"n": n, "pad": b"p" * n}) for n in range(40)]
        reader.finish()


def test_four_gibibytes_are_refused_from_the_header() -> None:
    reader = FrameReader()
    reader.feed(b"\xff\xff\xff")
    assert list(reader) == []
    reader.feed(b"\xff")
    with pytest.raises(Malformed, match="frame-too-long") as caught:
        next(reader)
    assert caught.value.values == {"length": 2**32 - 1, "limit": LIMIT_BEFORE_AUTH}
    assert reader.pending == 4


def test_a_broken_reader_stays_broken() -> None:
    reader = FrameReader()
    reader.feed(b"\xff\xff\xff\xff" + encode_frame({}))
    for _ in range(2):
        with pytest.raises(Malformed, match="frame-too-long"):
            next(reader)


def test_frames_before_the_bad_one_are_delivered() -> None:
    reader = FrameReader()
    reader.feed(encode_frame({"a": 1}) + b"\xff\xff\xff\xff")
    assert next(reader) == pack({"a": 1})
    with pytest.raises(Malformed):
        next(reader)


def test_the_limit_is_raised_between_two_frames() -> None:
    long = encode_frame({"a": b"x" * LIMIT_BEFORE_AUTH})
    reader = FrameReader()
    reader.feed(encode_frame({"a": 1}) + long)
    next(reader)
    reader.limit = LIMIT_AFTER_AUTH
    assert next(reader) == long[4:]


@pytest.mark.parametrize("limit", [LIMIT_BEFORE_AUTH, LIMIT_AFTER_AUTH])
def test_the_longest_frame_passes_and_one_byte_more_does_not(limit: int) -> None:
    reader = FrameReader(limit)
    reader.feed(limit.to_bytes(4, "big") + b"x" * limit)
    assert len(next(reader)) == limit
    reader.feed((limit + 1).to_bytes(4, "big"))
    with pytest.raises(Malformed):
        next(reader)


@pytest.mark.parametrize("cut", [1, 3, 4, 6])
def test_the_end_in_the_middle_of_a_frame_is_told(cut: int) -> None:
    reader = FrameReader()
    reader.feed(encode_frame({"a": 1})[:cut])
    assert list(reader) == []
    with pytest.raises(Malformed, match="frame-truncated"):
        reader.finish()


def test_we_never_send_what_the_other_side_would_refuse() -> None:
    with pytest.raises(Misuse):
        encode_frame({"a": b"x" * LIMIT_AFTER_AUTH})
    with pytest.raises(Misuse):
        frame(b"")
    with pytest.raises(Misuse):
        pack({"a": 2**64})
    with pytest.raises(Misuse):
        pack({"a": object()})
