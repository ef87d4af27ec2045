"""Whole deals from keys to open hands, every proof checked, for tables of any size and with a seat lost on the way."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from protocol.deck import dealing, elgamal, keys, labels, opening, recovery, shuffle
from protocol.deck.dealing import DealCard
from protocol.deck.elgamal import Cipher
from protocol.deck.group import Point, mul_base
from protocol.deck.nonce import Secrets
from tests.unit.deck.dealt import FRESH, SERIAL, TABLE, at

CARDS = 8


@dataclass
class Seats:
    """The public and the secret state of a small table; position p belongs to seat p modulo the number of seats."""

    count: int
    secrets: list[Secrets] = field(default_factory=list)
    x: list[int] = field(default_factory=list)
    Y: list[Point] = field(default_factory=list)
    published: list[recovery.PublishedShares] = field(default_factory=list)
    pack: list[Cipher] = field(default_factory=list)
    parts: dict[int, list[tuple[Point | None, Point]]] = field(default_factory=dict)

    def others(self, seat: int) -> list[int]:
        return [j for j in range(self.count) if j != seat]

    def prepare(self) -> None:
        """Keys, recovery shares, shuffles."""
        self.secrets = [Secrets(bytes([40 + seat]) * 32) for seat in range(self.count)]
        self.x = [own.deal_key(TABLE, SERIAL) for own in self.secrets]
        self.Y = [mul_base(x) for x in self.x]
        deal_keys = dict(enumerate(self.Y))
        for seat, own in enumerate(self.secrets):
            context = at(seat, labels.STEP_KEY)
            keys.verify_key(context, self.Y[seat], keys.prove_key(context, self.x[seat], FRESH))
            context, others = at(seat, labels.STEP_SHARES), self.others(seat)
            shares = recovery.make_shares(own, TABLE, SERIAL, self.x[seat], others)
            data = recovery.publish_shares(context, shares, deal_keys, FRESH)
            self.published.append(recovery.verify_shares(context, self.Y[seat], others, deal_keys, data))
        joint = keys.joint_key(self.Y)
        self.pack = elgamal.fresh_pack(joint)[:CARDS]
        for seat in range(self.count):
            context = at(seat, labels.STEP_SHUFFLE)
            data, proof = shuffle.shuffle_and_prove(context, self.pack, joint, FRESH, bytes([seat]))
            outputs = elgamal.decode_ciphers_untrusted(data, CARDS)
            shuffle.verify_shuffle(context, self.pack, outputs, joint, proof)
            self.pack = outputs

    def give(self, seat: int) -> None:
        """One seat's deal shares."""
        context = at(seat, labels.STEP_DEAL)
        cards = [
            DealCard(p, self.pack[p], p % self.count, self.Y[p % self.count])
            for p in range(CARDS)
            if p % self.count != seat
        ]
        data = dealing.deal_shares(context, self.x[seat], cards, FRESH)
        for card, share in zip(cards, dealing.verify_deal_shares(context, self.Y[seat], cards, data), strict=True):
            self.parts.setdefault(card.position, []).append(share)

    def recover(self, lost: int, points: list[Point]) -> list[Point]:
        """What the others find together: x_lost·P for every point."""
        contributions = []
        for j in self.others(lost):
            share = recovery.open_share(self.x[j], self.published[lost], j)
            assert share is not None
            context = at(j, labels.STEP_TAKE_OVER)
            data = recovery.recovery_shares(context, share, points, FRESH)
            contributions.append(recovery.verify_recovery(context, self.published[lost].to(j).S, points, data))
        return recovery.add_recovered(contributions)


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_a_whole_deal(count: int) -> None:
    seats = Seats(count)
    seats.prepare()
    for seat in range(count):
        seats.give(seat)
    slots = [dealing.combine(seats.pack[p], seats.parts[p]) for p in range(CARDS)]
    cards = [elgamal.decrypt(seats.x[p % count], slot) for p, slot in enumerate(slots)]
    assert sorted(cards) == list(range(CARDS)) and cards != list(range(CARDS))
    for seat in range(count):
        opened = [(slots[p], cards[p]) for p in range(seat, CARDS, count)]
        opening.verify_own(at(seat), seats.Y[seat], opened, opening.open_own(at(seat), seats.x[seat], opened, FRESH))


@pytest.mark.parametrize("count", [2, 3, 4])
def test_a_seat_lost_before_it_dealt_does_not_stop_the_deal(count: int) -> None:
    """Its deal shares become recovered points, and its own cards are opened by all the others."""
    seats, lost = Seats(count), count - 1
    seats.prepare()
    for seat in seats.others(lost):
        seats.give(seat)
    owed = [p for p in range(CARDS) if p % count != lost]
    for p, D in zip(owed, seats.recover(lost, [seats.pack[p].a for p in owed]), strict=True):
        seats.parts.setdefault(p, []).append((None, D))
    slots = [dealing.combine(seats.pack[p], seats.parts[p]) for p in range(CARDS)]
    cards = {p: elgamal.decrypt(seats.x[p % count], slots[p]) for p in owed}
    own = [p for p in range(CARDS) if p % count == lost]
    for p, D in zip(own, seats.recover(lost, [slots[p].a for p in own]), strict=True):
        cards[p] = opening.open_with(slots[p], [D])
    assert sorted(cards.values()) == list(range(CARDS))
