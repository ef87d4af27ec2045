"""Looking on while a record is played again: one moment for everything that happens at the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from engine.game import Outcome, State, Step
from engine.record.model import Attempt, Move
from engine.referee import Event, Referee


@dataclass(frozen=True, slots=True)
class Moment:
    """The table just after something happened.

    step      what the table was waiting for and has now been done
    state     what is public afterwards
    events    what happened, as a referee tells it (`engine.referee`): several when all answered at once, and when an
              action ended the deal; none when cards moved and nobody chose anything
    moves     the record's lines of the actions among them
    standins  the seats that the stand-in plays by now
    referee   the open table, to be read at once and not kept, because it plays on; None in a score-sheet deal
    outcome   how a score-sheet deal ended, when it is scored now
    """

    step: Step
    state: State
    events: tuple[Event, ...]
    moves: tuple[Move, ...] = ()
    standins: tuple[int, ...] = ()
    referee: Referee | None = None
    outcome: Outcome | None = None


Watch: TypeAlias = Callable[[Moment], None]


def ignore(moment: Moment) -> None:
    """A `Watch` that looks away."""


@dataclass(slots=True)
class Witness:
    """Tells `watch` of one pack: keeps count of which moves of `attempt` were made."""

    attempt: Attempt
    watch: Watch
    done: int = 0

    def look(
        self,
        step: Step,
        state: State,
        events: tuple[Event, ...],
        made: int,
        referee: Referee | None = None,
        outcome: Outcome | None = None,
    ) -> None:
        """`step` was done, which took the next `made` moves."""
        first, self.done = self.done, self.done + made
        moves = tuple(self.attempt.moves[first : self.done])
        standins = tuple(sorted({seat for at, seat in self.attempt.standins if at < self.done}))
        self.watch(Moment(step, state, events, moves, standins, referee, outcome))
