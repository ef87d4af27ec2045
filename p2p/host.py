"""The host: admits guests, seats them, and puts entries in order.

A convenience, not an authority: it can stall, but not see, forge or alter anything. Ordering is one task; a record is
on the host's disk before anybody else hears of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import trio

from engine.game import Options
from engine.games import game as find_game
from p2p import limits
from p2p.link import Closed, Link
from p2p.peer import Peer
from p2p.store import TableStore
from protocol import messages
from protocol.errors import BadProof, Malformed, Refused, Stale
from protocol.handshake import refusal
from protocol.log import Chain, decode_entry_untrusted, decode_record_untrusted, pack_record, terms_digest
from protocol.messages import SeatClaim, decode_body_untrusted
from protocol.table.table import check_claim_untrusted


@dataclass
class Guest:
    """A connection to one guest. `sent` says how many records it was given, None before it asked."""

    link: Link
    key: bytes
    sent: int | None = None
    tokens: float = limits.ENTRIES_BURST
    refilled: float = 0.0
    done: bool = False

    def spend(self, now: float) -> bool:
        """Whether the guest may add an entry now (a bucket of `ENTRIES_BURST`, refilled with `ENTRIES_PER_SECOND`)."""
        grown = self.tokens + (now - self.refilled) * limits.ENTRIES_PER_SECOND
        self.tokens, self.refilled = min(limits.ENTRIES_BURST, grown), now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True


@dataclass(frozen=True)
class Terms:
    """What is played: the game, its options, and the table's own options."""

    game: str
    options: Options
    rules: dict[str, str | int]

    @property
    def seats(self) -> int:
        """How many players the game takes."""
        return find_game(self.game).seats


class Host:
    """The ordering of one table's log, and everybody's connection to it.

    `peer` is set by the caller before `run` (the host's own peer submits through `submit`). `changed` is called when
    somebody sits down, comes or goes.
    """

    def __init__(self, store: TableStore, terms: Terms, changed: Callable[[], None]) -> None:
        self.store = store
        self.identity = store.identity
        self.terms = terms
        self.chain = Chain(store.table)
        self.claims: list[SeatClaim] = []
        self.guests: dict[bytes, Guest] = {}
        self.peer: Peer | None = None
        self.chat_heard: Callable[[messages.Chat], None] = lambda chat: None
        self._changed = changed
        self._removed: set[bytes] = set()
        self._seated: set[bytes] | None = None
        self._records: list[bytes] = []
        self._submitted, self._to_order = trio.open_memory_channel[tuple[bytes, bytes]](math.inf)
        self._quiet = trio.Event()

    def reload(self) -> None:
        """Take up the log that the store holds."""
        for data in self.store.log:
            self.chain.extend_untrusted(decode_record_untrusted(data))
            self._records.append(data)

    @property
    def running(self) -> bool:
        """Whether the game has begun."""
        return bool(self._records)

    @property
    def digest(self) -> bytes:
        """What a player signs."""
        return terms_digest(self.store.table, self.terms.game, self.terms.options, self.terms.rules)

    def lobby(self) -> messages.Lobby:
        """What a guest sees before and while sitting down."""
        claims = tuple(self.claims)
        if self.peer is not None and self.peer.table.genesis is not None:
            claims = self.peer.table.genesis.seats
        return messages.Lobby(
            self.store.table,
            self.terms.game,
            dict(self.terms.options),
            self.terms.rules,
            self.identity.public,
            claims,
            self.terms.seats - len(claims),
            self.running,
        )

    def connected(self) -> tuple[bool, ...]:
        """Which players are connected, in seat order."""
        if self.peer is None:
            return ()
        keys = [player.key for player in self.peer.table.players]
        return tuple(key == self.identity.public or key in self.guests for key in keys)

    # --- sitting down -----------------------------------------------------------------------------------------------

    def sit_untrusted(self, key: bytes, claim: SeatClaim) -> None:
        """Give a free seat to whoever proved `key`. Raises Refused: ``table-full``, ``table-running``, a bad claim."""
        if claim.key != key:
            raise BadProof("bad-signature")
        check_claim_untrusted(self.store.table, self.digest, claim)
        if any(taken.key == key for taken in self.claims):
            return
        if self.running:
            raise Refused("table-running")
        if len(self.claims) >= self.terms.seats:
            raise Refused("table-full")
        self.claims.append(claim)
        self._tell_lobby()

    def _tell_lobby(self) -> None:
        for guest in self.guests.values():
            guest.link.post(self.lobby())
        self._changed()

    async def begin(self) -> None:
        """All seats are taken: write the first entry."""
        assert self.peer is not None and len(self.claims) == self.terms.seats
        await self.peer.write(
            messages.Genesis(
                messages.PROTOCOL_VERSION,
                self.store.table,
                self.terms.game,
                dict(self.terms.options),
                self.terms.rules,
                tuple(self.claims),
            )
        )

    # --- order ------------------------------------------------------------------------------------------------------

    def submit(self, entry: bytes) -> None:
        """The host's own peer wants an entry ordered."""
        self._submitted.send_nowait((self.identity.public, entry))

    async def order(self) -> None:
        """Put entries in order for ever. Raises Refused when the disk is full: nothing that was told is lost."""
        async for key, data in self._to_order:
            try:
                entry = decode_entry_untrusted(data)
                if entry.author != key:
                    raise BadProof("bad-signature")
                if entry.author not in self._writers():
                    raise Refused("not-seated")
                self.chain.admit_untrusted(entry)
            except Stale:
                continue  # sent again although it was ordered, or in front of a gap: it will come again
            except Refused as wrong:
                await self._drop(key, wrong)
                continue
            record = self.chain.order(self.identity, entry)
            packed = pack_record(record)
            self.chain.extend_untrusted(record)  # never write what a reader would refuse
            await trio.to_thread.run_sync(self.store.append, packed)
            self._records.append(packed)
            assert self.peer is not None
            self.peer.feed(packed)
            for guest in self.guests.values():
                self._serve(guest)

    def _writers(self) -> set[bytes]:
        """Who may write to the log: the host before the first entry, afterwards those who sit at the table."""
        if not self.running:
            return {self.identity.public}
        if self._seated is None:
            first = decode_body_untrusted(decode_record_untrusted(self._records[0]).entry.body)
            assert isinstance(first, messages.Genesis)
            self._seated = {claim.key for claim in first.seats}
        return self._seated

    async def _drop(self, key: bytes, wrong: Refused) -> None:
        guest = self.guests.pop(key, None)
        if guest is not None:
            guest.link.post(refusal(wrong))
            await guest.link.aclose()

    def _serve(self, guest: Guest) -> None:
        """Send a guest what it has not got yet."""
        if guest.sent is None:
            return
        for record in self._records[guest.sent :]:
            guest.link.post(messages.Ordered(record))
        guest.sent = len(self._records)

    # --- guests -----------------------------------------------------------------------------------------------------

    def admit(self, key: bytes) -> None:
        """Whether somebody with this key may come in at all."""
        if key in self._removed:
            raise Refused("removed-by-host")
        if len(self.guests) >= limits.PEERS_TOTAL:
            raise Refused("too-many-connections")

    async def remove(self, key: bytes) -> None:
        """Send a guest away before the game begins, for good: an invite may have leaked. Its seat is free again."""
        self._removed.add(key)
        self.claims = [claim for claim in self.claims if claim.key != key]
        await self._drop(key, Refused("removed-by-host"))
        self._tell_lobby()

    async def welcome(self, link: Link, key: bytes) -> None:
        """Talk with an authenticated guest until it leaves. A second connection of one key replaces the first."""
        old = self.guests.pop(key, None)
        if old is not None:
            await old.link.aclose()
        guest = Guest(link, key, refilled=trio.current_time())
        self.guests[key] = guest
        try:
            async with trio.open_nursery() as nursery:
                link.run(nursery)
                link.post(self.lobby())
                self._tell_presence()
                try:
                    while not guest.done:
                        self._hear_untrusted(guest, await link.receive())
                except Refused as wrong:
                    link.post(refusal(wrong))
                    raise
                finally:
                    with trio.CancelScope(shield=True):
                        await link.aclose()
                    nursery.cancel_scope.cancel()
        finally:
            if self.guests.get(key) is guest:
                del self.guests[key]
            self._tell_presence()
            self._quiet.set()

    def _hear_untrusted(self, guest: Guest, body: bytes) -> None:
        talk = messages.decode_talk_untrusted(body)
        match talk:
            case messages.Want(height):
                if not guest.spend(trio.current_time()):
                    raise Refused("too-many-entries", {"player": guest.link.address})
                guest.sent = min(height, len(self._records))
                self._serve(guest)
            case messages.Submit(entry):
                if not guest.spend(trio.current_time()):
                    raise Refused("too-many-entries", {"player": guest.link.address})
                self._submitted.send_nowait((guest.key, entry))
            case messages.Sit(claim):
                self.sit_untrusted(guest.key, claim)
            case messages.Chat():
                if talk.key != guest.key or not guest.spend(trio.current_time()):
                    raise Refused("too-many-entries", {"player": guest.link.address})
                self.say(talk)
            case messages.Bye(height):
                guest.done = True
                guest.sent = height
            case _:
                raise Malformed("message-unknown", {"kind": type(talk).__name__.lower()})

    def say(self, chat: messages.Chat) -> None:
        """Pass a line of table talk on to everybody."""
        self.chat_heard(chat)
        for guest in self.guests.values():
            if guest.key != chat.key:
                guest.link.post(chat)

    def _tell_presence(self) -> None:
        present = self.connected()
        if present:
            for guest in self.guests.values():
                guest.link.post(messages.Presence(present))
        self._changed()

    async def farewell(self) -> None:
        """After the game: wait until every guest has all of it and has left, but not for ever."""
        with trio.move_on_after(limits.FAREWELL_DEADLINE):
            while self.guests:
                self._quiet = trio.Event()
                await self._quiet.wait()


__all__ = ["Closed", "Guest", "Host", "Terms"]
