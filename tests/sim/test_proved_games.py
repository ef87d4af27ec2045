"""Whole games of each kind with real proofs: the log says the same to everybody, and `majlis verify` accepts it."""

from __future__ import annotations

import pytest

from protocol.log import pack_record
from protocol.verify import verify_records
from tests.sim.world import World

SEATS = {"estimation": 4, "istimar": 3, "kasra": 4, "three_five_eight": 3}


def play_and_verify(name: str, seed: int) -> None:
    """The peers believe the first one while they play; afterwards everything is verified from the log alone."""
    world = World(name, seed, None, SEATS[name], one_verifies=True)
    for peer in world.peers:
        peer.table.trusted = True
    world.play()
    state = world.table.state
    assert world.table.over and state is not None
    assert {peer.table.state.totals for peer in world.peers if peer.table.state} == {state.totals}
    verdict = verify_records([pack_record(record) for record in world.records])
    assert verdict.error is None and not verdict.faults and verdict.finished
    assert (verdict.totals, verdict.winners) == (state.totals, state.winners)
    assert [result.points for result in verdict.results] == [result.points for result in state.results]


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 2))])
@pytest.mark.parametrize("name", sorted(SEATS))
def test_three_whole_games(name: str, seed: int) -> None:
    play_and_verify(name, 300 + seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3, 10))
@pytest.mark.parametrize("name", sorted(SEATS))
def test_seven_more(name: str, seed: int) -> None:
    play_and_verify(name, 300 + seed)
