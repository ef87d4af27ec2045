"""A seat that cheats while dealing: shares for another card, shares bent to a weak proof, and who can open what."""

from __future__ import annotations

import pytest

from protocol.deck import dealing, elgamal, labels, linear, opening
from protocol.deck.dealing import DealShare
from protocol.deck.group import ORDER, Point, add, encode, mul, mul_base, scalar_bytes, sub, total
from protocol.deck.nonce import Nonces
from protocol.deck.transcript import Transcript
from protocol.errors import BadProof, Malformed
from tests.unit.deck.dealt import FRESH, SEATS, at, dealt, opened_together

CHEAT = 1
CARDS = 6
HERE = at(CHEAT, labels.STEP_DEAL)


def honest() -> bytes:
    return dealing.deal_shares(HERE, dealt().x[CHEAT], dealt().cards_from(CHEAT, CARDS), FRESH)


def checked(data: bytes) -> list[DealShare]:
    return dealing.verify_deal_shares(HERE, dealt().Y[CHEAT], dealt().cards_from(CHEAT, CARDS), data)


def test_the_honest_shares_pass() -> None:
    assert len(checked(honest())) == len(dealt().cards_from(CHEAT, CARDS))


def test_a_share_for_another_card_is_refused() -> None:
    table = dealt()
    cards = table.cards_from(CHEAT, CARDS)
    crossed = [cards[1]._replace(position=cards[0].position), *cards[1:]]
    crossed[0] = cards[0]._replace(cipher=cards[1].cipher)
    with pytest.raises(BadProof, match="deal-proof"):
        checked(dealing.deal_shares(HERE, table.x[CHEAT], crossed, FRESH))


def test_shares_swapped_between_two_cards_or_meant_for_another_seat_are_refused() -> None:
    table, data = dealt(), honest()
    with pytest.raises(BadProof, match="deal-proof"):
        checked(data[66:132] + data[:66] + data[132:])
    cards = table.cards_from(CHEAT, CARDS)
    elsewhere = [card._replace(key=table.Y[CHEAT]) if card.recipient == 0 else card for card in cards]
    with pytest.raises(BadProof, match="deal-proof"):
        checked(dealing.deal_shares(HERE, table.x[CHEAT], elsewhere, FRESH))


def test_a_share_made_with_another_key_is_refused() -> None:
    table = dealt()
    with pytest.raises(BadProof, match="deal-proof"):
        checked(dealing.deal_shares(HERE, table.x[CHEAT] + 1, table.cards_from(CHEAT, CARDS), FRESH))


def test_one_share_too_many_is_malformed() -> None:
    data = honest()
    for wrong in (data[:66] + data, data[66:], data[:-32], data + bytes(32)):
        with pytest.raises(Malformed, match="deal-length"):
            checked(wrong)


class Deaf(Transcript):
    """Deliberately weakened: it does not hear the shares, so neither weights nor challenge depend on them."""

    __slots__ = ()

    def absorb_points(self, label: str, points: object) -> None:
        if label not in ("shares", "equation"):
            super().absorb_points(label, points)  # type: ignore[arg-type]


def shifted_by_w_over_c(transcript: Transcript) -> bytes:
    """S of the first card shifted by W/(c·ρ_0), its commitment by W: what a challenge deaf to the shares lets pass."""
    table = dealt()
    x, cards = table.x[CHEAT], table.cards_from(CHEAT, CARDS)
    r = [500 + index for index in range(len(cards))]
    shares = [
        DealShare(mul_base(r_i), total((mul(x, card.cipher.a), mul(r_i, card.key))))
        for r_i, card in zip(r, cards, strict=True)
    ]
    rho, equations = dealing._equations(transcript, table.Y[CHEAT], cards, shares)
    seats = sorted({card.recipient for card in cards})
    sums = [
        sum(weight * r_i for weight, r_i, card in zip(rho, r, cards, strict=True) if card.recipient == seat)
        for seat in seats
    ]
    witness = [x, *sums]
    linear._absorb(transcript, equations)
    omega = Nonces(b"cheat", transcript, FRESH).scalars(len(witness))
    commitments = [linear._evaluate(equation.terms, omega) for equation in equations]
    W = mul_base(123456789)
    commitments[-1] = add(commitments[-1], W)
    transcript.absorb_points("commitments", commitments)
    c = transcript.challenge("challenge")
    shares[0] = DealShare(shares[0].R, add(shares[0].S, mul(pow(c * rho[0], -1, ORDER), W)))
    answers = [(o - c * w) % ORDER for o, w in zip(omega, witness, strict=True)]
    points = b"".join(encode(P) for share in shares for P in share)
    return points + b"".join(map(scalar_bytes, (c, *answers)))


def test_a_share_shifted_by_w_over_c_passes_only_a_challenge_that_is_deaf_to_the_shares(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as weakened:
        weakened.setattr(dealing, "Transcript", Deaf)
        bent = shifted_by_w_over_c(dealing._transcript(HERE, dealt().Y[CHEAT], dealt().cards_from(CHEAT, CARDS)))
        shares = checked(bent)
    table = dealt()
    first = table.cards_from(CHEAT, CARDS)[0]
    assert total((mul(table.x[CHEAT], first.cipher.a), mul(500, first.key))) != shares[0].S
    with pytest.raises(BadProof, match="deal-proof"):
        checked(bent)
    tried = shifted_by_w_over_c(dealing._transcript(HERE, table.Y[CHEAT], table.cards_from(CHEAT, CARDS)))
    with pytest.raises(BadProof, match="deal-proof"):
        checked(tried)


class Forgetful(Transcript):
    """A deliberately weakened transcript whose weights depend on the label only."""

    __slots__ = ()

    def weights(self, label: str, count: int) -> list[int]:
        return Transcript(at(0), label).weights(label, count)


def bent_openings() -> bytes:
    """Two openings shifted so that their sum with weights known beforehand stays right, honestly proved."""
    table = dealt()
    x, ciphers = table.x[CHEAT], table.pack[:2]
    rho = Forgetful(HERE, labels.PROOF_OPENING).weights("weights", 2)
    shift: Point = sub(elgamal.CARD_POINTS[0], elgamal.CARD_POINTS[12])
    powers = [mul(x, cipher.a) for cipher in ciphers]
    powers = [add(powers[0], mul(rho[1], shift)), sub(powers[1], mul(rho[0], shift))]
    transcript = opening._opening_transcript(HERE, table.Y[CHEAT], ciphers)
    equations = linear._powers_equations(transcript, table.Y[CHEAT], [cipher.a for cipher in ciphers], powers)
    return b"".join(map(encode, powers)) + linear.prove(transcript, equations, [x], FRESH)


def test_weights_that_do_not_depend_on_the_openings_would_let_false_ones_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    table = dealt()
    with monkeypatch.context() as weakened:
        weakened.setattr(opening, "Transcript", Forgetful)
        data = bent_openings()
        opening.verify_opening_shares(HERE, table.Y[CHEAT], table.pack[:2], data)
    with pytest.raises(BadProof, match="opening-proof"):
        opening.verify_opening_shares(HERE, table.Y[CHEAT], table.pack[:2], data)
    with pytest.raises(BadProof, match="opening-proof"):
        opening.verify_opening_shares(HERE, table.Y[CHEAT], table.pack[:2], bent_openings())


def test_a_false_opening_of_a_shared_card_is_refused() -> None:
    table = dealt()
    data = opening.opening_shares(HERE, table.x[CHEAT], table.pack[:2], FRESH)
    swapped = data[33:66] + data[:33] + data[66:]
    of_another_key = opening.opening_shares(HERE, table.x[2], table.pack[:2], FRESH)
    of_other_cards = opening.opening_shares(HERE, table.x[CHEAT], table.pack[2:4], FRESH)
    for wrong in (swapped, of_another_key, of_other_cards):
        with pytest.raises(BadProof, match="opening-proof"):
            opening.verify_opening_shares(HERE, table.Y[CHEAT], table.pack[:2], wrong)


@pytest.mark.parametrize("victim", SEATS)
def test_fewer_than_all_others_cannot_open_a_card_and_all_others_together_can(victim: int) -> None:
    """Real values: in hand, after dealing, with everything that any two or three other seats hold."""
    table = dealt()
    slot, card = table.slots[victim][0], table.hands[victim][0]
    shares = table.shares(victim)
    others = table.others(victim)
    for missing in others:
        two = [j for j in others if j != missing]
        guesses = [sum(shares[j] for j in two), sum(table.x[j] for j in two), shares[two[0]], table.x[two[0]]]
        for guess in guesses:
            with pytest.raises(BadProof, match="card-not-in-pack"):
                elgamal.decrypt(guess, slot)
    assert elgamal.decrypt(sum(shares[j] for j in others), slot) == card


def test_a_card_of_the_shuffled_pack_needs_every_seat() -> None:
    table = dealt()
    assert opened_together(table.pack[:1], [0, 1, 2, 3], table.x, table.Y) == [table.hands[0][0]]
    for missing in SEATS:
        with pytest.raises(BadProof, match="card-not-in-pack"):
            opened_together(table.pack[:1], table.others(missing), table.x, table.Y)
