"""Tables on the same network find each other: a beacon in UDP multicast, over IPv4 and IPv6.

The host's program announces (`Beacon`), whoever looks for a table listens and asks (`seek`). What is sent stands in
`protocol.beacon`; the addresses of a table are those that its packets come from. Every interface is used by itself,
the loopback too, so that programs on one machine find each other without any network.

Everything that is received is a stranger's: it is cleaned, few tables are kept, fewer from one address, and what is no
packet is ignored. Where no socket can be had there is no beacon, and the game is not troubled.
"""

from __future__ import annotations

import ipaddress
import os
import re
import socket
import struct
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import trio

from engine.games import NAMES
from p2p.invite import local_addresses
from p2p.language import clean_text, current
from p2p.limits import NAME_LENGTH
from protocol.beacon import (
    BEACON_VERSION,
    PACKET_LIMIT,
    Announce,
    Packet,
    Seek,
    Withdraw,
    decode_packet_untrusted,
    encode_packet,
    table_words,
)
from protocol.errors import Refused

GROUP_4 = "239.255.70.70"
"""Of the IPv4 local scope (RFC 2365), which routers do not let out of a site."""

GROUP_6 = "ff12::6d61:6a6c"
"""Link-local and not assigned by anybody (RFC 4291); the digits spell "majl"."""

LAN_PORT = 7070
"""The table's own default port, but UDP. Another one in MAJLIS_LAN makes a network within the network; ``off`` there
keeps this program from sending or hearing anything."""

HOPS = 1
"""Packets die at the first router."""

LOOPBACK = "127.0.0.1"

ANNOUNCE_EVERY = 1.5
"""Seconds between two announcements: whoever missed the answer to a question waits no longer."""

ANSWER_PAUSE = 0.25
"""Shortest time between two announcements, however many ask: a flood of questions makes four packets a second."""

ASK_AGAIN = 0.5
"""A question is asked twice, so long apart: Wi-Fi drops multicast now and then."""

GONE_AFTER = 6.0
"""A table that was not heard of for this long, four announcements, is gone."""

TICK = 0.2
"""How often a seeker looks what has changed: however many packets come, his list changes five times a second."""

REOPEN = 60.0
"""How long sockets are used: a laptop that changed its network is there again a minute later."""

MOST_TABLES = 24
"""Tables that a seeker keeps: a club's evening. What is more is not listed; an invite leads there all the same."""

MOST_FROM_ONE = 4
"""Tables heard from one address: a machine that hosts for several groups. One alone cannot fill the list."""

MOST_ADDRESSES = 4
"""Addresses of one table: cable, Wi-Fi, IPv6, loopback."""


@dataclass(frozen=True)
class Found:
    """A table on the network, as it says of itself: cleaned, and nothing of it proved."""

    name: str
    game: str
    free: int
    addresses: tuple[str, ...]
    port: int
    table: bytes
    certificate_hash: bytes
    token: bytes = field(repr=False)

    def words(self) -> tuple[str, ...]:
        """What tells it from a false table (`words_of`)."""
        return words_of(self.certificate_hash)


def words_of(certificate_hash: bytes) -> tuple[str, ...]:
    """The words of a table in the reader's language: the same at the host and at whoever looks for it, or has its
    invite. Takes about 40 ms."""
    return table_words(certificate_hash, "ar" if current().code == "ar" else "en")


def lan_port(environment: Mapping[str, str] | None = None) -> int | None:
    """The UDP port to use, or None where MAJLIS_LAN says ``off``. What is no port there is taken for the default."""
    asked = (os.environ if environment is None else environment).get("MAJLIS_LAN", "")
    if asked.lower() == "off":
        return None
    return int(asked) if re.fullmatch(r"[1-9][0-9]{0,4}", asked) and int(asked) < 65536 else LAN_PORT


# --- what was heard ---------------------------------------------------------------------------------------------------


@dataclass
class _Heard:
    said: Announce
    addresses: dict[str, float] = field(default_factory=dict)  # when each was heard last


class Directory:
    """The tables that were heard of lately. Its clock is the caller's."""

    def __init__(self) -> None:
        self._heard: dict[tuple[bytes, bytes, int, bytes], _Heard] = {}

    def hear_untrusted(self, data: bytes, source: str, now: float) -> None:
        """Take a datagram. What is none of ours, or too much, changes nothing."""
        try:
            packet = decode_packet_untrusted(data)
        except Refused:
            return
        if not _is_near(source):
            return
        match packet:
            case Announce(game=game) if game in NAMES:
                self._announced(packet, source, now)
            case Withdraw(table=table, certificate=certificate):
                for key in [key for key in self._heard if key[:2] == (table, certificate)]:
                    self._heard[key].addresses.pop(source, None)
                self.forget(now)

    def _announced(self, said: Announce, source: str, now: float) -> None:
        key = (said.table, said.certificate, said.port, said.token)
        known = self._heard.get(key)
        if known is None or source not in known.addresses:
            from_there = sum(source in heard.addresses for heard in self._heard.values())
            if from_there >= MOST_FROM_ONE or (known is None and len(self._heard) >= MOST_TABLES):
                return
            if known is not None and len(known.addresses) >= MOST_ADDRESSES:
                return
        if known is None:
            known = self._heard[key] = _Heard(said)
        known.said = said
        known.addresses[source] = now

    def forget(self, now: float) -> None:
        """Drop what was not heard of for too long."""
        for key, heard in list(self._heard.items()):
            heard.addresses = {one: last for one, last in heard.addresses.items() if now - last < GONE_AFTER}
            if not heard.addresses:
                del self._heard[key]

    @property
    def tables(self) -> tuple[Found, ...]:
        """What there is, by name."""
        found = (_found(heard) for heard in self._heard.values())
        return tuple(sorted(found, key=lambda one: (one.name, one.certificate_hash, one.port, one.token)))


def _found(heard: _Heard) -> Found:
    said = heard.said
    return Found(
        clean_text(said.name, NAME_LENGTH),
        said.game,
        said.free,
        tuple(sorted(heard.addresses, key=_by_use)),
        said.port,
        said.table,
        said.certificate,
        said.token,
    )


def _by_use(address: str) -> tuple[bool, bool, str]:
    """Addresses that other machines can use, too, come first, and those that can stand in an invite."""
    return address == LOOPBACK, "%" in address, address


def _is_near(source: str) -> bool:
    """Whether it comes from this link, and from one machine there: a table's addresses are dialled. An IPv6 packet for
    everybody on a link has such a source; IPv4 has no such sign, there the group's address, which nobody can write to
    from outside, has to do."""
    try:
        found = ipaddress.ip_address(source)
    except ValueError:
        return False
    if found.is_unspecified or found.is_multicast:
        return False
    if isinstance(found, ipaddress.IPv4Address):
        return not (found.is_reserved or int(found) >> 24 == 0)  # "this network", 240.0.0.0/4 and the broadcast address
    return found.is_link_local or found.is_loopback


# --- sockets ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Places:
    """Where to send and to listen: IPv4 addresses of this machine, and whether all its IPv6 interfaces, too."""

    four: tuple[str, ...]
    six: bool


def everywhere() -> Places:
    """Every interface of this machine. May take a moment: call it in a thread."""
    return Places((*(one for one in local_addresses(link_local=True) if ":" not in one), LOOPBACK), True)


def places_of(bound: Sequence[str]) -> Places:
    """Where a table that listens on these addresses can be reached. Call it in a thread. A single IPv6 address is not
    announced: its packets would come from another."""
    whole = everywhere()
    four = [one for one in bound if ":" not in one]
    return Places(whole.four if "0.0.0.0" in four else tuple(four), "::" in bound)


class _Network:
    """Open sockets in all places."""

    def __init__(self, port: int, places: Places) -> None:
        self._port = port
        self._places = places
        self._opened: list[trio.socket.SocketType] = []
        self._ears: list[trio.socket.SocketType] = []
        self._four: list[trio.socket.SocketType] = []
        self._six: tuple[trio.socket.SocketType, list[int]] | None = None

    async def open(self) -> None:
        """Raises Refused('lan-unavailable') when there is nothing to hear or to speak with."""
        for opening in (self._open_four, self._open_six):
            try:
                await opening()
            except OSError:
                continue  # this machine has only one of the two families
        if not self._ears or not (self._four or self._six):
            raise Refused("lan-unavailable")

    async def _open_four(self) -> None:
        group = socket.inet_aton(GROUP_4)
        ear = self._keep(_shared(socket.AF_INET))
        await ear.bind(("" if sys.platform == "win32" else GROUP_4, self._port))
        self._ears.append(ear)
        for address in self._places.four:
            if _joins(ear, socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group + socket.inet_aton(address)):
                voice = self._keep(trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
                await voice.bind((address, 0))
                voice.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(address))
                voice.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, HOPS)
                self._four.append(voice)

    async def _open_six(self) -> None:
        if not self._places.six:
            return
        group = socket.inet_pton(socket.AF_INET6, GROUP_6)
        ear = self._keep(_shared(socket.AF_INET6))
        ear.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        ear.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, HOPS)
        await ear.bind(("::", self._port))
        interfaces = [
            index
            for index, _ in socket.if_nameindex()
            if _joins(ear, socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, group + struct.pack("@I", index))
        ]
        self._ears.append(ear)
        self._six = ear, interfaces

    def _keep(self, opened: trio.socket.SocketType) -> trio.socket.SocketType:
        self._opened.append(opened)
        return opened

    async def send(self, packet: Packet) -> None:
        """To everybody who listens. What cannot be sent (an interface that is down) is not."""
        data = encode_packet(packet)
        for voice in self._four:
            await _send(voice, data, (GROUP_4, self._port))
        if self._six is not None:
            for index in self._six[1]:
                await _send(self._six[0], data, (GROUP_6, self._port, 0, index))

    async def hear(self, heard: Callable[[bytes, str], None]) -> None:
        """Pass on what comes, with its source, until cancelled."""
        async with trio.open_nursery() as nursery:
            for ear in self._ears:
                nursery.start_soon(_hear, ear, heard)

    def close(self) -> None:
        """Everything."""
        for opened in self._opened:
            opened.close()


@asynccontextmanager
async def _network(port: int, places: Places) -> AsyncIterator[_Network]:
    network = _Network(port, places)
    try:
        await network.open()
        yield network
    finally:
        network.close()


def _shared(family: socket.AddressFamily) -> trio.socket.SocketType:
    """A socket whose port other programs may have as well: every one of them hears what is sent to a group."""
    opened = trio.socket.socket(family, socket.SOCK_DGRAM)
    by_port = hasattr(socket, "SO_REUSEPORT") and not sys.platform.startswith("linux")  # there any user may share
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT if by_port else socket.SO_REUSEADDR, 1)
    return opened


def _joins(ear: trio.socket.SocketType, level: int, option: int, membership: bytes) -> bool:
    try:
        ear.setsockopt(level, option, membership)
    except OSError:
        return False  # an interface without multicast
    return True


async def _send(voice: trio.socket.SocketType, data: bytes, to: tuple[str, int] | tuple[str, int, int, int]) -> None:
    try:
        await voice.sendto(data, to)
    except OSError:
        pass  # no network there just now


async def _hear(ear: trio.socket.SocketType, heard: Callable[[bytes, str], None]) -> None:
    while True:
        try:
            data, source = await ear.recvfrom(PACKET_LIMIT + 1)
        except ConnectionResetError:
            continue  # Windows: somebody could not be reached before
        except OSError:
            return
        scope = source[3] if len(source) > 3 else 0
        heard(data, f"{source[0].partition('%')[0]}%{scope}" if scope else str(source[0]))


# --- announcing and seeking -------------------------------------------------------------------------------------------


class Beacon:
    """Announces one table. `news()` gives what to say now, None for nothing (a table that was announced is then
    withdrawn). `unavailable(refused)` is told, once, when there is no socket to be had."""

    def __init__(
        self,
        port: int,
        places: Callable[[], Places],
        news: Callable[[], Announce | None],
        unavailable: Callable[[Refused], None],
    ) -> None:
        self._port = port
        self._places = places
        self._news = news
        self._unavailable = unavailable
        self._said: Announce | None = None
        self._asked = trio.Event()

    def changed(self) -> None:
        """There is something new to say: say it now."""
        self._asked.set()

    async def run(self) -> None:
        """Announce until cancelled; then withdraw."""
        told = False
        while True:
            try:
                places = await trio.to_thread.run_sync(self._places)
                async with _network(self._port, places) as network, trio.open_nursery() as nursery:
                    nursery.start_soon(network.hear, self._hear_untrusted)
                    await self._speak(network)
                    nursery.cancel_scope.cancel()
            except Refused as refused:
                if not told:
                    self._unavailable(refused)
                told = True
                await trio.sleep(REOPEN)

    def _hear_untrusted(self, data: bytes, source: str) -> None:
        try:
            packet = decode_packet_untrusted(data)
        except Refused:
            return
        if isinstance(packet, Seek):
            self._asked.set()

    async def _speak(self, network: _Network) -> None:
        """Until the sockets are old."""
        until = trio.current_time() + REOPEN
        try:
            while trio.current_time() < until:
                self._asked = trio.Event()
                await self._say(network, self._news())
                await trio.sleep(ANSWER_PAUSE)
                with trio.move_on_after(ANNOUNCE_EVERY - ANSWER_PAUSE):
                    await self._asked.wait()
        except trio.Cancelled:
            with trio.CancelScope(shield=True, deadline=trio.current_time() + ANSWER_PAUSE):
                await self._say(network, None)
            raise

    async def _say(self, network: _Network, news: Announce | None) -> None:
        if news is not None:
            await network.send(news)
        elif self._said is not None:
            await network.send(Withdraw(BEACON_VERSION, self._said.table, self._said.certificate))
        self._said = news


async def seek(
    found: Callable[[tuple[Found, ...]], None],
    *,
    port: int | None = None,
    places: Callable[[], Places] = everywhere,
    task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Tell all tables on the network whenever one appears, changes or vanishes, until cancelled; started once it
    listens. Raises Refused: ``lan-off``, ``lan-unavailable``."""
    chosen = port or lan_port()
    if chosen is None:
        raise Refused("lan-off")
    directory = Directory()
    told: tuple[Found, ...] = ()
    started = False
    while True:
        async with _network(chosen, await trio.to_thread.run_sync(places)) as network, trio.open_nursery() as nursery:
            nursery.start_soon(
                network.hear, lambda data, source: directory.hear_untrusted(data, source, trio.current_time())
            )
            nursery.start_soon(_ask, network)
            if not started:
                task_status.started()
                started = True
            for _ in range(round(REOPEN / TICK)):
                await trio.sleep(TICK)
                directory.forget(trio.current_time())
                if directory.tables != told:
                    told = directory.tables
                    found(told)
            nursery.cancel_scope.cancel()


async def _ask(network: _Network) -> None:
    await network.send(Seek(BEACON_VERSION))
    await trio.sleep(ASK_AGAIN)
    await network.send(Seek(BEACON_VERSION))
