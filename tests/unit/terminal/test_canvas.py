"""What is put on a terminal, cell for cell."""

from __future__ import annotations

import pytest
from prompt_toolkit.utils import get_cwidth

from p2p.language import set_language
from p2p.terminal.screen.canvas import Canvas, Manner
from p2p.terminal.screen.panes import tail


def sent(canvas: Canvas, y: int = 0) -> str:
    """What the terminal is sent for a row."""
    return "".join(fragment[1] for fragment in canvas.fragments(y))


def test_a_terminal_without_unicode_gets_neither_marks_nor_question_marks() -> None:
    canvas = Canvas(30, 3, Manner(letters=True, bare=True))
    canvas.put(0, 0, "−15 · A♠ — ↑↓ … ×2")
    canvas.put(0, 1, "سلام 5")
    canvas.box(0, 2, 30, 1)
    assert sent(canvas).rstrip() == "-15 - AS - ^v . x2"
    assert sent(canvas, 2).isascii()
    assert sum(map(get_cwidth, sent(canvas, 1))) == len(sent(canvas, 1)) == 30  # no mark that would take a cell


def test_other_terminals_get_all_signs_and_marks_around_arabic() -> None:
    canvas = Canvas(30, 2)
    canvas.put(0, 0, "−15 · A♠")
    canvas.put(0, 1, "سلام")
    assert sent(canvas).rstrip() == "−15 · A♠"
    assert "\u202d" in sent(canvas, 1)


@pytest.mark.parametrize(("code", "letters", "sign"), [("en", False, "▸"), ("ar", False, "◂"), ("en", True, ">")])
def test_the_pointer_points_at_what_follows(code: str, letters: bool, sign: str) -> None:
    set_language(code)
    assert Canvas(9, 1, Manner(letters=letters)).pointer == sign
    set_language("en")


@pytest.mark.parametrize(("text", "shown"), [("majlis1:abc", "1:abc"), ("abc", "abc"), ("", ""), ("خ汉字", "خ汉字")])
def test_of_a_long_text_the_end_is_shown(text: str, shown: str) -> None:
    assert tail(text, 5) == shown


def test_a_huge_paste_costs_no_more_than_what_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[str] = []
    monkeypatch.setattr("p2p.terminal.screen.panes.cells", lambda text: looked_at.append(text) or len(text))
    assert tail("x" * 1_000_000, 40) == "x" * 40
    assert sum(map(len, looked_at)) == 41
