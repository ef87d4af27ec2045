"""Leaving the table: after the game nobody is missed or asked whether he wants to; and a window too small for it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p.language import t
from p2p.terminal.screen.scene import Command, Interrupt, Over, Scene
from tests.terminal.moments import present
from tests.unit.terminal.tables import playing, press, shown, text

WINNER = 2


@pytest.fixture
def over() -> Scene:
    """The others have gone already."""
    scene = replace(playing(), question=None)
    view = {**scene.view, "asked": [], "legal": [], "winners": [WINNER]}
    return present("here", "missing", "missing", "missing", bots=1)(replace(scene, view=view))


def test_who_has_left_after_the_game_is_not_called_missing(over: Scene) -> None:
    page, _ = shown(over)
    assert f"★ {over.names[WINNER]}" in text(page)
    assert t("state-missing") not in text(page)


def test_leaving_by_the_menu_after_the_game_is_no_question(over: Scene) -> None:
    page, sent = shown(over)
    page.take(Over())
    press(page, "f9", "up", "enter")
    assert sent == [Command("quit")]


def test_during_the_game_it_is_one() -> None:
    page, sent = shown(playing())
    press(page, "f9", "up", "enter")
    assert sent == [] and t("ask-quit")[:30] in text(page)


def test_a_window_that_is_too_small_takes_no_keys() -> None:
    """What nobody sees nobody plays; only Ctrl-C still leaves."""
    page, sent = shown(playing())
    page.ui.draw(79, 24, 100.0)
    for key in ("enter", "enter", "f9", "c-c"):
        page.ui.press(key)
    assert sent == [Interrupt()] and not page.ui.panes
    press(page, "enter")
    page.ui.draw(80, 24, 100.0)
    press(page, "enter", "enter")
    assert len(sent) == 2
