"""Step 5: opening cards. A card that nobody owns takes every seat; one's own card takes its owner alone.

Names: `(a, b)` a card; `x_j`, `Y_j` a seat's keys. *Together*: each seat posts `D_j = x_j·a`, for all cards that
are opened at once with one proof (`linear.prove_powers`); then `M = b − Σ D_j`. *Alone*: the owner names the card v
and proves `b − M[v] = x_B·a`, for several slots with one proof and 128-bit weights: 64 bytes however many.
"""

from __future__ import annotations

from collections.abc import Sequence

from protocol.deck import linear
from protocol.deck.elgamal import CARD_POINTS, CARDS, Cipher, card_of, flatten
from protocol.deck.group import POINT_BYTES, InfinityError, Point, mul_base, sub, total
from protocol.deck.labels import PROOF_OPENING, PROOF_OWN
from protocol.deck.transcript import Context, Transcript
from protocol.errors import BadProof, Malformed, Misuse

OWN_PROOF_BYTES = linear.proof_bytes(1)

_OPENING = "opening-proof"
_OWN = "own-card-proof"


def opening_shares_bytes(count: int) -> int:
    """The length of one seat's shares in opening `count` cards together."""
    return POINT_BYTES * count + linear.proof_bytes(1)


def opening_shares(context: Context, x_j: int, ciphers: Sequence[Cipher], fresh: bytes) -> bytes:
    """This seat's `x_j·a` for every card, with one proof."""
    transcript = _opening_transcript(context, mul_base(x_j), ciphers)
    return linear.prove_powers(transcript, x_j, [cipher.a for cipher in ciphers], fresh)


def verify_opening_shares(context: Context, Y_j: Point, ciphers: Sequence[Cipher], data: bytes) -> list[Point]:
    """The points `x_j·a`, in the order of `ciphers`. Raises `Malformed`, or `BadProof` ``opening-proof``."""
    transcript = _opening_transcript(context, Y_j, ciphers)
    return linear.verify_powers(transcript, Y_j, [cipher.a for cipher in ciphers], data, _OPENING)


def open_with(cipher: Cipher, points: Sequence[Point]) -> int:
    """The card, from one point `x_j·a` of every key holder. Raises `BadProof` ``card-not-in-pack``."""
    try:
        return card_of(sub(cipher.b, total(points)))
    except InfinityError:
        raise BadProof("card-not-in-pack") from None


def open_own(context: Context, x_B: int, opened: Sequence[tuple[Cipher, int]], fresh: bytes) -> bytes:
    """64 bytes: these slots of the owner of x_B hold these cards."""
    if not opened or not all(0 <= card < CARDS for _, card in opened):
        raise Misuse("open at least one slot, as a card 0 to 51")
    transcript, equations = _own(context, mul_base(x_B), opened)
    return linear.prove(transcript, equations, [x_B], fresh)


def verify_own(context: Context, Y_B: Point, opened: Sequence[tuple[Cipher, int]], proof: bytes) -> None:
    """Raises `Malformed` (length, a card not 0 to 51), or `BadProof` ``own-card-proof``."""
    if not opened or not all(0 <= card < CARDS for _, card in opened):
        raise Malformed("own-card-list", {"count": len(opened)})
    if len(proof) != OWN_PROOF_BYTES:
        raise Malformed("proof-length", {"expected": OWN_PROOF_BYTES, "got": len(proof)})
    try:
        transcript, equations = _own(context, Y_B, opened)
    except InfinityError:
        raise BadProof(_OWN) from None
    linear.verify(transcript, equations, 1, proof, _OWN)


def _opening_transcript(context: Context, Y_j: Point, ciphers: Sequence[Cipher]) -> Transcript:
    transcript = Transcript(context, PROOF_OPENING)
    transcript.absorb_points("key", [Y_j])
    transcript.absorb_points("cards", flatten(ciphers))
    return transcript


def _own(
    context: Context, Y_B: Point, opened: Sequence[tuple[Cipher, int]]
) -> tuple[Transcript, list[linear.Equation]]:
    transcript = Transcript(context, PROOF_OWN)
    transcript.absorb_points("key", [Y_B])
    transcript.absorb_points("slots", flatten(cipher for cipher, _ in opened))
    transcript.absorb("cards", bytes(card for _, card in opened))
    rho = transcript.weights("weights", len(opened))
    masks = [sub(cipher.b, CARD_POINTS[card]) for cipher, card in opened]
    a = [cipher.a for cipher, _ in opened]
    equations = [
        linear.Equation(Y_B, ((0, linear.BASE),)),
        linear.Equation(linear.weighted(rho, masks), ((0, linear.weighted(rho, a)),)),
    ]
    return transcript, equations
