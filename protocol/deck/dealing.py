"""Step 4: dealing without a word in private. Each card is publicly re-encrypted from the joint key to its owner's
key.

Names: `(a, b)` a card under `Y = Σ Y_j`; B its owner with key `Y_B`; `j` the seat that gives this share, with
secret `x_j`. For each card of another seat j posts `R = r·G` and `S = x_j·a + r·Y_B` with a new r. When all seats
but B have: `(a − Σ R_j, b − Σ S_j)` is the same card under `Y_B` alone.

One proof for all of j's cards, with weights `ρ_i` of 128 bits drawn after `Y_j` and each card's position, a,
recipient, Y_B, R and S were absorbed: knowledge of `x_j` and of `r_B = Σ_{i∈B} ρ_i·r_i` for each recipient B, such
that

    Y_j = x_j·G        Σ_{i∈B} ρ_i·R_i = r_B·G        Σ_i ρ_i·S_i = x_j·Σ_i ρ_i·a_i + Σ_B r_B·Y_B

On the wire: `(R_i S_i) c s_x (s_B)`, recipients in ascending order: 66 bytes a card and 32·(2 + recipients).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from protocol.deck import linear
from protocol.deck.elgamal import Cipher
from protocol.deck.group import (
    ORDER,
    POINT_BYTES,
    InfinityError,
    Point,
    decode_many_untrusted,
    encode,
    msm,
    mul,
    mul_base,
    neg,
    total,
)
from protocol.deck.labels import PROOF_DEAL
from protocol.deck.nonce import Nonces, secret_bytes
from protocol.deck.transcript import Context, Transcript
from protocol.errors import BadProof, Malformed, Misuse

_PROOF = "deal-proof"


class DealCard(NamedTuple):
    """One card to be dealt: its position in the pack, the card under the joint key, and whose it becomes."""

    position: int
    cipher: Cipher
    recipient: int
    key: Point


class DealShare(NamedTuple):
    """One seat's part in dealing one card."""

    R: Point
    S: Point


def deal_shares_bytes(cards: Sequence[DealCard]) -> int:
    """The length of one seat's shares of these cards, proof included."""
    return 2 * POINT_BYTES * len(cards) + linear.proof_bytes(1 + len(_recipients(cards)))


def deal_shares(context: Context, x_j: int, cards: Sequence[DealCard], fresh: bytes) -> bytes:
    """The shares of the seat with key x_j for these cards (none of them its own), with one proof."""
    if not cards:
        raise Misuse("no cards to deal")
    recipients = _recipients(cards)
    transcript = _transcript(context, mul_base(x_j), cards)
    r = Nonces(secret_bytes(x_j), transcript, fresh).scalars(len(cards))
    shares = [
        DealShare(mul_base(r_i), total((mul(x_j, card.cipher.a), mul(r_i, card.key))))
        for r_i, card in zip(r, cards, strict=True)
    ]
    rho, equations = _equations(transcript, mul_base(x_j), cards, shares)
    sums = dict.fromkeys(recipients, 0)
    for weight, r_i, card in zip(rho, r, cards, strict=True):
        sums[card.recipient] = (sums[card.recipient] + weight * r_i) % ORDER
    proof = linear.prove(transcript, equations, [x_j, *sums.values()], fresh)
    return b"".join(encode(share.R) + encode(share.S) for share in shares) + proof


def verify_deal_shares(context: Context, Y_j: Point, cards: Sequence[DealCard], data: bytes) -> list[DealShare]:
    """One (R, S) for each card, in the order of `cards`. Raises `Malformed`, or `BadProof` ``deal-proof``."""
    expected = deal_shares_bytes(cards)
    if not cards or len(data) != expected:
        raise Malformed("deal-length", {"expected": expected, "got": len(data)})
    split = 2 * POINT_BYTES * len(cards)
    points = decode_many_untrusted(data[:split], 2 * len(cards))
    shares = [DealShare(points[at], points[at + 1]) for at in range(0, len(points), 2)]
    transcript = _transcript(context, Y_j, cards)
    try:
        _, equations = _equations(transcript, Y_j, cards, shares)
    except InfinityError:
        raise BadProof(_PROOF) from None
    linear.verify(transcript, equations, 1 + len(_recipients(cards)), data[split:], _PROOF)
    return shares


def combine(cipher: Cipher, contributions: Sequence[tuple[Point | None, Point]]) -> Cipher:
    """The card under its owner's key alone, from the shares of all the other seats.

    A contribution `(None, D)` is that of a lost seat: `D = x_i·a` as the others recovered it (step 10). Raises
    `BadProof` ``deal-sum`` if a sum is infinity, which takes all the other seats together.
    """
    try:
        b = total((cipher.b, neg(total(S for _, S in contributions))))
        randomness = [R for R, _ in contributions if R is not None]
        a = total((cipher.a, neg(total(randomness)))) if randomness else cipher.a
    except InfinityError:
        raise BadProof("deal-sum") from None
    return Cipher(a, b)


def _recipients(cards: Sequence[DealCard]) -> dict[int, Point]:
    """Recipients in ascending order with their keys."""
    keys: dict[int, Point] = {}
    for card in cards:
        if keys.setdefault(card.recipient, card.key) != card.key:
            raise Misuse(f"two keys for seat {card.recipient}")
    return dict(sorted(keys.items()))


def _transcript(context: Context, Y_j: Point, cards: Sequence[DealCard]) -> Transcript:
    transcript = Transcript(context, PROOF_DEAL)
    transcript.absorb_points("key", [Y_j])
    transcript.absorb_int("cards", len(cards))
    for card in cards:
        transcript.absorb_int("position", card.position)
        transcript.absorb_points("card", card.cipher)
        transcript.absorb_int("recipient", card.recipient)
        transcript.absorb_points("recipient key", [card.key])
    return transcript


def _equations(
    transcript: Transcript, Y_j: Point, cards: Sequence[DealCard], shares: Sequence[DealShare]
) -> tuple[list[int], list[linear.Equation]]:
    """Absorb the shares, draw the weights, and state the proof's equations: witness 0 is x_j, then r_B by recipient."""
    transcript.absorb_points("shares", [point for share in shares for point in share])
    rho = transcript.weights("weights", len(cards))
    equations = [linear.Equation(Y_j, ((0, linear.BASE),))]
    terms = [(0, msm(rho, [card.cipher.a for card in cards]))]
    for index, (recipient, key) in enumerate(_recipients(cards).items(), start=1):
        mine = [at for at, card in enumerate(cards) if card.recipient == recipient]
        randomness = msm([rho[at] for at in mine], [shares[at].R for at in mine])
        equations.append(linear.Equation(randomness, ((index, linear.BASE),)))
        terms.append((index, key))
    equations.append(linear.Equation(msm(rho, [share.S for share in shares]), tuple(terms)))
    return rho, equations
