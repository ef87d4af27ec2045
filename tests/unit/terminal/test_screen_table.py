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
    table.recall(0, [(0, "play AS"), (1, "give 0 5H"), (1, "give 2 ??"), (0, "discard 2C"), (1, "discard ??")])
    assert all(isinstance(one, News) for one in posted)
    assert [one.private for one in posted] == [True, True, False, True, True]
    assert "2♣" in posted[0].text and "5♥" in posted[1].text
    assert [one.text for one in posted[3:]] == [posted[1].text, posted[0].text], "told again after an interruption"
