"""The results of an arena as a table for people and as JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.metadata import version

from bots.arena.playing import shortened
from bots.arena.results import Duel, Results, Row
from bots.arena.statistics import Interval, milliseconds
from p2p.language import clean_text, t
from p2p.language.cards import game_name, left_to_right, whole
from p2p.terminal.console import cells

NAME_CELLS = 40
"""Longest name of a bot in a table."""

DECIMALS = 4
"""Of a number in the JSON: more say nothing."""


def told(results: Results, until_sure: bool) -> str:
    """The table, who is better than whom, and whether that is sure."""
    plan = results.plan
    lines = [
        t("arena-head", game=game_name(plan.game), boards=results.boards, games=results.games, deals=results.deals),
        t("arena-proved") if plan.proved else t("arena-seed", seed=plan.seed),
        "",
        *_table(results.rows),
        *_played_for(results.rows),
    ]
    if results.duels:
        lines += ["", t("arena-duels"), *map(_duel, results.duels)]
    if until_sure:
        lines += ["", t("arena-sure" if results.sure else "arena-not-sure", boards=results.boards)]
    return "\n".join(lines)


def told_times(results: Results) -> str:
    """How long moves took: apart from the rest, because no two runs take the same time. Empty where nobody looked."""
    rows = [row for row in results.rows if row.times.total]
    lines = [t("arena-times")] if rows else []
    for row in rows:
        median, slow = (milliseconds(row.times.quantile(part)) for part in (0.5, 0.99))
        lines.append("  " + t("arena-time", bot=bot_name(row.bot), median=median, slow=slow, moves=row.times.total))
    return "\n".join(lines)


def bot_name(bot: str) -> str:
    """A bot's name in a sentence or table."""
    return whole(shortened(clean_text(bot, len(bot)), NAME_CELLS))


def _table(rows: Sequence[Row]) -> list[str]:
    head = [t(f"arena-column-{column}") for column in ("bot", "mean", "interval", "rating", "faults")]
    body = [
        [
            bot_name(row.bot),
            f"{row.points.mean:+.2f}",
            row.points.ends,
            str(row.rating),
            row.faults_told,
        ]
        for row in rows
    ]
    widths = [max(cells(line[column]) for line in (head, *body)) for column in range(len(head))]
    return [left_to_right(_line(line, widths)) for line in (head, *body)]


def _played_for(rows: Sequence[Row]) -> list[str]:
    """Whose moves were not all his own, so that nobody takes the fallback's points for a bot's."""
    return [t("arena-played-for", bot=bot_name(row.bot), count=row.fallback) for row in rows if row.fallback]


def _line(texts: Sequence[str], widths: Sequence[int]) -> str:
    """The first column begins at the left, the others end at the right."""
    spaces = [" " * (width - cells(text)) for text, width in zip(texts, widths, strict=True)]
    others = (space + text for space, text in zip(spaces[1:], texts[1:], strict=True))
    return "  ".join([texts[0] + spaces[0], *others])


def _duel(duel: Duel) -> str:
    difference = left_to_right(f"{duel.difference.mean:+.2f}")
    names = {"first": bot_name(duel.first), "second": bot_name(duel.second)}
    return "  " + t("arena-duel", **names, difference=difference, ends=left_to_right(duel.difference.ends))


# ---- for programs -------------------------------------------------------------------------------------------------


def as_json(results: Results, until_sure: bool = False, times: bool = False) -> str:
    """The results for programs (docs/arena.md). Without `times` they are the same in every run."""
    plan = results.plan
    value: dict[str, object] = {
        "game": plan.game,
        "version": version("majlis"),
        "options": plan.rules.chosen(plan.in_force),
        "seed": plan.seed,
        "verified": plan.proved,
        "boards": results.boards,
        "games": results.games,
        "deals": results.deals,
        "bots": [
            {
                "bot": row.bot,
                "mean": _number(row.points.mean),
                "interval": _ends(row.points),
                "rating": {"mean": _number(row.rating.mean), "deviation": _number(row.rating.deviation)},
                "faults": row.faults,
                "fallback": row.fallback,
                **({"seconds": _times(row)} if times else {}),
            }
            for row in results.rows
        ],
        "duels": [
            {
                "bots": [duel.first, duel.second],
                "difference": _number(duel.difference.mean),
                "interval": _ends(duel.difference),
                "always": _ends(duel.held),
                "sure": duel.sure,
            }
            for duel in results.duels
        ],
    }
    if until_sure:
        value["sure"] = results.sure
    return json.dumps(value, indent=2, ensure_ascii=False)


def _times(row: Row) -> dict[str, float]:
    return {
        "median": float(f"{row.times.quantile(0.5):.3g}"),
        "p99": float(f"{row.times.quantile(0.99):.3g}"),
        "moves": row.times.total,
    }


def _number(value: float) -> float:
    return round(value, DECIMALS) + 0.0  # no -0.0


def _ends(interval: Interval) -> list[float] | None:
    return [_number(interval.low), _number(interval.high)] if interval.known else None
