"""A seeded table without sockets: every peer with its own copy of the table, one of them ordering the log.

`World` plays by itself with choosers, one entry at a time; a test can replace a peer's answers (to cheat), drop it, or
look into any copy. `tests.sim.storm` is the same with entries and records under way.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from engine.actions import Action
from protocol.deck import labels
from protocol.deck.nonce import Secrets
from protocol.deck.transcript import Context
from protocol.identity import Identity
from protocol.log import Entry, Record, sign_entry, terms_digest
from protocol.messages import PROTOCOL_VERSION, Body, Genesis, SeatClaim, Vote
from protocol.table.answers import answer
from protocol.table.events import Event
from protocol.table.holder import Holder
from protocol.table.rounds import Kind, Round
from protocol.table.table import Table, claim_payload

Chooser = Callable[[Table, int, list[Action], random.Random], Action]


def choose_random(table: Table, seat: int, actions: list[Action], rng: random.Random) -> Action:
    """Any legal action."""
    return rng.choice(actions)


def choose_claiming(table: Table, seat: int, actions: list[Action], rng: random.Random) -> Action:
    """Any legal action in every third deal, from the first on. In the others high cards are kept, and the rest is
    claimed as soon as it is certain."""
    assert table.state is not None
    plays = [action for action in actions if action.verb != "claim"]
    if table.state.deal % 3 == 1 or table.state.phase != "play":
        return rng.choice(plays)
    return plays[0] if plays == actions else actions[-1]


@dataclass
class Peer:
    """One player's program, in memory. `tamper` changes its honest answers; `forge` answers in their stead (`None`:
    honestly after all). An answer of `None` from `tamper` is not sent."""

    name: str
    identity: Identity
    holder: Holder
    table: Table
    counter: int = 0
    gone: bool = False
    chooser: Chooser = choose_random
    tamper: Callable[[Peer, Round, Body], Body | None] | None = None
    forge: Callable[[Peer, Round], Body | None] | None = None
    events: list[Event] = field(default_factory=list)

    @property
    def seat(self) -> int:
        """Its seat now (seats move when the cards are drawn)."""
        seat = self.table.seat_of(self.identity.public)
        assert seat is not None
        return seat


class World:
    """Peers around one log. With `one_verifies` only the first peer verifies proofs and the others believe it: four
    times as fast, and what they make of the log must be the same."""

    def __init__(
        self,
        game: str,
        seed: int,
        options: dict[str, str | int] | None = None,
        seats: int = 4,
        one_verifies: bool = False,
    ) -> None:
        self.game = game
        self.seed = seed
        self.rng = random.Random(seed)
        self.table_id = self.rng.randbytes(16)
        self.records: list[Record] = []
        self.stale = 0  # entries that came too late
        self.packs_first = False  # whether the next pack is made ready before anybody plays a card
        self.peers: list[Peer] = []
        for number in range(seats):
            identity = Identity.generate(self.rng.randbytes(32))
            holder = Holder(Secrets(self.rng.randbytes(32)))
            table = Table(self.table_id, trusted=one_verifies and number > 0)
            self.peers.append(Peer(f"Player {number}", identity, holder, table))
        self.options = chosen = options or {}
        terms = terms_digest(self.table_id, game, chosen, {})
        claims = tuple(self._claim(peer, terms) for peer in self.peers)
        genesis = Genesis(PROTOCOL_VERSION, self.table_id, game, chosen, {}, claims)
        self.add(self.peers[0], genesis)

    def _claim(self, peer: Peer, terms: bytes) -> SeatClaim:
        bare = SeatClaim(peer.identity.public, peer.name, "", peer.identity.public, b"", terms, bytes(64))
        signature = peer.identity.sign(labels.LABEL_SEAT_CLAIM, claim_payload(self.table_id, bare))
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
            self.take(peer, record)

    def take(self, peer: Peer, record: Record) -> None:
        """A peer takes the next record."""
        if peer.table.trusted:
            peer.table.found_false.update(self.peers[0].table.found_false)
        height = peer.table.chain.height
        entry = peer.table.take_untrusted(record)
        finding = peer.table.examine(entry, height)
        self.stale += finding.stale and peer is self.peers[0]
        peer.events += peer.table.settle(finding)

    def context(self, peer: Peer, round: Round) -> Context:
        """Where a peer's next entry would stand."""
        return peer.table.context(round, peer.seat, peer.counter + 1, peer.table.chain.head)

    def answer(self, peer: Peer, round: Round) -> Body:
        """A peer's answer to a round: honest unless it forges."""
        if peer.forge is not None:
            forged = peer.forge(peer, round)
            if forged is not None:
                return forged
        context = self.context(peer, round)
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
            owed = peer.table.owed(peer.seat)
            for round in owed[::-1] if self.packs_first else owed:
                body: Body | None = self.answer(peer, round)
                if peer.tamper is not None and body is not None:
                    body = peer.tamper(peer, round, body)
                if body is None:
                    continue
                self.add(peer, body)
                return True
        return False

    def ballot(self, peer: Peer, against: Peer) -> Vote | None:
        """The vote that a peer may cast about another."""
        seat = peer.table.seat_of(against.identity.public)
        assert seat is not None
        return peer.table.ballot(peer.seat, seat)

    def vote_away(self) -> bool:
        """Everybody who is here votes about everybody who is gone. False when nobody can."""
        voted = False
        for other in self.peers:
            for peer in self.peers:
                vote = self.ballot(peer, other) if other.gone and not peer.gone else None
                if vote is not None:
                    self.add(peer, vote)
                    voted = True
        return voted

    def play_on(self, until: Callable[[], bool] | None = None) -> None:
        """Go on; whoever is gone and waited for is voted away."""
        self.play(until=until)
        while not self.table.over and not (until is not None and until()):
            assert self.vote_away(), "nobody who is here can do anything"
            self.play(until=until)

    def again(self, height: int) -> World:
        """The same world when the log had `height` records, from the records alone; what came since is forgotten."""
        past = World(self.game, self.seed, self.options, len(self.peers))
        for peer, now in zip(past.peers, self.peers, strict=True):
            peer.holder.sealed.update(now.holder.sealed)
            peer.table.trusted = True
            peer.table.found_false.update(now.table.found_false)
        for record in self.records[1:height]:
            past.records.append(record)
            for peer in past.peers:
                past.take(peer, record)
        for number, peer in enumerate(past.peers):
            peer.counter = peer.table.chain.counters.get(peer.identity.public, 0)
            peer.table.trusted = number > 0
        return past

    def play(self, limit: int = 100_000, until: Callable[[], bool] | None = None) -> None:
        """Go on until the game is over, nobody owes anything, or `until` holds."""
        for _ in range(limit):
            if self.table.over or (until is not None and until()):
                return
            if not self.step():
                return
        raise AssertionError("the game does not end")
