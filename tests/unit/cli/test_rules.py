"""`majlis rules`: every game and option in both languages, filled in, and never too wide."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner, Result

from engine.games import ALIASES, NAMES
from engine.games import game as find_game
from p2p.cli.majlis import majlis
from p2p.language import CODES, load, set_language
from p2p.language.options import option_name, others_told, value_name
from p2p.language.rules import PLACEHOLDER, WIDTH, cells, indented, rules_text, template

each_game = pytest.mark.parametrize("game", NAMES)
each_language = pytest.mark.parametrize("code", CODES)


def rules(*words: str) -> Result:
    return CliRunner().invoke(majlis, ["rules", *words])


@each_game
@each_language
def test_the_rules_and_all_options_are_printed(game: str, code: str) -> None:
    set_language(code)
    result = rules(game)
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    assert not PLACEHOLDER.search(result.stdout)
    for option in find_game(game).options:
        assert f"* {option.name} = {option.values[0]}\n" in result.stdout
    for preset in find_game(game).presets:
        assert f"--preset {preset}" in result.stdout


@each_game
@each_language
def test_no_line_is_too_long(game: str, code: str) -> None:
    set_language(code)
    for options in ({}, *find_game(game).presets.values()):
        words = [word for name, value in options.items() for word in ("--option", f"{name}={value}")]
        assert [line for line in rules(game, *words).stdout.splitlines() if cells(line) > WIDTH] == []


@each_game
@each_language
def test_the_text_speaks_of_every_option_and_of_no_other(game: str, code: str) -> None:
    named = set(PLACEHOLDER.findall(template(game, code)))
    assert named == {option.name for option in find_game(game).options}


@each_game
@each_language
def test_every_option_and_value_has_its_words(game: str, code: str) -> None:
    set_language(code)
    for option in find_game(game).options:
        assert option_name(option.name) != f"option-{option.name}"
        for value in option.values:
            assert not value_name(option.name, value).startswith("value-"), (option.name, value)
    for preset in find_game(game).presets:
        assert load(code).t(f"preset-{preset}") != f"preset-{preset}"


@each_language
def test_the_options_asked_for_stand_in_the_text_and_are_marked(code: str) -> None:
    set_language(code)
    told = rules("istimar", "--option", "kitty_shown=owner", "--option", "turn_seconds=30").stdout
    assert "kitty_shown = owner\n" in told
    assert "kitty_shown = all" not in told
    assert "* kitty_shown = owner   (*)" in told
    assert "* turn_seconds = 30   (*)" in told


def test_a_preset_is_filled_in_and_an_option_changes_it() -> None:
    told = rules("estimation", "--preset", "egyptian", "--option", "risk_from=1").stdout
    assert "* auction = until_pass   (*) usually single" in told
    assert "* risk_from = 1\n" in told
    in_force = find_game("estimation").chosen({"auction": "until_pass"})
    assert "auction = until_pass\n" in rules_text("estimation", in_force)


def test_a_game_has_its_other_name() -> None:
    for alias, name in ALIASES.items():
        assert rules(alias).stdout == rules(name).stdout
    assert rules("Kasra").stdout == rules("kasra").stdout


@each_language
def test_without_a_game_they_are_listed(code: str) -> None:
    set_language(code)
    result = rules()
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == len(NAMES)
    for line in result.stdout.splitlines():
        assert re.match(r"majlis rules (\w+)", line)


@pytest.mark.parametrize(
    "words",
    [
        ["kasra", "--option", "kingdoms=3"],
        ["kasra", "--option", "kingdoms"],
        ["kasra", "--option", "nothing=1"],
        ["kasra", "--preset", "nothing"],
        ["bridge"],
    ],
)
@each_language
def test_what_does_not_exist_is_wrong_usage_and_said_so(words: list[str], code: str) -> None:
    set_language(code)
    result = rules(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.strip()
    assert "Traceback" not in result.stderr


def test_long_lines_are_broken_under_their_first_letter() -> None:
    assert list(indented("* one two three", 9)) == ["* one two", "  three"]
    assert list(indented("    one two three", 11)) == ["    one two", "    three"]
    assert list(indented("short", 9)) == ["short"]
    assert list(indented("", 9)) == [""]
    assert list(indented("a-word-that-is-too-long for it", 9)) == ["a-word-that-is-too-long", "for it"]


def test_vowel_signs_take_no_cell() -> None:
    assert cells("أوّلًا") == 5 - 1
    assert cells("abc") == 3


def test_many_numbers_are_a_range() -> None:
    by_name = {option.name: option for name in NAMES for option in find_game(name).options}
    assert others_told(by_name["normal_deals"], 13) == "1 to 13"
    assert others_told(by_name["deals"], 18) == "3, 6, 9, 12, 15"
    assert others_told(by_name["double_risk_from"], 4) == ""
