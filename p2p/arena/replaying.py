"""`majlis arena --replay LOG`: every game of a log is played once more, and must come out the same."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from bots.arena.boards import Job, Plan
from bots.arena.log import read_untrusted
from bots.arena.playing import BOTS, Played
from bots.arena.pool import Pool, finished
from bots.programs import PROGRAM
from engine.games import game as find_game
from p2p.arena.words import bot_name
from p2p.cli import INTERRUPTED
from p2p.cli.common import fail, sentences
from p2p.cli.reading import shown
from p2p.language import t

SHOWN = 10
"""Games that are told to differ; more of them say nothing new."""


@dataclass(frozen=True)
class Again:
    """What is to be played again."""

    path: Path
    plan: Plan
    played: dict[Job, Played]


def read(path: Path, game: str | None, bots: tuple[str, ...]) -> Again:
    """A log as it stands there; a sentence and exit code for what cannot be played again.

    A log may come from somebody else, so a program that it names is started only if the command names it too.
    """
    try:
        with path.open("rb") as file, sentences():
            header, played, _ = read_untrusted(file)
    except OSError as error:
        fail("cannot-read", path=shown(path), reason=error.strerror or "")
    if header is None:
        fail("file-empty", path=shown(path))
    plan = header.plan
    if plan.proved:
        fail("arena-replay-proved")
    if game is not None and find_game(game).name != plan.game:
        fail("arena-log-differs", what="game", theirs=plan.game, ours=find_game(game).name)
    for bot in plan.distinct:
        if bot.startswith(PROGRAM) and bot not in bots:
            fail("arena-replay-program", 2, bot=bot_name(bot))
        if not bot.startswith(PROGRAM) and bot not in BOTS:
            fail("arena-unknown-bot", bot=bot_name(bot), bots=", ".join(BOTS))
    return Again(path, plan, played)


def tell(again: Again, pool: Pool, boards: int | None) -> None:
    """Play the games of the first boards (all if None) again, and tell which differ; exit code 1 if any does."""
    jobs = [job for job in again.played if boards is None or job.board <= boards]
    different: list[Job] = []
    try:
        for game in finished(pool, jobs):
            job = game.played.job(again.plan)
            if not same(again.played[job], game.played):
                different.append(job)
    except KeyboardInterrupt:
        fail("interrupted", INTERRUPTED)
    for job in sorted(different, key=lambda one: (one.board, one.seating))[:SHOWN]:
        seating = ", ".join(bot_name(again.plan.distinct[bot]) for bot in job.seating)
        click.echo(t("arena-replay-differs", board=job.board, seating=seating))
    if different:
        fail("arena-replay-bad", different=len(different), games=len(jobs))
    click.echo(t("arena-replay-good", games=len(jobs)))


def same(logged: Played, played: Played) -> bool:
    """Whether two games went alike: every move and score."""
    return (logged.points, logged.moves) == (played.points, played.moves)
