"""A seat that cheats with keys and recovery shares: rogue keys, shares that do not match, copied ephemeral points."""

from __future__ import annotations

import pytest

from protocol.deck import elgamal, keys, labels, recovery
from protocol.deck.group import Point, add, encode, mul, mul_base, scalar_bytes, sub, total
from protocol.errors import BadProof, Malformed
from tests.unit.deck.dealt import FRESH, at, dealt

TABLE = dealt()
CHEAT, HONEST = 1, 2
SHARES_AT = at(CHEAT, labels.STEP_SHARES)
COMPLAINT_AT = at(HONEST, labels.STEP_COMPLAINT)
OTHERS = TABLE.others(CHEAT)


def checked(data: bytes) -> recovery.PublishedShares:
    return recovery.verify_shares(SHARES_AT, TABLE.Y[CHEAT], OTHERS, TABLE.deal_keys(), data)


def published_with_a_bad_share(monkeypatch: pytest.MonkeyPatch) -> recovery.PublishedShares:
    """Everything that the public can check is right, but the ciphertext for one seat holds something else."""
    true_mask = recovery._mask

    def bent(table: bytes, serial: int, sender: int, recipient: int, *points: Point) -> bytes:
        made = true_mask(table, serial, sender, recipient, *points)
        return bytes(byte ^ 1 for byte in made) if recipient == HONEST else made

    with monkeypatch.context() as cheating:
        cheating.setattr(recovery, "_mask", bent)
        data = recovery.publish_shares(SHARES_AT, TABLE.shares(CHEAT), TABLE.deal_keys(), FRESH)
    return checked(data)


def test_a_rogue_key_would_open_the_whole_pack_and_cannot_be_proved() -> None:
    """Y = Z − Σ Y_j makes the joint key Z, whose secret the cheat knows; but not the secret of Y."""
    z = 31337
    rogue = sub(mul_base(z), total(TABLE.Y[j] for j in (0, 2, 3)))
    joint = keys.joint_key([TABLE.Y[0], rogue, TABLE.Y[2], TABLE.Y[3]])
    assert elgamal.decrypt(z, elgamal.encrypt(30, 99, joint)) == 30
    context = at(CHEAT, labels.STEP_KEY)
    stolen = keys.prove_key(at(0, labels.STEP_KEY), TABLE.x[0], FRESH)
    guessed = [keys.prove_key(context, guess, FRESH) for guess in (z, TABLE.x[CHEAT], z - TABLE.x[CHEAT])]
    for proof in (stolen, *guessed, bytes(64)):
        with pytest.raises(BadProof, match="key-proof"):
            keys.verify_key(context, rogue, proof)


def test_a_key_other_than_the_one_committed_to_is_refused() -> None:
    context, salt = at(CHEAT, labels.STEP_KEY), bytes(32)
    commitment = keys.commit_key(context, TABLE.Y[CHEAT], salt)
    with pytest.raises(BadProof, match="key-commitment"):
        keys.check_key_commitment(context, commitment, mul_base(5), salt)
    with pytest.raises(BadProof, match="key-commitment"):
        keys.check_key_commitment(at(0, labels.STEP_KEY), commitment, TABLE.Y[CHEAT], salt)
    with pytest.raises(BadProof, match="key-commitment"):
        keys.check_key_commitment(at(CHEAT, labels.STEP_KEY, serial=8), commitment, TABLE.Y[CHEAT], salt)


def test_shares_that_do_not_add_up_to_the_key_are_refused() -> None:
    shares = TABLE.shares(CHEAT)
    shares[HONEST] += 1
    data = recovery.publish_shares(SHARES_AT, shares, TABLE.deal_keys(), FRESH)
    with pytest.raises(BadProof, match="shares-sum"):
        checked(data)
    opposite = {0: 5, 2: -5 % recovery.ORDER}
    parts = b"".join(encode(mul_base(s)) + encode(mul_base(1)) + bytes(32) for s in opposite.values())
    with pytest.raises(BadProof, match="shares-sum"):
        recovery.verify_shares(SHARES_AT, TABLE.Y[CHEAT], [0, 2], TABLE.deal_keys(), parts + bytes(96))


def test_a_share_that_does_not_match_is_seen_by_its_recipient_and_the_complaint_is_justified(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    published = published_with_a_bad_share(monkeypatch)
    assert recovery.open_share(TABLE.x[HONEST], published, HONEST) is None
    assert recovery.open_share(TABLE.x[0], published, 0) == TABLE.shares(CHEAT)[0]
    complaint = recovery.prove_complaint(COMPLAINT_AT, TABLE.x[HONEST], published, FRESH)
    assert recovery.verify_complaint(COMPLAINT_AT, TABLE.Y[HONEST], published, complaint) is True


def test_a_complaint_about_a_good_share_turns_against_its_author() -> None:
    published = TABLE.published(CHEAT)
    complaint = recovery.prove_complaint(COMPLAINT_AT, TABLE.x[HONEST], published, FRESH)
    assert recovery.verify_complaint(COMPLAINT_AT, TABLE.Y[HONEST], published, complaint) is False


def test_a_complaint_with_a_false_decryption_is_refused() -> None:
    published = TABLE.published(CHEAT)
    good = recovery.prove_complaint(COMPLAINT_AT, TABLE.x[HONEST], published, FRESH)
    false_point = encode(mul(TABLE.x[HONEST] + 1, published.to(HONEST).E)) + good[33:]
    other_key = recovery.prove_complaint(COMPLAINT_AT, TABLE.x[HONEST] + 1, published, FRESH)
    of_another_sender = recovery.prove_complaint(COMPLAINT_AT, TABLE.x[HONEST], TABLE.published(0), FRESH)
    for wrong in (false_point, other_key, of_another_sender):
        with pytest.raises(BadProof, match="complaint-proof"):
            recovery.verify_complaint(COMPLAINT_AT, TABLE.Y[HONEST], published, wrong)


def test_a_complaint_of_a_seat_that_was_sent_nothing_is_refused() -> None:
    own = at(CHEAT, labels.STEP_COMPLAINT)
    with pytest.raises(BadProof, match="complaint-proof"):
        recovery.verify_complaint(own, TABLE.Y[CHEAT], TABLE.published(CHEAT), bytes(97))


def with_copied_ephemeral(copied: Point) -> bytes:
    """The cheat's publication with the ephemeral point of somebody else's share, everything else consistent."""
    shares = TABLE.shares(CHEAT)
    e = {0: 11, HONEST: 12, 3: 13}
    made = []
    for j in OTHERS:
        S, key = mul_base(shares[j]), TABLE.Y[j]
        E = copied if j == HONEST else mul_base(e[j])
        made.append(recovery.PublishedShare(j, key, S, E, bytes(32)))
    transcript, equations = recovery._statement(SHARES_AT, TABLE.Y[CHEAT], made)
    proof = recovery.linear.prove(transcript, equations, list(e.values()), FRESH)
    return b"".join(encode(share.S) + encode(share.E) + share.ct for share in made) + proof


def test_a_copied_ephemeral_point_would_make_a_complaint_decrypt_the_original_and_is_refused() -> None:
    original = TABLE.published(0)
    copied = original.to(HONEST).E
    decryption_in_an_honest_complaint = mul(TABLE.x[HONEST], copied)
    stolen = recovery.reopen_ciphertext(decryption_in_an_honest_complaint, original, HONEST)
    assert stolen == TABLE.shares(0)[HONEST]
    with pytest.raises(BadProof, match="shares-proof"):
        checked(with_copied_ephemeral(copied))


def test_a_publication_copied_from_another_seat_is_refused() -> None:
    """Its key, its shares, its proof, under the cheat's own name: the proof is bound to the sender."""
    data = recovery.publish_shares(at(0, labels.STEP_SHARES), TABLE.shares(0), TABLE.deal_keys(), FRESH)
    recipients = TABLE.others(0)
    recovery.verify_shares(at(0, labels.STEP_SHARES), TABLE.Y[0], recipients, TABLE.deal_keys(), data)
    with pytest.raises(BadProof, match="shares-proof"):
        recovery.verify_shares(SHARES_AT, TABLE.Y[0], recipients, TABLE.deal_keys(), data)


def test_a_false_recovery_share_is_refused() -> None:
    context = at(HONEST, labels.STEP_TAKE_OVER)
    S = TABLE.published(CHEAT).to(HONEST).S
    s = TABLE.shares(CHEAT)[HONEST]
    points = [slot.a for slot in TABLE.slots[CHEAT][:3]]
    good = recovery.recovery_shares(context, s, points, FRESH)
    recovery.verify_recovery(context, S, points, good)
    swapped = good[33:66] + good[:33] + good[66:]
    shifted = encode(add(mul(s, points[0]), mul_base(1))) + good[33:]
    for wrong in (recovery.recovery_shares(context, s + 1, points, FRESH), swapped, shifted):
        with pytest.raises(BadProof, match="recovery-proof"):
            recovery.verify_recovery(context, S, points, wrong)
    with pytest.raises(Malformed):
        recovery.verify_recovery(context, S, points, good + scalar_bytes(1))
