"""A guest's connection to its table: dialled again, with growing pauses, until the game is over."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable

import trio

from engine.game import Illegal
from engine.games import game as find_game
from p2p import limits
from p2p.door import client_authenticate
from p2p.invite import Invite
from p2p.link import Closed, Link, dial
from p2p.peer import Peer
from protocol import messages
from protocol.errors import Refused
from protocol.handshake import Refusal, refused_untrusted
from protocol.log import terms_digest
from protocol.messages import Lobby, SeatClaim
from protocol.rules import table_rules_untrusted
from protocol.wire import convert_untrusted, unpack_untrusted

PASSING = frozenset(
    {"unreachable", "table-silent", "too-many-strangers", "auth-timeout", "too-many-connections", "too-many-asking"}
)
"""Refusals that may be over in a moment: dial again. Any other is final, unless it comes from a stranger who answers at
the host's address (in another Wi-Fi, that is somebody else's machine) while we look for a table that we know."""


class Guest:
    """Keeps one peer connected to its host.

    `sit(lobby)` gives the claim to a seat, or None to stay on one's feet (or when the seat was taken before). `noticed`
    is told the ids of sentences: ``reconnecting``, once for however many attempts, and ``reconnected``.
    """

    def __init__(
        self,
        invite: Invite,
        sit: Callable[[Lobby], Awaitable[SeatClaim | None]],
        noticed: Callable[[str], None],
    ) -> None:
        self.invite = invite
        self.peer: Peer | None = None
        self.lobby: Lobby | None = None
        self.present: tuple[bool, ...] = ()
        self.chat_heard: Callable[[messages.Chat], None] = lambda chat: None
        self.lobby_changed: Callable[[Lobby], None] = lambda lobby: None
        self.presence_changed: Callable[[], None] = lambda: None
        self._sit = sit
        self._noticed = noticed
        self.parted: Callable[[], None] = lambda: None  # the host said good-bye
        self.resumed = False  # a table that is known: dial even if the first attempt fails
        self.patience = math.inf  # how long to go on dialling a host that does not answer
        self.longest = limits.REDIAL_LONGEST  # pause between two attempts
        self.ready = True  # to begin, as soon as there is a seat
        self._link: Link | None = None
        self._lost = False  # the connection, and the person knows
        self._met = False  # in this attempt, the host answered
        self._satisfied = False  # … and let us in
        self._leaving = False

    def submit(self, entry: bytes) -> None:
        """The peer wants an entry ordered. Without a connection it waits in the peer's outbox."""
        if self._link is not None:
            self._link.post(messages.Submit(entry))

    def say(self, chat: messages.Chat) -> None:
        """Say something to the table."""
        if self._link is not None:
            self._link.post(chat)

    def set_ready(self, yes: bool) -> None:
        """We are ready to begin, or not yet. Without a connection the host is told on the next."""
        self.ready = yes
        if self._link is not None and self.lobby is not None and self._claim_in(self.lobby) is not None:
            self._link.post(messages.Ready(yes))

    def _claim_in(self, lobby: Lobby) -> int | None:
        """Where we are among the seats of the lobby."""
        assert self.peer is not None
        keys = [claim.key for claim in lobby.seats]
        return keys.index(self.peer.identity.public) if self.peer.identity.public in keys else None

    async def run(self) -> None:
        """Stay connected until cancelled. Raises Refused when the host or we refuse for good; the first connection must
        succeed."""
        pause, known, seen = limits.REDIAL_FIRST, self.resumed, trio.current_time()
        while True:
            refused = await self._attempt(known)
            if self._leaving:
                return
            if self._satisfied:
                pause, known, seen = limits.REDIAL_FIRST, True, trio.current_time()
            if refused is not None and not (known and (refused.code in PASSING or not self._met)):
                raise refused
            if not known:
                raise Refused("cannot-connect", {"address": self.invite.addresses[0]})
            if trio.current_time() - seen > self.patience:
                raise Refused("host-gone", {"table": self.invite.table.hex()[:8]})
            if not self._lost:
                self._lost = True
                self._noticed("reconnecting")
            await trio.sleep(pause)
            pause = min(pause * 2, self.longest)

    async def _attempt(self, known: bool) -> Refused | None:
        """One connection until it ends: why it was refused, or None when it was merely lost."""
        reasons: list[Refused] = []
        try:
            await self._connected(known)
        except* Closed:
            pass
        except* Refused as group:
            reasons.append(_first(group))
        return reasons[0] if reasons else None

    async def _connected(self, before: bool) -> None:
        """One connection, from dialling to its end."""
        assert self.peer is not None
        self._met = self._satisfied = False
        link = await dial(self.invite.addresses, self.invite.port, self.invite.certificate_hash)
        self._met = True
        async with link:
            await client_authenticate(link, self.peer.identity, self.invite.token, table=self.invite.table)
            async with trio.open_nursery() as nursery:
                link.run(nursery)
                try:
                    self._lost = False
                    if before:
                        self._noticed("reconnected")
                    self._link = link
                    while True:
                        await self._hear_untrusted(link, await link.receive())
                        self._satisfied = True
                finally:
                    self._link = None
                    nursery.cancel_scope.cancel()

    async def _hear_untrusted(self, link: Link, body: bytes) -> None:
        assert self.peer is not None
        raw = unpack_untrusted(body)
        if raw.get("k") == "refused":
            raise refused_untrusted(convert_untrusted(raw, Refusal))
        talk: messages.Talk = convert_untrusted(raw, messages.Talk)
        match talk:
            case messages.Lobby():
                await self._in_lobby(link, talk)
            case messages.Ordered(record):
                self.peer.feed(record)
            case messages.Presence(connected):
                self.present = connected
                self.presence_changed()
            case messages.Chat():
                self.chat_heard(talk)
            case messages.Bye():
                self.parted()
            case _:
                pass

    async def _in_lobby(self, link: Link, lobby: Lobby) -> None:
        assert self.peer is not None
        check_lobby_untrusted(self.invite.table, lobby, self.lobby)
        before = self._claim_in(self.lobby) if self.lobby is not None and self._satisfied else None
        self.lobby = lobby
        seat = self._claim_in(lobby)
        if not self._satisfied:  # the first lobby of a connection
            self.peer.catch_up(lobby.height)
            link.post(messages.Want(self.peer.height))
            for entry in self.peer.pending():
                link.post(messages.Submit(entry))
            if seat is None:
                if lobby.running or lobby.missing == 0:
                    raise Refused("table-running" if lobby.running else "table-full")
                claim = await self._sit(lobby)
                if claim is not None:
                    link.post(messages.Sit(claim, self.ready))
        known_ready = seat is None or seat >= len(lobby.ready) or lobby.ready[seat]
        if seat is not None and before is None and not lobby.running and known_ready != self.ready:
            link.post(messages.Ready(self.ready))  # changed while we could not say so
        self.lobby_changed(lobby)

    async def leave(self) -> None:
        """The game is over, or we go: say so, so that the host need not wait."""
        self._leaving = True
        if self._link is not None and self.peer is not None:
            self._link.post(messages.Bye(self.peer.height))
            await self._link.aclose()


def terms_of(lobby: Lobby) -> bytes:
    """What one signs by sitting down at this table."""
    return terms_digest(lobby.table, lobby.game, lobby.options, lobby.rules)


def check_lobby_untrusted(table: bytes, lobby: Lobby, before: Lobby | None) -> None:
    """A host says anything before the game: only rules that are known here are shown and agreed to, and they stay what
    they were. Raises Refused: ``wrong-table``, ``terms-changed``, what is unknown here."""
    if lobby.table != table:
        raise Refused("wrong-table")
    if before is not None and terms_of(before) != terms_of(lobby):
        raise Refused("terms-changed")
    try:
        find_game(lobby.game).start(lobby.options)
    except Illegal as illegal:
        raise Refused(illegal.code, illegal.values) from None
    table_rules_untrusted(lobby.rules)


def _first(group: BaseExceptionGroup[Refused]) -> Refused:
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    assert isinstance(error, Refused)
    return error
