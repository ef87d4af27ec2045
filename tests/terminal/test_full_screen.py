"""The full screen in real pseudo-terminals: whole deals by keys, and what is left behind however it ends."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from p2p.cli.demo import SHORT
from tests.terminal.broken import LETTERS
from tests.terminal.hostile import LAST, MARKS
from tests.terminal.playing import asked, deal_on_screen, hand, invite, legal_cards, lifted, play, prompt, sit_down
from tests.terminal.screen import Terminal, majlis, program, seen, table

INTERRUPTED = 130
GAMES = {**SHORT, "estimation": ("normal_deals=3", "speed_deals=0")}
"""Short games, none over after one deal."""

SEATS = {"kasra": 4, "estimation": 4, "istimar": 3, "three_five_eight": 3}


@contextmanager
def two(home: Path, game: str) -> Iterator[tuple[Terminal, Terminal]]:
    """A table of two people, one who reads English and hosts and one who reads Arabic, and bots."""
    with majlis(home / "host", *table(game, SEATS[game] - 2, *GAMES[game])) as host:
        host.see(lambda _: invite(home / "host"))
        with majlis(home / "guest", "join", invite(home / "host"), "--name", "أبو علي", lang="ar") as guest:
            guest.see("terms-sit").press("enter")
            sit_down(host, guest)
            yield host, guest


def left(terminal: Terminal) -> list[str]:
    """What an interrupted program left, for the person and in the terminal: only sentences are to be seen."""
    assert terminal.wait() == INTERRUPTED, str(terminal)
    assert "Traceback" not in terminal.text
    assert "majlis resume" in terminal.text.rpartition("\x1b[?1049l")[2]
    return terminal.left_over()


def hint(terminal: Terminal) -> list[str]:
    """What F8 shows at a question, which stays open."""
    terminal.press("f8").see("pane-advice", "sharp")
    told = terminal.rows[1:-2]
    terminal.press("escape").see(asked)
    return told


# --- whole deals ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_deal_is_played_by_keys_in_both_languages(game: str, tmp_path: Path) -> None:
    with two(tmp_path, game) as people:
        play(*people, until=lambda terminal: terminal.shows("points-title") or deal_on_screen(terminal) == 2)
        sheets = []
        for terminal in people:
            terminal.press("f2").see("pane-score")
            sheets.append(points_on_sheet(terminal))
            terminal.press("c-c")
        for terminal in people:
            assert left(terminal) == []
        assert sheets[0] == sheets[1] and len(sheets[0]) == SEATS[game]


def points_on_sheet(terminal: Terminal) -> list[int]:
    """The points of the first deal, as the score sheet shows them; in Arabic the seats begin at the right."""
    row = next(row for row in terminal.rows[3:] if re.search(r"[+-]\d+|\b0\b", row))
    found = [int(number) for number in re.findall(r"(?<=\s)(?:[+-]\d+|0)(?=\s)", f" {row} ")]
    return found[::-1] if terminal.lang == "ar" else found


def test_a_window_that_becomes_too_small_says_so_and_goes_on_when_it_is_larger(tmp_path: Path) -> None:
    with majlis(tmp_path, *table("istimar", 2)) as terminal:
        sit_down(terminal)
        terminal.see(asked)
        held = hand(terminal)
        terminal.press("enter").see(lifted)
        for size in ((60, 20), (80, 12), (40, 30)):
            terminal.resize(*size).see("plain", lambda terminal: not lifted(terminal))
        terminal.resize(1, 1)
        terminal.resize(100, 30).see(lifted)
        assert hand(terminal) == held and asked(terminal.press("escape").see(asked))
        terminal.resize(200, 60).see(asked)
        terminal.resize(80, 24).see(asked)
        play(terminal, until=lambda terminal: len(hand(terminal)) < len(held))
        terminal.press("c-c")
        assert left(terminal) == []


# --- leaving and coming back ---------------------------------------------------------------------------------------

WAYS: dict[str, Callable[[Terminal], object]] = {
    "asked": lambda terminal: terminal.press("c-c"),
    "lifted": lambda terminal: terminal.press("enter").see(lifted).press("c-c"),
    "pane": lambda terminal: terminal.press("f2").see("pane-score").press("c-c"),
    "talk": lambda terminal: terminal.press("f5", "ab").see("pane-chat", "ab").press("c-c"),
    "command": lambda terminal: terminal.press("/sa").see("sa").press("c-c"),
    "small": lambda terminal: terminal.resize(40, 10).see("plain").press("c-c"),
    "SIGINT": lambda terminal: terminal.process.send_signal(signal.SIGINT),
    "SIGTERM": lambda terminal: terminal.process.send_signal(signal.SIGTERM),
    "SIGHUP": lambda terminal: terminal.process.send_signal(signal.SIGHUP),
}


def test_however_a_guest_leaves_his_terminal_is_clean_and_his_seat_waits_with_the_same_hand(tmp_path: Path) -> None:
    with two(tmp_path, "istimar") as (host, guest):
        play(host, guest, until=lambda terminal: terminal is host or (asked(terminal) and legal_cards(terminal)))
        host.see(lambda _: seen("prompt-waiting", host.lang) in prompt(host))  # his own card has left his hand, too
        held, hosts = hand(guest), hand(host)
        guest.press("c-c")
        assert left(guest) == []
        for name, leave in WAYS.items():
            with majlis(tmp_path / "guest", "resume", lang="ar") as again:
                again.see(lambda terminal: hand(terminal) == held and asked(terminal))
                leave(again)
                assert left(again) == [], name
        with majlis(tmp_path / "guest", "resume", lang="ar") as again:
            again.see(lambda terminal: hand(terminal) == held and asked(terminal))
            assert again.hang_up() == INTERRUPTED
        host.press("c-c")  # while he waits for the guest
        assert left(host) == []
    with majlis(tmp_path / "host", "resume") as host:
        host.see(lambda terminal: hand(terminal) == hosts).press("f6", "c-c")
        assert left(host) == []


def test_ctrl_c_before_the_game_leaves_a_clean_terminal(tmp_path: Path) -> None:
    """In the waiting room, where a guest looks at the rules before he sits down, and wherever one begins."""
    with majlis(tmp_path / "host", *table("kasra", 0)) as host:
        host.see(lambda _: invite(tmp_path / "host"), "lobby-copy")
        with majlis(tmp_path / "guest", "join", invite(tmp_path / "host"), lang="ar") as guest:
            guest.see("terms-sit").press("c-c")
            assert guest.wait() == INTERRUPTED
            assert guest.left_over() == []
        host.press("c-c")
        assert host.wait() == INTERRUPTED
        assert host.left_over() == []
    for keys in ([], ["enter"], ["down", "enter"]):  # where one begins; the form of a new table; the tables near by
        with majlis(tmp_path / "new") as terminal:
            terminal.see("start-host", "start-leave")
            if keys:
                terminal.press(*keys).see(lambda screen: not screen.shows("start-leave"))
            terminal.press("c-c")
            assert terminal.wait() == INTERRUPTED, keys
            assert terminal.left_over() == []


# --- what breaks ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["key", "draw", "table"])
def test_what_breaks_ends_with_a_message_on_a_clean_screen(where: str, tmp_path: Path) -> None:
    with program("-m", "tests.terminal.broken", where, home=tmp_path) as terminal:
        terminal.see(LETTERS).press("x")
        assert terminal.wait() == 1
        assert terminal.left_over() == []
        assert not terminal.shows(LETTERS)
        assert "ArithmeticError" in str(terminal)
        if where != "table":
            assert "majlis resume" in "".join(terminal.rows) and "Traceback" not in terminal.text


def test_a_hostile_guest_cannot_disturb_anybodys_screen(tmp_path: Path) -> None:
    with majlis(tmp_path / "host", *table("istimar", 1)) as host:
        host.see(lambda _: invite(tmp_path / "host"))
        line = invite(tmp_path / "host")
        guest = subprocess.Popen(
            [sys.executable, "-m", "tests.terminal.hostile", line],
            env={"MAJLIS_HOME": str(tmp_path / "guest"), "PATH": "/usr/bin:/bin"},
            stderr=subprocess.DEVNULL,
        )
        try:
            sit_down(host)
            host.see(hand).press("f5").see("pane-chat", LAST)  # which stands among the news for a while, too
            shown = [row for row in host.rows if "{player}" in row or "<b>" in row]
            assert any("bold</b> {0} {player} %s" in row for row in shown)
            host.press("escape").see(lambda terminal: hand(terminal) and not terminal.shows("pane-chat"))
            assert host.rows[0].startswith(" Isti'mar") and host.shows("<b>{player}")
            host.press("c-c")
            assert left(host) == []
        finally:
            guest.kill()
            guest.wait()
        assert not set(host.text) & set("\u2066\u2067\u2068\u202e\u200f\x9b")
        assert "\x1b]0;" not in host.text and MARKS[:5] not in host.text


def test_nothing_is_lost_when_nobody_reads_the_screen_any_more(tmp_path: Path) -> None:
    with majlis(tmp_path, *table("istimar", 2)) as host:
        sit_down(host)
        host.see(asked)
        held, told = hand(host), hint(host)
        assert host.hang_up() == INTERRUPTED
    with majlis(tmp_path, "resume") as again:
        again.press("f8")  # before there is anything to hint at
        again.see(lambda terminal: terminal.full_screen)
        again.press("escape").see(lambda terminal: hand(terminal) == held and asked(terminal))
        assert hint(again) == told
