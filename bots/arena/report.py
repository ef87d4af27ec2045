"""The results of an arena as one page that needs nothing else: no script, no font, no network.

Every language stands in the page; a choice at the top shows one of them, by style alone. A content security policy
allows the page's own style and nothing more, so what a bot is called can never become part of it.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from html import escape
from typing import Protocol

from bots.arena import plots
from bots.arena.results import Results
from bots.arena.statistics import Interval, milliseconds

STYLE = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1f24; --faint: #d5dae0; --good: #d9f2df; --bad: #fbdedb;
  --bot0: #2f6fce; --bot1: #c2571a; --bot2: #2e8b57; --bot3: #8e4ec6; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171b; --ink: #e6e9ed; --faint: #3a414a; --good: #1d3d28;
  --bad: #4a2320; --bot0: #6ea8fe; --bot1: #f0995a; --bot2: #63c58f; --bot3: #c397ec; } }
body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; max-width: 60rem;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
main { display: none; }
#show0:checked ~ .text0, #show1:checked ~ .text1 { display: block; }
table { border-collapse: collapse; } .wide { overflow-x: auto; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--faint); text-align: start; }
th.number, td.number { text-align: right; }
td.number { direction: ltr; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.good { background: var(--good); } td.bad { background: var(--bad); } td.faults { white-space: normal; }
.whole { min-width: 6.5rem; width: 25%; max-width: 22rem; overflow-wrap: anywhere; }
.head { min-width: 6rem; overflow-wrap: anywhere; } .short { white-space: nowrap; }
.legend span.short { margin-inline-end: 1.2rem; display: inline-block; }
svg { width: 100%; min-width: 34rem; height: auto; direction: ltr; font: 12px system-ui, sans-serif; }
svg text { fill: var(--ink); } .name { text-anchor: end; } .tick { text-anchor: middle; }
.grid { stroke: var(--faint); } .zero { stroke: var(--ink); }
.line { stroke-width: 3; stroke: currentColor; } .dot { fill: currentColor; }
.curve { fill: none; stroke: currentColor; stroke-width: 2; }
.bot0 { color: var(--bot0); } .bot1 { color: var(--bot1); } .bot2 { color: var(--bot2); } .bot3 { color: var(--bot3); }
"""


class Speech(Protocol):
    """A language that the page is written in (p2p.language.Language)."""

    code: str

    @property
    def right_to_left(self) -> bool: ...
    def t(self, sentence: str, /, **values: object) -> str: ...


def page(results: Results, languages: Sequence[Speech], version: str) -> str:
    """The whole page; the first of (at most two) `languages` is shown at first."""
    style = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    first = languages[0]
    title = escape(first.t("arena-title", game=first.t(f"game-{results.plan.game}")))
    return "\n".join(
        [
            "<!doctype html>",
            f'<html lang="{first.code}" dir="{_direction(first)}">',
            '<head><meta charset="utf-8">',
            f"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{style}'\">",
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>",
            f"<style>{STYLE}</style></head>",
            "<body>",
            *_choice(languages),
            *(line for number, speech in enumerate(languages) for line in _text(results, speech, number, version)),
            "</body></html>",
            "",
        ]
    )


def _choice(languages: Sequence[Speech]) -> Iterator[str]:
    """The buttons that choose the language. They stand before the texts, so that the style can see them."""
    for number, speech in enumerate(languages):
        checked = " checked" if number == 0 else ""
        yield (
            f'<input type="radio" name="language" id="show{number}"{checked}> '
            f'<label for="show{number}" lang="{speech.code}">{escape(speech.t("replay-language"))}</label>'
        )


def _direction(speech: Speech) -> str:
    return "rtl" if speech.right_to_left else "ltr"


def _text(results: Results, speech: Speech, number: int, version: str) -> Iterator[str]:
    plan = results.plan
    game = speech.t(f"game-{plan.game}")
    yield f'<main class="text{number}" lang="{speech.code}" dir="{_direction(speech)}">'
    yield f"<h1>{escape(speech.t('arena-title', game=game))}</h1>"
    head = speech.t("arena-head", game=game, boards=results.boards, games=results.games, deals=results.deals)
    dealt = speech.t("arena-proved") if plan.proved else speech.t("arena-seed", seed=plan.seed)
    options = " ".join(f"{name}={value}" for name, value in plan.in_force.items())
    made = speech.t("arena-made", version=version, options=options or "–")
    yield f"<p>{escape(head)} {escape(dealt)} {escape(made)}</p>"
    yield f"<h2>{escape(speech.t('arena-part-points'))}</h2>"
    yield f"<p>{escape(speech.t('arena-explain-points'))}</p>"
    yield from _rows(results, speech)
    yield _wide(plots.means(results.rows))
    if results.duels:
        yield f"<h2>{escape(speech.t('arena-part-duels'))}</h2>"
        yield f"<p>{escape(speech.t('arena-explain-duels'))}</p>"
        yield from _matrix(results)
    if results.boards > 1:  # of one there is no curve
        yield f"<h2>{escape(speech.t('arena-part-curves'))}</h2>"
        yield f"<p>{escape(speech.t('arena-explain-curves'))}</p>"
        names = (f'<span class="short">{_short(bot, row.bot)}</span>' for bot, row in enumerate(results.rows))
        yield f'<p class="legend">{" ".join(names)}</p>'
        yield _wide(plots.curves(results.rows, results.curves))
    if any(row.times.total for row in results.rows):  # at real tables nobody measures them
        yield f"<h2>{escape(speech.t('arena-part-times'))}</h2>"
        yield f"<p>{escape(speech.t('arena-explain-times'))}</p>"
        yield _wide(plots.times(results.rows))
    yield "</main>"


def _wide(part: str) -> str:
    """What a small screen shows a part of at a time."""
    return f'<div class="wide">{part}</div>'


def _short(bot: int, name: str) -> str:
    """A bot's colour and its name, short enough for the head of a column; the whole is shown to who points at it."""
    return f'<span class="bot{bot}">■</span>&nbsp;<bdi title="{escape(name)}">{plots.short(name)}</bdi>'


def _rows(results: Results, speech: Speech) -> Iterator[str]:
    columns = ("bot", "mean", "interval", "rating", "faults", "fallback", "median", "slow")
    named, *numbers = (escape(speech.t(f"arena-column-{column}")) for column in columns)
    heads = "".join(f'<th class="number">{head}</th>' for head in numbers)
    yield f'<div class="wide"><table><tr><th>{named}</th>{heads}</tr>'
    for bot, row in enumerate(results.rows):
        cells = [
            f"{row.points.mean:+.2f}",
            row.points.ends,
            str(row.rating),
            row.faults_told,
            str(row.fallback),
            *(f"{milliseconds(row.times.quantile(part))} ms" if row.times.total else "–" for part in (0.5, 0.99)),
        ]
        kinds = ("faults" if column == "faults" else "" for column in columns[1:])
        shown = "".join(
            f'<td class="{f"number {kind}".strip()}">{escape(cell)}</td>'
            for kind, cell in zip(kinds, cells, strict=True)
        )
        square = f'<span class="bot{bot}">■</span>'
        yield f'<tr><td class="whole">{square}&nbsp;<bdi>{escape(row.bot)}</bdi></td>{shown}</tr>'
    yield "</table></div>"


def _matrix(results: Results) -> Iterator[str]:
    """A row for each bot: by how much it is better than the bot of each column."""
    names = [row.bot for row in results.rows]
    heads = "".join(f'<th class="number head">{_short(bot, name)}</th>' for bot, name in enumerate(names))
    yield f'<div class="wide"><table><tr><th></th>{heads}</tr>'
    for bot, one in enumerate(names):
        differences = [None if one == other else results.duel(one, other) for other in names]
        cells = "".join(map(_cell, differences))
        yield f'<tr><th class="short">{_short(bot, one)}</th>{cells}</tr>'
    yield "</table></div>"


def _cell(difference: Interval | None) -> str:
    if difference is None:
        return '<td class="number">–</td>'
    kind = " good" if difference.low > 0 else " bad" if difference.high < 0 else ""
    return f'<td class="number{kind}">{difference.mean:+.2f}<br>{difference.ends}</td>'
