"""The group: secp256k1 over libsecp256k1, and nothing of it visible above this file.

Names: `q` (`ORDER`) is the prime order, `G` the generator, `k` a scalar (an int, reduced modulo q here), `P` a point.

A `Point` is never the point at infinity: it has no encoding, and an operation that would give it raises
`InfinityError`. For the honest that happens with probability 2⁻²⁵⁶; a verifier treats it as a failed proof. Sums go
through one call of the library however many points they have, so that an intermediate infinity (P − P + R) does no
harm.

Costs, measured on a quiet core: multiplication of any point 19 µs, of G 12 µs, a sum 1.8 µs plus 0.16 µs a point,
parsing 3.5 µs, bytes 0.2 µs. Points stay parsed between operations and keep their bytes once made. The library's
multiplication of arbitrary points takes variable time; that is accepted (SPEC.md). No buffer is shared between
calls: heavy steps run in worker threads, and the library works outside the interpreter's lock.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha512
from typing import Any, Final

from btclib_secp256k1 import ffi, lib
from btclib_secp256k1.context import ctx

from protocol.deck.labels import HASH_TO_POINT
from protocol.errors import Malformed, Misuse

ORDER: Final = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
"""The number of points, q: a prime."""

POINT_BYTES: Final = 33
SCALAR_BYTES: Final = 32

_COMPRESSED: Final = 258  # SECP256K1_EC_COMPRESSED
_POINT: Final = ffi.typeof("secp256k1_pubkey *")
_POINTS: Final = ffi.typeof("const secp256k1_pubkey *[]")
_OUT: Final = ffi.typeof("unsigned char[33]")
_LENGTH: Final = ffi.typeof("size_t *")

_new = ffi.new
_create = lib.secp256k1_ec_pubkey_create
_tweak_mul = lib.secp256k1_ec_pubkey_tweak_mul
_combine = lib.secp256k1_ec_pubkey_combine
_negate = lib.secp256k1_ec_pubkey_negate
_parse = lib.secp256k1_ec_pubkey_parse
_serialize = lib.secp256k1_ec_pubkey_serialize


class InfinityError(ArithmeticError):
    """An operation gave the point at infinity. In a verification this means: the proof is false."""


class Point:
    """A point of the group other than infinity, parsed. Equal when the encodings are; immutable."""

    __slots__ = ("_bytes", "_parsed")

    def __init__(self, parsed: Any) -> None:  # a cffi pointer; only this file makes points
        self._parsed = parsed
        self._bytes: bytes | None = None

    def __eq__(self, other: object) -> bool:
        return encode(self) == encode(other) if isinstance(other, Point) else NotImplemented

    def __hash__(self) -> int:
        return hash(encode(self))

    def __repr__(self) -> str:
        return f"Point({encode(self).hex()})"

    def __reduce__(self) -> tuple[Any, ...]:
        return decode_untrusted, (encode(self),)


def mul_base(k: int) -> Point:
    """k·G, in constant time. Raises `InfinityError` when k ≡ 0."""
    out = _new(_POINT)
    if not _create(ctx, out, (k % ORDER).to_bytes(32, "big")):
        raise InfinityError
    return Point(out)


def mul(k: int, P: Point) -> Point:
    """k·P. Raises `InfinityError` when k ≡ 0."""
    out = _new(_POINT, P._parsed[0])
    if not _tweak_mul(ctx, out, (k % ORDER).to_bytes(32, "big")):
        raise InfinityError
    return Point(out)


def total(points: Iterable[Point]) -> Point:
    """The sum of one or more points. Raises `InfinityError` when it is infinity (or of no points)."""
    parsed = [P._parsed for P in points]
    return _sum(parsed)


def add(*points: Point) -> Point:
    """The sum of the points given; see `total`."""
    return total(points)


def neg(P: Point) -> Point:
    """−P."""
    out = _new(_POINT, P._parsed[0])
    _negate(ctx, out)
    return Point(out)


def sub(P: Point, Q: Point) -> Point:
    """P − Q. Raises `InfinityError` when they are equal."""
    return total((P, neg(Q)))


def msm(scalars: Iterable[int], points: Iterable[Point], base: int = 0) -> Point:
    """base·G + Σ scalars[i]·points[i]: one multiplication a term, one sum at the end.

    Terms whose scalar is 0 modulo q are left out; those with `G` itself (trivial encryptions) go into `base`. Raises
    `InfinityError` when the sum is infinity, `ValueError` when the two lists differ in length.
    """
    parsed: list[Any] = []
    keep = parsed.append
    for k, P in zip(scalars, points, strict=True):
        k %= ORDER
        if P is G:
            base += k
        elif k:
            term = _new(_POINT, P._parsed[0])
            _tweak_mul(ctx, term, k.to_bytes(32, "big"))
            keep(term)
    base %= ORDER
    if base:
        term = _new(_POINT)
        _create(ctx, term, base.to_bytes(32, "big"))
        keep(term)
    return _sum(parsed)


def encode(P: Point) -> bytes:
    """The 33 bytes of a point: 02 or 03 by the parity of y, then x, big-endian (SEC 1, compressed)."""
    known = P._bytes
    if known is None:
        out = _new(_OUT)
        _serialize(ctx, out, _new(_LENGTH, POINT_BYTES), P._parsed, _COMPRESSED)
        known = P._bytes = bytes(out)
    return known


def decode_untrusted(data: bytes) -> Point:
    """A peer's point. Raises `Malformed` unless it is 33 bytes, begins with 02 or 03, and lies on the curve.

    The library alone would also take the uncompressed (04) and hybrid (06, 07) forms: one point must have one encoding.
    """
    if len(data) != POINT_BYTES or data[0] not in (2, 3):
        raise Malformed("point-encoding")
    out = _new(_POINT)
    if not _parse(ctx, out, bytes(data), POINT_BYTES):
        raise Malformed("point-not-on-curve")
    P = Point(out)
    P._bytes = bytes(data)
    return P


def decode_many_untrusted(data: bytes, count: int) -> list[Point]:
    """Exactly `count` points of 33 bytes each, one after another. Raises `Malformed`."""
    if len(data) != POINT_BYTES * count:
        raise Malformed("points-length", {"expected": POINT_BYTES * count, "got": len(data)})
    return [decode_untrusted(data[at : at + POINT_BYTES]) for at in range(0, len(data), POINT_BYTES)]


def scalar_bytes(k: int) -> bytes:
    """A scalar's 32 bytes, big-endian. Raises `Misuse` unless 0 ≤ k < q."""
    if not 0 <= k < ORDER:
        raise Misuse("scalar out of range")
    return k.to_bytes(SCALAR_BYTES, "big")


def scalar_untrusted(data: bytes) -> int:
    """A peer's scalar, 0 ≤ k < q. Raises `Malformed` for a wrong length or a number not below the order."""
    if len(data) != SCALAR_BYTES:
        raise Malformed("scalar-length", {"got": len(data)})
    k = int.from_bytes(data, "big")
    if k >= ORDER:
        raise Malformed("scalar-not-below-order")
    return k


def scalars_untrusted(data: bytes, count: int) -> list[int]:
    """Exactly `count` scalars of 32 bytes each, one after another. Raises `Malformed`."""
    if len(data) != SCALAR_BYTES * count:
        raise Malformed("scalars-length", {"expected": SCALAR_BYTES * count, "got": len(data)})
    return [scalar_untrusted(data[at : at + SCALAR_BYTES]) for at in range(0, len(data), SCALAR_BYTES)]


def hash_to_point(label: str, index: int) -> Point:
    """A public point of which nobody knows a logarithm: the first x that fits, tried in order, with even y.

    x = the first 32 bytes of SHA-512(HASH_TO_POINT ‖ 0 ‖ label ‖ 0 ‖ index ‖ attempt), numbers of 4 bytes, big-endian.
    About two attempts each; used only for fixed public labels, so variable time does not matter.
    """
    prefix = HASH_TO_POINT.encode() + b"\0" + label.encode() + b"\0" + index.to_bytes(4, "big")
    attempt = 0
    while True:
        x = sha512(prefix + attempt.to_bytes(4, "big")).digest()[:32]
        try:
            return decode_untrusted(b"\x02" + x)
        except Malformed:
            attempt += 1


def _sum(parsed: Sequence[Any]) -> Point:
    count = len(parsed)
    if not count:
        raise InfinityError
    out = _new(_POINT)
    if not _combine(ctx, out, _new(_POINTS, parsed), count):
        raise InfinityError
    return Point(out)


G: Final = mul_base(1)
"""The generator."""
