"""Random games over a bad network: peers lag, vanish, come back, vote too early; entries arrive too late to fit.

First faults, then none: the game must finish, equal at every peer, valid, and nobody named for a cheat that was none.
"""

from __future__ import annotations

import pytest

from protocol.table import events
from tests.sim.games import SHORT, assert_same, assert_valid, rebuilt
from tests.sim.storm import Storm

SEEDS_EACH_LONG = 12


def storm(name: str, seed: int) -> Storm:
    short = SHORT[name]
    world = Storm(short.game, seed, short.options, short.seats)
    world.rage(4000, losses=1 + seed % 3)
    world.calm()
    for peer in world.peers[1:]:
        assert_same(world.peers[0].table, peer.table)
    state = world.table.state
    if state is not None:
        assert_valid(short.game, state.options, state.results)
    return world


@pytest.mark.parametrize(("name", "seed"), [(name, seed) for seed, name in enumerate(sorted(SHORT), 3)])
def test_a_game_survives_a_storm(name: str, seed: int) -> None:
    world = storm(name, seed)
    assert_same(world.table, rebuilt(world, trusted=True))


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(SHORT))
@pytest.mark.parametrize("seed", range(100, 100 + SEEDS_EACH_LONG))
def test_a_game_survives_many_storms(name: str, seed: int) -> None:
    world = storm(name, seed)
    for trusted in (False, True):
        assert_same(world.table, rebuilt(world, trusted=trusted))


def test_the_storms_are_bad_enough() -> None:
    """What the seeds of the ordinary suite bring: losses in deals, stand-ins, returns, and stale entries."""
    world = storm("istimar", 10)
    happened = world.peers[0].events
    assert any(isinstance(event, events.Lost) for event in happened)
    assert any(isinstance(event, events.Acted) and event.by_standin for event in happened)
    assert any(isinstance(event, events.Returned) for event in happened)
    assert world.stale > 0
