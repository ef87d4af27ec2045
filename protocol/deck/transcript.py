"""What a proof is bound to: one labelled, length-framed transcript from which every weight and challenge is drawn.

In the manner of Merlin (https://merlin.cool), over SHA-512. Each operation feeds the hash with one frame

    kind (1 byte: A absorb, D draw) ‖ length of label (2) ‖ label ‖ length of data (8) ‖ data

so that no two different sequences of operations give the same bytes. A draw feeds its own frame, takes the digest
of the state so far, and feeds that digest back: later draws depend on earlier ones.

The rule that two attacks on a weaker prototype taught: the *whole statement* is absorbed before anything is drawn.
Weights that do not depend on the deck, or a challenge that does not depend on a share, prove nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha512, shake_256

from protocol.deck.group import ORDER, Point, encode
from protocol.deck.labels import HASH_TRANSCRIPT, HASH_WEIGHTS, STEPS
from protocol.errors import Misuse

WEIGHT_BYTES = 16
"""Random weights have 128 bits: a false batch passes with probability 2⁻¹²⁸."""

_U64 = 1 << 64


@dataclass(frozen=True)
class Context:
    """The place of a proof: the same statement anywhere else is another proof.

    `table` is 16 bytes, `serial` the number of the attempt to deal, `seat` the author's seat, `counter` the author's
    entry counter, `step` one of `labels.STEPS`, `head` the 32-byte log head that the entry quotes.
    """

    table: bytes
    serial: int
    seat: int
    counter: int
    step: str
    head: bytes

    def __post_init__(self) -> None:
        if len(self.table) != 16 or len(self.head) != 32 or self.step not in STEPS:
            raise Misuse(f"a context needs 16 bytes of table, 32 of head, and a known step, not {self.step!r}")
        if not all(0 <= number < _U64 for number in (self.serial, self.seat, self.counter)):
            raise Misuse("serial, seat and counter are unsigned 64-bit numbers")

    def at(self, step: str) -> Context:
        """The same place with another step's name."""
        return replace(self, step=step)


class Transcript:
    """A running hash that starts with a proof's label and its context, field by field."""

    __slots__ = ("_hash",)

    def __init__(self, context: Context, label: str) -> None:
        self._hash = sha512()
        self.absorb("protocol", HASH_TRANSCRIPT.encode())
        self.absorb("proof", label.encode())
        self.absorb("table", context.table)
        self.absorb_int("serial", context.serial)
        self.absorb_int("seat", context.seat)
        self.absorb_int("counter", context.counter)
        self.absorb("step", context.step.encode())
        self.absorb("head", context.head)

    def absorb(self, label: str, data: bytes) -> None:
        """Bind the bytes under a label."""
        self._frame(b"A", label, data)

    def absorb_int(self, label: str, number: int) -> None:
        """Bind an unsigned number below 2⁶⁴."""
        self.absorb(label, number.to_bytes(8, "big"))

    def absorb_points(self, label: str, points: Sequence[Point]) -> None:
        """Bind a list of points with its length."""
        self.absorb(label, len(points).to_bytes(4, "big") + b"".join(map(encode, points)))

    def challenge(self, label: str) -> int:
        """A scalar, uniform up to 2⁻²⁵⁶."""
        return int.from_bytes(self._draw(label), "big") % ORDER

    def weights(self, label: str, count: int) -> list[int]:
        """`count` non-zero numbers of 128 bits."""
        seed = self._draw(label)
        stream = shake_256(HASH_WEIGHTS.encode() + seed).digest(WEIGHT_BYTES * count)
        starts = range(0, len(stream), WEIGHT_BYTES)
        return [int.from_bytes(stream[at : at + WEIGHT_BYTES], "big") or 1 for at in starts]

    def state(self) -> bytes:
        """The 64-byte digest of everything so far, without changing it: what nonces are bound to."""
        return self._hash.digest()

    def _draw(self, label: str) -> bytes:
        self._frame(b"D", label, b"")
        digest = self._hash.digest()
        self._hash.update(digest)
        return digest

    def _frame(self, kind: bytes, label: str, data: bytes) -> None:
        name = label.encode()
        self._hash.update(kind + len(name).to_bytes(2, "big") + name + len(data).to_bytes(8, "big"))
        self._hash.update(data)
