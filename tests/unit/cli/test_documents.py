"""What docs/records.md shows is so."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.games import game as find_game
from engine.record.read import FIELDS
from p2p.cli.majlis import majlis

PAGE = (Path(__file__).parents[3] / "docs" / "records.md").read_text("utf-8")
SHOWN = re.findall(r"^```text\n(majlis-record.*?)^```", PAGE, re.M | re.S)
JSON = re.findall(r"^```json\n(.*?)^```", PAGE, re.M | re.S)


@pytest.mark.parametrize("text", SHOWN)
def test_the_records_shown_are_legal(text: str) -> None:
    result = CliRunner().invoke(majlis, ["replay", "-"], input=text)
    assert (result.exit_code, result.stderr) == (0, "")


def test_the_json_shown_is_that_of_the_score_sheet_shown() -> None:
    told = json.loads(CliRunner().invoke(majlis, ["score", "-", "--json"], input=SHOWN[1]).stdout)
    shown = json.loads(JSON[0])
    assert told.pop("options") == find_game("estimation").defaults()
    shown.pop("options")
    assert told == shown


def test_every_line_of_the_format_is_explained() -> None:
    for word, numbered in FIELDS:
        assert re.search(rf"`{word} [0-9]:" if numbered else rf"`{word}:", PAGE), word
