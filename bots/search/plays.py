"""Which card to play: every legal one is played in every world, then the deal is played out by the rollout policies,
or, when only a few tricks are left, as is best for each seat.

Cards that are as good as one another (neighbours in hand, when nobody else holds one between them and no penalty tells
them apart) are tried once.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final

from bots.builtin.steady import choose
from bots.search.deals import Deal, Move, TrickDeal, deal_of
from bots.search.judgement import Budget, Judgement, Tally
from bots.search.points import Complex, Points
from bots.search.reading import Reading
from bots.search.samples import sample
from bots.search.solve import LOOKS, SOLVED, Solver
from bots.search.tricks import SUIT_OF
from engine.cards import CardSet, parse_cards
from engine.games.kasra.scoring import DOUBLABLE

TIE: Final = 0.01
"""Points for what the steady bot would play: with cards that bring the same in all worlds looked at, its habits are
safer in those that were not."""


def judge_play(reading: Reading, legal: tuple[str, ...], budget: Budget) -> Judgement:
    """Judge the plays of a legal list (and the pass of Trix)."""
    moves = {action: move_of(action) for action in legal if action == "pass" or action.startswith("play ")}
    deal, usual = deal_of(reading), choose(reading.raw, legal)
    same = alike(deal, reading.hand, moves) if isinstance(deal, TrickDeal) else {name: name for name in moves}
    if isinstance(deal, TrickDeal) and max(reading.counts) <= SOLVED[reading.seats]:
        return _solved(reading, deal, moves, same, usual, budget)
    tried = [
        (move, Tally(TIE if same[usual] == name else 0.0)) for name, move in moves.items() if same[name] == name
    ]
    for hands in budget.spend(sample(reading, budget, deal)):
        start = deal.at(hands)
        for move, tally in tried:
            position = start.copy()
            position.play(move)
            tally.add(deal.finish(position), reading.seat)  # type: ignore[arg-type]
    tallies = dict(tried)
    return Judgement({name: tallies[moves[same[name]]] for name in moves})


def _solved(
    reading: Reading,
    deal: TrickDeal,
    moves: Mapping[str, Move],
    same: Mapping[str, str],
    usual: str,
    budget: Budget,
) -> Judgement:
    """Each move in each world when all play best from there on. Worlds that come up again are not looked at again;
    when solving has cost its share, the worlds that are left are played out by the rollout policies."""
    solver = Solver(deal)
    tallies = {name: Tally(TIE if name == usual else 0.0) for name in moves}
    known: dict[tuple[CardSet, ...], dict[str, Points]] = {}
    for hands in budget.spend(sample(reading, budget, deal)):
        found = known.get(tuple(hands))
        if found is None:
            finish = solver.points if solver.looked <= LOOKS * budget.worlds else deal.finish
            found = known[tuple(hands)] = {}
            for name, move in moves.items():
                if same[name] == name:
                    position = deal.at(hands)
                    position.play(move)
                    found[name] = finish(position)
        for name, tally in tallies.items():
            tally.add(found[same[name]], reading.seat)
    return Judgement(tallies)


def judge_claim(reading: Reading, claim: str) -> Judgement:
    """What a claim brings: it is legal only when every way to play on scores the same, so any one tells."""
    deal, tally = deal_of(reading), Tally()
    (hands,) = sample(reading, Budget(1, Random(0)))
    tally.add(deal.finish(deal.at(hands)), reading.seat)  # type: ignore[arg-type]
    return Judgement({claim: tally})


def move_of(action: str) -> Move:
    """The card of a play as a set; 0 for a pass."""
    return parse_cards(action.removeprefix("play ")) if action != "pass" else 0


def alike(deal: Deal, hand: CardSet, moves: Mapping[str, Move]) -> dict[str, str]:
    """For each move the first one that is as good: no card between them is with others or on the table."""
    assert isinstance(deal, TrickDeal)
    gone = hand
    for cards in deal.played.taken:
        gone |= cards
    dear = DOUBLABLE if isinstance(deal.scorer, Complex) else 0
    found: dict[str, str] = {}
    previous, before = 0, ""
    for name, move in sorted(moves.items(), key=lambda item: item[1]):
        between = (move - 1) & -(previous << 1)
        neighbours = previous and SUIT_OF[previous] == SUIT_OF[move] and not between & ~gone
        found[name] = found[before] if neighbours and not (previous | move) & dear else name
        previous, before = move, name
    return found
