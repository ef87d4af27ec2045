"""Every rule that gives points has its words in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from p2p.language import set_language, t

ROOT = Path(__file__).parents[3] / "engine" / "games"
RULE = re.compile(r'"((?:B-)?(?:KAS|EST|IST|358)-[A-Za-z0-9-]+)"')
SOURCES = {
    "kasra/scoring.py": r"def breakdown.*?def finishing_order",
    "estimation/scoring.py": r"def score\(.*",
    "istimar.py": r"def _points.*?def _scored",
    "three_five_eight.py": r"def _points.*?def _scored",
}
"""Where breakdowns are made."""


def rules(source: str) -> set[str]:
    found = re.search(SOURCES[source], (ROOT / source).read_text("utf-8"), re.S)
    assert found is not None
    return set(RULE.findall(found[0]))


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("source", SOURCES)
def test_a_rule_of_the_score_is_told_in_words(source: str, language: str) -> None:
    set_language(language)
    found = rules(source)
    assert found
    assert [rule for rule in found if t(f"rule-{rule}") == f"rule-{rule}"] == []


def test_the_rules_of_all_games_are_found() -> None:
    assert {"KAS-5-king", "KAS-9", "B-KAS-8", "KAS-8"} <= rules("kasra/scoring.py")
    assert {"EST-S1", "EST-S13", "B-EST-15", "B-EST-23", "EST-S8"} <= rules("estimation/scoring.py")
    assert rules("istimar.py") == {"IST-15"} and rules("three_five_eight.py") == {"B-358-3", "B-358-4"}
