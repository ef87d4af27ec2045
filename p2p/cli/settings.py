"""`majlis settings`: what was chosen once, and changing it."""

from __future__ import annotations

import click

from p2p.cli.common import sentences
from p2p.language import t
from p2p.language.cards import whole
from p2p.settings import CHOICES, NAMES, Settings, changed, read_settings, settings_file, word_of, write_settings

_SWITCHES = ("on", "off")


@click.command(help=t("help-settings"))
@click.argument("name", type=click.Choice(NAMES, case_sensitive=False), metavar="[NAME]", required=False)
@click.argument("value", metavar="[VALUE]", required=False)
def settings(name: str | None, value: str | None) -> None:
    found = read_settings()
    with sentences():
        if name is not None and value is not None:
            chosen = changed(found.settings, name, value)
            write_settings(chosen)
            click.echo(_told(chosen, name))
            return
    for one in NAMES if name is None else (name,):
        click.echo(_told(found.settings, one))
        if one in CHOICES:
            click.echo("  " + t("settings-others", values=", ".join(word for word, _ in CHOICES[one])))
    click.echo(t("settings-how", path=settings_file()))


def _told(kept: Settings, name: str) -> str:
    """``bell = on (the bell rings when it is your turn)``."""
    word = word_of(kept, name)
    if name == "name":
        return t("settings-one", name=name, value=whole(word) if word else '""', meaning=t("setting-name"))
    meaning = t(f"setting-{word}") if word in _SWITCHES else t(f"setting-{name}-{word}")
    return t("settings-one", name=name, value=word, meaning=f"{t(f'setting-{name}')}: {meaning}")
