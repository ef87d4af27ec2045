"""One game of an arena: what is kept of it, faults by kind, and that nothing but the plan decides it."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from bots.arena import playing
from bots.arena.boards import Job, Plan, jobs
from bots.arena.playing import KINDS, Played, label, play
from bots.sdk import Bot, View
from engine.cards import parse_cards
from engine.games import NAMES
from engine.record import read, replay
from protocol.seat import Hello

ROOT = Path(__file__).parents[4]


@pytest.mark.parametrize("game", NAMES)
def test_a_game_is_kept_with_its_record(game: str) -> None:
    plan = Plan(game=game, bots=("steady", "random"))
    (job, *_) = jobs(plan, 1)
    found = play(plan, job)
    again = replay(read(found.record))
    assert again.finished and again.state.totals == found.played.totals
    assert tuple(result.points for result in again.results) == found.played.points
    assert again.record.seats == [plan.distinct[bot] for bot in job.seating]
    assert found.played.packs == f"{game}/1/1" and found.played.job(plan) == job
    assert all(sum(count for _, count in times) > 0 for times in found.played.times)
    assert not any(map(any, found.played.faults))


def test_only_the_plan_decides_a_game() -> None:
    plan = Plan(game="istimar", bots=("steady", "random"))
    job = jobs(plan, 2)[0]
    one, other = play(plan, job).played, play(plan, job).played
    assert (one.points, one.moves) == (other.points, other.moves)
    elsewhere = play(Plan(game="istimar", bots=("steady", "random"), seed=2), Job(2, job.seating)).played
    assert elsewhere.moves != one.moves


def test_the_cheater_is_given_the_true_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []

    class Looking(Bot):
        def __init__(self, truth: Callable[[], Sequence[int]]) -> None:
            super().__init__()
            self.truth = truth

        def act(self, view: View) -> str:
            mine = self.truth()[view.seat]
            seen.append(mine)
            assert mine == parse_cards(" ".join(view.hand)) and not mine & self.truth()[(view.seat + 1) % 4]
            return view.legal[0]

    monkeypatch.setattr("bots.search.player.Cheater", Looking)
    played = play(Plan(game="kasra", bots=("cheater", "random")), Job(1, (0, 1, 0, 1))).played
    assert len(seen) > 20 and not any(map(any, played.faults))


class Bad(Bot):
    """Raises once, then gives an illegal answer twice running, then plays well."""

    def start(self, hello: Hello) -> None:
        self.asked = 0
        self.names = hello.names

    def act(self, view: View) -> str:
        self.asked += 1
        if self.asked == 1:
            raise RuntimeError("a bot that breaks")
        return "play ??" if self.asked in (3, 4) else view.legal[0]


def game_with(monkeypatch: pytest.MonkeyPatch, bot: Bot) -> Played:
    """A board of 3-5-8 in which seat 0 is played by this bot."""
    make = playing.make
    monkeypatch.setattr(playing, "make", lambda name: bot if name == "quick" else make(name))
    return play(Plan(game="three_five_eight", bots=("quick", "random", "random")), Job(1, (0, 1, 1))).played


def test_faults_are_counted_by_kind_and_the_game_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    bot = Bad()
    played = game_with(monkeypatch, bot)
    faults = dict(zip(KINDS, played.faults[0], strict=True))
    assert faults == {"illegal": 2, "timeout": 0, "stall": 0, "crash": 1, "protocol": 0, "fallback": 1}
    assert len(played.points) == 6 and played.faults[1] == (0,) * 6
    assert bot.names == ["Amal", "Basil", "Celine"], "it is not told whom it plays against"


class Events(Bot):
    """Asks for events and keeps what it hears."""

    wants = ("events",)

    def start(self, hello: Hello) -> None:
        self.heard: list[str] = []

    def act(self, view: View) -> str:
        self.heard.append("act")
        return view.legal[0]

    def tell(self, message: object) -> None:
        self.heard.append(type(message).__name__)


def test_a_bot_that_wants_events_hears_them_before_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    bot = Events()
    game_with(monkeypatch, bot)
    assert bot.heard.count("Deal") == bot.heard.count("Score") == 6
    assert bot.heard.index("Deal") < bot.heard.index("act") and bot.heard[-1] == "End"
    assert bot.heard.count("Event") > 6 * 40


class Passing(Bot):
    """Never bids, so that nobody ever plays if all are like it."""

    def act(self, view: View) -> str:
        return "pass" if "pass" in view.legal else view.legal[0]


def test_bots_that_always_pass_do_not_hold_the_arena_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "make", lambda name: Passing())
    monkeypatch.setattr(playing, "THROWN_IN_LIMIT", 3)
    played = play(Plan(game="estimation", bots=("random",)), Job(1, (0, 0, 0, 0))).played
    assert len(played.points) == 1 and sum(map(sum, played.faults)) > 0


def test_a_program_plays_with_its_complaints_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    bot = tmp_path / "mine.py"
    bot.write_text(
        "import random\nfrom bots.sdk import Bot, View, main\n"
        "class Mine(Bot):\n"
        "    wants = ('events',)\n"
        "    def act(self, view: View) -> str:\n"
        "        print('thinking')\n"
        "        return self.random.choice(view.legal)\n"
        "main(Mine)\n"
    )
    command = f"cmd:{shlex.quote(sys.executable)} {shlex.quote(str(bot))}"
    plan = Plan(game="estimation", bots=(command, "random", "random", "random"))
    job = Job(1, (0, 1, 1, 1))
    one, other = play(plan, job, str(tmp_path)), play(plan, job)
    assert not any(one.played.faults[0]), one.played.faults
    assert one.played.moves == other.played.moves, "a program's chance comes from its seed"
    (complaints,) = tmp_path.glob("board-00001-0-1-1-1-seat-0.stderr.txt")
    assert "thinking" in complaints.read_text("utf-8")


def test_a_program_may_connect_over_tcp(tmp_path: Path) -> None:
    piped = f"cmd:{shlex.quote(sys.executable)} -S -E {shlex.quote(str(ROOT / 'examples' / 'bot.py'))}"
    job = Job(1, (0, 1, 1, 1))
    over_pipes, over_tcp = (
        play(Plan(game="estimation", bots=(bot, "random", "random", "random")), job, str(tmp_path)).played
        for bot in (piped, piped + " {port} {token}")
    )
    assert not any(over_tcp.faults[0]) and over_tcp.times[0]
    assert (over_tcp.points, over_tcp.packs) == (over_pipes.points, over_pipes.packs), "the same bot plays the same"


def test_a_bots_name_in_a_record_is_no_comment() -> None:
    assert label("cmd:node a.js # fast\n") == "cmd:node a.js   fast"
    assert len(label("cmd:" + "x" * 100)) == 40
