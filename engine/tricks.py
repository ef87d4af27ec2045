"""What trick games share: who wins a trick, and the duties to follow, to trump and to beat, each as a claim.

A trick is a tuple of (seat, card) in the order played; `trump` is a suit or None. The duties are D-2 to D-5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine.cards import NO_CARDS, SUIT_CARDS, Card, CardSet, Suit, above, suit_of

Play: TypeAlias = tuple[int, Card]
Trick: TypeAlias = tuple[Play, ...]


@dataclass(frozen=True, slots=True)
class Duties:
    """What a player owes besides following suit (always owed). Rule ids name what a breach is called by this game."""

    follow_rule: str
    must_trump: bool = False
    trump_rule: str = ""
    must_beat: bool = False  # in the led suit, and over a trump in a trumped trick
    beat_rule: str = ""
    beat_led_in_trumped_trick: bool = False  # Isti'mar option raise_in_trumped_trick
    under_trump_free: bool = False  # Isti'mar option under_trump=free


def strength(card: Card, led: Suit, trump: Suit | None) -> int:
    """A number that is higher for the card that wins: trumps over the led suit over everything else (C-3)."""
    suit = suit_of(card)
    if trump is not None and suit == trump:
        return 200 + card
    return 100 + card if suit == led else 0


def winning(trick: Trick, trump: Suit | None) -> Play:
    """The play that wins the trick as it lies."""
    led = suit_of(trick[0][1])
    return max(trick, key=lambda play: strength(play[1], led, trump))


@dataclass(frozen=True, slots=True)
class Duty:
    """The cards that the remaining hand must not hold, and the rule and sentence of a breach."""

    excludes: CardSet
    rule: str
    code: str


def duty(card: Card, trick: Trick, trump: Suit | None, duties: Duties) -> Duty:
    """What playing `card` to `trick` claims about the rest of the hand (D-2 to D-5)."""
    if not trick:
        return Duty(NO_CARDS, duties.follow_rule, "follow-suit")
    led = suit_of(trick[0][1])
    best = winning(trick, trump)[1]
    trumped = trump is not None and suit_of(best) == trump != led
    suit = suit_of(card)
    if suit == led:
        owed = duties.must_beat and (not trumped or duties.beat_led_in_trumped_trick)
        high = max(c for _, c in trick if suit_of(c) == led)
        if owed and card < high:
            return Duty(above(high), duties.beat_rule, "play-higher")
        return Duty(NO_CARDS, duties.follow_rule, "follow-suit")
    excluded = SUIT_CARDS[led]
    if trump is None or trump == led:
        return Duty(excluded, duties.follow_rule, "follow-suit")
    if suit == trump:
        if duties.must_beat and trumped and card < best:
            return Duty(excluded | above(best), duties.beat_rule, "play-higher")
        return Duty(excluded, duties.follow_rule, "follow-suit")
    if duties.must_trump:
        owed_trumps = above(best) if trumped and duties.under_trump_free else SUIT_CARDS[trump]
        return Duty(excluded | owed_trumps, duties.trump_rule, "must-trump")
    return Duty(excluded, duties.follow_rule, "follow-suit")
