"""The pages before a table, on the full screen: where `majlis` begins that was not told which table is meant."""

from __future__ import annotations

import click

from p2p.cli import INTERRUPTED
from p2p.cli.common import new_screen, run_evening, thank
from p2p.host import Terms
from p2p.hosting import Hosting
from p2p.language import t
from p2p.sitting import Evening, Sitter
from p2p.terminal.screen.lobby.wishes import FIRST_GAME, Place


def usual_hosting(sitter: Sitter) -> Hosting:
    """How the form of a new table is filled in when nothing was asked for."""
    return Hosting(Terms(FIRST_GAME, {}, {}), sitter)


def open_lobby(first: Place, hosting: Hosting) -> None:
    """Show the pages, from this one on, until the person leaves. Ends with the exit code of whatever happened last."""
    screen = new_screen()
    from p2p.terminal.screen.lobby.flow import Flow  # after the language was asked for, and for those only who need it

    async def session(evening: Evening) -> None:
        await Flow(screen, evening, hosting).run(first)

    evening = run_evening(session, screen=screen)
    if evening.store is not None and evening.store.exists() and not evening.finished:
        click.echo(t("interrupted-safely", table=evening.store.name[:8]), err=True)
    if evening.interrupted and not evening.finished:
        raise SystemExit(INTERRUPTED)
    thank(evening.played)
