"""How a table is laid out on the screen. Pure: what the page holds in, a canvas drawn.

From above: title and sign of proof; contract and trumps; what is going on; the seats around the middle; the news (at
the side where the screen is wide); the own hand; the prompt; the keys, which `ui` draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.actions import parse_action
from p2p.language import t, tn
from p2p.terminal.screen import banner
from p2p.terminal.screen.canvas import Align, Canvas
from p2p.terminal.screen.choosing import Choosing
from p2p.terminal.screen.hand import ROWS as HAND_ROWS
from p2p.terminal.screen.hand import draw_hand
from p2p.terminal.screen.labels import seconds_left, state_of
from p2p.terminal.screen.middle import draw_middle
from p2p.terminal.screen.scene import News, Scene
from p2p.terminal.screen.seats import SEPARATOR, Region, draw_seats, joined
from p2p.terminal.screen.theme import Look, sign
from p2p.terminal.standing import clock
from p2p.terminal.words import choice, player

WIDE = 116
"""Columns from which on the news stand beside the table instead of below it."""

NEWS_BESIDE = 40
NEWS_BELOW = 3

FACTS = 2
"""Rows for what one should know of the deal, on the smallest screen."""

SMALL = 24
"""Rows of the smallest screen; a third of what is more goes to the news below, a sixth to what one should know."""

SIGN = 26
"""Columns for the sign of proof in the title."""


@dataclass(frozen=True)
class Shown:
    """What a page of the table holds just now. `line` is what is being typed for the others or as a command."""

    scene: Scene
    choosing: Choosing | None = None
    news: Sequence[News] = ()
    hidden: bool = False
    line: str | None = None
    notice: str = ""
    over: bool = False


def draw_table(canvas: Canvas, shown: Shown, now: float) -> None:
    """All of it, on a canvas of at least 80 × 24."""
    scene = shown.scene
    beside, more = canvas.columns >= WIDE, max(0, canvas.rows - SMALL)
    columns = canvas.columns - NEWS_BESIDE if beside else canvas.columns
    below, told = 0 if beside else NEWS_BELOW + more // 3, FACTS + min(2, more // 6)
    hand = canvas.rows - 2 - HAND_ROWS
    _draw_title(canvas, scene)
    _draw_facts(canvas, (1, 1, columns - 2, told), scene, shown.hidden)
    region = (1, 1 + told, columns - 2, hand - below - 1 - told)
    draw_middle(canvas, region, draw_seats(canvas, region, scene, now), scene, shown.choosing, shown.hidden)
    news = [one for one in shown.news if not (shown.hidden and one.private)]
    if beside:
        canvas.fill(columns, 1, 1, hand - 1, Look.BORDER, text=sign(Look.BORDER, canvas.manner.letters))
        draw_news(canvas, (columns + 2, 1, NEWS_BESIDE - 3, hand - 1), news)
    else:
        draw_news(canvas, (1, hand - below, columns - 2, below), news)
    draw_hand(canvas, hand, scene, shown.choosing, shown.hidden)
    text, look = prompt(shown, now)
    canvas.line(canvas.rows - 2, text, look, x=1, size=canvas.columns - 2)


def _draw_title(canvas: Canvas, scene: Scene) -> None:
    """Game and deal; and a small honest sign of what is proved."""
    size, rtl = canvas.columns - SIGN - 3, canvas.right_to_left
    canvas.put(SIGN + 2 if rtl else 1, 0, SEPARATOR.join(banner.title(scene)), Look.TITLE, size=size)
    state, look = proof_sign(scene, canvas.manner.letters)
    canvas.put(1 if rtl else canvas.columns - SIGN - 1, 0, state, look, size=SIGN, align=Align.END)


def proof_sign(scene: Scene, letters: bool = False) -> tuple[str, Look]:
    """What the peer does for fairness just now: shuffling 2/4, proving, checking, or all that came is verified."""
    table = scene.presence
    if scene.watched is not None:
        return t("watch-moment", number=scene.watched[0], moments=scene.watched[1]), Look.DIM
    if table is not None and table.total and table.done < table.total:
        return t("sign-shuffling", done=table.done, total=table.total), Look.WARNING
    if scene.busy:
        return t(f"sign-{scene.busy}", count=scene.verified), Look.DIM
    return f"{sign(Look.VERIFIED, letters)} {tn('sign-verified', scene.verified)}", Look.VERIFIED


def _draw_facts(canvas: Canvas, region: Region, scene: Scene, hidden: bool) -> None:
    """Contract and trumps first, what goes on below; what does not fit any more is left away or ends in ``…``."""
    x, y, columns, rows = region
    lines = joined(canvas, [(text, Look.PROMPT) for text in banner.contract(scene)], columns)
    lines += [(text, (Look.DIM,)) for text in banner.situation(scene, hidden)]
    for row, (text, looks) in enumerate(lines[:rows]):
        canvas.put(x, y + row, text, *looks, size=columns)


def draw_news(canvas: Canvas, region: Region, news: Sequence[News]) -> None:
    """The last lines that fit, folded, the newest at the bottom. Only the newest may be cut, and says so."""
    x, y, columns, rows = region
    left = rows
    for one in reversed(news):
        text = t("event-chat", player=one.author, text=one.text) if one.author else one.text
        look = Look.CHAT if one.author else Look.WARNING if one.important else Look.DIM
        lines = canvas.folded(text, columns)
        if len(lines) > left and left == rows:
            lines = [*lines[: rows - 1], " ".join(lines[rows - 1 :])]
        left -= len(lines)
        if left < 0:
            return
        for row, line in enumerate(lines):
            canvas.put(x, y + left + row, line, look, size=columns)


def prompt(shown: Shown, now: float) -> tuple[str, Look]:
    """What is typed, why something is not possible, what is asked, or who is waited for."""
    choosing, line = shown.choosing, shown.line
    if line is not None:
        return line + "_", Look.PROMPT
    if choosing is None:
        return shown.notice or _waiting(shown, now), Look.DIM
    if choosing.said:
        return choosing.said, Look.WARNING
    if choosing.lifted and shown.hidden:
        return t("prompt-hidden"), Look.PROMPT
    if choosing.lifted and not (choosing.doubling and choosing.in_hand):
        told = choice(parse_action(choosing.lifted), shown.scene.names)
        typed = f"{choosing.typed} → " if choosing.typed else ""
        return t("prompt-lifted", action=typed + told), Look.PROMPT
    if choosing.typed:
        return choosing.typed + "_", Look.PROMPT
    if shown.hidden and choosing.by_card:
        return t("hidden-first"), Look.TURN
    return t("prompt-doubles" if choosing.doubling else "prompt-choose"), Look.TURN


def _waiting(shown: Shown, now: float) -> str:
    """Who is waited for, if it is not the person himself."""
    scene = shown.scene
    if shown.over:
        return t("prompt-over")
    if scene.away:
        return t("prompt-away")
    asked = [seat for seat in scene.view["asked"] if seat != scene.seat]
    missing = [seat for seat in range(scene.seats) if state_of(scene, seat) == "missing"]
    for seat in missing:
        left = seconds_left(scene, seat, now)
        if left is not None:
            return t("prompt-missing", player=player(seat, scene.names), time=clock(left))
    if len(asked) == 1:
        return t("prompt-waiting", player=player(asked[0], scene.names))
    return t("prompt-waiting-all") if asked else ""
