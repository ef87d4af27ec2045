"""What function keys show, and what can be wished there: drawn on a canvas, without a terminal."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.game import Result
from p2p.language import clean_text, digits, set_digits, set_language, t, tn
from p2p.settings import CHOICES, Settings, read_settings
from p2p.terminal.screen.canvas import Manner
from p2p.terminal.screen.menu import MenuPane
from p2p.terminal.screen.panes import folded
from p2p.terminal.screen.scene import Answer, Command, News, Over, Scene
from p2p.terminal.screen.settings_pane import SettingsPane
from p2p.terminal.screen.table_page import COMMANDS, FLASH_SECONDS, PANES
from p2p.terminal.screen.theme import Look, style
from p2p.terminal.screen.ui import Confirm
from protocol import seat as seat_protocol
from tests.unit.terminal.tables import canvas, playing, press, rows, said, shown, text, type_, without_question


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("MAJLIS_HOME", str(tmp_path))
    yield
    set_language("en")
    set_digits(False)


TITLES = {"f1": "pane-help", "f2": "pane-score", "f3": "pane-last", "f4": "pane-rules", "f5": "pane-chat"} | {
    "f6": "pane-history",
    "f8": "pane-advice",
    "f9": "pane-menu",
}


@pytest.mark.parametrize("key", PANES)
def test_a_function_key_opens_a_pane_and_closes_it_again(key: str) -> None:
    page, _ = shown(playing())
    before = text(page)
    press(page, key)
    assert t(TITLES[key]) in text(page)
    press(page, key)
    assert text(page) == before


def test_another_function_key_goes_straight_to_the_other_pane() -> None:
    page, _ = shown(playing())
    press(page, "f1", "f2")
    assert t("pane-score") in text(page) and t("pane-help") not in text(page)
    press(page, "escape")
    assert not page.ui.panes


@pytest.mark.parametrize("key", ["?", "؟"])
def test_a_question_mark_is_help_on_either_keyboard(key: str) -> None:
    page, _ = shown(playing())
    press(page, key)
    assert t("pane-help") in text(page)


def test_commands_open_the_same_panes() -> None:
    for command, key in COMMANDS.items():
        if key in PANES:
            page, _ = shown(playing())
            type_(page, f"/{command}")
            press(page, "enter")
            assert t(TITLES[key]) in text(page)


@pytest.mark.parametrize("code", ["en", "ar"])
@pytest.mark.parametrize("game", ["kasra", "estimation", "istimar", "three_five_eight"])
def test_every_pane_fits_and_leaves_no_scrap_of_the_table_beside_it(game: str, code: str) -> None:
    set_language(code)
    scene = playing(game, 1)
    for key in PANES:
        for columns, lines in ((80, 24), (140, 40)):
            page, _ = shown(scene)
            press(page, key)
            drawn = page.ui.draw(columns, lines, 100.0)
            edge = {cell for row in range(1, lines - 2) for cell in drawn.text()[row][:1]}
            assert edge <= set(" ╭│╰")
            assert all(len(row) <= columns * 3 for row in drawn.text())  # marks besides


# ---- the score sheet ----------------------------------------------------------------------------------------------


def test_the_score_sheet_shows_every_deal_and_where_its_points_come_from() -> None:
    scene = playing("kasra", 3)
    page, _ = shown(scene)
    press(page, "f2")
    first, last = scene.results[0], scene.results[-1]
    sheet = text(page)
    for result in scene.results:
        assert all(f"{points:+d}" in sheet for points in result.points if points)
    assert all(f"{total:+d}" in sheet for total in last.totals if total)
    press(page, "home", "right")
    head = t("score-cell", deal=first.deal, player="", points="").split("·")[0]
    assert head.strip() in text(page)
    told = text(page)
    assert all(t(f"rule-{rule}") in told for rule, points in first.breakdown[1] if points)


def test_arrows_go_through_deals_and_seats_and_a_click_does_too() -> None:
    scene = playing("kasra", 3)
    page, _ = shown(scene)
    press(page, "f2", "home", "down")
    pane: Any = page.ui.panes[-1]
    assert (pane.deal, pane.seat) == (1, 0)
    press(page, "left")
    assert (pane.deal, pane.seat) == (1, 3)
    drawn = canvas(page)
    cell = next(target for target in drawn.targets if target.key == "cell:2:1")
    page.ui.click(cell.x, cell.y)
    assert (pane.deal, pane.seat) == (2, 1)
    set_language("ar")  # the first seat is the one on the right there
    press(page, "left")
    assert (pane.deal, pane.seat) == (2, 2)


def test_many_deals_scroll_and_a_multiplied_deal_says_so() -> None:
    scene = playing()
    one = scene.results[0]
    many = tuple(
        Result(number, one.points, one.breakdown, one.totals, 2 if number == 30 else 1) for number in range(1, 31)
    )
    page, _ = shown(replace(scene, results=many))
    press(page, "f2")
    assert t("points-times", multiplier=2) in text(page)
    press(page, "home")
    assert t("points-times", multiplier=2) not in text(page)


def test_the_plot_tells_players_apart_without_colour_in_either_language() -> None:
    for code in ("en", "ar"):
        set_language(code)
        page, _ = shown(playing("kasra", 3))
        press(page, "f2", "tab")
        told = text(page)
        assert all(mark in told for mark in "●■▲◆")
        axes = [row.index("┤") for row in rows(page) if "┤" in row]
        assert len(axes) > 10 and len(set(axes)) == 1  # one straight axis, whatever the language's direction


def test_no_deal_is_scored_yet() -> None:
    page, _ = shown(replace(playing(), results=()))
    press(page, "f2", "tab", "up", "right")
    assert t("score-none") in text(page)


# ---- last trick, rules, options -----------------------------------------------------------------------------------


def test_the_last_trick_says_who_played_what_and_who_took_it() -> None:
    scene = replace(playing(), last=((0, "AS"), (1, "2S"), (2, "3S"), (3, "KS")), took=0)
    page, _ = shown(scene)
    press(page, "f3")
    told = text(page)
    assert all(card in told for card in ("A♠", "2♠", "3♠", "K♠"))
    assert t("event-trick", player="Amal") in told


def test_in_trix_the_last_moves_are_shown() -> None:
    page, _ = shown(replace(playing(), moves=((0, "play JH"), (1, "pass"))))
    press(page, "f3")
    assert t("last-moves") in text(page) and "J♥" in text(page)


def test_the_rules_are_those_of_this_game_with_its_options_and_can_be_scrolled() -> None:
    scene = playing("estimation", 1)
    page, _ = shown(scene)
    press(page, "f4")
    first = text(page)
    press(page, "end")
    assert text(page) != first
    assert "turn_seconds = 30" in read_all(page)
    assert f"auction = {scene.view['options']['auction']}" in read_all(page)


def read_all(page: Any) -> str:
    """Everything in the uppermost pane."""
    return "\n".join(line for line, _ in page.ui.panes[-1].lines(78, 100.0))


def test_options_that_differ_come_first_and_are_counted_in_the_menu() -> None:
    page, _ = shown(playing())
    press(page, "f9")
    assert tn("menu-options-changed", 1) in text(page)
    type_(page, "2")
    lines = [line for line, _ in page.ui.panes[-1].lines(72, 100.0)]
    assert lines[0].startswith("Kasra") and lines[1].startswith("* ") and "30" in lines[1] and "60" in lines[1]


# ---- talk and history ---------------------------------------------------------------------------------------------


def test_talk_is_typed_sent_and_kept_while_the_pane_is_closed() -> None:
    page, sent = shown(playing())
    press(page, "f5")
    type_(page, "good eve")
    press(page, "f2", "f5")  # a look at the score in between
    type_(page, "ning? /5")
    press(page, "enter")
    assert sent == [Command("say", "good evening? /5")]
    press(page, "enter")
    assert len(sent) == 1  # nothing is not said
    said(page, ("Basil", "good evening"))
    assert "Basil: good evening" in text(page)


def test_cards_are_not_played_by_what_is_typed_for_the_others() -> None:
    page, sent = shown(playing())
    press(page, "f5")
    type_(page, "AS")
    press(page, "enter")
    assert sent == [Command("say", "AS")]


def test_a_long_talk_scrolls() -> None:
    page, _ = shown(playing())
    said(page, *(("Basil", f"line {number}.") for number in range(60)))
    press(page, "f5")
    assert "line 59." in text(page) and "line 1." not in text(page)
    press(page, *["pageup"] * 5)
    assert "line 0." in text(page)


def test_history_begins_at_its_end_and_shows_long_words_whole() -> None:
    page, _ = shown(playing())
    invite = "majlis1:" + "x" * 100 + "end"
    for number in range(60):
        page.take(News(f"sentence {number}."))
    page.take(News(invite))
    press(page, "f6")
    told = text(page)
    assert "sentence 59." in told and "xend" in told
    press(page, "home")
    assert "sentence 0." in text(page)


HOSTILE = (
    "\x1b[2J\x1b]0;owned\x07<b>bold</b>",
    "\u202eevil\u202c\u2066\u2067",
    "e" + "\u0301" * 10_000,
    "{0} {player} %s",
    "مرحبا \u202e\u202dabc",
    "\t\r\n\x00\x9b31m",
    "👨‍👩‍👧‍👦" * 200,
)


@pytest.mark.parametrize("code", ["en", "ar"])
@pytest.mark.parametrize("letters", [False, True])
def test_a_hostile_name_and_talk_disturb_no_pane(code: str, letters: bool) -> None:
    """Names come as the table has them; talk is cleaned by whoever receives it, and drawn so that it harms nobody even
    if it were not."""
    set_language(code)
    scene = playing()
    view = {**scene.view, "names": list(HOSTILE[:4])}
    page, _ = shown(replace(scene, view=view, last=((0, "AS"), (1, "2S")), took=1), manner=Manner(letters=letters))
    said(page, *((clean_text(one, 24), clean_text(one, 400)) for one in HOSTILE))
    said(page, *((one[:50], one[:400]) for one in HOSTILE))
    for key in (*PANES, "escape"):
        press(page, key)
        sheet = canvas(page)
        for y, row in enumerate(sheet.text()):
            assert not any(letter in "\x1b\x07\x9b\r\n\t\x00" for letter in row)
            assert not any(letter in "\u202e\u2066\u2067\u2069" for letter in row)
            drawn = "".join(part for _, part, *_ in sheet.fragments(y))
            assert drawn.count("\u202d") == drawn.count("\u202c") <= 1  # the line's own override, once
        assert sum(map(len, sheet.text())) < 20_000


# ---- the menu -----------------------------------------------------------------------------------------------------


def chosen(page: Any, sentence: str) -> None:
    """Choose a line of the menu by its number."""
    press(page, "f9")
    pane = page.ui.panes[-1]
    assert isinstance(pane, MenuPane)
    press(page, next(row.key for row in pane.rows() if row.text == t(sentence)))


@pytest.mark.parametrize(
    ("sentence", "wish"),
    [("menu-away", "away"), ("menu-save", "save"), ("menu-invite", "invite")],
)
def test_the_menu_wishes_at_once_what_does_no_harm(sentence: str, wish: str) -> None:
    page, sent = shown(playing())
    chosen(page, sentence)
    assert sent == [Command(wish)] and not page.ui.panes


def test_digits_of_either_script_choose() -> None:
    page, sent = shown(playing())
    press(page, "f9", "١")
    assert sent == [Command("away")]


def test_whoever_is_away_comes_back_by_the_same_line() -> None:
    page, sent = shown(replace(without_question(playing()), away=True))
    press(page, "f9", "1")
    assert sent == [Command("back")]


def test_leaving_is_asked_again_and_says_how_to_come_back() -> None:
    page, sent = shown(playing())
    chosen(page, "menu-quit")
    assert "majlis resume" in text(page) and not sent
    press(page, "n")
    assert not sent
    press(page, "escape")
    chosen(page, "menu-quit")
    press(page, "y")
    assert sent == [Command("quit")]


def missing(scene: Scene, *seats: int) -> Scene:
    here = [
        seat_protocol.Presence(seat=number, name=name, state="missing" if number in seats else "here")
        for number, name in enumerate(scene.names)
    ]
    waiting = [seat_protocol.Waiting(seat=seat, seconds=10) for seat in seats]
    return replace(scene, presence=seat_protocol.Table(presence=here, waiting=waiting))


def test_a_vote_is_offered_only_about_who_is_missing_and_asked_again() -> None:
    page, _ = shown(playing())
    press(page, "f9")
    assert t("menu-vote") not in text(page)
    page, sent = shown(missing(playing(), 2))
    chosen(page, "menu-vote")
    assert t("pane-vote") in text(page) and "Celine" in text(page)
    press(page, "1")
    assert isinstance(page.ui.top, Confirm) and not sent
    press(page, "y")
    assert sent == [Command("vote", "2")]


def test_the_cursor_stays_with_whom_it_is_on_and_nobody_missing_is_said() -> None:
    """Who comes back above takes nobody else's place under the cursor."""
    page, sent = shown(missing(playing(), 2, 3))
    chosen(page, "menu-vote")
    press(page, "down")
    page.take(missing(playing(), 3))
    text(page)
    press(page, "enter", "y")
    assert sent == [Command("vote", "3")]
    chosen(page, "menu-vote")
    page.take(missing(playing()))
    assert t("vote-nobody") in text(page)
    press(page, "enter")
    assert isinstance(page.ui.top, MenuPane) and len(sent) == 1


def test_the_rest_is_claimed_where_that_is_legal_and_asked_again() -> None:
    scene = playing()
    page, _ = shown(scene)
    press(page, "f9")
    assert t("menu-claim") not in text(page)
    question = scene.question
    assert question is not None
    claim = "claim " + " ".join(scene.view["hand"])
    page, sent = shown(replace(scene, question=replace(question, legal=(*question.legal, claim))))
    chosen(page, "menu-claim")
    assert not sent
    press(page, "enter")
    assert sent == [Answer(question.id, claim)]


def test_the_wrong_moment_to_claim_is_explained() -> None:
    page, sent = shown(playing())
    type_(page, "/claim")
    press(page, "enter")
    assert not sent and not page.ui.panes
    assert page.choosing is not None and page.choosing.said


def test_unknown_commands_go_to_the_table_and_known_ones_with_their_words() -> None:
    page, sent = shown(playing())
    type_(page, "/SAVE my game.txt")
    press(page, "enter")
    type_(page, "/vote 2")
    press(page, "enter")
    assert sent == [Command("save", "my game.txt"), Command("vote", "2")]


def test_after_the_game_enter_leaves_and_panes_still_open() -> None:
    page, sent = shown(without_question(playing()))
    page.take(Over())
    press(page, "f2", "escape")
    assert not sent
    press(page, "enter")
    assert sent == [Command("quit")]


# ---- hidden hand, bell and flash ----------------------------------------------------------------------------------


def test_the_hand_is_hidden_at_once_over_panes_too_and_for_the_next_deals() -> None:
    scene = playing()
    page, sent = shown(scene)
    press(page, "f2", "f7", "escape")
    assert page.hidden
    hand = rows(page)[-6:-2]
    assert not any(symbol in row for row in hand for symbol in "♠♥♦♣")
    press(page, "enter", "enter")  # nothing is played unseen
    assert not sent and page.choosing is not None and page.choosing.said == t("hidden-first")
    page.take(replace(playing("kasra", 3), question=None))
    rows(page)
    assert page.hidden
    press(page, "f7")
    assert any(symbol in row for row in rows(page)[-6:-2] for symbol in "♠♥♦♣")


def test_bell_and_flash_come_with_a_question_unless_they_are_turned_off() -> None:
    scene = playing()
    page, _ = shown(scene)
    assert page.ui.ring and page.wakes(100.0) == 100.0 + FLASH_SECONDS
    reversed_ = style(Look.CHOSEN)
    assert all(reversed_ in look for look, *_ in canvas(page).fragments(0))
    assert not any(reversed_ in look for look, *_ in canvas(page, 100.0 + FLASH_SECONDS).fragments(0))
    page, _ = shown(scene, Settings(bell=False, flash=False))
    assert not page.ui.ring
    assert not any(reversed_ in look for look, *_ in canvas(page).fragments(0))


# ---- settings -----------------------------------------------------------------------------------------------------


def test_settings_hold_at_once_and_the_next_time() -> None:
    page, _ = shown(playing())
    chosen(page, "menu-settings")
    press(page, *["down"] * [*CHOICES].index("bell"), "right")
    assert not page.ui.settings.bell and not read_settings().settings.bell
    press(page, "up", "up", "enter")
    assert page.ui.settings.digits == "arabic"
    set_language("ar")
    assert digits(12) == "١٢" and "١" in text(page)
    press(page, "up", "up", "left")
    assert read_settings().settings.language == "en" and t("pane-settings") == "Settings"


def test_a_setting_can_be_typed_and_a_wrong_one_is_explained() -> None:
    page, _ = shown(playing())
    type_(page, "/settings bell off")
    press(page, "enter")
    assert not page.ui.settings.bell and not read_settings().settings.bell
    type_(page, "/settings bell maybe")
    press(page, "enter")
    assert page.choosing is not None and "maybe" in page.choosing.said


def test_settings_that_cannot_be_kept_hold_for_this_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("MAJLIS_HOME", str(tmp_path / "file" / "below"))
    page, _ = shown(playing())
    type_(page, "/settings bell off")
    press(page, "enter")
    assert not page.ui.settings.bell
    assert page.choosing is not None and os.fspath(tmp_path) in page.choosing.said


def test_folding_keeps_every_letter() -> None:
    for size in (10, 33, 72):
        for one in ("x" * 200, "a b " * 50, "كلمة " * 40, "é" * 5 + "y" * 90):
            told = folded(one, size)
            assert "".join(told).replace(" ", "") == one.replace(" ", "")


def test_numbers_of_a_plot_stay_in_their_places_in_arabic_digits() -> None:
    set_language("ar")
    page, _ = shown(playing("kasra", 3), Settings(digits="arabic"))
    press(page, "f2", "tab")
    numbers = next(row for row in rows(page) if "١" in row and "٢" in row and "٣" in row and "┤" not in row)
    assert numbers.index("١") < numbers.index("٢") < numbers.index("٣")


def test_a_pane_says_which_lines_are_in_sight() -> None:
    page, _ = shown(playing())
    said(page, *(("Basil", f"line {number}.") for number in range(60)))
    press(page, "f5")
    assert "/60" in text(page)
    press(page, "f3")
    assert "/" not in rows(page)[-3]


def test_history_hides_what_names_hidden_cards() -> None:
    page, _ = shown(playing())
    page.take(News("Basil gives you A♠.", private=True))
    press(page, "f6")
    assert "A♠" in text(page)
    press(page, "f7")
    assert "A♠" not in text(page)


@pytest.mark.parametrize(("language", "ahead"), [("en", "right"), ("ar", "left")])
def test_the_next_value_of_a_setting_lies_to_where_the_language_runs(language: str, ahead: str) -> None:
    set_language(language)
    page, _ = shown(playing())
    page.ui.use(Settings(language=language))
    page.ui.open(SettingsPane(page.ui))
    page.ui.panes[-1].on = "pace"
    press(page, ahead)
    assert page.ui.settings.pace == "slow"
