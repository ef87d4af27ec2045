"""A framed stream between two peers over TLS: sending, receiving, and noticing that the other side is gone.

One task receives. Sending has two ways: `send` waits until the bytes are on their way; `post` never waits,
puts the message into an outbox and leaves it to the link's own task (`run`). A host talks to many peers, and
the slowest must not hold up the others: whoever lets more than OUTBOX_LIMIT pile up, or takes nothing for
SEND_DEADLINE, is dropped.

A running link sends a small *beat* when it has nothing else to say, so that a pulled cable shows after
SILENCE_LIMIT. Beats are consumed here; nobody above sees them.

Two kinds of ending are kept apart: `Closed` is the network or somebody leaving, `Malformed` is bytes that no
honest program sends. Who may talk at all is decided in `p2p.door`.
"""

from __future__ import annotations

import math
import ssl
from collections import deque
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Final

import msgspec
import trio

from p2p import limits
from p2p.tls import certificate_hash, check_fingerprint, client_context
from protocol.errors import Malformed, Refused
from protocol.wire import LIMIT_AFTER_AUTH, LIMIT_BEFORE_AUTH, FrameReader, frame, pack

Message = Mapping[str, object] | msgspec.Struct | bytes
"""What can be sent: a map, a typed message, or a body that is already packed."""

BEAT: Final = pack({"k": "beat"})
"""The body of a beat."""


class Closed(Exception):
    """The connection is over. `code` is the sentence's id: ``connection-closed`` (the other side left, or we
    did), ``connection-broken``, ``connection-silent``, ``peer-not-reading``."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
        self.values: dict[str, object] = {}


class Link:
    """One connection. `address` is the other side's, `certificate_hash` the server's certificate as this side
    saw it, `key` the other side's public key once it has proved it; `invited` whether it showed an invite then, and
    not only what the table's beacon tells everybody."""

    def __init__(self, stream: trio.SSLStream[Any], address: str, certificate_hash: bytes = b"") -> None:
        self.address = address
        self.certificate_hash = certificate_hash
        self.key: bytes | None = None
        self.invited = True
        self._stream = stream
        self._reader = FrameReader(LIMIT_BEFORE_AUTH)
        self._send_limit = LIMIT_BEFORE_AUTH
        self._outbox: deque[bytes] = deque()
        self._queued = 0  # bytes ever put into the outbox
        self._sent = 0  # bytes of them that TLS has taken
        self._posted = trio.lowlevel.ParkingLot()
        self._moved = trio.lowlevel.ParkingLot()
        self._direct = trio.Lock()
        self._running = False
        self._shaken = False
        self._ended: str | None = None
        self._sending = trio.CancelScope()
        self._receiving: trio.CancelScope | None = None

    def __repr__(self) -> str:
        return f"Link({self.address}, {self._ended or 'open'})"

    @property
    def closed(self) -> str | None:
        """Why nothing more can be sent, or None."""
        return self._ended

    async def handshake(self) -> None:
        """Finish the TLS handshake. Raises Malformed('tls-failed') if the other side does not speak it."""
        try:
            await self._stream.do_handshake()
        except trio.BrokenResourceError as error:
            self._end("connection-broken")
            if isinstance(error.__cause__, ssl.SSLError) and not isinstance(error.__cause__, ssl.SSLEOFError):
                raise Malformed("tls-failed") from None
            raise Closed("connection-broken") from None
        self._shaken = True

    def run(self, nursery: trio.Nursery) -> None:
        """Start the outbox and the beats. Never raises into the nursery; when the nursery ends, so does the
        link."""
        self._running = True
        nursery.start_soon(self._drain)

    def raise_limit(self) -> None:
        """From now on frames may be as long as an authenticated peer's."""
        self._reader.limit = self._send_limit = LIMIT_AFTER_AUTH

    def post(self, message: Message) -> None:
        """Put a message into the outbox. Nothing is raised for a link that has ended: its receiver learns
        it."""
        if self._ended is not None:
            return
        self._queue(message)
        if self._queued - self._sent > limits.OUTBOX_LIMIT:
            self._end("peer-not-reading")

    async def send(self, message: Message) -> None:
        """Send after everything posted so far, and wait until TLS has taken it. Raises Closed."""
        if self._ended is not None:
            raise Closed(self._ended)
        if self._running:
            self._queue(message)
            await self._wait_for(self._queued)
        else:
            async with self._direct:
                await self._push(frame(_body(message), self._send_limit))
        if self._ended is not None:
            raise Closed(self._ended)

    async def receive(self) -> bytes:
        """The next frame's body. Raises Closed, or Malformed for a frame that is too long or cut off.

        May be cancelled without loss.
        """
        await trio.lowlevel.checkpoint()
        while True:
            for body in self._reader:
                if body != BEAT:
                    return body
            data = await self._receive_some()
            if not data:
                self._end("connection-closed")
                self._reader.finish()
                raise Closed("connection-closed")
            self._reader.feed(data)

    async def aclose(self) -> None:
        """End it: politely if that takes no longer than CLOSE_DEADLINE (what is in the outbox still goes
        out). Before the TLS handshake is done there is nobody to be polite to."""
        try:
            with trio.move_on_after(limits.CLOSE_DEADLINE):
                if self._shaken and self._ended is None:
                    await self._wait_for(self._queued)
                    self._end("connection-closed")
                    await self._stream.aclose()
        except (trio.BrokenResourceError, trio.ClosedResourceError, trio.BusyResourceError):
            pass  # the other side is gone, or somebody else here is closing it
        finally:
            self._end("connection-closed")
            await trio.aclose_forcefully(self._stream)

    async def __aenter__(self) -> Link:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    # Inside.

    def _queue(self, message: Message) -> None:
        data = frame(_body(message), self._send_limit)
        self._outbox.append(data)
        self._queued += len(data)
        self._posted.unpark_all()

    async def _wait_for(self, mark: int) -> None:
        while self._running and self._sent < mark and self._ended is None:
            await self._moved.park()

    async def _drain(self) -> None:
        """The link's own task: the outbox in chunks, or a beat."""
        try:
            with self._sending:
                while self._ended is None:
                    if not self._outbox:
                        with trio.move_on_after(limits.PING_INTERVAL):
                            await self._posted.park()
                    if not self._outbox:
                        self._queue(BEAT)
                    chunk = self._next_chunk()
                    await self._push(chunk)
                    self._sent += len(chunk)
                    self._moved.unpark_all()
        except Closed:
            pass  # already noted, and the receiver will notice
        finally:
            self._end("connection-closed")

    def _next_chunk(self) -> bytes:
        parts = [self._outbox.popleft()]
        size = len(parts[0])
        while self._outbox and size + len(self._outbox[0]) <= limits.SEND_CHUNK:
            size += len(self._outbox[0])
            parts.append(self._outbox.popleft())
        return b"".join(parts)

    async def _push(self, data: bytes) -> None:
        try:
            with trio.fail_after(limits.SEND_DEADLINE):
                await self._stream.send_all(data)
        except trio.TooSlowError:
            self._end("peer-not-reading")
            raise Closed("peer-not-reading") from None
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            # Only sending is over: what the other side said last, perhaps why it left, can still be read.
            self._end("connection-broken")
            raise Closed("connection-broken") from None
        except trio.Cancelled:
            self._end("connection-closed")  # half a frame may be out
            raise

    async def _receive_some(self) -> bytes:
        if self._ended is not None and self._ended != "connection-broken":
            raise Closed(self._ended)
        with trio.move_on_after(limits.SILENCE_LIMIT if self._running else math.inf) as scope:
            self._receiving = scope
            try:
                return bytes(await self._stream.receive_some(limits.RECEIVE_CHUNK))
            except trio.BrokenResourceError:
                self._end("connection-broken")
                raise Closed(self._ended or "connection-broken") from None
            except trio.ClosedResourceError:
                raise Closed(self._ended or "connection-closed") from None
            finally:
                self._receiving = None
        self._end("connection-silent")
        raise Closed(self._ended or "connection-silent")

    def _end(self, code: str) -> None:
        """Note the first reason, and wake whoever waits."""
        if self._ended is not None:
            return
        self._ended = code
        self._sending.cancel()
        self._moved.unpark_all()
        if self._receiving is not None and code != "connection-broken":
            self._receiving.cancel()


def _body(message: Message) -> bytes:
    return message if isinstance(message, bytes) else pack(message)


async def dial(
    addresses: Sequence[str], port: int, fingerprint: bytes, timeout: float = limits.DIAL_DEADLINE
) -> Link:
    """A link, TLS finished and the certificate compared, to whichever address answers first.

    Each address gets a head start of DIAL_STAGGER before the next, or none if the one before failed. A
    stranger that answers at one of them (a private address in another network) does not stop the others.
    Raises Refused('wrong-fingerprint') if only strangers answered, Refused('unreachable') if nobody did.
    """
    found: list[Link] = []
    failures: list[Refused] = []

    async def attempt(address: str, failed: trio.Event) -> None:
        try:
            link = await _connect(address, port, fingerprint)
        except (OSError, ValueError, Closed):  # ValueError: what is not even a host name
            failed.set()
        except Refused as refused:
            failures.append(refused)
            failed.set()
        else:
            if found:
                await link.aclose()
            else:
                found.append(link)
                nursery.cancel_scope.cancel()

    try:
        with trio.move_on_after(timeout):
            async with trio.open_nursery() as nursery:
                for address in dict.fromkeys(addresses):
                    failed = trio.Event()
                    nursery.start_soon(attempt, address, failed)
                    with trio.move_on_after(limits.DIAL_STAGGER):
                        await failed.wait()
    except BaseException:
        for link in found:
            await link.aclose()
        raise
    if found:
        return found[0]
    wrong = [refused for refused in failures if refused.code == "wrong-fingerprint"]
    if wrong or failures:
        raise (wrong or failures)[0]
    raise Refused("unreachable", {"port": port, "addresses": " ".join(addresses)})


async def _connect(address: str, port: int, fingerprint: bytes) -> Link:
    stream = await trio.open_tcp_stream(address, port)
    secure = trio.SSLStream(stream, client_context())
    link = Link(secure, address)
    try:
        await link.handshake()
        link.certificate_hash = certificate_hash(secure.getpeercert(binary_form=True) or b"")
        check_fingerprint(link.certificate_hash, fingerprint, address)
    except BaseException:
        await trio.aclose_forcefully(secure)
        raise
    return link
