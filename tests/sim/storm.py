"""The world with a bad network: entries and records under way, peers that lag, vanish and come back; votes too early.

A seeded heap of things that can happen next. `rage` lets faults happen, `calm` turns them off: then everything that is
under way arrives, who is still gone is voted away, and the game must finish with the same table at every peer.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from protocol.log import Chain, Entry, Record, sign_entry
from protocol.messages import Body, SitDown
from protocol.table import events
from protocol.table.rounds import Kind, Round
from tests.sim.world import Peer, World

Place = tuple[Kind, int, int]

VANISH, VOTE_EARLY, VOTE_OR_RETURN = 0.004, 0.01, 0.05
"""How often each happens: seldom enough that deals are played between two of them."""


@dataclass
class Line:
    """What is under way between one peer and the host."""

    entries: deque[Entry] = field(default_factory=deque)
    records: deque[Record] = field(default_factory=deque)
    answered: dict[int, Place] = field(default_factory=dict)  # counter -> what the entry answers


class Storm(World):
    """A world whose peers answer in random order, on what they know by then."""

    def __init__(
        self,
        game: str,
        seed: int,
        options: dict[str, str | int] | None = None,
        seats: int = 4,
        one_verifies: bool = True,
    ) -> None:
        self.chain: Chain | None = None
        super().__init__(game, seed, options, seats, one_verifies)
        self.chain = Chain(self.table_id)
        self.chain.extend_untrusted(self.records[0])
        self.lines = [Line() for _ in self.peers]

    # --- what can happen ---------------------------------------------------------------------------------------------

    def rage(self, steps: int, losses: int = 2) -> None:
        """Random things happen, up to `steps` of them; up to `losses` peers vanish."""
        for _ in range(steps):
            if self.everybody_knows_it_is_over():
                return
            roll = self.rng.random()
            here = [peer for peer in self.peers if not peer.gone]
            if roll < VANISH and losses and len(here) > 2:
                self.rng.choice(here).gone = True
                losses -= 1
            elif roll < VANISH + VOTE_EARLY:
                self._vote_early(self.rng.choice(here))
            elif roll < VANISH + VOTE_EARLY + VOTE_OR_RETURN:
                self._somebody_votes_or_returns()
            else:
                self._something()

    def calm(self, limit: int = 60_000) -> None:
        """No more faults. Everything arrives, and whoever is gone is voted away."""
        for _ in range(limit):
            if self.everybody_knows_it_is_over():
                return
            if not self._something():
                self._votes_of_all()
        raise AssertionError(f"{self.game} {self.seed}: the game does not end")

    def everybody_knows_it_is_over(self) -> bool:
        """Whether nothing is left to do."""
        return all(peer.table.over for peer in self.peers) and not any(line.records for line in self.lines)

    def _something(self) -> bool:
        """An answer is written, an entry is ordered, or a record arrives. False when nothing of it can happen."""
        choices: list[tuple[str, int]] = []
        for number, (peer, line) in enumerate(zip(self.peers, self.lines, strict=True)):
            choices += [("record", number)] * (3 * bool(line.records))
            choices += [("entry", number)] * (2 * bool(line.entries))
            if not peer.gone and self._open(peer, line):
                choices.append(("answer", number))
        if not choices:
            return False
        what, number = self.rng.choice(choices)
        peer, line = self.peers[number], self.lines[number]
        if what == "record":
            self._arrive(peer, line)
        elif what == "entry":
            self._order(line.entries.popleft())
        else:
            round = self.rng.choice(self._open(peer, line))
            self._send(peer, line, self.answer(peer, round), (round.kind, round.serial, round.step))
        return True

    def _open(self, peer: Peer, line: Line) -> list[Round]:
        """The rounds that a peer knows it owes and has not answered yet."""
        if peer.table.players[peer.seat].lost:
            return []
        under_way = set(line.answered.values())
        return [
            round
            for round in peer.table.owed(peer.seat)
            if (round.kind, round.serial, round.step) not in under_way
        ]

    def _send(self, peer: Peer, line: Line, body: Body, place: Place | None = None) -> None:
        peer.counter += 1
        chain = peer.table.chain
        line.entries.append(
            sign_entry(peer.identity, self.table_id, peer.counter, chain.height, chain.head, body)
        )
        if place is not None:
            line.answered[peer.counter] = place

    def _order(self, entry: Entry) -> None:
        assert self.chain is not None
        self.chain.admit_untrusted(entry)
        record = self.chain.order(self.peers[0].identity, entry)
        self.chain.extend_untrusted(record)
        self.records.append(record)
        self._arrive_at_the_verifier(record)
        for line in self.lines[1:]:
            line.records.append(record)

    def _arrive_at_the_verifier(self, record: Record) -> None:
        self._taken(self.peers[0], self.lines[0], record)

    def _arrive(self, peer: Peer, line: Line) -> None:
        self._taken(peer, line, line.records.popleft())

    def _taken(self, peer: Peer, line: Line, record: Record) -> None:
        before = len(peer.events)
        self.take(peer, record)
        if record.entry.author == peer.identity.public:
            line.answered.pop(record.entry.counter, None)
        cheats = [event for event in peer.events[before:] if isinstance(event, events.Cheated)]
        assert not cheats, f"{self.game} {self.seed}: an honest seat is named: {cheats}"

    # --- those who are gone ------------------------------------------------------------------------------------------

    def _somebody_votes_or_returns(self) -> None:
        number = self.rng.randrange(len(self.peers))
        peer, line = self.peers[number], self.lines[number]
        if peer.gone:
            if peer.table.players[peer.seat].lost and not line.entries:
                peer.gone = False
                self._send(peer, line, SitDown())
            return
        for other in self.peers:
            if other.gone:
                self._vote(peer, line, other)

    def _vote_early(self, peer: Peer) -> None:
        """Against somebody who is only slow. It lapses when he answers."""
        others = [other for other in self.peers if other is not peer]
        self._vote(peer, self.lines[self.peers.index(peer)], self.rng.choice(others))

    def _vote(self, peer: Peer, line: Line, against: Peer) -> bool:
        vote = self.ballot(peer, against)
        if vote is not None:
            self._send(peer, line, vote)
        return vote is not None

    def _votes_of_all(self) -> None:
        """Everybody who is here votes about everybody who is gone; when that is to no avail, somebody comes back."""
        here = [(peer, line) for peer, line in zip(self.peers, self.lines, strict=True) if not peer.gone]
        gone = [peer for peer in self.peers if peer.gone]
        if not [self._vote(peer, line, other) for peer, line in here for other in gone].count(True):
            assert gone, f"{self.game} {self.seed}: nobody is gone, and nothing can happen"
            self.rng.choice(gone).gone = False
