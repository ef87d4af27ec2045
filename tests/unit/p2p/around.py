"""Real peers around a host in memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from p2p.peer import Peer
from p2p.store import Secrets, TableStore
from protocol.errors import Stale
from protocol.log import Chain, decode_entry_untrusted, pack_record
from protocol.table.events import Event
from protocol.wire import pack
from tests.sim.world import World


async def ignore(event: Event) -> None:
    """Nobody watches."""


def store_of(world: World, number: int, folder: Path) -> TableStore:
    """A store of one of the world's peers that holds the log so far."""
    secrets = Secrets(bytes([number]) * 32, world.peers[number].identity.to_bytes(), bytes(16))
    store = TableStore.create(folder, world.table_id, "guest", secrets, game=world.game)
    for record in world.records:
        store.append(pack_record(record))
        if record.entry.author == store.identity.public:
            store.keep(pack(record.entry))
    return store


def chain_of(world: World) -> Chain:
    """The log so far."""
    chain = Chain(world.table_id)
    for record in world.records:
        chain.extend_untrusted(record)
    return chain


@dataclass
class Around:
    """A host in memory, whose own seat is the first, and peers that hear of an entry at once."""

    world: World
    chain: Chain
    peers: list[Peer] = field(default_factory=list)
    here: set[int] = field(default_factory=set)  # of the peers, by number

    def submit(self, data: bytes) -> None:
        """Put an entry in order, and tell everybody who is here."""
        entry = decode_entry_untrusted(data)
        try:
            self.chain.admit_untrusted(entry)
        except Stale:
            return  # sent again
        record = self.chain.order(self.world.peers[0].identity, entry)
        self.chain.extend_untrusted(record)
        for number in self.here:
            self.peers[number].feed(pack_record(record))

    def present(self, seat: int) -> bool:
        """Whether somebody in this seat is connected."""
        key = self.peers[0].table.players[seat].key
        return any(peer.identity.public == key for number, peer in enumerate(self.peers) if number in self.here)

    def idle(self) -> bool:
        """Whether nobody who is here has anything to do."""
        peers = [self.peers[number] for number in self.here]
        return all(
            peer.height == self.chain.height
            and not peer.pending()
            and not peer.table.owed(peer.seat or 0)
            and not peer._lock.locked()
            for peer in peers
            if not peer.finished.is_set()
        )
