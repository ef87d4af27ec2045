"""Choosing at the table: what keys lift, mark and play."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p.language import set_language, t
from p2p.terminal.screen.choosing import Choosing, rows_of
from p2p.terminal.screen.scene import Answer, Question
from tests.terminal.moments import scene
from tests.terminal.wanted import ESTIMATION, KASRA, Wanted
from tests.unit.terminal.tables import press, shown, text


def asked(wanted: tuple[Wanted, ...], called: str) -> Choosing:
    then = scene(next(one for one in wanted if one.name == called))
    assert then.question is not None
    return Choosing(then.question, then.view)


@pytest.mark.parametrize("marks", [1, 2])
def test_what_is_marked_is_doubled(marks: int) -> None:
    """Arrow up leaves the hand, whatever is marked there; then it takes a second enter to say it."""
    set_language("en")
    choosing = asked(KASRA, "double")
    held = list(choosing.by_card)
    for card in held[:marks]:
        assert choosing.press(f"card:{card}") == ""
    wanted = choosing.lifted
    assert choosing.marked == set(held[:marks]) and wanted.split()[1:] != []
    assert choosing.press("up") == "" and not choosing.in_hand
    assert choosing.press("enter") == ""
    assert choosing.press("enter") == wanted


def test_bids_stand_by_strain_and_keep_their_number() -> None:
    set_language("en")
    choosing = asked(ESTIMATION, "bid")
    rows = rows_of(choosing.choices, choosing.actions)
    assert [row[0].split()[-1].lstrip("0123456789") for row in rows if row[0].startswith("bid")] == [*"CDHS", "NT"]
    choosing.press("down")
    choosing.press("down")
    first = choosing.choice
    assert first == "bid 5C"  # 4 of diamonds was bid
    for _ in range(2):
        choosing.press("down")
    assert choosing.choice == "bid 5H"
    choosing.press("left")
    choosing.press("up")
    assert choosing.choice == "bid 5D"  # the nearest there is


def test_a_card_is_lifted_first() -> None:
    set_language("en")
    then = scene(next(one for one in KASRA if one.name == "tarneeb"))
    choosing = Choosing(Question(7, tuple(then.view["legal"])), then.view)
    card = then.view["legal"][0].split()[1]
    assert choosing.press(f"card:{card}") == ""
    assert choosing.press(f"card:{card}") == f"play {card}"


def test_a_click_on_a_card_leaves_the_keys_where_they_can_choose() -> None:
    set_language("en")
    choosing = asked(ESTIMATION, "bid")
    assert choosing.press(f"card:{choosing.hand[0]}") == "" and choosing.said == t("choose-above")
    choosing.press("enter")
    assert choosing.lifted == choosing.choice
    assert choosing.press("enter") == choosing.choice


def test_who_must_pass_in_trix_sees_the_rows_and_why_a_card_does_not_fit() -> None:
    set_language("en")
    then = scene(next(one for one in KASRA if one.name == "trix"))
    hand = [card for card in then.view["hand"] if f"play {card}" not in then.view["legal"]]
    passing = replace(then, question=Question(7, ("pass",)), view={**then.view, "hand": hand, "legal": ["pass"]})
    page, sent = shown(passing)
    assert all(f"{suit}  " in text(page) for suit in "♠♥♣♦") and "K Q J" in text(page)
    press(page, f"card:{hand[0]}")
    assert t("card-does-not-fit") in text(page)
    press(page, "enter", "enter")
    assert sent == [Answer(7, "pass")]
