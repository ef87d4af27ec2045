"""Who comes in: listening, the authentication of both sides, and the limits on strangers.

A connection is a *stranger* until it has proved a key. Strangers are few at once (`Gate`), have two seconds
(AUTH_DEADLINE, TLS handshake included), may send 4 KiB, and are told why they are turned away. Nothing that a
stranger does reaches the table.
"""

from __future__ import annotations

import errno
import hmac
import ipaddress
import secrets
import socket
import ssl
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import trio

from p2p import limits
from p2p.link import Closed, Link
from protocol.errors import Malformed, Refused
from protocol.handshake import (
    NONCE_LENGTH,
    VERSIONS,
    Admitted,
    Auth,
    Challenge,
    Hello,
    Refusal,
    ServerAnswer,
    answer_challenge_untrusted,
    check_auth_untrusted,
    choose_version_untrusted,
    refusal,
    refused_untrusted,
)
from protocol.identity import Identity
from protocol.wire import decode_untrusted


class Gate:
    """Counts strangers, in total and for each address (an IPv6 /64 counts as one)."""

    def __init__(
        self, total: int = limits.STRANGERS_TOTAL, per_address: int = limits.STRANGERS_PER_ADDRESS
    ) -> None:
        self._total = total
        self._per_address = per_address
        self._inside: Counter[str] = Counter()

    @contextmanager
    def enter(self, address: str) -> Iterator[None]:
        """Hold a place while unauthenticated. Raises Refused('too-many-strangers')."""
        where = place(address)
        if self._inside.total() >= self._total or self._inside[where] >= self._per_address:
            raise Refused("too-many-strangers", {"address": address})
        self._inside[where] += 1
        try:
            yield
        finally:
            self._inside[where] -= 1
            if not self._inside[where]:
                del self._inside[where]


def place(address: str) -> str:
    """Whose address it is, for counting: an IPv4 address, or an IPv6 /64, which is one household."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if found.version == 4:
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((int(found), 64), strict=False))


async def client_authenticate(
    link: Link,
    identity: Identity,
    token: bytes,
    *,
    table: bytes | None = None,
    versions: Sequence[int] = VERSIONS,
) -> Challenge:
    """Prove who we are; returns what the server said of itself (version, table, software). The limit is
    raised.

    Raises Refused (the server's reason, or ``wrong-table``, ``table-silent``), Malformed, Closed.
    """
    with trio.move_on_after(limits.CLIENT_AUTH_DEADLINE):
        hello = Hello(list(versions), secrets.token_bytes(NONCE_LENGTH))
        await link.send(hello)
        challenge = await _hear(link)
        if not isinstance(challenge, Challenge):
            raise Malformed("message-misfit", {"field": "k"})
        auth = answer_challenge_untrusted(challenge, hello, identity, link.certificate_hash, token, table)
        await link.send(auth)
        if not isinstance(await _hear(link), Admitted):
            raise Malformed("message-misfit", {"field": "k"})
        link.raise_limit()
        return challenge
    raise Refused("table-silent", {"address": link.address, "seconds": limits.CLIENT_AUTH_DEADLINE})


async def _hear(link: Link) -> Challenge | Admitted:
    answer: ServerAnswer = decode_untrusted(await link.receive(), ServerAnswer)
    if isinstance(answer, Refusal):
        raise refused_untrusted(answer)
    return answer


async def server_authenticate(
    link: Link,
    *,
    table: bytes,
    token: bytes,
    lan_token: bytes | None = None,
    software: str = "",
    deadline: float = limits.AUTH_DEADLINE,
    admit: Callable[[bytes], None] | None = None,
) -> bytes:
    """TLS handshake and authentication of one stranger; returns the key that it proved, also as `link.key`. Who shows
    `lan_token` instead of the invite's is let in as well, and `link.invited` is false.

    `admit(key)` may raise Refused, for instance for a guest who was removed. The limit is raised. Whatever is
    raised (Refused, BadProof, Malformed, Closed) has been told to the stranger, if it listens; the caller
    closes the link.
    """
    with trio.move_on_after(deadline):
        await link.handshake()
        try:
            hello = decode_untrusted(await link.receive(), Hello)
            version = choose_version_untrusted(hello.versions)
            challenge = Challenge(version, secrets.token_bytes(NONCE_LENGTH), table, software)
            await link.send(challenge)
            auth = decode_untrusted(await link.receive(), Auth)
            link.invited = lan_token is None or not hmac.compare_digest(auth.token, lan_token)
            shown = token if lan_token is None or link.invited else lan_token
            key = check_auth_untrusted(auth, hello, challenge, link.certificate_hash, shown)
            if admit is not None:
                admit(key)
        except Refused as refused:
            await turn_away(link, refused)
            raise
        link.raise_limit()
        link.key = key
        await link.send(Admitted())
        return key
    raise Refused("auth-timeout", {"address": link.address, "seconds": deadline})


async def turn_away(link: Link, refused: Refused) -> None:
    """Tell the other side why it cannot stay."""
    try:
        await link.send(refusal(refused))
    except Closed:
        pass  # it does not listen; our own reason is the one to report


async def listen(bind: str | None, port: int) -> list[trio.SocketListener]:
    """Listen on one address, or (None) on all, IPv6 and IPv4 with the same port; port 0 takes a free one.

    Raises Refused: ``port-busy``, ``port-forbidden``, ``bind-unknown``.
    """
    for _ in range(8):  # port 0: what is free for IPv6 may be taken for IPv4
        try:
            return await _listen_all([bind] if bind else ["::", "0.0.0.0"], port, optional=not bind)
        except OSError as error:
            if error.errno == errno.EADDRINUSE and port == 0:
                continue
            raise _refused_listening(error, bind, port) from None
        except ValueError:  # what is not even a host name
            raise Refused("bind-unknown", {"address": bind}) from None
    raise Refused("port-busy", {"port": port})


async def _listen_all(hosts: Sequence[str], port: int, optional: bool) -> list[trio.SocketListener]:
    found: list[trio.SocketListener] = []
    trouble: OSError | None = None
    try:
        for host in hosts:
            try:
                wanted = port or (port_of(found) if found else 0)
                found += await trio.open_tcp_listeners(wanted, host=host, backlog=limits.LISTEN_BACKLOG)
            except OSError as error:
                if not optional or error.errno not in (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL):
                    raise
                trouble = error  # this machine has only one of the two families
        if not found and trouble is not None:
            raise trouble
    except BaseException:
        for listener in found:
            await trio.aclose_forcefully(listener)
        raise
    return found


def _refused_listening(error: OSError, bind: str | None, port: int) -> Refused:
    if error.errno == errno.EADDRINUSE:
        return Refused("port-busy", {"port": port})
    if error.errno in (errno.EACCES, errno.EPERM):
        return Refused("port-forbidden", {"port": port})
    return Refused("bind-unknown", {"address": bind or "*"})


def port_of(listeners: Sequence[trio.SocketListener]) -> int:
    """The port that listeners from `listen` share."""
    port: int = listeners[0].socket.getsockname()[1]
    return port


@dataclass(frozen=True)
class Door:
    """What a host shows to strangers, and what it asks of them."""

    context: ssl.SSLContext
    certificate_hash: bytes
    table: bytes
    token: bytes = field(repr=False)
    software: str = ""
    deadline: float = limits.AUTH_DEADLINE
    lan_token: bytes | None = field(default=None, repr=False)


async def serve(
    listeners: Sequence[trio.SocketListener],
    door: Door,
    welcome: Callable[[Link, bytes], Awaitable[None]],
    *,
    gate: Gate | None = None,
    admit: Callable[[bytes], None] | None = None,
    turned_away: Callable[[str, Refused | Closed], None] = lambda address, reason: None,
    task_status: trio.TaskStatus[list[trio.SocketListener]] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Accept until cancelled; `welcome(link, key)` has the rest of each authenticated connection.

    A Refused or Closed out of the authentication or of `welcome`, alone or in a group, ends that connection,
    is told to `turned_away(address, reason)`, and disturbs nobody else. The link is always closed. Listeners
    are closed at the end.
    """
    gate = gate or Gate()

    async def meet(stream: trio.SocketStream) -> None:
        address = remote_address(stream)
        secure = trio.SSLStream(stream, door.context, server_side=True)
        link = Link(secure, address, door.certificate_hash)
        try:
            with gate.enter(address):
                key = await server_authenticate(
                    link,
                    table=door.table,
                    token=door.token,
                    lan_token=door.lan_token,
                    software=door.software,
                    deadline=door.deadline,
                    admit=admit,
                )
            await welcome(link, key)
        except* (Refused, Closed) as group:
            for reason in _leaves(group):
                turned_away(address, reason)
        finally:
            await link.aclose()

    await trio.serve_listeners(meet, list(listeners), task_status=task_status)


def _leaves(group: BaseExceptionGroup[Refused | Closed]) -> Iterator[Refused | Closed]:
    for error in group.exceptions:
        if isinstance(error, BaseExceptionGroup):
            yield from _leaves(error)
        else:
            yield error


def remote_address(stream: trio.SocketStream) -> str:
    """The other side's address without its port, or ``?`` if it is already gone."""
    try:
        name = stream.socket.getpeername()
    except OSError:
        return "?"
    return str(name[0]) if stream.socket.family in (socket.AF_INET, socket.AF_INET6) else "local"
