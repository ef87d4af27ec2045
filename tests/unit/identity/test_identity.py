"""Keys sign under labels, hide themselves, and cannot be of a kind that signs everything."""

from __future__ import annotations

import pickle

import pytest

from protocol.errors import BadProof, Misuse
from protocol.identity import _SMALL_ORDER, Identity, verify_untrusted

AMAL = Identity.generate(b"\x01" * 32)
BASIL = Identity.generate(b"\x02" * 32)

P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P


def refused(public: bytes, label: str, payload: bytes, signature: bytes) -> bool:
    try:
        verify_untrusted(public, label, payload, signature)
    except BadProof as error:
        assert error.code == "bad-signature"
        return True
    return False


def test_a_signature_holds_for_its_key_label_and_payload_only() -> None:
    signature = AMAL.sign("label", b"payload")
    assert not refused(AMAL.public, "label", b"payload", signature)
    assert refused(BASIL.public, "label", b"payload", signature)
    assert refused(AMAL.public, "labe", b"lpayload", signature)
    assert refused(AMAL.public, "labelp", b"ayload", signature)
    assert refused(AMAL.public, "label", b"payload ", signature)
    assert refused(AMAL.public, "label", b"payload", signature[:-1] + bytes([signature[-1] ^ 1]))


@pytest.mark.parametrize(
    ("public", "signature"),
    [(b"", b""), (b"\x00" * 31, b"\x00" * 64), (b"\xff" * 32, b"\x00" * 64), (b"\x05" * 32, b"\xff" * 64)],
)
def test_garbage_is_a_bad_signature(public: bytes, signature: bytes) -> None:
    assert refused(public, "label", b"", signature)


def test_a_scalar_above_the_order_is_refused() -> None:
    order = 2**252 + 27742317777372353535851937790883648493
    signature = AMAL.sign("label", b"")
    above = (int.from_bytes(signature[32:], "little") + order).to_bytes(32, "little")
    assert refused(AMAL.public, "label", b"", signature[:32] + above)


def test_keys_of_small_order_sign_nothing() -> None:
    """With such a key, R = identity and s = 0 fit one message in eight or all of them."""
    for encoded in _SMALL_ORDER:
        for sign in (0, 0x80):
            public = encoded[:31] + bytes([encoded[31] | sign])
            forged = b"\x01" + b"\x00" * 63
            assert all(refused(public, "label", bytes([message]), forged) for message in range(16))


def test_the_list_of_small_order_points_is_the_whole_list() -> None:
    def doubled(y: int) -> int:
        """The y of twice a point, from its y: -x² + y² = 1 + d x² y²."""
        xx = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
        return (y * y + xx) * pow(1 - D * xx * y * y, -1, P) % P

    found = {int.from_bytes(encoded, "little") for encoded in _SMALL_ORDER}
    assert {y % P for y in found} == {y for y in {y % P for y in found} if doubled(doubled(doubled(y))) == 1}
    assert len({y % P for y in found}) == 5  # of the order: 1, 2, 4 (one y for both), 8 (two y for four)
    assert found == {y for start in found for y in (start % P, start % P + P) if y < 2**255}


def test_an_identity_comes_back_from_its_bytes() -> None:
    assert Identity.from_bytes(AMAL.to_bytes()).public == AMAL.public
    assert Identity.generate(b"\x01" * 32).public == AMAL.public
    assert AMAL.to_bytes() != b"\x01" * 32


def test_an_identity_does_not_show_its_secret() -> None:
    for shown in (repr(AMAL), str(AMAL), f"{AMAL}"):
        assert AMAL.to_bytes().hex()[:8] not in shown
    with pytest.raises(Misuse):
        pickle.dumps(AMAL)


@pytest.mark.parametrize("label", ["", "x" * 256])
def test_labels_have_a_bound(label: str) -> None:
    with pytest.raises(Misuse):
        AMAL.sign(label, b"")
