"""`majlis arena` as a command: what it prints, what it refuses, and what it leaves behind."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bots.arena.boards import BOARDS, circles, turned
from bots.arena.log import read_untrusted
from bots.arena.playing import KINDS, play
from bots.arena.pool import Here
from bots.arena.results import Tally
from engine.record import read, replay
from p2p.arena.progress import Progress, duration
from p2p.cli.arena import _processes, complete_bot, default_jobs
from p2p.cli.common import end_like_ctrl_c, hang_up
from p2p.cli.majlis import majlis
from p2p.language import load, set_language
from p2p.terminal.console import cells

MAJLIS = (sys.executable, "-m", "p2p.cli", "--lang", "en")
QUICK = ("arena", "estimation", "steady", "random", "--boards", "2", "--jobs", "1")


def run(*words: object, code: int = 0) -> Result:
    result = CliRunner().invoke(majlis, [str(word) for word in words])
    assert result.exit_code == code, result.output + repr(result.exception)
    return result


def test_the_table_says_who_is_better_and_is_the_same_every_time() -> None:
    first, again = run(*QUICK), run(*QUICK)
    assert first.stdout == again.stdout
    assert "boards: 2, games: 6, deals: 6" in first.stdout and "seed 1" in first.stdout
    assert re.search(r"^steady +\+", first.stdout, re.M) and re.search(r"^random +-?\+?\d", first.stdout, re.M)
    assert "steady against random: +" in first.stdout
    assert "median" in first.stderr and "median" not in first.stdout, "times differ, so they stand apart"
    assert "\r" not in first.stderr, "no progress bar where there is no terminal"
    assert run(*QUICK, "--seed", 2).stdout != first.stdout


def test_arabic_says_it_too() -> None:
    set_language("ar")
    told = run(*QUICK).stdout
    assert "استميشن" in told and "steady" in told and "نقاط" in told


def test_the_json_has_what_programs_need() -> None:
    told = json.loads(run(*QUICK, "--json").stdout)
    assert (told["game"], told["boards"], told["games"], told["deals"]) == ("estimation", 2, 6, 6)
    assert [row["bot"] for row in told["bots"]] == ["steady", "random"]
    for row in told["bots"]:
        low, high = row["interval"]
        assert low <= row["mean"] <= high
        assert row["faults"] == dict.fromkeys(("illegal", "timeout", "stall", "crash", "protocol"), 0)
        assert "seconds" not in row
    (duel,) = told["duels"]
    assert duel["bots"] == ["steady", "random"] and duel["always"][0] < duel["interval"][0]
    assert told["options"]["normal_deals"] == 1
    timed = json.loads(run(*QUICK, "--json", "--times").stdout)
    assert 0 < timed["bots"][0]["seconds"]["median"] <= timed["bots"][0]["seconds"]["p99"]


def test_copies_of_a_bot_are_one_row() -> None:
    told = json.loads(run("arena", "358", "steady", "random", "random", "--boards", 1, "--jobs", 1, "--json").stdout)
    assert [row["bot"] for row in told["bots"]] == ["steady", "random"]
    assert (told["game"], told["boards"], told["games"], told["deals"]) == ("three_five_eight", 1, 3, 18)
    assert told["bots"][0]["interval"] is None, "one board has no interval"


def test_boards_are_rounded_up_to_whole_rounds() -> None:
    assert "boards: 2, games: 6" in run("arena", "358", "steady", "random", "--boards", 1, "--jobs", 1).stdout


def test_a_log_goes_on_and_is_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log, records = tmp_path / "log", tmp_path / "records"
    logged = (*QUICK, "--log", log)
    first = run(*logged, "--records", records)
    assert len(log.read_bytes().splitlines()) == 1 + 6
    files = sorted(records.glob("*.txt"))
    assert len(files) == 6 and all(replay(read(file.read_text("utf-8"))).finished for file in files)
    monkeypatch.setattr(Here, "take", lambda self: pytest.fail("nothing is left to play"))
    assert run(*logged).stdout == first.stdout
    monkeypatch.undo()
    assert run("arena", "--replay", log, "--jobs", 1).stdout == "All games came out the same: 6.\n"
    refused = run(*logged, "--seed", 3, code=1)
    assert "seed: there 1, now 3" in refused.stderr
    log.write_bytes(log.read_bytes().replace(b'"moves":"', b'"moves":"0', 1))
    told = run("arena", "--replay", log, "--jobs", 1, code=1)
    assert told.stdout.startswith("Board 1 (steady, steady, random, random) came out differently.")
    assert "1 of 6" in told.stderr


def test_ctrl_c_keeps_what_was_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "log"
    take, taken = Here.take, []

    def interrupted(self: Here) -> object:
        taken.append(1)
        if len(taken) == 7:
            raise KeyboardInterrupt
        return take(self)

    monkeypatch.setattr(Here, "take", interrupted)
    longer = (*QUICK, "--boards", 4)
    stopped = run(*longer, "--log", log, code=130)
    assert "boards: 2, games: 6" in stopped.stdout and "goes on from here" in stopped.stderr
    monkeypatch.undo()
    assert run(*longer, "--log", log).stdout == run(*longer).stdout


def test_strict_is_for_automatic_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    run(*QUICK, "--strict")
    from bots.arena import playing
    from bots.sdk import Bot

    monkeypatch.setattr(playing, "make", lambda name: Bot())  # raises whenever it is asked
    told = run(*QUICK, "--strict", code=1)
    assert re.search(r"^steady .* crash \d+$", told.stdout, re.M)
    assert re.search(r"Faults of the bots: \d+", told.stderr)


def test_the_page_is_written(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    told = run(*QUICK, "--html", page)
    assert str(page) in told.stderr and "<svg" in page.read_text("utf-8")
    assert "Could not write" in run(*QUICK, "--html", tmp_path / "no" / "page.html", code=1).stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_full_disk_leaves_the_page_of_an_earlier_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.html"
    page.write_text("of yesterday", "utf-8")

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    assert "Could not write" in run(*QUICK, "--html", page, code=1).stderr
    assert page.read_text("utf-8") == "of yesterday" and [one.name for one in tmp_path.iterdir()] == ["page.html"]
    assert "Could not write /dev/full" in run(*QUICK, "--html", "/dev/full", code=1).stderr


def test_a_page_that_cannot_be_written_is_no_surprise_after_the_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Here, "take", lambda self: pytest.fail("nothing is played"))
    assert "Could not write" in run(*QUICK, "--html", tmp_path / "no" / "page.html", code=1).stderr
    log = tmp_path / "log"
    assert "same file" in run(*QUICK, "--log", log, "--html", tmp_path / "no" / ".." / "log", code=2).stderr
    assert not log.exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("words", [QUICK, ("rules", "kasra")])
def test_a_full_disk_under_what_is_printed_gets_a_sentence(words: tuple[object, ...]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run([*MAJLIS, *map(str, words)], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1 and "Could not write" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of POSIX")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "2>/dev/full"])
def test_a_closed_stream_stops_nothing(tmp_path: Path, closed: str) -> None:
    """As in a service without a terminal. The page comes last of all."""
    page = tmp_path / "page.html"
    command = shlex.join([*MAJLIS, "arena", "estimation", "random", "--jobs", "1", "--html", str(page)])
    done = subprocess.run(["sh", "-c", f"{command} --boards 1 {closed}"], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "Traceback" not in done.stderr
    assert page.exists() and ("boards: 1" in done.stdout) == (closed != ">&-")


def test_a_program_that_cannot_start_does_not_pass_for_the_one_who_plays_for_it(tmp_path: Path) -> None:
    file = tmp_path / "bot"
    file.write_bytes(b"neither a script nor a program")
    file.chmod(0o755)
    words = ("arena", "estimation", f"cmd:{file}", "random", "--boards", 2, "--jobs", 1, "--strict")
    row = json.loads(run(*words, "--json", code=1).stdout)["bots"][0]
    assert row["faults"]["crash"] == 12 and row["fallback"] > 0
    told = run(*words, code=1)
    assert "crash 12" in told.stdout and "moves played for it" in told.stdout


def test_a_bot_that_leaves_did_nothing_wrong_but_is_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    from bots.arena import playing

    monkeypatch.setattr(playing.Direct, "_alive", lambda self: False)
    assert "moves played for it" in run(*QUICK).stdout
    assert "Moves had to be played for bots" in run(*QUICK, "--strict", code=1).stderr


def test_no_more_processes_than_games() -> None:
    assert [_processes(wanted, games) for wanted, games in ((256, 6), (2, 6), (2, 0))] == [6, 2, 1]
    assert 1 <= _processes(None, 10**6) == default_jobs()


@pytest.mark.parametrize("number", [signal.SIGTERM, *hang_up()])
def test_other_signals_break_in_only_where_ctrl_c_may(number: signal.Signals) -> None:
    """trio puts its own handler in the place of Ctrl-C's: one that knows where it must not raise."""
    before = {each: signal.getsignal(each) for each in (number, signal.SIGINT)}
    heard: list[int] = []
    try:
        end_like_ctrl_c()
        signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
        signal.raise_signal(number)
        assert heard == [signal.SIGINT]
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(number)
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def test_ctrl_c_while_the_result_is_put_together_has_its_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Tally, "results", lambda self: signal.raise_signal(signal.SIGINT))
    assert "Stopped." in run(*QUICK, code=130).stderr


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        ((), 2, "which bots"),
        (("kasra",), 2, "which bots"),
        (("kasra", "nobody"), 2, "There is no bot nobody"),
        (("kasra", "cmd:no-such-program-at-all"), 2, "There is no such program"),
        (("kasra", "cmd:'"), 2, "There is no such program"),
        (("358", "random", "random", "random", "random"), 2, "4 bots do not fit"),
        (("kasra", "random", "--option", "kingdoms=4"), 2, "sets kingdoms itself"),
        (("kasra", "random", "--option", "turn_seconds=9"), 2, "turn_seconds is about people"),
        (("kasra", "random", "--option", "doubling=never"), 2, "never"),
        (("kasra", "random", "--preset", "egyptian"), 2, "no presets"),
        (("kasra", "random", "--verified", "--dask", "tcp://127.0.0.1:1"), 2, "cannot go to a cluster"),
        (("kasra", "cheater", "--verified"), 2, "no cheater"),
        (("--replay", "/no/such/file"), 1, "/no/such/file"),
        (("--replay", "/no/such/file", "--json"), 2, "--replay only tells"),
        (("kasra", "random", "--log", "/no/such/folder/log"), 1, "/no/such/folder"),
        (("kasra", "random", "--boards", "0"), 2, "range"),
        (("kasra", "random", "--bot-seconds", "nan"), 2, "is a number"),
        (("kasra", "random", "--bot-seconds", "inf"), 2, "range"),
        (("kasra", "cmd:bot \udcff"), 2, "UTF-8"),
    ],
)
def test_what_cannot_be_played_gets_a_sentence(words: tuple[str, ...], code: int, sentence: str) -> None:
    assert sentence in run("arena", *words, code=code).stderr


def test_a_program_that_a_log_names_runs_only_if_the_command_names_it(tmp_path: Path) -> None:
    log, trap = tmp_path / "log", tmp_path / "ran"
    program = f"cmd:{sys.executable} -c \"open({str(trap)!r},'w')\""
    header = {"format": "majlis-arena 1", "version": "1", "plan": {"game": "kasra", "bots": [program]}}
    log.write_text(json.dumps(header) + "\n")
    assert "The log names a program" in run("arena", "--replay", log, code=2).stderr
    assert not trap.exists()
    assert "same: 0" in run("arena", "--replay", log, "kasra", program, "--jobs", 1).stdout


def test_a_log_that_is_in_use_is_left_alone(tmp_path: Path) -> None:
    from p2p.files import lock_file

    with lock_file(tmp_path / "log"):
        assert "Another arena" in run(*QUICK, "--log", tmp_path / "log", code=1).stderr


def test_the_tab_key_knows_the_bots() -> None:
    assert complete_bot(None, None, "st") == ["steady"]  # type: ignore[arg-type]
    assert complete_bot(None, None, "c")[-2:] == ["cheater", "cmd:"]  # type: ignore[arg-type]


# ---- the progress bar ---------------------------------------------------------------------------------------------


def test_durations_are_short() -> None:
    assert [duration(seconds) for seconds in (0.4, 65, 3599, 4830)] == ["0:00", "1:05", "59:59", "1h 20"]


class Screen:
    """A stream that says it is a terminal."""

    def __init__(self, terminal: bool = True) -> None:
        self.text = ""
        self._terminal = terminal

    def fileno(self) -> int:
        raise io.UnsupportedOperation

    def isatty(self) -> bool:
        return self._terminal

    def write(self, text: str) -> None:
        self.text += text

    def flush(self) -> None: ...


def test_the_bar_is_for_terminals_only(monkeypatch: pytest.MonkeyPatch) -> None:
    from bots.arena.boards import Plan
    from bots.arena.running import Run
    from p2p.arena import progress

    monkeypatch.setattr(progress, "PAUSE", -1.0)
    plan = Plan(game="estimation", bots=("random",))
    for terminal in (True, False):
        screen = Screen(terminal)
        bar = Progress(2, screen)  # type: ignore[arg-type]
        run_ = Run(plan, 2, tell=bar.show)
        run_.play(Here(play, plan))
        bar.clear()
        assert ("boards 1 of 2" in screen.text and "left" in screen.text) == terminal
        assert terminal or screen.text == ""


@pytest.mark.parametrize("lang", ["en", "ar"])
def test_the_bar_never_wraps(monkeypatch: pytest.MonkeyPatch, lang: str) -> None:
    from bots.arena.boards import Plan
    from bots.arena.running import Run
    from p2p.arena import progress

    set_language(lang)
    monkeypatch.setattr(progress, "PAUSE", -1.0)
    monkeypatch.setattr(Screen, "fileno", lambda self: 2)
    run_ = Run(Plan(game="estimation", bots=("random",)), 90_000)
    run_.played = 1
    for columns in (200, 80, 60, 40, 20, 9):
        size = os.terminal_size((columns, 24))
        monkeypatch.setattr(os, "get_terminal_size", lambda fileno, size=size: size)
        screen = Screen()
        progress.Progress(90_000, screen).show(run_)  # type: ignore[arg-type]
        line = screen.text.removeprefix(progress._CLEAR)
        assert 0 < cells(line) < columns, line
        assert ("░" in line) == (columns >= 40)


# ---- what docs/arena.md shows is so -------------------------------------------------------------------------------

PAGE = (Path(__file__).parents[3] / "docs" / "arena.md").read_text("utf-8")
SHOWN = re.findall(r"^```json\n(.*?)^```", PAGE, re.M | re.S)


def test_the_log_shown_is_one() -> None:
    header, played, end = read_untrusted(io.BytesIO(SHOWN[0].encode()))
    assert header is not None and len(played) == 1 and end == len(SHOWN[0].encode())


def test_the_json_shown_has_the_keys_there_are() -> None:
    told, shown = json.loads(run(*QUICK, "--json").stdout), json.loads(SHOWN[1])
    assert told.keys() == shown.keys()
    for part in ("bots", "duels"):
        assert told[part][0].keys() == shown[part][0].keys()


def test_the_boards_and_circles_told_are_those_played() -> None:
    for game, board in BOARDS.items():
        (deals,) = re.findall(rf"^\| {re.escape(load('en').t(f'game-{game}'))} \| .* \| (\d+) \|$", PAGE, re.M)
        assert int(deals) == board.deals
    rows = re.findall(r"^\| (\d) \| (\d) \| .* \| (\d+) \| (\d+) \|$", PAGE, re.M)
    assert len(rows) == 5
    for bots, seats, several, seatings in rows:
        found = circles([str(bot) for bot in range(int(bots))], int(seats))
        assert (len(found), sum(len(turned(circle)) for circle in found)) == (int(several), int(seatings))
    assert all(f"`{kind}`" in PAGE for kind in KINDS[:-1])
