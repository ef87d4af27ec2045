"""How likely hands are, by what their owners called.

In Estimation everybody says how many tricks his hand takes. A hand is the likelier the nearer the steady bot's count of
its tricks comes to that; how near people and bots usually are is `SPREAD`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Final

from bots.builtin.steady_estimation import danger, expected_tricks
from bots.search.reading import Hidden, Reading
from bots.search.worlds import Likelihood
from engine.cards import SUITS, CardSet

SPREAD: Final = 1.0
"""By how many tricks an estimate usually differs from the count."""

FEAR: Final = 6.0
"""How quickly hands that must fear tricks get unlikely for a Dash Caller."""

NEVER: Final = 1e-6
"""No hand is impossible only because nobody sane would call so with it."""


def likelihood_of(reading: Reading, hidden: Hidden) -> Likelihood | None:
    """The likelihood of hidden hands (in the order of `hidden.places`) given the calls; None: all alike."""
    if reading.game != "estimation":
        return None
    return _by_estimates(reading, hidden)


def _by_estimates(reading: Reading, hidden: Hidden) -> Likelihood | None:
    said, dashes, strain = reading.raw["estimates"], reading.raw["dashes"], str(reading.raw["trump"])
    trump = SUITS.index(strain) if len(strain) == 1 else None
    callers = [(at, seat) for at, seat in enumerate(hidden.places) if seat in dashes or (strain and said[seat] >= 0)]
    if not callers:
        return None
    played = reading.played
    lead = [0.3 if seat == reading.raw["caller"] else 0.0 for seat in range(4)]

    def likelihood(hands: Sequence[CardSet]) -> float:
        weight = 1.0
        for at, seat in callers:
            hand = hands[at] | played[seat]
            if seat in dashes:
                weight *= exp(-FEAR * danger(hand)) + NEVER
            else:
                off = (expected_tricks(hand, trump) + lead[seat] - said[seat]) / SPREAD
                weight *= exp(-0.5 * off * off) + NEVER
        return weight

    return likelihood
