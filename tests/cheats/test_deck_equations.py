"""Every equation of the proof of shuffle is needed, and every one is checked.

For each equation there is a cheat that satisfies all the others: a prover who commits to a matrix M that is no
permutation (`c_j = r_j·G + Σ_i M_ij·H_i`, `ũ = M·u`), to other weights than it uses, or to a chain with a false link.
The honest verifier refuses it; a verifier that is made blind for this one equation accepts it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from protocol.deck import labels, shuffle
from protocol.deck.elgamal import CARD_POINTS, Cipher
from protocol.deck.group import ORDER, Point, add, encode, msm, mul, mul_base, scalar_bytes, sub
from protocol.deck.transcript import Transcript
from protocol.errors import BadProof
from tests.unit.deck.dealt import at, dealt

HERE = at(1, labels.STEP_SHUFFLE)
COUNT = 3
HALF = pow(2, -1, ORDER)
T1, T2, T3, T4A, T4B, LAST_LINK = 0, 1, 2, 3, 4, 5 + COUNT - 1
Matrix = list[list[int]]

PERMUTATION: Matrix = [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
SCALED: Matrix = [[0, 2, 0], [0, 0, HALF], [1, 0, 0]]
"""Rows do not add up to 1; the product of M·u is the product of u all the same."""

MIXED: Matrix = [[2, -1, 0], [0, 1, 0], [0, 0, 1]]
"""Rows add up to 1; the product of M·u is another one."""


@dataclass
class Cheat:
    """What the prover commits to, what it uses, and its outputs; `inverse` makes outputs from inputs."""

    committed: Matrix
    used: Matrix
    inverse: Matrix
    false_last_link: bool = False
    shift_a: bool = False
    shift_b: bool = False
    commitments: list[Point] = field(default_factory=list)

    def inputs(self) -> list[Cipher]:
        return dealt().pack[:COUNT]

    def outputs(self) -> list[Cipher]:
        """`e'_i = Σ_j inverse_ij·e_j + r'_i·(G, Y)`, so that Σ_i M_ij·e'_i is e_j, re-encrypted."""
        Y, made = dealt().joint, []
        for i, row in enumerate(self.inverse):
            a = msm(row, [cipher.a for cipher in self.inputs()], 70 + i)
            b = add(msm(row, [cipher.b for cipher in self.inputs()]), mul(70 + i, Y))
            made.append(Cipher(a, b))
        if self.shift_a:
            made[0] = Cipher(add(made[0].a, mul_base(5)), made[0].b)
        if self.shift_b:
            made[0] = Cipher(made[0].a, add(made[0].b, sub(CARD_POINTS[12], CARD_POINTS[0])))
        return made

    def proof(self) -> bytes:
        """The prover of `shuffle`, for matrices; keeps its commitments t."""
        Y, outputs = dealt().joint, self.outputs()
        span = range(COUNT)
        transcript = Transcript(HERE, labels.PROOF_SHUFFLE)
        shuffle._absorb_statement(transcript, self.inputs(), outputs, Y)
        r = [20 + j for j in span]
        c_points = [msm([row[j] for row in self.committed], shuffle.POSITIONS[:COUNT], r[j]) for j in span]
        transcript.absorb_points("permutation", c_points)
        u = transcript.weights("weights", COUNT)
        u_tilde = [sum(m * w for m, w in zip(row, u, strict=True)) % ORDER for row in self.used]
        product = 1
        for weight in u:
            product = product * weight % ORDER

        r_hat = [30 + i for i in span]
        chain, link, whole = [], shuffle.CHAIN_START, 0
        for i in span:
            link = msm([u_tilde[i]], [link], r_hat[i])
            whole = (u_tilde[i] * whole + r_hat[i]) % ORDER
            chain.append(link)
        if self.false_last_link:
            chain[-1] = msm([product], [shuffle.CHAIN_START], 999)
            whole = 999
        transcript.absorb_points("chain", chain)

        w1, w2, w3, w4 = 41, 42, 43, 44
        w_hat, w_tilde = [50 + i for i in span], [60 + i for i in span]
        previous = [shuffle.CHAIN_START, *chain[:-1]]
        self.commitments = [
            mul_base(w1),
            mul_base(w2),
            msm(w_tilde, shuffle.POSITIONS[:COUNT], w3),
            msm(w_tilde, [cipher.a for cipher in outputs], -w4),
            msm([*w_tilde, -w4], [*(cipher.b for cipher in outputs), Y]),
            *(msm([w_tilde[i]], [previous[i]], w_hat[i]) for i in span),
        ]
        transcript.absorb_points("commitments", self.commitments)
        c = transcript.challenge("challenge")
        answers = [
            c,
            w1 - c * sum(r),
            w2 - c * whole,
            w3 - c * sum(x * y for x, y in zip(r, u, strict=True)),
            w4 - c * sum((70 + i) * u_tilde[i] for i in span),
            *(w_hat[i] - c * r_hat[i] for i in span),
            *(w_tilde[i] - c * u_tilde[i] for i in span),
        ]
        return b"".join(map(encode, [*c_points, *chain])) + b"".join(scalar_bytes(k % ORDER) for k in answers)


def transposed_inverse(matrix: Matrix) -> Matrix:
    """(Mᵀ)⁻¹ by Gauss and Jordan, modulo the order."""
    rows = [[matrix[j][i] % ORDER for j in range(COUNT)] + [int(i == k) for k in range(COUNT)] for i in range(COUNT)]
    for at_column in range(COUNT):
        pivot = next(row for row in rows[at_column:] if row[at_column])
        rows.remove(pivot)
        scale = pow(pivot[at_column], -1, ORDER)
        pivot = [value * scale % ORDER for value in pivot]
        rows = [[(value - row[at_column] * p) % ORDER for value, p in zip(row, pivot, strict=True)] for row in rows]
        rows.insert(at_column, pivot)
    return [row[COUNT:] for row in rows]


def cheat(committed: Matrix, used: Matrix, **more: bool) -> Cheat:
    return Cheat(committed, used, transposed_inverse(used), **more)


CHEATS = {
    "rows that do not add up to one": (T1, cheat(SCALED, SCALED)),
    "a product of other weights": (T2, cheat(MIXED, MIXED)),
    "other weights than committed to": (T3, cheat(PERMUTATION, SCALED)),
    "another first half of an output": (T4A, cheat(PERMUTATION, PERMUTATION, shift_a=True)),
    "another card in an output": (T4B, cheat(PERMUTATION, PERMUTATION, shift_b=True)),
    "a false last link of the chain": (LAST_LINK, cheat(MIXED, MIXED, false_last_link=True)),
}


def verify(made: Cheat, proof: bytes) -> None:
    shuffle.verify_shuffle(HERE, made.inputs(), made.outputs(), dealt().joint, proof)


def test_the_same_prover_is_believed_when_it_is_honest() -> None:
    made = cheat(PERMUTATION, PERMUTATION)
    verify(made, made.proof())


@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_that_satisfies_every_other_equation_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    equation, made = CHEATS[name]
    proof = made.proof()
    with pytest.raises(BadProof, match="shuffle-proof"):
        verify(made, proof)

    honest = shuffle._commitments

    def blind(*arguments: object) -> Sequence[Point]:
        t = honest(*arguments)  # type: ignore[arg-type]
        t[equation] = made.commitments[equation]
        return t

    monkeypatch.setattr(shuffle, "_commitments", blind)
    verify(made, proof)


def test_the_outputs_of_these_cheats_are_not_the_inputs_in_another_order() -> None:
    x = sum(dealt().x)
    honest = {encode(sub(cipher.b, mul(x, cipher.a))) for cipher in dealt().pack[:COUNT]}
    for _, made in CHEATS.values():
        shown = {encode(sub(cipher.b, mul(x, cipher.a))) for cipher in made.outputs()}
        assert shown != honest
