"""After the game: the screen stays until it is left, and what needs no table still works."""

from __future__ import annotations

from typing import Any

import pytest
import trio

from p2p.language import t
from p2p.terminal.screen.app import Screen
from p2p.terminal.screen.player import ScreenTable
from p2p.terminal.screen.scene import Command, Interrupt, News
from p2p.terminal.screen.ui import Ui
from tests.unit.terminal.peer import Peer


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
