"""The group obeys its laws, and takes exactly one encoding of each point and scalar."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.deck import group
from protocol.deck.group import ORDER, G, InfinityError, add, decode_untrusted, encode, msm, mul, mul_base, neg, sub
from protocol.errors import Malformed, Misuse

SCALARS = st.integers(1, ORDER - 1)


@given(SCALARS, SCALARS)
@settings(max_examples=30, deadline=None)
def test_multiplication_distributes_over_addition(j: int, k: int) -> None:
    P = mul_base(j)
    assert mul(k, P) == mul_base(j * k)
    if (j + k) % ORDER:
        assert add(mul(j, P), mul(k, P)) == mul(j + k, P)
    assert sub(mul(k, P), neg(P)) == mul(k + 1, P)


@given(st.lists(SCALARS, min_size=1, max_size=6), SCALARS)
@settings(max_examples=20, deadline=None)
def test_a_sum_of_multiples_is_one_multiple_of_the_sum(scalars: list[int], base: int) -> None:
    points = [mul_base(index + 1) for index in range(len(scalars))]
    whole = sum(k * (index + 1) for index, k in enumerate(scalars)) + base
    if whole % ORDER:
        assert msm(scalars, points, base) == mul_base(whole)


def test_terms_with_scalar_zero_are_left_out_and_an_intermediate_infinity_does_no_harm() -> None:
    P = mul_base(5)
    assert msm([0, 3, ORDER], [P, P, P]) == mul(3, P)
    assert add(P, neg(P), G) == G
    assert msm([1, -1, 2], [P, P, P]) == mul(2, P)


def test_infinity_has_no_encoding_and_is_an_error() -> None:
    P = mul_base(9)
    for gives_infinity in (
        lambda: mul(0, P),
        lambda: mul(ORDER, P),
        lambda: mul_base(0),
        lambda: sub(P, P),
        lambda: add(P, neg(P)),
        lambda: msm([], []),
        lambda: msm([4], [P], -36),
    ):
        with pytest.raises(InfinityError):
            gives_infinity()


def test_lists_of_different_lengths_are_our_bug() -> None:
    with pytest.raises(ValueError, match="shorter"):
        msm([1, 2], [G])


@given(SCALARS)
@settings(max_examples=20, deadline=None)
def test_points_survive_their_bytes(k: int) -> None:
    P = mul_base(k)
    data = encode(P)
    assert len(data) == 33 and data[0] in (2, 3)
    assert decode_untrusted(data) == P and hash(decode_untrusted(data)) == hash(P)
    assert encode(neg(neg(P))) == data and encode(neg(P))[1:] == data[1:]
    assert pickle.loads(pickle.dumps(P)) == P
    assert data != P


@given(st.binary(max_size=70))
@settings(max_examples=200, deadline=None)
def test_garbage_is_malformed_and_nothing_else(data: bytes) -> None:
    for read in (
        decode_untrusted,
        group.scalar_untrusted,
        lambda d: group.decode_many_untrusted(d, 2),
        lambda d: group.scalars_untrusted(d, 2),
    ):
        try:
            read(data)
        except Malformed:
            pass


def test_scalars_are_below_the_order() -> None:
    assert group.scalar_untrusted(group.scalar_bytes(ORDER - 1)) == ORDER - 1
    assert group.scalar_untrusted(bytes(32)) == 0
    for k in (ORDER, ORDER + 1, 2**256 - 1):
        with pytest.raises(Malformed, match="scalar-not-below-order"):
            group.scalar_untrusted(k.to_bytes(32, "big"))
    for k in (-1, ORDER):
        with pytest.raises(Misuse):
            group.scalar_bytes(k)


def test_public_points_come_from_their_labels_alone_and_differ() -> None:
    made = [group.hash_to_point(label, index) for label in ("one", "two") for index in range(20)]
    assert len({encode(P) for P in made}) == 40
    assert made[3] == group.hash_to_point("one", 3)
    assert all(encode(P)[0] == 2 for P in made)


def test_the_repr_of_a_point_is_its_bytes() -> None:
    assert repr(G) == "Point(0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798)"
