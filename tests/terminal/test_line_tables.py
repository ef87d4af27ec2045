"""Sitting at a table in a terminal of 80 x 24: what is on the screen, and what typing does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.terminal.screen import COLUMNS, PROMPTS, Terminal, majlis, table

GAMES = [("kasra", 3), ("estimation", 3), ("istimar", 2), ("three_five_eight", 2)]


def numbers(told: str) -> list[str]:
    """The numbers that may be typed, of the last question."""
    listed = re.findall(r"(?<![\w:])(\d+)\) ", told)
    return listed or re.findall(r"\d+", told.rpartition("estimate:")[2])


@pytest.mark.parametrize(("game", "bots"), GAMES)
def test_the_first_question_is_on_one_screen(game: str, bots: int, tmp_path: Path) -> None:
    with majlis(tmp_path, *table(game, bots), "--plain") as terminal:
        terminal.until(PROMPTS[0])
        rows = terminal.rows
        assert all(len(row) <= COLUMNS for row in rows)
        (prompt,) = [at for at, row in enumerate(rows) if row.startswith(PROMPTS[0])]
        shown = "\n".join(rows[:prompt])
        assert "Your hand: " in shown and "You may" in shown
        assert any(symbol in shown for symbol in "♠♥♦♣")


def test_wrong_and_right_answers_commands_and_leaving(tmp_path: Path) -> None:
    with majlis(tmp_path, *table("kasra", 3, "kingdoms=1"), "--plain") as terminal:
        first = terminal.until(PROMPTS[0])
        terminal.answer("nonsense", 'I did not understand "nonsense".')
        terminal.answer("/dance", "There is no command /dance.")
        terminal.answer("?", "/refuse")
        terminal.answer("/score", "  =  ")
        terminal.answer("/hand", "Your hand: ")
        again = terminal.answer("/table", PROMPTS[0])
        assert again.count("You may") == 1 and first.count("You may") == 1
        later = terminal.answer(numbers(first)[0], PROMPTS[0])
        assert "Amal " in later
        terminal.keys("/quit")
        assert terminal.wait() == 0
        assert "majlis resume" in terminal.text or "Thank you" in terminal.text


def finish_deal(terminal: Terminal, told: str, score: str, prompt: str) -> str:
    """Take the first move on offer until the deal is scored; everything that was told."""
    everything = told
    while score not in told:
        since = len(terminal.text)
        terminal.keys(numbers(told)[0])
        while prompt not in terminal.text[since:] and score not in terminal.text[since:]:
            terminal.until("\n", len(terminal.text))
        told = terminal.text[since:]
        everything += told
    return everything


def test_a_deal_of_isti_mar_from_the_cards_to_the_points(tmp_path: Path) -> None:
    with majlis(tmp_path, *table("istimar", 2), "--plain") as terminal:
        told = finish_deal(terminal, terminal.until(PROMPTS[0]), "Points of this deal", PROMPTS[0])
        terminal.until("tricks over or under the goal")
        assert told.count("takes the trick.") == 16
        assert "Goals: " in told and "Tricks of goal: " in told
        assert "??" not in told
        assert told.count("The kitty: ") == 1


def test_arabic_lines_keep_cards_and_names_whole(tmp_path: Path) -> None:
    with majlis(tmp_path, *table("kasra", 3), "--plain", lang="ar") as terminal:
        terminal.until(PROMPTS[1])
        hand = next(line for line in terminal.text.split("\n") if line.startswith("يدك: "))
        assert re.fullmatch("يدك: \u2066[^\u2066-\u2069]+\u2069", hand)
        for line in terminal.text.split("\n"):
            assert len(re.findall("[\u2066-\u2068]", line)) == line.count("\u2069"), line


def test_output_without_unicode_shows_suits_as_letters(tmp_path: Path) -> None:
    with majlis(tmp_path, *table("three_five_eight", 2), "--plain", encoding="ascii") as terminal:
        told = terminal.until(PROMPTS[0])
        assert re.search(r"Your hand: (\w+[SHDC] ?)+\n", told)
        assert "?" not in told.split("Your hand")[1].split(PROMPTS[0])[0]
