"""`majlis rules`: how a game is played, with the options of a table, and what else one can choose."""

from __future__ import annotations

from collections.abc import Iterator

import click

from engine.game import Game, Value
from engine.games import ALIASES, NAMES
from engine.games import game as find_game
from p2p.cli.common import games, read_options, sentences
from p2p.language import t
from p2p.language.cards import game_name
from p2p.language.options import game_options, table_options
from p2p.language.rules import indented, rules_text


@click.command(help=t("help-rules"))
@click.argument("game", type=click.Choice(games(), case_sensitive=False), metavar="[GAME]", required=False)
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help=t("opt-option"))
@click.option("--preset", help=t("opt-preset"))
def rules(game: str | None, options: tuple[str, ...], preset: str | None) -> None:
    if game is None:
        for name in NAMES:
            alias = next((alias for alias, of in ALIASES.items() if of == name), name)
            click.echo(f"{t('rules-which', game=alias):<25} {game_name(name)}")
        return
    with sentences():
        found = find_game(game)
        chosen, at_table = read_options(found, preset, options)
        in_force = found.chosen(chosen)
    click.echo(rules_text(found.name, in_force))
    for line in [*_options(found, in_force), *_presets(found), *_table_options(at_table)]:
        click.echo("\n".join(indented(line)))


def _options(game: Game, in_force: dict[str, Value]) -> Iterator[str]:
    yield ""
    yield t("rules-options")
    yield t("rules-options-how")
    yield from game_options(game, in_force)


def _table_options(chosen: dict[str, Value]) -> Iterator[str]:
    yield ""
    yield t("rules-table-options")
    yield from table_options(chosen)


def _presets(game: Game) -> Iterator[str]:
    if game.presets:
        yield ""
        yield t("rules-presets")
    for preset, options in game.presets.items():
        yield "* " + t("rules-preset", preset=preset, meaning=t(f"preset-{preset}"))
        changed = ", ".join(f"{name}={value}" for name, value in options.items())
        if changed:
            yield "  " + changed
