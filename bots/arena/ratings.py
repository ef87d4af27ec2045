"""One number for each bot, from who came before whom in games of three and four: openskill's Plackett–Luce model.

Ratings are usually moved game by game, and then depend on the order of the games. Here they are fitted to all games
at once: the means at which openskill would, over all games together, move nobody any more, held back by its prior (25
± 8⅓) alone. That is the most likely rating (maximum a posteriori); its deviation comes from the curvature there and
takes games for independent, so it is a little too small for games that share packs. Games with the same bots and
places count as one kind, so a million games cost as much as a few hundred.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

from openskill.models import PlackettLuce

Finish = tuple[tuple[int, int], ...]
"""How a game ended, wherever they sat: pairs of a bot and its place, in order (equal points share a place)."""

ROUNDS = 200
"""Rounds of improvement at most; a dozen are usual."""

CLOSE_ENOUGH = 1e-4
"""Change of a rating that nobody sees any more."""

LONGEST_STEP = 5.0
"""Of one improvement: far from the top, Newton's step may overshoot."""

_NUDGE = 1e-3

_KNOWN = 0.1
"""The deviation with which openskill is asked for a slope: so small that it takes the ratings for known."""


@dataclass(frozen=True, slots=True)
class Rating:
    """Mean and deviation on openskill's scale, where 25 is average. Whoever has eight points more at a table of three,
    or nine at a table of four, comes out ahead of the other three times in four."""

    mean: float
    deviation: float

    def __str__(self) -> str:
        return f"{self.mean:.1f} ± {2 * self.deviation:.1f}"


def finish(seating: tuple[int, ...], totals: tuple[int, ...]) -> Finish:
    """How a game with these bots by seat and these points by seat ended."""
    places = [1 + sum(other > total for other in totals) for total in totals]
    return tuple(sorted(zip(seating, places, strict=True)))


def fit(finishes: Mapping[Finish, int], bots: int) -> list[Rating]:
    """The ratings of so many bots, from how often games of each kind occurred."""
    model = PlackettLuce(tau=0.0)  # nobody gets better or worse between the games
    prior = float(model.sigma) ** 2
    means = [float(model.mu)] * bots

    def slope(bot: int) -> float:
        """By how much all games and the prior would raise this bot's mean."""
        pull = (float(model.mu) - means[bot]) / prior
        for finish, count in finishes.items():
            pull += count * _pull(model, means, finish, bot)
        return pull

    def curvature(bot: int) -> float:
        here = means[bot]
        means[bot] = here + _NUDGE
        above = slope(bot)
        means[bot] = here - _NUDGE
        below = slope(bot)
        means[bot] = here
        return max((below - above) / (2 * _NUDGE), 1 / prior)

    for _ in range(ROUNDS):
        largest = 0.0
        for bot in range(bots):
            step = max(-LONGEST_STEP, min(LONGEST_STEP, slope(bot) / curvature(bot)))
            means[bot] += step
            largest = max(largest, abs(step))
        middle = sum(means) / bots - float(model.mu)  # games tell differences only, so the prior alone decides this
        means[:] = [mean - middle for mean in means]
        if largest < CLOSE_ENOUGH:
            break
    return [Rating(mean, 1 / sqrt(curvature(bot))) for bot, mean in enumerate(means)]


def _pull(model: PlackettLuce, means: list[float], finish: Finish, bot: int) -> float:
    """The slope of one game's log-likelihood: openskill moves a mean by σ² times it."""
    if all(one != bot for one, _ in finish):
        return 0.0
    teams = [[model.rating(mu=means[one], sigma=_KNOWN)] for one, _ in finish]
    after = model.rate(teams, ranks=[float(place) for _, place in finish])
    moved = sum(
        float(team[0].mu) - means[one] for (one, _), team in zip(finish, after, strict=True) if one == bot
    )
    return moved / _KNOWN**2
