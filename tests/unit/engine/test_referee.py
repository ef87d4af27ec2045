"""The table that sees every card: how far it plays."""

from __future__ import annotations

import random

import pytest

from engine.game import NewPack
from engine.games import NAMES, game
from engine.referee import Referee, shuffled


@pytest.mark.parametrize("name", NAMES)
def test_it_stops_before_the_next_pack_once_so_many_deals_are_scored(name: str) -> None:
    """Also where a deal ends with an audit, after which nobody is asked anything."""
    chance = random.Random(f"stop/{name}")
    rules = game(name)
    referee = Referee.start(rules, shuffled(chance.shuffle))
    anything = [lambda seat, state, hand, actions: chance.choice(actions)] * rules.seats
    for deals in (1, 2):
        state = referee.play(anything, 1)
        assert len(state.results) == deals
        assert isinstance(state.step, NewPack)
