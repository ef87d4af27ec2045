"""Playing a record again: every hand, action and score in it is checked; the first thing wrong is a `RecordError`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from engine.cards import FULL_PACK, PACK_SIZE, Card, CardSet, card_name, card_set
from engine.game import (
    Ask,
    Fault,
    Finished,
    Game,
    Illegal,
    NewPack,
    Result,
    Sealed,
    Search,
    State,
    Step,
    check,
    owner,
)
from engine.games import game as find_game
from engine.games import sheet as find_sheet
from engine.record.model import Attempt, Deal, Move, Record, RecordError
from engine.record.sheet import follow
from engine.record.watch import Watch, Witness, ignore
from engine.referee import Event, Referee

# Who makes the first choice of a deal is the owner of the kingdom (Kasra) or the seat with goal 8 (Isti'mar).
OWNERS_CHOICES = ("game", "trump")
FIRST_CARDS = 6  # that the declarer of 3-5-8 sees before the contract (S358-4)


@dataclass(frozen=True)
class Replay:
    """What came out. `hands` is what the seats hold where the record stops in the middle of a deal, () where no hands
    are known."""

    record: Record
    game: Game
    state: State
    hands: tuple[CardSet, ...] = ()

    @property
    def results(self) -> tuple[Result, ...]:
        """The deals that were scored."""
        return self.state.results

    @property
    def finished(self) -> bool:
        """Whether the game was played to its end."""
        return isinstance(self.state.step, Finished)

    @property
    def seats(self) -> list[str]:
        """The names; empty where the record gives none."""
        return self.record.seats or [""] * self.game.seats

    def to_json(self) -> dict[str, object]:
        """The score table for programs; `breakdown` adds up to the scores before the multiplier."""
        return {
            "game": self.game.name,
            "options": dict(self.state.options),
            "seats": self.seats,
            "finished": self.finished,
            "deals": [
                {
                    "deal": result.deal,
                    "score": list(result.points),
                    "breakdown": [_by_rule(lines) for lines in result.breakdown],
                    "multiplier": result.multiplier,
                    "redeals": list(result.redeals),
                    "total": list(result.totals),
                }
                for result in self.results
            ],
            "total": list(self.state.totals),
            "winners": list(self.state.winners),
        }


def _by_rule(lines: tuple[tuple[str, int], ...]) -> dict[str, int]:
    points: dict[str, int] = {}
    for rule, value in lines:
        points[rule] = points.get(rule, 0) + value
    return points


def replay(record: Record, watch: Watch = ignore) -> Replay:
    """Play `record` to its end. `watch` is called after everything that happens on the way."""
    return _Replayer(record, watch).run()


@dataclass
class _Replayer:
    record: Record
    watch: Watch
    state: State = field(init=False)
    hands: tuple[CardSet, ...] = ()

    def run(self) -> Replay:
        game = find_game(self.record.game)
        self.state = self._begin(game)
        for deal in self.record.deals:
            last = deal is self.record.deals[-1]
            if isinstance(self.state.step, Finished):
                raise RecordError(deal.line, "record-game-is-over", deal=deal.number)
            if deal.number != self.state.deal:
                raise RecordError(deal.line, "record-deal-number", found=deal.number, expected=self.state.deal)
            before = len(self.state.results)
            for attempt in deal.attempts:
                self._attempt(deal, attempt, last and attempt is deal.attempts[-1])
            if len(self.state.results) > before:
                self._check_scores(deal, self.state.results[-1])
            elif deal.score or deal.total or not last:
                where = deal.score_line or deal.total_line or deal.line
                raise RecordError(where, "record-deal-not-finished", deal=deal.number)
            else:
                return Replay(self.record, game, self.state, self.hands)
        return Replay(self.record, game, self.state)

    def _begin(self, game: Game) -> State:
        start = self.record.start
        first = self.record.deals[0] if self.record.deals else None
        dealer = first.attempts[0].dealer if first else -1
        if first and start.deal > 1 and start.owner < 0 and dealer < 0:
            chooser = next((move.seat for move in first.attempts[0].moves if move.action.verb in OWNERS_CHOICES), -1)
            start = replace(start, owner=chooser)
        try:
            if start.deal == 1 and start.owner < 0 and start.multiplier == 1 and not start.previous:
                return game.start(self.record.options, max(dealer, 0))
            full = game.chosen(self.record.options)
            return find_sheet(game.name).begin_at(full, replace(start, dealer=dealer))
        except Illegal as wrong:
            raise RecordError.breach(self.record.start_line or 1, wrong) from None

    def _attempt(self, deal: Deal, attempt: Attempt, last: bool) -> None:
        """One pack."""
        if attempt.dealer >= 0 and attempt.dealer != self.state.dealer:
            raise RecordError(attempt.dealer_line, "record-dealer", found=attempt.dealer, expected=self.state.dealer)
        before = self.state
        if attempt.hands or attempt.kitty:
            if deal.outcome:
                raise RecordError(deal.outcome_line, "record-outcome-and-hands")
            self.state = self._play(attempt)
        else:
            self.hands = ()
            self.state = follow(self.state, find_sheet(self.record.game), deal, attempt, self.watch)
        scored = len(self.state.results) > len(before.results)
        if attempt.redeal is None or scored:
            if attempt.redeal is not None:
                raise RecordError(attempt.redeal_line, "record-deal-is-over", action=f"redeal: {attempt.redeal}")
            return
        if self.state.redeals[-1] != attempt.redeal:
            expected = self.state.redeals[-1]
            raise RecordError(attempt.redeal_line, "record-redeal", found=attempt.redeal, expected=expected)

    def _play(self, attempt: Attempt) -> State:
        """A pack whose cards the record gives."""
        pack = _pack(attempt, self.state.game.seats)
        told: list[Event] = []
        referee = Referee(self.state, lambda: pack, [told.append])
        referee.do(NewPack())
        moves = list(reversed(attempt.moves))
        witness = Witness(attempt, self.watch)
        while not isinstance(step := referee.state.step, NewPack | Finished):
            if isinstance(step, Fault) and attempt.redeal is None:
                raise RecordError(attempt.line, step.code, step.rule, seat=step.seat)
            left = len(moves)
            if not _needs_a_move(step, referee):
                referee.do(step)
            elif not _move(referee, step, moves):
                break
            witness.look(step, referee.state, tuple(told), left - len(moves), referee)
            told.clear()
        if moves:
            raise RecordError(moves[-1].line, "record-deal-is-over", action=str(moves[-1].action))
        dealt = not isinstance(referee.state.step, NewPack | Finished)
        if attempt.redeal is not None and dealt:
            referee.void(attempt.redeal)
            witness.look(step, referee.state, tuple(told), 0, referee)
        self.hands = tuple(referee.hands)
        return referee.state

    def _check_scores(self, deal: Deal, result: Result) -> None:
        if deal.score and deal.score != result.points:
            raise RecordError(deal.score_line, "record-score", found=_text(deal.score), expected=_text(result.points))
        if deal.total and deal.total != result.totals:
            raise RecordError(deal.total_line, "record-total", found=_text(deal.total), expected=_text(result.totals))


def _needs_a_move(step: Step, referee: Referee) -> bool:
    """Whether an action must be written in the record now; a card that is searched for in vain needs none."""
    if isinstance(step, Search):
        return any(hand >> step.card & 1 for hand in referee.hands)
    return isinstance(step, Ask | Sealed)


def _move(referee: Referee, step: Step, moves: list[Move]) -> bool:
    """Do the next move, the last of `moves` (or a round of sealed answers); whether there was one."""
    if not moves:
        return False
    if isinstance(step, Sealed):
        return _answers(referee, step, moves)
    move = moves.pop()
    try:
        if isinstance(step, Search):
            check(referee.state, move.seat, move.action, referee.hands[move.seat])
            referee.do(step)
        else:
            referee.act(move.seat, move.action)
    except Illegal as wrong:
        raise RecordError.breach(move.line, wrong, str(move.action), move.seat) from None
    return True


def _answers(referee: Referee, step: Sealed, moves: list[Move]) -> bool:
    """A round of sealed answers, each legal for its hand; false if the record ends before all are given."""
    answers: dict[int, Move] = {}
    while moves and len(answers) < len(step.seats):
        move = moves.pop()
        if move.seat in answers:
            raise RecordError(move.line, "record-answers-missing", action=str(move.action))
        try:
            check(referee.state, move.seat, move.action, referee.hands[move.seat])
        except Illegal as wrong:
            raise RecordError.breach(move.line, wrong, str(move.action), move.seat) from None
        answers[move.seat] = move
    if len(answers) < len(step.seats):
        return False
    referee.act_at_once({seat: move.action for seat, move in answers.items()})
    return True


def _pack(attempt: Attempt, seats: int) -> list[Card]:
    """The pack that deals these hands (`engine.game.owner`); `RecordError` when they are not one whole pack."""
    piles = {seat: list(attempt.hands.get(seat, ())) for seat in range(seats)}
    if attempt.first:
        seat, first = attempt.first
        if len(first) != FIRST_CARDS or set(first) - set(piles[seat]):
            raise RecordError(attempt.line, "record-first", seat=seat, expected=FIRST_CARDS)
        piles[seat] = first + [card for card in piles[seat] if card not in first]
    piles[-1] = list(attempt.kitty)
    order = [owner(position, seats) for position in range(PACK_SIZE)]
    for seat, pile in piles.items():
        if len(pile) != order.count(seat):
            where = f"hand {seat}" if seat >= 0 else "kitty"
            raise RecordError(attempt.line, "record-hand-size", pile=where, found=len(pile), expected=order.count(seat))
    cards = [card for pile in piles.values() for card in pile]
    twice = next((card for card in cards if cards.count(card) > 1), None)
    if twice is not None:
        raise RecordError(attempt.line, "record-card-twice", card=card_name(twice))
    assert card_set(cards) == FULL_PACK
    return [piles[seat].pop(0) for seat in order]


def _text(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))
