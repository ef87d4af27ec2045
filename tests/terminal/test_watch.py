"""`majlis replay RECORD --watch`: every moment of every game drawn, and keys that go through a record in a terminal."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.games import NAMES as GAMES
from engine.record import read, replay, write
from p2p.language import set_language
from p2p.terminal.screen.scene import Command
from p2p.terminal.screen.ui import Ui
from p2p.terminal.screen.watch import NOBODY, WatchPage
from tests.terminal.moments import record
from tests.terminal.playing import CARD
from tests.terminal.screen import Terminal, majlis

DEALS = {"kasra": 4, "estimation": 2, "istimar": 2, "three_five_eight": 2}
SHEET = """majlis-record 1
game: istimar
seats: Amal Basil Celine
deal 1
dealer: 0
0 trump S
tricks: 8 5 3
"""


def page(game: str) -> WatchPage:
    """Somebody who watches a record of random bots."""
    ui = Ui(lambda wish: None)
    shown = WatchPage(ui, replay(read(write(record(game, 1, DEALS[game])))))
    ui.pages = [shown]
    return shown


def press(page: WatchPage, *keys: str) -> str:
    """What is on the screen after some keys."""
    for key in keys:
        page.ui.press(key)
    return "\n".join(page.ui.draw(80, 24, 0.0).text())


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("game", GAMES)
def test_every_moment_of_every_game_is_drawn_for_all_hands_and_for_every_seat(game: str, language: str) -> None:
    set_language(language)
    watching = page(game)
    seen = set()
    for at in range(0, len(watching.seen), 1 if language == "en" else 7):
        watching.at = at
        for seat in range(NOBODY, len(watching.seen[0].names)):
            watching.seat = seat
            shown = press(watching)
            assert "(you)" not in shown
            seen.add(shown)
    assert len(seen) > len(watching.seen) // 2


def test_tricks_and_deals_are_leapt_over_and_nothing_is_passed_by() -> None:
    set_language("en")
    for game in GAMES:
        watching = page(game)
        scored = [at for at, frame in enumerate(watching.seen) if frame.result is not None]
        assert set(scored) <= set(watching.stops) and len(scored) == DEALS[game]
        visited = [watching.at]
        while watching.at < len(watching.seen) - 1:
            press(watching, "down")
            visited.append(watching.at)
        assert visited == watching.stops
        tricks = [at for at, frame in enumerate(watching.seen) if frame.taker >= 0 and frame.events]
        assert all(at in visited for at in tricks if watching.seen[at].taker != watching.seen[at - 1].taker)
        press(watching, "pageup", "pageup")
        assert watching.at == watching.deals[-2]
        assert "deal 1 of" in press(watching, "home")
        before = watching.at
        press(watching, "right", "right", "left")
        assert watching.at == before + 1


def test_one_seat_sees_its_own_cards_and_no_others() -> None:
    set_language("en")
    watching = page("istimar")
    press(watching, "2", "down")
    while watching.scene is None or watching.scene.view["phase"] != "play":
        press(watching, "right")
    frame, shown = watching.seen[watching.at], press(watching)
    assert "What Celine saw" in shown and "♠" not in shown.split("\n")[4]
    own = set(frame.view(2)["hand"])  # type: ignore[call-overload]
    cards = {found.replace("10", "T")[:-1] + "SHDC"["♠♥♦♣".index(found[-1])] for found in CARD.findall(shown)}
    lying = {card for _, card in watching.scene.trick}
    told = {word for news in watching.news for word in CARD.findall(news.text)}
    assert own <= cards and len(cards - own - lying) <= len(told)
    assert "All hands are open" in press(watching, "a")
    assert "What Amal saw" in press(watching, "tab") and "What أبو علي saw" not in press(watching, "tab", "backtab")


def test_it_plays_by_itself_until_the_end_or_a_key() -> None:
    set_language("en")
    watching, now = page("three_five_eight"), 0.0
    press(watching, " ")
    for _ in range(5):
        now = watching.wakes(now)
        watching.ui.draw(80, 24, now)
    assert watching.at == 5 and watching.playing
    press(watching, " ")
    assert not watching.playing
    press(watching, "end", " ")
    assert not watching.playing and watching.wakes(now) == float("inf")


def test_escape_leaves_and_panes_show_the_past() -> None:
    set_language("en")
    wishes: list[object] = []
    watching = page("kasra")
    watching.ui.send = wishes.append
    assert "No deal has been scored yet" in press(watching, "f2")
    press(watching, "escape", "end")
    assert "No deal has been scored yet" not in press(watching, "f2")
    assert "Watching a record" in press(watching, "escape", "f1")
    assert "The last moves" in press(watching, "escape", "left", "left", "f3") or "last" in press(watching)
    press(watching, "escape", "escape")
    assert wishes == [Command("quit")]


# --- in a terminal -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "ar"])
def test_a_record_is_watched_in_a_terminal(language: str, tmp_path: Path) -> None:
    file = tmp_path / "kasra.txt"
    file.write_text(write(record("kasra", 1, 1)), "utf-8")
    on, back = ("left", "right") if language == "ar" else ("right", "left")
    with majlis(tmp_path, "replay", str(file), "--watch", lang=language) as terminal:
        terminal.see("watch-all", moment(1)).press(on).see(moment(2)).press(on, on).see(moment(4))
        terminal.press(back).see(moment(3)).press("1").see("watch-as")
        terminal.press("end").see("points-title")
        terminal.press("f2").see("pane-score").press("escape").see(lambda screen: not screen.shows("pane-score"))
        terminal.resize(60, 20).see("plain").resize(80, 24).see("points-title")
        terminal.press("escape")
        assert terminal.wait() == 0
        assert terminal.left_over() == []
    with majlis(tmp_path, "replay", str(file), "--watch", lang=language) as terminal:
        terminal.see("watch-all").press(" ").press("c-c")
        assert terminal.wait() == 130
        assert terminal.left_over() == []


def moment(number: int) -> object:
    """Whether the screen says that this moment is shown."""

    def there(terminal: Terminal) -> bool:
        return f" {number} " in f" {terminal.rows[0].replace('.', ' ')} "

    return there


def test_a_score_sheet_has_no_hands_to_show(tmp_path: Path) -> None:
    (tmp_path / "sheet.txt").write_text(SHEET, "utf-8")
    with majlis(tmp_path, "replay", str(tmp_path / "sheet.txt"), "--watch") as terminal:
        terminal.see("replay-no-hands").press("end").see("points-title").press("escape")
        assert terminal.wait() == 0


def test_without_a_terminal_it_says_what_else_there_is(tmp_path: Path) -> None:
    file = tmp_path / "kasra.txt"
    file.write_text(write(record("kasra", 1, 1)), "utf-8")
    told = _run(tmp_path, str(file), "--watch")
    assert told.returncode == 2 and "--html" in told.stderr and "Traceback" not in told.stderr
    assert _run(tmp_path, str(file), "--watch", "--json").returncode == 2


def _run(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "MAJLIS_HOME": str(home), "MAJLIS_LANG": "en"}
    command = [sys.executable, "-m", "p2p.cli", "replay", *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
