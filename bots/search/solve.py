"""Endings of a few tricks, looked through completely: every seat takes the line that is best for it (max-n).

With three or four seats that all play for themselves no line can be cut off as alpha-beta does for two. What makes
endings short instead:

* Cards that are as good as one another are tried once.
* Between tricks, what is still to come depends on who leads and who holds which cards, and of the cards only on their
  order in each suit. By that it is remembered, so what was found in one world serves in most others of a decision.
* A seat whose line brings all that it can hope for looks no further.

What counts for a seat is its margin, as everywhere in the search; of lines with the same margin it takes the first. So
none of this changes what comes out: it is what looking at every line brings.
"""

from __future__ import annotations

from math import inf
from typing import Final, TypeAlias

from bots.search.deals import TrickDeal
from bots.search.points import Complex, Estimates, LastTricks, Linear, Points, Scorer
from bots.search.tricks import SUIT_OF, Bit, Position
from engine.cards import SUIT_CARDS, CardSet
from engine.games.kasra.scoring import DOUBLABLE

SOLVED: Final = {4: 4, 3: 5}
"""From so many cards in the longest hand on an ending is solved, by the number of seats. With one trick less `quick`
loses little: 0.5 ± 0.3 points a deal in Estimation, 1.3 ± 1.0 in Kasra (600 deals each, the same endings played both
ways, `LOOKS` at 300; at 100 it lost 0.2 ± 0.4 and 1.5 ± 1.0 in 300), in 3-5-8 and Isti'mar nothing that 300 deals could
tell from zero."""

LOOKS: Final = 150
"""How many cards solving may try (`Solver.looked`) for each world that a decision has. Worlds that come when this is
spent are played out instead, so that a hard ending does not keep the table waiting: a card takes 3 to 6 microseconds,
so `sharp` takes about a tenth of a second at most. That solves every world of four decisions in five in Estimation,
nine in ten in Kasra, and nearly all with three seats. Counted, not timed: the same question gets the same answer."""

_Key: TypeAlias = tuple[int, ...]


class Solver:
    """Solves endings of one deal, in any world.

    looked   how many cards were tried so far where there was a choice: what the work is measured by
    """

    def __init__(self, deal: TrickDeal) -> None:
        self.looked = 0
        self._scorer = scorer = deal.scorer
        self._one_by_one = isinstance(scorer, Linear | Complex)  # what a trick brings is made with it
        self._all_together = isinstance(scorer, Estimates)  # only all tricks of the deal tell the points
        self._dear = DOUBLABLE if isinstance(scorer, Complex) else 0  # cards that are like no other
        self._known: dict[_Key, Points] = {}

    def points(self, position: Position) -> Points:
        """The points by seat when all play on as is best for each. The position is used up."""
        scorer, seats, cards = self._scorer, position.rules.seats, _cards(position)
        if cards.bit_count() <= seats:  # in the last trick nobody has a choice
            while not position.over:
                position.play(position.hands[position.turn])
            return scorer.points(position)
        made = scorer.points(position) if self._one_by_one else (0,) * seats
        key = None if position.laid else self._key(position, cards)
        to_come = None if key is None else self._known.get(key)
        if to_come is not None:
            return [had + more for had, more in zip(made, to_come, strict=True)]
        hope = _hope(scorer, cards, cards.bit_count() // seats)
        points = self._trick(position, [had + more for had, more in zip(made, hope, strict=True)])
        if key is not None:
            self._known[key] = [end - had for end, had in zip(points, made, strict=True)]
        return points

    def _trick(self, position: Position, enough: Points) -> Points:
        """The same, for a position in the midst of a trick. A seat that finds `enough` points looks no further."""
        while len(moves := self.moves(position)) == 1:
            position.play(moves[0])
            if not position.laid:
                return self.points(position)
        seat, best, most = position.turn, None, -inf
        for move in moves:
            self.looked += 1
            after = position if move is moves[-1] else position.copy()
            after.play(move)
            points = self._trick(after, enough) if after.laid else self.points(after)
            margin = len(points) * points[seat] - sum(points)
            if best is None or margin > most:
                best, most = points, margin
                if points[seat] >= enough[seat]:
                    break
        assert best is not None
        return best

    def _key(self, position: Position, cards: CardSet) -> _Key:
        """All that what is to come depends on: for each suit the owners of its cards from the lowest up (a figure each,
        with marks for dear cards and the end of the suit), which dear cards there are, who leads; and the tricks won
        so far where they count."""
        first, second, third = position.hands[:3]
        dear, owners = self._dear, 1
        for suit in SUIT_CARDS:
            left = cards & suit
            while left:
                bit = left & -left
                left ^= bit
                owner = 0 if bit & first else 1 if bit & second else 2 if bit & third else 3
                owners = owners << 4 | owner | (4 if bit & dear else 0)
            owners = owners << 4 | 8
        return (owners, cards & dear, position.turn, *(position.won if self._all_together else ()))

    def moves(self, position: Position) -> list[Bit]:
        """What may be played, one of each kind."""
        legal = position.legal()
        if not legal & (legal - 1):
            return [legal]
        others = _cards(position) ^ position.hands[position.turn]
        moves, previous = [], 0
        while legal:
            bit = legal & -legal
            legal ^= bit
            same = previous and SUIT_OF[previous] == SUIT_OF[bit] and not others & (bit - 1) & -(previous << 1)
            if not same or (bit | previous) & self._dear:
                moves.append(bit)
            previous = bit
        return moves


def _cards(position: Position) -> CardSet:
    """All cards in hands and on the table."""
    cards: CardSet = position.table
    for hand in position.hands:
        cards |= hand
    return cards


def _hope(scorer: Scorer, cards: CardSet, tricks: int) -> Points:
    """What each seat can get at most in so many tricks with these cards. No bound where the points have no fixed sum:
    there another line can bring the same, and the others less."""
    match scorer:
        case Linear():
            return (max(0, scorer.each * tricks),) * len(scorer.goals)
        case LastTricks():
            return (0,) * 4
        case Complex() if not (scorer.full_capture and scorer.doubles):
            doubles = [(seat, value) for bit, seat, value in scorer.doubles if bit & cards]
            return [sum(value for doubler, value in doubles if doubler == seat) for seat in range(4)]
    return (inf,) * 4
