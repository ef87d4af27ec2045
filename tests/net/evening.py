"""A whole table in one trio program: a host on 127.0.0.1, honest guests that bots play, links for whoever is not."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import trio

from p2p.door import client_authenticate
from p2p.host import Terms
from p2p.hosting import HostedTable, Hosting, new_host_store
from p2p.invite import Invite, read_invite_untrusted
from p2p.joining import join_table, new_guest_store
from p2p.link import Link, dial
from p2p.sitting import Evening, Sitter
from p2p.store import TableStore
from p2p.terminal.lines import Console, LineTable
from protocol.identity import Identity
from tests.net.processes import DEADLINE

GAME, OPTIONS = "three_five_eight", {"deals": 3}


class Paper(io.StringIO):
    """What is written on it, and an event for the next line."""

    def __init__(self) -> None:
        super().__init__()
        self.new = trio.Event()

    def flush(self) -> None:
        self.new.set()
        self.new = trio.Event()


class Screen:
    """What somebody was told, and a way to wait for it."""

    def __init__(self) -> None:
        self._paper = Paper()
        self.front = LineTable(Console(out=self._paper, source=io.StringIO()))

    @property
    def lines(self) -> list[str]:
        return self._paper.getvalue().split("\n")

    def has(self, *words: str) -> bool:
        return any(all(word in line for word in words) for line in self.lines)

    async def line_with(self, *words: str) -> None:
        """Wait until a line holds all of these words."""
        while not self.has(*words):
            await self._paper.new.wait()


@dataclass
class Guest:
    """An honest guest."""

    store: TableStore
    screen: Screen = field(default_factory=Screen)
    evening: Evening = field(default_factory=Evening)


@dataclass
class Table:
    """A running host and its guests."""

    nursery: trio.Nursery
    table: HostedTable
    screen: Screen
    evening: Evening
    guests: list[Guest] = field(default_factory=list)

    @property
    def invite(self) -> Invite:
        return read_invite_untrusted(self.table.store.meta.invite)

    async def opened(self) -> None:
        """Wait until the host listens."""
        await self.screen.line_with("majlis1:")

    def join(self, name: str, bot: str = "steady", line: str = "") -> Guest:
        """An honest guest sits down, with the invite or another line."""
        line, sitter = line or self.table.store.meta.invite, Sitter(name, bot, 1)
        guest = Guest(new_guest_store(read_invite_untrusted(line), line, sitter))
        self.guests.append(guest)
        self.nursery.start_soon(join_table, guest.store, sitter, guest.screen.front, guest.evening)
        return guest

    async def stranger(self) -> Link:
        """A link after TLS and before authentication."""
        return await dial(["127.0.0.1"], self.invite.port, self.invite.certificate_hash)

    async def link(self, identity: Identity, token: bytes = b"") -> Link:
        """An authenticated link that nothing honest is behind, with the invite's token or another one."""
        link = await self.stranger()
        try:
            await client_authenticate(link, identity, token or self.invite.token)
        except BaseException:
            await trio.aclose_forcefully(link)
            raise
        return link

    def logs(self) -> set[tuple[bytes, ...]]:
        """The different logs that host and guests hold."""
        return {self.table.store.log, *(guest.store.log for guest in self.guests)}


@asynccontextmanager
async def evening(home: Path, seated: bool = True, lan: str = "off", ask: bool = False) -> AsyncIterator[Table]:
    """A host of three-five-eight, in a home of its own (set MAJLIS_HOME to it). Ends when all games have."""
    sitter, terms = Sitter("Amal", "steady", 1), Terms(GAME, OPTIONS, {})
    hosting = Hosting(terms, sitter, seated, port=0, bind="127.0.0.1", lan=lan, ask=ask)
    screen, told = Screen(), Evening()
    with trio.fail_after(DEADLINE), new_host_store(hosting) as store:
        async with trio.open_nursery() as nursery:
            hosted = Table(nursery, HostedTable(store, hosting, screen.front, told), screen, told)
            nursery.start_soon(hosted.table.run)
            await hosted.opened()
            yield hosted
        for guest in hosted.guests:
            guest.store.close()


def checked(hosted: Table) -> None:
    """The game was played to its end, and everybody holds the same log of it."""
    assert hosted.evening.finished and all(guest.evening.finished for guest in hosted.guests)
    assert len(hosted.logs()) == 1
