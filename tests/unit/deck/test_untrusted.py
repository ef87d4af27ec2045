"""Whatever bytes a peer sends, a check ends in acceptance, `Malformed` or `BadProof`, and changed bytes are refused."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.deck import claims, dealing, elgamal, keys, labels, opening, recovery, shuffle, transfer
from protocol.errors import BadProof, Malformed
from tests.unit.deck.dealt import FRESH, at, dealt, mask

Check = tuple[bytes, Callable[[bytes], object]]


@cache
def checks() -> dict[str, Check]:
    """For each message: good bytes, and the check with everything else filled in."""
    table = dealt()
    x, Y, slots, hand = table.x[0], table.Y[0], table.slots[0], table.hands[0]
    here = at(0)
    cards = table.cards_from(0, 5)
    published = table.published(1)
    opened = list(zip(slots[:2], hand[:2], strict=True))
    allowed = mask(set(hand[:3]))
    small = table.pack[:3]
    outputs, shuffled = shuffle.shuffle_and_prove(here, small, table.joint, FRESH)
    outputs_parsed = elgamal.decode_ciphers_untrusted(outputs, 3)
    given_card, given_proof = transfer.hand_over(here, x, slots[0], hand[0], table.Y[1], FRESH)
    points = [slot.a for slot in slots[:2]]
    s, S = table.shares(1)[0], published.to(0).S
    shares_at = at(0, labels.STEP_SHARES)
    others, deal_keys = table.others(0), table.deal_keys()
    return {
        "key": (keys.prove_key(here, x, FRESH), lambda d: keys.verify_key(here, Y, d)),
        "shares": (
            recovery.publish_shares(shares_at, table.shares(0), deal_keys, FRESH),
            lambda d: recovery.verify_shares(shares_at, Y, others, deal_keys, d),
        ),
        "complaint": (
            recovery.prove_complaint(here, x, published, FRESH),
            lambda d: recovery.verify_complaint(here, Y, published, d),
        ),
        "recovery": (
            recovery.recovery_shares(here, s, points, FRESH),
            lambda d: recovery.verify_recovery(here, S, points, d),
        ),
        "shuffle": (shuffled, lambda d: shuffle.verify_shuffle(here, small, outputs_parsed, table.joint, d)),
        "deck": (
            outputs,
            lambda d: shuffle.verify_shuffle(
                here, small, elgamal.decode_ciphers_untrusted(d, 3), table.joint, shuffled
            ),
        ),
        "deal": (
            dealing.deal_shares(here, x, cards, FRESH),
            lambda d: dealing.verify_deal_shares(here, Y, cards, d),
        ),
        "opening": (
            opening.opening_shares(here, x, small, FRESH),
            lambda d: opening.verify_opening_shares(here, Y, small, d),
        ),
        "own": (opening.open_own(here, x, opened, FRESH), lambda d: opening.verify_own(here, Y, opened, d)),
        "none": (
            claims.prove_none(here, x, slots[:2], hand[:2], allowed, FRESH),
            lambda d: claims.verify_none(here, Y, slots[:2], allowed, d),
        ),
        "hand-over": (
            given_proof,
            lambda d: transfer.verify_hand_over(here, Y, slots[0], table.Y[1], given_card, d),
        ),
    }


NAMES = (
    "key", "shares", "complaint", "recovery", "shuffle", "deck", "deal", "opening", "own", "none", "hand-over",
)  # fmt: skip


def test_every_message_is_in_the_list() -> None:
    assert set(NAMES) == set(checks())


@pytest.mark.parametrize("name", NAMES)
def test_good_bytes_pass_and_every_other_length_is_malformed(name: str) -> None:
    good, check = checks()[name]
    check(good)
    for wrong in (b"", good[:-1], good + b"\0", good[:-32], good + good[-32:], good[33:], good[:33] + good):
        with pytest.raises(Malformed):
            check(wrong)


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_one_changed_bit_is_refused(name: str, data: st.DataObject) -> None:
    good, check = checks()[name]
    bit = data.draw(st.integers(0, 8 * len(good) - 1))
    changed = bytearray(good)
    changed[bit // 8] ^= 1 << bit % 8
    with pytest.raises((Malformed, BadProof)):
        check(bytes(changed))


@pytest.mark.parametrize("name", NAMES)
@given(noise=st.randoms(use_true_random=False))
@settings(max_examples=10, deadline=None)
def test_noise_of_the_right_length_is_refused(name: str, noise: object) -> None:
    good, check = checks()[name]
    changed = noise.randbytes(len(good))  # type: ignore[attr-defined]
    with pytest.raises((Malformed, BadProof)):
        check(changed)


@pytest.mark.parametrize("name", NAMES)
def test_zeros_in_place_of_the_scalars_are_refused(name: str) -> None:
    good, check = checks()[name]
    with pytest.raises((Malformed, BadProof)):
        check(good[:-64] + bytes(64))
