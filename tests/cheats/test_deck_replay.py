"""A good proof from another place is worth nothing: every message, moved to another serial, seat, table, step, …"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from protocol.deck import claims, dealing, elgamal, keys, labels, opening, recovery, shuffle, transfer
from protocol.deck.transcript import Context
from protocol.errors import BadProof
from tests.unit.deck.dealt import FRESH, at, dealt, mask

HERE = at(0)
ELSEWHERE = {
    "another deal": replace(HERE, serial=8),
    "another seat": replace(HERE, seat=3),
    "another table": replace(HERE, table=b"another table 16"),
    "another entry": replace(HERE, counter=6),
    "another step": replace(HERE, step=labels.STEP_SHOW),
    "another head": replace(HERE, head=b"another head of the log, 32 long"),
}
MESSAGES = ("key", "shares", "complaint", "recovery", "shuffle", "deal", "opening", "own", "none", "hand-over")

Verify = Callable[[Context], object]


@cache
def verifiers() -> dict[str, Verify]:
    """Each message made once at HERE, with its check left open in the context alone."""
    table = dealt()
    x, Y, slots, hand = table.x[0], table.Y[0], table.slots[0], table.hands[0]
    deal_keys, others, shares = table.deal_keys(), table.others(0), table.shares(0)
    published = table.published(1)
    both = replace(published, shares=tuple(share._replace(recipient=seat) for share in published.shares[:1]
                                           for seat in (0, 3)))  # fmt: skip
    cards, opened, allowed = table.cards_from(0, 4), [(slots[0], hand[0])], mask(set(hand[:3]))
    small = table.pack[:3]
    data, shuffled = shuffle.shuffle_and_prove(HERE, small, table.joint, FRESH)
    outputs = elgamal.decode_ciphers_untrusted(data, 3)
    points = [slot.a for slot in slots[:2]]
    key = keys.prove_key(HERE, x, FRESH)
    sent = recovery.publish_shares(HERE, shares, deal_keys, FRESH)
    complaint = recovery.prove_complaint(HERE, x, both, FRESH)
    recovered = recovery.recovery_shares(HERE, table.shares(1)[0], points, FRESH)
    given = dealing.deal_shares(HERE, x, cards, FRESH)
    together = opening.opening_shares(HERE, x, small, FRESH)
    own = opening.open_own(HERE, x, opened, FRESH)
    none = claims.prove_none(HERE, x, slots[:2], hand[:2], allowed, FRESH)
    handed, hand_over = transfer.hand_over(HERE, x, slots[0], hand[0], table.Y[1], FRESH)
    return {
        "key": lambda c: keys.verify_key(c, Y, key),
        "shares": lambda c: recovery.verify_shares(c, Y, others, deal_keys, sent),
        "complaint": lambda c: recovery.verify_complaint(c, Y, both, complaint),
        "recovery": lambda c: recovery.verify_recovery(c, published.to(0).S, points, recovered),
        "shuffle": lambda c: shuffle.verify_shuffle(c, small, outputs, table.joint, shuffled),
        "deal": lambda c: dealing.verify_deal_shares(c, Y, cards, given),
        "opening": lambda c: opening.verify_opening_shares(c, Y, small, together),
        "own": lambda c: opening.verify_own(c, Y, opened, own),
        "none": lambda c: claims.verify_none(c, Y, slots[:2], allowed, none),
        "hand-over": lambda c: transfer.verify_hand_over(c, Y, slots[0], table.Y[1], handed, hand_over),
    }


@pytest.mark.parametrize("message", MESSAGES)
def test_a_proof_holds_where_it_was_made(message: str) -> None:
    verifiers()[message](HERE)


@pytest.mark.parametrize("place", ELSEWHERE)
@pytest.mark.parametrize("message", MESSAGES)
def test_a_proof_replayed_elsewhere_is_refused(message: str, place: str) -> None:
    with pytest.raises(BadProof):
        verifiers()[message](ELSEWHERE[place])


def test_a_mixing_is_no_shuffle_and_a_shuffle_no_mixing() -> None:
    table = dealt()
    place = at(0, labels.STEP_SHUFFLE)
    data, proof = shuffle.mix_hand(place, table.slots[0], table.Y[0], FRESH)
    outputs = elgamal.decode_ciphers_untrusted(data, 13)
    shuffle.verify_mix(place, table.slots[0], outputs, table.Y[0], proof)
    with pytest.raises(BadProof, match="shuffle-proof"):
        shuffle.verify_shuffle(place, table.slots[0], outputs, table.Y[0], proof)


def test_a_shuffle_of_another_deck_is_refused() -> None:
    """The next seat's shuffle replayed onto the deck before it."""
    table, place = dealt(), at(0, labels.STEP_SHUFFLE)
    first, second = table.pack[:4], table.pack[4:8]
    data, proof = shuffle.shuffle_and_prove(place, first, table.joint, FRESH)
    outputs = elgamal.decode_ciphers_untrusted(data, 4)
    with pytest.raises(BadProof, match="shuffle-proof"):
        shuffle.verify_shuffle(place, second, outputs, table.joint, proof)
    with pytest.raises(BadProof, match="shuffle-proof"):
        shuffle.verify_shuffle(place, first, outputs, table.Y[0], proof)
