"""A seat that cheats while playing: a card it does not hold, a false or missing claim, a hidden seven of hearts."""

from __future__ import annotations

from itertools import permutations

import pytest

from protocol.deck import claims, elgamal, opening, shuffle, transfer
from protocol.deck.elgamal import CARD_POINTS, Cipher
from protocol.deck.group import add, mul, mul_base, sub
from protocol.errors import BadProof, Malformed, Refused
from tests.unit.deck.dealt import FRESH, SEVEN_OF_HEARTS, at, dealt, mask

HOLDER, SEVEN = dealt().holder_of(SEVEN_OF_HEARTS)
HERE = at(HOLDER)
X, Y = dealt().x[HOLDER], dealt().Y[HOLDER]
HAND, SLOTS = dealt().hands[HOLDER], dealt().slots[HOLDER]
OTHERS = [index for index in range(13) if index != SEVEN]
UNSEEN = mask(set(range(20, 52)) | set(HAND))
WITHOUT_SEVEN = UNSEEN & ~(1 << SEVEN_OF_HEARTS)


def forged(slots: list[Cipher], cards: list[int], allowed: int) -> bytes:
    """A proof for slots that do *not* hold these members of `allowed`, made as well as a cheat can."""
    members = claims._members(allowed)
    first = [members.index(card) for card in cards]
    order = first + [index for index in range(len(members)) if index not in first]
    transcript = claims._transcript(HERE, Y, slots, allowed)
    return claims._prove(transcript, X, slots, members, order, [99 + index for index in range(len(members))], FRESH)


def a_card_of_somebody_else(allowed: int) -> int:
    return next(card for card in claims._members(allowed) if card not in HAND)


def test_the_honest_claim_over_the_rest_of_the_hand_passes() -> None:
    slots, cards = [SLOTS[index] for index in OTHERS], [HAND[index] for index in OTHERS]
    claims.verify_none(HERE, Y, slots, WITHOUT_SEVEN, forged(slots, cards, WITHOUT_SEVEN))


def test_the_seven_of_hearts_cannot_be_hidden() -> None:
    allowed = mask({card for card in HAND if card != SEVEN_OF_HEARTS} | {0, 1, 2, 3})
    instead = a_card_of_somebody_else(allowed)
    pretended = [instead if card == SEVEN_OF_HEARTS else card for card in HAND]
    with pytest.raises(BadProof, match="none-proof"):
        claims.verify_none(HERE, Y, SLOTS, allowed, forged(SLOTS, pretended, allowed))


def test_an_output_that_holds_the_seven_is_no_shuffle_of_the_others() -> None:
    """The cheat's outputs match its slots; then they are not a shuffle of the allowed cards."""
    allowed = mask({a_card_of_somebody_else(WITHOUT_SEVEN), HAND[OTHERS[0]]})
    members = claims._members(allowed)
    slots = [SLOTS[SEVEN]]
    inputs = [elgamal.trivial(card, Y) for card in members]
    outputs = shuffle.shuffle(inputs, Y, [0, 1], [5, 6])
    outputs[0] = elgamal.encrypt(SEVEN_OF_HEARTS, 6, Y)
    transcript = claims._transcript(HERE, Y, slots, allowed)
    shuffle_proof = shuffle.prove_within(transcript, inputs, outputs, Y, [0, 1], [5, 6], FRESH)
    equations = claims._equations(transcript, Y, slots, outputs, shuffle_proof)
    proof = elgamal.encode_ciphers(outputs) + shuffle_proof + claims.linear.prove(transcript, equations, [X], FRESH)
    with pytest.raises(BadProof, match="shuffle-proof"):
        claims.verify_none(HERE, Y, slots, allowed, proof)


def test_the_slot_of_the_seven_cannot_be_left_out() -> None:
    slots, cards = [SLOTS[index] for index in OTHERS], [HAND[index] for index in OTHERS]
    proof = claims.prove_none(HERE, X, slots, cards, WITHOUT_SEVEN, FRESH)
    with pytest.raises(BadProof):
        claims.verify_none(HERE, Y, SLOTS, WITHOUT_SEVEN, proof)


def test_a_claim_for_a_wider_set_does_not_prove_the_narrower_one() -> None:
    proof = claims.prove_none(HERE, X, SLOTS, HAND, UNSEEN, FRESH)
    claims.verify_none(HERE, Y, SLOTS, UNSEEN, proof)
    with pytest.raises(Malformed):
        claims.verify_none(HERE, Y, SLOTS, WITHOUT_SEVEN, proof)
    same_size = WITHOUT_SEVEN | 1 << next(card for card in range(52) if not UNSEEN >> card & 1)
    with pytest.raises(BadProof):
        claims.verify_none(HERE, Y, SLOTS, same_size, proof)


def test_a_missing_or_forged_claim_is_refused() -> None:
    slots, cards = SLOTS[:2], HAND[:2]
    allowed = mask({*cards, 0, 1})
    good = claims.prove_none(HERE, X, slots, cards, allowed, FRESH)
    for wrong in (b"", bytes(len(good)), good[:-64] + bytes(64), good[:-64], good + good):
        with pytest.raises(Refused):
            claims.verify_none(HERE, Y, slots, allowed, wrong)
    with pytest.raises(BadProof):
        claims.verify_none(HERE, Y, [slots[1], slots[0]], allowed, good)
    with pytest.raises(BadProof):
        claims.verify_none(HERE, Y, SLOTS[2:4], allowed, good)


def test_a_claim_of_nothing_or_of_more_slots_than_cards_is_impossible() -> None:
    for slots, allowed in (([], 3), (SLOTS[:3], 3), (SLOTS[:1], 0)):
        with pytest.raises(BadProof, match="claim-impossible"):
            claims.verify_none(HERE, Y, slots, allowed, b"")
    for allowed in (1 << 52, -1):
        with pytest.raises(Malformed, match="card-set"):
            claims.verify_none(HERE, Y, SLOTS[:1], allowed, b"")


def test_one_slot_twice_does_not_stand_for_two_slots() -> None:
    """The last slot hides the seven; the claim is made with an innocent slot twice."""
    innocent = HAND[OTHERS[0]]
    other = a_card_of_somebody_else(WITHOUT_SEVEN)
    twice = [SLOTS[OTHERS[0]], SLOTS[OTHERS[0]]]
    real = [SLOTS[OTHERS[0]], SLOTS[SEVEN]]
    allowed = mask({innocent, other})
    for made_for in (twice, real):
        proof = forged(made_for, [innocent, other], allowed)
        for slots in (twice, real):
            with pytest.raises(BadProof, match="none-proof" if slots is made_for else "shuffle-proof"):
                claims.verify_none(HERE, Y, slots, allowed, proof)


def test_two_encryptions_of_one_card_cannot_pass_as_two_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    innocent = HAND[OTHERS[0]]
    slot = SLOTS[OTHERS[0]]
    again = Cipher(add(slot.a, mul_base(4)), add(slot.b, mul(4, Y)))
    other = a_card_of_somebody_else(WITHOUT_SEVEN)
    allowed = mask({innocent, other})
    with pytest.raises(BadProof, match="none-proof"):
        claims.verify_none(HERE, Y, [slot, again], allowed, forged([slot, again], [innocent, other], allowed))
    monkeypatch.setattr(shuffle, "_check_permutation", lambda *_: None)
    at_innocent = claims._members(allowed).index(innocent)
    transcript = claims._transcript(HERE, Y, [slot, again], allowed)
    proof = claims._prove(
        transcript, X, [slot, again], claims._members(allowed), [at_innocent, at_innocent], [7, 8], FRESH
    )
    with pytest.raises(BadProof, match="shuffle-proof"):
        claims.verify_none(HERE, Y, [slot, again], allowed, proof)


def test_a_card_that_one_does_not_hold_cannot_be_opened() -> None:
    elsewhere = a_card_of_somebody_else((1 << 52) - 1)
    proof = opening.open_own(HERE, X, [(SLOTS[0], elsewhere)], FRESH)
    with pytest.raises(BadProof, match="own-card-proof"):
        opening.verify_own(HERE, Y, [(SLOTS[0], elsewhere)], proof)
    good = opening.open_own(HERE, X, [(SLOTS[0], HAND[0])], FRESH)
    with pytest.raises(BadProof, match="own-card-proof"):
        opening.verify_own(HERE, Y, [(SLOTS[0], elsewhere)], good)
    with pytest.raises(BadProof, match="own-card-proof"):
        opening.verify_own(HERE, Y, [(SLOTS[1], HAND[0])], good)


def test_two_opened_cards_cannot_be_exchanged() -> None:
    false = [(SLOTS[0], HAND[1]), (SLOTS[1], HAND[0])]
    with pytest.raises(BadProof, match="own-card-proof"):
        opening.verify_own(HERE, Y, false, opening.open_own(HERE, X, false, FRESH))
    true = [(SLOTS[0], HAND[0]), (SLOTS[1], HAND[1])]
    proof = opening.open_own(HERE, X, true, FRESH)
    for order in permutations(true):
        if list(order) != true:
            with pytest.raises(BadProof, match="own-card-proof"):
                opening.verify_own(HERE, Y, list(order), proof)


def test_another_seats_slot_cannot_be_opened() -> None:
    table = dealt()
    victim = (HOLDER + 1) % 4
    opened = [(table.slots[victim][0], table.hands[victim][0])]
    with pytest.raises(BadProof, match="own-card-proof"):
        opening.verify_own(HERE, table.Y[victim], opened, opening.open_own(HERE, X, opened, FRESH))
    with pytest.raises(BadProof, match="own-card-proof"):
        opening.verify_own(HERE, Y, opened, opening.open_own(HERE, X, opened, FRESH))


def test_another_card_cannot_be_handed_over() -> None:
    table = dealt()
    receiver = (HOLDER + 2) % 4
    to = table.Y[receiver]
    given, proof = transfer.hand_over(HERE, X, SLOTS[0], HAND[0], to, FRESH)
    swapped = Cipher(given.a, add(given.b, sub(CARD_POINTS[HAND[1]], CARD_POINTS[HAND[0]])))
    transcript, equations = transfer._statement(HERE, Y, SLOTS[0], to, swapped)
    best_effort = transfer.linear.prove(transcript, equations, [X, 77], FRESH)
    for slot, key, cipher, shown in (
        (SLOTS[0], to, swapped, proof),
        (SLOTS[0], to, swapped, best_effort),
        (SLOTS[1], to, given, proof),
        (SLOTS[0], table.Y[(receiver + 1) % 4], given, proof),
        (SLOTS[0], to, SLOTS[0], proof),
    ):
        with pytest.raises(BadProof, match="hand-over-proof"):
            transfer.verify_hand_over(HERE, Y, slot, key, cipher, shown)
