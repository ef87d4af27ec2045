"""The arena as a program: worker processes, Ctrl-C, foreign programs, real tables, a Dask cluster."""

from __future__ import annotations

import importlib.util
import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bots.arena.boards import Job, Plan
from bots.arena.pool import Workers
from protocol.errors import Refused
from tests.net import dying

ROOT = Path(__file__).parents[2]
DEADLINE = 120.0
"""Seconds after which a test gives up on a program."""

ARENA = (sys.executable, "-m", "p2p.cli", "arena")


def run(*words: object, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*ARENA, *map(str, words)],
        cwd=ROOT,
        env={**os.environ, "MAJLIS_LANG": "en", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=DEADLINE,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done


def test_two_processes_come_to_the_same_result_as_one(tmp_path: Path) -> None:
    game = ("estimation", "steady", "random", "--boards", 4, "--json")
    one = run(*game, "--jobs", 1)
    two = run(*game, "--jobs", 2, "--log", tmp_path / "log")
    assert one.stdout == two.stdout and json.loads(one.stdout)["games"] == 12
    assert "Traceback" not in two.stderr
    assert run("--replay", tmp_path / "log", "--jobs", 2).stdout == "All games came out the same: 12.\n"


def games_in(log: Path) -> int:
    return max(0, log.read_bytes().count(b"\n") - 1) if log.exists() else 0


def started(log: Path, *words: object) -> subprocess.Popen[str]:
    """An arena in a process group of its own, as a terminal would start it, that has logged some games."""
    process = subprocess.Popen(
        [*ARENA, *map(str, words), "--log", str(log)],
        cwd=ROOT,
        env={**os.environ, "MAJLIS_LANG": "en", "PYTHONIOENCODING": "utf-8"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )
    while games_in(log) < 5:
        assert process.poll() is None, process.communicate()
        os.sched_yield()
    return process


@pytest.mark.skipif(sys.platform == "win32", reason="process groups and signals of POSIX")
def test_ctrl_c_in_a_terminal_ends_all_processes_and_the_same_command_goes_on(tmp_path: Path) -> None:
    log = tmp_path / "log"
    game = ("estimation", "steady", "random", "--jobs", 2, "--boards")
    process = started(log, *game, 4000)
    os.killpg(process.pid, signal.SIGINT)
    _, stderr = process.communicate(timeout=DEADLINE)  # ends when the last worker has closed what it inherited
    assert process.returncode == 130 and "goes on from here" in stderr and "Traceback" not in stderr
    kept = games_in(log)
    boards = kept // 3 // 2 * 2 + 8
    done = run(*game, boards, "--log", log)
    assert done.stdout == run(*game, boards).stdout
    assert games_in(log) > kept and f"boards: {boards}," in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_workers_end_when_the_arena_is_killed(tmp_path: Path) -> None:
    log = tmp_path / "log"
    process = started(log, "estimation", "random", "--jobs", 2, "--boards", 100_000)
    process.kill()
    process.communicate(timeout=DEADLINE)  # as above: no worker is left
    assert run("estimation", "random", "--jobs", 1, "--boards", 3, "--log", log).returncode == 0


def test_a_worker_that_ends_is_no_endless_wait() -> None:
    plan = Plan(game="kasra", bots=("random",))
    workers = Workers(dying.play, plan, 2)
    try:
        workers.submit(Job(1, (0, 0, 0, 0)))
        with pytest.raises(Refused) as refused:
            workers.take()
        assert refused.value.code == "arena-worker-ended"
    finally:
        workers.close()


def program(tmp_path: Path, text: str) -> str:
    """A bot in Python that knows the seat protocol only."""
    file = tmp_path / "bot.py"
    file.write_text(text)
    return f"cmd:{shlex.quote(sys.executable)} -S {shlex.quote(str(file))}"


LISTENING = """
import json, sys
print('{"type":"ready","name":"mine"}', flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message.get("id") is not None and message["type"] in ("act", "error"):
        action = %s
        print(json.dumps({"type": "act", "id": message["id"], "action": action}), flush=True)
"""


def test_a_program_is_measured_and_its_faults_are_counted_by_kind(tmp_path: Path) -> None:
    good = program(tmp_path, LISTENING % 'message["legal"][0]')
    told = json.loads(run("estimation", good, "steady", "--boards", 2, "--jobs", 2, "--strict", "--json").stdout)
    assert [row["bot"] for row in told["bots"]] == [good, "steady"] and not any(told["bots"][0]["faults"].values())
    bad = program(tmp_path, LISTENING % '"play ??"')
    done = run("estimation", bad, "steady", "--boards", 2, "--jobs", 2, "--strict", "--json", code=1)
    first, other = json.loads(done.stdout)["bots"]
    assert first["faults"]["illegal"] > 0 and first["fallback"] > 0 and not any(other["faults"].values())
    assert "Faults of the bots: " in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_ends_the_programs_too(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    noting = f"import os\nopen({str(pids)!r}, 'a').write(f'{{os.getpid()}}\\n')\n"
    bot = program(tmp_path, noting + LISTENING % 'message["legal"][0]')
    process = started(tmp_path / "log", "estimation", bot, "random", "--jobs", 2, "--boards", 4000)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=DEADLINE)
    assert process.returncode == 130
    for pid in pids.read_text().split():
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)


def test_at_real_tables(tmp_path: Path) -> None:
    """One deal of Estimation: four peers over TCP and TLS, every move proved, and the log verified."""
    records, log = tmp_path / "records", tmp_path / "log"
    bots = ("steady", "random", "random", "random")
    told = json.loads(
        run("estimation", *bots, "--verified", "--boards", 1, "--json", "--records", records, "--log", log).stdout
    )
    assert told["verified"] and (told["boards"], told["games"], told["deals"]) == (1, 1, 1)
    assert [row["bot"] for row in told["bots"]] == ["steady", "random"]
    (record,) = records.glob("*.txt")
    replayed = subprocess.run(
        [sys.executable, "-m", "p2p.cli", "replay", str(record), "--json"], cwd=ROOT, capture_output=True, check=True
    )
    totals = json.loads(replayed.stdout)["total"]
    (game,) = (json.loads(line) for line in log.read_text("utf-8").splitlines()[1:])
    assert game["points"] == [totals] and sorted(game["seating"]) == [0, 1, 1, 1]
    assert told["bots"][0]["mean"] == totals[game["seating"].index(0)]
    assert "everybody shuffled" in run("--replay", log, code=1).stderr


# ---- Dask ---------------------------------------------------------------------------------------------------------

needs_dask = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None, reason="needs the extra: pip install 'majlis[dask]'"
)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[str]:
    """A scheduler and two workers, as somebody would have them on other machines: the scheduler's address."""
    starting = (
        "from distributed import LocalCluster\nimport sys\n"
        "if __name__ == '__main__':\n"
        "    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:\n"
        "        print(cluster.scheduler_address, flush=True)\n"
        "        sys.stdin.read()\n"
    )
    file = tmp_path / "cluster.py"
    file.write_text(starting)
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH", ""))))
    process = subprocess.Popen(
        [sys.executable, str(file)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    )
    with process:
        assert process.stdout is not None and process.stdin is not None
        yield process.stdout.readline().strip()
        process.stdin.close()
        process.wait(DEADLINE)


@needs_dask
def test_a_dask_cluster_plays_the_same_games(cluster: str) -> None:
    game = ("estimation", "steady", "random", "--boards", 4, "--json")
    there = run(*game, "--dask", cluster)
    assert there.stdout == run(*game, "--jobs", 1).stdout
    assert "Traceback" not in there.stderr


@needs_dask
def test_a_cluster_that_is_not_there_gets_a_sentence() -> None:
    assert "No Dask scheduler" in run("kasra", "random", "--dask", "tcp://127.0.0.1:9", code=1).stderr


@pytest.mark.skipif(importlib.util.find_spec("distributed") is not None, reason="Dask is installed")
def test_without_dask_one_is_told_how_to_get_it() -> None:
    assert "pip install" in run("kasra", "random", "--dask", "tcp://127.0.0.1:9", code=1).stderr
