"""How sure a mean is: pure functions over the points of boards.

The games of a board share their packs, so they are not independent; boards are. Everything here takes one value (or
one pair of sums) for each board.

*Interval* (`interval`): the bootstrap over clusters (Efron and Tibshirani, An Introduction to the Bootstrap, 1993,
ch. 13): boards are drawn again with replacement, and the middle 95 % of the means of such samples is the interval. A
sample of few boards shows less spread than there is, so the interval is stretched about the mean by the ratio of
Student's t to the normal quantile and by √(n/(n−1)) (Hesterberg, What Teachers Should Know About the Bootstrap, 2015,
section 4.3).

*Being sure while one looks* (`radius`): whoever looks after every board at an ordinary 95 % interval and stops when
it leaves 0 errs far more often than one time in twenty. A *confidence sequence* holds at all times at once. This is
the one of Robbins' normal mixture with the variance estimated (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas,
Time-uniform central limit theory and asymptotic confidence sequences, Annals of Statistics 2024, theorem 2.2)::

    mean ± s √( 2 (n ρ² + 1) / (n² ρ²) · log( √(n ρ² + 1) / α ) )

It errs one time in 1/α whatever the moment of stopping, once there are enough boards for the mean to be near normal
(`LOOK_FROM`); ρ only says for which n it is narrowest (`NARROWEST`).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import floor, fsum, isfinite, log, log2, sqrt
from statistics import fmean, stdev

RESAMPLES = 1000
"""Samples of a bootstrap: the ends of the interval then vary by some 3 % of its width."""

CLUSTERS = 1000
"""More boards than these are put together into so many clusters: as good an interval in bounded time."""

LOOK_FROM = 30
"""Boards before a confidence sequence is looked at: a mean of fewer need not be near normal."""

NARROWEST = 300
"""Boards for which the confidence sequence is made narrowest; far from it, it is a little wider."""

ERROR = 0.05
"""How often an interval or a stop may be wrong."""

_Z = 1.96
_T = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23)
"""Student's t, 95 %, for 1 to 10 degrees of freedom."""


def student(degrees: int) -> float:
    """Student's t for a 95 % interval; beyond the table within 1 % of it."""
    return _T[degrees - 1] if degrees <= len(_T) else _Z + 2.5 / degrees


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and the ends of its 95 % interval. With one board there is no interval: the ends are infinite."""

    mean: float
    low: float
    high: float

    @property
    def known(self) -> bool:
        """Whether there is an interval."""
        return isfinite(self.low)

    @property
    def ends(self) -> str:
        """The ends in a table, or a dash where there are none yet."""
        return f"{self.low:+.2f} … {self.high:+.2f}" if self.known else "–"


@dataclass(frozen=True, slots=True)
class Cluster:
    """What was added up over some games that are not independent of one another: points, and seats × deals."""

    points: float
    weight: float


def interval(clusters: Sequence[Cluster], seed: str = "") -> Interval:
    """The mean points by weight over all clusters, and its bootstrap interval. The same `seed`, the same interval."""
    mean = _mean(clusters)
    count = len(clusters)
    if count < 2:
        return Interval(mean, float("-inf"), float("inf"))
    chance = random.Random(seed)
    grouped = _grouped(clusters)
    means = sorted(_mean(chance.choices(grouped, k=len(grouped))) for _ in range(RESAMPLES))
    cut = round(RESAMPLES * ERROR / 2)
    stretch = student(count - 1) / _Z * sqrt(count / (count - 1))
    return Interval(
        mean, mean + stretch * (means[cut] - mean), mean + stretch * (means[RESAMPLES - 1 - cut] - mean)
    )


def _mean(clusters: Sequence[Cluster]) -> float:
    return fsum(cluster.points for cluster in clusters) / sum(cluster.weight for cluster in clusters)


def _grouped(clusters: Sequence[Cluster]) -> Sequence[Cluster]:
    """At most `CLUSTERS` of them: every thousandth together."""
    if len(clusters) <= CLUSTERS:
        return clusters
    groups = [clusters[first::CLUSTERS] for first in range(CLUSTERS)]
    return [Cluster(fsum(one.points for one in group), sum(one.weight for one in group)) for group in groups]


@dataclass(slots=True)
class Spread:
    """Mean and variance of values that come one after the other (Welford's recurrence)."""

    count: int = 0
    mean: float = 0.0
    _squares: float = 0.0

    def add(self, value: float) -> None:
        """One value more."""
        self.count += 1
        step = value - self.mean
        self.mean += step / self.count
        self._squares += step * (value - self.mean)

    @property
    def variance(self) -> float:
        """The sample variance; 0 for fewer than two values."""
        return self._squares / (self.count - 1) if self.count > 1 else 0.0


def radius(count: int, variance: float, error: float = ERROR) -> float:
    """Half the width of the confidence sequence after `count` values with this sample variance (see above)."""
    if count < 2:
        return float("inf")
    twice = -2 * log(error)
    rho_squared = (twice + log(twice + 1)) / NARROWEST  # ρ², as the same paper suggests
    grown = count * rho_squared + 1
    return sqrt(variance * 2 * grown / (count * count * rho_squared) * log(sqrt(grown) / error))


def summary(values: Sequence[float]) -> tuple[float, float]:
    """Mean and half of the 95 % interval by Student's t, over independent values."""
    return fmean(values), student(len(values) - 1) * stdev(values) / sqrt(len(values))


# ---- times --------------------------------------------------------------------------------------------------------

PER_DOUBLING = 8
"""Buckets between a time and its double: a quantile is right within 4.5 %."""

BUCKETS = 50 * PER_DOUBLING
"""Buckets that there are: the last one begins at 35 years."""

SHORTEST = 1e-6
"""Seconds of the first bucket; nothing that a bot does is shorter."""


@dataclass(slots=True)
class Times:
    """How long moves took, as counts in buckets of equal ratio, so that millions of moves take no room."""

    counts: dict[int, int] = field(default_factory=dict)

    def add(self, seconds: float) -> None:
        """One move more."""
        bucket = max(0, floor(PER_DOUBLING * log2(max(seconds, SHORTEST) / SHORTEST)))
        self.counts[bucket] = self.counts.get(bucket, 0) + 1

    def merge(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Counts from elsewhere."""
        for bucket, count in pairs:
            self.counts[bucket] = self.counts.get(bucket, 0) + count

    def pairs(self) -> tuple[tuple[int, int], ...]:
        """Buckets in order, and what is in them."""
        return tuple(sorted(self.counts.items()))

    @property
    def total(self) -> int:
        """How many moves there were."""
        return sum(self.counts.values())

    def quantile(self, part: float) -> float:
        """The time in seconds that this part of all moves stayed below: the middle of its bucket, or 0 for none."""
        left = part * self.total
        for bucket, count in self.pairs():
            left -= count
            if left <= 0:
                return seconds_of(bucket + 0.5)
        return 0.0


def milliseconds(seconds: float) -> str:
    """A time in milliseconds, ``0.083``, ``3.1``, ``152``: three digits are enough."""
    value = seconds * 1000
    return f"{value:.3g}" if value < 999.5 else f"{value:.0f}"


def seconds_of(bucket: float) -> float:
    """The time at which a bucket begins."""
    return float(SHORTEST * 2 ** (bucket / PER_DOUBLING))
