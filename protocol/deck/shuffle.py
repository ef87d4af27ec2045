"""Steps 3 and 8: shuffle a pack (or one's own hand) and prove it: the same cards, re-encrypted, in a secret order.

The proof of shuffle of Terelius and Wikström (*Proofs of Restricted Shuffles*, 2010), with the explicit formulas of
Haenni, Locher, Koenig and Dubuis (2017), in these names:

* N cards; inputs `e_i = (a_i, b_i)`, outputs `e'_i = (a'_i, b'_i) = e_j + r'_j·(G, Y)` with `j = ψ(i)` the permutation;
* `H`, `H_i`: public points of which nobody knows logarithms; `c_j = r_j·G + H_i` commits to ψ at j;
* `u_j`: random weights of 128 bits, drawn after everything above was absorbed; `ũ_i = u_ψ(i)`;
* the chain `ĉ_i = r̂_i·G + ũ_i·ĉ_{i−1}` from `ĉ_{−1} = H` shows that Π ũ_i = Π u_j, hence that ũ permutes u;
* with `v_{N−1} = 1, v_{i−1} = ũ_i·v_i`: `r̄ = Σ r_j`, `r̂ = Σ r̂_i·v_i`, `r̃ = Σ r_j·u_j`, `r' = Σ r'_j·u_j`;
* nonces `ω1..ω4, ω̂_i, ω̃_i`, commitments `t1, t2, t3, t4a, t4b, t̂_i`, challenge `c`, answers
  `s1..s4, ŝ_i, s̃_i` (each ω − c·secret).

On the wire: `(c_j) (ĉ_i) c s1 s2 s3 s4 (ŝ_i) (s̃_i)`, 130·N + 160 bytes. Multiplications: 2·N to shuffle, 8·N to
prove, 9·N to verify. N may be anything from 1 to `MOST`; inputs may be trivial encryptions (claims shuffle a public
set).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from protocol.deck import labels
from protocol.deck.elgamal import Cipher, encode_ciphers, flatten
from protocol.deck.group import (
    ORDER,
    POINT_BYTES,
    SCALAR_BYTES,
    InfinityError,
    Point,
    add,
    decode_many_untrusted,
    encode,
    hash_to_point,
    msm,
    mul,
    mul_base,
    neg,
    scalar_bytes,
    scalars_untrusted,
    total,
)
from protocol.deck.nonce import Nonces, secret_bytes
from protocol.deck.transcript import Context, Transcript
from protocol.errors import BadProof, Malformed, Misuse

MOST = 52
"""One pack: nothing longer is ever shuffled, and the generators are made for it."""

_PROOF = "shuffle-proof"

CHAIN_START: Point = hash_to_point(labels.POINT_CHAIN, 0)
"""H."""

POSITIONS: tuple[Point, ...] = tuple(hash_to_point(labels.POINT_POSITION, i) for i in range(MOST))
"""H_0 … H_51."""


class ShuffleProof(NamedTuple):
    """A proof with its lists parsed; `permutation` is (c_j), `chain` (ĉ_i), the rest scalars."""

    permutation: list[Point]
    chain: list[Point]
    challenge: int
    s1: int
    s2: int
    s3: int
    s4: int
    chain_answers: list[int]
    weight_answers: list[int]


def shuffle_proof_bytes(count: int) -> int:
    """The length of a proof for `count` cards."""
    return 2 * count * POINT_BYTES + (5 + 2 * count) * SCALAR_BYTES


def shuffle(
    ciphers: Sequence[Cipher], Y: Point, permutation: Sequence[int], randomizers: Sequence[int]
) -> list[Cipher]:
    """Outputs `e'_i = e_j + r'_j·(G, Y)`, `j = permutation[i]`; `randomizers[j]` belongs to *input* j."""
    _check_permutation(permutation, len(ciphers), len(randomizers))
    outputs = []
    for j in permutation:
        r = randomizers[j]
        outputs.append(Cipher(add(ciphers[j].a, mul_base(r)), add(ciphers[j].b, mul(r, Y))))
    return outputs


def shuffle_and_prove(
    context: Context, inputs: Sequence[Cipher], Y: Point, rng_bytes: bytes, secret: bytes = b""
) -> tuple[bytes, bytes]:
    """Shuffle in a random order and prove it: (outputs as bytes, proof).

    `rng_bytes` are at least 32 fresh random bytes; the order and all randomizers are derived from them, from `secret`
    (optional: something of this peer's own, so that a broken random source alone gives nothing away), and from the
    context and the inputs.
    """
    transcript = Transcript(context, labels.DERIVE_SHUFFLE)
    transcript.absorb_points("key", [Y])
    transcript.absorb_points("inputs", flatten(inputs))
    nonces = Nonces(secret, transcript, rng_bytes)
    permutation = nonces.permutation(len(inputs))
    randomizers = nonces.scalars(len(inputs))
    outputs = shuffle(inputs, Y, permutation, randomizers)
    proof = prove_shuffle(context, inputs, outputs, Y, permutation, randomizers, rng_bytes)
    return encode_ciphers(outputs), proof


def mix_hand(
    context: Context, slots: Sequence[Cipher], Y: Point, rng_bytes: bytes, secret: bytes = b""
) -> tuple[bytes, bytes]:
    """Step 8: the owner of Y mixes all its slots (`shuffle_and_prove` under another step's name)."""
    return shuffle_and_prove(context.at(labels.STEP_MIX), slots, Y, rng_bytes, secret)


def verify_mix(context: Context, slots: Sequence[Cipher], outputs: Sequence[Cipher], Y: Point, proof: bytes) -> None:
    """Check a `mix_hand`. Raises `Malformed` or `BadProof`."""
    verify_shuffle(context.at(labels.STEP_MIX), slots, outputs, Y, proof)


def prove_shuffle(
    context: Context,
    inputs: Sequence[Cipher],
    outputs: Sequence[Cipher],
    Y: Point,
    permutation: Sequence[int],
    randomizers: Sequence[int],
    fresh: bytes,
) -> bytes:
    """Prove `outputs = shuffle(inputs, Y, permutation, randomizers)`. A false statement gives a false proof."""
    transcript = Transcript(context, labels.PROOF_SHUFFLE)
    return prove_within(transcript, inputs, outputs, Y, permutation, randomizers, fresh)


def prove_within(
    transcript: Transcript,
    inputs: Sequence[Cipher],
    outputs: Sequence[Cipher],
    Y: Point,
    permutation: Sequence[int],
    randomizers: Sequence[int],
    fresh: bytes,
) -> bytes:
    """`prove_shuffle` as a part of a larger proof whose transcript has begun."""
    count = len(inputs)
    _check_permutation(permutation, count, len(randomizers))
    _absorb_statement(transcript, inputs, outputs, Y)
    secret = bytes(permutation) + secret_bytes(*randomizers)
    nonces = Nonces(secret, transcript, fresh)

    r = nonces.scalars(count)
    commitments: list[Point] = [CHAIN_START] * count
    for i, j in enumerate(permutation):
        commitments[j] = add(mul_base(r[j]), POSITIONS[i])
    transcript.absorb_points("permutation", commitments)
    u = transcript.weights("weights", count)
    u_tilde = [u[j] for j in permutation]

    r_hat = nonces.scalars(count)
    chain, link = [], CHAIN_START
    for i in range(count):
        link = msm((u_tilde[i],), (link,), r_hat[i])
        chain.append(link)
    transcript.absorb_points("chain", chain)

    w1, w2, w3, w4 = nonces.scalars(4)
    w_hat = nonces.scalars(count)
    w_tilde = nonces.scalars(count)
    a_out, b_out = zip(*outputs, strict=True)
    t = [
        mul_base(w1),
        mul_base(w2),
        msm(w_tilde, POSITIONS[:count], w3),
        msm(w_tilde, a_out, -w4),
        msm((-w4, *w_tilde), (Y, *b_out)),
    ]
    previous = CHAIN_START
    for i in range(count):
        t.append(msm((w_tilde[i],), (previous,), w_hat[i]))
        previous = chain[i]
    transcript.absorb_points("commitments", t)
    c = transcript.challenge("challenge")

    v, product = 1, 0
    for i in range(count - 1, -1, -1):
        product += r_hat[i] * v
        v = v * u_tilde[i] % ORDER
    s1 = w1 - c * sum(r)
    s2 = w2 - c * product
    s3 = w3 - c * sum(r[j] * u[j] for j in range(count))
    s4 = w4 - c * sum(randomizers[j] * u[j] for j in range(count))
    s_hat = [w - c * k for w, k in zip(w_hat, r_hat, strict=True)]
    s_tilde = [w - c * k for w, k in zip(w_tilde, u_tilde, strict=True)]
    points = b"".join(map(encode, (*commitments, *chain)))
    return points + b"".join(scalar_bytes(k % ORDER) for k in (c, s1, s2, s3, s4, *s_hat, *s_tilde))


def verify_shuffle(
    context: Context, inputs: Sequence[Cipher], outputs: Sequence[Cipher], Y: Point, proof: bytes
) -> None:
    """Raises `Malformed` (lengths, points, scalars) or `BadProof` ``shuffle-proof``."""
    transcript = Transcript(context, labels.PROOF_SHUFFLE)
    verify_within(transcript, inputs, outputs, Y, proof)


def verify_within(
    transcript: Transcript, inputs: Sequence[Cipher], outputs: Sequence[Cipher], Y: Point, proof: bytes
) -> None:
    """`verify_shuffle` as a part of a larger proof whose transcript has begun."""
    count = len(inputs)
    if not 1 <= count <= MOST or len(outputs) != count:
        raise Malformed("shuffle-length", {"inputs": count, "outputs": len(outputs)})
    parsed = parse_proof_untrusted(proof, count)
    _absorb_statement(transcript, inputs, outputs, Y)
    transcript.absorb_points("permutation", parsed.permutation)
    u = transcript.weights("weights", count)
    transcript.absorb_points("chain", parsed.chain)
    try:
        t = _commitments(inputs, outputs, Y, parsed, u)
    except InfinityError:
        raise BadProof(_PROOF) from None
    transcript.absorb_points("commitments", t)
    if transcript.challenge("challenge") != parsed.challenge:
        raise BadProof(_PROOF)


def parse_proof_untrusted(proof: bytes, count: int) -> ShuffleProof:
    """The parts of a proof for exactly `count` cards. Raises `Malformed`; an over-long list is refused here."""
    if len(proof) != shuffle_proof_bytes(count):
        raise Malformed("proof-length", {"expected": shuffle_proof_bytes(count), "got": len(proof)})
    split = 2 * count * POINT_BYTES
    points = decode_many_untrusted(proof[:split], 2 * count)
    c, s1, s2, s3, s4, *answers = scalars_untrusted(proof[split:], 5 + 2 * count)
    return ShuffleProof(points[:count], points[count:], c, s1, s2, s3, s4, answers[:count], answers[count:])


def _commitments(
    inputs: Sequence[Cipher], outputs: Sequence[Cipher], Y: Point, proof: ShuffleProof, u: Sequence[int]
) -> list[Point]:
    """t1, t2, t3, t4a, t4b, t̂_0 … t̂_{N−1} as the answers and the challenge give them."""
    count, c = len(inputs), proof.challenge
    a_in, b_in = zip(*inputs, strict=True)
    a_out, b_out = zip(*outputs, strict=True)
    s_tilde = proof.weight_answers
    product = 1
    for weight in u:
        product = product * weight % ORDER
    # The sums with 128-bit weights come first and are multiplied by c once: short weights are a little cheaper.
    c_bar = total((*proof.permutation, _minus_positions(count)))
    c_tilde, a_sum, b_sum = msm(u, proof.permutation), msm(u, a_in), msm(u, b_in)
    t = [
        msm((c,), (c_bar,), proof.s1),
        msm((c, -c * product), (proof.chain[-1], CHAIN_START), proof.s2),
        msm((c, *s_tilde), (c_tilde, *POSITIONS[:count]), proof.s3),
        msm((c, *s_tilde), (a_sum, *a_out), -proof.s4),
        msm((c, -proof.s4, *s_tilde), (b_sum, Y, *b_out)),
    ]
    previous = CHAIN_START
    for i in range(count):
        link = proof.chain[i]
        t.append(msm((c, s_tilde[i]), (link, previous), proof.chain_answers[i]))
        previous = link
    return t


@cache
def _minus_positions(count: int) -> Point:
    """−(H_0 + … + H_{count−1})."""
    return neg(total(POSITIONS[:count]))


def _absorb_statement(transcript: Transcript, inputs: Sequence[Cipher], outputs: Sequence[Cipher], Y: Point) -> None:
    transcript.absorb_int("count", len(inputs))
    transcript.absorb_points("key", [Y])
    transcript.absorb_points("inputs", flatten(inputs))
    transcript.absorb_points("outputs", flatten(outputs))


def _check_permutation(permutation: Sequence[int], count: int, randomizers: int) -> None:
    if not 1 <= count <= MOST or randomizers != count or sorted(permutation) != list(range(count)):
        raise Misuse("a shuffle needs 1 to 52 cards, a permutation of them, and one randomizer each")
