"""What a frame may contain, and how a map becomes a typed message."""

from __future__ import annotations

from typing import Annotated

import msgpack
import msgspec
import pytest

from protocol.errors import Malformed
from protocol.wire import (
    LIMIT_AFTER_AUTH,
    MAX_DEPTH,
    MAX_ITEMS,
    convert_untrusted,
    decode_untrusted,
    pack,
    unpack_untrusted,
)


class Inner(msgspec.Struct, forbid_unknown_fields=True):
    number: Annotated[int, msgspec.Meta(ge=0, le=9)]
    key: bytes = b""


class Outer(msgspec.Struct, tag_field="k", tag="outer"):
    inner: list[Inner]
    name: str = ""


class Other(msgspec.Struct, tag_field="k", tag="other"):
    pass


def nested(depth: int) -> bytes:
    """A map that is this many levels deep, itself included."""
    return b"\x81\xa1a" + b"\x91" * (depth - 2) + b"\x90"


def test_the_deepest_that_is_allowed() -> None:
    unpack_untrusted(nested(MAX_DEPTH))
    with pytest.raises(Malformed, match="too-deep"):
        unpack_untrusted(nested(MAX_DEPTH + 1))


@pytest.mark.parametrize("opener", [b"\x91", b"\x81\xa1a", b"\xdc\x00\x01", b"\xde\x00\x01\xa1a"])
@pytest.mark.parametrize("depth", [100, 500, 1023, 1024, 1025, 5000])
def test_any_depth_is_a_refusal_and_never_a_crash(opener: bytes, depth: int) -> None:
    for end in (b"\x90", b"\xc0", b""):
        body = (b"\x81\xa1a" + opener * depth + end)[:LIMIT_AFTER_AUTH]
        with pytest.raises(Malformed):
            unpack_untrusted(body)


def test_wide_messages_have_a_bound() -> None:
    assert len(unpack_untrusted(pack({"a": [0] * MAX_ITEMS}))["a"]) == MAX_ITEMS  # type: ignore[arg-type]
    with pytest.raises(Malformed, match="frame-garbage"):
        unpack_untrusted(pack({"a": [0] * (MAX_ITEMS + 1)}))


def test_floats_only_where_they_are_asked_for() -> None:
    body = pack({"a": [1.5]})
    with pytest.raises(Malformed, match="frame-garbage"):
        unpack_untrusted(body)
    assert unpack_untrusted(body, floats=True) == {"a": [1.5]}


def test_what_we_pack_is_what_other_libraries_pack() -> None:
    message = {
        "k": "x",
        "n": [0, 127, 128, -1, -33, 2**32],
        "b": b"\0" * 300,
        "t": "كسرة",
        "m": {"z": None, "a": True},
    }
    assert pack(message) == msgpack.packb(message, use_bin_type=True)
    assert unpack_untrusted(pack(message)) == message


@pytest.mark.parametrize(
    ("message", "field"),
    [
        ({"k": "outer", "inner": [{"number": 10}]}, "inner[0].number"),
        ({"k": "outer", "inner": [{"number": 1}, {"number": "1"}]}, "inner[1].number"),
        ({"k": "outer", "inner": [{"number": True}]}, "inner[0].number"),
        ({"k": "outer", "inner": [{"number": 1, "key": "eA=="}]}, "inner[0].key"),
        ({"k": "outer", "inner": [{}]}, "inner[0].number"),
        ({"k": "outer", "inner": [{"number": 1, "zz`$.x`": 1}]}, "inner[0]"),
        ({"k": "outer"}, "inner"),
        ({"k": "outer", "inner": 1}, "inner"),
        ({"k": "outer", "inner": [], "name": b""}, "name"),
        ({"k": "third"}, "k"),
        ({"k": 1}, "k"),
        ({}, "k"),
        ({"k": {"k": "outer"}}, "k"),
    ],
)
def test_a_misfit_names_the_field_and_nothing_of_the_stranger(message: dict[str, object], field: str) -> None:
    with pytest.raises(Malformed, match="message-misfit") as caught:
        convert_untrusted(message, Outer | Other)
    assert caught.value.values == {"field": field}


def test_from_bytes_to_a_typed_message() -> None:
    message = Outer([Inner(3, b"k")], "Amal")
    assert decode_untrusted(pack(message), Outer | Other) == message
    assert decode_untrusted(pack(message), Outer) == message
