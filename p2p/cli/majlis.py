"""The command group, and what the bare command says."""

from __future__ import annotations

from importlib.metadata import version

import click
from click.shell_completion import get_completion_class

from p2p.cli.arena import arena
from p2p.cli.bots import bot
from p2p.cli.common import has_screen
from p2p.cli.demo import demo
from p2p.cli.lobby import open_lobby, usual_hosting
from p2p.cli.records import record, replay, score
from p2p.cli.rules import rules
from p2p.cli.settings import settings
from p2p.cli.tables import host, join, resume
from p2p.cli.verify import verify
from p2p.language import CODES, t
from p2p.sitting import Sitter
from p2p.tables import own_name
from p2p.terminal.screen.lobby.wishes import ToStart


@click.group(invoke_without_command=True, help=t("help-majlis"))
@click.option("--lang", type=click.Choice(CODES), help=t("opt-lang"))
@click.version_option(version("majlis"), message="%(prog)s %(version)s", help=t("opt-version"))
@click.option("--plain", is_flag=True, help=t("opt-plain"))
@click.pass_context
def majlis(context: click.Context, lang: str | None, plain: bool) -> None:
    """Chosen in `p2p.cli.main` already: `lang` is declared here so that it is listed and checked."""
    if context.invoked_subcommand is not None:
        return
    if has_screen(plain):
        open_lobby(ToStart(), usual_hosting(Sitter(own_name(None))))
    else:
        for number in range(1, 6):
            click.echo(t(f"bare-{number}"))


@click.command(help=t("help-completion"))
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
def completion(shell: str) -> None:
    """Print the script; the shell evaluates it."""
    made = get_completion_class(shell)
    assert made is not None
    click.echo(made(majlis, {}, "majlis", "_MAJLIS_COMPLETE").source())


majlis.help = t("help-majlis")
for command in (host, join, resume, settings, demo, rules, replay, score, record, verify, arena, bot, completion):
    majlis.add_command(command)
