"""The bot in the guide is complete, short, rightly typed, and plays all four games; so are the examples."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
from mypy import api as mypy

from bots.check.questions import sittings
from bots.sdk import Bot, View
from engine.games import NAMES as GAMES
from protocol.seat import Clocks

ROOT = Path(__file__).parents[3]
LINES = 15


def guide_bot() -> str:
    """The first program of docs/bots.md."""
    return (ROOT / "docs" / "bots.md").read_text("utf-8").split("```python\n", 1)[1].split("```", 1)[0]


@pytest.fixture(scope="module")
def careful(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("guide") / "careful.py"
    file.write_text(guide_bot(), "utf-8")
    return file


def test_it_is_short() -> None:
    assert len(guide_bot().splitlines()) <= LINES


def test_it_and_the_examples_are_rightly_typed(careful: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    examples = [str(file) for file in sorted((ROOT / "examples").glob("*.py"))]
    told, wrong, status = mypy.run(["--strict", str(careful), *examples])
    assert status == 0, told + wrong


@pytest.mark.parametrize("game", GAMES)
def test_it_plays_every_phase(careful: Path, game: str) -> None:
    bot = runpy.run_path(str(careful))["Careful"]()
    assert isinstance(bot, Bot)
    for sitting in sittings(game, Clocks()):
        bot.start(sitting.hello)
        assert all(bot.act(View.of(act)) in act.legal for act in sitting.acts)


def test_who_installs_majlis_gets_its_types() -> None:
    """What a bot is written against must be marked as typed, or type checkers look away."""
    assert all((ROOT / package / "py.typed").exists() for package in ("engine", "protocol", "bots", "p2p"))
