"""/save: the record of what was played so far, in a new file; one that is there already is asked about first."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from engine.record import read, replay
from p2p.language import t
from p2p.saving import Saver
from p2p.terminal.console import Console
from p2p.terminal.lines import LineTable
from tests.unit.cli.logs import bodies, file_of, played


class Told(LineTable):
    """Remembers what was told."""

    def __init__(self) -> None:
        super().__init__(Console(quiet=True))
        self.heard: list[str] = []

    def say(self, text: str, important: bool = False) -> None:
        self.heard.append(text)


async def saved(log: Path, *typed: str) -> list[str]:
    """What is told when /save is typed so often, each time when the one before is done."""
    front, name = Told(), str(log.parent / "default.txt")
    savers: list[Saver] = []
    for words in typed:
        async with trio.open_nursery() as nursery:
            savers = savers or [Saver(log, name, front, nursery)]
            savers[0].nursery = nursery
            savers[0].save(words)
    return front.heard


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """The log of a game that was left in its second deal."""
    records = bodies(played("three_five_eight"))
    path = tmp_path / "log"
    path.write_bytes(file_of(records[: len(records) * 2 // 3]))
    return path


async def test_the_record_of_an_open_game_is_written_and_can_be_replayed(log: Path) -> None:
    path = log.parent / "default.txt"
    assert await saved(log, "") == [t("save-begun"), t("save-done", path=path)]
    text = path.read_text("utf-8")
    assert replay(read(text)).game.name == "three_five_eight" and "majlis1:" not in text


async def test_a_file_that_is_there_is_replaced_only_when_it_is_named_twice(log: Path) -> None:
    path = log.parent / "mine.txt"
    path.write_text("dear diary")
    asked = t("save-exists", path=path)
    assert await saved(log, str(path)) == [asked] and path.read_text() == "dear diary"
    assert (await saved(log, str(path), str(log.parent), str(path)))[-1] == asked  # another name in between
    assert path.read_text() == "dear diary"
    assert await saved(log, str(path), str(path)) == [asked, t("save-begun"), t("save-done", path=path)]
    assert path.read_text("utf-8").startswith("majlis-record")


async def test_what_cannot_be_written_or_read_is_a_sentence(log: Path) -> None:
    folder, nowhere = log.parent, log.parent / "no" / "where.txt"
    (folder / "empty").write_bytes(b"")
    assert await saved(log, str(folder)) == [t("file-is-folder", path=folder)]
    assert (await saved(log, str(nowhere)))[-1].startswith(t("cannot-write", path=nowhere, reason=""))
    assert (await saved(log, str(folder / ("x" * 5000))))[-1].startswith("Could not write")
    told = await saved(folder / "empty", str(folder / "new.txt"))
    assert told == [t("save-begun"), t("save-failed", reason=t("file-empty", path=folder / "empty"))]
    assert not (folder / "new.txt").exists()
