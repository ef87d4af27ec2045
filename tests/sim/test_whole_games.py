"""Whole random games of each kind with real proofs: no dead end, valid scores, and the log alone gives the same table
again. In the long suite every peer verifies everything."""

from __future__ import annotations

import pytest

from protocol.log import pack_record
from protocol.table.rounds import Kind
from protocol.verify import verify_records
from tests.sim.games import SHORT, assert_same, assert_valid, cheats, rebuilt
from tests.sim.world import World

GAMES_EACH_LONG = 3
WHOLE = {"kasra": 4, "istimar": 3, "three_five_eight": 3, "estimation": 4}


def check(world: World) -> None:
    for number, peer in enumerate(world.peers):
        assert not cheats(world, number)
        assert_same(world.peers[0].table, peer.table)
    state = world.table.state
    assert world.table.over and state is not None
    assert_valid(world.game, state.options, state.results)
    assert state.winners == tuple(seat for seat, total in enumerate(state.totals) if total == max(state.totals))
    assert_same(world.table, rebuilt(world, trusted=True))


@pytest.mark.parametrize("name", sorted(WHOLE))
def test_a_short_game(name: str) -> None:
    short = SHORT[name]
    world = World(short.game, 11, short.options, short.seats, one_verifies=name != "istimar")
    world.play()
    check(world)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(GAMES_EACH_LONG))
@pytest.mark.parametrize("name", sorted(WHOLE))
def test_a_whole_game(name: str, seed: int) -> None:
    world = World(name, 1000 + seed, None, WHOLE[name])
    world.play()
    check(world)
    verdict = verify_records(map(pack_record, world.records))
    assert verdict.error is None and verdict.finished and verdict.faults == []
    assert world.table.state is not None and verdict.totals == world.table.state.totals
    assert verdict.phases[Kind.SCORE.value].entries == verdict.deals * WHOLE[name]


def test_another_preset_of_estimation() -> None:
    from engine.games import game

    preset = dict(game("estimation").presets["egyptian"]) | {"normal_deals": 1, "speed_deals": 0}
    world = World("estimation", 5, preset, one_verifies=True)
    world.play()
    check(world)
