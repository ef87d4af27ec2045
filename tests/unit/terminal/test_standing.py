"""How things stand, in lines: all that the waiting room and the table of the full screen show."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from bots.builtin import make
from bots.practice import bot_chooser, seat_view
from engine.actions import Action
from engine.cards import NO_CARDS, CardSet
from engine.game import State, asked
from engine.games import game as find_game
from engine.referee import Referee, shuffled
from p2p.language import set_language, t, tn
from p2p.language.cards import listed, whole
from p2p.lobby import AskingNews, LobbyNews, SeatNews
from p2p.terminal.standing import lobby_lines, readiness_told, table_lines
from protocol import seat as seat_protocol
from protocol.seat import build_view
from tests.unit.terminal.peer import Peer
from tests.unit.terminal.test_line_lookups import NAMES, Lines


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    set_language("en")


AMAL = SeatNews(b"a", "Amal", "", "", present=True, ready=True, me=True)
BOT = SeatNews(b"b", "Bot 1", "steady", "Amal", present=True, ready=True, me=False)
GONE = SeatNews(b"c", "Celine", "", "", present=False, ready=True, me=False)
LOBBY = LobbyNews(
    "kasra",
    {"doubling": "off"},
    {"turn_seconds": 20},
    (AMAL, BOT, GONE),
    1,
    (AskingNews(4, b"d", "Dawud", "10.0.0.7", invited=False),),
    waiting=False,
    running=False,
    words=("abacus", "baker"),
    invite="majlis1:abc",
)


def test_the_waiting_room_says_what_the_full_screen_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p.terminal.standing.aloud", " ".join)
    told = lobby_lines(LOBBY)
    assert told[0].endswith("Kasra") and told[1:3] == ["doubling in Complex: off", "seconds for a move: 20"]
    assert told[3:6] == [
        "Amal (you) · ready",
        "Bot 1 · bot on the machine of Amal · ready",
        f"Celine · {t('state-missing')}",
    ]
    assert told[6].startswith("4) Dawud asks for a seat") and "10.0.0.7" in told[6]
    assert told[7:] == [
        t("lobby-waits", free=1, unready=1),
        t("lobby-words", words="abacus baker"),
        "Invite: majlis1:abc",
    ]
    unready = replace(LOBBY, seats=(replace(AMAL, ready=False), BOT, GONE), words=(), invite="")
    assert lobby_lines(unready)[-1] == t("line-your-ready")
    assert t("lobby-usual") in lobby_lines(replace(LOBBY, options={}, rules={}, words=()))


def test_who_is_ready_is_told_when_it_changes() -> None:
    lines = Lines()
    lines.table.lobby(LOBBY)
    assert lines.told() == []
    unready = replace(LOBBY, seats=(replace(AMAL, ready=False), BOT, GONE))
    lines.table.lobby(unready)
    assert lines.told() == [t("event-unready", player="Amal")]
    assert [*readiness_told(unready, LOBBY)] == [t("event-ready", player="Amal")]
    assert [*readiness_told(replace(LOBBY, seats=()), LOBBY)] == []


def test_rules_options_and_table_before_the_game() -> None:
    lines = Lines()
    assert lines.told("/table") == [t("line-not-begun")] == lines.told("/rules")
    lines.table.lobby(replace(LOBBY, words=()))
    assert lines.told("/table") == lobby_lines(replace(LOBBY, words=()))
    assert lines.told("/options")[0] == t("options-changed", game="Kasra")
    assert any("doubling = off" in line for line in lines.told("/rules"))


class Playing(Peer):
    """A peer whose game has begun."""

    def __init__(self, view: dict[str, object]) -> None:
        self._view = view

    def view(self) -> dict[str, object] | None:
        return self._view


def test_the_table_can_be_looked_at_when_nothing_is_asked() -> None:
    lines = Lines()
    state = find_game("kasra").start({})
    lines.table.attach(Playing(build_view(state, 0, 0, [0] * 4, NAMES)))
    told = lines.told("/table")
    assert told[0] == t("line-deal", deal=1, deals=16, player=NAMES[state.dealer])
    assert told[1].startswith("Totals: Amal 0") and told[-1] == tn("sign-verified", 0)


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("name", ["kasra", "estimation", "istimar", "three_five_eight"])
def test_every_moment_of_a_game_can_be_looked_at_from_every_seat(name: str, language: str) -> None:
    rules = find_game(name)
    referee = Referee.start(rules, shuffled(random.Random(5).shuffle), {})
    bot, phases = bot_chooser(referee, make("random", 3)), set[str]()

    def choose(seat: int, state: State, hand: CardSet, actions: list[Action]) -> Action:
        phases.add(state.phase)
        for looking in range(-1, rules.seats):  # a host without a seat is -1
            view = (
                build_view(state, -1, NO_CARDS, [NO_CARDS] * rules.seats)
                if looking < 0
                else seat_view(referee, looking)
            )
            told = table_lines({**view, "names": NAMES[: rules.seats]}, None, 7, asked=False)
            others = [NAMES[one] for one in asked(state.step) if one != looking]
            assert not others or t("prompt-waiting", player=listed(map(whole, others))) in told
            assert not any("{" in line or "?" in line for line in told)
        return bot(seat, state, hand, actions)

    set_language(language)
    referee.play([choose] * rules.seats, 4)
    assert "play" in phases and len(phases) > 1


def test_who_is_gone_and_how_long_the_table_waits() -> None:
    presence = seat_protocol.Table(
        presence=[
            seat_protocol.Presence(seat=0, name="Amal", state="here"),
            seat_protocol.Presence(seat=1, name="Basil", state="missing"),
            seat_protocol.Presence(seat=2, name="Celine", state="stand-in"),
        ],
        waiting=[seat_protocol.Waiting(seat=1, seconds=61.2)],
        done=2,
        total=4,
    )
    state = find_game("istimar").start({})
    told = table_lines(build_view(state, 0, NO_CARDS, [NO_CARDS] * 3, NAMES[:3]), presence, 1, asked=False)
    assert told[2:5] == [
        t("sign-shuffling", done=2, total=4),
        t("prompt-missing", player="Basil", time="1:02"),
        f"Celine: {t('state-stand-in')}",
    ]
