"""Step 1: a key for one deal, committed to by everybody before anybody shows one, with a proof that its owner knows
it.

Names: `x` the seat's secret key for this serial, `Y = x·G` its public key; the pack is encrypted under `Σ Y_i`.
Without the proof the last seat could show `Y = Z − Σ Y_j` (a *rogue key*) and open the pack alone with the key of
Z. The commitment before it stops a seat from choosing its key by the others'.

The proof is Schnorr's, `linear` with one equation: 64 bytes.
"""

from __future__ import annotations

import hmac
from hashlib import sha512

from protocol.deck import linear
from protocol.deck.group import InfinityError, Point, encode, mul_base, total
from protocol.deck.labels import HASH_KEY_COMMITMENT, PROOF_KEY
from protocol.deck.transcript import Context, Transcript
from protocol.errors import BadProof, Malformed, Misuse

SALT_BYTES = 32
COMMITMENT_BYTES = 32
KEY_PROOF_BYTES = linear.proof_bytes(1)


def commit_key(context: Context, Y: Point, salt: bytes) -> bytes:
    """The 32 bytes that bind a seat to its key: a hash over label, table, serial, seat, Y and a salt of 32 bytes.

    Counter, step and head are left out on purpose: commitment and opening are different entries.
    """
    if len(salt) != SALT_BYTES:
        raise Misuse("the salt has 32 bytes")
    place = context.table + context.serial.to_bytes(8, "big") + context.seat.to_bytes(8, "big")
    return sha512(HASH_KEY_COMMITMENT.encode() + b"\0" + place + encode(Y) + salt).digest()[:COMMITMENT_BYTES]


def check_key_commitment(context: Context, commitment: bytes, Y: Point, salt: bytes) -> None:
    """Raises `BadProof` ``key-commitment`` unless `commitment` was made for this seat, serial and key."""
    if len(salt) != SALT_BYTES or len(commitment) != COMMITMENT_BYTES:
        raise Malformed("key-commitment-length")
    if not hmac.compare_digest(commitment, commit_key(context, Y, salt)):
        raise BadProof("key-commitment")


def prove_key(context: Context, x: int, fresh: bytes) -> bytes:
    """64 bytes: the author of this entry knows the secret of `Y = x·G`."""
    Y = mul_base(x)
    return linear.prove(_transcript(context, Y), _equations(Y), [x], fresh)


def verify_key(context: Context, Y: Point, proof: bytes) -> None:
    """Raises `Malformed`, or `BadProof` ``key-proof``."""
    linear.verify(_transcript(context, Y), _equations(Y), 1, proof, "key-proof")


def joint_key(keys: list[Point]) -> Point:
    """`Y = Σ Y_i`, what the pack is encrypted under. Raises `BadProof` ``joint-key`` if the sum is infinity."""
    try:
        return total(keys)
    except InfinityError:
        raise BadProof("joint-key") from None


def _transcript(context: Context, Y: Point) -> Transcript:
    transcript = Transcript(context, PROOF_KEY)
    transcript.absorb_points("key", [Y])
    return transcript


def _equations(Y: Point) -> list[linear.Equation]:
    return [linear.Equation(Y, ((0, linear.BASE),))]
