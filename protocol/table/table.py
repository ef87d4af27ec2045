"""The table: one deterministic state machine that every peer runs over the same log.

Records come in (`take_untrusted`), are checked off the event loop (`examine`, pure), and change the table (`settle`).
What comes out are events for people and bots, and the open rounds: what each seat owes. Nothing here knows a secret, a
clock, a socket or a file.

An entry that does not answer an open round is *stale*: innocent, ignored. An entry that does, and is false, is
*evidence*: its author is named, the stand-in plays the seat from then on, and the deal is dealt again. The two are
never confused, because a round's place (serial, step) changes whenever the public state changes in a way that a proof
depends on.

`preparing` makes packs, `finishing` says what a finished round does, `acting` carries actions out, `losing` is about
seats whose player is gone. They are functions over the `Table`, whose fields are public and are changed by nobody else.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.game import (
    Ask,
    Audit,
    Fault,
    Finished,
    NewPack,
    OpenKitty,
    Release,
    Result,
    Sealed,
    Search,
    State,
    Step,
    TakeKitty,
)
from protocol.deck import labels
from protocol.deck.group import Point
from protocol.deck.transcript import Context
from protocol.errors import BadProof, Malformed, Refused, Stale
from protocol.log import Chain, Entry, Record, digest, framed
from protocol.messages import Genesis, SitDown, Struct, Vote, decode_body_untrusted
from protocol.table import acting, events, finishing, losing, preparing
from protocol.table.checks import CHECKS, must_mix
from protocol.table.events import Event
from protocol.table.genesis import check_claim_untrusted, claim_payload, genesis_untrusted
from protocol.table.pack import FEWEST_PLAYERS, Pack
from protocol.table.rounds import Kind, Round


@dataclass
class Player:
    """Who sits in a seat. `lost`: the stand-in plays; `barred`: for cheating, so there is no way back; `sat_down`: how
    many deals had been scored when he last sat down again, -1 if never."""

    key: bytes
    name: str
    bot: str
    machine: bytes
    lost: bool = False
    barred: bool = False
    returning: bool = False
    sat_down: int = -1


@dataclass(frozen=True)
class Finding:
    """What examining an entry found: it answers `round` with `answer`, or is false (`fault`), or is stale (neither)."""

    height: int
    seat: int
    body: Struct | None = None
    round: Round | None = None
    answer: object = None
    fault: Refused | None = None
    stale: bool = False


@dataclass
class Table:
    """Everything public about a table in progress. Build one with the table's id and feed it the log's records.

    `trusted` reads a log again whose proofs were verified before: `examine` then only reads what the state needs. It
    must be told which entries were found false: `found_false` (height -> code), which the earlier run has filled.
    """

    id: bytes
    chain: Chain = field(init=False)
    genesis: Genesis | None = None
    players: list[Player] = field(default_factory=list)
    state: State | None = None
    serial: int = 0  # of the newest pack
    step: int = 0  # grows with every public change that a proof may depend on
    now: int = 0  # height of the entry that is taking effect
    in_play: Pack | None = None  # from the pack being taken until the deal is scored or thrown in
    next_pack: Pack | None = None
    pack_round: Round | None = None  # of next_pack
    game_round: Round | None = None
    score_round: Round | None = None
    recover_round: Round | None = None
    recovering: list[Point] = field(default_factory=list)
    votes: dict[int, set[int]] = field(default_factory=dict)
    declined: dict[int, set[int]] = field(default_factory=dict)  # who is here and waits for a seat voted about
    asked_again: dict[int, set[int]] = field(default_factory=dict)  # who has voted about a seat a second time
    seals: dict[int, bytes] = field(default_factory=dict)
    seal_name: str = ""
    over: bool = False
    trusted: bool = False
    found_false: dict[int, str] = field(default_factory=dict)
    _events: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.chain = Chain(self.id)

    # --- what others ask -----------------------------------------------------------------------------------------

    @property
    def seats(self) -> int:
        """How many seats the table has."""
        return len(self.players)

    @property
    def pack(self) -> Pack:
        """The pack in play."""
        assert self.in_play is not None
        return self.in_play

    @property
    def serial_in_play(self) -> int:
        """The serial of the pack in play, or 0."""
        return self.in_play.serial if self.in_play else 0

    @property
    def preparing(self) -> Pack:
        """The pack that is being made ready."""
        assert self.next_pack is not None
        return self.next_pack

    @property
    def rounds(self) -> list[Round]:
        """The open rounds, those of the game first. While a lost hand is being opened, the game's own is held up."""
        game = self.game_round if self.recover_round is None else None
        rounds = (self.recover_round, game, self.score_round, self.pack_round)
        return [round for round in rounds if round is not None and round.waiting]

    def seat_of(self, key: bytes) -> int | None:
        """The seat of the player with this public key."""
        return next((seat for seat, player in enumerate(self.players) if player.key == key), None)

    def live(self) -> list[int]:
        """The seats whose players are here (not played by the stand-in)."""
        return [seat for seat, player in enumerate(self.players) if not player.lost]

    def plays(self, seat: int) -> bool:
        """Whether `seat` holds a hidden hand of the pack in play."""
        return not self.players[seat].lost and seat in self.pack.keys

    def owed(self, seat: int) -> list[Round]:
        """The rounds that `seat` must answer now."""
        return [round for round in self.rounds if round.awaits(seat)]

    def context(self, round: Round, seat: int, counter: int, head: bytes) -> Context:
        """Where a proof for `round` by `seat` stands."""
        return Context(self.id, round.serial, seat, counter, round.row.label, head)

    def score_digest(self, result: Result) -> bytes:
        """What a seat signs under a deal's score."""
        numbers = [result.deal, result.multiplier, *result.points, *result.totals]
        return digest(labels.LABEL_SCORE, self.id, framed(*(str(number) for number in numbers)))

    def ballot(self, seat: int, target: int, yes: bool = True, again: bool = False) -> Vote | None:
        """The vote that `seat` may cast now for taking over `target`, or None when the table does not wait for it.
        `again`: also to ask those who said that they wait whether they are still here."""
        return losing.ballot(self, seat, target, yes, again)

    def may_sit_down(self, seat: int) -> bool:
        """Whether the owner of a lost seat may have it back from the next pack on."""
        return losing.may_sit_down(self, seat)

    def due_audit(self, seat: int) -> int:
        """The index of the next deferred claim that `seat` must prove in an audit, or -1."""
        pack = self.pack
        mine = (at for at, deferred in enumerate(pack.deferred) if deferred.seat == seat and at not in pack.audited)
        return next(mine, -1)

    # --- records in ------------------------------------------------------------------------------------------------

    def take_untrusted(self, record: Record) -> Entry:
        """Check a record's place and signatures, take it into the chain. Then `examine` and `settle` it, in order."""
        return self.chain.extend_untrusted(record)

    def examine(self, entry: Entry, height: int) -> Finding:
        """What an entry at `height` means. Pure and possibly slow (proofs): may run in a thread. Raises only when the
        first entry of all is no good."""
        if self.genesis is None:
            return Finding(height, -1, genesis_untrusted(self.id, entry))
        seat = self.seat_of(entry.author)
        if seat is None or self.over or self.players[seat].barred:
            return Finding(height, -1, stale=True)
        try:
            body = decode_body_untrusted(entry.body)
        except Malformed as fault:
            return Finding(height, seat, fault=fault)
        player = self.players[seat]
        if isinstance(body, SitDown):
            return Finding(height, seat, body, stale=not losing.may_sit_down(self, seat))
        if isinstance(body, Vote) and (not player.lost or player.returning):
            return Finding(height, seat, body, stale=not losing.may_vote(self, seat, body))
        if player.lost:
            return Finding(height, seat, body, stale=True)
        round = next((round for round in self.rounds if round.fits(body) and round.awaits(seat)), None)
        if round is None:
            return Finding(height, seat, body, stale=True)
        if self.trusted and height in self.found_false:
            return Finding(height, seat, body, round, fault=BadProof(self.found_false[height]))
        context = self.context(round, seat, entry.counter, entry.head)
        try:
            answer = CHECKS[round.kind](self, round, seat, context, body)
        except Stale:
            return Finding(height, seat, body, stale=True)
        except Refused as fault:
            return Finding(height, seat, body, round, fault=fault)
        return Finding(height, seat, body, round, answer)

    def settle(self, finding: Finding) -> list[Event]:
        """Let an examined entry take effect. Returns what happened."""
        self._events = []
        self.now = finding.height
        if isinstance(finding.body, Genesis) and finding.height == 0:
            self._begin(finding.body)
        elif finding.stale:
            return []
        elif finding.fault is not None:
            self.found_false[finding.height] = finding.fault.code
            losing.cheated(self, finding.seat, finding.height, finding.fault.code)
        elif isinstance(finding.body, Vote):
            losing.vote(self, finding.seat, finding.body)
        elif isinstance(finding.body, SitDown):
            losing.sit_down(self, finding.seat)
        else:
            assert finding.round is not None
            self._answered(finding.round, finding.seat, finding.answer)
        self._advance()
        return self._events

    def emit(self, event: Event) -> None:
        """Something happened."""
        self._events.append(event)

    def _begin(self, genesis: Genesis) -> None:
        self.genesis = genesis
        self.players = [Player(claim.key, claim.name, claim.bot, claim.machine) for claim in genesis.seats]

    def _answered(self, round: Round, seat: int, answer: object) -> None:
        round.waiting.remove(seat)
        self.votes.pop(seat, None)
        self.declined.pop(seat, None)
        if round is self.pack_round:
            preparing.answered(self, round, seat, answer, self.now)
        elif round.kind is Kind.AUDIT:
            assert isinstance(answer, int)
            self.pack.audited.add(answer)
        else:
            round.given[seat] = answer
        if round.kind is Kind.SEAL and isinstance(answer, bytes):
            self.seals[seat] = answer
        elif round.kind is Kind.UNSEAL:
            self.pack.declared_at[seat] = self.now

    # --- the way on ------------------------------------------------------------------------------------------------

    def _advance(self) -> None:
        """Go on until somebody owes something."""
        while not self.over:
            if sum(not player.lost or player.returning for player in self.players) < FEWEST_PLAYERS:
                self._end(())
            elif losing.recovering(self):
                break
            elif self.game_round is not None:
                if self.game_round.waiting:
                    break
                round, self.game_round = self.game_round, None
                finishing.finish(self, round)
            elif (self.score_round is not None and self.score_round.waiting) or not self._next_step():
                break
        losing.lapse(self)

    def _next_step(self) -> bool:
        """Do the game's next step, or open its round. False when it must wait for a pack."""
        self.score_round = None
        if self.state is None:
            if preparing.take(self):
                self.open_round(Kind.DRAW, self.live())
            return self.in_play is not None
        step = self.state.step
        match step:
            case NewPack():
                if not preparing.take(self):
                    return False
                self.state = self.state.after(step)
                if self.state.deal < self.state.last_deal:
                    preparing.begin(self)
            case Release():
                self.open_round(Kind.RELEASE, self.live(), step)
            case OpenKitty(only=only):
                self.open_round(Kind.RELEASE if only in self.pack.keys else Kind.OPEN, self.live(), step)
            case TakeKitty():
                finishing.take_kitty(self, step)
            case Ask(seat):
                self._ask(seat)
            case Sealed(seats):
                self.seals = {}
                self.open_round(Kind.SEAL, [seat for seat in seats if not self.players[seat].lost], step)
                self.seal_name = f"{Kind.SEAL.value}/{self.step}"
            case Search():
                self.open_round(Kind.SEARCH, self.live(), step)
            case Audit():
                due = [deferred.seat for deferred in self.pack.deferred if self.plays(deferred.seat)]
                self.open_round(Kind.AUDIT, due, step)
            case Fault():
                losing.faults(self)
            case Finished():
                self._end(self.state.winners)
        return True

    def _ask(self, seat: int) -> None:
        assert self.state is not None
        if self.players[seat].lost:
            acting.act(self, seat, acting.standin_play(self, seat))
            return
        self.open_round(Kind.MIX if must_mix(self, seat) else Kind.ASK, [seat], self.state.step)

    def _end(self, winners: tuple[int, ...]) -> None:
        self.over = True
        self.pack_round = self.game_round = self.score_round = self.recover_round = None
        self.in_play = self.next_pack = None
        self.emit(events.Ended(self.state.totals if self.state else (), winners))

    def open_round(self, kind: Kind, seats: list[int], about: Step | None = None) -> None:
        """A round of the deal in play, at a new place."""
        self.step += 1
        self.game_round = Round(kind, self.pack.serial, self.step, seats, about=about)

    def move_round(self) -> None:
        """Give the open round of the game a new place: what proofs for it depend on has changed."""
        assert self.game_round is not None
        self.step += 1
        self.game_round.step = self.step

    def after(self, step: Step, cards: int = 0) -> None:
        """The table has done a step of the game."""
        assert self.state is not None
        before = self.state
        self.step += 1
        self.state = self.state.after(step, cards)
        self.notice(before)

    def notice(self, before: State) -> None:
        """Tell of a score, or of a redeal: either way the pack in play has done its duty."""
        assert self.state is not None
        if len(self.state.results) > len(before.results):
            self.emit(events.Scored(self.state.results[-1]))
            self.score_round = Round(Kind.SCORE, self.serial_in_play, self.step, self.live())
            self.in_play = None
        elif isinstance(self.state.step, NewPack):
            self.emit(events.Redealt("game"))
            self.in_play = None


__all__ = ["Finding", "Player", "Table", "check_claim_untrusted", "claim_payload"]
