"""A face-down card: ElGamal encryption of one of 52 public points.

Names: `x`, `Y = x·G` secret and public key; `r` the randomness of an encryption; `M[v]` (`CARD_POINTS`) the point
that stands for card v = 0..51, hashed to the curve from a fixed label; `(a, b) = (r·G, M[v] + r·Y)` the card under
`Y`. A *trivial* encryption has r = 1: anybody can make it and anybody sees what it holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from protocol.deck.group import (
    POINT_BYTES,
    G,
    InfinityError,
    Point,
    add,
    decode_untrusted,
    encode,
    hash_to_point,
    mul,
    mul_base,
    sub,
)
from protocol.deck.labels import POINT_CARD
from protocol.errors import BadProof, Malformed

CARDS: Final = 52
CIPHER_BYTES: Final = 2 * POINT_BYTES

CARD_POINTS: Final[tuple[Point, ...]] = tuple(hash_to_point(POINT_CARD, v) for v in range(CARDS))
"""M[v], the point of card v = 13·suit + rank."""

_CARD_OF: Final = {encode(M): v for v, M in enumerate(CARD_POINTS)}


class Cipher(NamedTuple):
    """A card face down under some key: `a = r·G`, `b = M[v] + r·Y`."""

    a: Point
    b: Point


def trivial(v: int, Y: Point) -> Cipher:
    """Card v under Y with r = 1, open to everybody: `(G, M[v] + Y)`."""
    return Cipher(G, add(CARD_POINTS[v], Y))


def fresh_pack(Y: Point) -> list[Cipher]:
    """The 52 cards in order, trivially encrypted: what the first seat shuffles."""
    return [trivial(v, Y) for v in range(CARDS)]


def encrypt(v: int, r: int, Y: Point) -> Cipher:
    """Card v under Y with randomness r."""
    return Cipher(mul_base(r), add(CARD_POINTS[v], mul(r, Y)))


def card_of(M: Point) -> int:
    """The card that a point stands for. Raises `BadProof` ``card-not-in-pack`` when it is none."""
    v = _CARD_OF.get(encode(M))
    if v is None:
        raise BadProof("card-not-in-pack")
    return v


def decrypt(x: int, cipher: Cipher) -> int:
    """The card under the key x. Raises `BadProof` ``card-not-in-pack`` when it is no card."""
    try:
        return card_of(sub(cipher.b, mul(x, cipher.a)))
    except InfinityError:
        raise BadProof("card-not-in-pack") from None


def flatten(ciphers: Iterable[Cipher]) -> list[Point]:
    """a, b, a, b, … for transcripts and encodings."""
    return [point for cipher in ciphers for point in cipher]


def encode_ciphers(ciphers: Sequence[Cipher]) -> bytes:
    """66 bytes a card: a, then b."""
    return b"".join(map(encode, flatten(ciphers)))


def decode_ciphers_untrusted(data: bytes, count: int) -> list[Cipher]:
    """Exactly `count` face-down cards. Raises `Malformed`, before any arithmetic, for another length."""
    if len(data) != CIPHER_BYTES * count:
        raise Malformed("ciphers-length", {"expected": CIPHER_BYTES * count, "got": len(data)})
    points = [decode_untrusted(data[at : at + POINT_BYTES]) for at in range(0, len(data), POINT_BYTES)]
    return [Cipher(points[at], points[at + 1]) for at in range(0, len(points), 2)]
