"""The transition table and its drawing in docs/table.md."""

from __future__ import annotations

from protocol.deck.labels import STEPS
from protocol.table.answers import ANSWERS
from protocol.table.checks import CHECKS
from protocol.table.rounds import ROWS, Kind
from tools.draw_table import PAGE, drawing, page_with


def test_the_drawing_is_current() -> None:
    page = PAGE.read_text("utf-8")
    assert page == page_with(page, drawing()), "run: python -m tools.draw_table"


def test_every_kind_of_round_has_a_row_a_check_and_an_answer() -> None:
    assert set(ROWS) == set(CHECKS) == set(Kind)
    assert set(ANSWERS) | {kind for kind, row in ROWS.items() if row.chosen} == set(Kind)
    assert {row.label for row in ROWS.values()} <= STEPS
