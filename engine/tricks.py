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
from functools import lru_cache
from typing import TypeAlias

from engine.cards import FULL_PACK, NO_CARDS, SUIT_CARDS, Card, CardSet, Suit, above, below, count, suit_of
from engine.game import Claim, Duty, Illegal

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

    def __hash__(self) -> int:
        return hash(self.follow_rule)  # quick, since every play looks up what is owed; no game has many


def strength(card: Card, led: Suit, trump: Suit | None) -> int:
    """A number that is higher for the card that wins: trumps over the led suit over everything else (C-3)."""
    suit = suit_of(card)
    if trump is not None and suit == trump:
        return 200 + card
    return 100 + card if suit == led else 0


def winning(trick: Trick, trump: Suit | None) -> Play:
    """The play that wins the trick as it lies."""
    best = trick[0]
    best_suit = suit_of(best[1])
    for play in trick[1:]:
        suit = suit_of(play[1])
        if play[1] > best[1] if suit == best_suit else suit == trump:
            best, best_suit = play, suit
    return best


def cards_of(trick: Trick) -> CardSet:
    """The cards of a trick."""
    cards = NO_CARDS
    for _, card in trick:
        cards |= 1 << card
    return cards


def owed(trick: Trick, trump: Suit | None, duties: Duties) -> tuple[Duty, ...]:
    """What playing to `trick` claims about the rest of the hand (D-2 to D-5), for all the cards there are."""
    if not trick:
        return _leading(duties.follow_rule)
    led = suit_of(trick[0][1])
    if not (duties.must_trump or duties.must_beat):
        return _following(led, duties.follow_rule)
    high = best = trick[0][1]
    if len(trick) > 1 and (duties.must_beat or duties.under_trump_free):
        best = winning(trick, trump)[1]
        high = winning(trick, None)[1]
    return _answering(led, high, best, trump, duties)


def duty(card: Card, trick: Trick, trump: Suit | None, duties: Duties) -> Duty:
    """The one of what is `owed` that speaks of `card`."""
    return next(one for one in owed(trick, trump, duties) if one.cards >> card & 1)


# There are few situations, and each comes up again in every game; a table of one game needs about a thousand.
SITUATIONS = 4096


@lru_cache(SITUATIONS)
def _leading(rule: str) -> tuple[Duty, ...]:
    return (Duty(FULL_PACK, NO_CARDS, rule, "follow-suit"),)


@lru_cache(SITUATIONS)
def _following(led: Suit, rule: str) -> tuple[Duty, ...]:
    """Nothing is owed but to follow."""
    in_led = SUIT_CARDS[led]
    return Duty(in_led, NO_CARDS, rule, "follow-suit"), Duty(FULL_PACK & ~in_led, in_led, rule, "follow-suit")


@lru_cache(SITUATIONS)
def _answering(led: Suit, high: Card, best: Card, trump: Suit | None, duties: Duties) -> tuple[Duty, ...]:
    """`high` is the highest card of the led suit in the trick, `best` the card that wins it, where they matter."""
    in_led = SUIT_CARDS[led]
    in_trumps = NO_CARDS if trump is None or trump == led else SUIT_CARDS[trump]
    trumped = in_trumps >> best & 1
    low = under = must = NO_CARDS
    if duties.must_beat and (not trumped or duties.beat_led_in_trumped_trick):
        low = below(high)
    if duties.must_beat and trumped:
        under = below(best)
    if duties.must_trump:
        must = above(best) if trumped and duties.under_trump_free else in_trumps
    follow = (duties.follow_rule, "follow-suit")
    trumping = (duties.trump_rule, "must-trump") if duties.must_trump and in_trumps else follow
    found = (
        Duty(low, above(high), duties.beat_rule, "play-higher"),
        Duty(in_led & ~low, NO_CARDS, *follow),
        Duty(under, in_led | above(best), duties.beat_rule, "play-higher"),
        Duty(in_trumps & ~under, in_led, *follow),
        Duty(FULL_PACK & ~in_led & ~in_trumps, in_led | must, *trumping),
    )
    return tuple(one for one in found if one.cards)


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


def certain(hand: CardSet, others: CardSet, trump: Suit | None) -> bool:
    """Whether all that is left is the leader's, who holds `hand`, when anybody else may hold `others`."""
    return not beaters(hand, trump) & others


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
    if not certain(cards, others, trump):
        raise Illegal(CLAIM_RULE, "claim-not-certain")
    return Claim(opens=cards, rule=CLAIM_RULE, code="claim-not-certain")
