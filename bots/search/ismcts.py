"""Information-set Monte Carlo tree search over the same core: one tree over what is played, a new world each time.

Single-observer ISMCTS (Cowling, Powley and Whitehouse 2012). Every iteration draws a world, walks down the moves that
are legal in it by UCB1 (a move's chance to be tried counts only the worlds in which it could be), adds one node, plays
the deal out by the rollout policies, and credits every seat's margin to the moves that this seat chose. Unlike `plays`
it learns what the others will answer; unlike `plays` it spreads its worlds over many lines.
"""

from __future__ import annotations

from math import log, sqrt
from random import Random
from typing import Final

from bots.search.deals import Deal, Move, deal_of
from bots.search.judgement import Budget, Judgement, Tally
from bots.search.plays import move_of
from bots.search.points import Points
from bots.search.reading import Reading
from bots.search.samples import sample
from bots.search.tricks import Position
from bots.search.trix import TrixPosition
from engine.cards import cards_in

EXPLORE: Final = 0.7
"""How much a move that was tried less is worth trying, in parts of the spread of results seen so far."""


class _Node:
    """What is known of one move at one place of the tree, from the point of view of the seat that makes it."""

    __slots__ = ("children", "margin", "possible", "visits")

    def __init__(self) -> None:
        self.children: dict[Move, _Node] = {}
        self.margin = 0.0
        self.visits = 0
        self.possible = 0


def judge_play(reading: Reading, legal: tuple[str, ...], budget: Budget) -> Judgement:
    """Judge the plays of a legal list, with as many iterations as the budget has worlds."""
    names = {move_of(text): text for text in legal if text == "pass" or text.startswith("play ")}
    tree = _Tree(deal_of(reading), reading.seat, budget.random)
    for hands in budget.spend(sample(reading, budget)):
        tree.grow(hands)
    for move in names:  # a clock so short that not every move was tried
        tree.root.children.setdefault(move, _Node())
    tallies = {}
    for move, text in names.items():
        node = tree.root.children[move]
        # The move tried most is chosen: its mean is known best. Points are what people are told.
        tallies[text] = Tally(float(node.visits), 0.0, tree.points.get(move, 0.0), node.visits)
    return Judgement(tallies)


class _Tree:
    def __init__(self, deal: Deal, seat: int, random: Random) -> None:
        self.root = _Node()
        self.points: dict[Move, float] = {}  # of the own seat, summed up, by its move
        self._deal = deal
        self._seat = seat
        self._random = random
        self._low = self._high = 0.0

    def grow(self, hands: list[int]) -> None:
        """One iteration in one world."""
        position = self._deal.at(hands)
        node, path, new = self.root, [], False
        while not position.over and not new:
            move, new = self._select(node, position)
            path.append((position.turn, node := node.children[move], move))
            position.play(move)
        points = self._deal.finish(position)  # type: ignore[arg-type]
        self._credit(path, points)

    def _select(self, node: _Node, position: Position | TrixPosition) -> tuple[Move, bool]:
        """The move to follow, and whether it is new to the tree."""
        legal = position.legal()
        moves = [1 << card for card in cards_in(legal)] or [0]
        untried = [move for move in moves if move not in node.children]
        for move in moves:
            if move in node.children:
                node.children[move].possible += 1
        if untried:
            move = self._random.choice(untried)
            node.children[move] = _Node()
            node.children[move].possible = 1
            return move, True
        spread = (self._high - self._low) or 1.0

        def bound(move: Move) -> float:
            child = node.children[move]
            more = sqrt(log(child.possible) / child.visits)
            return child.margin / child.visits + EXPLORE * spread * more

        return max(moves, key=bound), False

    def _credit(self, path: list[tuple[int, _Node, Move]], points: Points) -> None:
        total, others = sum(points), len(points) - 1
        for seat, node, _ in path:
            margin = points[seat] - (total - points[seat]) / others
            node.margin += margin
            node.visits += 1
            self._low, self._high = min(self._low, margin), max(self._high, margin)
        first = path[0][2]
        self.points[first] = self.points.get(first, 0.0) + points[self._seat]
