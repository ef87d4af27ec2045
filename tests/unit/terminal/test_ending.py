"""The last trick and what everybody took stay in sight until new cards are dealt (trap E-5)."""

from __future__ import annotations

import pytest

from engine.games import NAMES as GAMES
from engine.referee import Acted, Scored
from p2p.language import set_language
from p2p.replaying.frames import Frame
from p2p.terminal.screen import banner
from p2p.terminal.screen.ending import Ending
from p2p.terminal.screen.labels import label
from p2p.terminal.screen.scene import Scene
from protocol.table import events
from tests.terminal.moments import played


def shown(ending: Ending, frame: Frame, seat: int) -> Scene:
    """What a seat sees of a moment."""
    acts = [event for event in frame.events if isinstance(event, Acted)]
    event = events.Acted(acts[-1].seat, acts[-1].action, proved=False) if acts else None
    return Scene(ending.see(frame.view(seat), event), seat)


@pytest.mark.parametrize("game", GAMES)
def test_a_deal_that_is_over_stays_in_sight(game: str) -> None:
    set_language("en")
    ending, before, over = Ending(), None, 0
    for frame in played(game, seed=3, deals=2):
        scene = shown(ending, frame, 0)
        if any(isinstance(event, Scored) for event in frame.events):
            over += 1
            assert before is not None
            view = scene.view
            assert view["deal"] == frame.deal and view["trump"] == before.view["trump"]
            assert banner.title(scene) == banner.title(before)
            assert banner.contract(scene)[0] == banner.contract(before)[0]
            assert view["hand"] == [] and view["asked"] == view["legal"] == []
            assert view["totals"] == list(frame.totals)
            won = view["taken"] if "goals" in view else view["tricks"]
            assert tuple(won) == frame.tricks
            if view.get("contract") != "trix":
                assert sum(won) == (16 if len(won) == 3 else 13)
            assert all(label(scene, seat, 0.0).parts for seat in range(len(won)))
            ending.begin_deal()
        before = scene
    assert over == 2
