"""`majlis settings`: what was chosen once, and changing it."""

from __future__ import annotations

import click

from p2p.cli.common import sentences
from p2p.language import t
from p2p.settings import NAMES, changed, read_settings, settings_file, write_settings
from p2p.terminal.lookups import setting_lines, setting_told


@click.command(help=t("help-settings"))
@click.argument("name", type=click.Choice(NAMES, case_sensitive=False), metavar="[NAME]", required=False)
@click.argument("value", metavar="[VALUE]", required=False)
def settings(name: str | None, value: str | None) -> None:
    found = read_settings()
    with sentences():
        if name is not None and value is not None:
            chosen = changed(found.settings, name, value)
            write_settings(chosen)
            click.echo(setting_told(chosen, name))
            return
    for line in setting_lines(found.settings, NAMES if name is None else (name,)):
        click.echo(line)
    click.echo(t("settings-how", path=settings_file()))
