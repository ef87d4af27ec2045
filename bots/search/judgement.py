"""What a search says about the actions it looked at, and how long it may look.

What is compared is the *margin*, the own points less the average of the others': it is what decides a game. What people
are told is the own points.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf, sqrt
from random import Random
from typing import Final, TypeVar

from bots.search.points import Points
from engine.cards import CardSet

WORLDS_PER_SECOND: Final = 200
"""What a slow machine manages at least, in an ordinary decision. A clock shorter than that takes away worlds."""

PATIENCE: Final = 0.4
"""The part of the time left after which a search stops, whatever it has. No clock that a table gives needs this on a
machine that is not stuck, so that the same question gets the same answer."""

T = TypeVar("T")


@dataclass(slots=True)
class Budget:
    """How many worlds a decision may look at, the chance it uses, and the clock (`monotonic` seconds) that ends it.

    truth    gives the true hands by seat, to the bot that sees them: then every second world is that one
    far_off  in how many of the worlds actions are looked at that no bot thinks of, for people who ask about them
    draws    filled while worlds are drawn: for each the number of its draw; those of one draw are much alike
    """

    worlds: int
    random: Random
    until: float = inf
    truth: Callable[[], Sequence[CardSet]] | None = None
    far_off: int = 0
    draws: list[int] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        worlds: int,
        seconds: float | None,
        random: Random,
        truth: Callable[[], Sequence[CardSet]] | None = None,
    ) -> Budget:
        """As many as `worlds`, fewer when the clock is short."""
        if seconds is None:
            return cls(worlds, random, truth=truth)
        fit = max(1, int(seconds * WORLDS_PER_SECOND))
        return cls(min(worlds, fit), random, time.monotonic() + PATIENCE * seconds, truth)

    def times(self, factor: float) -> Budget:
        """By the same clock: fewer worlds where many actions are looked at, more where a whole deal is decided."""
        return replace(self, worlds=max(1, int(self.worlds * factor)))

    def spend(self, items: Iterable[T]) -> Iterator[T]:
        """The items, until the clock says stop; always at least one."""
        for item in items:
            yield item
            if time.monotonic() > self.until:
                return


@dataclass(slots=True)
class Tally:
    """What an action brought in all worlds so far.

    bonus    by how much a bot prefers it to what it is worth, a world
    margins  summed up; `each` world by world
    points   the own ones, summed up
    later    what it is worth beyond this deal, a world
    """

    bonus: float = 0.0
    margins: float = 0.0
    points: float = 0.0
    worlds: int = 0
    later: float = 0.0
    each: list[float] = field(default_factory=list)

    def add(self, points: Points, seat: int) -> None:
        """One more world."""
        own = points[seat]
        margin = own - (sum(points) - own) / (len(points) - 1)
        self.points += own
        self.margins += margin
        self.each.append(margin)
        self.worlds += 1

    @property
    def margin(self) -> float:
        """Margin a world."""
        return self.margins / self.worlds if self.worlds else 0.0

    @property
    def worth(self) -> float:
        """Margin a world, and what comes to it: what bots choose by."""
        return self.bonus + self.later + self.margin

    @property
    def expected(self) -> float:
        """Own points a world."""
        return self.points / self.worlds if self.worlds else 0.0


def compared(one: Tally, other: Tally, draws: Sequence[int]) -> tuple[float, float]:
    """How much more `one` is worth than `other`, in this deal and beyond it, and the standard error of that.

    They are compared world by world, over those in which both were looked at: the luck of a world is the same for both.
    Worlds of one draw (`Budget.draws`; none told: each is its own) are one observation, with their weight. A single
    observation tells nothing: the error is infinite.
    """
    number = min(one.worlds, other.worlds)
    differences = [mine - theirs for mine, theirs in zip(one.each, other.each, strict=False)]
    mean = sum(differences) / number
    by_draw: dict[int, float] = {}
    for draw, difference in zip(draws or range(number), differences, strict=False):
        by_draw[draw] = by_draw.get(draw, 0.0) + difference - mean
    observed = len(by_draw)
    squares = sum(off * off for off in by_draw.values())
    error = sqrt(squares * observed / (observed - 1)) / number if observed > 1 else inf
    return mean + one.later - other.later, error


@dataclass(slots=True)
class Judgement:
    """What each action is worth: tallies by action, in the order of the legal list. Those `far_off` are never chosen,
    and looked at only for people (`Budget.far_off`)."""

    tallies: dict[str, Tally] = field(default_factory=dict)
    far_off: dict[str, Tally] = field(default_factory=dict)

    def best(self) -> str:
        """The action that is worth most; the first of equals."""
        return max(self.tallies, key=lambda action: self.tallies[action].worth)

    def notes(self) -> Mapping[str, object]:
        """For the record and for people: own points expected in this deal for each action, from how many worlds."""
        values = {action: round(tally.expected, 2) for action, tally in self.tallies.items()}
        return {"values": values, "worlds": max((tally.worlds for tally in self.tallies.values()), default=0)}


def judged(
    budget: Budget,
    worlds: Iterable[T],
    actions: Iterable[str],
    tallies: dict[str, Tally],
    brings: Callable[[str, T], Points],
    seat: int,
) -> Judgement:
    """The actions that have a tally looked at in all worlds, the others only as far as people ask (`Budget.far_off`).
    `brings` gives the points of an action in a world."""
    far_off = {action: Tally() for action in actions if action not in tallies and budget.far_off}
    for number, world in enumerate(budget.spend(worlds)):
        for action, tally in (tallies | far_off if number < budget.far_off else tallies).items():
            tally.add(brings(action, world), seat)
    return Judgement(tallies, far_off)
