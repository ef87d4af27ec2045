"""The own hand: legal cards raised, others low and dim, the lifted one highest, the cursor below."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from p2p.language import t, tn
from p2p.language.cards import card_short
from p2p.terminal.screen.canvas import Canvas
from p2p.terminal.screen.choosing import Choosing, hand_order
from p2p.terminal.screen.scene import Scene
from p2p.terminal.screen.theme import Look, sign

ROWS = 4
"""Lifted, legal, not legal, and the row of marks."""


def draw_hand(canvas: Canvas, y: int, scene: Scene, choosing: Choosing | None, hidden: bool) -> None:
    """The hand on `ROWS` rows from `y` on."""
    opened = scene.hands[max(scene.seat, 0)] if scene.hands else ()
    hand = hand_order(scene.view["hand"] or opened)
    if hidden and hand:
        canvas.line(y + 1, t("hand-hidden", cards=tn("cards-counted", len(hand))), Look.DIM, x=1)
        return
    shown = [card_short(card) for card in hand]
    for at, (x, card) in enumerate(zip(_columns(canvas, hand, shown), hand, strict=True)):
        row, looks = _row_of(card, at, choosing)
        new = card in scene.view["new"]
        canvas.put_ltr(x, y + row, shown[at], *looks, *((Look.NEW,) if new else ()))
        canvas.target(x, y, canvas.measure(shown[at]) + 1, f"card:{card}", ROWS)
        here = choosing is not None and choosing.in_hand and at == choosing.at_card
        if here:
            canvas.put_ltr(x, y + 3, "^" if canvas.manner.letters else "▲", Look.KEY)
        if new:
            canvas.put_ltr(x + here, y + 3, sign(Look.NEW, canvas.manner.letters), Look.KEY)


def _columns(canvas: Canvas, hand: Sequence[str], shown: Sequence[str]) -> list[int]:
    """Where each card begins: a gap between suits, two if there is room; the whole in the middle."""
    sizes = [canvas.measure(text) for text in shown]
    breaks = sum(1 for one, other in pairwise(hand) if one[1] != other[1])
    room = canvas.columns - 2 - sum(sizes) - max(0, len(hand) - 1)
    gap = between = 2 if room >= 2 * breaks + len(hand) else 1
    total = sum(sizes) + between * max(0, len(hand) - 1) + gap * breaks
    x, found = max(1, (canvas.columns - total) // 2), []
    for at, size in enumerate(sizes):
        if at and hand[at][1] != hand[at - 1][1]:
            x += gap
        found.append(x)
        x += size + between
    return found


def _row_of(card: str, at: int, choosing: Choosing | None) -> tuple[int, tuple[Look, ...]]:
    if choosing is None or not choosing.by_card:
        return 1, ()
    here = choosing.in_hand and at == choosing.at_card
    if card in choosing.marked or (choosing.lifted and choosing.lifted in choosing.by_card.get(card, ())):
        return 0, (Look.CHOSEN,)
    if card in choosing.by_card:
        return 1, (Look.LEGAL, Look.CHOSEN) if here and not choosing.lifted else (Look.LEGAL,)
    return 2, (Look.BARRED,)
