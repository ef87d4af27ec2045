"""Whole random games of each kind with real proofs: no dead end, valid scores, and the log alone gives the same table
again. In the long suite every peer verifies everything."""

from __future__ import annotations

from random import Random

import pytest

from engine.actions import Action
from engine.game import Result
from protocol.log import pack_record
from protocol.table.rounds import Kind
from protocol.table.table import Table
from protocol.verify import verify_records
from tests.properties.test_claims import play_out
from tests.sim.games import SHORT, assert_same, assert_valid, cheats, rebuilt
from tests.sim.world import World, choose_claiming

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


class Claimers:
    """Players who claim, and what each claimed deal would have come to if it had been played out."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.expected: list[Result] = []
        for peer in world.peers:
            peer.chooser = self.choose

    def choose(self, table: Table, seat: int, actions: list[Action], rng: Random) -> Action:
        action = choose_claiming(table, seat, actions, rng)
        if action.verb == "claim":
            assert table.state is not None
            hands = {peer.seat: peer.holder.cards(peer.table, peer.seat) for peer in self.world.peers}
            self.expected.append(play_out(table.state, [hands[seat] for seat in sorted(hands)], rng).results[-1])
        return action


@pytest.mark.parametrize("name", sorted(WHOLE))
def test_a_short_game(name: str) -> None:
    """Some of its deals are claimed: they score what playing on would have scored."""
    short = SHORT[name]
    world = World(short.game, 11, short.options, short.seats, one_verifies=name != "istimar")
    claimers = Claimers(world)
    world.play()
    check(world)
    assert world.table.state is not None
    assert claimers.expected, "a seed that shows nothing"
    assert set(claimers.expected) <= set(world.table.state.results)


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
