"""A peer without a network: what it remembers of cheats, and when it votes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import trio
import trio.testing

from p2p import limits
from p2p.clocks import Clocks
from p2p.peer import Peer
from p2p.store import Secrets, TableStore
from protocol import messages
from protocol.deck import dealing
from protocol.identity import Identity
from protocol.log import pack_record
from protocol.messages import Body
from protocol.table.checks import deal_cards
from protocol.table.events import Event
from protocol.table.rounds import Kind, Round
from tests.cheats.table_cheats import FRESH, caught
from tests.sim.world import Peer as Simulated
from tests.sim.world import World


def onlooker(world: World, folder: Path) -> TableStore:
    """An empty store of somebody without a seat."""
    secrets = Secrets(bytes(32), Identity.generate(b"o" * 32).to_bytes(), bytes(16))
    return TableStore.create(folder, world.table_id, "guest", secrets, game="kasra")


def store_of(world: World, number: int, folder: Path) -> TableStore:
    """An empty store with the identity of one of the world's peers."""
    secrets = Secrets(bytes(32), world.peers[number].identity.to_bytes(), bytes(16))
    return TableStore.create(folder, world.table_id, "guest", secrets, game="kasra")


async def ignore(event: Event) -> None:
    """Nobody watches."""


def peer_of(store: TableStore, is_bot: bool = True) -> Peer:
    return Peer(store, uplink=lambda entry: None, observe=ignore, is_bot=is_bot)


def false_shares(world: World) -> Callable[[Simulated, Round, Body], Body | None]:
    """Deal shares that only their proof shows to be false."""

    def change(peer: Simulated, round: Round, body: Body) -> Body | None:
        state = peer.table.state
        if not isinstance(body, messages.DealShares) or state is None or state.phase != "deal":
            return None
        cards = deal_cards(peer.table, round, peer.seat)
        swapped = [card._replace(cipher=other.cipher) for card, other in zip(cards, reversed(cards), strict=True)]
        secret = peer.holder.key(peer.table, round.serial)
        shares = dealing.deal_shares(world.context(peer, round), secret, swapped, FRESH)
        return messages.DealShares(round.serial, round.step, shares, body.opened)

    return change


def place(peer: Peer) -> tuple[bytes, int, int, list[tuple[bool, bool]]]:
    """Where its table stands."""
    table = peer.table
    return table.chain.head, table.serial, table.step, [(player.lost, player.barred) for player in table.players]


async def test_a_cheat_is_remembered_when_the_table_is_opened_again(tmp_path: Path) -> None:
    world = World("kasra", 5, {"kingdoms": 1}, one_verifies=True)
    caught(world, world.peers[2], change=false_shares(world))
    after = len(world.records) + 2 * limits.UNSURE
    world.play(until=lambda: len(world.records) >= after)
    with onlooker(world, tmp_path) as store:
        path = store.path
        peer = peer_of(store)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(peer.run)
            for record in world.records:
                peer.feed(pack_record(record))
            await peer.settled(len(world.records))
            nursery.cancel_scope.cancel()
        before = place(peer)
        assert any(barred for _, barred in before[3])
    with TableStore.open(path) as store:
        again = peer_of(store)
        await again.reload()
        assert place(again) == before


async def test_a_cheat_is_found_again_after_a_kill_before_it_was_noted(tmp_path: Path) -> None:
    world = World("kasra", 5, {"kingdoms": 1}, one_verifies=True)
    caught(world, world.peers[2], change=false_shares(world))
    with store_of(world, 1, tmp_path) as store:
        for record in world.records:
            store.append(pack_record(record))
        peer = peer_of(store)
        await peer.reload()
        assert any(player.barred for player in peer.table.players)
        assert len(store.outbox) == 1


async def waiting_for(world: World, store: TableStore, is_bot: bool) -> tuple[Peer, int]:
    """A peer at a table that waits for somebody else's card, and that seat."""
    me = world.peers[1]

    def another_is_asked() -> bool:
        rounds = [round for round in world.table.rounds if round.kind is Kind.ASK]
        return any(not round.awaits(me.seat) for round in rounds)

    world.play(until=another_is_asked)
    for record in world.records:
        store.append(pack_record(record))
    peer = peer_of(store, is_bot)
    await peer.reload()
    peer._note_waiting()
    asked = next(round for round in peer.table.rounds if round.kind is Kind.ASK)
    return peer, asked.waiting[0]


@pytest.mark.parametrize(
    ("is_bot", "present", "turn", "away", "votes"),
    [
        (True, False, 60.0, 300.0, True),  # a bot's peer votes by itself about somebody who is gone
        (True, True, 60.0, 300.0, True),  # … or whose own program should long have played for him
        (True, True, 0.0, 300.0, False),  # but not about somebody who may think as long as he likes
        (True, False, 0.0, 300.0, True),
        (True, False, 60.0, 0.0, False),  # nobody need be waited for: not before a person has voted
        (False, False, 60.0, 300.0, False),  # a person is asked
    ],
)
async def test_who_votes_without_being_asked(
    tmp_path: Path,
    mock_clock: trio.testing.MockClock,
    is_bot: bool,
    present: bool,
    turn: float,
    away: float,
    votes: bool,
) -> None:
    world = World("kasra", 6, {"kingdoms": 1}, one_verifies=True)
    with store_of(world, 1, tmp_path) as store:
        peer, seat = await waiting_for(world, store, is_bot)
        peer.clocks = Clocks(turn=turn, away=away)
        peer.present = lambda other: present
        mock_clock.jump(away - 1.0 if away else 0.0)
        peer._cast_votes()
        assert peer._votes == set()
        mock_clock.jump(2.0)
        peer._cast_votes()
        assert (seat in peer._votes) is votes  # others may be waited for too: the next pack is being made


async def test_a_persons_vote_is_kept_until_its_time(tmp_path: Path, mock_clock: trio.testing.MockClock) -> None:
    world = World("kasra", 6, {"kingdoms": 1}, one_verifies=True)
    with store_of(world, 1, tmp_path) as store:
        peer, seat = await waiting_for(world, store, is_bot=False)
        peer.clocks = Clocks(away=300.0)
        mock_clock.jump(100.0)
        assert peer.vote(seat) == pytest.approx(200.0, abs=5.0)
        assert peer._votes == set()
        mock_clock.jump(200.0)
        peer._cast_votes()
        assert peer._votes == {seat}
        peer._votes.clear()
        peer.forget_vote(seat)
        peer._cast_votes()
        assert peer._votes == set()
