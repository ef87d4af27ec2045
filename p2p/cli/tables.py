"""Commands that sit at a table: host, join, resume."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path

import click

from bots.builtin import NAMES as BUILTIN
from bots.programs import program_words
from p2p import limits
from p2p.cli import INTERRUPTED, near
from p2p.cli.common import face, fail, find_game, games, own_name, read_options, run_evening, sentences
from p2p.cli.records import json_option
from p2p.host import Terms
from p2p.hosting import HostedTable, Hosting, hosting_of, new_host_store
from p2p.invite import read_invite_untrusted
from p2p.joining import SEATED, join_table, lan_invite, new_guest_store, sitter_of
from p2p.language import clean_text, t
from p2p.language.cards import game_name
from p2p.sitting import Evening, Sitter
from p2p.store import Listed, TableStore, list_tables, tables_folder

name_option = click.option("--name", help=t("opt-name"))
bot_option = click.option("--bot", help=t("opt-bot"), default="")
seed_option = click.option("--seed", type=int, help=t("opt-seed"))
quiet_option = click.option("--quiet", is_flag=True, help=t("opt-quiet"))
log_option = click.option("--log", "log_folder", type=click.Path(path_type=Path, file_okay=False), help=t("opt-log"))
report_option = click.option(
    "--report", type=click.Path(path_type=Path, dir_okay=False), hidden=True, help=t("opt-report")
)
plain_option = click.option("--plain", is_flag=True, help=t("opt-plain"))
companion_option = click.option("--companion", is_flag=True, hidden=True, help=t("opt-companion"))
port_option = click.option("--seat-port", type=click.IntRange(0, 65535), default=0, help=t("opt-seat-port"))


def good_bot(bot: str) -> str:
    """A bot that exists, or a command whose program does."""
    if bot and bot not in BUILTIN:
        try:
            program_words(bot)
        except OSError:
            fail("unknown-bot", 2, bot=clean_text(bot, 200), bots=", ".join(BUILTIN))
    return bot


@contextmanager
def new_store(store: TableStore) -> Iterator[TableStore]:
    """A store that has just been made, open. What never came to a table (a busy port, a wrong invite) leaves nothing to
    resume."""
    try:
        with store:
            yield store
    except BaseException:
        invited = store.meta.role == "host" and store.meta.invite
        if not (store.log or store.outbox or invited or store.meta.run.get(SEATED)):
            shutil.rmtree(store.path, ignore_errors=True)
        raise


@click.command(help=t("help-host"))
@click.argument("game", type=click.Choice(games()), metavar="GAME")
@click.option("--bots", type=click.IntRange(0, 4), default=0, help=t("opt-bots"))
@bot_option
@click.option("--bots-are", multiple=True, default=("steady",), help=t("opt-bots-are"))
@click.option("--no-seat", is_flag=True, help=t("opt-no-seat"))
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help=t("opt-option"))
@click.option("--preset", help=t("opt-preset"))
@click.option(
    "--port", type=click.IntRange(0, 65535), default=limits.DEFAULT_PORT, show_default=True, help=t("opt-port")
)
@click.option("--bind", help=t("opt-bind"))
@click.option("--no-lan", is_flag=True, help=t("opt-no-lan"))
@click.option("--open", "open_lan", is_flag=True, help=t("opt-open"))
@click.option("--ask", is_flag=True, help=t("opt-ask"))
@name_option
@seed_option
@log_option
@quiet_option
@plain_option
@report_option
def host(
    game: str,
    bots: int,
    bot: str,
    bots_are: tuple[str, ...],
    no_seat: bool,
    options: tuple[str, ...],
    preset: str | None,
    port: int,
    bind: str | None,
    no_lan: bool,
    open_lan: bool,
    ask: bool,
    name: str | None,
    seed: int | None,
    log_folder: Path | None,
    quiet: bool,
    plain: bool,
    report: Path | None,
) -> None:
    with sentences():
        rules_of = find_game(game)
        chosen, rules = read_options(rules_of, preset, options)
        rules_of.start(chosen)
    free = rules_of.seats - (0 if no_seat else 1)
    if bots > free:
        fail("bad-bots-number", 2, number=bots, seats=free)
    if no_lan and open_lan:
        fail("lan-contrary", 2)
    hosting = Hosting(
        Terms(rules_of.name, chosen, rules),
        Sitter(own_name(name), good_bot(bot), seed),
        not no_seat,
        tuple(islice(cycle(map(good_bot, bots_are)), bots)),
        port,
        bind,
        "off" if no_lan else "open" if open_lan else "ask",
        ask,
    )
    front, screen = face(plain or bool(bot), quiet)

    async def session(evening: Evening) -> None:
        with new_store(new_host_store(hosting)) as store:
            await HostedTable(store, hosting, front, evening).run()

    evening = run_evening(session, screen=screen)
    if report is not None and evening.peer is not None:
        report.write_text(json.dumps(evening.peer.measures.report()), "utf-8")
    _goodbye(evening, log_folder)


@click.command(help=t("help-join"))
@click.argument("invite", metavar="[INVITE]", nargs=-1)
@click.option("--list", "only_list", is_flag=True, help=t("opt-list"))
@json_option
@bot_option
@port_option
@name_option
@seed_option
@log_option
@quiet_option
@plain_option
@companion_option
def join(
    invite: tuple[str, ...],
    only_list: bool,
    as_json: bool,
    bot: str,
    seat_port: int,
    name: str | None,
    seed: int | None,
    log_folder: Path | None,
    quiet: bool,
    plain: bool,
    companion: bool,
) -> None:
    line = " ".join(invite)
    if (only_list and line) or (as_json and not only_list):
        fail("lan-list-alone", 2)
    if only_list:
        near.show(as_json)
        return
    sitter = Sitter(own_name(name), good_bot(bot), seed, seat_port, companion)
    with sentences():
        read, kept = (read_invite_untrusted(line), line) if line else lan_invite(near.chosen())
    front, screen = face(plain or bool(bot or seat_port), quiet or companion)

    async def session(evening: Evening) -> None:
        before = _seat_here(read.table, name) if not companion else None
        if before is not None:
            with TableStore.open(before.path) as store:
                if line:
                    store.change_meta(invite=line)  # the host may have another address by now
                await join_table(store, sitter_of(store, companion), front, evening, addresses=read.addresses)
            return
        with new_store(new_guest_store(read, kept, sitter)) as store:
            await join_table(store, sitter, front, evening, addresses=read.addresses)

    _goodbye(run_evening(session, companion, screen), log_folder)


@click.command(help=t("help-resume"))
@click.argument("table", required=False)
@log_option
@quiet_option
@plain_option
@companion_option
def resume(table: str | None, log_folder: Path | None, quiet: bool, plain: bool, companion: bool) -> None:
    with sentences():
        found = _to_resume(table)
    if not found:
        fail("no-such-table", table=clean_text(table, 80)) if table else fail("resume-none")
    free = [listed for listed in found if not listed.locked]
    if len(free) > 1:
        _choose(free)
        return
    played = (free or found)[0].meta.run
    front, screen = face(plain or bool(played.get("bot") or played.get("seat_port")), quiet or companion)

    async def session(evening: Evening) -> None:
        with TableStore.open((free or found)[0].path) as store:
            if store.meta.role == "host":
                await HostedTable(store, hosting_of(store), front, evening).run()
            else:
                await join_table(store, sitter_of(store, companion), front, evening, resumed=True)

    _goodbye(run_evening(session, companion, screen), log_folder)


def _to_resume(table: str | None) -> list[Listed]:
    """The tables that are meant: all unfinished ones, or those whose folder begins so. A host may name one that is
    finished, for players who have not seen its end."""
    listed = list_tables(tables_folder())
    if not table:
        return [one for one in listed if not finished(one)]
    named = [one for one in listed if one.path.name.startswith(table.lower())]
    return [one for one in named if not finished(one)] or [one for one in named if one.meta.role == "host"]


def _choose(free: list[Listed]) -> None:
    """Tell which tables there are, each with as much of its name as is needed."""
    click.echo(t("resume-list"))
    ids = [one.meta.table[:8] for one in free]
    for one in free:
        name = one.meta.table[:8] if ids.count(one.meta.table[:8]) == 1 else one.path.name
        game = one.meta.game or str(one.meta.run.get("game") or "")
        told = game_name(game) if game else t("game-unknown")
        player = clean_text(str(one.meta.run.get("name") or ""), limits.NAME_LENGTH) or t("player-unnamed")
        click.echo(t("resume-who", table=name, game=told, role=t(f"role-{one.meta.role}"), player=player))


def finished(listed: Listed) -> bool:
    """Whether a table's game is over, as its store remembers."""
    return bool(listed.meta.run.get("finished"))


def _seat_here(table: bytes, name: str | None) -> Listed | None:
    """The unfinished seat at this table that was taken from here before, by a player of this name, and that nobody has
    open."""
    for listed in list_tables(tables_folder()):
        here = listed.meta.table == table.hex() and listed.meta.role == "guest"
        free = here and not listed.locked and not finished(listed)
        if free and (name is None or listed.meta.run.get("name") == own_name(name)):
            return listed
    return None


def _goodbye(evening: Evening, log_folder: Path | None) -> None:
    """Keep the log where it was asked for, and end with the right words and exit code."""
    store = evening.store
    if store is not None and log_folder is not None and store.exists():
        keep_log(store, log_folder)
    if evening.finished:
        _last_words(t("goodbye"))
        return
    if store is not None and store.exists():
        _last_words(t("interrupted-safely", table=store.name[:8]), err=True)
    raise SystemExit(INTERRUPTED if evening.interrupted else 0)


def _last_words(text: str, err: bool = False) -> None:
    try:
        click.echo(text, err=err)
    except OSError:
        pass  # nobody reads any more; the exit code still says how it ended


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
