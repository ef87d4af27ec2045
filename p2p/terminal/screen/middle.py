"""The middle of the table: what is chosen from, the rows of Trix, the kitty, the shuffle, the points of a deal."""

from __future__ import annotations

from collections.abc import Sequence

from engine.actions import parse_action
from engine.cards import RANKS
from p2p.language import digits, t
from p2p.language.cards import SUIT_SYMBOLS, card_short
from p2p.terminal import facts
from p2p.terminal.facts import View
from p2p.terminal.screen.canvas import Align, Canvas
from p2p.terminal.screen.choosing import ESTIMATES, SUITS_SHOWN, Choosing
from p2p.terminal.screen.scene import Scene
from p2p.terminal.screen.seats import CARD, Region, draw_card, draw_trick
from p2p.terminal.screen.theme import Look, sign
from p2p.terminal.words import choice, player, signed

CELL = 3
"""Columns of a bid or an estimate with its cursor; the highest has two figures."""

STRAIN = 6
"""Columns before a row of bids, for its suit or the short word for no trump."""

TITLED = ("bid", "contract", "dash", "double", "estimate", "game", "trump", "void")
"""What is asked in a word above the choices, by the verb of one of them."""


def draw_middle(
    canvas: Canvas, region: Region, free: Region, scene: Scene, choosing: Choosing | None, hidden: bool = False
) -> None:
    """What lies in the middle. `region` is the whole table, `free` what the seats leave of it. While the hand is
    `hidden`, nothing there tells of it."""
    view = scene.view
    if hidden and choosing is not None and choosing.doubling:
        return
    trix = view.get("contract") == "trix" and view["phase"] == "play"
    beside = choosing is not None and not choosing.doubling and (bool(choosing.by_card) or trix)
    if choosing is not None and choosing.choices and not beside:
        draw_choices(canvas, free, scene, choosing)
    elif scene.scored is not None:
        draw_points(canvas, free, scene)
    elif trix:
        draw_rows(canvas, free, view, hidden)
    elif scene.trick:
        draw_trick(canvas, region, scene)
    elif view.get("kitty") and view["phase"] in ("discard", "kitty"):
        draw_kitty(canvas, free, view)
    elif not any(view["counts"]):
        draw_shuffle(canvas, free, scene)
    if choosing is not None and beside:
        draw_beside(canvas, region, free, scene, choosing)


# ---- choices ------------------------------------------------------------------------------------------------------


def draw_choices(canvas: Canvas, region: Region, scene: Scene, choosing: Choosing) -> None:
    """A title, then the choices: bids and estimates as a grid, others one a row in a column. What does not fit scrolls
    with the cursor, and a sign says so."""
    x, y, columns, rows = region
    laid = choosing.rows
    title, note = _title(choosing), _note(choosing, scene.view)
    whole, added = len(laid) + bool(title), len(canvas.folded(note, columns)) + 1 if note else 0
    if whole + added > rows:
        added = 0
    top = y + max(0, (rows - whole - added) // 2)
    if title:
        canvas.put(x, top, title, Look.PROMPT, size=columns, align=Align.CENTER)
        top, rows = top + 1, rows - 1
    at = next((row for row, texts in enumerate(laid) if choosing.choice in texts), 0)
    shown = min(rows, len(laid))
    first = max(0, min(at - shown + 1 + (at + 1 < len(laid)), len(laid) - shown))
    size = max((canvas.measure(_told(texts[0], scene)) for texts in laid if not _gridded(texts[0])), default=0) + 2
    for row, texts in enumerate(laid[first : first + shown]):
        if _gridded(texts[0]):
            _draw_grid_row(canvas, (x, top + row, columns, 1), texts, laid, choosing)
        else:
            left = x + max(0, (columns - size) // 2)
            _draw_choice(canvas, (left, top + row, min(size, columns), 1), texts[0], scene, choosing)
    if first > 0:
        canvas.put(x + columns - 1, top, "^" if canvas.manner.letters else "▴", Look.KEY)
    if first + shown < len(laid):
        canvas.put(x + columns - 1, top + shown - 1, "v" if canvas.manner.letters else "▾", Look.KEY)
    if added:
        canvas.paragraph(x, top + shown + 1, columns, note, Look.DIM)


def _title(choosing: Choosing) -> str:
    verbs = {action.verb for action in choosing.actions.values()}
    verb = next((one for one in TITLED if one in verbs), "")
    return t(f"choose-{verb}") if verb else ""


def _note(choosing: Choosing, view: View) -> str:
    """What helps to choose: the rule of the game under the cursor; which estimate is With."""
    action = parse_action(choosing.choice) if choosing.choice else None
    if action is not None and action.verb == "game":
        return t(f"contract-{action.word}-rule")
    return dict(facts.facts(view)).get("with", "") if view["phase"] == "estimate" else ""


def _gridded(text: str) -> bool:
    return parse_action(text).verb in ("bid", "estimate")


def _told(text: str, scene: Scene) -> str:
    action = parse_action(text)
    bidding = action.verb == "pass" and scene.view["game"] == "estimation"
    return t("action-bid-pass") if bidding else choice(action, scene.names)


def _draw_grid_row(
    canvas: Canvas, region: Region, texts: Sequence[str], laid: Sequence[Sequence[str]], choosing: Choosing
) -> None:
    """A row of bids in one strain, or of estimates: a number always stands in its own column."""
    x, y, columns, _ = region
    action = parse_action(texts[0])
    gridded = [parse_action(text).number for row in laid for text in row if _gridded(text)]
    bidding = action.verb == "bid"
    lowest, before = (min(gridded), STRAIN) if bidding else (action.number // ESTIMATES * ESTIMATES, 0)
    most = max(gridded) - lowest + 1 if bidding else min(ESTIMATES, max(gridded) + 1)
    left = x + max(0, (columns - before - most * CELL) // 2)
    if bidding:
        strain = t("no-trump-short") if action.word == "NT" else SUIT_SYMBOLS[action.word]
        canvas.put_ltr(left, y, strain)
    for text in texts:
        number = parse_action(text).number
        place = left + before + (number - lowest) * CELL
        here = text == choosing.choice and not choosing.in_hand
        shown = _cursor(canvas, here, False) + digits(number).rjust(CELL - 1)
        canvas.put_ltr(place, y, shown, *_looks(text, here, choosing), size=CELL)
        canvas.target(place, y, CELL, f"choice:{text}")


def _draw_choice(canvas: Canvas, region: Region, text: str, scene: Scene, choosing: Choosing) -> None:
    """A choice in words."""
    x, y, columns, _ = region
    here = text == choosing.choice and not choosing.in_hand
    told = f"{_cursor(canvas, here, canvas.right_to_left)} {_told(text, scene)}"
    canvas.put(x, y, told, *_looks(text, here, choosing), size=columns)
    canvas.target(x, y, columns, f"choice:{text}")


def _cursor(canvas: Canvas, here: bool, to_the_left: bool) -> str:
    """The sign before what the cursor is on: it points at what follows."""
    if not here:
        return " "
    return ("<" if to_the_left else ">") if canvas.manner.letters else "◂" if to_the_left else "▸"


def _looks(text: str, here: bool, choosing: Choosing) -> tuple[Look, ...]:
    return (Look.CHOSEN,) if text == choosing.lifted and here else (Look.LEGAL,) if here else ()


def draw_beside(canvas: Canvas, region: Region, free: Region, scene: Scene, choosing: Choosing) -> None:
    """What can be chosen instead of a card (claim the rest, exchange no more, pass in Trix): in the corner by the own
    card, where it covers nothing."""
    (x, _, columns, _), (_, top, _, rows) = region, free
    wide = columns // 2 - CARD[0] // 2 - 2
    left = x + columns - wide if canvas.right_to_left else x
    for row, text in enumerate(reversed(choosing.choices)):
        _draw_choice(canvas, (left, top + rows - 1 - row, wide, 1), text, scene, choosing)


# ---- what lies there ------------------------------------------------------------------------------------------------


def draw_rows(canvas: Canvas, region: Region, view: View, hidden: bool) -> None:
    """Trix: a line a suit, from the ace down to the two. What lies is bright, what does not is a dot; the own cards
    that fit now stand at their places with a sign before them."""
    x, y, columns, rows = region
    step = 3 if columns >= 2 + 13 * 3 + 1 else 2
    top = y + max(0, (rows - len(SUITS_SHOWN)) // 2)
    left = x + max(0, (columns - 2 - 13 * step - 1) // 2)
    fitting = {action.split()[1] for action in view["legal"] if action.startswith("play ") and not hidden}
    for row, suit in enumerate(SUITS_SHOWN):
        ends = view["rows"][suit]
        lying = range(RANKS.index(ends[0][0]), RANKS.index(ends[-1][0]) + 1) if ends else range(0)
        canvas.put_ltr(left, top + row, SUIT_SYMBOLS[suit])
        at = left + 2
        for rank in reversed(range(len(RANKS))):
            card = RANKS[rank] + suit
            fits = card in fitting
            shown = digits("10" if RANKS[rank] == "T" else RANKS[rank]) if fits or rank in lying else "·"
            if fits:
                canvas.put_ltr(at, top + row, ">" if canvas.manner.letters else "▸", Look.KEY)
                canvas.target(at, top + row, 1 + len(shown), f"card:{card}")
            canvas.put_ltr(at + 1, top + row, shown, Look.LEGAL if fits else Look.PROMPT if rank in lying else Look.DIM)
            at += step + (RANKS[rank] == "T" and step == 2)


def draw_kitty(canvas: Canvas, region: Region, view: View) -> None:
    """The cards of the kitty, open for everybody."""
    x, y, columns, rows = region
    wide, high = CARD
    kitty = view["kitty"]
    top = y + max(0, (rows - high - 1) // 2)
    canvas.put(x, top, t("middle-kitty"), Look.PROMPT, size=columns, align=Align.CENTER)
    left = x + (columns - len(kitty) * (wide + 1) + 1) // 2
    for place, card in enumerate(kitty):
        draw_card(canvas, left + place * (wide + 1), top + 1, card)


def draw_shuffle(canvas: Canvas, region: Region, scene: Scene) -> None:
    """While nobody holds cards: how far the shuffle is, and why it takes everybody."""
    x, y, columns, rows = region
    table = scene.presence
    if table is None or not table.total:
        return
    top = y + max(0, (rows - 4) // 2)
    told = t("sign-shuffling", done=table.done, total=table.total)
    canvas.put(x, top, told, Look.PROMPT, size=columns, align=Align.CENTER)
    done, left = ("#", "-") if canvas.manner.letters else ("█", "░")
    bar = done * table.done * 4 + left * (table.total - table.done) * 4
    canvas.put_ltr(x, top + 1, bar[:columns], size=columns, align=Align.CENTER)
    note = t("middle-shuffle")
    if top + 3 + len(canvas.folded(note, columns)) <= y + rows:
        canvas.paragraph(x, top + 3, columns, note, Look.DIM)


def draw_points(canvas: Canvas, region: Region, scene: Scene) -> None:
    """The points of the deal that was just played, and the totals."""
    x, y, columns, rows = region
    result = scene.scored
    assert result is not None
    seats = len(result.points)
    top = y + max(0, (rows - seats - 3) // 2)
    title = t("points-title", deal=result.deal)
    if result.multiplier > 1:
        title += f" · {t('banner-times', multiplier=result.multiplier)}"
    canvas.put(x, top, title, Look.PROMPT, size=columns, align=Align.CENTER)
    figures = max(8, *(canvas.measure(t(one)) + 1 for one in ("points-deal", "points-total")))
    name = min(columns - 2 * figures, 26)
    left = x + (columns - name - 2 * figures) // 2
    rtl = canvas.right_to_left
    spots = (left + 2 * figures, left + figures, left) if rtl else (left, left + name, left + name + figures)
    for at, told in zip(spots[1:], ("points-deal", "points-total"), strict=True):
        canvas.put(at, top + 1, t(told), Look.DIM, size=figures, align=Align.START if rtl else Align.END)
    best = max(result.points) if len(set(result.points)) > 1 else None
    for seat, points in enumerate(result.points):
        row, looks = top + 2 + seat, (Look.WINNER,) if points == best else ()
        mark = sign(Look.WINNER, canvas.manner.letters) if looks else " "
        canvas.put(spots[0], row, f"{mark} {player(seat, scene.names)}", *looks, size=name)
        canvas.put_ltr(spots[1], row, signed(points), *looks, size=figures, align=Align.END)
        canvas.put_ltr(spots[2], row, signed(result.totals[seat]), size=figures, align=Align.END)
    if scene.trick:
        lying = "  ".join(card_short(card) for _, card in scene.trick)
        canvas.put_ltr(x, top + 3 + seats, lying, Look.DIM, size=columns, align=Align.CENTER)
