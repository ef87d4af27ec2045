"""One proof of knowledge for every linear relation between points: Schnorr's, Chaum and Pedersen's, and their kin.

The statement is a list of equations  T_e = Σ_i w_i·P_{e,i}  in secret scalars w_0..w_{m−1} (the *witness*); the
proof says "I know w that solves all of them", and nothing more. With nonces ω_i: `t_e = Σ ω_i·P_{e,i}`, the
challenge `c` over the statement and all t_e, answers `s_i = ω_i − c·w_i`. What travels is `(c, s_0..s_{m−1})`, 32
bytes each; the verifier forms `t_e = c·T_e + Σ s_i·P_{e,i}` and draws the challenge again. Special soundness and
zero knowledge: Maurer, *Unifying zero-knowledge proofs of knowledge* (2009), for a group homomorphism.

`powers` (list of `x·P_i` for one x) is used by openings and by recovery: D_i = x·P_i for many points with one proof,
`Σ ρ_i·D_i = x·Σ ρ_i·P_i`, weights ρ_i of 128 bits drawn after all P_i and D_i were absorbed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from protocol.deck.group import (
    ORDER,
    POINT_BYTES,
    SCALAR_BYTES,
    G,
    InfinityError,
    Point,
    decode_many_untrusted,
    encode,
    msm,
    mul,
    mul_base,
    scalar_bytes,
    scalars_untrusted,
)
from protocol.deck.nonce import Nonces, secret_bytes
from protocol.deck.transcript import Transcript
from protocol.errors import BadProof, Malformed, Misuse

BASE = G
"""The generator, which `msm` recognises by identity and multiplies faster, in constant time."""


class Equation(NamedTuple):
    """target = Σ w[index]·point over the terms; every index at most once."""

    target: Point
    terms: tuple[tuple[int, Point], ...]


def proof_bytes(witnesses: int) -> int:
    """The length of a proof with that many secret scalars."""
    return SCALAR_BYTES * (1 + witnesses)


def prove(transcript: Transcript, equations: Sequence[Equation], witness: Sequence[int], fresh: bytes) -> bytes:
    """Challenge and answers. The witness must solve the equations (unchecked: a false one gives a false proof)."""
    _absorb(transcript, equations)
    nonces = Nonces(secret_bytes(*witness), transcript, fresh).scalars(len(witness))
    transcript.absorb_points("commitments", [_evaluate(equation.terms, nonces) for equation in equations])
    c = transcript.challenge("challenge")
    answers = [(omega - c * w) % ORDER for omega, w in zip(nonces, witness, strict=True)]
    return scalar_bytes(c) + b"".join(map(scalar_bytes, answers))


def verify(transcript: Transcript, equations: Sequence[Equation], witnesses: int, proof: bytes, code: str) -> None:
    """Raises `Malformed` for a wrong length or scalar, `BadProof` with `code` when the proof is false."""
    if len(proof) != proof_bytes(witnesses):
        raise Malformed("proof-length", {"expected": proof_bytes(witnesses), "got": len(proof)})
    c, *answers = scalars_untrusted(proof, 1 + witnesses)
    _absorb(transcript, equations)
    try:
        commitments = [_evaluate(equation.terms, answers, c, equation.target) for equation in equations]
    except InfinityError:
        raise BadProof(code) from None
    transcript.absorb_points("commitments", commitments)
    if transcript.challenge("challenge") != c:
        raise BadProof(code)


def prove_powers(transcript: Transcript, x: int, points: Sequence[Point], fresh: bytes) -> bytes:
    """x·P for every point, then a proof that x is the same everywhere and belongs to x·G. The caller absorbed x·G."""
    if not points:
        raise Misuse("nothing to open")
    powers = [mul(x, P) for P in points]
    equations = _powers_equations(transcript, mul_base(x), points, powers)
    return b"".join(map(encode, powers)) + prove(transcript, equations, [x], fresh)


def verify_powers(transcript: Transcript, X: Point, points: Sequence[Point], data: bytes, code: str) -> list[Point]:
    """The points x·P of `prove_powers`, checked against X = x·G. Raises `Malformed` or `BadProof` with `code`."""
    split = POINT_BYTES * len(points)
    expected = split + proof_bytes(1)
    if not points or len(data) != expected:
        raise Malformed("proof-length", {"expected": expected, "got": len(data)})
    powers = decode_many_untrusted(data[:split], len(points))
    try:
        equations = _powers_equations(transcript, X, points, powers)
    except InfinityError:
        raise BadProof(code) from None
    verify(transcript, equations, 1, data[split:], code)
    return powers


def weighted(weights: Sequence[int], points: Sequence[Point]) -> Point:
    """Σ ρ_i·P_i; a single point is taken as it is, for then there is nothing to batch."""
    return points[0] if len(points) == 1 else msm(weights, points)


def _powers_equations(
    transcript: Transcript, X: Point, points: Sequence[Point], powers: Sequence[Point]
) -> list[Equation]:
    transcript.absorb_points("points", points)
    transcript.absorb_points("powers", powers)
    rho = transcript.weights("weights", len(points))
    return [Equation(X, ((0, BASE),)), Equation(weighted(rho, powers), ((0, weighted(rho, points)),))]


def _absorb(transcript: Transcript, equations: Sequence[Equation]) -> None:
    transcript.absorb_int("equations", len(equations))
    for equation in equations:
        transcript.absorb("witnesses", bytes(index for index, _ in equation.terms))
        transcript.absorb_points("equation", [equation.target, *(point for _, point in equation.terms)])


def _evaluate(
    terms: tuple[tuple[int, Point], ...], values: Sequence[int], c: int = 0, target: Point | None = None
) -> Point:
    scalars = [values[index] for index, _ in terms]
    points = [point for _, point in terms]
    if target is not None:
        scalars.append(c)
        points.append(target)
    return msm(scalars, points)
