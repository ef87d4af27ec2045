"""Each step of a deal with honest seats: proofs verify, cards come out, sizes are what SPEC.md says."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.deck import claims, dealing, elgamal, keys, labels, opening, recovery, sealed, shuffle, transfer
from protocol.deck.group import encode, mul, mul_base
from protocol.deck.nonce import Secrets
from protocol.errors import BadProof, Malformed, Misuse
from tests.unit.deck.dealt import FRESH, HEAD, SEATS, SERIAL, TABLE, at, dealt, mask, opened_together


def test_keys_are_committed_to_shown_and_proved() -> None:
    table = dealt()
    for seat in SEATS:
        context = at(seat, labels.STEP_KEY)
        salt = table.secrets[seat].key_salt(TABLE, SERIAL)
        commitment = keys.commit_key(at(seat, labels.STEP_KEY_COMMIT, counter=1), table.Y[seat], salt)
        keys.check_key_commitment(context, commitment, table.Y[seat], salt)
        proof = keys.prove_key(context, table.x[seat], FRESH)
        assert len(proof) == keys.KEY_PROOF_BYTES == 64
        keys.verify_key(context, table.Y[seat], proof)
        with pytest.raises(BadProof, match="key-commitment"):
            keys.check_key_commitment(context, commitment, table.Y[seat - 1], salt)
        with pytest.raises(Malformed):
            keys.check_key_commitment(context, commitment, table.Y[seat], salt + b"\0")
    with pytest.raises(Misuse):
        keys.commit_key(at(0), table.Y[0], b"salt")
    with pytest.raises(BadProof, match="joint-key"):
        keys.joint_key([mul_base(3), mul_base(-3)])


def test_recovery_shares_add_up_and_reach_their_seats() -> None:
    table = dealt()
    for i in SEATS:
        shares, published = table.shares(i), table.published(i)
        assert sum(shares.values()) % recovery.ORDER == table.x[i]
        for j in table.others(i):
            assert recovery.open_share(table.x[j], published, j) == shares[j]
            wrong_key = table.x[j] + 1
            assert recovery.open_share(wrong_key, published, j) is None
        with pytest.raises(Misuse):
            published.to(i)
    with pytest.raises(Misuse):
        recovery.make_shares(table.secrets[0], TABLE, SERIAL, table.x[0], [])


def test_a_single_other_seat_gets_the_whole_key() -> None:
    own = Secrets(bytes(32))
    assert recovery.make_shares(own, TABLE, 1, 99, [2]) == {2: 99}
    context, Y = at(0, labels.STEP_SHARES), mul_base(99)
    data = recovery.publish_shares(context, {2: 99}, {2: mul_base(5)}, FRESH)
    assert len(data) == recovery.shares_bytes(1)
    published = recovery.verify_shares(context, Y, [2], {2: mul_base(5)}, data)
    assert recovery.open_share(5, published, 2) == 99


def test_all_others_together_open_a_lost_hand_and_the_shares_addressed_to_it() -> None:
    table, lost = dealt(), 2
    published = {i: table.published(i) for i in SEATS}
    inherited = table.others(lost)
    points = [slot.a for slot in table.slots[lost]] + [published[i].to(lost).E for i in inherited]
    contributions = []
    for j in table.others(lost):
        context = at(j, labels.STEP_TAKE_OVER)
        data = recovery.recovery_shares(context, table.shares(lost)[j], points, FRESH)
        assert len(data) == recovery.recovery_bytes(len(points))
        contributions.append(recovery.verify_recovery(context, published[lost].to(j).S, points, data))
    recovered = recovery.add_recovered(contributions)
    assert recovered == [mul(table.x[lost], P) for P in points]
    hand = [opening.open_with(slot, [D]) for slot, D in zip(table.slots[lost], recovered[:13], strict=True)]
    assert hand == table.hands[lost]
    for i, D in zip(inherited, recovered[13:], strict=True):
        assert recovery.reopen_ciphertext(D, published[i], lost) == table.shares(i)[lost]
        assert recovery.reopen_ciphertext(mul(2, D), published[i], lost) is None


@given(st.integers(1, 6), st.randoms(use_true_random=False), st.binary(min_size=32, max_size=32))
@settings(max_examples=12, deadline=None)
def test_any_number_of_cards_shuffles_and_proves(count: int, random: object, seed: bytes) -> None:
    x, context = 4242, at(1, labels.STEP_SHUFFLE)
    Y = mul_base(x)
    inputs = [elgamal.trivial(card, Y) for card in range(count)]
    data, proof = shuffle.shuffle_and_prove(context, inputs, Y, seed)
    assert len(proof) == shuffle.shuffle_proof_bytes(count) == 130 * count + 160
    outputs = elgamal.decode_ciphers_untrusted(data, count)
    shuffle.verify_shuffle(context, inputs, outputs, Y, proof)
    assert sorted(elgamal.decrypt(x, cipher) for cipher in outputs) == list(range(count))
    assert not {encode(c.a) for c in outputs} & {encode(c.a) for c in inputs}


def test_a_whole_pack_shuffles_within_its_size() -> None:
    table, context = dealt(), at(3, labels.STEP_SHUFFLE)
    data, proof = shuffle.shuffle_and_prove(context, table.pack, table.joint, FRESH, secret=b"of my own")
    assert len(data) + len(proof) == 10352
    outputs = elgamal.decode_ciphers_untrusted(data, 52)
    shuffle.verify_shuffle(context, table.pack, outputs, table.joint, proof)
    again, _ = shuffle.shuffle_and_prove(context, table.pack, table.joint, FRESH, secret=b"of another's")
    assert again != data


def test_a_shuffle_of_nothing_or_of_no_permutation_is_our_bug() -> None:
    table = dealt()
    for count, order, randomizers in ((0, [], []), (2, [0, 0], [1, 1]), (2, [0, 1], [1]), (2, [1, 2], [1, 1])):
        with pytest.raises(Misuse):
            shuffle.shuffle(table.pack[:count], table.joint, order, randomizers)
    with pytest.raises(Malformed):
        shuffle.verify_shuffle(at(0), [], [], table.joint, b"")


def test_dealing_gives_every_card_to_exactly_one_seat() -> None:
    table = dealt()
    assert sorted(card for hand in table.hands for card in hand) == list(range(52))
    together = opened_together(table.pack, list(SEATS), table.x, table.Y)
    assert [together[seat::4] for seat in SEATS] == table.hands
    cards = table.cards_from(0)
    assert dealing.deal_shares_bytes(cards) == 39 * 66 + 32 * 5


def test_a_lost_seats_deal_share_is_replaced_by_its_recovered_point() -> None:
    table = dealt()
    card = table.cards_from(1)[0]
    contributions: list[tuple[dealing.Point | None, dealing.Point]] = []
    for j in (2, 3):
        (share,) = dealing.verify_deal_shares(
            at(j), table.Y[j], [card], dealing.deal_shares(at(j), table.x[j], [card], FRESH)
        )
        contributions.append(share)
    contributions.append((None, mul(table.x[1], card.cipher.a)))
    slot = dealing.combine(card.cipher, contributions)
    assert elgamal.decrypt(table.x[0], slot) == table.hands[0][0]
    for lost in SEATS[1:]:
        contributions[lost - 1] = (None, mul(table.x[lost], card.cipher.a))
    assert dealing.combine(card.cipher, contributions).a == card.cipher.a
    with pytest.raises(BadProof, match="deal-sum"):
        dealing.combine(card.cipher, [(card.cipher.a, card.cipher.a)])


def test_dealing_nothing_or_one_seat_under_two_keys_is_our_bug() -> None:
    table = dealt()
    card = table.cards_from(1)[0]
    with pytest.raises(Misuse):
        dealing.deal_shares(at(1), table.x[1], [], FRESH)
    with pytest.raises(Misuse):
        dealing.deal_shares(at(1), table.x[1], [card, card._replace(key=table.Y[3])], FRESH)
    with pytest.raises(Malformed):
        dealing.verify_deal_shares(at(1), table.Y[1], [], b"")


def test_one_proof_opens_one_or_all_of_ones_cards() -> None:
    table, context = dealt(), at(2)
    everything = list(zip(table.slots[2], table.hands[2], strict=True))
    for opened in (everything[:1], everything[3:5], everything):
        proof = opening.open_own(context, table.x[2], opened, FRESH)
        assert len(proof) == opening.OWN_PROOF_BYTES == 64
        opening.verify_own(context, table.Y[2], opened, proof)
    with pytest.raises(Misuse):
        opening.open_own(context, table.x[2], [], FRESH)
    with pytest.raises(Malformed):
        opening.verify_own(context, table.Y[2], [], bytes(64))
    with pytest.raises(Malformed):
        opening.verify_own(context, table.Y[2], [(table.slots[2][0], 52)], bytes(64))


def test_opening_together_has_its_size() -> None:
    table = dealt()
    data = opening.opening_shares(at(0), table.x[0], table.pack[:4], FRESH)
    assert len(data) == opening.opening_shares_bytes(4) == 4 * 33 + 64
    with pytest.raises(Misuse):
        opening.opening_shares(at(0), table.x[0], [], FRESH)


@given(st.data())
@settings(max_examples=12, deadline=None)
def test_any_part_of_a_hand_can_be_shown_to_lie_in_any_set_that_holds_it(data: st.DataObject) -> None:
    table, context = dealt(), at(1)
    held = data.draw(st.lists(st.integers(0, 12), min_size=1, max_size=4, unique=True))
    slots = [table.slots[1][index] for index in held]
    cards = [table.hands[1][index] for index in held]
    more = data.draw(st.sets(st.integers(0, 51), max_size=4))
    allowed = mask(set(cards) | more)
    proof = claims.prove_none(context, table.x[1], slots, cards, allowed, FRESH)
    assert len(proof) == claims.none_proof_bytes(allowed) == 196 * allowed.bit_count() + 224
    claims.verify_none(context, table.Y[1], slots, allowed, proof)


def test_a_claim_about_trivially_encrypted_kitty_cards_works() -> None:
    table, context = dealt(), at(0)
    slots = [elgamal.trivial(3, table.Y[0]), table.slots[0][0]]
    cards = [3, table.hands[0][0] if table.hands[0][0] != 3 else table.hands[0][1]]
    slots[1] = table.slots[0][table.hands[0].index(cards[1])]
    allowed = mask({3, cards[1], 50, 51})
    claims.verify_none(
        context, table.Y[0], slots, allowed, claims.prove_none(context, table.x[0], slots, cards, allowed, FRESH)
    )


def test_a_false_claim_of_our_own_is_our_bug() -> None:
    table, context = dealt(), at(1)
    slots, cards = table.slots[1][:2], table.hands[1][:2]
    good = mask(set(cards))
    for wrong_slots, wrong_cards, allowed in (
        (slots, cards, good & ~(1 << cards[0])),
        (slots, [cards[0], cards[0]], good),
        (slots, cards[:1], good),
        ([], [], good),
    ):
        with pytest.raises(Misuse):
            claims.prove_none(context, table.x[1], wrong_slots, wrong_cards, allowed, FRESH)


def test_a_card_handed_over_is_the_same_card_under_the_new_key() -> None:
    table, context = dealt(), at(0, labels.STEP_HAND_OVER)
    slot, card = table.slots[0][4], table.hands[0][4]
    given_card, proof = transfer.hand_over(context, table.x[0], slot, card, table.Y[3], FRESH)
    assert len(proof) == transfer.HAND_OVER_PROOF_BYTES == 96
    transfer.verify_hand_over(context, table.Y[0], slot, table.Y[3], given_card, proof)
    assert elgamal.decrypt(table.x[3], given_card) == card
    with pytest.raises(BadProof):
        elgamal.decrypt(table.x[0], given_card)
    with pytest.raises(Misuse):
        transfer.hand_over(context, table.x[0], slot, (card + 1) % 52, table.Y[3], FRESH)


def test_a_mixed_hand_holds_the_same_cards() -> None:
    table, context = dealt(), at(2, labels.STEP_MIX)
    data, proof = shuffle.mix_hand(context, table.slots[2], table.Y[2], FRESH)
    outputs = elgamal.decode_ciphers_untrusted(data, 13)
    shuffle.verify_mix(context, table.slots[2], outputs, table.Y[2], proof)
    assert sorted(elgamal.decrypt(table.x[2], slot) for slot in outputs) == sorted(table.hands[2])


def test_sealed_values_open_as_what_they_were_and_as_nothing_else() -> None:
    own = Secrets(b"s" * 32)
    made, nonce = sealed.seal_own(own, TABLE, 3, 1, labels.STEP_VOID, b"\x05")
    assert (made, nonce) == sealed.seal_own(Secrets(b"s" * 32), TABLE, 3, 1, labels.STEP_VOID, b"\x05")
    sealed.check_seal(made, TABLE, 3, 1, labels.STEP_VOID, b"\x05", nonce)
    for serial, seat, step, value in (
        (4, 1, labels.STEP_VOID, b"\x05"),
        (3, 2, labels.STEP_VOID, b"\x05"),
        (3, 1, labels.STEP_DOUBLING, b"\x05"),
        (3, 1, labels.STEP_VOID, b"\x06"),
    ):
        with pytest.raises(BadProof, match="seal"):
            sealed.check_seal(made, TABLE, serial, seat, step, value, nonce)
    for wrong in (b"", made + b"\0"):
        with pytest.raises(Malformed):
            sealed.check_seal(wrong, TABLE, 3, 1, labels.STEP_VOID, b"\x05", nonce)
    with pytest.raises(Misuse):
        sealed.seal(TABLE, 3, 1, labels.STEP_VOID, bytes(256), nonce)


def test_the_test_table_quotes_a_head() -> None:
    assert at(0).head == HEAD
