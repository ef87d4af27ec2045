"""How the seats play when the search plays a deal out: quick forms of the steady bot's rules of thumb.

Each policy sees its hand, the cards that others still hold between them, and the trick. A card that nobody can beat any
more is a *master*. What a policy decides matters more to the strength of the search than how often it is asked.

    TAKE   wants every trick: masters first, the cheapest winner in last seat, ruffs
    WANT   wants some tricks, rather now than later (Estimation, until the estimate is reached; then DUCK)
    DUCK   wants none: the highest card that stays under, the most dangerous one thrown
    SHED   minds only the last two tricks: high cards go first, then as DUCK (Kasra's last two)
    AVOID  as DUCK, and above all no king of hearts, queen or diamond (Kasra's Complex)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bots.search.tricks import SUIT_OF, Bit, Policy
from engine.cards import (
    DIAMONDS,
    HEARTS,
    KING,
    PACK_SIZE,
    QUEEN,
    SUIT_CARDS,
    SUIT_SIZE,
    CardSet,
    card,
    rank_of,
    single,
)

_D = SUIT_CARDS[DIAMONDS]
_RANKS: Final = (1 << SUIT_SIZE) - 1
_RANK_CARDS: Final = {1 << rank: sum(1 << card(rank, suit) for suit in range(4)) for rank in range(SUIT_SIZE)}
_RANK_OF: Final = {1 << one: rank_of(one) for one in range(PACK_SIZE)}


def lowest(cards: CardSet) -> CardSet:
    """The cards of the lowest rank in a set that is not empty."""
    ranks = (cards | cards >> 13 | cards >> 26 | cards >> 39) & _RANKS
    return cards & _RANK_CARDS[ranks & -ranks]


# ---- every trick is welcome ---------------------------------------------------------------------------------------


def _take_lead(hand: CardSet, others: CardSet, trump: CardSet) -> Bit:
    """A master of a side suit that is not likely to be ruffed, trumps while ours are better, else a low card."""
    out = others & trump
    if out:
        mine = hand & trump
        if mine > out and 2 * mine.bit_count() >= out.bit_count():
            return 1 << (mine.bit_length() - 1)
    low = 0
    for suit in SUIT_CARDS:
        mine = hand & suit
        if mine and suit != trump:
            theirs = others & suit
            if mine > theirs and (theirs or not out):
                return 1 << (mine.bit_length() - 1)
            low |= mine & -mine
    if low:
        low = lowest(low)
        return low & -low
    return 1 << (hand.bit_length() - 1) if hand > out else hand & -hand


def _take_follow(own: CardSet, others: CardSet, best: Bit, trumped: bool, after: int) -> Bit:
    """The cheapest card that is sure to win, in last seat the cheapest that wins; otherwise the lowest."""
    if not trumped:
        higher = own & -(best << 1)
        if higher:
            if not after:
                return higher & -higher
            sure = higher & -(1 << (others & SUIT_OF[best]).bit_length())
            if sure:
                return sure & -sure
    return own & -own


def _take_throw(legal: CardSet, trump: CardSet, best: Bit, trumped: bool, after: int) -> Bit:
    """The lowest trump that wins, otherwise the lowest card of all, trumps last."""
    trumps = legal & trump
    if trumps:
        winners = trumps & -(best << 1) if trumped else trumps
        if winners:
            return winners & -winners
        if trumps == legal:
            return legal & -legal
    low = lowest(legal & ~trump)
    return low & -low


TAKE: Final = Policy(_take_lead, _take_follow, _take_throw)


# ---- some tricks are wanted soon: Estimation -------------------------------------------------------------------------


def _want_lead(hand: CardSet, others: CardSet, trump: CardSet) -> Bit:
    """Masters of side suits, then of trumps, while they are good; else the lowest card of the shortest side suit."""
    out = others & trump
    low, shortest = 0, SUIT_SIZE + 1
    for suit in SUIT_CARDS:
        mine = hand & suit
        if mine and suit != trump:
            theirs = others & suit
            if mine > theirs and (theirs or not out):
                return 1 << (mine.bit_length() - 1)
            if mine.bit_count() < shortest:
                low, shortest = mine & -mine, mine.bit_count()
    if out and hand & trump > out:
        return 1 << ((hand & trump).bit_length() - 1)
    if low:
        return low
    return 1 << (hand.bit_length() - 1) if hand > out else hand & -hand


def _want_follow(own: CardSet, others: CardSet, best: Bit, trumped: bool, after: int) -> Bit:
    """As `TAKE`, but with a card that may win also the highest is tried."""
    if not trumped:
        higher = own & -(best << 1)
        if higher:
            sure = higher & -(1 << (others & SUIT_OF[best]).bit_length()) if after else higher
            return sure & -sure if sure else 1 << (own.bit_length() - 1)
    return own & -own


WANT: Final = Policy(_want_lead, _want_follow, _take_throw)


# ---- no trick is welcome ------------------------------------------------------------------------------------------


def worst_card(cards: CardSet) -> Bit:
    """The highest card of the suit in which even the lowest is high: the card that will take a trick some day."""
    worst, most = 0, -1
    for suit in SUIT_CARDS:
        mine = cards & suit
        if mine:
            top = 1 << (mine.bit_length() - 1)
            danger = 2 * _RANK_OF[mine & -mine] + _RANK_OF[top]
            if danger > most:
                worst, most = top, danger
    return worst


def _duck_lead(hand: CardSet, others: CardSet, trump: CardSet) -> Bit:
    """The lowest card of the suit in which the fewest of the others' cards are lower still."""
    best, least = 0, 2.0
    for suit in SUIT_CARDS:
        mine = hand & suit
        if mine:
            low, theirs = mine & -mine, others & suit
            danger = ((theirs & (low - 1)).bit_count() + 1) / (theirs.bit_count() + 1)
            if danger < least:
                best, least = low, danger
    return best


def _duck_follow(own: CardSet, others: CardSet, best: Bit, trumped: bool, after: int) -> Bit:
    """The highest card that stays under; where none does, the lowest, or in last seat the highest."""
    if trumped:
        return 1 << (own.bit_length() - 1)
    under = own & (best - 1)
    if under:
        return 1 << (under.bit_length() - 1)
    return own & -own if after else 1 << (own.bit_length() - 1)


def _duck_throw(legal: CardSet, trump: CardSet, best: Bit, trumped: bool, after: int) -> Bit:
    """The worst card that does not take the trick: a trump under a higher one, otherwise a side suit's."""
    trumps = legal & trump
    if trumps:
        if trumped:
            under = trumps & (best - 1)
            if under:
                return 1 << (under.bit_length() - 1)
        if trumps == legal:
            return legal & -legal if after else 1 << (legal.bit_length() - 1)
    return worst_card(legal & ~trump)


DUCK: Final = Policy(_duck_lead, _duck_follow, _duck_throw)


# ---- the last two tricks of Kasra -----------------------------------------------------------------------------------

SOON: Final = 2
"""With so many cards in hand the last two tricks have come: from here on tricks are avoided."""


def _shed_lead(hand: CardSet, others: CardSet, trump: CardSet) -> Bit:
    return _duck_lead(hand, others, trump) if hand.bit_count() <= SOON else worst_card(hand)


def _shed_follow(own: CardSet, others: CardSet, best: Bit, trumped: bool, after: int) -> Bit:
    if others.bit_count() <= 3 * SOON:
        return _duck_follow(own, others, best, trumped, after)
    return 1 << (own.bit_length() - 1)


def _shed_throw(legal: CardSet, trump: CardSet, best: Bit, trumped: bool, after: int) -> Bit:
    return worst_card(legal)


SHED: Final = Policy(_shed_lead, _shed_follow, _shed_throw)


# ---- Kasra's Complex: no trick, and above all no king of hearts, queen or diamond ------------------------------------

_KING_OF_HEARTS: Final = single(card(KING, HEARTS))
_QUEENS: Final = sum(single(card(QUEEN, suit)) for suit in range(4))
_DEAR: Final = _KING_OF_HEARTS | _QUEENS
# How many ranks higher a suit counts in `_avoid_throw` that holds the king of hearts, a queen, diamonds.
_KING_MORE, _QUEEN_MORE, _DIAMONDS_MORE = 18, 5, 6


_PENALTY: Final = {
    1 << one: (75 if 1 << one == _KING_OF_HEARTS else 25 if 1 << one & _QUEENS else 0)
    + (10 if SUIT_CARDS[DIAMONDS] >> one & 1 else 0)
    for one in range(PACK_SIZE)
}
_TRICK: Final = 15.0
_HAS: Final = tuple(1 - (2 / 3) ** cards for cards in range(SUIT_SIZE + 1))
"""The chance that one of three hands holds one of so many cards."""

# What a lead costs, found by play-outs against variants of itself: with 22 points for each void seat (what the average
# card thrown costs) it loses 9 points a deal against 40 and more, since who is void throws his dearest card.
_VOID, _LATER, _GIVEN, _GUARD, _LONE = 50.0, 6.0, 0.4, 0.72, 0.35


class _Leads(dict[tuple[CardSet, CardSet], tuple[float, Bit]]):
    """The best lead from one suit, by the own cards of it and those of the others: its price and the card.

    The price is that of the trick, if nobody is forced to go over the card (who holds a higher card and no lower one
    is), and what the rest of the suit will cost later on less what it would have cost with this card.
    """

    def __missing__(self, key: tuple[CardSet, CardSet]) -> tuple[float, Bit]:
        if len(self) > _LEADS_KEPT:
            self.clear()
        mine, theirs = key
        cards = theirs.bit_count()
        average = sum(_PENALTY[bit] for bit in _bits(theirs)) / max(1, cards)
        follows = _HAS[cards]
        before, best = _burden(mine, theirs, average), (1e9, 0)
        for bit in _bits(mine):
            wins = _wins(bit, theirs)
            cost = _TRICK + _PENALTY[bit] + 3 * (follows * average * 0.8 + (1 - follows) * _VOID)
            later = _burden(mine & ~bit, theirs, average) - before
            best = min(best, (wins * cost + later - (1 - wins) * _PENALTY[bit] * _GIVEN, bit))
        self[key] = best
        return best


_LEADS_KEPT: Final = 1 << 16
"""So many suits are remembered, about 20 MB; then it begins anew."""


def _bits(cards: CardSet) -> Iterator[Bit]:
    while cards:
        bit = cards & -cards
        yield bit
        cards ^= bit


def _wins(bit: Bit, theirs: CardSet) -> float:
    """The chance that none of three hands is forced over this card."""
    higher, lower = (theirs & -(bit << 1)).bit_count(), (theirs & (bit - 1)).bit_count()
    return float((1 - _HAS[higher] * (1 - _HAS[lower])) ** 3)


def _burden(mine: CardSet, theirs: CardSet, average: float) -> float:
    """What the cards of a suit will cost whoever holds them; each lower one guards those above."""
    burden, guard = 0.0, 1.0
    for bit in _bits(mine):
        wins = _wins(bit, theirs) if theirs else _LONE
        burden += wins * (_TRICK + 2.2 * average + _LATER + _PENALTY[bit]) * guard
        guard *= _GUARD
    return burden


_LEADS: Final = _Leads()


def _avoid_lead(hand: CardSet, others: CardSet, trump: CardSet) -> Bit:
    """The cheapest lead of the four suits (`_Leads`)."""
    best = (1e9, 0)
    for suit in SUIT_CARDS:
        mine = hand & suit
        if mine:
            lead = _LEADS[mine, others & suit]
            if lead < best:
                best = lead
    return best[1]


def _avoid_follow(own: CardSet, others: CardSet, best: Bit, trumped: bool, after: int) -> Bit:
    """A dear card under a higher one, otherwise the highest that stays under. Where none does, no dear card if it can
    be helped: the highest when it takes the trick anyway, the lowest while somebody may still be higher."""
    under = own & (best - 1)
    if under:
        return 1 << ((under & _DEAR or under).bit_length() - 1)
    cheap = own & ~_DEAR or own
    theirs = others & SUIT_OF[best]
    if after and theirs > (own if after == 1 else own & -own):
        return cheap & -cheap
    return 1 << (cheap.bit_length() - 1)


def _avoid_throw(legal: CardSet, trump: CardSet, best: Bit, trumped: bool, after: int) -> Bit:
    """As `worst_card`, but dear cards and diamonds go sooner."""
    worst, most = 0, -1
    for suit in SUIT_CARDS:
        mine = legal & suit
        if mine:
            top = 1 << (mine.bit_length() - 1)
            danger = 2 * _RANK_OF[mine & -mine] + _RANK_OF[top] + (_DIAMONDS_MORE if suit == _D else 0)
            dear = mine & _DEAR
            if dear:
                top = 1 << (dear.bit_length() - 1)
                danger += _KING_MORE if top == _KING_OF_HEARTS else _QUEEN_MORE
            if danger > most:
                worst, most = top, danger
    return worst


AVOID: Final = Policy(_avoid_lead, _avoid_follow, _avoid_throw)
