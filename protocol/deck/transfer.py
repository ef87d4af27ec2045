"""Step 7: handing a card to another seat (an exchange), so that only the new owner can see it.

Names: A gives, with keys `x_A, Y_A`; B receives, with `Y_B`; `(a, b)` is the card under Y_A, `(a', b')` under Y_B.
A turns it into `(a', b') = (r·G, M + r·Y_B)` and proves knowledge of x_A and r such that

    Y_A = x_A·G        a' = r·G        b − b' = x_A·a − r·Y_B

The proof (96 bytes) is bound to the slot's points and to Y_B.
"""

from __future__ import annotations

from protocol.deck import linear
from protocol.deck.elgamal import Cipher, decrypt, encrypt
from protocol.deck.group import InfinityError, Point, mul_base, neg, sub
from protocol.deck.labels import PROOF_HAND_OVER
from protocol.deck.nonce import Nonces, secret_bytes
from protocol.deck.transcript import Context, Transcript
from protocol.errors import BadProof, Misuse

HAND_OVER_PROOF_BYTES = linear.proof_bytes(2)

_PROOF = "hand-over-proof"


def hand_over(context: Context, x_A: int, cipher: Cipher, card: int, Y_B: Point, fresh: bytes) -> tuple[Cipher, bytes]:
    """The card under the new owner's key, and the proof that it is the same one. `Misuse` if the slot is not `card`."""
    if decrypt(x_A, cipher) != card:
        raise Misuse("the slot does not hold that card")
    seed = Transcript(context, PROOF_HAND_OVER)
    seed.absorb_points("slot and recipient", [*cipher, Y_B])
    r = Nonces(secret_bytes(x_A), seed, fresh).scalar()
    given = encrypt(card, r, Y_B)
    transcript, equations = _statement(context, mul_base(x_A), cipher, Y_B, given)
    return given, linear.prove(transcript, equations, [x_A, r], fresh)


def verify_hand_over(context: Context, Y_A: Point, cipher: Cipher, Y_B: Point, given: Cipher, proof: bytes) -> None:
    """Raises `Malformed`, or `BadProof` ``hand-over-proof``."""
    try:
        transcript, equations = _statement(context, Y_A, cipher, Y_B, given)
    except InfinityError:
        raise BadProof(_PROOF) from None
    linear.verify(transcript, equations, 2, proof, _PROOF)


def _statement(
    context: Context, Y_A: Point, cipher: Cipher, Y_B: Point, given: Cipher
) -> tuple[Transcript, list[linear.Equation]]:
    transcript = Transcript(context, PROOF_HAND_OVER)
    transcript.absorb_points("giver key", [Y_A])
    transcript.absorb_points("slot", cipher)
    transcript.absorb_points("recipient key", [Y_B])
    transcript.absorb_points("given", given)
    equations = [
        linear.Equation(Y_A, ((0, linear.BASE),)),
        linear.Equation(given.a, ((1, linear.BASE),)),
        linear.Equation(sub(cipher.b, given.b), ((0, cipher.a), (1, neg(Y_B)))),
    ]
    return transcript, equations
