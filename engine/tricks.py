"""What trick games share: who wins a trick, the duties to follow, to trump and to beat, and when the rest is certain.

A trick is a tuple of (seat, card) in the order played; `trump` is a suit or None. The duties are D-2 to D-5, each a
claim about the rest of the hand.

Whoever leads may claim all the tricks that are left (`claim_rest`). He opens his hand, and it must hold no card that
loses, led, to a card that anybody else may still hold. Then he takes the trick whichever card he leads and whatever the
others play; so he leads again, with one card fewer, against hands that can only have become smaller; and so on to his
last card. No play by anybody, himself included, and no distribution of the unseen cards can change who takes what is
left. That is sound, and decided by what everybody sees; it does not find everything that is certain.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from engine.cards import NO_CARDS, SUIT_CARDS, Card, CardSet, Suit, above, count, suit_of
from engine.game import Claim, Illegal

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


# --- the rest is certain -------------------------------------------------------------------------------------------

CLAIM_RULE = "C-6"  # a claim: all the tricks that are left, once they are certain


def beaters(hand: CardSet, trump: Suit | None) -> CardSet:
    """The cards that beat at least one card of `hand` when that one is led."""
    cards = NO_CARDS
    for in_suit in SUIT_CARDS:
        mine = hand & in_suit
        if mine:
            cards |= in_suit & ~((mine & -mine) * 2 - 1)  # all above the lowest
    if trump is not None and hand & ~SUIT_CARDS[trump]:
        cards |= SUIT_CARDS[trump]
    return cards & ~hand


def lacking(tricks: Iterable[Trick], seat: int, trump: Suit | None, duties: Duties) -> CardSet:
    """The cards that `seat` has shown not to hold any more, by what it played: no card comes in during the play."""
    cards = NO_CARDS
    for trick in tricks:
        for at, (who, card) in enumerate(trick):
            if who == seat:
                cards |= duty(card, trick[:at], trump, duties).excludes
    return cards


def claim_rest(cards: CardSet, held: int, trick: Trick, others: CardSet, trump: Suit | None) -> Claim:
    """What claiming the rest by opening `cards` claims; `Illegal` where that is not certain.

    The claimer is to play to `trick` and holds `held` cards; `others` are the cards that anybody else may still hold.
    """
    if trick:
        raise Illegal(CLAIM_RULE, "claim-not-leading")
    if count(cards) != held:
        raise Illegal(CLAIM_RULE, "claim-whole-hand")
    if beaters(cards, trump) & others & ~cards:
        raise Illegal(CLAIM_RULE, "claim-not-certain")
    return Claim(opens=cards, rule=CLAIM_RULE, code="claim-not-certain")
