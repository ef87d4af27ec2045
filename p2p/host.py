"""The host: admits guests, seats them, and puts entries in order.

A convenience, not an authority: it can stall, but not see, forge or alter anything. Ordering is one task; a record is
on the host's disk before anybody else hears of it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec
import trio

from engine.game import Options
from engine.games import game as find_game
from p2p import limits
from p2p.asking import Asking, Request
from p2p.bucket import Bucket
from p2p.door import place, turn_away
from p2p.link import Closed, Link
from p2p.peer import Peer
from p2p.store import TableStore
from protocol import messages
from protocol.errors import BadProof, Malformed, Refused, Stale
from protocol.handshake import refusal
from protocol.log import Chain, decode_entry_untrusted, decode_record_untrusted, pack_record, terms_digest
from protocol.messages import SeatClaim, decode_body_untrusted
from protocol.table.table import check_claim_untrusted

FEWEST_SAFE = 2
"""With no more players than this, a single one who is lost ends the game."""


@dataclass(eq=False)
class Guest:
    """A connection to one guest. `sent` says how many records it was given, None before it asked."""

    link: Link
    key: bytes
    entries: Bucket
    chat: Bucket
    sent: int | None = None
    dropped: Refused | None = None
    listening: trio.CancelScope = field(default_factory=trio.CancelScope)

    @classmethod
    def over(cls, link: Link, key: bytes) -> Guest:
        """A new connection."""
        now = trio.current_time()
        return cls(
            link,
            key,
            Bucket(limits.ENTRIES_BURST, limits.ENTRIES_PER_SECOND, now),
            Bucket(limits.CHAT_BURST, limits.CHAT_PER_SECOND, now),
        )


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

    `peer` is set by the caller before `order` (the host's own peer submits through `submit`). `changed` is called when
    somebody sits down, asks, comes or goes; `stood_up(claim)` when somebody gives his seat back before the game.

    Who came by the beacon asks for a seat before he has one (unless `open_to_all`); until he has one he hears and says
    nothing at the table. With `ask_all` those with an invite ask, too. The host's own bots never do.
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
        self.stood_up: Callable[[SeatClaim], None] = lambda claim: None
        self.open_to_all = False
        self.ask_all = False
        self.asked: Callable[[Request], None] = lambda request: None
        self._asking = Asking()
        self._admitted: set[bytes] = set()  # who may sit down without asking again
        self._unready: set[bytes] = set()  # who has a seat and is not ready to begin
        self._unseated = Bucket(limits.CHAT_BURST, limits.CHAT_PER_SECOND, 0.0)  # what those may say who have no seat
        self._wavering: dict[bytes, Bucket] = {}  # how often who has a seat may say whether he is ready
        self._beginning = False  # the first entry is signed, though it may not be in order yet
        self._changed = changed
        self._removed: dict[bytes, str] = {}  # key -> why it may not come back
        self._stale: Counter[bytes] = Counter()  # bytes of entries out of place, by author
        self._left: set[bytes] = set()  # who has the whole log and has said good-bye
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
        """Whether the game has begun: from the moment when it is settled who sits in the first entry."""
        return self._beginning or bool(self._records)

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
            len(self._records),
            *(((), ()) if self.running else (self.present, self.ready)),
        )

    def _lobby_for(self, key: bytes, lobby: messages.Lobby) -> messages.Lobby:
        return msgspec.structs.replace(lobby, asking=True) if key in self._asking else lobby

    @property
    def present(self) -> tuple[bool, ...]:
        """Before the game: who of those who have a seat is connected, in the order of `claims`."""
        return tuple(self._here(claim.key) for claim in self.claims)

    @property
    def ready(self) -> tuple[bool, ...]:
        """Before the game: who of them is ready to begin."""
        return tuple(claim.key not in self._unready for claim in self.claims)

    @property
    def asking(self) -> tuple[Request, ...]:
        """Who has asked for a seat and waits for an answer, in the order in which they came."""
        return self._asking.requests

    @property
    def free(self) -> int:
        """How many seats nobody has."""
        return 0 if self.running else self.terms.seats - len(self.claims)

    @property
    def all_here(self) -> bool:
        """Whether nobody who has a seat is missing, or none is needed any more."""
        if not self.running:
            return not self.missing()
        return self.peer is None or self.peer.table.over or all(self.connected())

    def connected(self) -> tuple[bool, ...]:
        """Which players are connected, in seat order."""
        if self.peer is None:
            return ()
        return tuple(self._here(player.key) for player in self.peer.table.players)

    def _here(self, key: bytes) -> bool:
        return key == self.identity.public or key in self.guests

    def missing(self) -> list[SeatClaim]:
        """Who has taken a seat before the game, and is not connected."""
        return [claim for claim in self.claims if not self._here(claim.key)]

    @property
    def complete(self) -> bool:
        """Whether every seat is taken by somebody who is here and ready."""
        return len(self.claims) == self.terms.seats and not self.missing() and all(self.ready)

    # --- sitting down -----------------------------------------------------------------------------------------------

    def sit_untrusted(self, key: bytes, claim: SeatClaim, ready: bool = True, link: Link | None = None) -> None:
        """Give a free seat to whoever proved `key`, or put the question before the host. `link` is the guest's; the
        host itself has none. Raises Refused: ``table-full``, ``table-running``, ``too-many-asking``, a bad claim."""
        if claim.key != key:
            raise BadProof("bad-signature")
        check_claim_untrusted(self.store.table, self.digest, claim)
        if any(taken.key == key for taken in self.claims):
            return
        if self.running:
            raise Refused("table-running")
        if not self.free:
            raise Refused("table-full")
        if link is None or self._may_sit(key, claim, link):
            self._seat(claim, ready)
        elif key not in self._asking:
            self._asking.ask(claim, ready, link.address, link.invited, trio.current_time())
            self.asked(self._asking.requests[-1])
            self._tell_lobby()

    def _may_sit(self, key: bytes, claim: SeatClaim, link: Link) -> bool:
        """Whether he need not ask: a bot of this machine, somebody who was let in, whoever has what is enough here."""
        ours = claim.machine == self.identity.public
        return ours or key in self._admitted or (not self.ask_all if link.invited else self.open_to_all)

    def _seat(self, claim: SeatClaim, ready: bool) -> None:
        self.claims.append(claim)
        self._admitted.add(claim.key)
        if not ready:
            self._unready.add(claim.key)
        self._tell_lobby()

    def admit_seat(self, key: bytes) -> bool:
        """The host lets somebody in who has asked. False when he no longer asks, or no seat is free."""
        if key not in self._asking or not self.free:
            return False
        request = self._asking.take(key)
        assert request is not None
        guest = self.guests.get(key)
        if guest is not None:
            guest.listening.deadline = math.inf
        self._seat(request.claim, request.ready)
        if guest is not None and guest.sent is None:
            guest.sent = 0  # he asked for the log when he was nobody yet
        return True

    def refuse_seat(self, key: bytes) -> bool:
        """The host does not let him in: he is told, and may not come back. False when he no longer asks."""
        if self._asking.take(key) is None:
            return False
        self._removed[key] = "seat-refused"
        self._drop(key, Refused("seat-refused"))
        self._tell_lobby()
        return True

    def set_ready(self, key: bytes, yes: bool) -> None:
        """Somebody who has a seat is ready to begin, or not yet. Whoever changes his mind faster than the others can
        read is not heard."""
        if self.running or key not in self._seats() or (key in self._unready) != yes:
            return
        now = trio.current_time()
        changes = self._wavering.setdefault(key, Bucket(limits.READY_BURST, limits.READY_PER_SECOND, now))
        if changes.spend(now):
            self._unready ^= {key}
            self._tell_lobby()

    def _belongs(self, guest: Guest) -> bool:
        """Whether he takes part: who came by the beacon and has no seat does not."""
        return guest.link.invited or self.open_to_all or guest.key in self._admitted or guest.key in self._seats()

    def _seats(self) -> set[bytes]:
        return self._writers() if self._records else {claim.key for claim in self.claims}

    def _tell_lobby(self) -> None:
        lobby = self.lobby()
        for guest in self.guests.values():
            guest.link.post(self._lobby_for(guest.key, lobby))
        self._changed()

    def stand_up(self, key: bytes) -> None:
        """Somebody leaves for good before the game: his seat is free again."""
        for claim in [claim for claim in self.claims if claim.key == key and not self.running]:
            self.claims.remove(claim)
            self._forget(key)
            self.stood_up(claim)
            self._tell_lobby()

    def _forget(self, key: bytes) -> None:
        """What was noted of somebody who has no seat any more."""
        self._unready.discard(key)
        self._wavering.pop(key, None)

    def settle(self) -> None:
        """Who sits here now sits in the first entry: nobody comes, goes or is removed any more."""
        self._beginning = True

    async def begin(self) -> None:
        """All seats are taken: write the first entry. Who still asks for one is told that there is none."""
        assert self.peer is not None and len(self.claims) == self.terms.seats
        self.settle()
        for guest in list(self.guests.values()):
            if guest.key in self._asking or not self._belongs(guest):
                self._asking.take(guest.key)
                self._drop(guest.key, Refused("table-full"))
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
        """Put entries in order for ever. Raises Refused when the disk is full: nothing that was told is lost.

        The host's own peer follows closely, and at once when the game may end: whatever comes after the entry that ends
        it is left out, so that everybody's log ends with that one.
        """
        assert self.peer is not None
        self.peer.stale = self._count_stale
        async for key, data in self._to_order:
            if self.peer.table.over or key in self._removed:
                continue
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
                self._drop(key, wrong)
                continue
            record = self.chain.order(self.identity, entry)
            packed = pack_record(record)
            self.chain.extend_untrusted(record)  # never write what a reader would refuse
            await trio.to_thread.run_sync(self.store.append, packed)
            self._records.append(packed)
            self.peer.feed(packed)
            for guest in self.guests.values():
                self._serve(guest)
            await self.peer.settled(len(self._records) - (0 if self._may_end() else limits.HOST_LAG))

    def _may_end(self) -> bool:
        """Whether the game may end within the next few entries."""
        assert self.peer is not None
        table = self.peer.table
        last = table.state is not None and table.state.deal >= table.state.last_deal
        return last or len(table.live()) <= FEWEST_SAFE

    def _count_stale(self, author: bytes, length: int) -> None:
        self._stale[author] += length
        if self._stale[author] > limits.STALE_BYTES and author != self.identity.public:
            self._removed[author] = "too-many-stale"
            self._drop(author, Refused("too-many-stale", {"player": self._name(author)}))

    def _writers(self) -> set[bytes]:
        """Who may write to the log: the host before the first entry, afterwards those who sit at the table."""
        if not self._records:
            return {self.identity.public}
        if self._seated is None:
            first = decode_body_untrusted(decode_record_untrusted(self._records[0]).entry.body)
            assert isinstance(first, messages.Genesis)
            self._seated = {claim.key for claim in first.seats}
        return self._seated

    def _drop(self, key: bytes, wrong: Refused) -> None:
        guest = self.guests.get(key)
        if guest is not None:
            guest.dropped = wrong
            guest.listening.cancel()

    def _serve(self, guest: Guest) -> None:
        """Send a guest what it has not got yet."""
        if guest.sent is None:
            return
        for record in self._records[guest.sent :]:
            guest.link.post(messages.Ordered(record))
        guest.sent = len(self._records)

    # --- guests -----------------------------------------------------------------------------------------------------

    def admit(self, key: bytes) -> None:
        """Whether somebody with this key may come in at all. There is always room for those who sit at the table."""
        if key in self._removed:
            raise Refused(self._removed[key], {"player": self._name(key)})
        seated = {claim.key for claim in self.lobby().seats}
        if key not in self.guests and key not in seated and len(self.guests) >= limits.PEERS_TOTAL:
            raise Refused("too-many-connections")

    def _name(self, key: bytes) -> str:
        return next((claim.name for claim in self.lobby().seats if claim.key == key), key.hex()[:8])

    def remove(self, key: bytes) -> None:
        """Send a guest away before the game begins, for good: an invite may have leaked. Its seat is free again. Since
        a new key costs nothing, everybody asks for a seat from now on."""
        if self.running:
            return
        self.ask_all, self.open_to_all = True, False
        self._removed[key] = "removed-by-host"
        self._admitted.discard(key)
        self._forget(key)
        self.claims = [claim for claim in self.claims if claim.key != key]
        self._drop(key, Refused("removed-by-host"))
        self._tell_lobby()

    async def welcome(self, link: Link, key: bytes) -> None:
        """Talk with an authenticated guest until it leaves. A second connection of one key replaces the first."""
        guest = Guest.over(link, key)
        stranger = not self._belongs(guest)
        if stranger:
            guest.listening.deadline = trio.current_time() + limits.UNINVITED_PATIENCE
            try:
                self._check_room(guest)
            except Refused as wrong:
                await turn_away(link, wrong)
                raise
        await self._entertain(guest)

    def _check_room(self, stranger: Guest) -> None:
        """Whether one more may come in who has neither invite nor seat. Raises Refused: ``too-many-asking``,
        ``table-running``."""
        if self.running:
            raise Refused("table-running")
        others = [guest for guest in self.guests.values() if guest.key != stranger.key and not self._belongs(guest)]
        near = sum(place(guest.link.address) == place(stranger.link.address) for guest in others)
        if len(others) >= limits.UNINVITED_TOTAL or near >= limits.UNINVITED_PER_ADDRESS:
            raise Refused("too-many-asking")

    async def _entertain(self, guest: Guest) -> None:
        link, key = guest.link, guest.key
        old = self.guests.get(key)
        self.guests[key] = guest
        self._left.discard(key)
        if old is not None:
            old.listening.cancel()
        try:
            async with trio.open_nursery() as nursery:
                link.run(nursery)
                link.post(self._lobby_for(key, self.lobby()))
                self._tell_presence(key)
                try:
                    await self._listen(guest)
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
                self._asking.take(key)
                self._tell_presence(key)

    async def _listen(self, guest: Guest) -> None:
        with guest.listening:
            while self._hear_untrusted(guest, await guest.link.receive()):
                pass
        if guest.dropped is not None:
            raise guest.dropped

    def _hear_untrusted(self, guest: Guest, body: bytes) -> bool:
        """Take a message. False when the guest leaves."""
        talk = messages.decode_talk_untrusted(body)
        if not guest.entries.spend(trio.current_time()):
            raise Refused("too-many-entries", {"player": self._name(guest.key)})
        match talk:
            case messages.Want(height) if self._belongs(guest):
                guest.sent = max(guest.sent or 0, min(height, len(self._records)))  # nothing twice over one connection
                self._serve(guest)
            case messages.Submit(entry):
                self._submitted.send_nowait((guest.key, entry))
            case messages.Want():
                pass  # a guest without a seat: he gets the log with it
            case messages.Sit(claim, ready):
                self.sit_untrusted(guest.key, claim, ready, guest.link)
                guest.listening.deadline = math.inf
            case messages.Ready(yes):
                self.set_ready(guest.key, yes)
            case messages.Chat(key):
                if key != guest.key:
                    raise BadProof("bad-signature")
                bucket = guest.chat if guest.key in self._seats() else self._unseated
                if self._belongs(guest) and bucket.spend(trio.current_time()):
                    self.say(talk)
            case messages.Bye(height):
                if self._records and height >= len(self._records):
                    self._left.add(guest.key)
                self.stand_up(guest.key)
                return False
            case _:
                raise Malformed("message-unknown", {"kind": type(talk).__name__.lower()})
        return True

    def say(self, chat: messages.Chat) -> None:
        """Pass a line of table talk on to everybody."""
        self.chat_heard(chat)
        for guest in self.guests.values():
            if guest.key != chat.key and self._belongs(guest):
                guest.link.post(chat)

    def _tell_presence(self, key: bytes) -> None:
        """Somebody came or went."""
        if not self.running and key in self._seats():
            self._tell_lobby()
        present = self.connected()
        if present:
            for guest in self.guests.values():
                guest.link.post(messages.Presence(present))
        self._quiet.set()
        self._changed()

    async def farewell(self, own_bots: bool = True) -> None:
        """After the game: wait until every player has all of it, and every guest has left; but not for ever. When the
        end is told once more, our own bots may have seen it long ago (`own_bots`)."""
        with trio.move_on_after(limits.FAREWELL_DEADLINE):
            while self.guests or self.to_come(own_bots):
                self._quiet = trio.Event()
                await self._quiet.wait()

    def to_come(self, own_bots: bool) -> list[int]:
        """The seats, of those that still have their players, that have not fetched the end of the game."""
        assert self.peer is not None
        me = self.identity.public
        return [
            seat
            for seat, player in enumerate(self.peer.table.players)
            if player.key not in self._left and player.key != me and not player.lost
            if own_bots or player.machine != me
        ]

    async def part(self) -> None:
        """The host leaves for now: tell everybody, and let it reach them."""
        async def tell(guest: Guest) -> None:
            try:
                await guest.link.send(messages.Bye(len(self._records)))
            except Closed:
                pass  # gone before us

        async with trio.open_nursery() as nursery:
            for guest in self.guests.values():
                nursery.start_soon(tell, guest)


__all__ = ["Closed", "Guest", "Host", "Terms"]
