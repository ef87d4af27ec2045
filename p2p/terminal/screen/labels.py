"""What is told of a player beside the table: name and signs, what he said or must reach, what he took, his total.

Pure: a scene in, a `Label` out. `seats` finds the place for it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from engine.actions import parse_action
from engine.cards import name_list, parse_card
from engine.games.kasra.scoring import DOUBLABLE
from engine.tricks import winning
from p2p.language import digits, t
from p2p.language.cards import card_short, left_to_right
from p2p.terminal.facts import HAND_AFTER_KITTY, LAST_TWO, View, estimation_roles, said
from p2p.terminal.screen.choosing import SUITS_SHOWN, hand_order
from p2p.terminal.screen.scene import Scene
from p2p.terminal.screen.theme import Look, sign
from p2p.terminal.standing import clock
from p2p.terminal.words import cards, player, signed

HURRY = 10
"""Seconds left from which on a clock is shown as a warning."""

_SINGLE = frozenset(name_list(DOUBLABLE))

Told = tuple[str, Look]
State = Literal["", "here", "away", "missing", "stand-in", "free"]


@dataclass(frozen=True)
class Label:
    """`parts` are told after the name, the most important first; `hand` is an open hand, a suit each."""

    name: str
    look: tuple[Look, ...]
    parts: tuple[Told, ...]
    hand: tuple[str, ...] = ()


def label(scene: Scene, seat: int, now: float, letters: bool = False) -> Label:
    """Everything to be told of a seat at this moment."""
    view = scene.view
    name, state = player(seat, scene.names), state_of(scene, seat)
    if seat == scene.seat and scene.watched is None:
        name = t("seat-own", name=name)
    looks: tuple[Look, ...] = ()
    if seat in view.get("winners", ()):
        name, looks = f"{sign(Look.WINNER, letters)} {name}", (Look.WINNER,)
    elif seat in view["asked"]:
        name, looks = f"{sign(Look.TURN, letters)} {name}", (Look.TURN,)
    elif state not in ("", "here"):
        name, looks = f"{sign(Look.AWAY, letters)} {name}", (Look.AWAY,)
    return Label(name, looks, tuple(_parts(scene, seat, now)), _open_hand(scene, seat))


def _parts(scene: Scene, seat: int, now: float) -> Iterator[Told]:
    state, left = state_of(scene, seat), seconds_left(scene, seat, now)
    gone = state not in ("", "here")
    if gone:
        yield t(f"state-{state}"), Look.WARNING
    if left is not None:
        yield clock(left), Look.WARNING if gone or left <= HURRY else Look.DIM
    for told in (*_deal(scene.view, seat), t("label-total", points=signed(scene.view["totals"][seat]))):
        yield told, Look.DIM
    for told in _roles(scene, seat):
        yield told, Look.DIM


# ---- who is there -------------------------------------------------------------------------------------------------


def state_of(scene: Scene, seat: int) -> State:
    """Whether somebody is there; empty where nobody knows."""
    if scene.view.get("winners"):
        return ""  # the game is over, and everybody leaves when he likes
    if scene.away and seat == scene.seat:
        return "away"
    state = scene.presence.presence[seat].state if scene.presence and seat < len(scene.presence.presence) else ""
    return state if state in ("here", "away", "missing", "stand-in", "free") else ""  # type: ignore[return-value]


def is_bot(scene: Scene, seat: int) -> bool:
    """Whether a program plays there."""
    return bool(scene.presence and seat < len(scene.presence.presence) and scene.presence.presence[seat].bot_of >= 0)


def seconds_left(scene: Scene, seat: int, now: float) -> float | None:
    """How long the table waits for a seat: the own clock, or how long until a stand-in may play for somebody else. None
    where nobody counts; a bot that is there needs no clock."""
    if scene.question is not None and seat == scene.seat and scene.question.until < math.inf:
        return max(0.0, scene.question.until - now)
    if scene.presence is None or seat == scene.seat:
        return None
    missing = state_of(scene, seat) == "missing"
    if not missing and (is_bot(scene, seat) or seat not in scene.view["asked"]):
        return None
    waits = (one.seconds for one in scene.presence.waiting if one.seat == seat)
    return next((max(0.0, seconds - (now - scene.at)) for seconds in waits), None)


# ---- what he said, must reach and took ------------------------------------------------------------------------------


def _deal(view: View, seat: int) -> Iterator[str]:
    """What is to be told of a seat in this deal, by game."""
    match view["game"]:
        case "kasra":
            yield from _kasra(view, seat)
        case "estimation":
            yield from _estimation(view, seat)
        case _:
            yield from _kitty(view, seat)


def _kasra(view: View, seat: int) -> Iterator[str]:
    contract = view["contract"]
    if view["phase"] == "play" and contract == "trix":
        yield from _trix(view, seat)
    elif view["phase"] == "play":
        yield t("label-tricks", tricks=view["tricks"][seat])
    if contract == "ltooshain" and _took_first_of_two(view) == seat:
        yield t("label-first-of-two")
    if contract == "complex" and view["taken"][seat] and (took := _penalties(view["taken"][seat])):
        yield t("label-took", cards=took)
    if view["doubled"][seat]:
        yield t("label-doubled", cards=cards(view["doubled"][seat]))


def _trix(view: View, seat: int) -> Iterator[str]:
    if seat in view["out"]:
        yield t("label-out", place=view["out"].index(seat) + 1)
    else:
        yield t("label-cards", count=view["counts"][seat])


def _took_first_of_two(view: View) -> int:
    """Who took the last trick but one, while the last is being played; -1 otherwise."""
    if sum(view["tricks"]) != LAST_TWO or not view["last_trick"]:
        return -1
    return winning(tuple((seat, parse_card(card)) for seat, card in view["last_trick"]), None)[0]


def _penalties(taken: list[str]) -> str:
    """``K♥ Q♠ Q♦ ♦×4``: the king and the queens one by one, diamonds (the queen among them) by their number."""
    single = [card for card in hand_order(taken) if card in _SINGLE]
    diamonds = sum(card[1] == "D" for card in taken)
    told = [*map(card_short, single), *([f"♦×{digits(diamonds)}"] if diamonds else [])]
    return left_to_right(" ".join(told)) if told else ""


def _estimation(view: View, seat: int) -> Iterator[str]:
    number = view["estimates"][seat]
    match view["phase"]:
        case "dash" | "bid":
            calls = [parse_action(text) for by, text in view["auction"] if by == seat]
            if calls:
                yield said(calls[-1], view["names"])
        case "estimate" if number >= 0 and seat != view["caller"] and seat not in view["dashes"]:
            yield t("label-estimate", number=number)
        case "play":
            yield _of(view["tricks"][seat], number)


def _kitty(view: View, seat: int) -> Iterator[str]:
    limits = view.get("contract") == "none"
    goal = view["goals"][seat] if view["goals"] else None
    if view["phase"] in ("play", "audit") and goal is not None:
        taken = view["taken"][seat]
        yield t("label-tricks-limit", tricks=taken, goal=goal) if limits else _of(taken, goal)
    elif goal is not None:
        yield t("label-limit" if limits else "label-goal", goal=goal)
    if view["phase"] == "exchange":
        exchange = view["exchange"]
        if exchange["owing"] == seat:
            yield t("label-owes")
        elif exchange["may_give"][seat]:
            yield t("label-gives", count=exchange["may_give"][seat])
        elif exchange["may_get"][seat]:
            yield t("label-gets", count=exchange["may_get"][seat])
    if view["phase"] == "discard" and view["counts"][seat] > HAND_AFTER_KITTY:
        yield t("label-aside", count=view["counts"][seat] - HAND_AFTER_KITTY)


def _of(taken: int, wanted: int) -> str:
    return t("label-tricks", tricks=left_to_right(digits(f"{taken}/{wanted}")))


def _roles(scene: Scene, seat: int) -> Iterator[str]:
    view = scene.view
    for role in ("owner", "declarer"):
        if view.get(role, -1) == seat:
            yield t(f"seat-role-{role}")
    if view["game"] == "estimation" and view["phase"] in ("estimate", "play"):
        yield from estimation_roles(view, seat)
    if view["game"] == "estimation" and view["declarations"][seat] == "void play":
        yield t("label-void")
    if view["dealer"] == seat:
        yield t("seat-role-dealer")
    if is_bot(scene, seat):
        yield t("label-bot")


def _open_hand(scene: Scene, seat: int) -> tuple[str, ...]:
    """The hand of a seat where all hands are open, but the own one: ``♠AKJ``, ``♥5``, …"""
    if seat >= len(scene.hands) or seat == max(scene.seat, 0):
        return ()
    held = hand_order(scene.hands[seat])
    suits = ([card_short(card) for card in held if card[1] == suit] for suit in SUITS_SHOWN)
    return tuple(_suit(suit) for suit in suits if suit)


def _suit(shown: list[str]) -> str:
    """Cards of one suit with its symbol once, before them."""
    at = next(place for place, letter in enumerate(shown[0]) if letter in "♠♥♦♣")
    return shown[0][at:] + "".join(card[: card.index(shown[0][at])] for card in shown)
