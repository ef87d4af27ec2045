"""Where secret numbers come from: a peer's stored master secret, and nonces that one bad random source cannot break.

A nonce used twice, or known in part, gives away the key (the classic loss of a Schnorr key). So a proof's nonces are
derived from three things at once: the secret that is proved, the transcript so far, and fresh random bytes that the
caller passes in. Good randomness alone suffices; so does a good secret with a transcript that never repeats.

Keys and shares come from the master secret by HMAC-SHA512, so that a peer that starts again can still open what it
committed to. Nothing here is ever printed.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from hashlib import sha512, shake_256

from protocol.deck import labels
from protocol.deck.group import ORDER, scalar_bytes
from protocol.deck.transcript import Transcript
from protocol.errors import Misuse

MASTER_BYTES = 32
FRESH_BYTES = 32
_WIDE = 64  # bytes per scalar: reduced modulo q, the bias is below 2⁻²⁵⁶


@dataclass(frozen=True)
class Secrets:
    """What a peer derives everything secret from: 32 random bytes, made once a table and stored with mode 0600."""

    master: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if len(self.master) != MASTER_BYTES:
            raise Misuse("the master secret has 32 bytes")

    def derive(self, label: str, *parts: bytes | int | str) -> bytes:
        """64 bytes for one label and its parts (each framed by kind and length). Different parts, unrelated bytes."""
        return hmac.digest(self.master, _framed(label.encode(), *map(_part, parts)), "sha512")

    def scalar(self, label: str, *parts: bytes | int | str) -> int:
        """A scalar other than 0 for one label and its parts."""
        return int.from_bytes(self.derive(label, *parts), "big") % (ORDER - 1) + 1

    def deal_key(self, table: bytes, serial: int) -> int:
        """x, this peer's key for one attempt to deal."""
        return self.scalar(labels.DERIVE_DEAL_KEY, table, serial)

    def key_salt(self, table: bytes, serial: int) -> bytes:
        """The 32-byte salt of the commitment to that key."""
        return self.derive(labels.DERIVE_KEY_SALT, table, serial)[:32]

    def recovery_share(self, table: bytes, serial: int, to: int) -> int:
        """The share of that key meant for seat `to` (for all recipients but the last, whose share is the rest)."""
        return self.scalar(labels.DERIVE_RECOVERY_SHARE, table, serial, to)

    def seal_nonce(self, table: bytes, serial: int, seat: int, step: str) -> bytes:
        """The 32-byte nonce that hides a sealed value until it is opened (`sealed`)."""
        return self.derive(labels.DERIVE_SEAL_NONCE, table, serial, seat, step)[:32]


class Nonces:
    """A stream of secret scalars for one proof: a function of the secret, the transcript and the fresh bytes.

    `secret` is everything secret that the proof uses, as bytes. Ask for all scalars of one transcript state from one
    stream; after absorbing more, make a new one.
    """

    __slots__ = ("_key", "_used")

    def __init__(self, secret: bytes, transcript: Transcript, fresh: bytes) -> None:
        if len(fresh) < FRESH_BYTES:
            raise Misuse("nonces need at least 32 fresh bytes")
        self._key = sha512(_framed(labels.DERIVE_NONCES.encode(), secret, transcript.state(), fresh)).digest()
        self._used = 0

    def __repr__(self) -> str:
        return "Nonces(…)"

    def scalars(self, count: int) -> list[int]:
        """The next `count` scalars, none of them 0."""
        stream = self._bytes(_WIDE * count)
        return [int.from_bytes(stream[at : at + _WIDE], "big") % (ORDER - 1) + 1 for at in range(0, len(stream), _WIDE)]

    def scalar(self) -> int:
        """The next scalar."""
        return self.scalars(1)[0]

    def permutation(self, count: int) -> list[int]:
        """A uniform permutation of 0..count−1 (Fisher–Yates; each index drawn from 512 bits, bias below 2⁻⁵⁰⁰)."""
        order = list(range(count))
        stream = self._bytes(_WIDE * count)
        for last in range(count - 1, 0, -1):
            at = int.from_bytes(stream[last * _WIDE : (last + 1) * _WIDE], "big") % (last + 1)
            order[last], order[at] = order[at], order[last]
        return order

    def _bytes(self, count: int) -> bytes:
        self._used += 1
        return shake_256(self._key + self._used.to_bytes(8, "big")).digest(count)


def secret_bytes(*scalars: int) -> bytes:
    """Secret scalars as bytes for `Nonces`."""
    return b"".join(scalar_bytes(k % ORDER) for k in scalars)


def _part(part: bytes | int | str) -> bytes:
    if isinstance(part, bytes):
        return b"b" + part
    if isinstance(part, str):
        return b"s" + part.encode()
    return b"i" + part.to_bytes(8, "big")


def _framed(*parts: bytes) -> bytes:
    return b"".join(len(part).to_bytes(8, "big") + part for part in parts)
