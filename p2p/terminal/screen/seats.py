"""The seats around the table, and the trick where people sit.

The own seat is at the bottom; the next in order of play sits on the right (C-1), then across, then on the left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2p.language.cards import card_short, left_to_right
from p2p.terminal.screen.canvas import Align, Canvas
from p2p.terminal.screen.labels import Label, Told, label
from p2p.terminal.screen.scene import Scene
from p2p.terminal.screen.theme import Look

Region = tuple[int, int, int, int]
"""x, y, columns, rows."""

CARD = (5, 3)
"""Columns and rows of a card on the table."""

SIDE = (19, 28)
"""Columns for what is told of the player on either side: on the smallest screen, and as many as a long name needs."""

ACROSS = 3
OWN = 2
"""Rows kept for the player across and for the own seat."""

SEPARATOR = " · "


@dataclass(frozen=True)
class Place:
    """Where a seat is told of: the corner, the columns, and the first row of the cards between the seats. `card` is the
    corner of its card; `above` says that what is told ends at the last row, `beside` that it stands at a side."""

    x: int
    y: int
    size: int
    align: Align
    card: tuple[int, int]
    beside: bool = False
    above: bool = False


def side(columns: int) -> int:
    """Columns of a label at the side."""
    return min(max(SIDE[0], columns // 4), SIDE[1])


def places(region: Region, seats: int, me: int) -> dict[int, Place]:
    """Where each seat sits in a region. The cards lie in a diamond between the seats."""
    x, y, columns, rows = region
    middle, (wide, high), beside = x + columns // 2, CARD, side(columns)
    top, bottom = y + (ACROSS if seats == 4 else 1), y + rows - 1 - OWN
    level = top + (bottom - top + 1 - high) // 2
    centre = middle - wide // 2
    right = Place(x + columns - beside, level, beside, Align.END, (middle + 4, level), beside=True)
    left = Place(x, level, beside, Align.START, (middle - 3 - wide, level), beside=True)
    across = Place(x + beside, y, columns - 2 * beside, Align.CENTER, (centre, max(top, level - high)))
    below = (centre, min(bottom - high + 1, level + high))
    own = Place(x, y + rows - 1, columns, Align.CENTER, below, above=True)
    around = [own, right, across, left] if seats == 4 else [own, right, left]
    first = max(me, 0)
    return {(first + turn) % seats: place for turn, place in enumerate(around)}


def draw_seats(canvas: Canvas, region: Region, scene: Scene, now: float) -> Region:
    """Everybody's name and what is to be known of them. Returns what is left free between them."""
    x, y, columns, rows = region
    beside = side(columns)
    first, last = y + 1, y + rows - 2
    for seat, place in places(region, scene.seats, scene.seat).items():
        one = label(scene, seat, now, canvas.manner.letters)
        lines = [(one.name, one.look), *packed(canvas, one, place.size)]
        lines = lines[: rows - OWN - 1] if place.beside else lines[: OWN if place.above else ACROSS]
        if place.above:
            lines = own_lines(canvas, one, place.size)
            top = place.y + 1 - len(lines)
            last = top - 1
        elif place.beside:
            top = max(y, min(place.y, y + rows - OWN - 1 - len(lines)))
        else:
            top = place.y
            first = top + len(lines)
        align = _physical(canvas, place.align)
        for row, (text, looks) in enumerate(lines):
            canvas.put(place.x, top + row, text, *looks, size=place.size, align=align)
    return x + beside + 1, first, columns - 2 * beside - 2, last - first + 1


def packed(canvas: Canvas, told: Label, size: int) -> list[tuple[str, tuple[Look, ...]]]:
    """What is told after the name, as many parts on a line as fit; an open hand last, suits likewise."""
    hand = joined(canvas, [(one, Look.DIM) for one in told.hand], size, " ")
    return [*joined(canvas, told.parts, size), *((left_to_right(text), looks) for text, looks in hand)]


def own_lines(canvas: Canvas, told: Label, size: int) -> list[tuple[str, tuple[Look, ...]]]:
    """The own label: on one line with the name where it fits, on a second otherwise."""
    whole = SEPARATOR.join([told.name, *(text for text, _ in told.parts)])
    if canvas.measure(whole) <= size:
        return [(whole, told.look)]
    return [(told.name, told.look), *joined(canvas, told.parts, size)[: OWN - 1]]


def joined(
    canvas: Canvas, parts: Sequence[Told], size: int, between: str = SEPARATOR
) -> list[tuple[str, tuple[Look, ...]]]:
    """Parts in as few lines as their order allows; a line warns when one of its parts does."""
    lines: list[tuple[str, tuple[Look, ...]]] = []
    for text, look in parts:
        joined = f"{lines[-1][0]}{between}{text}" if lines else ""
        if joined and canvas.measure(joined) <= size and lines[-1][1] == (look,):
            lines[-1] = (joined, (look,))
        else:
            lines.append((text, (look,)))
    return lines


def _physical(canvas: Canvas, align: Align) -> Align:
    """Where people sit does not depend on the language: a line that starts at the right must be turned."""
    turned = {Align.START: Align.END, Align.END: Align.START}
    return turned.get(align, align) if canvas.right_to_left else align


def draw_trick(canvas: Canvas, region: Region, scene: Scene) -> None:
    """The cards on the table, each in front of who played it."""
    where = places(region, scene.seats, scene.seat)
    for seat, card in scene.trick:
        x, y = where[seat].card
        draw_card(canvas, x, y, card, *((Look.WINNER,) if seat == scene.winner else ()))


def draw_card(canvas: Canvas, x: int, y: int, card: str, *looks: Look) -> None:
    """One card with a frame: five columns, three rows."""
    wide, high = CARD
    plain = canvas.manner.letters
    across, down, corners = ("-", "|", "++++") if plain else ("─", "│", "╭╮╰╯")
    frame = looks or (Look.DIM,)
    canvas.put_ltr(x, y, corners[0] + across * (wide - 2) + corners[1], *frame)
    canvas.put_ltr(x, y + 1, down, *frame)
    canvas.put_ltr(x + wide - 1, y + 1, down, *frame)
    canvas.put_ltr(x, y + high - 1, corners[2] + across * (wide - 2) + corners[3], *frame)
    canvas.put_ltr(x + 1, y + 1, card_short(card), *looks, size=wide - 2, align=Align.END)
