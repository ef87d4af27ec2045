"""What `sharp` would do in a person's place, and why: hints. Nothing but the view of that seat is looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bots.builtin.steady import choose
from bots.sdk import View
from bots.search.judgement import PATIENCE, Budget, compared
from bots.search.player import Sharp, judge

ADVICE_SECONDS: Final = 1.5
"""The search stops after this long: a person waits for it. An ordinary decision takes a fiftieth."""

FAR_OFF: Final = 50
"""Worlds for what no bot thinks of, such as bids far from what a hand takes: enough to see that it is far off, and all
the bids of an auction are reckoned within half a second."""


@dataclass(frozen=True, slots=True)
class Valued:
    """What may be done, all in points of this deal on average over the worlds.

    points      the own points
    lead        the own points less the average of the others'
    difference  how much more it is worth than the action advised: the lead, and what counts beyond this deal
    error       the standard error of that difference; infinite: so few worlds tell nothing
    worlds      in how many worlds it was looked at
    later       what it is worth beyond this deal
    """

    action: str
    points: float
    lead: float
    difference: float = 0.0
    error: float = 0.0
    worlds: int = Sharp.worlds
    later: float = 0.0


@dataclass(frozen=True, slots=True)
class Advice:
    """The action to take; what every legal action is worth: this one first, then the best.

    `valued` is empty where there is nothing to search and rules of thumb decide. `certain`: however the rest is played,
    it scores the same, and only the claim of it was looked at.
    """

    action: str
    valued: tuple[Valued, ...] = ()
    certain: bool = False

    @property
    def worlds(self) -> int:
        """In how many worlds the action to take was looked at."""
        return self.valued[0].worlds if self.valued else 0


def advise(view: View) -> Advice:
    """What `sharp` would do at this question, and what everything else would bring. The same question gets the same
    advice."""
    bot = Sharp()
    budget = Budget.of(bot.worlds, ADVICE_SECONDS / PATIENCE, bot.random)
    budget.far_off = FAR_OFF
    judgement = judge(view, budget)
    if judgement is None:
        return Advice(choose(view.raw, view.legal))
    action = judgement.best()
    chosen = judgement.tallies[action]
    valued = []
    for name, tally in {**judgement.tallies, **judgement.far_off}.items():
        difference, error = compared(tally, chosen, budget.draws)
        valued.append(Valued(name, tally.expected, tally.margin, difference, error, tally.worlds, tally.later))
    valued.sort(key=lambda one: (one.action != action, -one.difference))
    return Advice(action, tuple(valued), certain=action.startswith("claim"))
