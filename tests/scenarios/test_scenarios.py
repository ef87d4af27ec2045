"""Every scenario of every game: its expectations, its replay, and that writing it changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.games import game
from engine.record import read, replay, write
from tests.scenarios.loader import HERE, run, scenarios, title

each = pytest.mark.parametrize("path", scenarios(), ids=title)


@each
def test_what_it_expects_is_so(path: Path) -> None:
    run(path.read_text("utf-8"))


@each
def test_it_is_the_same_record_when_written(path: Path) -> None:
    record = read(path.read_text("utf-8"))
    again = read(write(record))
    assert write(again) == write(record)
    assert replay(again).to_json() == replay(record).to_json()


def test_every_worked_example_and_option_of_kasra_has_a_scenario() -> None:
    texts = {path.stem: path.read_text("utf-8") for path in (HERE / "kasra").glob("*.txt")}
    assert {f"KAS-X{number}" for number in (1, 2, 4, 6, 7, 8, 10, 11, 12)} <= set(texts)
    for option in game("kasra").options:
        for value in option.values[1:]:
            assert any(f"option: {option.name} {value}\n" in text for text in texts.values()), (option.name, value)
