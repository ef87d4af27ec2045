"""Hidden hands that fit everything played and proved.

Cards that can lie in the same places are alike: they form a *group*. How many of a group go to each place decides in
how many ways the rest can be dealt, so these numbers are drawn first, each split as likely as the ways it leaves; then
the cards of a group are shuffled and handed out. So every possible world is equally likely, none is ever refused, and a
world costs a few table look-ups. (A split of n cards of a group into a, b, … counts n! / (a! b! …) ways; the ways of
the groups still to come are counted once and kept.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import factorial
from random import Random
from typing import Final, TypeAlias

from bots.search.hidden import Hidden
from engine.cards import CardSet, cards_in

Split: TypeAlias = tuple[int, ...]
Likelihood: TypeAlias = Callable[[Sequence[CardSet]], float]


SWAPS: Final = 8
"""Tries to swap two cards when a world is moved on: two or three succeed."""


class Worlds:
    """Deals the hidden cards again and again, uniformly over all worlds that fit."""

    def __init__(self, hidden: Hidden, random: Random) -> None:
        self._random = random
        self._places = len(hidden.places)
        groups: dict[Split, list[int]] = {}
        for one in cards_in(hidden.cards):
            where = tuple(place for place, can_hold in enumerate(hidden.can_hold) if can_hold >> one & 1)
            groups.setdefault(where, []).append(one)
        self._movable = [(1 << one, where) for where, cards in groups.items() if len(where) > 1 for one in cards]
        # The largest group last: by then what is left to fill decides its split.
        self._groups = sorted(groups.items(), key=lambda group: (len(group[0]), len(group[1])))
        self._counts = tuple(hidden.counts)
        self._known: dict[tuple[int, Split], tuple[list[tuple[Split, float]], float]] = {}
        if not self._ways_after(0, self._counts):
            raise ValueError("no way to deal the hidden cards")

    def draw(self) -> list[CardSet]:
        """One world: the cards of each place, in the order of `Hidden.places`."""
        random = self._random
        hands = [0] * self._places
        left = self._counts
        for number, (where, cards) in enumerate(self._groups):
            splits, total = self._ways(number, left)
            split = splits[0][0] if len(splits) == 1 else _picked(splits, random.random() * total)
            if len(where) > 1:
                random.shuffle(cards)
            at = 0
            for place, many in zip(where, split, strict=True):
                for one in cards[at : at + many]:
                    hands[place] |= 1 << one
                at += many
            left = _less(left, where, split)
        return hands

    def sample(
        self, number: int, likelihood: Likelihood | None = None, tries: int = 4
    ) -> list[tuple[int, list[CardSet]]]:
        """So many worlds in no order, each with the number of the draw that it comes from.

        With a `likelihood` of hands (by place), `tries` times as many are drawn, and worlds taken from them in
        proportion to it (systematic resampling). Where so few draws are likely that many would be taken again and
        again, each world taken is moved on by swaps of two cards that keep likely worlds likely (Metropolis).
        """
        if likelihood is None:
            return [(at, self.draw()) for at in range(number)]
        drawn = [self.draw() for _ in range(number * tries)]
        weights = [likelihood(hands) for hands in drawn]
        total, squares = sum(weights), sum(weight * weight for weight in weights)
        if total <= 0:
            return list(enumerate(drawn[:number]))
        few = total * total < number * squares  # less is known from them than from so many draws that are alike
        step, reached = total / number, 0.0
        mark = step * self._random.random()
        chosen: list[tuple[int, list[CardSet]]] = []
        for at, (hands, weight) in enumerate(zip(drawn, weights, strict=True)):
            reached += weight
            while mark < reached and len(chosen) < number:
                chosen.append((at, self._moved(hands, weight, likelihood) if few else hands))
                mark += step
        self._random.shuffle(chosen)
        return chosen

    def _moved(self, hands: list[CardSet], weight: float, likelihood: Likelihood) -> list[CardSet]:
        """Another world near this one of that likelihood. Drawn from likely worlds in proportion, it is so, too."""
        cards, random = self._movable, self._random
        for _ in range(SWAPS):
            (one, from_one), (other, from_other) = random.choice(cards), random.choice(cards)
            here = next(place for place in from_one if hands[place] & one)
            there = next(place for place in from_other if hands[place] & other)
            if here == there or there not in from_one or here not in from_other:
                continue
            swapped = hands[:]
            swapped[here] ^= one | other
            swapped[there] ^= one | other
            new = likelihood(swapped)
            if new >= weight * random.random():
                hands, weight = swapped, new
        return hands

    def _ways(self, number: int, left: Split) -> tuple[list[tuple[Split, float]], float]:
        """The splits of group `number` among its places when so many cards are still missing in each place, with the
        ways to deal this group and all later ones; and the sum of these ways."""
        key = (number, left)
        found = self._known.get(key)
        if found is None:
            where, cards = self._groups[number]
            splits = []
            for split in _splits(len(cards), [left[place] for place in where]):
                rest = _less(left, where, split)
                ways = _arrangements(split) * self._ways_after(number + 1, rest)
                if ways:
                    splits.append((split, ways))
            found = self._known[key] = (splits, sum(ways for _, ways in splits))
        return found

    def _ways_after(self, number: int, left: Split) -> float:
        if number == len(self._groups):
            return 0.0 if any(left) else 1.0
        if number == len(self._groups) - 1:  # one group fills what is left, or nothing does
            where, cards = self._groups[number]
            split = tuple(left[place] for place in where)
            if sum(split) != len(cards) or sum(left) != len(cards):
                return 0.0
            return _arrangements(split)
        return self._ways(number, left)[1]


def _picked(splits: list[tuple[Split, float]], mark: float) -> Split:
    """The split at `mark` when all are laid end to end, each as long as its ways."""
    for split, ways in splits:
        mark -= ways
        if mark < 0:
            return split
    return splits[-1][0]


def _splits(cards: int, room: list[int]) -> Iterator[Split]:
    """The ways to give so many alike cards to places with so much room."""
    *first, last = room
    for split in product(*(range(min(cards, one) + 1) for one in first)):
        rest = cards - sum(split)
        if 0 <= rest <= last:
            yield (*split, rest)


def _arrangements(split: Split) -> float:
    ways = factorial(sum(split))
    for many in split:
        ways //= factorial(many)
    return float(ways)


def _less(left: Split, where: Split, split: Split) -> Split:
    after = list(left)
    for place, many in zip(where, split, strict=True):
        after[place] -= many
    return tuple(after)
