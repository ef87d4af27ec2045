"""After a game: the commands that check it and show it again are told, and do so when they are typed."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from p2p.cli.common import as_typed, thank
from p2p.cli.majlis import majlis
from p2p.language import t
from p2p.sitting import Evening
from tests.unit.cli.logs import bodies, file_of, played

PATH = "Application Support/أمل's tables"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """The folder of a table whose game is over, in one whose name needs quotes."""
    folder = tmp_path / PATH / f"{'ab12' * 8}-cd34ef56"
    folder.mkdir(parents=True)
    (folder / "log").write_bytes(file_of(bodies(played("three_five_eight"))))
    return folder


@pytest.mark.skipif(os.name == "nt", reason="typed for a POSIX shell")
def test_what_is_told_can_be_typed(
    table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(table.parent)
    thank(table)
    told = capsys.readouterr().out.splitlines()
    assert told[0] == t("goodbye")
    commands = [command for line in told[2:] for command in line.split(" && ")]
    words = [shlex.split(command) for command in commands]
    assert [(program, command) for program, command, *_ in words] == [
        ("majlis", "verify"), ("majlis", "record"), ("majlis", "replay"),
    ]
    assert words[2].pop() == "--watch"  # the same without a terminal
    outcomes = [CliRunner().invoke(majlis, arguments) for _, *arguments in words]
    assert [one.exit_code for one in outcomes] == [0, 0, 0], [one.output for one in outcomes]
    assert (table.parent / "majlis-ab12ab12.txt").exists()


def test_without_a_game_there_is_nothing_to_look_at(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for played_at in (None, tmp_path / "gone"):
        thank(played_at)
        assert capsys.readouterr().out.splitlines() == [t("goodbye")]


def test_the_last_game_that_was_played_to_its_end_is_told_also_from_another_table(tmp_path: Path) -> None:
    evening = Evening(finished=True, store=tmp_path / "first")
    assert evening.played == tmp_path / "first"
    evening.another()
    evening.store = tmp_path / "second"  # left before its end
    evening.another()
    assert evening.played == tmp_path / "first"


def test_a_plain_path_is_left_as_it_is() -> None:
    assert as_typed(Path("/home/amal/tables")) == "/home/amal/tables"
