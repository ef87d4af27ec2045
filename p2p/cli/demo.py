"""`majlis demo`: whole tables of separate programs on this machine, every card proved, and a second check of the log.

Nothing is staged: the demo starts `majlis host` with bots, each a process of its own that joins over TCP and TLS, waits
for the end, and reads the logs that they kept.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from engine.games import game as find_game
from p2p import limits
from p2p.cli.common import end_like_ctrl_c, fail, games, sentences
from p2p.itself import OWN_COMMAND
from p2p.language import current, t
from p2p.language.cards import game_name
from p2p.store import read_log_untrusted
from p2p.terminal import words
from protocol.verify import Verdict, verify_records

SHORT: dict[str, tuple[str, ...]] = {
    "kasra": ("kingdoms=1",),
    "estimation": ("normal_deals=1", "speed_deals=0"),
    "istimar": ("extra_series=0",),
    "three_five_eight": ("deals=3",),
}
"""The shortest game of each kind: in Kasra one deal of each contract, in games of three one deal for each dealer."""

DEADLINE = 1200.0
"""Seconds after which a demo is given up: the longest whole game takes a tenth of it."""


@dataclass(frozen=True)
class Played:
    """One table of the demo: the logs that its peers kept, and what the host measured."""

    logs: list[Path]
    measures: dict[str, object]
    seconds: float


def play(game: str, options: tuple[str, ...], folder: Path, seed: int, bots: Sequence[str] = ()) -> Played:
    """Let a host and its bots play one game in separate processes. `bots`: who plays the host's seat, and the seats of
    its bots by their numbers; the steady bot everywhere if empty."""
    home, logs, report = folder / "home", folder / "logs", folder / "report.json"
    own, *others = bots or ("steady", "steady")
    majlis = [*OWN_COMMAND, "host", game, f"--bot={own}", "--name", t("bot-name", number=0)]
    asked = [word for option in options for word in ("--option", option)] + [f"--bots-are={bot}" for bot in others]
    network = ["--bots", str(find_game(game).seats - 1), "--port", "0", "--bind", "127.0.0.1"]
    kept = ["--seed", str(seed), "--log", str(logs), "--report", str(report), "--quiet"]
    begun = time.monotonic()
    process = subprocess.Popen(
        [*majlis, *asked, *network, *kept],
        env={**os.environ, "MAJLIS_HOME": str(home), "MAJLIS_LANG": current().code, "PYTHONIOENCODING": "utf-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    with process:
        try:
            told, complaints = process.communicate(timeout=DEADLINE)
        except subprocess.TimeoutExpired:
            end(process)
            fail("demo-failed", reason=t("demo-unfinished"))
        except BaseException:  # Ctrl-C, SIGTERM: the host must have time to end its bots
            end(process)
            raise
    if process.returncode != 0:
        fail("demo-failed", reason=(complaints or told).strip()[-500:])
    return Played(sorted(logs.glob("*.log")), json.loads(report.read_text("utf-8")), time.monotonic() - begun)


def end(process: subprocess.Popen[str]) -> None:
    """Let a host end, and its bots with it."""
    process.terminate()
    try:
        process.wait(timeout=limits.PARTING_DEADLINE + 2 * limits.COMPANION_DEADLINE)
    except subprocess.TimeoutExpired:
        process.kill()


def check(played: Played) -> Verdict:
    """The verdict over the host's log; every peer's log must be the same, byte for byte."""
    contents = {log.read_bytes() for log in played.logs}
    if len(contents) != 1:
        fail("demo-failed", reason=t("logs-differ"))
    records, _ = read_log_untrusted(played.logs[0])
    return verify_records(records)


def insist(verdict: Verdict) -> None:
    """Ends with a sentence unless the game was played to its end and every proof holds."""
    if verdict.error is not None:
        fail("demo-failed", reason=t(verdict.error.code, **verdict.error.values))
    if not verdict.finished:
        fail("demo-failed", reason=t("demo-unfinished"))


def tell(game: str, played: Played, verdict: Verdict) -> None:
    """The score table, what dealing cost, and the verdict."""
    names = [player.name for player in verdict.players]
    click.echo(words.score_table(names, [result.points for result in verdict.results], verdict.totals))
    cold, prepared = played.measures.get("cold"), played.measures.get("prepared")
    click.echo(
        t(
            "demo-dealing",
            cold=_seconds(cold),
            prepared=_seconds(prepared),
            bytes=f"{verdict.deal_bytes // max(1, verdict.packs):,}",
        )
    )
    click.echo(t("demo-time", game=game_name(game), peers=len(names), seconds=f"{played.seconds:.1f}"))


def _seconds(measure: object) -> str:
    return f"{measure:.2f}" if isinstance(measure, float) else "–"


@click.command(help=t("help-demo"))
@click.argument("game", type=click.Choice(games()), metavar="[GAME]", required=False)
@click.option("--full", is_flag=True, help=t("opt-full"))
@click.option("--seed", type=int, default=1, show_default=True, help=t("opt-seed"))
@click.option("--log", "log_folder", type=click.Path(path_type=Path, file_okay=False), help=t("opt-log"))
def demo(game: str | None, full: bool, seed: int, log_folder: Path | None) -> None:
    end_like_ctrl_c()
    click.echo(t("demo-start"))
    chosen = [find_game(game).name] if game else list(SHORT)
    for name in chosen:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary, sentences():
            played = play(name, () if full else SHORT[name], Path(temporary), seed)
            click.echo(f"\n{game_name(name)}")
            since = time.monotonic()
            verdict = check(played)
            tell(name, played, verdict)
            insist(verdict)
            click.echo(
                t(
                    "demo-verified",
                    entries=verdict.records,
                    proofs=verdict.proofs,
                    seconds=f"{time.monotonic() - since:.1f}",
                )
            )
            if log_folder is not None:
                log_folder.mkdir(parents=True, exist_ok=True)
                for log in played.logs:
                    shutil.copy(log, log_folder / f"{name}-{log.name}")
    if log_folder is not None:
        click.echo(t("demo-log-kept", path=str(log_folder)))
