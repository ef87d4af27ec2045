"""What a finished deal is worth to each seat, in the numbers of the engine.

A `Scorer` is made once for a decision and asked after every play-out, so it works out beforehand whatever it can and
keeps no breakdown. tests/properties holds it against the engine's results.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bots.search.tricks import Position
from engine.cards import DIAMONDS, SUIT_CARDS, CardSet, cards_in
from engine.games.estimation.scoring import Declared, Table, factor, score
from engine.games.kasra.scoring import (
    COMPLEX_TRICK_POINTS,
    DIAMOND_POINTS,
    KING_OF_HEARTS,
    KING_POINTS,
    LAST_TRICKS_POINTS,
    PENALTY_CARDS,
    QUEEN_POINTS,
    QUEENS,
    TARNEEB_TRICK_POINTS,
    TRIX_POINTS,
    finishing_order,
    single_value,
)

Points: TypeAlias = Sequence[float]


@dataclass(frozen=True, slots=True)
class Linear:
    """So many points a trick, above a number of tricks for each seat: Tarneeb, Isti'mar, 3-5-8."""

    each: int
    goals: tuple[int, ...]

    def points(self, deal: Position) -> Points:
        """By seat."""
        each = self.each
        return [each * (won - goal) for won, goal in zip(deal.won, self.goals, strict=True)]


TARNEEB = Linear(TARNEEB_TRICK_POINTS, (0,) * 4)


@dataclass(frozen=True, slots=True)
class LastTricks:
    """Kasra's last two tricks."""

    def points(self, deal: Position) -> Points:
        """By seat."""
        points = [0, 0, 0, 0]
        for seat, lost in zip(deal.last, reversed(LAST_TRICKS_POINTS), strict=True):
            points[seat] += lost
        return points


@dataclass(frozen=True, slots=True)
class Complex:
    """Kasra's Complex; `doubles` are (card as a set, who doubled it, its single value)."""

    doubles: tuple[tuple[CardSet, int, int], ...]
    full_capture: bool

    @classmethod
    def of(cls, doubled: Sequence[CardSet], self_capture: str) -> Complex:
        """With the cards that each seat doubled, and the option `self_capture`."""
        shown = ((seat, one) for seat, cards in enumerate(doubled) for one in cards_in(cards))
        return cls(tuple((1 << one, seat, single_value(one)) for seat, one in shown), self_capture == "full")

    def points(self, deal: Position) -> Points:
        """By seat."""
        points = [COMPLEX_TRICK_POINTS * won for won in deal.won]
        for seat, taken in enumerate(deal.taken):
            if taken & PENALTY_CARDS:
                points[seat] += DIAMOND_POINTS * (taken & _DIAMONDS).bit_count()
                points[seat] += QUEEN_POINTS * (taken & QUEENS).bit_count()
                if taken & KING_OF_HEARTS:
                    points[seat] += KING_POINTS
        for bit, doubler, value in self.doubles:
            for taker, taken in enumerate(deal.taken):
                if taken & bit:
                    if taker != doubler:
                        points[taker] -= value
                        points[doubler] += value
                    elif self.full_capture:
                        points[taker] -= value
        return points


_DIAMONDS = SUIT_CARDS[DIAMONDS]


class Estimates:
    """Estimation: the engine's score of every distribution of tricks, worked out when it first occurs."""

    def __init__(self, table: Table, declared: Declared, multiplier: int = 1) -> None:
        self._table = table
        self._declared = declared
        self._factor = multiplier * factor(table, declared)
        self._known: dict[tuple[int, ...], Points] = {}

    def points(self, deal: Position) -> Points:
        """By seat."""
        tricks = tuple(deal.won)
        found = self._known.get(tricks)
        if found is None:
            lines = score(self._table, self._declared, tricks)
            found = [self._factor * sum(part[1] for part in seat) for seat in lines]
            self._known[tricks] = found
        return found


def trix_points(out: Sequence[int]) -> Points:
    """Trix: by the order of going out."""
    points = [0, 0, 0, 0]
    for seat, value in zip(finishing_order(tuple(out)), TRIX_POINTS, strict=True):
        points[seat] = value
    return points


Scorer: TypeAlias = Linear | LastTricks | Complex | Estimates

