"""Commands that sit at a table: host, join, resume."""

from __future__ import annotations

import json
from pathlib import Path

import click

from bots.builtin import NAMES as BUILTIN
from bots.external import split_command
from p2p import limits
from p2p.cli import INTERRUPTED
from p2p.cli.common import fail, find_game, games, own_name, read_options, run_evening, sentences
from p2p.host import Terms
from p2p.hosting import HostedTable, Hosting, hosting_of, new_host_store
from p2p.invite import read_invite_untrusted
from p2p.joining import join_table, new_guest_store, sitter_of
from p2p.language import t
from p2p.language.cards import game_name
from p2p.sitting import Evening, Sitter
from p2p.store import Listed, TableStore, list_tables, tables_folder
from p2p.terminal.lines import Console

name_option = click.option("--name", help=t("opt-name"))
bot_option = click.option("--bot", help=t("opt-bot"), default="")
seed_option = click.option("--seed", type=int, help=t("opt-seed"))
quiet_option = click.option("--quiet", is_flag=True, help=t("opt-quiet"))
log_option = click.option("--log", "log_folder", type=click.Path(path_type=Path, file_okay=False), help=t("opt-log"))
report_option = click.option(
    "--report", type=click.Path(path_type=Path, dir_okay=False), hidden=True, help=t("opt-report")
)
companion_option = click.option("--companion", is_flag=True, hidden=True, help=t("opt-companion"))
port_option = click.option("--seat-port", type=click.IntRange(0, 65535), default=0, help=t("opt-seat-port"))


def good_bot(bot: str) -> str:
    """A bot that exists, or a command."""
    if bot and bot not in BUILTIN:
        try:
            words = split_command(bot)
        except ValueError:
            words = []
        if len(words) == 1 and not Path(words[0]).exists():
            fail("unknown-bot", 2, bot=bot, bots=", ".join(BUILTIN))
        if not words:
            fail("unknown-bot", 2, bot=bot, bots=", ".join(BUILTIN))
    return bot


@click.command(help=t("help-host"))
@click.argument("game", type=click.Choice(games()), metavar="GAME")
@click.option("--bots", type=click.IntRange(0, 4), default=0, help=t("opt-bots"))
@bot_option
@click.option("--bots-are", default="steady", help=t("opt-bots-are"))
@click.option("--no-seat", is_flag=True, help=t("opt-no-seat"))
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help=t("opt-option"))
@click.option("--preset", help=t("opt-preset"))
@click.option(
    "--port", type=click.IntRange(0, 65535), default=limits.DEFAULT_PORT, show_default=True, help=t("opt-port")
)
@click.option("--bind", help=t("opt-bind"))
@name_option
@seed_option
@log_option
@quiet_option
@report_option
def host(
    game: str,
    bots: int,
    bot: str,
    bots_are: str,
    no_seat: bool,
    options: tuple[str, ...],
    preset: str | None,
    port: int,
    bind: str | None,
    name: str | None,
    seed: int | None,
    log_folder: Path | None,
    quiet: bool,
    report: Path | None,
) -> None:
    with sentences():
        rules_of = find_game(game)
        chosen, rules = read_options(rules_of, preset, options)
        rules_of.start(chosen)
    free = rules_of.seats - (0 if no_seat else 1)
    if bots > free:
        fail("bad-bots-number", 2, number=bots, seats=free)
    sitter = Sitter(own_name(name), good_bot(bot), seed)
    hosting = Hosting(
        Terms(rules_of.name, chosen, rules), sitter, not no_seat, (good_bot(bots_are),) * bots, port, bind
    )
    console = Console(quiet=quiet)

    async def session(evening: Evening) -> None:
        with new_host_store(hosting) as store:
            await HostedTable(store, hosting, console, evening).run()

    evening = run_evening(session)
    if report is not None and evening.peer is not None:
        report.write_text(json.dumps(evening.peer.measures.report()), "utf-8")
    _goodbye(evening, log_folder)


@click.command(help=t("help-join"))
@click.argument("invite", metavar="INVITE", nargs=-1, required=True)
@bot_option
@port_option
@name_option
@seed_option
@log_option
@quiet_option
@companion_option
def join(
    invite: tuple[str, ...],
    bot: str,
    seat_port: int,
    name: str | None,
    seed: int | None,
    log_folder: Path | None,
    quiet: bool,
    companion: bool,
) -> None:
    line = " ".join(invite)
    sitter = Sitter(own_name(name), good_bot(bot), seed, seat_port, companion)
    console = Console(quiet=quiet or companion)

    async def session(evening: Evening) -> None:
        read = read_invite_untrusted(line)
        before = _seat_here(read.table) if not companion else None
        if before is not None:
            with TableStore.open(before.path) as store:
                await join_table(store, sitter_of(store, companion), console, evening)
            return
        with new_guest_store(read, line, sitter) as store:
            await join_table(store, sitter, console, evening)

    _goodbye(run_evening(session), log_folder)


@click.command(help=t("help-resume"))
@click.argument("table", required=False)
@log_option
@quiet_option
@companion_option
def resume(table: str | None, log_folder: Path | None, quiet: bool, companion: bool) -> None:
    with sentences():
        found = [listed for listed in list_tables(tables_folder()) if not finished(listed)]
    if table:
        found = [listed for listed in found if listed.meta.table.startswith(table.lower())]
        if not found:
            fail("no-such-table", table=table)
    if not found:
        fail("resume-none")
    free = [listed for listed in found if not listed.locked]
    if len(free) > 1 and not table:
        click.echo(t("resume-list"))
        for listed in free:
            told = game_name(listed.meta.game) if listed.meta.game else t("game-unknown")
            click.echo(t("resume-which", table=listed.meta.table[:8], game=told, role=t(f"role-{listed.meta.role}")))
        return
    console = Console(quiet=quiet or companion)

    async def session(evening: Evening) -> None:
        with TableStore.open((free or found)[0].path) as store:
            if store.meta.role == "host":
                await HostedTable(store, hosting_of(store), console, evening).run()
            else:
                await join_table(store, sitter_of(store, companion), console, evening)

    _goodbye(run_evening(session), log_folder)


def finished(listed: Listed) -> bool:
    """Whether a table's game is over, as its store remembers."""
    return bool(listed.meta.run.get("finished"))


def _seat_here(table: bytes) -> Listed | None:
    """The unfinished seat at this table that was taken from here before, and that nobody has open."""
    for listed in list_tables(tables_folder()):
        if listed.meta.table == table.hex() and listed.meta.role == "guest" and not listed.locked:
            return None if finished(listed) else listed
    return None


def _goodbye(evening: Evening, log_folder: Path | None) -> None:
    """Keep the log where it was asked for, and end with the right words and exit code."""
    store = evening.store
    if store is not None and log_folder is not None:
        keep_log(store, log_folder)
    if evening.finished:
        click.echo(t("goodbye"))
        return
    if store is not None:
        click.echo(t("interrupted-safely", table=store.name[:8]), err=True)
    raise SystemExit(INTERRUPTED if evening.interrupted else 0)


def keep_log(store: Path, folder: Path) -> None:
    """Copy a table's log, and those of the bots that ran beside it, into a folder."""
    with sentences():
        logs = {store.name: store / "log"}
        for bot in sorted((store / "bots").glob("*/tables/*")):
            logs[f"{store.name}-bot-{bot.parent.parent.name}"] = bot / "log"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for name, log in logs.items():
                (folder / f"{name}.log").write_bytes(log.read_bytes())
        except OSError as error:
            fail("log-not-kept", path=str(folder), reason=error.strerror or "")
