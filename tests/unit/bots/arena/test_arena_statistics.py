"""The arena's statistics against values found by hand, by trying all cases, and by simulation."""

from __future__ import annotations

import random
from itertools import product
from math import inf, log, sqrt
from statistics import fmean, quantiles, stdev, variance

import pytest

from bots.arena.statistics import (
    CLUSTERS,
    LOOK_FROM,
    NARROWEST,
    Cluster,
    Spread,
    Times,
    interval,
    radius,
    student,
    summary,
)


def ones(values: list[float]) -> list[Cluster]:
    return [Cluster(value, 1.0) for value in values]


# ---- intervals ----------------------------------------------------------------------------------------------------


def test_the_mean_is_by_weight() -> None:
    found = interval([Cluster(10, 1), Cluster(2, 3)])
    assert found.mean == 3.0


def test_one_board_has_no_interval() -> None:
    assert (interval(ones([4.0])).low, interval(ones([4.0])).high) == (-inf, inf)
    assert not interval(ones([4.0])).known and interval(ones([4.0])).ends == "–"


def test_equal_boards_have_no_spread() -> None:
    found = interval(ones([2.5] * 20))
    assert (found.low, found.mean, found.high) == (2.5, 2.5, 2.5)


def test_the_bootstrap_against_all_resamples() -> None:
    """Four clusters have 4⁴ = 256 resamples; the ends must be their 2.5 % and 97.5 % points, stretched as stated."""
    values = [1.0, 2.0, 4.0, 9.0]
    means = sorted(fmean(sample) for sample in product(values, repeat=4))
    stretch = student(3) / 1.96 * sqrt(4 / 3)
    low, high = means[round(256 * 0.025)], means[round(256 * 0.975) - 1]
    found = interval(ones(values))
    step = 0.5 * stretch  # neighbouring means of the few that there are
    assert abs(found.low - (4 + stretch * (low - 4))) <= step
    assert abs(found.high - (4 + stretch * (high - 4))) <= step


def test_many_boards_give_the_usual_interval(rng: random.Random) -> None:
    values = [rng.gauss(3, 10) for _ in range(2500)]
    found, usual = interval(ones(values)), 1.96 * stdev(values) / sqrt(len(values))
    assert len(values) > CLUSTERS  # so they were put together
    assert abs(found.mean - fmean(values)) < 1e-9
    assert 0.9 < (found.high - found.low) / (2 * usual) < 1.1


def test_the_interval_holds_the_truth_about_as_often_as_it_says(rng: random.Random) -> None:
    """Twelve skewed boards are few: 95 % cannot be had exactly, but it must not be far off."""
    held = 0
    for trial in range(200):
        found = interval(ones([rng.expovariate(1) for _ in range(12)]), str(trial))
        held += found.low <= 1.0 <= found.high
    assert held >= 178


def test_the_same_seed_gives_the_same_interval() -> None:
    values = ones([1.0, 5.0, 2.0, 8.0, 3.0])
    assert interval(values, "a") == interval(values, "a") != interval(values, "b")


def test_students_interval_by_hand() -> None:
    assert summary([1.0, 3.0]) == (2.0, pytest.approx(12.71))  # t(1) × √2 / √2
    assert summary([5.0] * 30)[1] == 0


# ---- being sure while one looks ------------------------------------------------------------------------------------


def test_the_running_variance_is_the_usual_one(rng: random.Random) -> None:
    values, spread = [rng.gauss(5, 3) for _ in range(50)], Spread()
    for value in values:
        spread.add(value)
    assert spread.count == 50
    assert spread.mean == pytest.approx(fmean(values)) and spread.variance == pytest.approx(variance(values))


def test_the_radius_by_its_formula() -> None:
    rho_squared = (-2 * log(0.05) + log(-2 * log(0.05) + 1)) / NARROWEST
    n, s = 100, 12.0
    expected = s * sqrt(2 * (n * rho_squared + 1) / (n**2 * rho_squared) * log(sqrt(n * rho_squared + 1) / 0.05))
    assert radius(100, 144.0) == pytest.approx(expected)
    assert radius(1, 144.0) == inf
    assert radius(100, 144.0) > 1.96 * 12 / 10, "looking all the time costs something"
    assert radius(100, 144.0, 0.01) > radius(100, 144.0)


def first_time_sure(rng: random.Random, mean: float, boards: int) -> int:
    """After how many boards a difference of this mean (deviation 10) is called sure, or 0."""
    spread = Spread()
    for board in range(1, boards + 1):
        spread.add(rng.gauss(mean, 10))
        if board >= LOOK_FROM and abs(spread.mean) > radius(board, spread.variance):
            return board
    return 0


def test_equal_bots_are_seldom_called_different_however_often_one_looks(rng: random.Random) -> None:
    """Naive peeking at a 95 % interval for 600 boards would be wrong in about a third of all runs."""
    wrong = sum(first_time_sure(rng, 0.0, 600) > 0 for _ in range(300))
    assert wrong <= 300 * 0.05 + 3 * sqrt(300 * 0.05 * 0.95)


def test_a_real_difference_is_found(rng: random.Random) -> None:
    found = [first_time_sure(rng, 3.0, 2000) for _ in range(30)]
    assert all(found) and fmean(found) < 400


# ---- times --------------------------------------------------------------------------------------------------------


def test_quantiles_of_times_are_close_to_the_true_ones(rng: random.Random) -> None:
    times, seconds = Times(), [rng.lognormvariate(-6, 1.2) for _ in range(5000)]
    for one in seconds:
        times.add(one)
    exact = quantiles(seconds, n=100)
    assert times.total == 5000
    assert times.quantile(0.5) == pytest.approx(exact[49], rel=0.06)
    assert times.quantile(0.99) == pytest.approx(exact[98], rel=0.06)
    assert len(times.counts) < 150


def test_counts_can_be_put_together() -> None:
    one, other, both = Times(), Times(), Times()
    for seconds in (1e-5, 2e-3, 0.0):
        one.add(seconds)
        both.add(seconds)
    other.add(3.0)
    both.add(3.0)
    one.merge(other.pairs())
    assert one == both and one.total == 4
    assert Times().quantile(0.5) == 0.0
