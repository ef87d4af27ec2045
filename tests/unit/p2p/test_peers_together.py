"""Real peers around a host in memory: players who fall silent are voted away, and Ctrl-C is safe in every moment."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from bots.builtin import make
from bots.player import InProcess
from p2p import limits
from p2p import peer as peer_module
from p2p.peer import Peer
from p2p.store import TableStore
from protocol.log import decode_entry_untrusted
from protocol.table.answers import answer
from tests.net.processes import DEADLINE
from tests.sim.world import World
from tests.unit.p2p.around import Around, chain_of, ignore, store_of

GAME, OPTIONS = "estimation", {"normal_deals": 1, "speed_deals": 0}


@pytest.mark.parametrize("after", [pytest.param(20, marks=pytest.mark.long), 60])
async def test_two_who_fall_silent_are_voted_away_and_the_game_goes_on(
    tmp_path: Path, mock_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    """While the packs are made, and in the middle of a deal."""
    monkeypatch.setattr(limits, "SAME_MOMENT", 0.0)
    world = World(GAME, 3, dict(OPTIONS))
    around, scopes = Around(world, chain_of(world)), list[trio.CancelScope]()
    stores = [store_of(world, number, tmp_path) for number in range(4)]

    async def run(number: int, scope: trio.CancelScope) -> None:
        with scope:
            await around.peers[number].run()
        around.here.discard(number)

    for number, store in enumerate(stores):
        player = InProcess(make("steady", number))
        peer = Peer(store, uplink=around.submit, observe=ignore, player=player, seed=number)
        await peer.reload()
        peer.catch_up(0)
        peer.present = around.present
        around.peers.append(peer)
    async with trio.open_nursery() as nursery:
        around.here = {0, 1, 2, 3}
        for number in range(4):
            scopes.append(trio.CancelScope())
            nursery.start_soon(run, number, scopes[number])
        await around.peers[0].settled(after)
        for number in (2, 3):
            around.here.discard(number)
            scopes[number].cancel()
        first, second = around.peers[:2]
        until = time.monotonic() + DEADLINE  # the clock of this test does not run by itself
        while not (first.finished.is_set() and second.finished.is_set()):
            assert time.monotonic() < until
            await trio.testing.wait_all_tasks_blocked()
            if around.idle():
                mock_clock.jump(first.clocks.away + 1)
    assert first.table.over
    gone = {peer.identity.public for peer in around.peers[2:]}
    assert {player.key for player in first.table.players if player.lost} == gone
    assert not any(player.barred for player in first.table.players)
    assert stores[0].log == stores[1].log
    assert first.table.state is not None and len(first.table.state.results) == 1
    for store in stores:
        store.close()


class Gate:
    """A function that waits inside its thread until the test lets it go on."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.entered = trio.Event()
        self.go_on = threading.Event()
        self._function = function

    def __call__(self, *values: Any, **named: Any) -> Any:
        trio.from_thread.run_sync(self.entered.set)
        self.go_on.wait(DEADLINE)
        return self._function(*values, **named)


@pytest.mark.parametrize("kept", [False, True])
async def test_ctrl_c_while_a_proof_is_made_or_kept_is_as_if_it_had_come_before_or_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: bool
) -> None:
    world = World("kasra", 4)
    sent: list[bytes] = []
    with store_of(world, 1, tmp_path) as store:
        path = store.path
        gate = Gate(store.keep if kept else answer)
        with monkeypatch.context() as patched, trio.fail_after(DEADLINE):
            patched.setattr(*((store, "keep", gate) if kept else (peer_module, "answer", gate)))
            peer = Peer(store, uplink=sent.append, observe=ignore)
            await peer.reload()
            peer.catch_up(0)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(peer.run)
                await gate.entered.wait()
                nursery.cancel_scope.cancel()
                gate.go_on.set()
        before = [own.entry for own in store.own]
        assert len(before) == kept and set(sent) <= set(before)
    with TableStore.open(path) as store, trio.fail_after(DEADLINE):
        asked = trio.Event()

        def uplink(entry: bytes) -> None:
            sent.append(entry)
            asked.set()

        peer = Peer(store, uplink=uplink, observe=ignore)
        await peer.reload()
        peer.catch_up(0)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(peer.run)
            await asked.wait()
            nursery.cancel_scope.cancel()
        assert [own.entry for own in store.own] == [sent[-1]]
        assert decode_entry_untrusted(sent[-1]).counter == 1
        assert not kept or sent[-1] == before[0]
