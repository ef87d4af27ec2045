"""What is asked once, before the first full screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from p2p.language import current, load, set_language, t
from p2p.settings import Settings, read_settings
from p2p.terminal.screen.first import ask_first


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("MAJLIS_HOME", str(tmp_path))
    yield
    set_language("en")


def typed(lines: str) -> Callable[[], str]:
    """A keyboard on which these lines are typed, of a character each, and no more."""
    left = iter(lines)
    return lambda: next(left)


def test_language_and_direction_are_asked_once(capsys: pytest.CaptureFixture[str]) -> None:
    answered = ask_first(Settings(), answer=typed("x2ل٢"))
    assert (answered.language, answered.bidi) == ("ar", "logical") and current().code == "ar"
    asked = capsys.readouterr().out.splitlines()
    assert [line[:3] for line in asked if line[:1] in "12"] == ["1) ", "2) "] * 2
    assert asked.count(load("en").t("first-keys")) == asked.count(t("first-keys")) == 2  # again behind a wrong answer
    assert read_settings().settings == answered
    assert ask_first(answered, answer=typed("")) == answered  # nothing is asked again
    assert capsys.readouterr().out == ""


def test_whoever_reads_english_is_not_asked_about_arabic() -> None:
    assert ask_first(Settings(), answer=typed("1")) == Settings(language="en")


def test_a_language_that_was_given_is_not_asked_for_but_the_direction_is() -> None:
    set_language("ar")
    answered = ask_first(Settings(), language_given=True, answer=typed("1"))
    assert answered == Settings(bidi="visual")
    set_language("en")
    assert ask_first(Settings(), language_given=True, answer=typed("")) == Settings()


def test_a_disk_that_keeps_nothing_stops_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("MAJLIS_HOME", str(tmp_path / "file" / "below"))
    assert ask_first(Settings(), answer=typed("1")).language == "en"
