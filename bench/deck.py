"""How long the deck's cryptography takes here, beside the goals of the design: four seats, 52 cards, one core.

    python -m bench.deck [repetitions]

Times are medians of the process's own CPU time in milliseconds, so that a busy machine disturbs them less.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median
from time import process_time
from typing import ParamSpec, TypeVar

from protocol.deck import claims, dealing, elgamal, keys, labels, opening, recovery, shuffle, transfer
from protocol.deck.dealing import DealCard
from protocol.deck.elgamal import Cipher
from protocol.deck.group import Point, mul_base
from protocol.deck.nonce import Secrets
from protocol.deck.transcript import Context

TABLE, HEAD, SERIAL = bytes(16), bytes(32), 1
FRESH = b"a benchmark needs no randomness."
SEATS = (0, 1, 2, 3)
REPETITIONS = 9

P = ParamSpec("P")
T = TypeVar("T")

WHOLE = "whole deal phase, one peer"


@dataclass
class Line:
    """One measured step: its goal in the design (None: no goal), its times in ms, its bytes on the log."""

    name: str
    goal: float | None
    times: list[float] = field(default_factory=list)
    size: int = 0

    def __str__(self) -> str:
        goal = "" if self.goal is None else f"{self.goal:8.1f}"
        return f"{self.name:<46}{median(self.times):8.2f}{goal:>10}{self.size or '':>10}"


def at(seat: int, step: str) -> Context:
    """A context of the benchmark's table."""
    return Context(TABLE, SERIAL, seat, 1, step, HEAD)


def timed(line: Line, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Do the work and note its CPU time."""
    start = process_time()
    made = work(*arguments, **named)
    line.times.append((process_time() - start) * 1000)
    return made


class Deal:
    """One deal, step by step; `spent` is what one peer computes in it, `bytes` what all write on the log."""

    def __init__(self, lines: dict[str, Line]) -> None:
        self.lines = lines
        self.x = [Secrets(bytes([seat]) * 32).deal_key(TABLE, SERIAL) for seat in SEATS]
        self.Y = [mul_base(key) for key in self.x]
        self.joint = keys.joint_key(self.Y)
        self.spent = 0.0
        self.bytes = 0

    def step(self, name: str, times: int, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Measure a step that one peer does `times` times in a deal."""
        made = timed(self.lines[name], work, *arguments, **named)
        self.spent += self.lines[name].times[-1] * times
        return made

    def keys_and_shares(self) -> None:
        """Steps 1 and 2: seat 1's stand for all."""
        place, others, deal_keys = at(1, labels.STEP_KEY), [0, 2, 3], dict(enumerate(self.Y))
        proof = self.step("key: prove", 1, keys.prove_key, place, self.x[1], FRESH)
        self.step("key: verify", 3, keys.verify_key, place, self.Y[1], proof)
        shares = recovery.make_shares(Secrets(bytes(32)), TABLE, SERIAL, self.x[1], others)
        name = "recovery shares: make, prove"
        data = self.step(name, 1, recovery.publish_shares, place, shares, deal_keys, FRESH)
        self.lines[name].size = len(data)
        name = "recovery shares: parse, verify"
        published = self.step(name, 3, recovery.verify_shares, place, self.Y[1], others, deal_keys, data)
        self.step("recovery shares: open mine", 3, recovery.open_share, self.x[0], published, 0)
        key_and_salt, commitment = 33 + keys.SALT_BYTES, keys.COMMITMENT_BYTES
        self.bytes += len(SEATS) * (len(data) + commitment + key_and_salt + len(proof))

    def shuffles(self) -> list[Cipher]:
        """Step 3: one seat's shuffle stands for all four."""
        place, joint = at(1, labels.STEP_SHUFFLE), self.joint
        # Not the fresh pack: checking a shuffle of trivial encryptions is a little cheaper.
        pack = [elgamal.encrypt(card, 1 + pow(5, card + 400), joint) for card in range(52)]
        order, randomizers = [(7 * i + 3) % 52 for i in range(52)], [1 + pow(3, i + 400) for i in range(52)]
        outputs = self.step("shuffle", 1, shuffle.shuffle, pack, joint, order, randomizers)
        name = "shuffle: prove"
        proof = self.step(name, 1, shuffle.prove_shuffle, place, pack, outputs, joint, order, randomizers, FRESH)
        data = elgamal.encode_ciphers(outputs)
        parsed = self.step("shuffle: parse the deck", 3, elgamal.decode_ciphers_untrusted, data, 52)
        self.step("shuffle: verify", 3, shuffle.verify_shuffle, place, pack, parsed, joint, proof)
        self.lines[name].size = len(data) + len(proof)
        self.bytes += len(SEATS) * (len(data) + len(proof))
        return parsed

    def dealing(self, pack: list[Cipher]) -> list[Cipher]:
        """Step 4, with seat 1's share measured; gives the slots of seat 0."""
        parts: dict[int, list[tuple[Point | None, Point]]] = {p: [] for p in range(52)}
        for seat in SEATS:
            place, times = at(seat, labels.STEP_DEAL), 1 if seat == 1 else 0
            cards = [DealCard(p, pack[p], p % 4, self.Y[p % 4]) for p in range(52) if p % 4 != seat]
            name = "deal shares: prove"
            data = self.step(name, times, dealing.deal_shares, place, self.x[seat], cards, FRESH)
            self.lines[name].size = len(data)
            self.bytes += len(data)
            name = "deal shares: parse, verify"
            made = self.step(name, 3 * times, dealing.verify_deal_shares, place, self.Y[seat], cards, data)
            for card, share in zip(cards, made, strict=True):
                parts[card.position].append(share)
        return self.step("deal shares: combine 52", 1, list, map(dealing.combine, pack, parts.values()))[::4]

    def play(self, slots: list[Cipher]) -> None:
        """Steps 5 to 8, as seat 0."""
        place, x, Y, lines = at(0, labels.STEP_PLAY), self.x[0], self.Y[0], self.lines
        hand = self.step("decrypt 13 cards", 1, list, map(elgamal.decrypt, [x] * 13, slots))
        lines[WHOLE].times.append(self.spent)
        lines[WHOLE].size = self.bytes
        unseen = [card for card in range(52) if card not in hand][:27] + hand[1:]
        allowed = sum(1 << card for card in unseen)

        name = "claim, 12 slots of 39 cards: prove"
        proof = timed(lines[name], claims.prove_none, place, x, slots[1:], hand[1:], allowed, FRESH)
        lines[name].size = len(proof)
        timed(lines["claim, 12 slots of 39 cards: verify"], claims.verify_none, place, Y, slots[1:], allowed, proof)

        name, opened = "own card: prove", [(slots[0], hand[0])]
        proof = timed(lines[name], opening.open_own, place, x, opened, FRESH)
        lines[name].size = len(proof)
        timed(lines["own card: verify"], opening.verify_own, place, Y, opened, proof)

        name, to = "hand over a card: prove", self.Y[1]
        given, proof = timed(lines[name], transfer.hand_over, place, x, slots[0], hand[0], to, FRESH)
        lines[name].size = len(proof) + elgamal.CIPHER_BYTES
        verify = transfer.verify_hand_over
        timed(lines["hand over a card: verify"], verify, place, Y, slots[0], to, given, proof)

        name = "mix 13 slots: prove"
        data, proof = timed(lines[name], shuffle.mix_hand, place, slots, Y, FRESH)
        lines[name].size = len(data) + len(proof)
        mixed = elgamal.decode_ciphers_untrusted(data, 13)
        timed(lines["mix 13 slots: verify"], shuffle.verify_mix, place, slots, mixed, Y, proof)


GOALS: dict[str, float | None] = {
    "key: prove": None,
    "key: verify": None,
    "recovery shares: make, prove": None,
    "recovery shares: parse, verify": None,
    "recovery shares: open mine": None,
    "shuffle": None,
    "shuffle: prove": None,
    "shuffle: parse the deck": None,
    "shuffle: verify": None,
    "deal shares: prove": None,
    "deal shares: parse, verify": None,
    "deal shares: combine 52": None,
    "decrypt 13 cards": None,
    WHOLE: 120.0,
    "claim, 12 slots of 39 cards: prove": 20.0,
    "claim, 12 slots of 39 cards: verify": 20.0,
    "own card: prove": 1.0,
    "own card: verify": 1.0,
    "hand over a card: prove": None,
    "hand over a card: verify": None,
    "mix 13 slots: prove": None,
    "mix 13 slots: verify": None,
}
"""The later, harder goals of the design page ("Costs to reach"); bytes of the whole deal phase: under 60000."""


def measure(repetitions: int = REPETITIONS) -> dict[str, Line]:
    """All lines, each measured that many times."""
    lines = {name: Line(name, goal) for name, goal in GOALS.items()}
    for _ in range(repetitions):
        deal = Deal(lines)
        deal.keys_and_shares()
        deal.play(deal.dealing(deal.shuffles()))
    return lines


def main(arguments: list[str] | None = None) -> int:
    """Print the table."""
    given = sys.argv[1:] if arguments is None else arguments
    print(f"{'deck, four seats, 52 cards':<46}{'ms':>8}{'goal':>10}{'bytes':>10}")
    for line in measure(int(given[0]) if given else REPETITIONS).values():
        print(line)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
