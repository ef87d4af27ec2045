"""`majlis arena` in a terminal: a bar with the time left, and the Ctrl-C key."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.terminal.screen import majlis

SAID = [("en", "left", "goes on from here"), ("ar", "بقي", "يتابع من هنا")]


@pytest.mark.parametrize(("lang", "left", "goes_on"), SAID)
def test_a_bar_tells_the_time_left_and_ctrl_c_ends_it(tmp_path: Path, lang: str, left: str, goes_on: str) -> None:
    words = ("arena", "estimation", "random", "--boards", "90000", "--jobs", "2", "--log", str(tmp_path / "log"))
    with majlis(tmp_path, *words, lang=lang) as terminal:
        terminal.until(left)
        assert "░" in terminal.text
        terminal.press("c-c")
        terminal.until(goes_on)
        assert terminal.wait() == 130
        assert "Traceback" not in terminal.text
