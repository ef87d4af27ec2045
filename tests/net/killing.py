"""Tables in one trio program whose programs are killed right after the disk has what it was given: the objects of that
run are abandoned, the folder is opened again, and the player sits down again from what it holds."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import trio

from p2p.host import Terms
from p2p.hosting import HostedTable, Hosting, hosting_of, new_host_store
from p2p.invite import read_invite_untrusted
from p2p.joining import join_table, new_guest_store, sitter_of
from p2p.peer import Peer
from p2p.sitting import Evening, Sitter
from p2p.store import TableStore
from protocol.log import Entry, decode_entry_untrusted, decode_record_untrusted
from protocol.messages import Body, decode_body_untrusted
from protocol.table.table import Table
from protocol.wire import pack
from tests.net.evening import Screen

HOST = "Amal"
GAME, OPTIONS = "estimation", {"normal_deals": 1, "speed_deals": 0}
"""The shortest game with every kind of entry that keeps a secret."""

Fatal = Callable[[str, str, Entry], bool]
"""Whether this program dies now: its player, ``keep`` or ``append``, and the entry that has just reached the disk."""


class Killed(Exception):
    """The process is gone."""


class DoomedStore(TableStore):
    """A store whose process dies when `fatal` says so, after the disk has what it was given and before it goes on."""

    fatal: Callable[[str, Entry], bool] = staticmethod(lambda what, entry: False)

    def keep(self, entry: bytes, private: bytes = b"") -> None:
        super().keep(entry, private)
        self._survive("keep", decode_entry_untrusted(entry))

    def append(self, record: bytes) -> None:
        super().append(record)
        self._survive("append", decode_record_untrusted(record).entry)

    def _survive(self, what: str, entry: Entry) -> None:
        if self.fatal(what, entry):
            raise Killed


@dataclass
class Evenings:
    """Everybody's programs at one table, through all their lives."""

    nursery: trio.Nursery
    fatal: Fatal
    folders: dict[str, Path] = field(default_factory=dict)
    screens: dict[str, Screen] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    deaths: list[tuple[str, bytes]] = field(default_factory=list)  # who, and the newest entry of his outbox
    signed: dict[tuple[bytes, int], set[bytes]] = field(default_factory=dict)

    async def host(self) -> None:
        """The host opens the table, and everybody who was asked may come."""
        hosting = Hosting(Terms(GAME, dict(OPTIONS), {}), Sitter(HOST, "steady", 1), port=0, bind="127.0.0.1")
        with new_host_store(hosting) as store:
            self.folders[HOST] = store.path
        self.screens[HOST] = Screen()
        self.nursery.start_soon(self._live, HOST, self._host)
        await self.screens[HOST].line_with("majlis1:")

    def guest(self, name: str) -> None:
        """Somebody joins."""
        line = next(line for line in self.screens[HOST].lines if line.startswith("majlis1:"))
        with new_guest_store(read_invite_untrusted(line), line, Sitter(name, "steady", 1)) as store:
            self.folders[name] = store.path
        self.screens[name] = Screen()
        self.nursery.start_soon(self._live, name, self._guest)

    async def _live(self, name: str, life: Callable[[str, TableStore, Evening], Awaitable[None]]) -> None:
        while True:
            with DoomedStore.open(self.folders[name]) as store:
                store.fatal = lambda what, entry: self._note(name, what, entry)
                evening = Evening()
                try:
                    await life(name, store, evening)
                except* Killed:
                    self.deaths.append((name, store.own[-1].entry if store.own else b""))
                else:
                    assert evening.finished and isinstance(evening.peer, Peer)
                    self.tables[name] = evening.peer.table
                    return

    def _note(self, name: str, what: str, entry: Entry) -> bool:
        if what == "keep":
            self.signed.setdefault((entry.author, entry.counter), set()).add(pack(entry))
        return self.fatal(name, what, entry)

    async def _host(self, name: str, store: TableStore, evening: Evening) -> None:
        await HostedTable(store, hosting_of(store), self.screens[name].front, evening).run()

    async def _guest(self, name: str, store: TableStore, evening: Evening) -> None:
        await join_table(store, sitter_of(store, False), self.screens[name].front, evening, resumed=True)


def body_of(entry: Entry) -> Body:
    """What an entry says."""
    return decode_body_untrusted(entry.body)
