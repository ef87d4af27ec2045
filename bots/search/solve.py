"""Endings of a few tricks, looked through completely: every seat takes the line that is best for it (max-n).

With three or four seats that all play for themselves no line can be cut off as alpha-beta does for two. But endings are
short, cards that are as good as one another are tried once, and positions between tricks are remembered. What counts
for a seat is its margin, as everywhere in the search.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from bots.search.deals import TrickDeal
from bots.search.points import Complex, Points
from bots.search.tricks import SUIT_OF, Bit, Position
from engine.cards import CardSet
from engine.games.kasra.scoring import PENALTY_CARDS

SOLVED: Final = {4: 3, 3: 4}
"""From so many cards in the longest hand on an ending is solved, by the number of seats. That takes about a millisecond
a world; a trick more would take 7 to 33, with 100 worlds more than a table waits."""

_Key: TypeAlias = tuple[object, ...]


class Solver:
    """Solves endings of one deal, in any world."""

    def __init__(self, deal: TrickDeal) -> None:
        self._deal = deal
        self._counts_cards = isinstance(deal.scorer, Complex)
        self._known: dict[_Key, Points] = {}

    def points(self, position: Position) -> Points:
        """The points by seat when all play on as is best for each. The position is used up."""
        key: _Key | None = None
        while True:
            if position.over:
                return self._remember(key, self._deal.points(position))
            moves = self.moves(position)
            if not position.laid and len(moves) > 1:
                key = (*position.hands, position.turn, *position.won, position.last)
                if self._counts_cards:
                    key += tuple(position.taken)
                found = self._known.get(key)
                if found is not None:
                    return found
            if len(moves) > 1:
                break
            position.play(moves[0])
        seat, best, most = position.turn, None, 0.0
        for move in moves:
            after = position.copy()
            after.play(move)
            points = self.points(after)
            margin = len(points) * points[seat] - sum(points)
            if best is None or margin > most:
                best, most = points, margin
        assert best is not None
        return self._remember(key, best)

    def _remember(self, key: _Key | None, points: Points) -> Points:
        if key is not None:
            self._known[key] = points
        return points

    def moves(self, position: Position) -> list[Bit]:
        """What may be played, one of each kind."""
        legal = position.legal()
        alive: CardSet = position.table
        for hand in position.hands:
            alive |= hand
        others = alive ^ position.hands[position.turn]
        dear = PENALTY_CARDS if self._counts_cards else 0
        moves, previous = [], 0
        while legal:
            bit = legal & -legal
            legal ^= bit
            same = previous and SUIT_OF[previous] == SUIT_OF[bit] and not others & (bit - 1) & -(previous << 1)
            if not same or (bit | previous) & dear:
                moves.append(bit)
            previous = bit
        return moves
