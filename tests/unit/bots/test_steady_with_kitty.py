"""The steady bots of Isti'mar and 3-5-8: always legal whatever the options, and better than chance."""

from __future__ import annotations

import random
from itertools import cycle
from statistics import mean, stdev

import pytest

from bots.builtin import steady
from engine.actions import Action, parse_action
from engine.cards import CardSet, names
from engine.game import State, Value
from engine.games import game
from engine.referee import Chooser, Referee, shuffled

GAMES = ("istimar", "three_five_eight")
CERTAIN = 1.96  # standard errors that 95 % of all means lie within


def steadily(seat: int, state: State, hand: CardSet, actions: list[Action]) -> Action:
    """What the bot plays with the view of a seat."""
    view = state.view() | {"seat": seat, "hand": names(hand).split()}
    legal = [str(action) for action in actions]
    chosen = steady.choose(view, legal)
    assert chosen in legal
    assert steady.choose(view, legal) == chosen
    return parse_action(chosen)


def points(name: str, deals: int, chance: random.Random) -> list[int]:
    """What the steady bot scored against two that play anything, in so many deals, from each seat in turn."""

    def anything(seat: int, state: State, hand: CardSet, actions: list[Action]) -> Action:
        return chance.choice(actions)

    scored: list[int] = []
    for mine in cycle(range(3)):
        if len(scored) >= deals:
            break
        players: list[Chooser] = [steadily if seat == mine else anything for seat in range(3)]
        state = Referee.start(game(name), shuffled(chance.shuffle), dealer=chance.randrange(3)).play(players)
        scored += [result.points[mine] for result in state.results]
    return scored


@pytest.mark.parametrize("name", GAMES)
def test_better_than_chance(name: str, rng: random.Random) -> None:
    scored = points(name, 60, rng)
    assert mean(scored) - CERTAIN * stdev(scored) / len(scored) ** 0.5 > 0


@pytest.mark.parametrize("name", GAMES)
def test_always_legal_whatever_the_options(name: str, rng: random.Random) -> None:
    for _ in range(8):
        chosen: dict[str, Value] = {option.name: rng.choice(option.values) for option in game(name).options}
        if name == "three_five_eight":
            chosen["deals"] = 3
        state = Referee.start(game(name), shuffled(rng.shuffle), chosen).play([steadily] * 3)
        assert state.phase == "over"
