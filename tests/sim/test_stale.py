"""An honest entry that comes late is stale, never a false proof: kept back across every change that others can make.

For each kind of entry: its author makes it, then, before it is ordered, something happens that changes what is public
or who is there. It must be ignored, name nobody, and its author must be able to answer anew.
"""

from __future__ import annotations

import msgspec
import pytest

from protocol.log import Entry, sign_entry
from protocol.messages import KeyReveal, Score, SitDown
from protocol.table import events
from protocol.table.events import Cheated
from protocol.table.rounds import Kind, Round
from tests.sim.games import SHORT, assert_same, assert_valid, cheats
from tests.sim.world import Peer, World

WHERE = dict.fromkeys((kind for kind in Kind if kind is not Kind.RECOVER), "istimar") | {
    Kind.SEAL: "estimation",
    Kind.UNSEAL: "estimation",
}
OF_A_PACK = (Kind.COMMIT, Kind.REVEAL, Kind.SHARE, Kind.ACCEPT, Kind.SHUFFLE)


def signed(world: World, peer: Peer, round: Round) -> Entry:
    """An honest answer, signed, not yet ordered."""
    body = world.answer(peer, round)
    peer.counter += 1
    chain = peer.table.chain
    return sign_entry(peer.identity, world.table_id, peer.counter, chain.height, chain.head, body)


def at(kind: Kind, seed: int = 4) -> tuple[World, Peer, Round, Peer]:
    """A world that has come to a round of this kind; somebody whom it waits for, and another player."""
    short = SHORT[WHERE[kind]]
    world = World(short.game, seed, short.options, short.seats, one_verifies=True)
    world.packs_first = kind in OF_A_PACK
    in_a_deal = kind in OF_A_PACK

    def there() -> bool:
        return any(round.kind is kind for round in world.table.rounds) and (
            not in_a_deal or world.table.in_play is not None
        )

    world.play(until=there)
    round = next(round for round in world.table.rounds if round.kind is kind)
    author = world.peer_at(round.waiting[0])
    other = next(peer for peer in world.peers[::-1] if peer is not author)
    return world, author, round, other


def go_on(world: World) -> None:
    """The game goes on, and nobody is named for what came late."""
    scored = len(world.table.state.results) if world.table.state is not None else 0
    world.play_on(until=lambda: world.table.state is not None and len(world.table.state.results) > scored)
    for peer in world.peers[1:]:
        assert_same(world.peers[0].table, peer.table)
    assert world.table.state is not None
    assert_valid(world.game, world.options, world.table.state.results)


@pytest.mark.parametrize("kind", WHERE, ids=lambda kind: kind.value)
def test_a_seat_is_lost_while_an_entry_is_under_way(kind: Kind) -> None:
    """The author has voted, answered the round, and then the last vote comes before his answer."""
    world, author, round, gone = at(kind)
    author.gone = gone.gone = True
    world.play()
    author.gone = False
    *early, last = [peer for peer in world.peers if peer not in (author, gone)]
    for peer in (author, *early):
        vote = world.ballot(peer, gone)
        assert vote is not None
        world.add(peer, vote)
    late = signed(world, author, round)
    vote = world.ballot(last, gone)
    assert vote is not None
    world.add(last, vote)
    assert world.table.players[gone.seat].lost
    before = world.stale
    world.place(late)
    assert not cheats(world)
    assert (world.stale > before) is (kind is not Kind.SCORE), "only a score does not depend on who is there"
    go_on(world)
    assert not cheats(world)


@pytest.mark.parametrize("kind", WHERE, ids=lambda kind: kind.value)
def test_a_deal_is_thrown_in_while_an_entry_is_under_way(kind: Kind) -> None:
    """Somebody else cheats (with a false key for the next pack, or a false score): the deal begins anew."""
    world, author, round, cheater = at(kind)
    late = signed(world, author, round)
    author.gone = True

    def cheat(peer: Peer, round: Round, body: object) -> object:
        if isinstance(body, KeyReveal):
            return msgspec.structs.replace(body, proof=bytes(64))
        return msgspec.structs.replace(body, digest=bytes(32)) if isinstance(body, Score) else body

    cheater.tamper = cheat  # type: ignore[assignment]
    world.play()
    if not cheats(world):  # nothing to cheat with before the author answers: he sends what is no message
        peer, chain = cheater, world.peers[0].table.chain
        peer.counter += 1
        world.place(
            sign_entry(peer.identity, world.table_id, peer.counter, chain.height, chain.head, NO_MESSAGE)  # type: ignore[arg-type]
        )
    assert [event.seat for event in cheats(world)] == [cheater.seat]
    before = world.stale
    world.place(late)
    assert (world.stale > before) is (kind is not Kind.SCORE)
    named = [event.seat for event in cheats(world)]  # seats have other numbers after the draw
    author.gone = False
    if kind in (Kind.DRAW, Kind.ASK, Kind.SCORE):  # for the others it goes on in the same way
        go_on(world)
    assert [event.seat for event in cheats(world)] == named


class _NoMessage(msgspec.Struct, frozen=True, tag="no-message", tag_field="k"):
    pass


NO_MESSAGE = _NoMessage()


@pytest.mark.parametrize("kind", OF_A_PACK, ids=lambda kind: kind.value)
def test_a_pack_is_dropped_while_an_entry_for_it_is_under_way(kind: Kind) -> None:
    """Somebody sits down again: a pack with his key is begun in the place of the one that was made ready without it."""
    world = World("kasra", 4, {"kingdoms": 1}, one_verifies=True)
    world.packs_first = True
    world.play(until=lambda: world.table.state is not None and world.table.state.phase == "play")
    back = world.peers[3]
    back.gone = True
    world.play_on(until=lambda: world.table.state is not None and world.table.state.deal == 2 and any(
        round.kind is kind for round in world.table.rounds) and world.table.in_play is not None)  # fmt: skip
    round = next(round for round in world.table.rounds if round.kind is kind)
    author = world.peer_at(round.waiting[0])
    late = signed(world, author, round)
    back.gone = False
    world.add(back, SitDown())
    before = world.stale
    world.place(late)
    assert world.stale == before + 1
    go_on(world)
    assert not cheats(world)
    assert not any(isinstance(event, events.Redealt) for event in world.peers[0].events)


def test_a_score_that_was_signed_for_an_earlier_deal_is_no_false_score() -> None:
    world = World("three_five_eight", 2, {"deals": 3}, 3, one_verifies=True)
    world.play(until=lambda: world.table.score_round is not None)
    old = world.answer(world.peers[0], world.table.rounds[0])
    world.play(until=lambda: world.table.score_round is not None and world.table.state is not None
               and len(world.table.state.results) == 2)  # fmt: skip
    world.add(world.peers[0], old)
    assert not [event for event in world.peers[1].events if isinstance(event, Cheated)]
    world.play()
    assert world.table.over
