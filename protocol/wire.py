"""Bytes between peers: frames, their limits, and what a frame may contain. Sans-IO.

A frame is a 4-byte big-endian length and a body of exactly that many bytes; the body is one MessagePack map::

    frame  = length body          length = uint32, big endian, 1 … limit
    body   = map                  string keys, each at most once; no extension types; at most MAX_DEPTH deep

Before a peer has proved who it is, a body may be `LIMIT_BEFORE_AUTH` long, afterwards `LIMIT_AFTER_AUTH`. The
length is judged from the header alone, so a claimed 4 GiB costs four bytes of memory. Numbers between peers
are integers: floats print and compare differently from language to language, and nothing at a card table
needs them (the seat protocol, which speaks to programs on the same machine, may ask for them).

Two libraries share the work. `msgpack` decodes, because its limits on every length hold before it allocates.
`msgspec` checks the decoded map against a message's schema and encodes, in the order in which the schema
names the fields, so that one message has one encoding.

Everything that reads a peer's bytes raises `Malformed` and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar, overload

import msgpack
import msgspec

from protocol.errors import Malformed, Misuse

T = TypeVar("T")

HEADER_LENGTH = 4
"""Bytes of a frame's length. Four, so that a reader in any language needs one standard read."""

LIMIT_BEFORE_AUTH = 4 * 1024
"""Longest body from somebody who has not yet proved a key: the longest honest one (a refusal) is below 2 KiB,
and strangers should not be able to fill memory."""

LIMIT_AFTER_AUTH = 64 * 1024
"""Longest body from an authenticated peer: a shuffle with its proof is about 10.4 kB, a deal share for four
seats less; six times that leaves room for new games without letting one peer hold much of anybody's
memory."""

MAX_DEPTH = 16
"""Deepest nesting of maps and lists. The deepest honest message (a log entry within an order within a batch,
holding a proof) needs seven; everything that walks a message later may recurse without a care."""

MAX_ITEMS = 4096
"""Most items of one list and pairs of one map. The longest honest list, the answers of a shuffle proof, has
some hundred."""


def pack(message: Mapping[str, object] | msgspec.Struct) -> bytes:
    """One MessagePack map: fields in declared order, shortest form of every number, bytes as `bin`, text as
    `str`."""
    try:
        return msgspec.msgpack.encode(message)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise Misuse(f"cannot be packed: {type(message).__name__}: {error}") from error


def frame(body: bytes, limit: int = LIMIT_AFTER_AUTH) -> bytes:
    """A body that is already packed, with its length in front."""
    if not 0 < len(body) <= limit:
        raise Misuse(f"a frame of {len(body)} bytes; allowed are 1 to {limit}")
    return len(body).to_bytes(HEADER_LENGTH, "big") + body


def encode_frame(message: Mapping[str, object] | msgspec.Struct, limit: int = LIMIT_AFTER_AUTH) -> bytes:
    """A message as it goes on the wire. Raises Misuse if it is longer than the reader would accept."""
    return frame(pack(message), limit)


class FrameReader:
    """Cuts a stream of bytes into frame bodies.

    Feed it what arrived, then iterate: it gives every complete body and stops when it needs more. `limit` is
    looked at when a frame's header is, and one frame is cut at a time, so raising it between two frames holds
    from the next one on. After a `Malformed` the reader stays broken: there is no way to find the next frame.
    """

    def __init__(self, limit: int = LIMIT_BEFORE_AUTH) -> None:
        self.limit = limit
        self._buffer = bytearray()

    def feed(self, data: bytes | bytearray | memoryview) -> None:
        """Take bytes as they came. Nothing is judged before iteration."""
        self._buffer += data

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        buffer = self._buffer
        if len(buffer) < HEADER_LENGTH:
            raise StopIteration
        length = int.from_bytes(buffer[:HEADER_LENGTH], "big")
        if length > self.limit:
            raise Malformed("frame-too-long", {"length": length, "limit": self.limit})
        end = HEADER_LENGTH + length
        if len(buffer) < end:
            raise StopIteration
        body = bytes(buffer[HEADER_LENGTH:end])
        del buffer[:end]
        return body

    @property
    def pending(self) -> int:
        """How many bytes wait for the rest of their frame."""
        return len(self._buffer)

    def finish(self) -> None:
        """Say that the stream has ended. Raises Malformed('frame-truncated') in the middle of a frame."""
        if self._buffer:
            raise Malformed("frame-truncated", {"length": len(self._buffer)})


def unpack_untrusted(body: bytes, *, floats: bool = False) -> dict[str, object]:
    """The one map that a body holds.

    Raises Malformed: ``frame-garbage`` for anything but one MessagePack map with distinct string keys and
    allowed values, ``too-deep`` for more than MAX_DEPTH levels.
    """
    try:
        found = msgpack.unpackb(
            body,
            raw=False,
            strict_map_key=True,
            object_pairs_hook=_map_untrusted,
            max_str_len=len(body),
            max_bin_len=len(body),
            max_array_len=min(len(body), MAX_ITEMS),
            max_map_len=min(len(body), MAX_ITEMS),
            max_ext_len=0,
        )
    except Malformed:
        raise
    except (msgpack.exceptions.StackError, RecursionError):
        raise Malformed("too-deep", {"limit": MAX_DEPTH}) from None
    except Exception:  # msgpack raises many classes, from ValueError to its own; each means the same to us
        raise Malformed("frame-garbage", {"length": len(body)}) from None
    if type(found) is not dict:
        raise Malformed("frame-garbage", {"length": len(body)})
    _check_values_untrusted(found, floats)
    return found


def _map_untrusted(pairs: list[tuple[object, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if type(key) is not str or key in found:
            raise Malformed("frame-garbage", {"length": len(pairs)})
        found[key] = value
    return found


def _check_values_untrusted(found: dict[str, object], floats: bool) -> None:
    """Level by level instead of recursively, so that the depth of what came cannot hurt the one who measures
    it."""
    level: list[Any] = [found]
    for _ in range(MAX_DEPTH):
        items = [item for whole in level for item in (whole.values() if type(whole) is dict else whole)]
        if not floats and float in set(map(type, items)):
            raise Malformed("frame-garbage", {"length": len(items)})
        level = [item for item in items if type(item) is dict or type(item) is list]
        if not level:
            return
    raise Malformed("too-deep", {"limit": MAX_DEPTH})


@overload
def convert_untrusted(found: object, schema: type[T]) -> T: ...
@overload
def convert_untrusted(found: object, schema: Any) -> Any: ...
def convert_untrusted(found: object, schema: Any) -> Any:
    """The typed message that a map stands for; `schema` is a msgspec Struct or a union of tagged ones.

    Strict: no text for a number, no base64 for bytes. Raises Malformed('message-misfit', field=…) naming the
    field.
    """
    try:
        return msgspec.convert(found, schema, strict=True, builtin_types=(bytes,))
    except msgspec.ValidationError as error:
        raise Malformed("message-misfit", {"field": _field_of(str(error))}) from None
    except RecursionError:
        raise Malformed("too-deep", {"limit": MAX_DEPTH}) from None


@overload
def decode_untrusted(body: bytes, schema: type[T]) -> T: ...
@overload
def decode_untrusted(body: bytes, schema: Any) -> Any: ...
def decode_untrusted(body: bytes, schema: Any) -> Any:
    """`unpack_untrusted`, then `convert_untrusted`: from a frame's body to a typed message."""
    return convert_untrusted(unpack_untrusted(body), schema)


_PLACE = re.compile(r" - at `\$\.?([A-Za-z0-9_.\[\]]*?)`$")
_MISSING = re.compile(r"missing required field `([A-Za-z0-9_]+)`")
FIELD_PATH_LENGTH = 80
"""Longest field path in a sentence. Ours are below 40; a longer one is built from a peer's text."""


def _field_of(complaint: str) -> str:
    """The field that msgspec's sentence is about, such as ``order.height``; only names from our own
    schemas."""
    place = _PLACE.search(complaint)
    missing = _MISSING.search(complaint)
    parts = [part.group(1) for part in (place, missing) if part is not None and part.group(1)]
    return ".".join(parts)[:FIELD_PATH_LENGTH] or "message"
