"""Hints as a person reads them: what `sharp` would do, and what it expects of everything that may be done. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.actions import parse_action
from p2p.language import digits, t, tn
from p2p.language.cards import left_to_right
from p2p.terminal import choices, words

if TYPE_CHECKING:
    from bots.search.advice import Advice, Valued

SAME: Final = 0.05
"""Points within which two actions are alike: less is not shown."""


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
        return [head, t("advice-only" if advice.only else "advice-thumb")]
    out = len(legal) - len(advice.valued)
    more = [tn("advice-left-out", out)] if out and not advice.certain else []
    listed = [_valued(one, legal, names) for one in advice.valued]
    return [head, *_why(advice, legal, names), t("advice-head"), *listed, *more]


def _why(advice: Advice, legal: Sequence[str], names: Sequence[str]) -> list[str]:
    """Why this and not the next that is not alike, as far as the numbers say."""
    best, *rest = advice.valued
    on_average = tn("advice-worlds", advice.worlds)
    if advice.certain:
        return [t("advice-certain")]
    if not rest:
        return [t("advice-average", average=on_average)]
    other = next((one for one in rest if best.worth - one.worth >= SAME), None)
    if other is None:
        return [t("advice-alike", average=on_average)]
    named = _short(other.action, legal, names)
    later = abs((best.worth - best.lead) - (other.worth - other.lead)) >= SAME
    told = t(
        "advice-why-later" if later else "advice-why",
        other=named, points=_number(f"{best.worth - other.worth:.1f}"), average=on_average,
    )  # fmt: skip
    if other.points - best.points >= SAME and other.lead < best.lead:
        return [told, t("advice-why-others", other=named)]
    return [told]


def _valued(one: Valued, legal: Sequence[str], names: Sequence[str]) -> str:
    points, lead = (_number(f"{number:+.1f}") for number in (one.points, one.lead))
    return t("advice-value", action=_short(one.action, legal, names), points=points, lead=lead)


def _number(text: str) -> str:
    return left_to_right(digits(text))


def _called(text: str, legal: Sequence[str], names: Sequence[str]) -> str:
    return choices.called(parse_action(text), len(legal), names)


def _short(text: str, legal: Sequence[str], names: Sequence[str]) -> str:
    """Of what is done with one card, the card."""
    action = parse_action(text)
    return words.short(action) if action.verb in ("play", "discard", "return") else _called(text, legal, names)
