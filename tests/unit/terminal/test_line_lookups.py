"""What one looks up in line mode: every function of the full screen, as a command."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio
import trio.testing

from bots.builtin import make
from bots.practice import bot_chooser
from engine.actions import parse_action
from engine.game import State
from engine.games import game as find_game
from engine.referee import Referee, shuffled
from p2p.language import set_language, t, tn
from p2p.settings import read_settings
from p2p.terminal import facts, words
from p2p.terminal.console import Console
from p2p.terminal.lines import LineTable
from p2p.terminal.screen.table_page import COMMANDS
from protocol import seat as seat_protocol
from protocol.table import events
from tests.unit.terminal.peer import Peer
from tests.unit.terminal.tables import asked, playing

NAMES = ["Amal", "Basil", "Celine", "Dawud"]


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("MAJLIS_HOME", str(tmp_path))
    yield
    set_language("en")


class Lines:
    """A table in lines, and what it prints."""

    def __init__(self, encoding: str = "utf-8") -> None:
        self._raw = io.BytesIO()
        self._encoding = encoding
        out = io.TextIOWrapper(self._raw, encoding, write_through=True)
        self.table = LineTable(Console(out, io.StringIO()), {})
        self.table.names = list(NAMES)

    def told(self, typed: str = "") -> list[str]:
        """What is printed after a line was typed."""
        self.table.typed(typed)
        text = self._raw.getvalue().decode(self._encoding)
        self._raw.seek(0)
        self._raw.truncate()
        return text.splitlines()


def after(game: str, deals: int) -> State:
    """The public state after so many deals."""
    rules = find_game(game)
    if not deals:
        return rules.start({})
    referee = Referee.start(rules, shuffled(random.Random(3).shuffle), {})
    choosers = [bot_chooser(referee, make("random", 3 + seat)) for seat in range(rules.seats)]
    referee.play(choosers, deals)
    return referee.state


def begun(deals: int = 2, encoding: str = "utf-8") -> Lines:
    """A table of Kasra where so many deals were scored."""
    lines, state = Lines(encoding), after("kasra", deals)
    lines.table.attach(Peer())
    lines.table.state = state
    lines.table.restore(NAMES, [list(result.points) for result in state.results], list(state.totals))
    return lines


def test_the_points_of_a_deal_by_rule_for_everybody() -> None:
    lines = begun()
    told = lines.told("/score 2")
    result = lines.table.state.results[1] if lines.table.state else None
    assert result is not None and len(told) == 5
    for seat, line in enumerate(told[1:]):
        assert line.startswith(f"{NAMES[seat]} {result.points[seat]:+d}".replace(" +0", " 0"))
        assert all(t(f"rule-{rule}") in line for rule, points in result.breakdown[seat] if points)
    assert lines.told("/score 9") == [t("score-no-deal", deal="9")]
    assert lines.told("/score x") == [t("score-no-deal", deal="x")]
    assert len(lines.told("/score")) == 4  # heading, two deals, totals


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_the_plot(encoding: str) -> None:
    told = begun(3, encoding).told("/plot")
    assert all(name in told[-1] for name in NAMES) and len(told) > 10
    assert all("?" not in line for line in told)
    assert begun(0).told("/plot") == [t("score-none")]


def test_rules_and_options_of_this_table() -> None:
    lines = begun(0)
    told = lines.told("/rules")
    assert "* turn_seconds = 30   (*) usually 60" in told and any("kingdoms = 4" in line for line in told)
    options = lines.told("/options")
    assert options[0] == t("options-changed", game="Kasra") and options[1].startswith("* ") and "60" in options[1]
    assert Lines().told("/rules") == [t("line-not-begun")]


async def test_the_last_trick_and_in_trix_the_last_moves() -> None:
    lines = begun(0)
    assert lines.told("/last") == [t("last-none")]
    for seat, action in enumerate(("play AS", "play 2S", "play KS", "play 3S")):
        await lines.table.observe(events.Acted(seat, parse_action(action), proved=False))
    lines.told()
    await lines.table.observe(events.Acted(0, parse_action("play 4S"), proved=False))
    told = lines.told("/last")
    assert told[-1] == t("event-trick", player="Amal") and len(told) == 7  # the new card was told, too
    lines.table._course._trix = True
    await lines.table.observe(events.Acted(1, parse_action("pass"), proved=False))
    await lines.table.observe(events.Acted(2, parse_action("play JH"), proved=False))
    lines.told()
    told = lines.told("/last")
    assert told[0] == t("last-moves") and len(told) == 3 and "J♥" in told[2]
    await lines.table.observe(events.Dealt(2, 0))
    lines.told()
    assert lines.told("/last") == [t("last-none")]


async def test_talk_and_what_happened_can_be_read_again() -> None:
    lines = begun(0)
    assert lines.told("/chat") == [t("chat-none")] and lines.told("/history") == [t("history-none")]
    lines.table.hear("Basil", "hello")
    await lines.table.observe(events.Acted(0, parse_action("play AS"), proved=True))
    happened = lines.told()
    assert lines.told("/chat") == happened[:1] and lines.told("/history") == happened[1:]
    await lines.table.observe(events.Dealt(2, 1))
    lines.told()
    assert lines.told("/history") == [t("line-deal", deal=2, deals=16, player="Basil")]
    assert lines.told("/chat") == happened[:1]


def test_settings_are_shown_changed_and_explained() -> None:
    lines = Lines()
    assert any(line.startswith("bell = on") for line in lines.told("/settings"))
    assert lines.told("/settings bell off")[0].startswith("bell = off")
    assert read_settings().settings.bell is False
    assert lines.told("/settings bell maybe") == [t("settings-no-value", name="bell", value="maybe", values="on, off")]
    assert lines.told("/settings \x1b[2J x")[0].isprintable()
    lines.told("/settings language ar")
    assert lines.told("/last") == ["لم تؤخذ أي أكلة في هذه التوزيعة بعد."]


def test_the_invite_is_shown_where_there_is_one() -> None:
    assert begun(0).told("/invite") == [t("host-invite"), "majlis1:abc"]
    assert Lines().told("/invite") == [t("invite-none")]


async def test_a_hidden_hand_is_told_only_on_demand() -> None:
    lines, scene = Lines(), playing()
    cards = scene.view["hand"]
    legal = [action for action in scene.view["legal"] if action.startswith("play")]
    assert cards and legal

    async def ask() -> None:
        await lines.table.act(seat_protocol.Act(id=1, legal=legal, view=dict(scene.view)))

    lines.table.names = list(scene.names)
    assert lines.told("/hide") == [t("line-hidden")]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask)
        await trio.testing.wait_all_tasks_blocked()
        told = lines.told()
        assert t("line-hand-hidden", cards=tn("cards-counted", len(cards))) in told
        assert not any(line.startswith(("Your hand:", "You may play")) for line in told)
        assert lines.told("/hand")[0].startswith("Your hand: ")
        assert lines.told("/hide") == [t("line-shown")]
        assert any(line.startswith("You may play") for line in lines.told("/table"))
        lines.told("1")


async def test_cards_that_come_and_go_are_not_told_of_a_hidden_hand() -> None:
    lines = begun(0)
    lines.table.seat = 0
    given = seat_protocol.Event(deal=1, seat=1, action="give 0 AS")
    await lines.table.tell(given)
    assert any("A♠" in line for line in lines.told())
    lines.told("/hide")
    await lines.table.tell(given)
    assert lines.told() == []
    assert not any("A♠" in line for line in lines.told("/history"))
    lines.told("/hide")
    assert sum("A♠" in line for line in lines.told("/history")) == 2


@pytest.mark.parametrize("fact", ["new", "received"])
async def test_a_question_names_no_card_of_a_hidden_hand(fact: str) -> None:
    scene = next(one for one in asked("three_five_eight", 2) if fact in dict(facts.facts(one.view)))
    told = dict(facts.facts(scene.view))[fact]
    lines = Lines()
    lines.table.attach(Peer())

    async def ask() -> None:
        await lines.table.act(seat_protocol.Act(id=1, legal=scene.view["legal"], view=dict(scene.view)))

    lines.told("/hide")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask)
        await trio.testing.wait_all_tasks_blocked()
        shown = [*lines.told(), *lines.told("/table")]
        assert shown and told not in shown
        assert not any(words.card(name) in line for name in scene.view["hand"] for line in shown)
        lines.told("/hide")
        assert told in lines.told("/table")
        lines.told("1")


async def test_a_claim_is_a_command_too() -> None:
    lines = Lines()
    answers: list[str] = []

    async def ask() -> None:
        view = {**playing().view, "hand": ["AS"]}
        answers.append(await lines.table.act(seat_protocol.Act(id=1, legal=["play AS", "claim AS"], view=view)))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask)
        await trio.testing.wait_all_tasks_blocked()
        lines.told("/claim")
    assert answers == ["claim AS"]


def test_every_command_of_the_screen_is_one_in_lines() -> None:
    lines = begun()
    for command in COMMANDS:
        if command not in ("help", "menu"):  # the menu's lines are commands themselves
            assert t("line-unknown-command", command=f"/{command}") not in lines.told(f"/{command}")
