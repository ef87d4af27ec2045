"""What keys do on the pages before a table, and what is wished there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar, cast

import pytest
import trio
import trio.testing

from bots.builtin import LEVELS, turned
from engine.games import NAMES as GAMES
from engine.games import game as find_game
from p2p.invite import Invite, write_invite
from p2p.lan import MOST_TABLES
from p2p.language import CODES, current, load, set_language, t
from p2p.settings import read_settings
from p2p.sitting import Evening
from p2p.tables import way_to
from p2p.terminal.screen.app import Screen
from p2p.terminal.screen.lobby import flow
from p2p.terminal.screen.lobby.flow import Flow
from p2p.terminal.screen.lobby.form import ADMISSIONS, FormPage, presets
from p2p.terminal.screen.lobby.kept import KeptPage
from p2p.terminal.screen.lobby.near import Heard, NearPage
from p2p.terminal.screen.lobby.start import StartPage
from p2p.terminal.screen.lobby.terms import TermsPage
from p2p.terminal.screen.lobby.waiting import WaitingPage
from p2p.terminal.screen.lobby.wishes import Join, Leave, Open, Resume, ToForm, ToKept, ToNear, ToStart
from p2p.terminal.screen.panes import ChatPane, GameRulesPane
from p2p.terminal.screen.scene import Command
from p2p.terminal.screen.ui import Confirm, Page, Ui
from protocol.rules import TABLE_OPTIONS
from tests.terminal.test_lobby_screens import HOST, hosting, interrupted, lobby, near, seat

P = TypeVar("P", bound=Page)


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("MAJLIS_HOME", str(tmp_path))
    monkeypatch.delenv("MAJLIS_LANG", raising=False)
    yield
    set_language("en")


def shown(make: Any, *args: Any) -> tuple[Any, list[Any]]:
    """A page on the screen, and what leaves it."""
    sent: list[Any] = []
    ui = Ui(sent.append)
    page = make(ui, *args)
    ui.pages = [page]
    return page, sent


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.ui.press(key)
        page.ui.draw(80, 24, 0.0)


def text(page: Page) -> str:
    return "\n".join(page.ui.draw(80, 24, 0.0).text())


def click(page: Page, key: str) -> None:
    canvas = page.ui.draw(80, 24, 0.0)
    target = next(one for one in canvas.targets if one.key == key)
    page.ui.click(target.x + 1, target.y)


# ---- start --------------------------------------------------------------------------------------------------------


def test_each_row_of_the_start_page_leads_on_by_its_digit_by_enter_and_by_a_click() -> None:
    wanted = {"1": ToForm(), "2": ToNear(), "3": ToKept(), "٧": Leave()}
    for key, wish in wanted.items():
        page, sent = shown(StartPage, "Amal", 2)
        press(page, key)
        assert sent == [wish]
    page, sent = shown(StartPage, "Amal", 2)
    press(page, "down", "enter", "escape", "enter")
    click(page, "row:host")
    assert sent == [ToNear(), Leave(), ToForm()]


def test_without_an_interrupted_table_there_is_nothing_to_go_on_with() -> None:
    page, sent = shown(StartPage, "Amal", 0)
    press(page, "3", "down", "down", "enter")
    assert sent == [] and t("start-resume-none") in text(page)


def test_rules_of_every_game_and_the_other_language_are_at_hand() -> None:
    page, _ = shown(StartPage, "Amal")
    for _ in GAMES:
        press(page, "down", "down", "down", "right", "4")
        assert isinstance(page.ui.top, GameRulesPane) and t("pane-rules") in text(page)
        press(page, "escape", "home")
    press(page, "6")
    assert current().code == "ar" and read_settings().settings.language == "ar"
    assert load("ar").right_to_left
    press(page, "5")
    assert page.ui.panes


# ---- the form -----------------------------------------------------------------------------------------------------


def test_enter_opens_the_table_as_it_is_filled_in() -> None:
    page, sent = shown(FormPage, hosting())
    press(page, "right")
    game = page.hosting.terms.game
    assert game != "kasra"
    page.on = "name"
    press(page, "backspace", "backspace", "i", "r")
    page.on = "bots"
    press(page, "right", "right")
    page.on = "level"
    press(page, "right")
    page.on = "port"
    press(page, *["backspace"] * 5, *"٧١2")
    page.on = "lan"
    press(page, "right")
    press(page, "enter")
    (wish,) = sent
    assert isinstance(wish, Open)
    made = wish.hosting
    assert (made.terms.game, made.sitter.name, made.port, made.lan) == (game, "Amir", 712, "off")
    assert made.bots == (turned("steady", 1),) * 2


def test_a_name_is_needed_and_a_port_is_no_larger_than_ports_are() -> None:
    page, sent = shown(FormPage, hosting(name="\u202e "))
    press(page, "enter")
    assert sent == [] and t("form-no-name") in text(page) and page.on == "name"
    page.on = "port"
    press(page, "paste:65536")
    assert page.hosting.port == 7070 and t("form-bad-port", most=65535) in text(page)


@pytest.mark.parametrize("name", GAMES)
def test_every_option_can_be_changed_is_marked_and_set_back(name: str) -> None:
    game = find_game(name)
    page, _ = shown(FormPage, hosting(name))
    for group, options in (("game", game.options), ("table", TABLE_OPTIONS)):
        for option in options:
            page.on = f"{group}:{option.name}"
            if len(option.values) < 2:
                assert all(row.id != page.on for row in page.rows())
                continue
            before = page.row.text
            press(page, "right")
            terms = page.hosting.terms
            held = terms.options if group == "game" else terms.rules
            assert list(held) == [option.name] and held[option.name] != option.values[0]
            assert page.row.text.startswith("*") and page.row.text != before
            press(page, "delete")
            assert page.hosting.terms == hosting(name).terms


def test_numbers_are_typed() -> None:
    page, _ = shown(FormPage, hosting())
    page.on = "table:turn_seconds"
    press(page, "9", "0")
    assert page.hosting.terms.rules == {"turn_seconds": 90}
    press(page, "right")
    assert page.hosting.terms.rules == {"turn_seconds": 95}


def test_presets_fill_the_options_in_and_know_when_they_were_changed() -> None:
    page, _ = shown(FormPage, hosting("estimation"))
    page.on = "preset"
    seen = []
    for _ in presets(page.game):
        seen.append(page.preset)
        assert all(word in text(page) for word in t(f"preset-{page.preset}").split())
        press(page, "right")
    assert seen == list(presets(page.game)) and page.preset == seen[0]
    page.on = "game:with_miss"
    press(page, "right")
    assert page.preset == "own"


def test_no_more_bots_than_seats_and_nobody_opens_to_a_network_that_does_not_see_the_table() -> None:
    page, _ = shown(FormPage, replace(hosting(), bots=("steady",) * 3))
    press(page, "right", "right")  # to a game of three
    assert page.game.seats == 3 and len(page.hosting.bots) == 2
    page.on = "seat"
    press(page, "right")
    page.on = "bots"
    press(page, "right", "right")
    assert len(page.hosting.bots) == 3
    page.on = "admission"
    found = set()
    for _ in ADMISSIONS:
        found.add((page.hosting.lan, page.hosting.ask))
        press(page, "right")
    assert found == set(ADMISSIONS.values())
    page.on = "lan"
    press(page, "right")
    page.on = "admission"
    for _ in ADMISSIONS:
        press(page, "right")
        assert page.hosting.lan == "off"


@pytest.mark.parametrize("code", CODES)
def test_every_row_of_the_form_is_explained(code: str) -> None:
    set_language(code)
    for name in GAMES:
        page, _ = shown(FormPage, hosting(name))
        for row in page.rows():
            page.on = row.id
            if row.id == "level":
                for _ in LEVELS:
                    assert t(f"level-{page.level}-more") != f"level-{page.level}-more"
                    press(page, "right")
            canvas = page.ui.draw(80, 24, 0.0)
            assert any(canvas.text()[17:21]), row.id


# ---- tables of others ---------------------------------------------------------------------------------------------


def test_a_table_keeps_its_key_while_others_come_and_go() -> None:
    page, sent = shown(NearPage, "Amal")
    basil, celine = near(1, "Basil"), near(2, "Celine")
    page.take(Heard((celine,)))
    page.take(Heard((basil, celine)))
    press(page, "1", "2")
    assert [wish.way.invite.table for wish in sent] == [celine.found.table, basil.found.table]
    page.take(Heard((basil,)))
    press(page, "1")
    assert len(sent) == 2
    press(page, "2")
    assert sent[-1] == sent[1] and isinstance(sent[1], Join) and sent[1].way.found and sent[1].name == "Amal"


def test_false_tables_that_come_and_go_use_up_neither_keys_nor_memory() -> None:
    page, sent = shown(NearPage, "Amal")
    for number in range(1, 250):
        page.take(Heard((near(number, "False"),)))
    basil = near(251, "Basil")
    page.take(Heard((near(250, "False"), basil)))
    for number in range(1, 10):
        press(page, str(number))
    assert basil.found.table in [wish.way.invite.table for wish in sent]
    page.take(Heard(tuple(near(number, "False") for number in range(MOST_TABLES))))
    assert len(page._numbers) == MOST_TABLES


def test_whoever_repeats_what_a_table_says_with_another_token_does_not_take_its_key() -> None:
    page, sent = shown(NearPage, "Amal")
    basil = near(1, "Basil")
    false = replace(basil, found=replace(basil.found, token=bytes(16), addresses=("10.6.6.6",)))
    page.take(Heard((false, basil)))
    press(page, "1", "2")
    assert [wish.way.invite for wish in sent] == [way_to(one.found).invite for one in (false, basil)]


async def test_the_list_keeps_up_with_tables_that_come_and_go_faster_than_their_words_are_made(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    made: list[bytes] = []
    posted: list[Heard] = []
    last = near(251, "Basil").found

    async def seek(tell: Any, *, task_status: Any) -> None:
        task_status.started()
        for number in range(250):
            tell((near(number, "False").found,))
        tell((last,))

    def words(certificate: bytes) -> tuple[str, ...]:
        made.append(certificate)
        return ("apple",)

    monkeypatch.setattr(flow, "seek", seek)
    monkeypatch.setattr(flow, "words_of", words)
    lobby = Flow(cast(Screen, SimpleNamespace(post=posted.append)), Evening(), hosting())
    with trio.move_on_after(1):
        await lobby._listen()
    assert [one.found for one in posted[-1].tables] == [last] and len(made) <= 2
    assert len(lobby._words) == 1


def test_an_invite_is_pasted_anywhere_and_a_wrong_one_is_told() -> None:
    line = write_invite(Invite(("10.0.0.7",), bytes(16), bytes(16), bytes(16), 7070))
    page, sent = shown(NearPage, "Amal")
    press(page, "enter")
    assert sent == [] and t("near-no-invite") in text(page)
    press(page, f"paste:Come! {line[:-1]}x\n", "enter")
    assert sent == [] and t("invite-bad-checksum")[:40] in text(page)
    press(page, f"paste:Come!\n{line}\n", "enter")
    assert len(sent) == 1 and not sent[0].way.found and sent[0].way.invite.port == 7070
    assert line not in repr(sent)
    press(page, "down", "backspace", "x", "enter", "escape", "enter")
    assert sent[1] == ToStart() and page.name == "Amax"


def test_typing_begins_an_invite_and_trouble_with_the_network_is_said() -> None:
    page, _ = shown(NearPage, "Amal")
    page.take(Heard((near(1, "Basil"),)))
    press(page, *"majlis1:")
    assert page.invite == "majlis1:" and page.on == "invite"
    page.take(Heard(trouble="no network"))
    assert "no network" in text(page)


def test_an_interrupted_table_is_gone_on_with_unless_another_program_has_it() -> None:
    page, sent = shown(interrupted)
    press(page, "2", "down", "enter", "1", "escape")
    assert sent == [Resume(page.tables[0]), ToStart()]
    empty, _ = shown(KeptPage, [])
    assert t("resume-none") in text(empty)


# ---- the waiting room ---------------------------------------------------------------------------------------------


def test_terms_are_signed_or_left() -> None:
    page, sent = shown(TermsPage, lobby())
    press(page, "enter", "escape")
    assert sent == [Command("agree", "yes"), Command("agree", "no")]
    assert "falcon hawk honey onion" in text(page)


def test_a_host_is_ready_admits_refuses_removes_adds_bots_copies_and_leaves() -> None:
    page, sent = shown(WaitingPage, HOST)
    page.take(lobby())
    press(page, "enter")
    key = lobby().seats[1].key.hex()
    press(page, "down", "delete")
    assert isinstance(page.ui.top, Confirm)
    press(page, "n", "delete", "y")
    page.on = "asks:5"
    press(page, "enter", "delete", "y")
    page.on = "free:0"
    press(page, "right", "enter")
    press(page, "down", "enter", "escape", "enter", "y")
    assert sent == [
        Command("ready", "yes"),
        Command("unseat", key),
        Command("admit", "5"),
        Command("refuse", "5"),
        Command("bot", turned("steady", 1)),
        Command("invite"),
        Command("quit"),
    ]


def test_a_guest_can_be_ready_talk_and_leave_and_nothing_else() -> None:
    page, sent = shown(WaitingPage, {})
    page.take(replace(lobby(), asking=()))
    for row in page.rows():
        page.on = row.id
        press(page, "delete")
        assert not page.ui.panes
        allowed = ("lobby-enter-ready-yes", "lobby-enter-invite", "hint-leave")
        assert row.enter is None or row.enter[0] in allowed
    press(page, "f5", *"salam", "enter", "f5")
    press(page, "/", *"quit", "enter")
    assert isinstance(page.ui.top, ChatPane) and sent == [Command("say", "salam"), Command("quit")]
    press(page, "escape", "f4")
    assert isinstance(page.ui.top, GameRulesPane)


def test_the_cursor_stays_with_its_row_and_the_bell_rings_for_who_asks() -> None:
    page, sent = shown(WaitingPage, HOST)
    page.take(replace(lobby(), asking=()))
    page.on = "free:0"
    assert not page.ui.ring
    page.take(lobby())
    assert page.ui.ring and page.on == "free:0"
    page.take(replace(lobby(), seats=(*lobby().seats, seat("Dawud", 9))))
    press(page, "enter")
    assert sent == [Command("bot", "steady")]


def test_before_anything_is_known_one_can_leave() -> None:
    page, sent = shown(WaitingPage, {})
    press(page, "enter")
    assert sent == [Command("quit")]


def test_a_port_is_typed_over_the_one_that_is_there() -> None:
    page, _ = shown(FormPage, hosting(), "", "port")
    for key, port in (("0", 0), ("7", 7), ("٠", 70), ("paste: 8080", 8080), ("paste:99999", 8080), ("1", 1)):
        press(page, key)
        assert page.hosting.port == port
    press(page, "paste:" + "9" * 100_000)
    assert page.hosting.port == 1 and t("form-bad-port", most=65535) in text(page)
