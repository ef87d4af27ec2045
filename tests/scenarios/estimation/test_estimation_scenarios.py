"""The scenarios beside this file (see `tests.scenarios.loader`) leave out no worked example, option or preset."""

from __future__ import annotations

from pathlib import Path

from engine.games.estimation import GAME

FILES = sorted(Path(__file__).parent.glob("*.txt"))


def test_every_worked_example_and_every_option_and_preset_has_a_scenario() -> None:
    texts = {path.stem: path.read_text("utf-8") for path in FILES}
    assert {f"EST-X{number}" for number in (1, 2, 3, 5, 7, 9, 11, 12, 13)} <= set(texts)
    chosen = "\n".join(texts.values())
    for option in GAME.options:
        for value in option.values[1:] if len(option.values) < 5 else ():
            assert f"option: {option.name} {value}\n" in chosen, (option.name, value)
    for preset in GAME.presets:
        assert preset == "seed" or f"x-preset: {preset}\n" in chosen
