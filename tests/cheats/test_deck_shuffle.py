"""A seat that cheats while shuffling: other cards, one card twice, swapped outputs, weights known beforehand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from protocol.deck import elgamal, labels, shuffle
from protocol.deck.elgamal import CARD_POINTS, Cipher
from protocol.deck.group import ORDER, Point, add, encode, mul, mul_base, sub
from protocol.deck.transcript import Transcript
from protocol.errors import BadProof, Malformed
from tests.unit.deck.dealt import FRESH, at, dealt

COUNT = 8
ORDER_OF_CARDS = [3, 1, 4, 0, 5, 7, 2, 6]
RANDOMIZERS = [1000 + index for index in range(COUNT)]


def inputs() -> list[Cipher]:
    return dealt().pack[:COUNT]


def honest() -> list[Cipher]:
    return shuffle.shuffle(inputs(), dealt().joint, ORDER_OF_CARDS, RANDOMIZERS)


def proved(outputs: list[Cipher], permutation: Sequence[int] = ORDER_OF_CARDS) -> bytes:
    return shuffle.prove_shuffle(
        at(1, labels.STEP_SHUFFLE), inputs(), outputs, dealt().joint, permutation, RANDOMIZERS, FRESH
    )


def checked(outputs: list[Cipher], proof: bytes) -> None:
    shuffle.verify_shuffle(at(1, labels.STEP_SHUFFLE), inputs(), outputs, dealt().joint, proof)


def test_the_honest_shuffle_passes() -> None:
    checked(honest(), proved(honest()))


def test_a_substituted_card_is_refused() -> None:
    outputs = honest()
    outputs[2] = elgamal.encrypt(51, 77, dealt().joint)
    with pytest.raises(BadProof, match="shuffle-proof"):
        checked(outputs, proved(outputs))
    with pytest.raises(BadProof, match="shuffle-proof"):
        checked(outputs, proved(honest()))


def test_a_card_shifted_by_the_difference_of_two_cards_is_refused() -> None:
    outputs = honest()
    shift = sub(CARD_POINTS[12], CARD_POINTS[0])
    outputs[0] = Cipher(outputs[0].a, add(outputs[0].b, shift))
    outputs[1] = Cipher(outputs[1].a, sub(outputs[1].b, shift))
    with pytest.raises(BadProof, match="shuffle-proof"):
        checked(outputs, proved(outputs))


def test_a_duplicated_card_is_refused() -> None:
    outputs = honest()
    outputs[5] = Cipher(add(outputs[0].a, mul_base(9)), add(outputs[0].b, mul(9, dealt().joint)))
    with pytest.raises(BadProof, match="shuffle-proof"):
        checked(outputs, proved(outputs))


def test_a_duplicated_card_with_a_map_that_is_no_permutation_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shuffle, "_check_permutation", lambda *_: None)
    no_permutation = [3, 1, 4, 0, 5, 3, 2, 6]
    outputs = shuffle.shuffle(inputs(), dealt().joint, no_permutation, RANDOMIZERS)
    with pytest.raises(BadProof, match="shuffle-proof"):
        checked(outputs, proved(outputs, no_permutation))


def test_swapped_outputs_are_refused() -> None:
    outputs, proof = honest(), proved(honest())
    outputs[0], outputs[1] = outputs[1], outputs[0]
    with pytest.raises(BadProof, match="shuffle-proof"):
        checked(outputs, proof)
    with pytest.raises(BadProof, match="shuffle-proof"):
        checked(outputs, proved(outputs))
    halves = honest()
    halves[0], halves[1] = Cipher(halves[0].a, halves[1].b), Cipher(halves[1].a, halves[0].b)
    with pytest.raises(BadProof, match="shuffle-proof"):
        checked(halves, proved(halves))


def test_a_missing_or_an_added_card_is_malformed() -> None:
    proof = proved(honest())
    for outputs in (honest()[:-1], [*honest(), honest()[0]], []):
        with pytest.raises(Malformed, match="shuffle-length"):
            checked(outputs, proof)


@pytest.mark.parametrize("more", [1, 2, COUNT])
def test_over_long_lists_are_refused_before_any_arithmetic(more: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A chain longer than the pack made the product check of a prototype vacuous."""
    proof = proved(honest())
    chain_end = 2 * COUNT * 33
    longer_chain = proof[:chain_end] + proof[chain_end - 33 * more : chain_end] + proof[chain_end:] + bytes(64 * more)
    longer_everywhere = proved_for_more(more)
    monkeypatch.setattr(shuffle, "decode_many_untrusted", lambda *_: pytest.fail("arithmetic before lengths"))
    for wrong in (longer_chain, longer_everywhere, proof + bytes(32), proof[:-32]):
        with pytest.raises(Malformed, match="proof-length"):
            checked(honest(), wrong)


def proved_for_more(more: int) -> bytes:
    """A perfectly good proof, of a longer shuffle."""
    table = dealt()
    longer = table.pack[: COUNT + more]
    return shuffle.shuffle_and_prove(at(1, labels.STEP_SHUFFLE), longer, table.joint, FRESH)[1]


class Forgetful(Transcript):
    """A deliberately weakened transcript: its weights depend on the label only, so that they are known beforehand."""

    __slots__ = ()

    def weights(self, label: str, count: int) -> list[int]:
        return Transcript(at(0), label).weights(label, count)


def outputs_bent_to_known_weights() -> list[Cipher]:
    """Two cards changed so that a sum with weights known beforehand stays what it was.

    Output 0 becomes another card, and output 1 is shifted by what Σ ũ_i·b'_i would otherwise miss.
    """
    outputs = honest()
    u = Forgetful(at(1, labels.STEP_SHUFFLE), labels.PROOF_SHUFFLE).weights("weights", COUNT)
    shift: Point = sub(CARD_POINTS[12], CARD_POINTS[0])
    ratio = u[ORDER_OF_CARDS[0]] * pow(u[ORDER_OF_CARDS[1]], -1, ORDER)
    outputs[0] = Cipher(outputs[0].a, add(outputs[0].b, shift))
    outputs[1] = Cipher(outputs[1].a, sub(outputs[1].b, mul(ratio, shift)))
    return outputs


def test_weights_that_do_not_depend_on_the_deck_would_let_a_marked_deck_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """With weights known beforehand a false deck satisfies every equation, and its proof is made honestly."""
    outputs = outputs_bent_to_known_weights()
    assert len({encode(cipher.b) for cipher in outputs} - {encode(cipher.b) for cipher in honest()}) == 2
    with monkeypatch.context() as weakened:
        weakened.setattr(shuffle, "Transcript", Forgetful)
        checked(outputs, proved(outputs))
    with pytest.raises(BadProof, match="shuffle-proof"):
        checked(outputs, proved(outputs))
