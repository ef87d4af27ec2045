"""How likely hidden hands are, by what was called and played.

*Calls*: in Estimation everybody says how many tricks his hand takes. A hand is the likelier the nearer the steady bot's
count of its tricks comes to that; how near people and bots usually are is `SPREAD`. In the other games who names trumps
is likely to be long in them (`NAMED`).

*Plays*: with a hand that fits, the rollout policy would have played the cards that were played. Each card that it would
not have played makes a hand less likely, by `SURPRISE`; not by much, since people are not policies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import Final

from bots.builtin.steady_estimation import danger, expected_tricks
from bots.search.deals import TrickDeal
from bots.search.hidden import ASIDE, Hidden
from bots.search.policies import DUCK
from bots.search.reading import Reading, cards_of
from bots.search.tricks import SUIT_OF, Bit, Policy, Position, legal_cards
from bots.search.worlds import Likelihood
from engine.cards import FULL_PACK, PACK_SIZE, QUEEN, SUIT_CARDS, SUITS, CardSet, rank_of

SPREAD: Final = 1.0
"""By how many tricks an estimate usually differs from the count."""

CALLER_LEADS: Final = 0.3
"""Tricks more for who leads, as the steady bot counts."""

FEAR: Final = 2.0
"""How quickly hands that must fear tricks get unlikely for a Dash Caller. The steady bot dashes with 0.1 tricks to fear
at most, the searching bots with 0.5 on average, where an average hand has 0.75."""

NAMED: Final = {"kasra": (2.0, 0.4), "istimar": (2.0, 0.4), "three_five_eight": (0.45, 0.2)}
"""Who names trumps takes a suit e^this times as likely for each card of it, and for each honour more: fitted to what
`quick` names. In 3-5-8 six cards of sixteen were known when it was named."""

HONOURS: Final = sum(1 << one for one in range(PACK_SIZE) if rank_of(one) >= QUEEN)

NEVER: Final = 1e-6
"""No hand is impossible only because nobody sane would call so with it."""

SURPRISE: Final = 0.6
"""How likely a hand is beside another one with which the policy would have played one card more as it was played. In
games between steady bots the true hands then are e^0.3 to e^0.6 times as likely as others that fit; 0.35 would do as
well there, 0.8 half as well, but who else will sit at the table is not known."""


def likelihood_of(reading: Reading, hidden: Hidden, deal: TrickDeal | None = None) -> Likelihood | None:
    """The likelihood of hidden hands (in the order of `hidden.places`); None: all alike. With the `deal` that is played
    the plays count, too."""
    parts: list[Likelihood | None] = []
    if reading.game == "estimation":
        parts.append(_by_estimates(reading, hidden))
    if reading.game in NAMED:
        parts.append(_by_trump(reading, hidden))
    if deal is not None and reading.plays:
        parts.append(_by_plays(reading, hidden, deal))
    found = [part for part in parts if part is not None]
    if not found:
        return None

    def likelihood(hands: Sequence[CardSet]) -> float:
        weight = 1.0
        for part in found:
            weight *= part(hands)
        return weight

    return likelihood


def _by_estimates(reading: Reading, hidden: Hidden) -> Likelihood | None:
    said, dashes, strain = reading.raw["estimates"], reading.raw["dashes"], str(reading.raw["trump"])
    trump = SUITS.index(strain) if len(strain) == 1 else None
    callers = [(at, seat) for at, seat in enumerate(hidden.places) if seat in dashes or (strain and said[seat] >= 0)]
    if not callers:
        return None
    played = reading.played
    lead = [CALLER_LEADS if seat == reading.raw["caller"] else 0.0 for seat in range(4)]

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


def _by_trump(reading: Reading, hidden: Hidden) -> Likelihood | None:
    """By what whoever named the trumps had in each suit: the kitty was not his yet, what he put aside was."""
    length, honour = NAMED[reading.game]
    namer, trump = reading.raw["owner" if reading.game == "kasra" else "declarer"], reading.trump
    if not trump or reading.raw["phase"] != "play" or namer not in hidden.places:
        return None
    at, played = hidden.places.index(namer), reading.played[namer]
    aside = hidden.places[-1] == ASIDE
    kitty = cards_of(reading.raw.get("kitty", ()))

    def likelihood(hands: Sequence[CardSet]) -> float:
        hand = (hands[at] | played | (hands[-1] if aside else 0)) & ~kitty
        named = every = 0.0
        for suit in SUIT_CARDS:
            mine = hand & suit
            worth = exp(length * mine.bit_count() + honour * (mine & HONOURS).bit_count())
            every += worth
            if suit == trump:
                named = worth
        return named / every

    return likelihood


# ---- plays --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Play:
    """A card that somebody else played when he may have had a choice.

    at      where his hand stands among the hidden places
    since   what he has played from then on, this card first
    alive   the cards that were not yet taken in a trick then
    """

    at: int
    bit: Bit
    since: CardSet
    alive: CardSet
    led: CardSet
    table: CardSet
    best: Bit
    after: int
    policy: Policy


def _by_plays(reading: Reading, hidden: Hidden, deal: TrickDeal) -> Likelihood | None:
    seen = _plays(reading, hidden, deal)
    rules, trump = deal.rules, deal.rules.trump

    def likelihood(hands: Sequence[CardSet]) -> float:
        weight = 1.0
        for one in seen:
            hand = hands[one.at] | one.since
            others = one.alive & ~hand
            legal = legal_cards(rules, hand, one.led, one.table, one.best)
            if not legal & (legal - 1):
                continue
            if not one.led:
                bit = one.policy.lead(hand, others, trump)
            elif legal & one.led:
                trumped = bool(one.best & trump) and one.led != trump
                bit = one.policy.follow(legal, others, one.best, trumped, one.after)
            else:
                bit = one.policy.throw(legal, trump, one.best, bool(one.best & trump), one.after)
            if bit != one.bit and not _neighbours(bit, one.bit, others):
                weight *= SURPRISE
        return weight

    return likelihood


def _neighbours(one: Bit, other: Bit, others: CardSet) -> bool:
    """Whether nobody else had a card between these two of one suit."""
    low, high = min(one, other), max(one, other)
    return SUIT_OF[low] == SUIT_OF[high] and not others & (high - 1) & -(low << 1)


def _plays(reading: Reading, hidden: Hidden, deal: TrickDeal) -> list[_Play]:
    """What the others played, each with how the trick stood."""
    position = Position(deal.rules, reading.played, reading.plays[0][0])
    since, alive = list(reading.played), FULL_PACK
    found = []
    for seat, bit in reading.plays:
        policy = deal.policy
        if deal.needs and position.won[seat] >= deal.needs[seat]:
            policy = DUCK
        if seat != reading.seat:
            at = hidden.places.index(seat)
            after = deal.rules.seats - 1 - position.laid
            found.append(
                _Play(at, bit, since[seat], alive, position.led, position.table, position.best, after, policy)
            )
        since[seat] &= ~bit
        position.play(bit)
        if not position.laid:
            alive = FULL_PACK
            for taken in position.taken:
                alive &= ~taken
    return found
