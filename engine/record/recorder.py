"""A record of a game while a referee plays it."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.cards import POSITIONS
from engine.game import Sealed, State, asked, shares
from engine.record.model import Attempt, Deal, Move, Record
from engine.referee import Acted, Dealt, Event, Opened, Referee, Scored, ThrownIn


@dataclass
class Recorder:
    """An observer of `referee`; `record` is the game so far, and can be written at any time."""

    referee: Referee
    names: list[str] = field(default_factory=list)
    record: Record = field(init=False)

    def __post_init__(self) -> None:
        state = self.referee.state
        defaults = state.game.defaults()
        changed = {name: value for name, value in state.options.items() if value != defaults[name]}
        self.record = Record(state.game.name, changed, list(self.names))
        self.referee.observers.append(self)

    def __call__(self, event: Event) -> None:
        """Take down one event."""
        match event:
            case Acted():
                self._acted(event.before, Move(event.seat, event.action))
            case Dealt(state, positions, _):
                self._dealt(state, positions)
            case Opened():
                pass  # the kitty is written with the hands
            case ThrownIn(_, state):
                self._attempt.redeal = state.redeals[-1]
            case Scored(_, result):
                self.record.deals[-1].score = result.points
                self.record.deals[-1].total = result.totals

    def _acted(self, before: State, move: Move) -> None:
        """Sealed answers are written in seat order, whoever would have been first."""
        moves = self._attempt.moves
        moves.append(move)
        step = before.step
        if isinstance(step, Sealed) and move.seat == step.seats[-1]:
            answers = len(step.seats)
            moves[-answers:] = sorted(moves[-answers:], key=lambda answer: answer.seat)

    def note(self, info: str) -> None:
        """What a bot says about its last action."""
        moves = self._attempt.moves
        moves[-1] = Move(moves[-1].seat, moves[-1].action, info)

    @property
    def _attempt(self) -> Attempt:
        return self.record.deals[-1].attempts[-1]

    def _dealt(self, state: State, positions: tuple[int, ...]) -> None:
        deals = self.record.deals
        if not deals or deals[-1].score:
            deals.append(Deal(state.deal))
        elif deals[-1].attempts[-1].redeal is not None:
            deals[-1].attempts.append(Attempt())
        attempt = self._attempt
        if attempt.hands:
            return  # the rest of a pack that is dealt in two parts
        attempt.dealer = state.dealer
        pack, seats = self.referee.pack, state.game.seats
        *piles, attempt.kitty = ([pack[position] for position in share] for share in shares(POSITIONS, seats))
        attempt.hands = dict(enumerate(piles))
        for seat in asked(state.step):
            first = [pack[position] for position in shares(positions, seats)[seat]]
            if len(first) < len(piles[seat]):
                attempt.first = (seat, first)
