"""A seeded table without sockets: every peer with its own copy of the table, one of them ordering the log.

`World` plays by itself with choosers; a test can replace a peer's answers (to cheat), drop it, or look into any copy.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from engine.actions import Action
from protocol.deck.nonce import Secrets
from protocol.identity import Identity
from protocol.log import Entry, Record, sign_entry, terms_digest
from protocol.messages import PROTOCOL_VERSION, Body, Genesis, SeatClaim
from protocol.table.answers import answer
from protocol.table.events import Event
from protocol.table.holder import Holder
from protocol.table.rounds import Kind, Round
from protocol.table.table import Table, claim_payload
from protocol.deck import labels

Chooser = Callable[[Table, int, list[Action], random.Random], Action]


def choose_random(table: Table, seat: int, actions: list[Action], rng: random.Random) -> Action:
    """Any legal action."""
    return rng.choice(actions)


@dataclass
class Peer:
    """One player's program, in memory."""

    name: str
    identity: Identity
    holder: Holder
    table: Table
    counter: int = 0
    gone: bool = False
    chooser: Chooser = choose_random
    tamper: Callable[[Peer, Round, Body], Body | None] | None = None
    events: list[Event] = field(default_factory=list)

    @property
    def seat(self) -> int:
        """Its seat now (seats move when the cards are drawn)."""
        seat = self.table.seat_of(self.identity.public)
        assert seat is not None
        return seat


class World:
    """Peers around one log."""

    def __init__(self, game: str, seed: int, options: dict[str, str | int] | None = None, seats: int = 4) -> None:
        self.rng = random.Random(seed)
        self.table_id = self.rng.randbytes(16)
        self.records: list[Record] = []
        self.peers: list[Peer] = []
        for number in range(seats):
            identity = Identity.generate(self.rng.randbytes(32))
            holder = Holder(Secrets(self.rng.randbytes(32)))
            self.peers.append(Peer(f"Player {number}", identity, holder, Table(self.table_id)))
        chosen = options or {}
        terms = terms_digest(self.table_id, game, chosen, {})
        claims = tuple(self._claim(peer, terms) for peer in self.peers)
        genesis = Genesis(PROTOCOL_VERSION, self.table_id, game, chosen, {}, claims)
        self.add(self.peers[0], genesis)

    def _claim(self, peer: Peer, terms: bytes) -> SeatClaim:
        bare = SeatClaim(peer.identity.public, peer.name, "", peer.identity.public, b"", terms, bytes(64))
        signature = peer.identity.sign(labels.LABEL_TABLE, claim_payload(self.table_id, bare))
        return SeatClaim(bare.key, bare.name, bare.bot, bare.machine, bare.vouch, bare.terms, signature)

    @property
    def table(self) -> Table:
        """The copy of the first peer that is still here."""
        return next(peer.table for peer in self.peers if not peer.gone)

    def peer_at(self, seat: int) -> Peer:
        """The peer that sits in a seat."""
        return next(peer for peer in self.peers if peer.seat == seat)

    def add(self, peer: Peer, body: Body) -> None:
        """`peer` writes an entry; the host orders it; everybody takes it."""
        chain = self.peers[0].table.chain
        peer.counter += 1
        entry = sign_entry(peer.identity, self.table_id, peer.counter, chain.height, chain.head, body)
        self.place(entry)

    def place(self, entry: Entry) -> None:
        """The host orders an entry; everybody takes it."""
        record = self.peers[0].table.chain.order(self.peers[0].identity, entry)
        self.records.append(record)
        for peer in self.peers:
            height = peer.table.chain.height
            taken = peer.table.take_untrusted(record)
            finding = peer.table.examine(taken, height)
            peer.events += peer.table.settle(finding)

    def answer(self, peer: Peer, round: Round) -> Body:
        """The honest answer of a peer to a round."""
        chain = self.peers[0].table.chain
        context = peer.table.context(round, peer.seat, peer.counter + 1, chain.head)
        action = None
        if round.kind in (Kind.ASK, Kind.SEAL):
            actions = peer.holder.legal(peer.table, peer.seat)
            assert actions, "somebody is asked and may do nothing"
            action = peer.chooser(peer.table, peer.seat, actions, self.rng)
        return answer(peer.table, peer.holder, round, context, self.rng.randbytes(32), action)

    def step(self) -> bool:
        """One peer answers one round. False when nobody who is here owes anything."""
        for peer in self.peers:
            if peer.gone:
                continue
            for round in peer.table.owed(peer.seat):
                body: Body | None = self.answer(peer, round)
                if peer.tamper is not None and body is not None:
                    body = peer.tamper(peer, round, body)
                if body is None:
                    continue
                self.add(peer, body)
                return True
        return False

    def play(self, limit: int = 100_000, until: Callable[[], bool] | None = None) -> None:
        """Go on until the game is over, nobody owes anything, or `until` holds."""
        for _ in range(limit):
            if self.table.over or (until is not None and until()):
                return
            if not self.step():
                return
        raise AssertionError("the game does not end")
