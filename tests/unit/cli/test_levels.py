"""Opponents by level: where a bot is named, easy, normal and hard are understood."""

from __future__ import annotations

import sys

import click
import pytest

from bots.builtin import LEVELS, NAMES
from p2p.cli import tables
from p2p.language import load


def options(name: str) -> click.Parameter:
    return next(option for option in tables.host.params if option.name == name)


def test_a_level_is_a_bot_a_name_is_itself_and_nothing_else_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    assert [tables.good_bot(level) for level in LEVELS] == list(LEVELS.values())
    assert [tables.good_bot(name) for name in NAMES] == list(NAMES)
    assert tables.good_bot(f"cmd:'{sys.executable}' -c 0") == f"'{sys.executable}' -c 0", "as it is named in the arena"
    with pytest.raises(SystemExit) as ended:
        tables.good_bot("medium")
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert all(word in said for word in (*LEVELS, *NAMES))


@pytest.mark.parametrize("option", ["bot", "bots_are"])
def test_the_tab_key_and_the_help_name_levels(option: str) -> None:
    found = options(option).shell_complete(click.Context(tables.host), "")
    assert [one.value for one in found] == [*LEVELS, *NAMES]
    for code in ("en", "ar"):
        told = load(code).t("opt-bot" if option == "bot" else "opt-bots-are")
        assert all(level in told for level in LEVELS)


@pytest.mark.parametrize("code", ["en", "ar"])
def test_every_bot_has_a_word_for_its_level_and_a_sentence_that_says_how_it_plays(code: str) -> None:
    language = load(code)
    for sentence in (f"level-{name}{more}" for name in NAMES for more in ("", "-more")):
        assert language.t(sentence) != sentence
