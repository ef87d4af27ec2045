"""A host on 127.0.0.1 for tests of the network: it answers every map with the same map."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import trio
import trio.testing

from p2p.door import Door, Gate, client_authenticate, listen, port_of, serve
from p2p.link import Closed, Link, dial
from p2p.tls import Certificate, client_context, make_certificate, server_context
from protocol.errors import Refused
from protocol.identity import Identity

TABLE, TOKEN = b"T" * 16, b"K" * 16
AMAL = Identity.generate(b"\x01" * 32)
CERTIFICATE: Certificate = make_certificate(lambda length: b"\x07" * length)
CONTEXT: ssl.SSLContext = server_context(CERTIFICATE.cert_pem, CERTIFICATE.key_pem)
PATIENCE = 10.0
"""Seconds after which a test has failed; nothing here takes a tenth of it."""


@asynccontextmanager
async def pair(shaken: bool = True) -> AsyncIterator[tuple[Link, Link]]:
    """Client and server over TLS in memory: a test may own the clock. `shaken` is after the TLS handshake."""
    near, far = trio.testing.memory_stream_pair()
    client = Link(trio.SSLStream(near, client_context()), "host", CERTIFICATE.hash)
    server = Link(trio.SSLStream(far, CONTEXT, server_side=True), "guest", CERTIFICATE.hash)
    if shaken:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(client.handshake)
            nursery.start_soon(server.handshake)
    try:
        yield client, server
    finally:
        await client.aclose()
        await server.aclose()


@dataclass
class Hosted:
    """A running host, and what it has seen so far."""

    port: int
    guests: list[bytes] = field(default_factory=list)
    turned_away: list[tuple[str, Refused | Closed]] = field(default_factory=list)
    changed: trio.Condition = field(default_factory=trio.Condition)

    async def until(self, seen: Callable[[Hosted], bool]) -> None:
        """Wait for something that this host has seen."""
        with trio.fail_after(PATIENCE):
            async with self.changed:
                while not seen(self):
                    await self.changed.wait()

    async def until_away(self, code: str) -> None:
        """Wait until somebody was turned away for this reason."""
        await self.until(lambda hosted: code in hosted.codes)

    @property
    def codes(self) -> list[str]:
        return [reason.code for _, reason in self.turned_away]

    async def guest(self, identity: Identity = AMAL) -> Link:
        """An authenticated link to this host."""
        link = await self.stranger()
        await client_authenticate(link, identity, TOKEN, table=TABLE)
        return link

    async def stranger(self) -> Link:
        """A link after TLS and before authentication."""
        return await dial(["127.0.0.1"], self.port, CERTIFICATE.hash[:16], timeout=PATIENCE)


@asynccontextmanager
async def hosting(
    deadline: float = PATIENCE, gate: Gate | None = None, admit: Callable[[bytes], None] | None = None
) -> AsyncIterator[Hosted]:
    listeners = await listen("127.0.0.1", 0)
    hosted = Hosted(port_of(listeners))
    door = Door(CONTEXT, CERTIFICATE.hash, TABLE, TOKEN, "test host", deadline)

    async def welcome(link: Link, key: bytes) -> None:
        hosted.guests.append(key)
        await notify()
        async with trio.open_nursery() as nursery:
            link.run(nursery)
            while True:
                link.post(await link.receive())

    async def notify() -> None:
        async with hosted.changed:
            hosted.changed.notify_all()

    def turned_away(address: str, reason: Refused | Closed) -> None:
        hosted.turned_away.append((address, reason))
        nursery.start_soon(notify)

    async def run(task_status: trio.TaskStatus[list[trio.SocketListener]]) -> None:
        await serve(
            listeners, door, welcome, gate=gate, admit=admit, turned_away=turned_away, task_status=task_status
        )

    async with trio.open_nursery() as nursery:
        await nursery.start(run)
        yield hosted
        nursery.cancel_scope.cancel()
