"""Step 6: "none of these cards", the one proof behind every rule of play.

The owner of hidden slots `c_1..c_k` (under `Y_B = x_B·G`) proves that they hold k *different* members of a public
set A: everything unseen except the forbidden cards. The trivial encryptions of A under `Y_B`, in ascending order,
are shuffled with the proof of `shuffle` so that the first k outputs hold what the slots hold, and one equation
shows that they do:

    Σ ρ_i·(b_i − b'_i) = x_B·Σ ρ_i·(a_i − a'_i)         Y_B = x_B·G

with `c_i = (a_i, b_i)` the slots, `(a'_i, b'_i)` the outputs, and weights `ρ_i` of 128 bits drawn after slots, A,
`Y_B`, all outputs and the proof of shuffle were absorbed. That the prover can decrypt does not help it: which
output holds which member is bound by the permutation commitments, whose generators nobody knows logarithms of.

On the wire: `(a'_i b'_i) shuffle-proof c s`, 196·|A| + 224 bytes. A travels as a 52-bit mask beside it.
"""

from __future__ import annotations

from collections.abc import Sequence

from protocol.deck import linear
from protocol.deck.elgamal import (
    CARDS,
    CIPHER_BYTES,
    Cipher,
    decode_ciphers_untrusted,
    encode_ciphers,
    flatten,
    trivial,
)
from protocol.deck.group import InfinityError, Point, mul_base, sub
from protocol.deck.labels import PROOF_NONE
from protocol.deck.nonce import Nonces, secret_bytes
from protocol.deck.shuffle import prove_within, shuffle, shuffle_proof_bytes, verify_within
from protocol.deck.transcript import Context, Transcript
from protocol.errors import BadProof, Malformed, Misuse

_PROOF = "none-proof"
_SHUFFLED_WITH = "shuffle proof"


def none_proof_bytes(allowed: int) -> int:
    """The length of a proof against the set `allowed` (52-bit mask)."""
    count = allowed.bit_count()
    return CIPHER_BYTES * count + shuffle_proof_bytes(count) + linear.proof_bytes(1)


def prove_none(
    context: Context, x_B: int, slots: Sequence[Cipher], cards: Sequence[int], allowed: int, fresh: bytes
) -> bytes:
    """Prove that `slots`, which hold `cards` in this order, are different members of the set `allowed` (52-bit mask).

    Raises `Misuse` if that is not so: look before you claim.
    """
    members = _members(allowed)
    if not slots or len(cards) != len(slots) or len(set(cards)) != len(cards) or not set(cards) <= set(members):
        raise Misuse("the claim is false, or slots and cards do not belong together")
    Y_B = mul_base(x_B)
    transcript = _transcript(context, Y_B, slots, allowed)
    nonces = Nonces(secret_bytes(x_B) + bytes(cards), transcript, fresh)
    first = [members.index(card) for card in cards]
    rest = [at for at in range(len(members)) if at not in set(first)]
    permutation = first + [rest[at] for at in nonces.permutation(len(rest))]
    return _prove(transcript, x_B, slots, members, permutation, nonces.scalars(len(members)), fresh)


def verify_none(context: Context, Y_B: Point, slots: Sequence[Cipher], allowed: int, proof: bytes) -> None:
    """Raises `Malformed`, or `BadProof`: ``claim-impossible`` (fewer members than slots, no slot), ``shuffle-proof``,
    ``none-proof``.
    """
    if not 0 <= allowed < 1 << CARDS:
        raise Malformed("card-set")
    members = _members(allowed)
    if not 1 <= len(slots) <= len(members):
        raise BadProof("claim-impossible", {"slots": len(slots), "cards": len(members)})
    if len(proof) != none_proof_bytes(allowed):
        raise Malformed("proof-length", {"expected": none_proof_bytes(allowed), "got": len(proof)})
    count = len(members)
    end_of_outputs = CIPHER_BYTES * count
    end_of_shuffle = end_of_outputs + shuffle_proof_bytes(count)
    outputs = decode_ciphers_untrusted(proof[:end_of_outputs], count)
    shuffle_proof = proof[end_of_outputs:end_of_shuffle]
    transcript = _transcript(context, Y_B, slots, allowed)
    try:
        verify_within(transcript, [trivial(v, Y_B) for v in members], outputs, Y_B, shuffle_proof)
        equations = _equations(transcript, Y_B, slots, outputs, shuffle_proof)
    except InfinityError:
        raise BadProof(_PROOF) from None
    linear.verify(transcript, equations, 1, proof[end_of_shuffle:], _PROOF)


def _prove(
    transcript: Transcript,
    x_B: int,
    slots: Sequence[Cipher],
    members: Sequence[int],
    permutation: Sequence[int],
    randomizers: Sequence[int],
    fresh: bytes,
) -> bytes:
    """The proof with a permutation given: nothing is checked here, and a false claim gives a false proof."""
    Y_B = mul_base(x_B)
    inputs = [trivial(v, Y_B) for v in members]
    outputs = shuffle(inputs, Y_B, permutation, randomizers)
    shuffle_proof = prove_within(transcript, inputs, outputs, Y_B, permutation, randomizers, fresh)
    equations = _equations(transcript, Y_B, slots, outputs, shuffle_proof)
    return encode_ciphers(outputs) + shuffle_proof + linear.prove(transcript, equations, [x_B], fresh)


def _members(allowed: int) -> list[int]:
    return [v for v in range(CARDS) if allowed >> v & 1]


def _transcript(context: Context, Y_B: Point, slots: Sequence[Cipher], allowed: int) -> Transcript:
    transcript = Transcript(context, PROOF_NONE)
    transcript.absorb_points("key", [Y_B])
    transcript.absorb_points("slots", flatten(slots))
    transcript.absorb_int("allowed", allowed)
    return transcript


def _equations(
    transcript: Transcript, Y_B: Point, slots: Sequence[Cipher], outputs: Sequence[Cipher], shuffle_proof: bytes
) -> list[linear.Equation]:
    """Outputs were absorbed with the proof of shuffle's statement; its bytes are bound whole before the weights."""
    transcript.absorb(_SHUFFLED_WITH, shuffle_proof)
    rho = transcript.weights("weights", len(slots))
    a = [sub(slot.a, output.a) for slot, output in zip(slots, outputs, strict=False)]
    b = [sub(slot.b, output.b) for slot, output in zip(slots, outputs, strict=False)]
    return [
        linear.Equation(Y_B, ((0, linear.BASE),)),
        linear.Equation(linear.weighted(rho, b), ((0, linear.weighted(rho, a)),)),
    ]
