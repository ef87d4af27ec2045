"""What is told of the table: how long somebody still has, the same on every screen."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import pytest

from engine.game import asked
from engine.games import game
from engine.referee import Referee, shuffled
from p2p.clocks import Clocks
from p2p.news import presence

CLOCKS = Clocks(turn=60.0, bot=5.0, away=300.0)


def peer(waited: float, clocks: Clocks = CLOCKS, bot: bool = False, lost: bool = False) -> tuple[Any, int]:
    """As much of a peer as is looked at, and the seat that is asked and waited for."""
    referee = Referee.start(game("358"), shuffled(random.Random(1).shuffle), {})
    seat = asked(referee.advance())[0]  # type: ignore[arg-type]
    players = [SimpleNamespace(key=bytes([at]), name="Amal", lost=lost, bot=bot, machine=b"\0") for at in range(3)]
    table = SimpleNamespace(players=players, state=referee.state)
    return SimpleNamespace(table=table, clocks=clocks, waited_for=lambda: {seat: waited}), seat


def left(waited: float, here: bool = True, clocks: Clocks = CLOCKS, bot: bool = False) -> float:
    """What is told."""
    one, seat = peer(waited, clocks, bot)
    (waiting,) = presence(one, [here or at != seat for at in range(3)], None).waiting
    assert waiting.seat == seat
    return waiting.seconds


def test_others_see_the_clock_of_a_move_as_its_player_does() -> None:
    assert left(waited=20.0) == 40.0
    assert left(waited=2.0, bot=True) == 3.0


@pytest.mark.parametrize(
    "told",
    [
        left(waited=100.0, here=False),
        left(waited=100.0),  # the move is long overdue: his program has stopped
        left(waited=100.0, clocks=Clocks(turn=0.0, bot=5.0, away=300.0)),
    ],
)
def test_otherwise_what_counts_is_when_a_stand_in_may_play(told: float) -> None:
    assert told == 200.0


def test_who_is_gone_has_no_clock_of_his_own() -> None:
    assert left(waited=20.0, here=False) == 280.0
    assert left(waited=400.0, here=False) == 0.0
