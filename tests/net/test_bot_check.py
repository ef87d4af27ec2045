"""`majlis bot check`: good bots pass, and each broken one is told its fault and nothing else."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bots import talk
from bots.check import leaks
from bots.check.findings import MENDS, SECTIONS, Report
from bots.check.questions import kind_of, sittings
from bots.check.trials import check
from bots.practice import seat_view
from bots.programs import Ending
from engine.actions import parse_action
from engine.games import NAMES as GAMES
from engine.referee import Referee
from p2p.cli.bots import told
from p2p.language import set_language, t
from protocol.seat import Clocks

ROOT = Path(__file__).parents[2]
BROKEN = ROOT / "tests" / "broken_bots"
CLOCKS = Clocks(startup=10.0, move=5.0)
"""As at a table: good bots must not fail because the machine is busy."""

QUICK = Clocks(startup=10.0, move=1.0)
"""For bots that are late or hang: nobody waits for them longer than it takes to see that."""

IMPATIENT = Clocks(startup=3.0, move=5.0)
"""The same for those that never get ready, or never leave."""


FRAMES = """
import sys
from protocol.seat import *
codec = player_codec(Encoding.FRAMES)
def send(message): sys.stdout.buffer.write(codec.encode(message)); sys.stdout.buffer.flush()
send(Ready(name="frames"))
while data := sys.stdin.buffer.read1():
    codec.feed(data)
    while True:
        try:
            message = codec.next_untrusted()
        except Malformed:
            continue  # of a later version
        if message is None: break
        if isinstance(message, Act): send(Answer(id=message.id, action=message.legal[0]))
        elif isinstance(message, Error) and message.legal: send(Answer(id=message.id, action=message.legal[-1]))
        elif isinstance(message, Ping): send(Pong())
        elif isinstance(message, End): sys.exit()
"""


def python(file: Path, *words: str) -> str:
    return " ".join([shlex.quote(sys.executable), "-E", shlex.quote(str(file)), *words])


def only_fault(report: Report) -> tuple[str, str]:
    """(trial, code) of the one fault that was found."""
    found = {(trial.name, code) for trial in report.trials for code in trial.counts}
    assert len(found) == 1, report.trials
    return found.pop()


# ---- bots that are fit ----------------------------------------------------------------------------------------------


async def test_the_bot_in_c_is_fit_for_all_games(c_bot: str) -> None:
    report = await check(c_bot, clocks=CLOCKS)
    assert report.fit, report.trials
    assert (report.name, report.author) == ("bot.c", "Majlis examples")
    assert len(report.seconds) > 500 and 0 < report.percentile(0.5) <= report.percentile(0.99) <= report.percentile(1)


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
async def test_the_bot_in_javascript_is_fit() -> None:
    report = await check(f"node {shlex.quote(str(ROOT / 'examples' / 'bot.js'))}", ["358"], clocks=CLOCKS)
    assert report.fit, report.trials


@pytest.mark.long
@pytest.mark.parametrize("command", ["node bot.js", "python3 bot.py", "python3 bot.py {port} {token}"])
async def test_the_other_examples_are_fit_for_all_games(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "examples")
    program, _, _ = command.partition(" ")
    if shutil.which(program) is None:
        pytest.skip(f"needs {program}")
    report = await check(command, clocks=CLOCKS)
    assert report.fit, report.trials


async def test_the_bot_in_python_is_fit_over_tcp(tmp_path: Path) -> None:
    command = python(ROOT / "examples" / "bot.py", "{port}", "{token}")
    report = await check(command, ["istimar"], clocks=CLOCKS, log=tmp_path / "log")
    assert report.fit, report.trials
    unknown = await check(python(ROOT / "examples" / "bot.py", "{port}", "guess"), ["kasra"], clocks=CLOCKS)
    assert only_fault(unknown) == ("start", "check-bad-token")


async def test_a_bot_of_the_sdk_is_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    bot = ROOT / "examples" / "ten_lines.py"
    report = await check(f"{shlex.quote(sys.executable)} {shlex.quote(str(bot))}", ["estimation"], clocks=CLOCKS)
    assert report.fit, report.trials


async def test_a_bot_that_speaks_frames_is_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "frames.py"
    script.write_text(FRAMES, "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    report = await check(f"{shlex.quote(sys.executable)} {shlex.quote(str(script))}", ["kasra"], clocks=CLOCKS)
    assert report.fit, report.trials


async def test_what_the_broken_bots_are_made_of_is_fit() -> None:
    assert (await check(python(BROKEN / "honest.py"), ["kasra"], clocks=CLOCKS)).fit


# ---- bots that are not ----------------------------------------------------------------------------------------------

FAULTS: Mapping[str, tuple[str, str, Clocks]] = {
    "answers_illegally": ("played", "check-illegal", CLOCKS),
    "byte_order_mark": ("start", "check-byte-order-mark", CLOCKS),
    "crashes_now_and_then": ("played", "check-crash", CLOCKS),
    "dies_by_a_signal": ("played", "check-crash", CLOCKS),
    "endless_line": ("played", "check-endless", CLOCKS),
    "forgets_after_a_restart": ("restart", "check-crash", CLOCKS),
    "from_the_future": ("start", "check-version", CLOCKS),
    "frames_without_maps": ("played", "check-bad-frame", QUICK),
    "garbage_bytes": ("played", "check-garbage", CLOCKS),
    "hangs": ("played", "check-silent", QUICK),
    "ignores_error": ("refused", "check-ignores-error", QUICK),
    "leaves_early": ("played", "check-left", QUICK),
    "never_ready": ("start", "check-no-ready", IMPATIENT),
    "never_stops_talking": ("played", "check-too-many", CLOCKS),
    "not_deterministic": ("seed", "check-other-moves", CLOCKS),
    "notes_a_tree": ("played", "check-too-deep", QUICK),
    "notes_no_number": ("played", "check-bad-json", QUICK),
    "numbers_as_text": ("played", "check-misfit", QUICK),
    "prints_first": ("start", "check-first-byte", CLOCKS),
    "prints_to_stdout": ("played", "check-garbage", CLOCKS),
    "reads_short_lines": ("long", "check-silent", QUICK),
    "says_no_pong": ("talk", "check-no-pong", QUICK),
    "stays_for_ever": ("start", "check-stays", IMPATIENT),
    "too_late": ("played", "check-late", QUICK),
    "wrong_id": ("played", "check-wrong-id", QUICK),
}
SHOWN = {
    "answers_illegally": ["play AS AH", "letter for letter"],
    "byte_order_mark": ["without a byte order mark"],
    "crashes_now_and_then": ["exit code 1.", "in act", "KeyError: 'trump'", "--log"],
    "dies_by_a_signal": ["ended by signal 11 (SIGSEGV)", "about to die"],
    "endless_line": ["65536", '"info":{"tree":"xxxx'],
    "forgets_after_a_restart": ["has no attribute 'hand'", "it forgot"],
    "from_the_future": ["version 9", "`versions`"],
    "frames_without_maps": ["a frame that is no message", "one map"],
    "garbage_bytes": ["\\x80\\x81", "standard error"],
    "hangs": ["No answer came in 3.0 s", "flush"],
    "ignores_error": ["illegal", "once more"],
    "leaves_early": ["`bye`", "for good"],
    "never_ready": ["within 3.0 s", "speaks first"],
    "never_stops_talking": ["more than 64", "talk little"],
    "not_deterministic": ["same seed", "no clock"],
    "notes_a_tree": ["more than 16 levels", "`info` flat"],
    "notes_no_number": ['"value": NaN', "strict JSON"],
    "numbers_as_text": ["id", '"id": "1"', "seat-schema.json"],
    "prints_first": ["Loading the model...", "standard error"],
    "prints_to_stdout": ["I could play 4 cards", "standard error"],
    "reads_short_lines": ["64 KiB", "do not cut lines"],
    "says_no_pong": ["ping", "pong"],
    "stays_for_ever": ["after `end`", "leave when"],
    "too_late": ["the clock is 1.0 s", "`seconds`"],
    "wrong_id": ["100001", "the question was 1", "`id` of the question"],
}
"""What its author must read."""


@pytest.mark.parametrize("name", FAULTS)
async def test_a_broken_bot_is_told_its_fault(name: str) -> None:
    trial, code, clocks = FAULTS[name]
    report = await check(python(BROKEN / f"{name}.py"), ["kasra"], clocks=clocks)
    assert not report.fit and only_fault(report) == (trial, code)
    failed = next(trial for trial in report.trials if trial.findings)
    text = "\n".join(told(failed, failed.findings[0]))
    assert all(word in text for word in SHOWN[name]), text
    assert "docs/bots.md#" in text


async def test_a_bot_that_trips_over_news_is_told_over_which() -> None:
    report = await check(python(BROKEN / "stumbles_over_news.py"), ["kasra"], clocks=CLOCKS)
    assert {trial.name for trial in report.trials if trial.findings} == {"unknown", "void", "talk"}
    endings = [finding.ending for trial in report.trials for finding in trial.findings]
    assert endings == [Ending(1, (f"unknown message {kind}",)) for kind in ("x-weather", "cancel", "ask")]


CHAOS = """
import os, random, sys
chance = random.Random(int(sys.argv[1]))
print('{"type":"ready","name":"chaos"}', flush=True)
for line in sys.stdin:
    for _ in range(chance.randrange(4)):
        sys.stdout.buffer.write(chance.choice([
            b'{"type":"act","id":%d,"action":"play 2H"}\\n' % chance.randrange(1, 9), b'{"type":"act","id":1}\\n',
            b'{"type":"away"}\\n', b'{"type":"bye"}\\n', b'{"type":"vote","id":1,"yes":true}\\n', b'{"type":"pong"}\\n',
            b'\\n', b'[]\\n', b'\\xff' * 9 + b'\\n', b'{' * 3000, b'"' * 70000, bytes(5), b'{"type":"ready"}\\n' * 70,
        ]))
    sys.stdout.flush()
    if chance.random() < 0.1:
        os._exit(chance.choice([0, 3]))
    if chance.random() < 0.1:
        os.close(chance.choice([0, 1, 2]))
"""


@pytest.mark.parametrize("seed", range(8))
async def test_whatever_a_program_does_the_check_ends_and_says_so(seed: int, tmp_path: Path) -> None:
    script = tmp_path / "chaos.py"
    script.write_text(CHAOS, "utf-8")
    report = await check(python(script, str(seed)), ["kasra"], clocks=Clocks(startup=5.0, move=0.2))
    assert not report.fit
    assert all(told(trial, finding) for trial in report.trials for finding in trial.findings)


async def test_a_program_that_never_connects_is_ended(tmp_path: Path) -> None:
    (tmp_path / "deaf.py").write_text("import sys\nsys.stdin.read()", "utf-8")
    command = python(tmp_path / "deaf.py", "{port}")
    report = await check(command, ["kasra"], clocks=Clocks(startup=1.0, move=1.0))
    assert only_fault(report) == ("start", "check-no-ready")


def test_all_broken_bots_are_tried() -> None:
    files = {file.stem for file in BROKEN.glob("*.py")} - {"honest", "stumbles_over_news"}
    assert files == set(FAULTS) == set(SHOWN)
    elsewhere = {"check-leak", "check-bad-token", "check-not-found"}
    assert {code for _, code, _ in FAULTS.values()} == set(SECTIONS) - elsewhere, "every fault has a bot that has it"


# ---- what is asked --------------------------------------------------------------------------------------------------

PHASES = {
    "estimation": {"void", "dash", "bid", "estimate", "play"},
    "kasra": {"choose", "double", "trump", "play"},
    "istimar": {"choose", "exchange", "discard", "play"},
    "three_five_eight": {"choose", "exchange", "discard", "play"},
}
CONTRACTS = {"kasra": {"complex", "tarneeb", "ltooshain", "trix"}, "three_five_eight": {"none", "NT"}}


@pytest.mark.parametrize("game", GAMES)
def test_every_phase_and_contract_is_asked_about(game: str) -> None:
    acts = [act for sitting in sittings(game, CLOCKS) for act in sitting.acts]
    kinds = [kind_of(act) for act in acts]
    assert {phase for phase, _, _, _ in kinds} == PHASES[game]
    assert CONTRACTS.get(game, set()) <= {contract for _, contract, _, _ in kinds}
    assert any(len(act.legal) == 1 for act in acts), "what leaves no choice is asked as well"
    assert all(parse_action(text) for act in acts for text in act.legal)


@pytest.mark.parametrize("game", GAMES)
def test_hidden_hands_do_not_change_a_byte(game: str) -> None:
    compared = leaks.compare(game, 1)
    assert compared.different == -1 and compared.same >= 8


@pytest.mark.parametrize("game", GAMES)
def test_a_leak_would_be_found(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def leaky(referee: Referee, seat: int, names: Any = ()) -> dict[str, object]:
        neighbour = referee.hands[(seat + 1) % len(referee.hands)]
        return {**seat_view(referee, seat, names), "warm": neighbour % 1009}

    monkeypatch.setattr(talk, "seat_view", leaky)
    assert any(leaks.compare(game, seat).different >= 0 for seat in range(2))


# ---- the command ----------------------------------------------------------------------------------------------------


def run(*words: str, lang: str = "en") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "MAJLIS_LANG": lang, "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, "-m", "p2p.cli", "bot", "check", *words],
        capture_output=True, text=True, encoding="utf-8", env=environment, timeout=100, cwd=ROOT, check=False,
    )  # fmt: skip


def test_a_fit_bot_as_json_with_a_transcript(tmp_path: Path) -> None:
    kept = tmp_path / "talk.jsonl"
    done = run(python(BROKEN / "honest.py"), "--game", "kasra", "--json", "--transcript", str(kept))
    assert done.returncode == 0 and done.stderr == ""
    report = json.loads(done.stdout)
    assert report["fit"] and report["name"] == "Honest" and report["answers"]["clock"] == 5
    assert [trial["trial"] for trial in report["trials"]][:3] == ["start", "played", "restart"]
    said = [json.loads(line) for line in kept.read_text("utf-8").splitlines()]
    assert said[0] == {**said[0], "run": "started"} and said[1]["message"]["type"] == "ready"


def test_an_unfit_bot_is_told_so_in_both_languages() -> None:
    command = python(BROKEN / "prints_first.py")
    english, arabic = run(command, "--bot-seconds", "0.5"), run(command, lang="ar")
    assert "shorter than any table's" in english.stderr and "مهلة" not in arabic.stderr
    assert english.returncode == arabic.returncode == 1
    assert "✗ starts" in english.stdout and "Not fit yet: one trial went wrong." in english.stderr
    assert "Loading the model..." in arabic.stdout and "المخرج القياسي للرسائل وحدها" in arabic.stdout
    assert "لا يصلح بعد: فشلت تجربة واحدة." in arabic.stderr


def test_what_cannot_be_tried_is_a_sentence(tmp_path: Path) -> None:
    missing = run("no-such-bot --fast")
    assert missing.returncode == 1 and '--fast" could not be started: no-such-bot: ' in missing.stdout
    nowhere = run("no-such-bot", "--log", str(tmp_path / "no" / "folder" / "log"))
    assert nowhere.returncode == 2 and "cannot be written" in nowhere.stderr
    assert not any("Traceback" in text for text in (missing.stderr, nowhere.stderr))


@pytest.mark.parametrize("code", ["en", "ar"])
def test_every_fault_has_its_sentences_and_its_section(code: str) -> None:
    set_language(code)
    guide = (ROOT / "docs" / "bots.md").read_text("utf-8")
    headings = {line.lstrip("# ").lower().replace(" ", "-") for line in re.findall(r"^##+ .*$", guide, re.M)}
    assert {*SECTIONS.values(), *MENDS.values()} <= headings
    ids = {
        *SECTIONS,
        *(fault.replace("check-", "check-do-") for fault in SECTIONS),
        *(f"check-mend-{trial}" for trial in MENDS),
        *(f"check-trial-{trial}" for trial in (*MENDS, "start", "played", "questions", "seed", "odd", "leaks")),
    }
    assert {name for name in ids if t(name) == name} == set()
