"""Hints as a person reads them: what `sharp` would do, what it expects of everything that may be done, and how sure it
is. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import isinf
from typing import TYPE_CHECKING, Final

from engine.actions import STRAINS, parse_action
from p2p.language import digits, t, tn
from p2p.language.cards import left_to_right, listed
from p2p.terminal import choices, words

if TYPE_CHECKING:
    from bots.search.advice import Advice, Valued

SAME: Final = 0.05
"""Points within which two actions are alike: less is not shown."""

STANDARD_ERRORS: Final = 2.0
"""A difference that is larger than so many standard errors is chance once in twenty times; less tells nothing."""

ROWS: Final = 13
"""So many actions have a line each: a hand of cards, with the reason on one screen of 24 lines."""

BEST_ROWS: Final = 8
"""Of more than that only the best; the others are told in short."""

NAMED: Final = 6
"""How many actions that are as good, or perhaps, a sentence names."""


@dataclass(frozen=True)
class Told:
    """What becomes of the wish for a hint on a question: the advice, or the sentence (by id) that stands for it. `id`
    is the question's, -1 where nothing is asked."""

    id: int = -1
    advice: Advice | None = None
    reason: str = ""


def lines(told: Told, legal: Sequence[str], names: Sequence[str]) -> list[str]:
    """What to do, why, and the list of what may be done, best first; or why there is no hint."""
    advice = told.advice
    if advice is None:
        return [t(told.reason)]
    head = t("advice-would", action=_called(advice.action, legal, names))
    if not advice.valued:
        return [head, t("advice-only" if len(legal) == 1 else "advice-thumb")]
    return [head, *_why(advice, legal, names), *_list(advice, legal, names)]


# ---- why -----------------------------------------------------------------------------------------------------------


def _why(advice: Advice, legal: Sequence[str], names: Sequence[str]) -> list[str]:
    """Why this and not the next that is not as good, as far as the numbers say."""
    best, *rest = advice.valued
    average = tn("advice-worlds", best.worlds)
    if advice.certain:
        return [t("advice-certain")]
    if not rest:
        return [t("advice-only"), t("advice-average", average=average)]
    others = [one for one in rest if not _same(one) and not _perhaps(one)]
    if not others:
        return [t("advice-alike-perhaps" if any(map(_perhaps, rest)) else "advice-alike", average=average)]
    other, named = others[0], _short(others[0].action, legal, names)
    points = _apart(abs(other.difference), other.error)
    if other.difference > 0:
        return [t("advice-thumb-first", other=named, points=points, average=average)]
    why = "advice-why-later" if _later(best, other) else "advice-why"
    told = [t(why, other=named, points=points, average=average)]
    if other.points - best.points >= SAME and other.lead < best.lead:
        told.append(t("advice-why-others", other=named))
    for code, fits in (("advice-as-good", _same), ("advice-perhaps", _perhaps)):
        if alike := [_short(one.action, legal, names) for one in rest if fits(one)]:
            told.append(t(code, others=listed([*alike[:NAMED], *(["…"] if len(alike) > NAMED else [])])))
    return told


def _later(best: Valued, one: Valued) -> bool:
    """Whether they differ in what counts beyond this deal."""
    return abs(best.later - one.later) >= SAME


def _same(one: Valued) -> bool:
    """Whether it is as good as the action advised in every deal that was looked at."""
    return abs(one.difference) < SAME and STANDARD_ERRORS * one.error < SAME


def _perhaps(one: Valued) -> bool:
    """Whether what differs from the action advised may be chance."""
    return abs(one.difference) < STANDARD_ERRORS * one.error and not _same(one)


# ---- what everything brings ----------------------------------------------------------------------------------------


def _list(advice: Advice, legal: Sequence[str], names: Sequence[str]) -> list[str]:
    """A line for each of the best, the rest in short."""
    best, *rest = advice.valued
    far = [one for one in rest if one.worlds < best.worlds and one.difference < 0 and not _perhaps(one)]
    near = [one for one in rest if one not in far]
    rows = ROWS - 1 if len(near) < ROWS and not far else BEST_ROWS - 1
    head = "advice-head-apart" if near else "advice-head"
    if any(_later(best, one) for one in near):
        head = "advice-head-later"
    found = [t(head), _row("advice-value", best, legal, names)]
    for one in near[:rows]:
        found.append(_row(_likeness(one), one, legal, names))
    if near[rows:]:
        found += [t("advice-rest"), _in_short(near[rows:], 1, legal, names)]
    if far:
        far.sort(key=_place)
        suits = [list(suit) for _, suit in groupby(far, key=lambda one: _place(one)[0])]
        found += [tn("advice-far-off", far[0].worlds), *(_in_short(suit, 0, legal, names) for suit in suits)]
    return found


def _likeness(one: Valued) -> str:
    if _same(one):
        return "advice-value-same"
    return "advice-value-perhaps" if _perhaps(one) else "advice-value-apart"


def _row(code: str, one: Valued, legal: Sequence[str], names: Sequence[str]) -> str:
    values = {"action": _short(one.action, legal, names), "points": _signed(one.points), "lead": _signed(one.lead)}
    return t(code, **values, difference=_apart(one.difference, one.error, "+"))


def _in_short(several: Iterable[Valued], decimals: int, legal: Sequence[str], names: Sequence[str]) -> str:
    """Actions with the own points, as a list that may be folded between them."""
    return "  ".join(f"{_item(one, legal, names)} {_signed(one.points, decimals)}" for one in several)


def _place(one: Valued) -> tuple[int, int]:
    """Bids suit by suit, each from the lowest up; estimates from the lowest up."""
    action = parse_action(one.action)
    return STRAINS.index(action.word) if action.verb == "bid" else -1, action.number


# ---- words ---------------------------------------------------------------------------------------------------------


def _apart(difference: float, error: float, sign: str = "") -> str:
    """A difference, and what of it may be chance: ``3.2 ± 0.8``."""
    chance = STANDARD_ERRORS * error
    shown = _figure(difference, 1, sign)
    return _number(shown if chance < SAME or isinf(chance) else f"{shown} ± {_figure(chance)}")


def _signed(points: float, decimals: int = 1) -> str:
    return _number(_figure(points, decimals, "+"))


def _figure(number: float, decimals: int = 1, sign: str = "") -> str:
    return f"{round(number, decimals) + 0.0:{sign}.{decimals}f}"  # never -0.0


def _number(text: str) -> str:
    return left_to_right(digits(text))


def _called(text: str, legal: Sequence[str], names: Sequence[str]) -> str:
    return choices.called(parse_action(text), len(legal), names)


def _short(text: str, legal: Sequence[str], names: Sequence[str]) -> str:
    """Of what is done with one card, the card; of a bid, what is bid."""
    action = parse_action(text)
    match action.verb:
        case "play" | "discard" | "return":
            return words.short(action)
        case "bid":
            return words.bid(action.number, action.word)
        case _:
            return _called(text, legal, names)


def _item(one: Valued, legal: Sequence[str], names: Sequence[str]) -> str:
    """Shorter still where only such actions stand side by side: of an estimate, the number."""
    action = parse_action(one.action)
    return digits(action.number) if action.verb == "estimate" else _short(one.action, legal, names)
