"""The table: one deterministic state machine that every peer runs over the same log.

Records come in (`take_untrusted`), are checked off the event loop (`examine`, pure), and change the table (`settle`). What
comes out are events for people and bots, and the open rounds: what each seat owes. Nothing here knows a secret, a clock, a
socket or a file.

An entry that does not answer an open round is *stale*: innocent, ignored. An entry that does, and is false, is *evidence*:
its author is named, the stand-in plays the seat from then on, and the deal is dealt again. The two are never confused,
because a round's place (serial, step) changes whenever the public state changes in a way that a proof depends on.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.cards import Card, cards_in, rank_of, suit_of
from engine.game import (
    Ask,
    Audit,
    Claim,
    Fault,
    Finished,
    NewPack,
    OpenKitty,
    Release,
    Result,
    Sealed,
    Search,
    State,
    TakeKitty,
    Where,
    remaining,
)
from engine.games import game as find_game
from engine.standin import standin
from protocol.deck import labels, recovery
from protocol.deck.dealing import combine
from protocol.deck.elgamal import Cipher, fresh_pack, trivial
from protocol.deck.group import Point, encode, mul
from protocol.deck.keys import joint_key
from protocol.deck.opening import open_with
from protocol.deck.transcript import Context
from protocol.errors import BadProof, Malformed, Refused, Stale
from protocol.identity import verify_untrusted
from protocol.log import Chain, Entry, Record, digest, framed, terms_digest
from protocol.messages import PROTOCOL_VERSION, Genesis, SeatClaim, SitDown, Struct, Vote, decode_body_untrusted
from protocol.table import events
from protocol.table.checks import CHECKS, Dealt, Play, asks_face_down, open_positions, recipients
from protocol.table.events import Event
from protocol.table.pack import Deferred, Pack
from protocol.table.rounds import Kind, Round

FEWEST_PLAYERS = 2
"""With a single player left there is nobody to play against, and nobody to hide a card from."""


@dataclass
class Player:
    """Who sits in a seat. `lost`: the stand-in plays; `barred`: for cheating, so there is no way back."""

    key: bytes
    name: str
    bot: str
    machine: bytes
    lost: bool = False
    barred: bool = False
    returning: bool = False


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
    """Everything public about a table in progress. Build one with the table's id and feed it the log's records."""

    id: bytes
    chain: Chain = field(init=False)
    genesis: Genesis | None = None
    players: list[Player] = field(default_factory=list)
    state: State | None = None
    serial: int = 0  # of the newest pack
    step: int = 0  # grows with every public change that a proof may depend on
    in_play: Pack | None = None
    next_pack: Pack | None = None
    pack_round: Round | None = None  # of next_pack
    game_round: Round | None = None
    score_round: Round | None = None
    recover_round: Round | None = None
    recovering: list[Point] = field(default_factory=list)
    votes: dict[int, set[int]] = field(default_factory=dict)
    seals: dict[int, bytes] = field(default_factory=dict)
    seal_name: str = ""
    over: bool = False
    trusted: bool = False  # replaying a file of our own whose proofs were checked when it was written
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
    def preparing(self) -> Pack:
        """The pack that is being made ready."""
        assert self.next_pack is not None
        return self.next_pack

    @property
    def rounds(self) -> list[Round]:
        """The open rounds, those of the game first."""
        rounds = (self.recover_round, self.game_round, self.score_round, self.pack_round)
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
        return digest(labels.LABEL_TABLE, self.id, framed(*(str(number) for number in numbers)))

    def due_audit(self, round: Round, seat: int) -> int:
        """The index of the next deferred claim that `seat` must prove in an audit."""
        mine = [at for at, deferred in enumerate(self.pack.deferred) if deferred.seat == seat]
        return mine[len(mine) - round.waiting.count(seat)]

    # --- records in ------------------------------------------------------------------------------------------------

    def take_untrusted(self, record: Record) -> Entry:
        """Check a record's place and signatures and take it into the chain. Then `examine` and `settle` it, in order."""
        return self.chain.extend_untrusted(record)

    def examine(self, entry: Entry, height: int) -> Finding:
        """What an entry at `height` means. Pure and possibly slow (proofs): may run in a thread."""
        if self.genesis is None:
            return Finding(height, -1, self._genesis_untrusted(entry))
        seat = self.seat_of(entry.author)
        if seat is None or self.over or self.players[seat].barred:
            return Finding(height, -1, stale=True)
        try:
            body = decode_body_untrusted(entry.body)
        except Malformed as fault:
            return Finding(height, seat, fault=fault)
        if isinstance(body, SitDown):
            return Finding(height, seat, body, stale=not self.players[seat].lost)
        if self.players[seat].lost:
            return Finding(height, seat, body, stale=True)
        if isinstance(body, Vote):
            return Finding(height, seat, body, stale=not self._may_vote(seat, body))
        round = next((round for round in self.rounds if round.fits(body) and round.awaits(seat)), None)
        if round is None:
            return Finding(height, seat, body, stale=True)
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
        if isinstance(finding.body, Genesis) and finding.height == 0:
            self._begin(finding.body)
        elif finding.stale:
            return []
        elif finding.fault is not None:
            self._cheated(finding.seat, finding.height, finding.fault.code)
        elif isinstance(finding.body, Vote):
            self._vote(finding.seat, finding.body.seat)
        elif isinstance(finding.body, SitDown):
            self._sit_down(finding.seat)
        else:
            assert finding.round is not None
            self._answered(finding.round, finding.seat, finding.answer)
        self._advance()
        return self._events

    def _emit(self, event: Event) -> None:
        self._events.append(event)

    # --- the beginning -----------------------------------------------------------------------------------------------

    def _genesis_untrusted(self, entry: Entry) -> Genesis:
        body = decode_body_untrusted(entry.body)
        if not isinstance(body, Genesis):
            raise BadProof("genesis-missing")
        if body.version != PROTOCOL_VERSION:
            raise BadProof("wrong-version-theirs-older", {"ours": PROTOCOL_VERSION, "theirs": body.version})
        try:
            rules = find_game(body.game)
            rules.start(body.options)
        except Exception as wrong:
            raise BadProof("genesis-bad") from wrong
        if len(body.seats) != rules.seats or len({claim.key for claim in body.seats}) != rules.seats:
            raise BadProof("genesis-bad")
        terms = terms_digest(self.id, body.game, body.options, body.rules)
        for claim in body.seats:
            check_claim_untrusted(self.id, terms, claim)
        return body

    def _begin(self, genesis: Genesis) -> None:
        self.genesis = genesis
        self.players = [Player(claim.key, claim.name, claim.bot, claim.machine) for claim in genesis.seats]

    def _draw(self, cards: list[Card]) -> None:
        """Who drew the highest card takes seat 0 and deals first; the others follow from high to low (B-EST-25)."""
        assert self.genesis is not None
        order = sorted(range(self.seats), key=lambda seat: (rank_of(cards[seat]), suit_of(cards[seat])), reverse=True)
        self.players = [self.players[seat] for seat in order]
        self.votes = {}
        self.in_play = None
        names = tuple(player.name for player in self.players)
        self._emit(events.Seated(names, tuple(cards[seat] for seat in order)))
        self.state = find_game(self.genesis.game).start(self.genesis.options, dealer=0)

    # --- making a pack ready -------------------------------------------------------------------------------------------

    def _new_pack(self) -> None:
        for player in self.players:
            if player.returning:
                player.returning = player.lost = False
        self.serial += 1
        live = self.live()
        self.next_pack = Pack(self.serial, tuple(live), self.seats)
        self._pack_round(Kind.COMMIT, 0)

    def _pack_round(self, kind: Kind, step: int) -> None:
        seats = list(self.preparing.seats)
        self.pack_round = Round(kind, self.serial, step, seats, in_turn=kind is Kind.SHUFFLE)

    def _pack_answered(self, round: Round, seat: int, answer: object) -> None:
        pack = self.preparing
        match round.kind, answer:
            case Kind.COMMIT, bytes():
                pack.commitments[seat] = answer
            case Kind.REVEAL, Point():
                pack.keys[seat] = answer
            case Kind.SHARE, recovery.PublishedShares():
                pack.published[seat] = answer
            case Kind.ACCEPT, int():
                self._cheated(answer, self.chain.height - 1, "recovery-share")
                return
            case Kind.SHUFFLE, list():
                pack.ciphers = answer
        done = list(Kind).index(round.kind) * len(pack.seats) + len(pack.seats) - len(round.waiting)
        self._emit(events.Preparing(pack.serial, done, 5 * len(pack.seats)))
        if round.waiting:
            return
        match round.kind:
            case Kind.COMMIT:
                self._pack_round(Kind.REVEAL, 1)
            case Kind.REVEAL:
                pack.joint = joint_key([pack.keys[seat] for seat in pack.seats])
                self._pack_round(Kind.SHARE, 2)
            case Kind.SHARE:
                self._pack_round(Kind.ACCEPT, 3)
            case Kind.ACCEPT:
                assert pack.joint is not None
                pack.ciphers = fresh_pack(pack.joint)
                self._pack_round(Kind.SHUFFLE, 4)
            case _:
                pack.ready = True
                self.pack_round = None

    def _drop_next_pack(self) -> None:
        self.next_pack = self.pack_round = None

    # --- the way on ----------------------------------------------------------------------------------------------------

    def _answered(self, round: Round, seat: int, answer: object) -> None:
        round.waiting.remove(seat)
        self.votes.pop(seat, None)
        if round is self.pack_round:
            self._pack_answered(round, seat, answer)
            return
        if round.kind is Kind.AUDIT:
            return
        round.given[seat] = answer
        if round.kind is Kind.SEAL and isinstance(answer, bytes):
            self.seals[seat] = answer

    def _open_round(self, kind: Kind, seats: list[int], about: object = None) -> None:
        assert about is None or isinstance(about, Release | OpenKitty | TakeKitty | Ask | Sealed | Search | Audit)
        self.step += 1
        self.game_round = Round(kind, self.pack.serial, self.step, seats, about=about)

    def _advance(self) -> None:
        """Go on until somebody owes something."""
        while not self.over:
            if len(self.live()) < FEWEST_PLAYERS:
                self._end(())
            elif self._recovering():
                return
            elif self.game_round is not None:
                if self.game_round.waiting:
                    return
                round, self.game_round = self.game_round, None
                self._finish(round)
            elif self.score_round is not None and self.score_round.waiting:
                return
            elif not self._next_step():
                return

    def _next_step(self) -> bool:
        """Do the game's next step, or open its round. False when it must wait for a pack."""
        self.score_round = None
        if self.state is None:
            if self._take_pack():
                self._open_round(Kind.DRAW, self.live())
            return self.in_play is not None
        step = self.state.step
        match step:
            case NewPack():
                if not self._take_pack():
                    return False
                self.state = self.state.after(step)
                if self.state.deal < self.state.last_deal:
                    self._new_pack()
            case Release():
                self._emit(events.Dealt(self.state.deal, self.state.dealer))
                self._open_round(Kind.RELEASE, self.live(), step)
            case OpenKitty(only=only):
                hidden = only >= 0 and self.plays(only)
                self._open_round(Kind.RELEASE if hidden else Kind.OPEN, self.live(), step)
            case TakeKitty(seat, positions):
                self._take_kitty(seat, positions)
            case Ask(seat):
                self._ask(seat)
            case Sealed(seats):
                self.seals = {}
                self._open_round(Kind.SEAL, [seat for seat in seats if not self.players[seat].lost], step)
                self.seal_name = f"{Kind.SEAL.value}/{self.step}"
            case Search():
                self._open_round(Kind.SEARCH, self.live(), step)
            case Audit():
                due = [deferred.seat for deferred in self.pack.deferred if self.plays(deferred.seat)]
                self._open_round(Kind.AUDIT, due, step)
            case Fault(seat, _, code):
                self._cheated(seat, self.chain.height - 1, code)
            case Finished():
                self._end(self.state.winners)
        return True

    def _take_pack(self) -> bool:
        if self.next_pack is None:
            self._new_pack()
        if not self.preparing.ready:
            return False
        self.in_play, self.next_pack = self.next_pack, None
        return True

    def _end(self, winners: tuple[int, ...]) -> None:
        self.over = True
        self.pack_round = self.game_round = self.score_round = self.recover_round = None
        self._emit(events.Ended(self.state.totals if self.state else (), winners))

    def _ask(self, seat: int) -> None:
        assert self.state is not None
        if not self.players[seat].lost:
            unmixed = seat not in self.pack.mixed and asks_face_down(self, seat)
            self._open_round(Kind.MIX if unmixed else Kind.ASK, [seat], self.state.step)
            return
        self._act(seat, self._standin_play(seat))

    def _standin_play(self, seat: int) -> Play:
        """What the stand-in does for a seat whose hand lies open."""
        assert self.state is not None
        hand = self.pack.open_hand(seat)
        action = standin(self.state, seat, hand, self.pack.received_open.get(seat))
        claim = self.state.claim(seat, action, self.pack.received_open.get(seat))
        slots = tuple(
            slot for card in cards_in(action.cards) for slot, known in self.pack.open_cards.items()
            if known == card and slot in self.pack.knowledge.hands[seat]
        )
        return Play(action, claim, slots, 0, False)

    # --- finishing rounds ------------------------------------------------------------------------------------------

    def _finish(self, round: Round) -> None:
        match round.kind:
            case Kind.DRAW:
                self._finish_draw(round)
            case Kind.RELEASE:
                self._finish_release(round)
            case Kind.OPEN:
                self._finish_open(round)
            case Kind.MIX:
                self._finish_mix(round)
            case Kind.ASK:
                ((seat, play),) = round.given.items() or ((-1, None),)
                if isinstance(play, Play):
                    self._act(seat, play)
            case Kind.SEAL:
                self._open_round(Kind.UNSEAL, [seat for seat in round.given if not self.players[seat].lost], round.about)
            case Kind.UNSEAL:
                self._finish_unseal(round)
            case Kind.SEARCH:
                self._finish_search(round)
            case Kind.AUDIT:
                self._after(Audit())
            case _:
                raise AssertionError(round.kind)

    def _after(self, step: object, cards: int = 0) -> None:
        """The table has done a step of the game."""
        assert self.state is not None
        assert isinstance(step, Release | OpenKitty | TakeKitty | Search | Audit | Fault | NewPack)
        before = self.state
        self.step += 1
        self.state = self.state.after(step, cards)
        self._notice(before)

    def _notice(self, before: State) -> None:
        """Tell of a score, or of a redeal."""
        assert self.state is not None
        if len(self.state.results) > len(before.results):
            self._emit(events.Scored(self.state.results[-1]))
            self.score_round = Round(Kind.SCORE, self.serial_in_play, self.step, self.live())
        elif isinstance(self.state.step, NewPack) and not isinstance(before.step, NewPack):
            self._emit(events.Redealt("game"))

    @property
    def serial_in_play(self) -> int:
        """The serial of the pack in play, or 0."""
        return self.in_play.serial if self.in_play else 0

    def _open_with_shares(self, round: Round, positions: list[int], points: dict[int, dict[int, Point]]) -> list[Card]:
        """The cards at `positions`, from one opening share of every key, recovered ones included."""
        pack = self.pack
        cards = []
        for at in positions:
            shares = []
            for seat in pack.keys:
                share = points.get(seat, {}).get(at) or pack.recovered_at(seat, pack.ciphers[at].a)
                assert share is not None
                shares.append(share)
            cards.append(open_with(pack.ciphers[at], shares))
        return cards

    def _finish_draw(self, round: Round) -> None:
        points = {seat: given for seat, given in round.given.items() if isinstance(given, dict)}
        self._draw(self._open_with_shares(round, open_positions(self, round), points))

    def _finish_open(self, round: Round) -> None:
        assert isinstance(round.about, OpenKitty)
        positions = list(round.about.positions)
        points = {seat: given for seat, given in round.given.items() if isinstance(given, dict)}
        cards = self._open_with_shares(round, positions, points)
        mask = 0
        for at, card in zip(positions, cards, strict=True):
            self.pack.opened[at] = card
            self.pack.knowledge.see(card)
            mask |= 1 << card
        self._emit(events.Kitty(tuple(cards)))
        self._after(round.about, mask)

    def _finish_release(self, round: Round) -> None:
        pack = self.pack
        given = {seat: dealt for seat, dealt in round.given.items() if isinstance(dealt, Dealt)}
        openly = open_positions(self, round)
        points = {seat: dealt.opened for seat, dealt in given.items()}
        opened = dict(zip(openly, self._open_with_shares(round, openly, points), strict=True))
        for at, to in recipients(self, round).items():
            if at in opened:
                pack.take_open(to, at, opened[at])
                continue
            contributions: list[tuple[Point | None, Point]] = []
            for seat in pack.keys:
                if seat == to:
                    continue
                if seat in given:
                    share = given[seat].shares[at]
                    contributions.append((share.R, share.S))
                else:
                    recovered = pack.recovered_at(seat, pack.ciphers[at].a)
                    assert recovered is not None
                    contributions.append((None, recovered))
            cipher = combine(pack.ciphers[at], contributions)
            pack.slots[at] = cipher
            pack.knowledge.deal(to, at)
        about = round.about
        if isinstance(about, OpenKitty):  # shown to one seat alone, and at once in its hand
            pack.mixed.discard(about.only)
        self._after(about)

    def _take_kitty(self, seat: int, positions: tuple[int, ...]) -> None:
        """The kitty comes into the hand; where it was opened, as encryptions that everybody can read, mixed at once."""
        pack = self.pack
        for at in positions:
            if at not in pack.opened:
                continue
            if self.plays(seat):
                pack.take_card(seat, at, trivial(pack.opened[at], pack.keys[seat]), 1 << pack.opened[at])
            else:
                pack.take_open(seat, at, pack.opened[at])
        if self.plays(seat):
            assert self.state is not None
            self._open_round(Kind.MIX, [seat], self.state.step)
        else:
            self._after(TakeKitty(seat, positions))

    def _finish_mix(self, round: Round) -> None:
        pack = self.pack
        for seat, ciphers in round.given.items():
            assert isinstance(ciphers, list)
            new = pack.new_slots(len(ciphers))
            pack.slots.update(zip(new, ciphers, strict=True))
            pack.knowledge.mix(seat, new)
            pack.mixed.add(seat)
        if isinstance(round.about, TakeKitty):
            self._after(round.about)
        self.step += 1

    def _finish_unseal(self, round: Round) -> None:
        assert isinstance(round.about, Sealed)
        for seat in round.about.seats:
            play = round.given.get(seat)
            self._act(seat, play if isinstance(play, Play) else self._standin_play(seat))

    def _finish_search(self, round: Round) -> None:
        assert isinstance(round.about, Search)
        bit = 1 << round.about.card
        found: tuple[int, Play] | None = None
        for seat, answer in round.given.items():
            if isinstance(answer, Play):
                found = (seat, answer)
            else:
                self.pack.knowledge.exclude(seat, bit)
        for seat, player in enumerate(self.players):
            if player.lost and self.pack.open_hand(seat) & bit:
                found = (seat, self._show(seat, round.about.card))
        if found is None:
            self._after(round.about)
        else:
            self._act(*found)

    def _show(self, seat: int, card: Card) -> Play:
        from engine.actions import Action

        slot = next(slot for slot in self.pack.hand(seat) if self.pack.open_cards[slot] == card)
        return Play(Action("show", cards=1 << card), Claim(opens=1 << card), (slot,), 0, False)

    # --- actions ------------------------------------------------------------------------------------------------------

    def _act(self, seat: int, play: Play) -> None:
        """Carry out a checked action."""
        assert self.state is not None
        pack, action, claim = self.pack, play.action, play.claim
        before, lost = self.state, self.players[seat].lost
        cards = list(cards_in(action.cards))
        if claim.deferred and claim.where is Where.SEAT and not lost:
            self._defer(seat, play)
        if claim.where is Where.STAYS:
            for slot, card in zip(play.slots, cards, strict=True):
                pack.knowledge.show(seat, slot, card)
        for slot in play.slots if claim.where is not Where.STAYS else ():
            known = pack.knowledge.leave(seat, slot)
            if claim.where is Where.SEAT:
                self._hand_over(play, slot, known)
        for card in cards:
            pack.knowledge.see(card)
        if play.excluded and not lost:
            pack.knowledge.exclude(seat, play.excluded)
        self.step += 1
        face_down = action.takes_card and claim.where in (Where.SEAT, Where.ASIDE)
        self.state = self.state.apply(seat, action.concealed() if face_down else action)
        self._emit(events.Acted(seat, action, play.proved, lost))
        self._notice(before)

    def _hand_over(self, play: Play, slot: int, known: int) -> None:
        pack, to = self.pack, play.claim.to
        (new,) = pack.new_slots(1)
        pack.received_open.pop(to, None)
        if not self.plays(to):
            card = play.action.card
            pack.take_open(to, new, card)
            pack.received_open[to] = card
            return
        cipher = play.handed or trivial(play.action.card, pack.keys[to])
        pack.take_card(to, new, cipher, known)
        pack.received[to] = cipher

    def _defer(self, seat: int, play: Play) -> None:
        assert self.state is not None
        pack = self.pack
        left = [slot for slot in pack.hand(seat) if slot not in play.slots]
        masks = tuple(pack.knowledge.hands[seat][slot] for slot in left)
        moved = pack.slots[play.slots[0]]
        ciphers = tuple(pack.ciphers_of(left))
        pack.deferred.append(
            Deferred(seat, self.state, play.action, ciphers, masks, moved, pack.received.get(seat))
        )

    # --- losing a seat ------------------------------------------------------------------------------------------------

    def _may_vote(self, seat: int, vote: Vote) -> bool:
        if vote.seat >= self.seats or vote.seat == seat or self.players[vote.seat].lost:
            return False
        return any(
            round.awaits(vote.seat) and (round.serial, round.step) == (vote.serial, vote.step)
            for round in self.rounds
        )

    def _vote(self, seat: int, against: int) -> None:
        votes = self.votes.setdefault(against, set())
        votes.add(seat)
        self._emit(events.Voted(seat, against))
        if votes >= set(self.live()) - {against}:
            self._lose(against)

    def _sit_down(self, seat: int) -> None:
        self.players[seat].returning = True
        self._drop_next_pack()
        self._emit(events.Returned(seat))

    def _lose(self, seat: int) -> None:
        """The stand-in plays for `seat`. In a deal that has begun the others will open its hand (`_recovering`)."""
        self.players[seat].lost = True
        self.votes = {}
        self._emit(events.Lost(seat))
        if self.next_pack is not None and seat in self.next_pack.seats:
            self._drop_next_pack()
        if self.recover_round is not None and seat in self.recover_round.waiting:
            self._throw_in("two-lost")
        for round in (self.game_round, self.score_round):
            if round is not None:
                round.waiting = [other for other in round.waiting if other != seat]
                round.given.pop(seat, None) if round.kind in (Kind.SEAL, Kind.UNSEAL, Kind.ASK) else None
        if self.game_round is not None and self.game_round.kind in (Kind.ASK, Kind.MIX) and (
            not self.game_round.waiting and not self.game_round.given
        ):
            self.game_round = None

    def _cheated(self, seat: int, height: int, code: str) -> None:
        """A proved cheat: the seat is lost for good and the deal is dealt again."""
        self._emit(events.Cheated(seat, height, code))
        self.players[seat].barred = True
        dealing = self.game_round is not None or self.recover_round is not None
        self._lose(seat)
        if dealing or (self.state is not None and isinstance(self.state.step, Fault)):
            self._throw_in("cheat")

    def _throw_in(self, reason: str) -> None:
        self.game_round = self.recover_round = None
        self.in_play = None
        self.step += 1
        if self.state is not None:
            self.state = self.state.void(reason)
        self._emit(events.Redealt(reason))

    def _missing(self, seat: int) -> list[Point]:
        """The points of which the others must recover `x·point` for a lost seat: what it owes and what it holds."""
        pack = self.pack
        points: list[Point] = []
        for sender, published in pack.published.items():
            if sender != seat:
                points += [share.E for share in published.shares if share.recipient == seat]
        round = self.game_round
        if round is not None and seat not in round.given:
            owed = set(open_positions(self, round)) if round.kind in (Kind.DRAW, Kind.OPEN, Kind.RELEASE) else set()
            if round.kind is Kind.RELEASE:
                owed |= {at for at, to in recipients(self, round).items() if to != seat}
            points += [pack.ciphers[at].a for at in sorted(owed)]
        points += [pack.slots[slot].a for slot in pack.hand(seat) if slot not in pack.open_cards]
        return [point for point in points if pack.recovered_at(seat, point) is None]

    def _recovering(self) -> bool:
        """Whether recovery shares are awaited. Opens the round for them when a lost seat of this pack needs it."""
        if self.in_play is None:
            return False
        if self.recover_round is not None:
            if self.recover_round.waiting:
                return True
            self._finish_recovery(self.recover_round)
        for seat in self.pack.keys:
            if not self.players[seat].lost:
                continue
            missing = self._missing(seat)
            if missing:
                self.step += 1
                self.recovering = missing
                self.recover_round = Round(Kind.RECOVER, self.pack.serial, self.step, self.live(), lost=seat)
                return True
            self._open_lost_hand(seat)
        return False

    def _finish_recovery(self, round: Round) -> None:
        pack, lost = self.pack, round.lost
        self.recover_round = None
        lists = [points for points in round.given.values() if isinstance(points, list)]
        for share in pack.published[lost].shares:  # those of seats that were lost before
            if share.recipient not in round.given:
                opened = pack.recovered_at(share.recipient, share.E)
                scalar = recovery.reopen_ciphertext(opened, pack.published[lost], share.recipient) if opened else None
                if scalar is None:
                    self._throw_in("two-lost")
                    return
                lists.append([mul(scalar, point) for point in self.recovering])
        for point, total in zip(self.recovering, recovery.add_recovered(lists), strict=True):
            pack.recovered[lost, encode(point)] = total

    def _open_lost_hand(self, seat: int) -> None:
        """Once everything of a lost hand is recovered, it lies open; the rounds that depend on it begin anew."""
        pack = self.pack
        closed = [slot for slot in pack.hand(seat) if slot not in pack.open_cards]
        for slot in closed:
            cipher = pack.slots[slot]
            opened = pack.recovered_at(seat, cipher.a)
            assert opened is not None
            card = open_with(cipher, [opened])
            pack.open_cards[slot] = card
            pack.knowledge.show(seat, slot, card)
        if closed and self.game_round is not None:
            self.step += 1
            self.game_round.step = self.step


def check_claim_untrusted(table: bytes, terms: bytes, claim: SeatClaim) -> None:
    """Somebody's signature under the terms of the table; `BadProof` when it is not his."""
    if claim.terms != terms:
        raise BadProof("terms-differ", {"name": claim.name})
    verify_untrusted(claim.key, labels.LABEL_TABLE, claim_payload(table, claim), claim.signature)
    if claim.machine != claim.key:
        verify_untrusted(claim.machine, labels.LABEL_TABLE, framed(table, claim.key), claim.vouch)


def claim_payload(table: bytes, claim: SeatClaim) -> bytes:
    """What a player signs when sitting down."""
    return framed(table, claim.terms, claim.key, claim.name, claim.bot, claim.machine, claim.vouch)


__all__ = ["Cipher", "Finding", "Player", "Table", "check_claim_untrusted", "claim_payload", "remaining"]
