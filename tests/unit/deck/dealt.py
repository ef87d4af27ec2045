"""A table of four with real keys and a dealt pack, made from seeds, for the tests of the deck and of cheating at it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from protocol.deck import dealing, elgamal, keys, labels, opening, recovery, shuffle
from protocol.deck.dealing import DealCard
from protocol.deck.elgamal import Cipher
from protocol.deck.group import Point, mul_base
from protocol.deck.nonce import Secrets
from protocol.deck.transcript import Context

TABLE = bytes(range(16))
HEAD = bytes(range(32))
SERIAL = 7
SEATS = (0, 1, 2, 3)
FRESH = b"fresh bytes of a test: not fresh"
SEVEN_OF_HEARTS = 13 * 2 + 5


def at(seat: int, step: str = labels.STEP_PLAY, serial: int = SERIAL, counter: int = 5) -> Context:
    """A context at the test table."""
    return Context(TABLE, serial, seat, counter, step, HEAD)


@dataclass(frozen=True)
class Dealt:
    """Keys and cards of four seats; position p of the pack belongs to seat p mod 4."""

    secrets: list[Secrets]
    x: list[int]
    Y: list[Point]
    joint: Point
    pack: list[Cipher]
    slots: list[list[Cipher]]
    hands: list[list[int]]

    def others(self, seat: int) -> list[int]:
        return [j for j in SEATS if j != seat]

    def deal_keys(self) -> dict[int, Point]:
        return dict(enumerate(self.Y))

    def cards_from(self, seat: int, count: int = 52) -> list[DealCard]:
        """What `seat` has to give to the others of the first `count` positions."""
        return [DealCard(p, self.pack[p], p % 4, self.Y[p % 4]) for p in range(count) if p % 4 != seat]

    def holder_of(self, card: int) -> tuple[int, int]:
        """(seat, index in the hand) of a card."""
        return next((seat, self.hands[seat].index(card)) for seat in SEATS if card in self.hands[seat])

    def shares(self, seat: int) -> dict[int, int]:
        return recovery.make_shares(self.secrets[seat], TABLE, SERIAL, self.x[seat], self.others(seat))

    def published(self, seat: int) -> recovery.PublishedShares:
        context = at(seat, labels.STEP_SHARES)
        data = recovery.publish_shares(context, self.shares(seat), self.deal_keys(), FRESH)
        return recovery.verify_shares(context, self.Y[seat], self.others(seat), self.deal_keys(), data)


@cache
def dealt() -> Dealt:
    """The same table every time; proofs of shuffle are left out here, they have their own tests."""
    secrets = [Secrets(bytes([seat + 1]) * 32) for seat in SEATS]
    x = [own.deal_key(TABLE, SERIAL) for own in secrets]
    Y = [mul_base(key) for key in x]
    joint = keys.joint_key(Y)
    pack = elgamal.fresh_pack(joint)
    for own in secrets:
        order = sorted(range(52), key=lambda j: own.derive("test/order", j))
        pack = shuffle.shuffle(pack, joint, order, [own.scalar("test/randomizer", j) for j in range(52)])
    table = Dealt(secrets, x, Y, joint, pack, [], [])
    given: dict[int, list[tuple[Point | None, Point]]] = {p: [] for p in range(52)}
    for seat in SEATS:
        context, cards = at(seat, labels.STEP_DEAL), table.cards_from(seat)
        data = dealing.deal_shares(context, x[seat], cards, FRESH)
        for card, share in zip(cards, dealing.verify_deal_shares(context, Y[seat], cards, data), strict=True):
            given[card.position].append(share)
    own_slots = [dealing.combine(pack[p], given[p]) for p in range(52)]
    table.slots.extend([own_slots[seat::4] for seat in SEATS])
    table.hands.extend([[elgamal.decrypt(x[seat], slot) for slot in table.slots[seat]] for seat in SEATS])
    return table


def mask(cards: list[int] | set[int] | range) -> int:
    """Cards as a 52-bit set."""
    return sum(1 << card for card in cards)


def opened_together(ciphers: list[Cipher], seats: list[int], x: list[int], Y: list[Point]) -> list[int]:
    """Cards opened by the shares of these seats."""
    shares = []
    for seat in seats:
        context = at(seat, labels.STEP_OPEN)
        data = opening.opening_shares(context, x[seat], ciphers, FRESH)
        shares.append(opening.verify_opening_shares(context, Y[seat], ciphers, data))
    return [opening.open_with(cipher, [share[index] for share in shares]) for index, cipher in enumerate(ciphers)]
