"""Logs of whole games with real proofs, played in memory once for all tests."""

from __future__ import annotations

from functools import cache

from engine.games import game as find_game
from protocol.log import pack_record
from protocol.messages import SitDown
from protocol.wire import frame
from tests.sim.world import Peer, World, choose_claiming

SHORT: dict[str, tuple[tuple[str, str | int], ...]] = {
    "kasra": (("kingdoms", 1),),
    "estimation": (("normal_deals", 1), ("speed_deals", 1)),
    "istimar": (("extra_series", 0),),
    "three_five_eight": (("deals", 3),),
}


@cache
def played(game: str, seed: int = 1, options: tuple[tuple[str, str | int], ...] | None = None) -> World:
    """A game played to its end; the shortest one without `options`."""
    world = new(game, seed, options)
    world.play()
    assert world.table.over
    return world


def new(game: str, seed: int = 1, options: tuple[tuple[str, str | int], ...] | None = None) -> World:
    """A game that begins. Every second deal is claimed."""
    chosen = dict(SHORT[game] if options is None else options)
    world = World(game, seed, chosen, find_game(game).seats, one_verifies=True)
    for peer in world.peers:
        peer.chooser = choose_claiming
    return world


def bodies(world: World) -> list[bytes]:
    """The records of a log as they stand in the frames of its file."""
    return [pack_record(record) for record in world.records]


def file_of(records: list[bytes]) -> bytes:
    """A log's file."""
    return b"".join(map(frame, records))


def lose(world: World, peer: Peer) -> None:
    """Somebody goes away, and the others agree that the stand-in plays."""
    peer.gone = True
    for other in world.peers:
        if not other.gone:
            vote = other.table.ballot(other.seat, peer.seat)
            if vote is not None:
                world.add(other, vote)


def come_back(world: World, peer: Peer) -> None:
    """Somebody sits down again."""
    peer.gone = False
    world.add(peer, SitDown())
