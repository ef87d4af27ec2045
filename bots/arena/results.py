"""What came of an arena: points added up board by board, and what can be said of the bots.

`Tally` is filled while games are played and stays small: two numbers a board for each bot, and counts. `results`
turns it into values that the terminal, the JSON and the page show.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from bots.arena.boards import Plan, games_in
from bots.arena.playing import KINDS, Played
from bots.arena.ratings import Finish, Rating, finish, fit
from bots.arena.statistics import ERROR, LOOK_FROM, Cluster, Interval, Spread, Times, interval, radius
from bots.player import FAULTS

CURVE = 200
"""Points of a curve over the boards: more than that nobody can see."""


@dataclass(frozen=True, slots=True)
class Duel:
    """Two bots at the same table: by how many points a deal the first is better, and its interval. `held` is the one
    that holds whenever one looks, and `sure` says that it does not hold 0."""

    first: str
    second: str
    difference: Interval
    held: Interval
    sure: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One bot: points a deal, its rating, how long a move took, what it did that it should not."""

    bot: str
    points: Interval
    rating: Rating
    times: Times
    faults: dict[str, int]
    fallback: int

    @property
    def faults_told(self) -> str:
        """How many of each kind: ``illegal 1, timeout 2``, or 0."""
        return ", ".join(f"{kind} {count}" for kind, count in self.faults.items() if count) or "0"


@dataclass(frozen=True, slots=True)
class Results:
    """All that is known after a run. `curves[bot]` is its mean after some boards, as (board, mean)."""

    plan: Plan
    boards: int
    games: int
    deals: int
    rows: tuple[Row, ...]
    duels: tuple[Duel, ...]
    curves: tuple[tuple[tuple[int, float], ...], ...]

    @property
    def sure(self) -> bool:
        """Whether it is sure of every two bots which is better."""
        return bool(self.duels) and all(duel.sure for duel in self.duels)

    def duel(self, first: str, second: str) -> Interval:
        """By how much `first` is better than `second`; they must differ."""
        for duel in self.duels:
            if (duel.first, duel.second) == (first, second):
                return duel.difference
            if (duel.second, duel.first) == (first, second):
                other = duel.difference
                return Interval(-other.mean, -other.high, -other.low)
        raise KeyError((first, second))


class Tally:
    """Adds up games, a whole board at a time."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.boards = 0
        self.games = 0
        count = len(plan.distinct)
        self._circles = len(plan.circles())
        self._usual = games_in(plan, self._circles) / self._circles
        self._sizes = array("d")  # by board: its games; a circle that looks the same after half a turn has fewer
        self._points = [array("d") for _ in range(count)]  # by bot and board: points of all its seats and deals
        self._weights = [array("d") for _ in range(count)]  # by bot and board: how many seats × deals these were
        self._pairs = list(combinations(range(count), 2))
        self._differences = {pair: array("d") for pair in self._pairs}  # by board: points a deal
        self._spreads = {pair: Spread() for pair in self._pairs}
        self._finishes: Counter[Finish] = Counter()
        self._times = [Times() for _ in range(count)]
        self._faults = [[0] * len(KINDS) for _ in range(count)]

    def add(self, games: Sequence[Played]) -> None:
        """One board more: all its games."""
        count = len(self.plan.distinct)
        points, weights = [0.0] * count, [0.0] * count
        deals = self.plan.board.deals
        for game in games:
            totals = game.totals
            for seat, bot in enumerate(game.seating):
                points[bot] += totals[seat]
                weights[bot] += deals
                self._times[bot].merge(game.times[seat])
                self._faults[bot] = [a + b for a, b in zip(self._faults[bot], game.faults[seat], strict=True)]
            self._finishes[finish(game.seating, totals)] += 1
        for bot in range(count):
            self._points[bot].append(points[bot])
            self._weights[bot].append(weights[bot])
        for one, other in self._pairs:
            difference = points[one] / weights[one] - points[other] / weights[other]
            self._differences[one, other].append(difference)
            self._spreads[one, other].add(difference * len(games) / self._usual)
        self._sizes.append(len(games))
        self.boards += 1
        self.games += len(games)

    @property
    def faults(self) -> int:
        """All faults of all bots; what was played for them is none."""
        return sum(sum(counts[: len(FAULTS)]) for counts in self._faults)

    @property
    def played_for(self) -> int:
        """How many moves were played for bots, whatever the reason: a bot that leaves does nothing wrong."""
        return sum(counts[KINDS.index("fallback")] for counts in self._faults)

    @property
    def sure(self) -> bool:
        """Whether it is sure of every two bots which is better. Asked only after whole rounds of circles, and not
        before the means can be trusted to be near normal."""
        ready = self.boards >= LOOK_FROM and self.boards % self._circles == 0
        return ready and bool(self._pairs) and all(self._held(pair)[1] for pair in self._pairs)

    def _held(self, pair: tuple[int, int]) -> tuple[Interval, bool]:
        """The confidence sequence of a pair now. The error is shared among the pairs (Bonferroni)."""
        spread = self._spreads[pair]
        half = radius(spread.count, spread.variance, ERROR / len(self._pairs))
        held = Interval(spread.mean, spread.mean - half, spread.mean + half)
        return held, self.boards >= LOOK_FROM and abs(spread.mean) > half

    def results(self) -> Results:
        """What can be said now; at least one board must have been added."""
        names = self.plan.distinct
        ratings = fit(self._finishes, len(names))
        rows = tuple(
            Row(
                bot=name,
                points=interval(_clusters(self._points[bot], self._weights[bot]), f"{self.plan.seed}/{name}"),
                rating=ratings[bot],
                times=self._times[bot],
                faults=dict(zip(FAULTS, self._faults[bot], strict=False)),
                fallback=self._faults[bot][KINDS.index("fallback")],
            )
            for bot, name in enumerate(names)
        )
        return Results(
            plan=self.plan,
            boards=self.boards,
            games=self.games,
            deals=self.games * self.plan.board.deals,
            rows=rows,
            duels=tuple(self._duel(pair) for pair in self._pairs),
            curves=tuple(_curve(self._points[bot], self._weights[bot]) for bot in range(len(names))),
        )

    def _duel(self, pair: tuple[int, int]) -> Duel:
        first, second = (self.plan.distinct[bot] for bot in pair)
        pairs = zip(self._differences[pair], self._sizes, strict=True)
        clusters = [Cluster(difference * games, games) for difference, games in pairs]
        held, sure = self._held(pair)
        return Duel(first, second, interval(clusters, f"{self.plan.seed}/{first}/{second}"), held, sure)


def _clusters(points: Iterable[float], weights: Iterable[float]) -> list[Cluster]:
    return [Cluster(one, weight) for one, weight in zip(points, weights, strict=True)]


def _curve(points: Sequence[float], weights: Sequence[float]) -> tuple[tuple[int, float], ...]:
    """The mean so far after some boards, evenly spread, the last one included."""
    step = max(1, len(points) // CURVE)
    total = weight = 0.0
    curve = []
    for board, (one, part) in enumerate(zip(points, weights, strict=True), 1):
        total += one
        weight += part
        if board % step == 0 or board == len(points):
            curve.append((board, total / weight))
    return tuple(curve)
