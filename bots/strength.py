"""How much stronger one bot is than others of one kind: the arena's boards with it in every seat once.

What is measured is the *advantage*: the bot's points a deal minus the average of the other seats' points. Boards are
independent of one another, the games of one board are not: mean and interval are taken over boards.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

from bots.arena.boards import Job, Plan
from bots.arena.playing import play
from bots.arena.statistics import summary
from engine.games import game as find_game


@dataclass(frozen=True, slots=True)
class Strength:
    """Advantage in points a deal: mean ± half of the 95 % interval, over so many deals."""

    mean: float
    half_width: float
    deals: int

    @property
    def sure(self) -> bool:
        """Whether the bot is better with 95 % confidence."""
        return self.mean - self.half_width > 0

    def __str__(self) -> str:
        return f"{self.mean:+.1f} ± {self.half_width:.1f} points a deal ({self.deals} deals)"


def compare(game: str, bot: str, others: str, deals: int, seed: int = 0) -> Strength:
    """How much better `bot` plays than the `others` around it (names of built-in bots), in about so many deals."""
    rules = find_game(game)
    plan = Plan(game=rules.name, bots=(bot, *[others] * (rules.seats - 1)), seed=seed)
    length = plan.board.deals * rules.seats
    boards = max(2, deals // length)
    return Strength(*summary([_advantage(plan, board) for board in range(1, boards + 1)]), boards * length)


def _advantage(plan: Plan, board: int) -> float:
    """The advantage a deal of the first bot of a plan, over all seats of one board."""
    seats = range(len(plan.bots))
    other = plan.distinct.index(plan.bots[-1])
    found = []
    for seat in seats:
        totals = play(plan, Job(board, tuple(0 if one == seat else other for one in seats))).played.totals
        rest = fmean(total for one, total in enumerate(totals) if one != seat)
        found.append((totals[seat] - rest) / plan.board.deals)
    return fmean(found)
