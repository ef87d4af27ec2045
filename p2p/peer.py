"""The one place where trio, the table and the seat meet.

A peer holds a store, a copy of the table, and at most one seat. Two tasks share the table under one lock::

    records  ──▶ _consume:  chain → disk → examine (thread) → settle ──▶ events to the observer, news to the player
    entries  ◀── _produce:  what the table wants of this seat → ask the player → prove (thread) → sign → disk ──▶ uplink

Records come in through `feed`, from the host's ordering or over a link; entries leave through `uplink`. An entry is on
this peer's disk before it leaves, and is sent again, the very same bytes, until it is seen in the log.
"""

from __future__ import annotations

import math
import secrets as system_secrets
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial

import msgspec
import trio

from bots.player import Player
from engine.actions import Action
from engine.cards import NO_CARDS, card_name
from engine.cards import names as card_names
from p2p import limits
from p2p.clocks import Clocks
from p2p.desk import Desk, Place, place_of
from p2p.measures import Measures
from p2p.notes import Notes
from p2p.own_cards import Moved, OwnCards
from p2p.store import Mark, TableStore
from protocol import seat as seat_protocol
from protocol.deck.nonce import Secrets
from protocol.errors import Malformed, Refused
from protocol.log import Entry, decode_entry_untrusted, decode_record_untrusted, sign_entry
from protocol.messages import Body, SitDown
from protocol.table import events
from protocol.table.answers import answer
from protocol.table.events import Event
from protocol.table.holder import Holder
from protocol.table.rounds import Kind, Round
from protocol.table.table import Finding, Table
from protocol.wire import pack

FOUND_FALSE = "false/"
"""Name of the mark, before the height, under which a store remembers an entry that was found false."""


class Peer:
    """One program at the table. `observe` is told what happens; `player` plays the seat, if there is one.

    Whoever runs the peer may set: `present(seat)`, whether a seat is connected as far as is known; `noticed(code)`,
    told sentences for the person who plays; `stale(author, bytes)`, told of each entry out of place; `worked`, told
    when `busy` has changed.
    """

    def __init__(
        self,
        store: TableStore,
        *,
        uplink: Callable[[bytes], None],
        observe: Callable[[Event], Awaitable[None]],
        player: Player | None = None,
        keeps_log: bool = True,
        is_bot: bool = True,
        seed: int | None = None,
    ) -> None:
        self.store = store
        self.identity = store.identity
        self.table = Table(store.table)
        self.holder = Holder(Secrets(store.secrets.master))
        self._own_cards = OwnCards()
        self._moved = Moved()  # what the newest entry did to them
        self._deal = 0  # that it belongs to; after a deal's last card the state is ahead of it
        self.player = player
        self.desk = None if player is None else Desk(self, player)
        self._notes = Notes(store.path)
        self.is_bot = is_bot
        self.clocks = Clocks()
        self.measures = Measures()
        self.finished = trio.Event()
        self.present: Callable[[int], bool] = lambda seat: True
        self.noticed: Callable[[str], None] = lambda code: None
        self.stale: Callable[[bytes, int], None] = lambda author, length: None
        self.worked: Callable[[], None] = lambda: None
        self.busy = ""  # ``proving`` or ``checking``, while a thread does that
        self._seed = system_secrets.randbits(32) if seed is None else seed
        self._uplink = uplink
        self._observe = observe
        self._keeps_log = keeps_log  # a host's log is written where records are ordered
        self._counter = 0
        self._known_height = math.inf if keeps_log else 0  # of the log, as the host said when we connected
        self._pending: list[Entry] = []  # signed, not yet seen in the log
        self._records_in, self._records_out = trio.open_memory_channel[bytes](math.inf)
        self._changed = trio.Event()
        self._settled = trio.Event()
        self._settled_height = 0
        self._lock = trio.Lock()
        self._wishes: set[int] = set()  # seats that the player wants taken over
        self._votes: set[int] = set()  # those of them for which the time has come
        self._waiting_since: dict[tuple[int, Place], float] = {}
        self._greeted = False

    # --- what the rest of the program uses -----------------------------------------------------------------------

    @property
    def seat(self) -> int | None:
        """The seat that this peer plays."""
        return self.table.seat_of(self.identity.public)

    @property
    def height(self) -> int:
        """How many records this peer has."""
        return self.table.chain.height

    def feed(self, record: bytes) -> None:
        """A record came from the host."""
        self._records_in.send_nowait(record)

    def pending(self) -> list[bytes]:
        """Own entries not yet seen in the log, to be sent again over a new connection."""
        return [pack(entry) for entry in self._pending]

    def catch_up(self, height: int) -> None:
        """The host has so many records: nothing is written before they are here. An old copy of a table would otherwise
        answer again what it had answered, with other bytes under the same counter."""
        self._known_height = height
        self._poke()

    def vote(self, seat: int) -> float | None:
        """This player is for taking over `seat`. Cast once the table has waited for it long enough; kept till then.

        Returns how many seconds that still takes, or None while the table does not wait for that seat.
        """
        self._wishes.add(seat)
        self._cast_votes()
        waited = self.waited_for().get(seat)
        return None if waited is None else max(0.0, self.clocks.away - waited)

    def forget_vote(self, seat: int) -> None:
        """The owner of `seat` is back."""
        self._wishes.discard(seat)

    def _cast_votes(self) -> None:
        """Turn wishes whose time has come into votes. People are asked (`vote`); a bot's peer wishes so by itself."""
        for seat, waited in self.waited_for().items():
            if seat != self.seat and waited >= self.clocks.away and (seat in self._wishes or self._agrees(seat)):
                self._votes.add(seat)
                self._poke()

    def _agrees(self, seat: int) -> bool:
        """Whether a bot's peer votes about a seat that kept everybody waiting.

        Not before another has, where nobody need be waited for (0 minutes) or somebody may only be thinking.
        """
        if not self.is_bot:
            return False
        chosen = any(round.row.chosen and round.awaits(seat) for round in self.table.rounds)
        withheld = not any(round.awaits(seat) for round in self.table.rounds)
        thinks = self.present(seat) and (withheld or (chosen and self.clocks.turn == 0))
        return bool(self.table.votes.get(seat)) or (self.clocks.away > 0 and not thinks)

    def waited_for(self) -> dict[int, float]:
        """The seats that the table waits for, and for how many seconds it has."""
        now, longest = trio.current_time(), dict[int, float]()
        for (seat, _), since in self._waiting_since.items():
            longest[seat] = max(longest.get(seat, 0.0), now - since)
        return longest

    def _owing(self) -> set[tuple[int, Place]]:
        """Who owes what: an answer to a round, or the vote that alone is missing about somebody who does."""
        owing: set[tuple[int, Place]] = set()
        for round in self.table.rounds:
            waiting = {seat for seat in round.waiting if round.awaits(seat)}
            votes = [self.table.votes[seat] for seat in waiting if self.table.votes.get(seat)]
            withheld = {seat for seat in self.table.live() if any(seat not in voters for voters in votes)}
            owing |= {(seat, place_of(round)) for seat in waiting | withheld}
        return owing

    async def reload(self) -> None:
        """Build the table from this peer's own files. Their proofs were checked when they were written, but for the
        newest: a kill may have come first."""
        for kept in self.store.outbox:
            if isinstance(kept, Mark) and kept.name.startswith(FOUND_FALSE):
                self.table.found_false[int(kept.name.removeprefix(FOUND_FALSE))] = kept.value.decode()
        log = self.store.log
        for number, record in enumerate(log):
            self.table.trusted = number < len(log) - limits.UNSURE
            finding = await trio.to_thread.run_sync(self._take_stored, record, number)
            await self._settle(finding)
        self.table.trusted = False
        self._settled_height = self.height
        for own in self.store.own:
            entry = decode_entry_untrusted(own.entry)
            self._counter = entry.counter
            if own.private:
                serial, name, action = msgspec.msgpack.decode(own.private, type=tuple[int, str, str])
                self.holder.sealed[serial, name] = action
            if entry.counter > self._ordered():
                self._pending.append(entry)
        if self.table.genesis is not None:
            self.clocks = Clocks.of(self.table.genesis.rules)

    def _take_stored(self, data: bytes, number: int) -> Finding:
        return self.table.examine(self.table.take_untrusted(decode_record_untrusted(data)), number)

    async def _settle(self, finding: Finding) -> list[Event]:
        """Let an entry take effect. What was found false is noted, because it will not be looked at again."""
        if finding.fault is not None and finding.height not in self.table.found_false:
            name = f"{FOUND_FALSE}{finding.height}"
            await trio.to_thread.run_sync(self.store.mark, name, finding.fault.code.encode())
        self._deal = 0 if self.table.state is None else self.table.state.deal
        happened = self.table.settle(finding)
        self._moved = Moved()
        state, seat = self.table.state, self.seat
        if happened and self.desk is not None and state is not None and seat is not None:
            hand = partial(self.holder.cards, self.table, seat)
            self._moved = self._own_cards.look(hand, state.phase, seat, happened)
        return happened

    async def write(self, body: Body) -> None:
        """Sign a body, make it durable, send it."""
        async with self._lock:
            await self._write(body)

    async def run(self) -> None:
        """Play until the game is over. Raises Refused when the host's log cannot be trusted or the disk is full."""
        for entry in self._pending:
            self._uplink(pack(entry))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._consume)
            nursery.start_soon(self._produce, nursery)
            nursery.start_soon(self._watch_the_clock)
            if self.desk is not None:
                nursery.start_soon(self.desk.run)
            self._begin()
            await self.finished.wait()
            if self.desk is not None:
                await self.desk.close()
            nursery.cancel_scope.cancel()

    async def settled(self, height: int) -> None:
        """Wait until this peer has taken in `height` records, or its game is over."""
        while self._settled_height < height and not self.finished.is_set():
            await self._settled.wait()

    # --- records in ------------------------------------------------------------------------------------------------

    async def _consume(self) -> None:
        async for data in self._records_out:
            async with self._lock:
                number = self.height
                try:
                    entry = self.table.take_untrusted(decode_record_untrusted(data))
                except Malformed as wrong:
                    if wrong.code == "log-repeated":
                        continue  # sent twice over a new connection; a different one would be `Forked`
                    raise
                async with trio.open_nursery() as both:  # on the disk before it takes effect; looked at meanwhile
                    if self._keeps_log:
                        both.start_soon(trio.to_thread.run_sync, self.store.append, data)
                    with self._at_work("checking"):
                        finding = await trio.to_thread.run_sync(self.table.examine, entry, number)
                happened = await self._settle(finding)
                if self._ordered() > self._counter:  # signed with this key, and not from this store
                    raise Refused("store-old")
                self._pending = [own for own in self._pending if own.counter > self._ordered()]
            if number == 0 and self.table.genesis is not None:
                self.clocks = Clocks.of(self.table.genesis.rules)
            if finding.stale:
                self.stale(entry.author, len(data))
            self._note_waiting()
            await self._report(happened)
            self._poke()
            if self.table.over and not self.table.rounds:
                self.finished.set()
            self._settled_height = number + 1
            self._settled.set()
            self._settled = trio.Event()

    @contextmanager
    def _at_work(self, work: str) -> Iterator[None]:
        """What a thread does meanwhile, for whoever likes to look."""
        self.busy = work
        self.worked()
        try:
            yield
        finally:
            self.busy = ""
            self.worked()

    def _ordered(self) -> int:
        return self.table.chain.counters.get(self.identity.public, 0)

    def _note_waiting(self) -> None:
        now = trio.current_time()
        owing = self._owing()
        self._waiting_since = {owed: self._waiting_since.get(owed, now) for owed in owing}
        self._votes &= {seat for seat, _ in owing}
        if self.desk is not None:
            seat = self.seat
            self.desk.still_open([] if seat is None else [place_of(round) for round in self.table.owed(seat)])
        self._cast_votes()
        self.measures.note(self.table, now)

    async def _report(self, happened: list[Event]) -> None:
        for event in happened:
            if isinstance(event, events.Seated):
                self._wishes.clear()  # the seats have new numbers
            await self._observe(event)
            self._tell(event)
        if self._moved.changed and self.desk is not None:
            held, new = self._own_cards.held, self._moved.gained
            self.desk.tell(seat_protocol.HandChanged(hand=card_names(held).split(), new=card_names(new).split()))

    def _begin(self) -> None:
        """What the player must know at the start: the game, if it has begun."""
        self._greet()
        if self.table.over:
            self.finished.set()
        self._note_waiting()

    # --- entries out -------------------------------------------------------------------------------------------------

    def _poke(self) -> None:
        self._changed.set()

    async def _produce(self, nursery: trio.Nursery) -> None:
        while True:
            self._changed = trio.Event()
            if (not self._pending and not await self._do_one(nursery)) or self._pending:
                await self._changed.wait()

    async def _do_one(self, nursery: trio.Nursery) -> bool:
        """Answer one round, or cast one vote. False when there is nothing to do now."""
        async with self._lock:
            seat = self.seat
            if seat is None or self.table.over or self.height < self._known_height:
                return False
            player = self.table.players[seat]
            if player.lost:  # somebody else's stand-in plays: sit down again as soon as that is possible
                if not self.table.may_sit_down(seat):
                    return False
                await self._write(SitDown())
                return True
            for target in list(self._votes):
                self._votes.discard(target)
                vanished = any(not self.present(other) for other in self.table.declined.get(target, ()))
                body = self.table.ballot(seat, target, again=vanished)
                if body is not None:
                    await self._write(body)
                    return True
            for target in list(self.table.votes):  # whoever is here says so, so that nobody takes him for silent
                body = self.table.ballot(seat, target, yes=False)
                if body is not None:
                    await self._write(body)
                    return True
            for round in self.table.owed(seat):
                action = None
                if round.row.chosen:
                    place = place_of(round)
                    forced = self.holder.forced(self.table, seat, round)
                    action = (None if self.desk is None else self.desk.choice(place)) or forced
                    if action is not None and self._too_soon(nursery, round, seat, forced is not None):
                        continue
                    if action is None:
                        if self.desk is not None:
                            self.desk.ask(place)
                        continue
                await self._answer(round, seat, action)
                return True
        return False

    def _too_soon(self, nursery: trio.Nursery, round: Round, seat: int, forced: bool) -> bool:
        """Whether to hold an answer back for a moment: how fast it comes must not tell whether it was automatic."""
        if not forced and round.kind is not Kind.SEAL:
            return False
        asked = self._waiting_since.get((seat, place_of(round)), 0.0)
        left = asked + limits.SAME_MOMENT - trio.current_time()
        if left <= 0:
            return False

        async def later() -> None:
            await trio.sleep(left)
            self._poke()

        nursery.start_soon(later)
        return True

    async def _answer(self, round: Round, seat: int, action: Action | None) -> None:
        chain = self.table.chain
        context = self.table.context(round, seat, self._counter + 1, chain.head)
        fresh = system_secrets.token_bytes(64)
        with self._at_work("proving"):
            body = await trio.to_thread.run_sync(
                partial(answer, self.table, self.holder, round, context, fresh, action)
            )
        private = b""
        if round.kind is Kind.SEAL:
            private = pack_private(round.serial, self.table.seal_name, str(action))
        await self._write(body, private)

    async def _write(self, body: Body, private: bytes = b"") -> None:
        chain = self.table.chain
        entry = sign_entry(self.identity, chain.table, self._counter + 1, chain.height, chain.head, body)
        data = pack(entry)
        await trio.to_thread.run_sync(self.store.keep, data, private)
        self._counter += 1
        self._pending.append(entry)
        self._uplink(data)

    # --- the player --------------------------------------------------------------------------------------------------

    def _greet(self) -> None:
        seat, state = self.seat, self.table.state
        if self.desk is None or seat is None or state is None or self._greeted:
            return
        self._greeted = True
        if self.is_bot:
            clocks = seat_protocol.Clocks(move=self.clocks.bot, bank=self.clocks.bank)
        else:
            clocks = seat_protocol.Clocks(move=self.clocks.turn)
        self.desk.tell(
            seat_protocol.Hello(
                game=state.game.name,
                options=dict(state.options),
                seat=seat,
                names=self.names(),
                clocks=clocks,
                seed=self._seed,
                capabilities=list(seat_protocol.CAPABILITIES),
            )
        )

    def names(self) -> list[str]:
        """The players' names in seat order."""
        return [player.name for player in self.table.players]

    def view(self) -> dict[str, object]:
        """What this peer's seat may know; without one, what everybody may (seat -1)."""
        seat, state = self.seat, self.table.state
        assert state is not None
        in_play = self.table.in_play
        can_hold = [in_play.knowledge.can_hold(other) if in_play else 0 for other in range(self.table.seats)]
        if seat is None:
            return seat_protocol.build_view(state, -1, NO_CARDS, can_hold, self.names())
        received = self.holder.received(self.table, seat) if in_play else None
        hand = self.holder.cards(self.table, seat)
        new, face_down = self._own_cards.new, self.holder.face_down(self.table, seat)
        return seat_protocol.build_view(state, seat, hand, can_hold, self.names(), received, new, face_down)

    def seconds(self) -> float | None:
        """How long the player has for an answer."""
        return self.clocks.bot if self.is_bot else (self.clocks.turn or None)

    def decided(self) -> None:
        """The player has chosen."""
        self._poke()

    def noted(self, action: str, info: Mapping[str, object]) -> None:
        """The bot that plays here noted something on its action."""
        if self.table.state is not None:
            self._notes.add(self.table.state.deal, self.table.step, action, info)

    def voided(self) -> None:
        """What a person was asked is void."""
        self.noticed("turn-void")

    def _tell(self, event: Event) -> None:
        """The event in the words of the seat protocol."""
        state, seat = self.table.state, self.seat
        if self.desk is None or state is None or seat is None:
            return
        match event:
            case events.Seated():
                self._greet()
            case events.Dealt(deal, dealer):
                hand = [card_name(card) for card in sorted(self.holder.hand(self.table, seat).values())]
                totals, roles = list(state.totals), seat_protocol.roles_of(state.view())
                if not self._own_cards.first_part(self.table.serial_in_play):
                    self.desk.tell(seat_protocol.HandChanged(hand=hand))
                    return
                self.desk.tell(seat_protocol.Deal(number=deal, dealer=dealer, roles=roles, hand=hand, totals=totals))
            case events.Acted(who, action):
                shown = self.holder.uncovered(self.table, seat, action)
                self.desk.tell(seat_protocol.Event(deal=self._deal, seat=who, action=str(shown)))
            case events.Scored(result):
                self.desk.tell(
                    seat_protocol.Score(
                        deal=result.deal,
                        points=list(result.points),
                        breakdown=[list(lines) for lines in result.breakdown],
                        totals=list(result.totals),
                        multiplier=result.multiplier,
                    )
                )
            case events.Ended(totals, winners):
                self.desk.tell(seat_protocol.End(totals=list(totals), winners=list(winners)))
            case _:
                pass

    async def _watch_the_clock(self) -> None:
        """Votes come due while nothing else happens."""
        while True:
            await trio.sleep(limits.CLOCK_TICK)
            self._cast_votes()


def pack_private(serial: int, name: str, action: str) -> bytes:
    """What a sealed entry commits to, for this peer's own outbox."""
    return msgspec.msgpack.encode((serial, name, action))
