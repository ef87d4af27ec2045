"""After the game: the screen stays until it is left, and what needs no table still works."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
import trio

from engine.game import Value
from p2p.language import t
from p2p.terminal.screen.app import Screen
from p2p.terminal.screen.player import ScreenTable
from p2p.terminal.screen.scene import Command, Interrupt, News
from p2p.terminal.screen.ui import Ui
from protocol import seat as seat_protocol


class Peer:
    """As much of a peer as a face looks at, and where it was told to work."""

    nursery: trio.Nursery | None = None

    def view(self) -> dict[str, object] | None:
        return None

    def presence_now(self) -> seat_protocol.Table | None:
        return None

    def verified(self) -> int:
        return 0

    def busy(self) -> str:
        return ""

    def rules(self) -> Mapping[str, Value]:
        return {}

    def invite(self) -> str:
        return "majlis1:abc"

    def work_in(self, nursery: trio.Nursery) -> None:
        self.nursery = nursery


@pytest.mark.parametrize("end", [Command("quit"), Interrupt()])
async def test_the_record_can_be_saved_when_the_game_is_over(end: Any) -> None:
    screen = Screen(Ui)
    table, peer, done = ScreenTable(screen), Peer(), []

    async def write() -> None:
        await trio.lowlevel.checkpoint()
        done.append("written")

    def save(rest: str) -> None:
        assert peer.nursery is not None
        peer.nursery.start_soon(write)

    table.commands["save"] = save
    table.attach(peer)
    for wish in (Command("save"), Command("vote", "2"), end):
        screen._send.send_nowait(wish)
    await screen.until_left()
    assert done == ["written"]  # although it was left at once
    assert News(t("over-already")) in screen._waiting
