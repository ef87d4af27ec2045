"""What a person is told in every phase of every game, in both languages, word for word.

`MAJLIS_WRITE_TOLD=1 pytest tests/unit/terminal/test_told.py` writes the texts anew; read the difference.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from engine.games import NAMES as GAMES
from p2p.language import set_language
from p2p.terminal import facts
from p2p.terminal.console import cells, wrapped
from tests.unit.terminal.situations import situations, story, told

FOLDER = Path(__file__).parent / "told"
ISOLATES = {"\u2066": 1, "\u2067": 1, "\u2068": 1, "\u2069": -1}


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("game", GAMES)
def test_a_person_is_told_what_must_be_known(game: str, language: str) -> None:
    set_language(language)
    file, text = FOLDER / f"{game}.{language}.txt", story(game)
    if os.environ.get("MAJLIS_WRITE_TOLD"):
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


PHASES = {
    "kasra": {"choose", "double", "trump", "play"},
    "estimation": {"void", "dash", "bid", "estimate", "play"},
    "istimar": {"choose", "exchange", "discard", "play"},
    "three_five_eight": {"choose", "exchange", "discard", "play"},
}


@pytest.mark.parametrize("game", GAMES)
def test_every_phase_is_looked_at(game: str) -> None:
    assert {view["phase"] for _, view in situations(game)} == PHASES[game]


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("game", GAMES)
def test_a_question_fits_a_small_screen(game: str, language: str) -> None:
    """80 x 24, one line for the prompt and one to type in; no isolate stays open at the end of a line."""
    set_language(language)
    for title, view in situations(game):
        lines = "\n".join(wrapped(line, 80) for line in told(view)).split("\n")
        assert len(lines) <= 22, title
        for line in lines:
            assert cells(line) <= 80, line
            depth = 0
            for letter in line:
                depth += ISOLATES.get(letter, 0)
                assert depth >= 0, line
            assert depth == 0, line


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_missing_in_the_sentences(game: str) -> None:
    """A sentence that lacks a value shows a question mark, and one that does not exist its id."""
    for language in ("en", "ar"):
        set_language(language)
        text = story(game)
        assert "?" not in text
        for prefix in ("fact-", "tally-", "legal-", "action-", "rule-", "role-", "side-"):
            assert prefix not in text


def test_lines_are_in_logical_order_and_letters_as_they_are_typed() -> None:
    """A terminal, a screen reader, a program shape and order by themselves; here only the full screen does."""
    shaped = re.compile("[\ufb50-\ufdff\ufe70-\ufefc\u202a-\u202e]")
    for path in sorted(FOLDER.glob("*.ar.txt")):
        assert not shaped.search(path.read_text(encoding="utf-8")), path.name


@pytest.mark.parametrize(("trump", "told"), [("H", "any card"), ("S", "of that suit"), (None, "of that suit")])
def test_only_a_trump_is_paid_with_any_card(trump: str | None, told: str) -> None:
    """S358-7; in Isti'mar trumps are not even named when cards are exchanged."""
    exchange = {"giver": 1, "owing": 0, "may_give": [0, 1, 0], "may_get": [1, 0, 0]}
    view = {
        "game": "istimar", "phase": "exchange", "goals": [8, 5, 3], "exchange": exchange, "trump": trump, "seat": 0,
        "names": ["Amal", "Basil", "Celine"], "received": "5H",
    }  # fmt: skip
    assert told in dict(facts.facts(view))["received"]
