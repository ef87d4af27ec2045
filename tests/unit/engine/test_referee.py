"""The table that sees every card: how far it plays."""

from __future__ import annotations

import random

import pytest

from engine.game import NewPack, Sealed, asked
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


@pytest.mark.parametrize("name", NAMES)
def test_the_public_knows_the_same_whether_somebody_looked_after_every_action_or_only_at_the_end(name: str) -> None:
    """What is played is only noted until somebody looks."""
    tables = []
    for looking in (True, False):
        chance = random.Random(f"look/{name}")
        rules = game(name)
        referee = Referee.start(rules, shuffled(chance.shuffle))
        if looking:
            referee.observers.append(lambda event, table=referee: table.knowledge.hands)  # type: ignore[misc]
        actions = 0
        while actions < 150:  # into the third deal, and not at its end
            step = referee.advance()
            for seat in asked(step):
                actions += 1
                if isinstance(step, Sealed):
                    referee.act_at_once({one: referee.legal(one)[0] for one in step.seats})
                    break
                referee.act(seat, chance.choice(referee.legal(seat)))
        tables.append(referee.knowledge)
    assert tables[0] == tables[1]
    assert any(tables[0].hands)
