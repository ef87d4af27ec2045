"""Hints as people see them: in lines, on a pane; thought of beside the table, void with the question, forbidden."""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
import trio
import trio.testing

from bots.search.advice import FAR_OFF, Advice, Valued
from engine.actions import STRAINS
from engine.game import Value
from p2p.language import set_language, t, tn
from p2p.terminal import advice, adviser
from p2p.terminal.advice import Told
from p2p.terminal.adviser import THINKING, Adviser
from p2p.terminal.console import cells, wrapped
from p2p.terminal.screen.scene import Command
from protocol.rules import hints_allowed, table_rules_untrusted
from protocol.seat import Act
from tests.unit.terminal.peer import Peer
from tests.unit.terminal.tables import asked, playing, press, rows, shown, text, type_, without_question
from tests.unit.terminal.test_line_lookups import Lines

FORBIDDEN: Mapping[str, Value] = {"hints": "forbid"}
NAMES = ["Amal", "Basil", "Celine", "Dawud"]
LEGAL = ("play KH", "play QH", "play 2H")


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    yield
    set_language("en")


def told(*valued: Valued, **more: Any) -> list[str]:
    """A hint on three hearts in lines."""
    return advice.lines(Told(1, Advice(valued[0].action, valued, **more)), LEGAL, NAMES)


KING = Valued("play KH", 4.0, 6.4)
QUEEN = Valued("play QH", 2.0, 3.2, -3.2, 0.8)
TWO = Valued("play 2H", -1.5, -2.0, -8.4, 1.1)
AVERAGE = "on average of 100 possible deals"

# ---- the words ------------------------------------------------------------------------------------------------------


def test_what_to_do_why_and_what_every_card_brings() -> None:
    assert told(KING, QUEEN, TWO) == [
        "What sharp would do: play K♥",
        f"That puts you 3.2 ± 1.6 points further ahead than Q♥, {AVERAGE}.",
        t("advice-head-apart"),
        "K♥: +4.0 (+6.4)",
        "Q♥: +2.0 (+3.2), -3.2 ± 1.6",
        "2♥: -1.5 (-2.0), -8.4 ± 2.2",
    ]


def test_cards_that_are_alike_are_not_compared() -> None:
    same = Valued("play QH", 4.0, 6.4)
    found = told(KING, same, TWO)
    assert found[1:3] == [f"That puts you 8.4 ± 2.2 points further ahead than 2♥, {AVERAGE}.", "As good as that: Q♥."]
    assert "Q♥: +4.0 (+6.4), as good" in found
    assert told(KING, same)[1] == f"Everything here is as good, {AVERAGE}."


def test_what_may_be_chance_is_called_so() -> None:
    near = Valued("play QH", 3.5, 5.6, -0.8, 0.5)
    found = told(KING, near, TWO)
    assert found[1:3] == [
        f"That puts you 8.4 ± 2.2 points further ahead than 2♥, {AVERAGE}.",
        "Perhaps as good, since what differs may be chance: Q♥.",
    ]
    assert "Q♥: +3.5 (+5.6), perhaps as good: -0.8 ± 1.0" in found
    assert told(KING, near)[1].startswith("Nothing here is surely better than the rest")
    one_world = replace(near, error=math.inf)  # a clock that left no time for more
    assert told(KING, one_world)[-1] == "Q♥: +3.5 (+5.6), perhaps as good: -0.8"


def test_a_call_that_looks_better_than_the_rule_of_thumb_is_named() -> None:
    better = Valued("play QH", 6.0, 9.0, 2.6, 0.9)
    found = told(KING, better, TWO)
    assert found[1] == t("advice-thumb-first", other="Q♥", points="2.6 ± 1.8", average=AVERAGE)
    assert "Q♥: +6.0 (+9.0), +2.6 ± 1.8" in found


def test_more_own_points_that_help_the_others_more_are_explained() -> None:
    greedy = Valued("play QH", 5.0, 3.0, -3.4, 0.1)
    assert told(KING, greedy)[1:3] == [
        f"That puts you 3.4 ± 0.2 points further ahead than Q♥, {AVERAGE}.",
        "With Q♥ you would get more points, but the others even more.",
    ]


def test_what_an_action_is_worth_later_is_named() -> None:
    found = told(replace(KING, later=2.0), QUEEN)
    assert "counting what is left" in found[1] and found[2] == t("advice-head-later")


def test_what_is_not_counted_is_said() -> None:
    only = advice.lines(Told(1, Advice("play KH", (KING,))), LEGAL[:1], NAMES)
    row = [t("advice-head"), "K♥: +4.0 (+6.4)"]
    assert only[1:] == [t("advice-only"), f"Reckoned {AVERAGE}.", *row]
    assert told(KING, certain=True)[1:] == [t("advice-certain"), *row]
    assert advice.lines(Told(1, Advice("play KH")), LEGAL, NAMES)[1] == t("advice-thumb")
    assert advice.lines(Told(1, Advice("play KH")), LEGAL[:1], NAMES)[1] == t("advice-only")


def auction() -> tuple[Advice, tuple[str, ...]]:
    """Every bid from four up: two suits were looked at up to seven, the rest is far off."""
    legal = ("pass", *(f"bid {number}{strain}" for number in range(4, 14) for strain in STRAINS))
    near = [Valued("bid 5S", 12.0, 14.0), Valued("pass", 9.0, 8.0, -6.0, 1.0)]
    far = []
    for place, action in enumerate(legal[1:]):
        off = -7.0 - place / 10
        if action[-1] in "SC" and int(action[4:-1]) < 8:
            near += [Valued(action, 12 + off, 14 + off, off, 1.0)] if action != "bid 5S" else []
        else:
            far.append(Valued(action, 12 + 3 * off, 14 + 3 * off, 3 * off, 2.0, FAR_OFF))
    valued = (near[0], *sorted([*near[1:], *far], key=lambda one: -one.difference))
    return Advice("bid 5S", valued), legal


@pytest.mark.parametrize("code", ["en", "ar"])
def test_all_bids_of_an_auction_are_told_the_far_off_ones_in_short(code: str) -> None:
    set_language(code)
    found, legal = auction()
    assert len(legal) == 51
    said = advice.lines(Told(1, found), legal, NAMES)
    plain = [re.sub("[\u2066-\u2069]", "", line) for line in said]
    rows = [line for line in plain if re.search(r"\(.*\d\)", line) and line != plain[1]]
    assert len(rows) == 8
    heads = (t("advice-rest"), tn("advice-far-off", FAR_OFF))
    in_short = plain[plain.index(rows[-1]) + 1 :]
    assert [line for line in in_short if line in heads] == [*heads]
    listed = [item for line in in_short if line not in heads for item in line.split("  ")]
    assert len(rows) + len(listed) == len(legal)
    assert "6♦ -12" in listed and "13♥ -23" in listed  # whole points: few worlds
    screen = [part for line in said for part in wrapped(line, 72).split("\n")]
    assert len(screen) <= 30 and all(cells(part) <= 72 for part in screen)


@pytest.mark.parametrize("code", ["en", "ar"])
@pytest.mark.parametrize("game", ["kasra", "estimation", "istimar", "three_five_eight"])
def test_every_question_can_be_advised_in_both_languages(game: str, code: str) -> None:
    set_language(code)
    for scene in {one.view["phase"]: one for one in asked(game, 0)}.values():
        assert scene.question is not None
        found = adviser._thought(Act(id=3, legal=list(scene.question.legal), view=dict(scene.view)))
        assert found.id == 3 and found.advice is not None
        lines = advice.lines(found, scene.question.legal, scene.names)
        assert len(lines) >= 2 and not any("?" in line or "advice-" in line for line in lines)


def test_a_table_may_forbid_hints() -> None:
    assert hints_allowed({}) and hints_allowed(table_rules_untrusted({}))
    assert not hints_allowed(FORBIDDEN) and not hints_allowed(table_rules_untrusted(FORBIDDEN))


# ---- thought of beside the table ------------------------------------------------------------------------------------


def question(number: int = 1) -> Act:
    scene = playing()
    assert scene.question is not None
    return Act(id=number, legal=list(scene.question.legal), view=dict(scene.view))


async def test_a_hint_is_given_while_the_question_is_open_and_again_without_a_new_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard, thoughts = [], []
    thought = adviser._thought
    monkeypatch.setattr(adviser, "_thought", lambda act: thoughts.append(act) or thought(act))
    advising, answered = Adviser(heard.append), trio.Event()
    advising.ask({})
    assert heard == [Told(reason="line-not-now")]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(advising.until, answered, question())
        await trio.testing.wait_all_tasks_blocked()
        for _ in range(2):
            heard.clear()
            advising.ask({})
            assert heard == [Told(1, reason=THINKING)]
            while len(heard) < 2:
                await trio.testing.wait_all_tasks_blocked(0.01)
            assert heard[1].advice is not None and heard[1].id == 1
        heard.clear()
        advising.ask(FORBIDDEN)
        assert heard == [Told(reason="advice-forbidden")]
        answered.set()
    assert len(thoughts) == 1
    heard.clear()
    advising.ask({})
    assert heard == [Told(reason="line-not-now")]


@pytest.mark.parametrize("how", ["answered", "void"])
async def test_a_hint_is_void_when_the_question_is(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table does not wait for the thought, and nobody hears of it."""
    heard: list[Told] = []
    begun, go_on, done = threading.Event(), threading.Event(), threading.Event()

    def slow(act: Act) -> Told:
        begun.set()
        go_on.wait(30)
        done.set()
        return Told(act.id, Advice(act.legal[0]))

    monkeypatch.setattr(adviser, "_thought", slow)
    advising, answered, void = Adviser(heard.append), trio.Event(), trio.CancelScope()
    async with trio.open_nursery() as nursery:

        async def ask() -> None:
            with void:
                await advising.until(answered, question())

        nursery.start_soon(ask)
        await trio.testing.wait_all_tasks_blocked()
        advising.ask({})
        await trio.to_thread.run_sync(begun.wait, 30)
        void.cancel() if how == "void" else answered.set()
    assert heard == [Told(1, reason=THINKING)]  # the question is over though it is still thought about
    go_on.set()
    await trio.to_thread.run_sync(done.wait, 30)
    await trio.testing.wait_all_tasks_blocked()
    assert heard == [Told(1, reason=THINKING)]


def test_a_search_that_goes_wrong_costs_no_more_than_the_hint() -> None:
    assert adviser._thought(Act(id=5, legal=["play AS", "play KS"], view={})) == Told(5, reason="advice-failed")


# ---- in lines -------------------------------------------------------------------------------------------------------


class Strict(Peer):
    """A table without hints."""

    def rules(self) -> Mapping[str, Value]:
        return FORBIDDEN


async def test_a_hint_in_lines_a_hidden_hand_and_a_table_without_hints() -> None:
    lines = Lines()
    lines.table.attach(Peer())
    assert lines.told("/hint") == [t("line-not-now")]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lines.table.act, question())
        await trio.testing.wait_all_tasks_blocked()
        lines.told()
        found = lines.told("/hint")
        assert found == [t("advice-thinking")]
        while found == [t("advice-thinking")]:
            await trio.testing.wait_all_tasks_blocked(0.01)
            found += lines.told()
        assert found[1].startswith("What sharp would do: play ") and t("advice-head-apart") in found
        lines.told("/hide")
        assert lines.told("/hint") == [t("line-hand-hidden", cards=tn("cards-counted", len(question().view["hand"])))]
        lines.told("/hide")
        lines.told("/hint")
        hidden = lines.told("/hide")
        while hidden[-1] == t("line-hidden"):
            await trio.testing.wait_all_tasks_blocked(0.01)
            hidden += lines.told()
        assert hidden[1:] == [t("line-hand-hidden", cards=tn("cards-counted", len(question().view["hand"])))]
        lines.told("/hide")
        lines.table.attach(Strict())
        assert lines.told("/hint") == [t("advice-forbidden")]
        lines.told(question().legal[0])
    assert lines.told("/history") != [] and not any("sharp" in line for line in lines.told("/history"))


# ---- on the screen --------------------------------------------------------------------------------------------------


def test_the_key_asks_once_and_shows_what_comes() -> None:
    page, sent = shown(playing())
    asked_now = page.choosing
    assert asked_now is not None
    press(page, "f8")
    assert sent == [Command("hint")] and t("advice-thinking") in text(page)
    legal = asked_now.question.legal
    found = Advice(legal[0], (Valued(legal[0], 4.0, 6.4),))
    page.ui.take(Told(asked_now.question.id + 1, found))  # of another question
    assert t("advice-thinking") in text(page)
    page.ui.take(Told(asked_now.question.id, found))
    assert "+4.0 (+6.4)" in text(page) and "100" in text(page)
    press(page, "f7")
    assert "+4.0" not in text(page) and t("hidden-first") in text(page)
    press(page, "f7", "f8")
    assert not page.ui.panes and sent == [Command("hint")]
    type_(page, "/hint")
    press(page, "enter")
    assert sent == [Command("hint")] * 2 and t("pane-advice") in text(page)


def test_the_hint_on_the_screen_is_over_with_the_question() -> None:
    page, _ = shown(playing())
    press(page, "f8")
    page.ui.take(without_question(playing()))
    assert t("advice-void")[:40] in text(page)


def test_who_is_not_asked_gets_no_hint_on_the_screen() -> None:
    page, sent = shown(without_question(playing()))
    press(page, "f8")
    assert not sent and t("line-not-now") in text(page)
    page.ui.take(playing())
    assert not sent and t("advice-now") in text(page) and t("line-not-now") not in text(page)


def test_a_table_without_hints_says_so_on_the_screen_and_names_no_key() -> None:
    page, _ = shown(playing())
    assert any("F8" in row for row in rows(page)[-1:])
    page, _ = shown(replace(playing(), rules=tuple(FORBIDDEN.items())))
    assert not any("F8" in row for row in rows(page)[-1:])
    press(page, "f8")
    page.ui.take(Told(reason="advice-forbidden"))
    assert t("advice-forbidden")[:40] in text(page)
