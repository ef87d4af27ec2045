"""Options of games and tables, and their values, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.game import Game, Option, Value
from p2p.language import digits, t
from p2p.language.cards import listed
from protocol.rules import TABLE_OPTIONS

FEWEST_IN_A_RANGE = 4
"""From here on numbers that follow each other are told as "1 to 13"."""


def option_name(option: str) -> str:
    """What an option is about: ``max_dash`` -> Dash Calls in one deal at most."""
    return t(f"option-{option}")


def value_name(option: str, value: Value) -> str:
    """What a value means there: ``until_pass`` -> round and round until three have passed. Numbers are themselves.

    A value that two options use differently has a sentence for each (``value-high_call-federation``).
    """
    if isinstance(value, int):
        return digits(value)
    own = f"value-{option}-{value}"
    told = t(own)
    return told if told != own else t(f"value-{value}")


def value_told(option: str, value: Value) -> str:
    """A value as one types it, and what it means where that says more: ``keep (the losses stand)``, ``off``, ``13``."""
    meaning = value_name(option, value)
    return meaning if isinstance(value, int) or meaning == value else t("rules-meaning", value=value, meaning=meaning)


def others_told(option: Option, value: Value) -> str:
    """What an option offers besides `value`; empty when there is nothing else. Many numbers become ``1 to 13``."""
    rest = [other for other in dict.fromkeys(option.values) if other != value]
    numbers = sorted(other for other in (*rest, value) if isinstance(other, int))
    if len(rest) >= FEWEST_IN_A_RANGE and numbers == list(range(numbers[0], numbers[0] + len(rest) + 1)):
        return t("value-range", first=numbers[0], last=numbers[-1])
    return listed(value_told(option.name, other) for other in rest)


def option_told(option: str, value: Value) -> str:
    """``doubling in Complex: off``: an option and what it is, in words."""
    return t("rules-option", option=option_name(option), value=value_name(option, value))


def options_told(chosen: Mapping[str, Value]) -> list[str]:
    """Several of them, a line each."""
    return [option_told(name, value) for name, value in chosen.items()]


def game_options(game: Game, in_force: Mapping[str, Value]) -> Iterator[str]:
    """Every option of a game in lines: what it is about, what holds now, and what else there is."""
    for option in game.options:
        yield from _option_lines(option, in_force[option.name])


def table_options(chosen: Mapping[str, Value]) -> Iterator[str]:
    """The same of the options that every table has; those that were not chosen are as usual."""
    for option in TABLE_OPTIONS:
        yield from _option_lines(option, chosen.get(option.name, option.values[0]))


def _option_lines(option: Option, value: Value) -> Iterator[str]:
    usual, others = option.values[0], others_told(option, value)
    changed = t("rules-option-changed", option=option.name, value=value, usual=usual)
    yield f"* {option.name} = {value}" if value == usual else changed
    yield "  " + option_told(option.name, value)
    if others:
        yield "  " + t("rules-others", values=others)
