"""Two hundred whole random games of each kind on an open table: no dead end, the invariants hold, and the record of
each replays to the same totals."""

from __future__ import annotations

import random

import pytest

from engine.actions import Action
from engine.cards import CardSet
from engine.game import State
from engine.games import game
from engine.record import Recorder, read, replay, write
from engine.referee import Referee, shuffled

GAMES = 200
SHARES = 8  # so that two workers have about as much to do


def check(name: str, state: State) -> None:
    """What must be true of a finished game."""
    for result in state.results:
        points = [result.multiplier * sum(number for _, number in lines) for lines in result.breakdown]
        assert tuple(points) == result.points
        if name in ("istimar", "three_five_eight"):
            assert sum(result.points) == 0
    if name == "kasra":
        for first in range(0, len(state.results), 4):
            assert sum(sum(result.points) for result in state.results[first : first + 4]) == 0
    for seat, total in enumerate(state.totals):
        assert total == sum(result.points[seat] for result in state.results)


@pytest.mark.parametrize("share", range(SHARES))
@pytest.mark.parametrize("name", ["estimation", "istimar", "kasra", "three_five_eight"])
def test_random_games_end_and_replay(name: str, share: int) -> None:
    rules = game(name)
    for number in range(share, GAMES, SHARES):
        rng = random.Random(f"{name}/{number}")

        def choose(seat: int, state: State, hand: CardSet, legal: list[Action], rng: random.Random = rng) -> Action:
            return rng.choice(legal)

        referee = Referee.start(rules, shuffled(rng.shuffle))
        recorder = Recorder(referee, [f"Player {seat}" for seat in range(rules.seats)])
        state = referee.play([choose] * rules.seats)
        check(name, state)
        again = replay(read(write(recorder.record)))
        assert again.finished and again.state.totals == state.totals, f"{name}, game {number}"
