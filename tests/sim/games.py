"""Short games for simulations, what must hold of any finished one, and how two copies of a table are compared."""

from __future__ import annotations

from typing import NamedTuple

from engine.game import Options, Result
from protocol.log import pack_record
from protocol.table import events
from protocol.table.table import Table
from tests.sim.world import World


class Short(NamedTuple):
    """A game with options that keep it short."""

    game: str
    seats: int
    options: dict[str, str | int]


SHORT = {
    "kasra": Short("kasra", 4, {"kingdoms": 1}),
    "kasra, doubling in turn": Short("kasra", 4, {"kingdoms": 1, "doubling": "sequential"}),
    "istimar": Short("istimar", 3, {"extra_series": 0}),
    "istimar, owner's kitty": Short(
        "istimar", 3, {"extra_series": 0, "kitty_shown": "owner", "seven_in_kitty": "next_heart"}
    ),
    "three_five_eight": Short("three_five_eight", 3, {"deals": 3}),
    "three_five_eight, no cap": Short(
        "three_five_eight", 3, {"deals": 3, "per_loser_cap": "none", "return_rule": "include_received"}
    ),
    "estimation": Short("estimation", 4, {"normal_deals": 1, "speed_deals": 1}),
}


def public(table: Table) -> dict[str, object]:
    """Everything that peers must agree about."""
    return {name: value for name, value in vars(table).items() if name not in ("trusted", "_events")}


def assert_same(first: Table, second: Table) -> None:
    """Both tables are the same, part by part."""
    ours, theirs = public(first), public(second)
    assert ours.keys() == theirs.keys()
    for name, value in ours.items():
        assert value == theirs[name], name


def rebuilt(world: World, *, trusted: bool) -> Table:
    """A fresh table made of the world's records as they would stand in a file."""
    from protocol.log import decode_record_untrusted

    table = Table(world.table_id, trusted=trusted)
    if trusted:
        table.found_false.update(world.peers[0].table.found_false)
    for number, record in enumerate(world.records):
        entry = table.take_untrusted(decode_record_untrusted(pack_record(record)))
        table.settle(table.examine(entry, number))
    return table


def assert_valid(game: str, options: Options, results: tuple[Result, ...]) -> None:
    """What holds of the scores of a game whatever was played."""
    totals = None
    for number, result in enumerate(results, 1):
        assert result.deal == number
        totals = [a + b for a, b in zip(totals or [0] * len(result.points), result.points, strict=True)]
        assert list(result.totals) == totals
        for points, lines in zip(result.points, result.breakdown, strict=True):
            assert points == result.multiplier * sum(one for _, one in lines)
        if game in ("istimar", "three_five_eight"):
            assert sum(result.points) == 0
        if game == "kasra" and number % 4 == 0:
            assert sum(result.totals) == 0


def cheats(world: World, peer: int = 0) -> list[events.Cheated]:
    """Whom a peer has seen cheat."""
    return [event for event in world.peers[peer].events if isinstance(event, events.Cheated)]
