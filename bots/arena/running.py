"""A whole run: which games are still to be played, in which order they count, and when it is enough.

Games come back in whatever order they are finished, but count board by board in the order of the boards, so the
result is the same however many processes play. What was played ahead of the last board that counts stays in the log
only.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from bots.arena.boards import Job, Plan, boards_of, jobs
from bots.arena.log import ArenaLog
from bots.arena.playing import Game, Played
from bots.arena.pool import Pool, finished
from bots.arena.results import Tally


@dataclass
class Run:
    """One run of an arena. `keep` is given each game that is played now (for its record), `tell` the progress."""

    plan: Plan
    boards: int
    until_sure: bool = False
    log: ArenaLog | None = None
    keep: Callable[[Game], None] = field(default=lambda game: None)
    tell: Callable[[Run], None] = field(default=lambda run: None)
    tally: Tally = field(init=False)
    interrupted: bool = False
    played: int = 0
    _found: dict[Job, Played] = field(default_factory=dict)  # what is there and has not been counted yet

    def __post_init__(self) -> None:
        self.boards = self.plan.rounded(self.boards)
        self.tally = Tally(self.plan)
        if self.log is not None:
            self._found.update(self.log.played)

    @property
    def found(self) -> int:
        """How many games there are, counted or not."""
        return self.tally.games + len(self._found)

    @property
    def done(self) -> bool:
        """Whether all boards are counted, or enough of them."""
        return self.tally.boards >= self.boards or (self.until_sure and self.tally.sure)

    def all_found(self) -> bool:
        """Whether the log holds all that is needed, so that nobody has to play."""
        self._count()
        return self.done

    def play(self, pool: Pool) -> Tally:
        """Play what is missing. Ctrl-C ends it early; what was finished until then is kept.

        Raises Refused when nobody can play on, and OSError when the log or a record cannot be written.
        """
        missing = (
            job
            for games in boards_of(self.plan, self.boards)
            for job in games
            if job.board > self.tally.boards and job not in self._found
        )
        try:
            if not self.all_found():
                for game in finished(pool, missing):
                    self._take(game)
                    if self.done:
                        break
        except KeyboardInterrupt:
            self.interrupted = True
        return self.tally

    def _take(self, game: Game) -> None:
        with _undisturbed():
            self.keep(game)  # first: a game that stands in the log is not played again, and would never get its record
            if self.log is not None:
                self.log.add(game.played)
            self.played += 1
            self._found[game.played.job(self.plan)] = game.played
        self._count()
        self.tell(self)

    def _count(self) -> None:
        """Count the boards that are complete, in order."""
        while not self.done:
            board = jobs(self.plan, self.tally.boards + 1)
            if not all(job in self._found for job in board):
                return
            with _undisturbed():
                self.tally.add([self._found.pop(job) for job in board])


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Ctrl-C, or another signal that would break in, is heard when this is over: half a board that is counted, or half
    a line, would spoil the result. What is ignored, as Ctrl-C is in a shell's background, stays so."""
    noted: list[int] = []
    heard = {number: handler for number in signal.valid_signals() if callable(handler := signal.getsignal(number))}
    for number in heard:
        signal.signal(number, lambda number, frame: noted.append(number))
    try:
        yield
    finally:
        for number, handler in heard.items():
            signal.signal(number, handler)
    for late in noted:
        signal.raise_signal(late)
