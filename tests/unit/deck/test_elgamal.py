"""Face-down cards: what goes in comes out, with the right key only."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.deck import elgamal
from protocol.deck.elgamal import CARD_POINTS, Cipher
from protocol.deck.group import G, encode, mul_base
from protocol.errors import BadProof, Malformed
from tests.unit.deck.dealt import dealt


@given(st.integers(0, 51), st.integers(1, 2**256), st.integers(1, 2**256))
@settings(max_examples=30, deadline=None)
def test_the_key_opens_and_another_key_does_not(card: int, x: int, r: int) -> None:
    cipher = elgamal.encrypt(card, r, mul_base(x))
    assert elgamal.decrypt(x, cipher) == card
    with pytest.raises(BadProof, match="card-not-in-pack"):
        elgamal.decrypt(x + 1, cipher)


def test_a_fresh_pack_is_the_52_cards_in_order_and_open() -> None:
    x = 12345
    pack = elgamal.fresh_pack(mul_base(x))
    assert [elgamal.decrypt(x, cipher) for cipher in pack] == list(range(52))
    assert all(cipher.a == G for cipher in pack)
    assert pack[7] == elgamal.trivial(7, mul_base(x)) == elgamal.encrypt(7, 1, mul_base(x))


def test_card_points_differ() -> None:
    assert len({encode(M) for M in CARD_POINTS}) == 52
    assert [elgamal.card_of(M) for M in CARD_POINTS] == list(range(52))


def test_ciphers_survive_their_bytes_and_need_their_exact_number() -> None:
    pack = dealt().pack
    data = elgamal.encode_ciphers(pack)
    assert len(data) == 52 * 66
    assert elgamal.decode_ciphers_untrusted(data, 52) == pack
    for wrong, count in ((data, 51), (data, 53), (data[:-1], 52), (data + b"\0", 52), (b"", 1)):
        with pytest.raises(Malformed, match="ciphers-length"):
            elgamal.decode_ciphers_untrusted(wrong, count)


def test_a_cipher_whose_difference_is_infinity_is_no_card() -> None:
    P = mul_base(8)
    with pytest.raises(BadProof, match="card-not-in-pack"):
        elgamal.decrypt(1, Cipher(P, P))
