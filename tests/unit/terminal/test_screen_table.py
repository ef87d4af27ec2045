"""The front of the full screen: what it tells the screen's pages."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import trio

from p2p.language import set_language
from p2p.terminal.screen.player import ScreenTable
from p2p.terminal.screen.scene import News
from protocol import seat as seat_protocol


def test_news_of_own_cards_are_private() -> None:
    set_language("en")
    posted: list[Any] = []
    screen: Any = SimpleNamespace(post=posted.append)
    table = ScreenTable(screen)
    table.names, table.seat = ["Amal", "Basil", "Celine"], 0

    async def told() -> None:
        await table.tell(seat_protocol.Event(deal=1, seat=0, action="discard 2C"))
        await table.tell(seat_protocol.Event(deal=1, seat=1, action="give 0 5H"))
        await table.tell(seat_protocol.Cancel(id=3))

    trio.run(told)
    assert all(isinstance(one, News) for one in posted)
    assert [one.private for one in posted] == [True, True, False]
    assert "2♣" in posted[0].text and "5♥" in posted[1].text
