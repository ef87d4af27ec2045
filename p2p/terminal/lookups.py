"""What one can look up at a table besides playing, as lines: pure, for the panes of the full screen and for line mode.

`options` are all those of the game, as they are in force; `rules` those of the table itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.actions import parse_action
from engine.game import Game, Option, Result, Value
from p2p.language import t
from p2p.language.cards import game_name, listed, whole
from p2p.language.options import game_options, option_told, table_options, value_name
from p2p.language.rules import indented, rules_text
from p2p.settings import CHOICES, NAMES, Settings, word_of
from p2p.terminal import plot, words
from protocol.rules import TABLE_OPTIONS

PLOT_SIZE = (72, 16)
"""Columns and rows of a plot that is printed."""


def rules_lines(game: Game, options: Mapping[str, Value], rules: Mapping[str, Value], width: int) -> list[str]:
    """How this game is played, with the options in force, and then every option, as `majlis rules` prints them."""
    told = rules_text(game.name, options, width).split("\n")
    own = [t("rules-options"), *game_options(game, options)]
    table = [t("rules-table-options"), *table_options(rules)]
    return [*told, *(part for line in ("", *own, "", *table) for part in indented(line, width))]


def option_lines(game: Game, options: Mapping[str, Value], rules: Mapping[str, Value]) -> list[str]:
    """The options in force in words, first those that differ from the usual ones."""
    held = _in_force(game, options, rules)
    other = [_changed(option, value) for option, value in held if value != option.values[0]]
    usual = [option_told(option.name, value) for option, value in held if value == option.values[0]]
    head = t("options-changed", game=game_name(game.name)) if other else t("options-usual", game=game_name(game.name))
    return [head, *(f"* {line}" for line in other), "", t("options-others"), *(f"  {line}" for line in usual)]


def unusual(game: Game, options: Mapping[str, Value], rules: Mapping[str, Value]) -> int:
    """How many options differ from the usual ones."""
    return sum(value != option.values[0] for option, value in _in_force(game, options, rules))


def _in_force(game: Game, options: Mapping[str, Value], rules: Mapping[str, Value]) -> list[tuple[Option, Value]]:
    table = [(option, rules.get(option.name, option.values[0])) for option in TABLE_OPTIONS]
    return [*((option, options[option.name]) for option in game.options), *table]


def _changed(option: Option, value: Value) -> str:
    return t("options-usually", told=option_told(option.name, value), usual=value_name(option.name, option.values[0]))


def score_lines(result: Result, names: Sequence[str]) -> list[str]:
    """Where everybody's points of a deal come from, a line a seat."""
    return [t("points-title", deal=result.deal), *(seat_score(result, seat, names) for seat in range(len(names)))]


def seat_score(result: Result, seat: int, names: Sequence[str]) -> str:
    """``Amal -110: queens -25, tricks -45``: one seat's points of a deal, by rule."""
    by_rule = points_by_rule(result, seat)
    told = listed(f"{rule} {words.signed(points)}" for rule, points in by_rule.items())
    times = t("points-times", multiplier=result.multiplier) if result.multiplier > 1 else ""
    scored = f"{words.player(seat, names)} {words.signed(result.points[seat])}"
    return f"{scored}: {told} {times}".rstrip() if told else scored


def points_by_rule(result: Result, seat: int) -> dict[str, int]:
    """The name of each rule that gave or took points, and how many, before they were multiplied."""
    found: dict[str, int] = {}
    for rule, points in result.breakdown[seat]:
        named = t(f"rule-{rule}")
        found[named] = found.get(named, 0) + points
    return found


def plot_lines(results: Sequence[Result], names: Sequence[str], letters: bool) -> list[str]:
    """The totals over the deals as a picture, and whose mark is whose."""
    if not results:
        return [t("score-none")]
    drawn = plot.plot([result.totals for result in results], results[0].deal, *PLOT_SIZE, letters)
    return [*drawn, plot_legend(results[-1].totals, names, letters)]


def plot_legend(totals: Sequence[int], names: Sequence[str], letters: bool) -> str:
    """``● Amal +32  ■ Basil -22``."""
    told = [
        f"{mark} {words.player(seat, names)} {words.signed(totals[seat])}"
        for seat, mark in enumerate(plot.marks(letters)[: len(names)])
    ]
    return "  ".join([*told, t("plot-several", mark=plot.several(letters))])


def last_lines(
    trick: Sequence[tuple[int, str]], taker: int, moves: Sequence[tuple[int, str]], names: Sequence[str]
) -> list[str]:
    """The last trick: who played what, and who took it; in Trix the last moves instead."""
    if moves:
        return [t("last-moves"), *(_moved(seat, action, names) for seat, action in moves)]
    if not trick:
        return [t("last-none")]
    told = [t("event-play", player=words.player(seat, names), card=words.card(card)) for seat, card in trick]
    return [t("last-trick"), *told, t("event-trick", player=words.player(taker, names))]


def _moved(seat: int, text: str, names: Sequence[str]) -> str:
    action = parse_action(text)
    return t(f"event-{action.verb}", player=words.player(seat, names), card=words.short(action))


# ---- settings -----------------------------------------------------------------------------------------------------


def setting_told(kept: Settings, name: str) -> str:
    """``bell = on (the bell rings when it is your turn)``."""
    word = word_of(kept, name)
    if name == "name":
        return t("settings-one", name=name, value=whole(word) if word else '""', meaning=t("setting-name"))
    return t("settings-one", name=name, value=word, meaning=f"{t(f'setting-{name}')}: {setting_value(name, word)}")


def setting_value(name: str, word: str) -> str:
    """What a value of a setting means: ``visual`` -> letters are shaped by Majlis."""
    switch = {offered for offered, _ in CHOICES[name]} == {"on", "off"}
    return t(f"setting-{word}") if switch else t(f"setting-{name}-{word}")


def setting_lines(kept: Settings, names: Sequence[str] = NAMES) -> Iterator[str]:
    """Settings, with what else each could be."""
    for name in names:
        yield setting_told(kept, name)
        if name in CHOICES:
            yield "  " + t("settings-others", values=", ".join(word for word, _ in CHOICES[name]))
