"""Commands that sit at a table: host, join, resume."""

from __future__ import annotations

import json
import os
from itertools import cycle, islice
from pathlib import Path

import click

from bots.builtin import NAMES as BUILTIN
from bots.builtin import OFFERED, bot_named
from bots.programs import PROGRAM, program_words
from engine.games import game as find_game
from p2p import limits, tables
from p2p.cli import INTERRUPTED, near
from p2p.cli.common import face, fail, games, has_screen, last_words, read_options, run_evening, sentences, thank
from p2p.cli.lobby import open_lobby, usual_hosting
from p2p.cli.records import json_option
from p2p.host import Terms
from p2p.hosting import Hosting
from p2p.itself import INVITE_VARIABLE
from p2p.language import clean_text, t
from p2p.language.cards import game_name
from p2p.sitting import Evening, Sitter
from p2p.store import Listed, list_tables, tables_folder
from p2p.tables import finished, own_name, resumable, way_to, way_untrusted
from p2p.terminal.screen.lobby.wishes import FIRST_GAME, ToForm, ToKept, ToNear

name_option = click.option("--name", help=t("opt-name"))


def complete_bot(context: click.Context, option: click.Parameter, begun: str) -> list[str]:
    """Levels and built-in bots, for the Tab key."""
    return [word for word in OFFERED if word.startswith(begun)]


bot_option = click.option("--bot", help=t("opt-bot"), default="", shell_complete=complete_bot)
seed_option = click.option("--seed", type=int, help=t("opt-seed"))
quiet_option = click.option("--quiet", is_flag=True, help=t("opt-quiet"))
log_option = click.option("--log", "log_folder", type=click.Path(path_type=Path, file_okay=False), help=t("opt-log"))
report_option = click.option(
    "--report", type=click.Path(path_type=Path, dir_okay=False), hidden=True, help=t("opt-report")
)
plain_option = click.option("--plain", is_flag=True, help=t("opt-plain"))
companion_option = click.option("--companion", is_flag=True, hidden=True, help=t("opt-companion"))
port_option = click.option("--seat-port", type=click.IntRange(0, 65535), help=t("opt-seat-port"))


def good_bot(bot: str) -> str:
    """The built-in bot that a level or a name stands for, or a command whose program exists; `cmd:` may stand before a
    command, as in the arena."""
    bot = bot_named(bot.removeprefix(PROGRAM))
    if bot and bot not in BUILTIN:
        try:
            program_words(bot)
        except OSError:
            fail("unknown-bot", 2, bot=clean_text(bot, 200), bots=", ".join(OFFERED))
    return bot


@click.command(help=t("help-host"))
@click.argument("game", type=click.Choice(games()), metavar="[GAME]", required=False)
@click.option("--bots", type=click.IntRange(0, 4), default=0, help=t("opt-bots"))
@bot_option
@click.option("--bots-are", multiple=True, default=("normal",), help=t("opt-bots-are"), shell_complete=complete_bot)
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
@click.pass_context
def host(
    context: click.Context,
    game: str | None,
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
    plain = plain or bool(bot)
    form = game is None and has_screen(plain or bool(preset or options or log_folder or report), quiet)
    if game is None and not form:
        raise click.MissingParameter(ctx=context, param=context.command.params[0])
    with sentences():
        rules_of = find_game(game or FIRST_GAME)
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
        tuple(islice(cycle([*map(good_bot, bots_are)]), bots)),
        port,
        bind,
        "off" if no_lan else "open" if open_lan else "ask",
        ask,
    )
    if form:
        open_lobby(ToForm(), hosting)
        return
    front, screen = face(plain, quiet)
    if screen is not None:
        hosting.sitter.ready = hosting.among_bots

    async def session(evening: Evening) -> None:
        await tables.host(hosting, front, evening)

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
    seat_port: int | None,
    name: str | None,
    seed: int | None,
    log_folder: Path | None,
    quiet: bool,
    plain: bool,
    companion: bool,
) -> None:
    line = " ".join(invite) or (os.environ.pop(INVITE_VARIABLE, "") if companion else "")
    if (only_list and line) or (as_json and not only_list):
        fail("lan-list-alone", 2)
    if only_list:
        near.show(as_json)
        return
    if bot and seat_port is not None:
        fail("bot-or-port", 2)
    sitter = Sitter(own_name(name), good_bot(bot), seed, seat_port, companion)
    plain = plain or bool(bot or log_folder) or seat_port is not None
    if not line and has_screen(plain, quiet or companion):
        open_lobby(ToNear(), usual_hosting(sitter))
        return
    with sentences():
        way = way_untrusted(line) if line else way_to(near.chosen())
    front, screen = face(plain, quiet or companion)
    sitter.ready = screen is None

    async def session(evening: Evening) -> None:
        await tables.join(way, sitter, front, evening, name)

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
        if not table and has_screen(plain or bool(log_folder), quiet or companion):
            open_lobby(ToKept(), usual_hosting(Sitter(own_name(None))))
        else:
            _choose(free)
        return
    played = (free or found)[0].meta.run
    front, screen = face(plain or bool(played.get("bot")) or played.get("seat_port") is not None, quiet or companion)

    async def session(evening: Evening) -> None:
        await tables.resume((free or found)[0], front, evening, companion, ready=screen is None)

    _goodbye(run_evening(session, companion, screen), log_folder)


def _to_resume(table: str | None) -> list[Listed]:
    """The tables that are meant: all unfinished ones, or those whose folder begins so. A host may name one that is
    finished, for players who have not seen its end."""
    if not table:
        return resumable()
    named = [one for one in list_tables(tables_folder()) if one.path.name.startswith(table.lower())]
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


def _goodbye(evening: Evening, log_folder: Path | None) -> None:
    """Keep the log where it was asked for, and end with the right words and exit code."""
    store = evening.store
    if store is not None and log_folder is not None and store.exists():
        keep_log(store, log_folder)
    if evening.finished:
        thank(evening.played)
        return
    if store is not None and store.exists():
        last_words(t("interrupted-safely", table=store.name[:8]), err=True)
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
