"""`majlis arena`: bots measured against one another, on the same packs in every seat (docs/arena.md)."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

import click

from bots.arena import playing
from bots.arena.boards import BOARDS, LONGEST_CLOCK, SHORTEST_CLOCK, Plan, games_in
from bots.arena.cluster import Cluster
from bots.arena.log import FORMAT, ArenaLog, Header
from bots.arena.playing import BOTS, CHEATER, Game, name_of
from bots.arena.pool import Here, Play, Pool, Workers
from bots.arena.report import page
from bots.arena.running import Run
from bots.programs import PROGRAM, program_words
from engine.games import game as find_game
from p2p.arena import replaying, verified
from p2p.arena.progress import Progress
from p2p.arena.words import as_json, told, told_times
from p2p.cli import INTERRUPTED
from p2p.cli.common import end_like_ctrl_c, fail, games, last_words, read_options, sentences
from p2p.cli.reading import shown
from p2p.files import lock_file, write_whole
from p2p.language import CODES, clean_text, current, load, t
from protocol.errors import Refused

BOARDS_PLAYED = 36
"""Boards without `--boards`: a whole number of rounds of circles for every number of bots."""

BOARDS_UNTIL_SURE = 4000
"""Boards at most with `--until-sure`: two bots that differ by less are as good as equal."""


def complete_bot(context: click.Context, argument: click.Parameter, begun: str) -> list[str]:
    """The built-in bots, and how a program is named, for the Tab key."""
    return [name for name in (*BOTS, PROGRAM) if name.startswith(begun)]


@click.command(help=t("help-arena"))
@click.argument("game", type=click.Choice(games()), metavar="[GAME]", required=False)
@click.argument("bots", nargs=-1, metavar="[BOT]...", shell_complete=complete_bot)
@click.option("--boards", type=click.IntRange(1), help=t("opt-boards"))
@click.option("--seed", type=int, default=1, show_default=True, help=t("opt-arena-seed"))
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help=t("opt-option"))
@click.option("--preset", help=t("opt-preset"))
@click.option(
    "--bot-seconds",
    type=click.FloatRange(SHORTEST_CLOCK, LONGEST_CLOCK),
    default=5.0,
    show_default=True,
    help=t("opt-bot-seconds"),
)
@click.option("--jobs", type=click.IntRange(1, 256), help=t("opt-jobs"))
@click.option("--dask", metavar="ADDRESS", help=t("opt-dask"))
@click.option("--verified", "proved", is_flag=True, help=t("opt-verified"))
@click.option("--until-sure", is_flag=True, help=t("opt-until-sure"))
@click.option("--log", "log_file", type=click.Path(path_type=Path, dir_okay=False), help=t("opt-arena-log"))
@click.option("--records", type=click.Path(path_type=Path, file_okay=False), help=t("opt-records"))
@click.option("--replay", type=click.Path(path_type=Path, dir_okay=False), help=t("opt-arena-replay"))
@click.option("--json", "json_wanted", is_flag=True, help=t("opt-json"))
@click.option("--times", is_flag=True, help=t("opt-times"))
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), help=t("opt-arena-html"))
@click.option("--strict", is_flag=True, help=t("opt-strict"))
def arena(
    game: str | None,
    bots: tuple[str, ...],
    boards: int | None,
    seed: int,
    options: tuple[str, ...],
    preset: str | None,
    bot_seconds: float,
    jobs: int | None,
    dask: str | None,
    proved: bool,
    until_sure: bool,
    log_file: Path | None,
    records: Path | None,
    replay: Path | None,
    json_wanted: bool,
    times: bool,
    html: Path | None,
    strict: bool,
) -> None:
    end_like_ctrl_c()
    with sentences():
        if replay is not None:
            if json_wanted or html is not None or log_file is not None:
                fail("arena-replay-only", 2)
            again = replaying.read(replay, game, bots)
            with _files(replay), _pool(again.plan, _processes(jobs, len(again.played)), dask, records) as pool:
                replaying.tell(again, pool, boards)
            return
        if game is None or not bots:
            fail("arena-nobody", 2)
        if dask is not None and proved:
            fail("arena-dask-verified", 2)
        plan = read_plan(game, bots, seed, options, preset, bot_seconds, proved)
        if html is not None:
            _check_page(html, log_file)
        most = boards or (BOARDS_UNTIL_SURE if until_sure else BOARDS_PLAYED)
        with _files(log_file or records or Path(".")):
            header = Header(format=FORMAT, version=version("majlis"), plan=plan)
            log = None if log_file is None else _open_log(log_file, header)
            run = Run(plan, most, until_sure, log)
            if records is not None:
                records.mkdir(parents=True, exist_ok=True)
                run.keep = _keeper(records)
            _play(run, jobs, dask, records)
            if log is not None:
                log.close()
        _tell(run, json_wanted, times, html)
    if run.interrupted:
        fail("arena-stopped" if log_file is not None else "arena-stopped-lost", INTERRUPTED, boards=run.tally.boards)
    if strict and run.tally.faults:
        fail("arena-strict", count=run.tally.faults)
    if strict and run.tally.played_for:
        fail("arena-strict-played-for", count=run.tally.played_for)


# ---- what is played -----------------------------------------------------------------------------------------------


def read_plan(
    game: str,
    bots: tuple[str, ...],
    seed: int,
    options: tuple[str, ...],
    preset: str | None,
    seconds: float,
    proved: bool,
) -> Plan:
    """What the command asks for; a sentence and exit code 2 for what cannot be played."""
    rules = find_game(game)
    for text in options:
        name = text.partition("=")[0]
        if name in BOARDS[rules.name].options:
            fail("arena-board-option", 2, option=clean_text(name, 40))
    chosen, at_table = read_options(rules, preset, options)
    if at_table:
        fail("arena-table-option", 2, option=next(iter(at_table)))
    if len(bots) > rules.seats:
        fail("arena-too-many", 2, bots=len(bots), seats=rules.seats)
    if math.isnan(seconds):  # the one number that no range refuses
        fail("arena-bad-seconds", 2)
    for bot in bots:
        _check_bot(bot)
    if proved and CHEATER in bots:
        fail("arena-no-cheater", 2)
    return Plan(game=rules.name, bots=bots, seed=seed, options=chosen, seconds=seconds, proved=proved)


def _check_bot(bot: str) -> None:
    if bot in BOTS:
        return
    if not bot.startswith(PROGRAM):
        fail("arena-unknown-bot", 2, bot=clean_text(bot, 200), bots=", ".join(BOTS))
    try:
        bot.encode()
    except UnicodeEncodeError:
        fail("arena-not-utf8", 2, bot=clean_text(bot, 200))
    try:
        program_words(bot.removeprefix(PROGRAM))
    except OSError:
        fail("arena-no-program", 2, bot=clean_text(bot, 200))


# ---- playing it ---------------------------------------------------------------------------------------------------


def _play(run: Run, jobs: int | None, dask: str | None, records: Path | None) -> None:
    if run.all_found():
        return
    plan = run.plan
    games = games_in(plan, run.boards)
    with _pool(plan, _processes(1 if plan.proved and not jobs else jobs, games - run.found), dask, records) as pool:
        progress = Progress(games, sys.stderr)
        run.tell = progress.show
        try:
            run.play(pool)
        finally:
            progress.clear()


def default_jobs() -> int:
    """As many processes as there are processors that we may use: of a large machine a container has a few."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return allowed or 1


def _processes(wanted: int | None, games: int) -> int:
    """How many processes: no more than there are games for."""
    return max(1, min(wanted or default_jobs(), games))


@contextmanager
def _pool(plan: Plan, jobs: int, dask: str | None, records: Path | None) -> Iterator[Pool]:
    """Where the games are played."""
    errors = str(records) if records is not None else ""
    play: Play = verified.play if plan.proved else playing.play
    with sentences():
        made: Cluster | Here | Workers
        if dask is not None:
            made = Cluster(dask, plan)
        elif jobs == 1:
            made = Here(play, plan, errors)
        else:
            made = Workers(play, plan, jobs, errors)
        try:
            yield made
        finally:
            made.close()


def _keeper(folder: Path) -> Callable[[Game], None]:
    def keep(game: Game) -> None:
        (folder / f"{name_of(game.played)}.txt").write_text(game.record, "utf-8", newline="\n")

    return keep


def _open_log(path: Path, header: Header) -> ArenaLog:
    """The log, which nobody else may write meanwhile."""
    path.open("ab").close()  # why a file cannot be written is told by `_files`; `lock_file` would speak of tables
    try:
        file = lock_file(path)
    except Refused as refused:
        if refused.code == "store-locked":
            fail("arena-log-open")
        raise
    return ArenaLog.on(file, header)


def _check_page(path: Path, log_file: Path | None) -> None:
    """Whether the page can be written, while nothing is lost yet; it must not take the log's place."""
    if log_file is not None and path.resolve() == log_file.resolve():
        fail("arena-page-is-log", 2)
    with _files(path):
        new = not path.exists()
        path.open("ab").close()
        if new:
            path.unlink()


def _write_page(path: Path, text: str) -> None:
    """The page, whole: where the disk is full the page of an earlier run stays. What is no file (a device, a pipe) or
    lies in a folder that takes no other file is written to as it is. Raises OSError."""
    path = path.resolve()
    if path.exists() and not (path.is_file() and os.access(path.parent, os.W_OK)):
        path.write_text(text, "utf-8", newline="\n")
    else:
        write_whole(path, text, over=True)


@contextmanager
def _files(path: Path) -> Iterator[None]:
    """What the system says of a file becomes a sentence."""
    try:
        yield
    except BrokenPipeError:
        raise  # whoever reads has read enough
    except OSError as error:
        fail("cannot-write", path=shown(Path(error.filename or path)), reason=error.strerror or "")


# ---- telling it ---------------------------------------------------------------------------------------------------


def _tell(run: Run, json_wanted: bool, times: bool, html: Path | None) -> None:
    if run.tally.boards == 0:
        return
    results = run.tally.results()
    click.echo(as_json(results, run.until_sure, times) if json_wanted else told(results, run.until_sure))
    if not json_wanted and (took := told_times(results)):
        last_words(took, err=True)
    if html is not None:
        languages = sorted((load(code) for code in CODES), key=lambda language: language.code != current().code)
        with _files(html):
            _write_page(html, page(results, languages, version("majlis")))
        last_words(t("html-written", path=shown(html)), err=True)
