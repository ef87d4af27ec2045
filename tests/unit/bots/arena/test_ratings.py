"""Ratings that do not depend on the order of the games, against openskill and against the likelihood itself."""

from __future__ import annotations

from itertools import permutations
from math import exp, log, sqrt

import pytest
from openskill.models import PlackettLuce

from bots.arena.ratings import Finish, finish, fit

MODEL = PlackettLuce()


def test_places_share_equal_points() -> None:
    assert finish((2, 0, 1, 0), (10, 30, 30, -5)) == ((0, 1), (0, 4), (1, 1), (2, 3))


def test_bots_that_do_equally_well_are_average() -> None:
    finishes = {finish((0, 1), (1, 0)): 20, finish((0, 1), (0, 1)): 20}
    found = fit(finishes, 2)
    assert [one.mean for one in found] == [pytest.approx(25), pytest.approx(25)]


def test_without_games_there_is_only_the_prior() -> None:
    (found,) = fit({}, 1)
    assert (found.mean, found.deviation) == (pytest.approx(25), pytest.approx(25 / 3))


def log_posterior(means: list[float], finishes: dict[Finish, int]) -> float:
    """Plackett–Luce without ties: whoever is placed first is drawn from all, the next from the rest, and so on."""
    total = -sum((mean - 25) ** 2 for mean in means) / (2 * (25 / 3) ** 2)
    for ended, count in finishes.items():
        scale = sqrt(len(ended) * (MODEL.beta**2 + 0.1**2))
        order = [bot for bot, _ in sorted(ended, key=lambda pair: pair[1])]
        for place in range(len(order)):
            strengths = [exp(means[bot] / scale) for bot in order[place:]]
            total += count * log(strengths[0] / sum(strengths))
    return total


def test_the_fit_is_the_top_of_the_likelihood() -> None:
    """Every small step away from it makes the games less likely, for three bots in all orders."""
    counts = dict(zip(permutations(range(3)), (30, 12, 20, 6, 9, 3), strict=True))
    finishes = {tuple(sorted(zip(order, (1, 2, 3), strict=True))): count for order, count in counts.items()}
    means = [one.mean for one in fit(finishes, 3)]
    best = log_posterior(means, finishes)
    for bot in range(3):
        for step in (-0.05, 0.05):
            moved = [mean + step * (one == bot) for one, mean in enumerate(means)]
            assert log_posterior(moved, finishes) < best
    assert means[0] > means[1] > means[2]


def test_more_games_are_surer_and_a_clean_sweep_does_not_run_away() -> None:
    few, many = (fit({finish((0, 1), (1, 0)): count}, 2) for count in (5, 5000))
    assert few[0].mean < many[0].mean < 100
    balanced = [{finish((0, 1), (1, 0)): n, finish((0, 1), (0, 1)): n} for n in (5, 500)]
    assert fit(balanced[0], 2)[0].deviation > fit(balanced[1], 2)[0].deviation
