"""The seats around the table, and the trick where people sit.

The own seat is at the bottom; the next in order of play sits on the right (C-1), then across, then on the left.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from p2p.language import clean_text, t
from p2p.language.cards import NAME_LENGTH, card_short, seat_name
from p2p.terminal.screen.canvas import Align, Canvas
from p2p.terminal.screen.scene import Scene
from p2p.terminal.screen.theme import Look, sign
from p2p.terminal.words import signed

CARD = (5, 3)
"""Columns and rows of a card on the table."""

SIDE = 19
"""Columns for what is told of the player on either side."""


@dataclass(frozen=True)
class Place:
    """Where a seat is: the corner of its label, how that is aligned, and the corner of its card."""

    x: int
    y: int
    size: int
    align: Align
    card: tuple[int, int]


def places(region: tuple[int, int, int, int], seats: int, me: int) -> dict[int, Place]:
    """Where each seat sits in a region (x, y, columns, rows)."""
    x, y, columns, rows = region
    middle, wide, high = x + columns // 2, *CARD
    level = y + (rows - 1) // 2 - 1
    right = Place(x + columns - SIDE, level, SIDE, Align.END, (middle + 5, level))
    left = Place(x, level, SIDE, Align.START, (middle - 5 - wide, level))
    centre = middle - wide // 2 - 1
    across = Place(x + SIDE, y, columns - 2 * SIDE, Align.CENTER, (centre, max(y + 1, level - high + 1)))
    below = (centre, min(y + rows - 1 - high, level + high - 1))
    own = Place(x, y + rows - 1, columns, Align.CENTER, below)
    around = [own, right, across, left] if seats == 4 else [own, right, left]
    first = max(me, 0)
    return {(first + turn) % seats: place for turn, place in enumerate(around)}


def draw_seats(canvas: Canvas, region: tuple[int, int, int, int], scene: Scene, now: float) -> None:
    """Everybody's name and state."""
    for seat, place in places(region, scene.seats, scene.seat).items():
        first, second, look = _label(canvas, scene, seat, now)
        # In a right-to-left language a line starts at the right; these two stand where people sit, in every language.
        align = place.align if not canvas.right_to_left else _mirrored(place.align)
        if place.align is Align.CENTER:
            canvas.put(place.x, place.y, f"{first}  {second}".rstrip(), *look, size=place.size, align=align)
        else:
            canvas.put(place.x, place.y, first, *look, size=place.size, align=align)
            canvas.paragraph(place.x, place.y + 1, place.size, second, Look.DIM, most=2)


def _mirrored(align: Align) -> Align:
    return {Align.START: Align.END, Align.END: Align.START}.get(align, align)


def _label(canvas: Canvas, scene: Scene, seat: int, now: float) -> tuple[str, str, tuple[Look, ...]]:
    """Name with signs; what is to be known of the seat; and how it looks."""
    turn = seat in scene.view["asked"]
    state = state_of(scene, seat)
    name = seat_name(seat, clean_text(scene.names[seat], NAME_LENGTH))
    if seat == scene.seat:
        name = t("seat-own", name=name)
    marks = sign(Look.TURN, canvas.manner.letters) if turn else ""
    look = (Look.TURN,) if turn else (Look.AWAY,) if state not in ("", "here") else ()
    told = [_tricks(scene, seat), signed(scene.view["totals"][seat])]
    roles = [t(f"seat-role-{role}") for role in ("owner", "declarer", "caller") if scene.view.get(role, -1) == seat]
    if scene.view["dealer"] == seat:
        roles.append(t("seat-role-dealer"))
    if state not in ("", "here"):
        told.insert(0, t(f"state-{state}"))
    left = seconds_left(scene, seat, now)
    if left is not None:
        told.insert(0, clock(left))
    return f"{marks} {name}".strip(), " · ".join(part for part in (*told, *roles) if part), look


def state_of(scene: Scene, seat: int) -> str:
    """``here``, ``away``, ``missing``, ``stand-in``; empty where nobody knows."""
    if scene.away and seat == scene.seat:
        return "away"
    if scene.presence is None or seat >= len(scene.presence.presence):
        return ""
    return scene.presence.presence[seat].state


def seconds_left(scene: Scene, seat: int, now: float) -> float | None:
    """How long the table waits for a seat, where somebody counts: the own clock, or one that is missing."""
    if scene.question is not None and seat == scene.seat and scene.question.until < math.inf:
        return max(0.0, scene.question.until - now)
    if scene.presence is not None and state_of(scene, seat) == "missing":
        for waiting in scene.presence.waiting:
            if waiting.seat == seat:
                return max(0.0, waiting.seconds - (now - scene.at))
    return None


def clock(seconds: float) -> str:
    """``4:32``."""
    whole = math.ceil(seconds)
    return f"{whole // 60}:{whole % 60:02d}"


def _tricks(scene: Scene, seat: int) -> str:
    """Tricks won, of how many: ``3/5``."""
    view = scene.view
    won = view["tricks"] if view["tricks"] and isinstance(view["tricks"][0], int) else view.get("taken", ())
    if view["phase"] != "play" or not won or not isinstance(won[seat], int) or view.get("contract") == "trix":
        return ""
    goals = view.get("goals") or view.get("estimates") or ()
    return f"{won[seat]}/{goals[seat]}" if goals and goals[seat] >= 0 else str(won[seat])


def draw_trick(canvas: Canvas, region: tuple[int, int, int, int], scene: Scene) -> None:
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
    canvas.put(x, y, corners[0] + across * (wide - 2) + corners[1], *frame)
    canvas.put(x, y + 1, down, *frame)
    canvas.put(x + wide - 1, y + 1, down, *frame)
    canvas.put(x, y + high - 1, corners[2] + across * (wide - 2) + corners[3], *frame)
    canvas.put(x + 1, y + 1, card_short(card).rjust(3), *looks)
