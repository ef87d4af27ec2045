"""Function keys, the menu and the first questions, in a real terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2p.language import load
from p2p.settings import Settings, read_settings, settings_file, write_settings
from tests.terminal.screen import majlis, table

INTERRUPTED = 130


def test_which_line_reads_right_is_asked_once(tmp_path: Path) -> None:
    file = settings_file({"MAJLIS_HOME": str(tmp_path)})
    write_settings(Settings(), file)
    question = load("ar").t("bidi-question")
    with majlis(tmp_path, *table("kasra", 3), lang="ar") as terminal:
        terminal.until(question)
        terminal.press("c-c")
        assert terminal.wait() == INTERRUPTED and not terminal.left_over()
    with majlis(tmp_path, *table("kasra", 3), lang="ar") as terminal:
        terminal.until(question)
        terminal.press("2", "enter")
        terminal.see(lambda terminal: terminal.full_screen)
        terminal.press("c-c")
        assert terminal.wait() == INTERRUPTED and not terminal.left_over()
    assert read_settings(file).settings.bidi == "logical"
    with majlis(tmp_path, *table("kasra", 3), lang="ar") as terminal:
        terminal.see(lambda terminal: terminal.full_screen)
        assert question not in terminal.text


@pytest.mark.parametrize("lang", ["en", "ar"])
def test_everything_around_the_table(lang: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with majlis(tmp_path / "home", *table("estimation", 3), lang=lang) as terminal:
        terminal.see("prompt-choose")  # everybody is asked at once whether he holds all suits
        for key, title in (("f1", "pane-help"), ("f2", "pane-score"), ("f3", "pane-last"), ("f4", "pane-rules")):
            terminal.press(key).see(title)
        terminal.press("f8").see("pane-advice", "sharp")  # who has thought of it
        terminal.press("f5").see("pane-chat")
        terminal.press("hello\u202e", "enter").see("Amal: hello" if lang == "en" else "hello")
        terminal.press("f6").see("pane-history")
        terminal.press("f7", "escape").see("hand-hidden")
        terminal.press("f7").see(lambda terminal: not terminal.shows("hand-hidden"))
        terminal.press("f9").see("menu-save")
        terminal.press("4").see("majlis replay")
        assert [path.name[:7] for path in tmp_path.glob("*.txt")] == ["majlis-"]
        terminal.press("f9").see("menu-invite")
        terminal.press("6").until("\x1b]52;c;")
        terminal.press("f9").see("menu-quit")
        terminal.press("7").see("confirm-title")
        terminal.press("n").see(lambda terminal: not terminal.shows("confirm-title"))
        terminal.press("7").see("confirm-title")
        terminal.press("y")
        assert terminal.wait() == 0 and not terminal.left_over()
        assert "majlis resume" in terminal.text
