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
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

import msgspec
import trio

from bots.player import Player, fallback
from engine.actions import Action, parse_action
from engine.cards import card_name
from engine.game import Value
from p2p import limits
from p2p.store import TableStore
from protocol import seat as seat_protocol
from protocol.deck.nonce import Secrets
from protocol.errors import Malformed
from protocol.log import Entry, decode_entry_untrusted, decode_record_untrusted, sign_entry
from protocol.messages import Body, SitDown, Vote
from protocol.rules import table_rules_untrusted
from protocol.table import events
from protocol.table.answers import answer
from protocol.table.events import Event
from protocol.table.holder import Holder
from protocol.table.rounds import Kind, Round
from protocol.table.table import Table
from protocol.wire import pack

Place = tuple[Kind, int, int]
"""Where a choice belongs: the round's kind, serial and step."""


def place_of(round: Round) -> Place:
    """The place of a round."""
    return round.kind, round.serial, round.step


@dataclass(frozen=True)
class Clocks:
    """How long players have, in seconds (0: no limit), and how long a silent seat is waited for."""

    turn: float = 60.0
    bot: float = 5.0
    away: float = 300.0

    @classmethod
    def of(cls, rules: Mapping[str, Value]) -> Clocks:
        """The clocks that a table's own options (`protocol.rules`) ask for."""
        chosen = table_rules_untrusted(rules)
        turn, bot, away = (float(chosen[name]) for name in ("turn_seconds", "bot_seconds", "away_minutes"))
        return cls(turn, bot, 60.0 * away)


@dataclass
class Measures:
    """When each pack (by serial) was begun, came into play, and was dealt: what the demo and the benchmark print."""

    begun: dict[int, float] = field(default_factory=dict)
    taken: dict[int, float] = field(default_factory=dict)
    dealt: dict[int, float] = field(default_factory=dict)

    def report(self) -> dict[str, float | None]:
        """Seconds to deal: from nothing (the first pack that was dealt), and with the pack prepared (median of the
        others)."""
        serials = sorted(self.dealt)
        cold = self.dealt[serials[0]] - self.begun[serials[0]] if serials else None
        prepared = sorted(self.dealt[serial] - self.taken[serial] for serial in serials[1:])
        return {"cold": cold, "prepared": prepared[len(prepared) // 2] if prepared else None}


class Peer:
    """One program at the table. `observe` is told what happens; `player` plays the seat, if there is one."""

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
        self.player = player
        self.is_bot = is_bot
        self.clocks = Clocks()
        self.measures = Measures()
        self.finished = trio.Event()
        self._seed = system_secrets.randbits(32) if seed is None else seed
        self._uplink = uplink
        self._observe = observe
        self._keeps_log = keeps_log  # a host's log is written where records are ordered
        self._counter = 0
        self._pending: list[Entry] = []  # signed, not yet seen in the log
        self._records_in, self._records_out = trio.open_memory_channel[bytes](math.inf)
        self._changed = trio.Event()
        self._lock = trio.Lock()
        self._choices: dict[Place, Action] = {}
        self._asking: set[Place] = set()
        self._wishes: set[int] = set()  # seats that the player wants taken over
        self._votes: set[int] = set()  # those of them for which the time has come
        self._waiting_since: dict[tuple[int, Place], float] = {}
        self._greeted = False
        self._questions = 0

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
        """Turn wishes whose time has come into votes. People are asked (`vote`); a bot's peer wishes so by itself, but where
        nobody need be waited for (0 minutes) only after somebody else."""
        for seat, waited in self.waited_for().items():
            agrees = self.is_bot and (self.clocks.away > 0 or bool(self.table.votes.get(seat)))
            if seat != self.seat and waited >= self.clocks.away and (agrees or seat in self._wishes):
                self._votes.add(seat)
                self._poke()

    def waited_for(self) -> dict[int, float]:
        """The seats that the table waits for, and for how many seconds it has."""
        now, longest = trio.current_time(), dict[int, float]()
        for (seat, _), since in self._waiting_since.items():
            longest[seat] = max(longest.get(seat, 0.0), now - since)
        return longest

    async def reload(self) -> None:
        """Build the table from this peer's own files. Their proofs were checked when they were written."""
        self.table.trusted = True
        for number, record in enumerate(self.store.log):
            await trio.to_thread.run_sync(self._take_stored, record, number)
        self.table.trusted = False
        me = self.identity.public
        for own in self.store.own:
            entry = decode_entry_untrusted(own.entry)
            self._counter = entry.counter
            if own.private:
                serial, name, action = msgspec.msgpack.decode(own.private, type=tuple[int, str, str])
                self.holder.sealed[serial, name] = action
            if entry.counter > self.table.chain.counters.get(me, 0):
                self._pending.append(entry)
        if self.table.genesis is not None:
            self.clocks = Clocks.of(self.table.genesis.rules)

    def _take_stored(self, data: bytes, number: int) -> None:
        record = decode_record_untrusted(data)
        entry = self.table.take_untrusted(record)
        self.table.settle(self.table.examine(entry, number))

    async def write(self, body: Body) -> None:
        """Sign a body, make it durable, send it."""
        async with self._lock:
            await self._write(body)

    async def run(self) -> None:
        """Play until the game is over. Raises Refused when the host's log cannot be trusted or the disk is full."""
        for entry in self._pending:
            self._uplink(pack(entry))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._consume, nursery)
            nursery.start_soon(self._produce, nursery)
            nursery.start_soon(self._watch_the_clock)
            await self._news()
            await self.finished.wait()
            nursery.cancel_scope.cancel()
        if self.player is not None:
            await self.player.aclose()

    # --- records in ------------------------------------------------------------------------------------------------

    async def _consume(self, nursery: trio.Nursery) -> None:
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
                    finding = await trio.to_thread.run_sync(self.table.examine, entry, number)
                happened = self.table.settle(finding)
                self._pending = [own for own in self._pending if own.counter > self._ordered()]
            if number == 0 and self.table.genesis is not None:
                self.clocks = Clocks.of(self.table.genesis.rules)
            self._note_waiting()
            await self._report(happened)
            self._poke()
            if self.table.over and not self.table.rounds:
                self.finished.set()

    def _ordered(self) -> int:
        return self.table.chain.counters.get(self.identity.public, 0)

    def _note_waiting(self) -> None:
        now = trio.current_time()
        waiting = {
            (seat, place_of(round)) for round in self.table.rounds for seat in round.waiting if round.awaits(seat)
        }
        self._waiting_since = {owed: self._waiting_since.get(owed, now) for owed in waiting}
        self._votes &= {seat for seat, _ in waiting}
        self._cast_votes()
        serial = self.table.serial
        self.measures.begun.setdefault(serial, now)
        if self.table.in_play is not None:
            self.measures.taken.setdefault(self.table.pack.serial, now)
            if any(self.table.pack.knowledge.hands):
                self.measures.dealt.setdefault(self.table.pack.serial, now)

    async def _report(self, happened: list[Event]) -> None:
        for event in happened:
            if isinstance(event, events.Seated):
                self._wishes.clear()  # the seats have new numbers
            await self._observe(event)
            if self.player is not None:
                await self._tell(event)

    async def _news(self) -> None:
        """What the player must know at the start: the game, if it has begun."""
        if self.player is not None and self.table.state is not None:
            await self._greet()
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
            if seat is None or self.table.over:
                return False
            player = self.table.players[seat]
            if player.lost:  # somebody else's stand-in plays: sit down again as soon as that is possible
                if player.barred or player.returning:
                    return False
                await self._write(SitDown())
                return True
            for target in list(self._votes):
                self._votes.discard(target)
                body = self._vote_against(target)
                if body is not None:
                    await self._write(body)
                    return True
            for round in self.table.owed(seat):
                action = None
                if round.row.chosen:
                    place = place_of(round)
                    forced = self.holder.forced(self.table, seat, round)
                    action = self._choices.get(place) or forced
                    if action is not None and self._too_soon(nursery, round, seat, forced is not None):
                        continue
                    if action is None:
                        if place not in self._asking:
                            self._asking.add(place)
                            nursery.start_soon(self._ask, round, seat, place)
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

    def _vote_against(self, target: int) -> Vote | None:
        seat = self.seat
        if seat is None or seat in self.table.votes.get(target, set()):
            return None
        for round in self.table.rounds:
            if round.awaits(target):
                return Vote(round.serial, round.step, target)
        return None

    async def _answer(self, round: Round, seat: int, action: Action | None) -> None:
        chain = self.table.chain
        context = self.table.context(round, seat, self._counter + 1, chain.head)
        fresh = system_secrets.token_bytes(64)
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

    async def _greet(self) -> None:
        seat, state = self.seat, self.table.state
        if self.player is None or seat is None or state is None or self._greeted:
            return
        self._greeted = True
        move = self.clocks.bot if self.is_bot else self.clocks.turn
        await self.player.hello(
            seat_protocol.Hello(
                game=state.game.name,
                options=dict(state.options),
                seat=seat,
                names=self.names(),
                clocks=seat_protocol.Clocks(move=move),
                seed=self._seed,
            )
        )

    def names(self) -> list[str]:
        """The players' names in seat order."""
        return [player.name for player in self.table.players]

    def view(self) -> dict[str, object]:
        """What this peer's seat may know."""
        seat, state = self.seat, self.table.state
        assert seat is not None and state is not None
        in_play = self.table.in_play
        can_hold = [in_play.knowledge.can_hold(other) if in_play else 0 for other in range(self.table.seats)]
        received = self.holder.received(self.table, seat) if in_play else None
        hand = self.holder.cards(self.table, seat)
        return seat_protocol.build_view(state, seat, hand, can_hold, self.names(), received)

    async def _ask(self, round: Round, seat: int, place: Place) -> None:
        try:
            assert self.player is not None
            await self._greet()
            self._questions += 1
            seconds = self.clocks.bot if self.is_bot else (self.clocks.turn or None)
            message = seat_protocol.act_message(self._questions, self.view(), seconds)
            chosen = ""
            with trio.move_on_after(math.inf if self.is_bot or not seconds else seconds):
                chosen = await self.player.act(message)
            if not chosen:
                chosen = fallback(message)
                await self.player.tell(seat_protocol.Cancel(id=message.id))
            self._choices = {place: parse_action(chosen)}
        finally:
            self._asking.discard(place)
            self._poke()

    async def _tell(self, event: Event) -> None:
        """The event in the words of the seat protocol."""
        assert self.player is not None
        state, seat = self.table.state, self.seat
        if state is None or seat is None:
            return
        match event:
            case events.Seated():
                await self._greet()
            case events.Dealt(deal, dealer):
                hand = [card_name(card) for card in sorted(self.holder.hand(self.table, seat).values())]
                await self.player.tell(
                    seat_protocol.Deal(
                        number=deal, dealer=dealer, roles={}, hand=hand, totals=list(state.totals)
                    )
                )
            case events.Acted(who, action):
                await self.player.tell(seat_protocol.Event(deal=state.deal, seat=who, action=str(action)))
            case events.Scored(result):
                await self.player.tell(
                    seat_protocol.Score(
                        deal=result.deal,
                        points=list(result.points),
                        breakdown=[list(lines) for lines in result.breakdown],
                        totals=list(result.totals),
                        multiplier=result.multiplier,
                    )
                )
            case events.Ended(totals, winners):
                await self.player.tell(seat_protocol.End(totals=list(totals), winners=list(winners)))
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
