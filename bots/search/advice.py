"""What `sharp` would do in a person's place, and why: hints. Nothing but the view of that seat is looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bots.sdk import View
from bots.search.judgement import PATIENCE
from bots.search.player import Sharp

ADVICE_SECONDS: Final = 1.5
"""The search stops after this long: a person waits for it. An ordinary decision takes a fiftieth."""


@dataclass(frozen=True, slots=True)
class Valued:
    """An action that was looked at, all in points of this deal on average over the worlds.

    points  the own points
    lead    the own points less the average of the others'
    worth   the lead, and what the action is worth beyond this deal: what actions are compared by
    """

    action: str
    points: float
    lead: float
    worth: float


@dataclass(frozen=True, slots=True)
class Advice:
    """The action to take; what every action that was thinkable is worth, best first, in so many worlds.

    `valued` is empty where there is nothing to search: one action alone is legal (`only`), or rules of thumb decide.
    `certain`: however the rest is played, it scores the same, and only the claim of it was looked at.
    """

    action: str
    valued: tuple[Valued, ...] = ()
    worlds: int = 0
    only: bool = False
    certain: bool = False


def advise(view: View) -> Advice:
    """What `sharp` would do at this question. The same question gets the same advice."""
    bot = Sharp()
    action = bot.act(View(view.raw, view.legal, ADVICE_SECONDS / PATIENCE))
    if bot.judgement is None:
        return Advice(action, only=len(view.legal) == 1)
    tallies = bot.judgement.tallies
    valued = [Valued(name, tally.expected, tally.margin, tally.worth) for name, tally in tallies.items()]
    valued.sort(key=lambda one: (one.action != action, -one.worth))
    worlds = max(tally.worlds for tally in tallies.values())
    return Advice(action, tuple(valued), worlds, certain=action.startswith("claim"))
