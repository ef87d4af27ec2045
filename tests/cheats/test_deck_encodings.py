"""Encodings that no honest program writes: other forms of a point, points off the curve, scalars too great."""

from __future__ import annotations

import pytest
from btclib_secp256k1 import ffi, lib
from btclib_secp256k1.context import ctx

from protocol.deck import dealing, elgamal, keys, opening
from protocol.deck.group import ORDER, G, decode_untrusted, encode
from protocol.errors import Malformed
from tests.unit.deck.dealt import FRESH, at, dealt

FIELD = 2**256 - 2**32 - 977
GX = encode(G)[1:]
GY = bytes.fromhex("483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8")


def library_reads(data: bytes) -> bool:
    return bool(lib.secp256k1_ec_pubkey_parse(ctx, ffi.new("secp256k1_pubkey *"), data, len(data)))


@pytest.mark.parametrize("data", [b"\x04" + GX + GY, b"\x06" + GX + GY], ids=["uncompressed", "hybrid"])
def test_other_forms_of_a_good_point_are_refused_although_the_library_reads_them(data: bytes) -> None:
    assert library_reads(data)
    with pytest.raises(Malformed, match="point-encoding"):
        decode_untrusted(data)


@pytest.mark.parametrize(
    "data",
    [
        b"\x07" + GX + GY,
        b"\x04" + GX,
        b"\x06" + GX,
        b"\x07" + GX,
        b"\x00" * 33,
        b"\x00",
        b"",
        b"\x02" + GX + b"\x00",
        b"\x02" + GX[:-1],
        b"\x05" + GX,
        b"\xff" * 33,
    ],
)
def test_wrong_prefixes_and_lengths_are_refused(data: bytes) -> None:
    with pytest.raises(Malformed, match="point-encoding"):
        decode_untrusted(data)


def test_a_coordinate_off_the_curve_or_not_below_the_field_is_refused() -> None:
    assert pow(5**3 + 7, (FIELD - 1) // 2, FIELD) != 1
    for x in (5, 0, FIELD, FIELD + 1, 2**256 - 1):
        with pytest.raises(Malformed, match="point-not-on-curve"):
            decode_untrusted(b"\x02" + x.to_bytes(32, "big"))


def test_a_long_point_inside_a_message_is_refused() -> None:
    table = dealt()
    data = opening.opening_shares(at(0), table.x[0], table.pack[:2], FRESH)
    longer = b"\x04" + GX + GY + data[33:]
    with pytest.raises(Malformed):
        opening.verify_opening_shares(at(0), table.Y[0], table.pack[:2], longer)
    prefix = b"\x04" + data[1:]
    with pytest.raises(Malformed, match="point-encoding"):
        opening.verify_opening_shares(at(0), table.Y[0], table.pack[:2], prefix)
    with pytest.raises(Malformed, match="point-encoding"):
        elgamal.decode_ciphers_untrusted(b"\x07" + bytes(65), 1)


def test_a_scalar_plus_the_order_is_refused_wherever_it_stands() -> None:
    """s and s + q answer the same challenge: without this check one proof would have two encodings."""
    table, context = dealt(), at(0)
    proof = keys.prove_key(context, table.x[0], FRESH)
    keys.verify_key(context, table.Y[0], proof)
    for wrong in (ORDER, 2**256 - 1):
        for start in (0, 32):
            changed = proof[:start] + wrong.to_bytes(32, "big") + proof[start + 32 :]
            with pytest.raises(Malformed, match="scalar-not-below-order"):
                keys.verify_key(context, table.Y[0], changed)
    cards = table.cards_from(0, 4)
    data = dealing.deal_shares(context, table.x[0], cards, FRESH)
    with pytest.raises(Malformed, match="scalar-not-below-order"):
        dealing.verify_deal_shares(context, table.Y[0], cards, data[:-32] + ORDER.to_bytes(32, "big"))
