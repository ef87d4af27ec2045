"""The middle of the table: what is chosen from, the rows of Trix, the kitty, the points of a deal."""

from __future__ import annotations

from engine.actions import parse_action
from engine.cards import RANKS
from p2p.language import t
from p2p.language.cards import SUIT_SYMBOLS, card_short, cards_short, left_to_right
from p2p.terminal.screen.canvas import Align, Canvas
from p2p.terminal.screen.choosing import Choosing
from p2p.terminal.screen.scene import Scene
from p2p.terminal.screen.seats import SIDE
from p2p.terminal.screen.theme import Look
from p2p.terminal.words import choice, player, signed

Region = tuple[int, int, int, int]


def draw_middle(canvas: Canvas, region: Region, scene: Scene, choosing: Choosing | None) -> bool:
    """What the middle shows instead of a trick, if anything. Returns whether it did."""
    x, y, columns, rows = region
    inner = (x + SIDE + 1, y + 1, columns - 2 * SIDE - 2, rows - 2)
    if choosing is not None and choosing.choices:
        draw_choices(canvas, inner, scene, choosing)
        return True
    if scene.scored is not None and not scene.trick:
        draw_points(canvas, inner, scene)
        return True
    if scene.view.get("contract") == "trix" and scene.view["phase"] == "play":
        draw_rows(canvas, inner, scene)
        return True
    if scene.view.get("kitty") and scene.view["phase"] in ("discard", "kitty"):
        told = t("event-kitty", cards=left_to_right(cards_short(scene.view["kitty"])))
        canvas.put(inner[0], y + rows // 2, told, size=inner[2], align=Align.CENTER)
        return True
    return False


def draw_choices(canvas: Canvas, region: Region, scene: Scene, choosing: Choosing) -> None:
    """The choices in rows: short where a row is of one kind, in words otherwise. Those that do not fit scroll."""
    x, y, columns, rows = region
    laid = choosing.rows
    at = next((row for row, texts in enumerate(laid) if choosing.choice in texts), 0)
    first = max(0, min(at - rows + 2, len(laid) - rows))
    for row, texts in enumerate(laid[first : first + rows]):
        short = len(texts) > 1 or parse_action(texts[0]).verb in ("bid", "estimate")
        size = 5 if short else columns
        for column, text in enumerate(texts):
            here = text == choosing.choice and not choosing.in_hand
            looks = (Look.CHOSEN,) if text == choosing.lifted else (Look.LEGAL,) if here else ()
            told = _short(text) if short else choice(parse_action(text), scene.names)
            cursor = (">" if canvas.manner.letters else "▸") if here else " "
            place = x + column * size
            if short:
                canvas.put(place, y + row, cursor + told, *looks, size=size)
            else:
                canvas.put(place, y + row, f"{cursor} {told}", *looks, size=size, align=Align.CENTER)
            canvas.target(place, y + row, size, f"choice:{text}")


def _short(text: str) -> str:
    """A bid or an estimate in at most four cells."""
    action = parse_action(text)
    if action.verb == "estimate":
        return str(action.number)
    word = {"NT": "NT"}.get(action.word, SUIT_SYMBOLS.get(action.word, action.word))
    return f"{action.number}{word}"


def draw_rows(canvas: Canvas, region: Region, scene: Scene) -> None:
    """Trix: a line a suit, from the ace down to the two; what lies is bright, what does not is a dot."""
    x, y, columns, rows = region
    top = y + max(0, (rows - 4) // 2)
    width = 3 + 13 * 3
    left = x + max(0, (columns - width) // 2)
    for row, suit in enumerate("SHCD"):
        ends = scene.view["rows"][suit]
        lying = range(RANKS.index(ends[0][0]), RANKS.index(ends[-1][0]) + 1) if ends else range(0)
        canvas.put(left, top + row, SUIT_SYMBOLS[suit])
        for place, rank in enumerate(reversed(range(13))):
            shown = card_short(RANKS[rank] + suit)[:-1]
            looks = (Look.PROMPT,) if rank in lying else (Look.DIM,)
            canvas.put(left + 3 + place * 3, top + row, shown if rank in lying else "·", *looks)


def draw_points(canvas: Canvas, region: Region, scene: Scene) -> None:
    """The points of the deal that was just played."""
    x, y, columns, _ = region
    result = scene.scored
    assert result is not None
    canvas.put(x, y, t("points-title", deal=result.deal), Look.PROMPT, size=columns, align=Align.CENTER)
    for seat, points in enumerate(result.points):
        told = f"{player(seat, scene.names)}  {signed(points)}  = {signed(result.totals[seat])}"
        canvas.put(x, y + 2 + seat, told, size=columns, align=Align.CENTER)
