"""Trix in mutable form: the core of the search for Kasra's fourth game.

Cards are bits as in `bots.search.tricks`. Which cards fit is kept up to date card by card: laying one takes it away and
lets its neighbour further out fit (the jack both neighbours). The rule itself is `engine.games.kasra.trix.playable`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.cards import ACE, JACK, PACK_SIZE, CardSet, above, below, card, cards_in, rank_of

SEATS: Final = 4
STILL_IN: Final = 2
"""While at least so many have cards the deal goes on: it is over when the third is out (B-KAS-15)."""


def _opens(one: int) -> CardSet:
    """The cards that fit once this one is laid."""
    rank, fits = rank_of(one), 0
    if JACK <= rank < ACE:
        fits |= 1 << (one + 1)
    if 0 < rank <= JACK:
        fits |= 1 << (one - 1)
    return fits


def _behind(one: int) -> CardSet:
    """The cards that wait for this one, near or far."""
    rank = rank_of(one)
    return (above(one) if rank >= JACK else 0) | (below(one) if rank <= JACK else 0)


OPENS: Final = {1 << one: _opens(one) for one in range(PACK_SIZE)}
BEHIND: Final = {1 << one: _behind(one) for one in range(PACK_SIZE)}
JACKS: Final = sum(1 << card(JACK, suit) for suit in range(4))
OTHERS_WAIT: Final = 0.1
"""How much a card waiting in another hand counts against one waiting in the own: found by play-outs against variants of
itself; 0 loses 15 points a deal, anything between 0.05 and 0.3 is about as good."""


class _Waiting(dict[CardSet, int]):
    """How much waits in a set of cards: their distances from the jack added up. Each set is worked out once."""

    def __missing__(self, cards: CardSet) -> int:
        worth = self[cards] = sum(abs(rank_of(one) - JACK) for one in cards_in(cards))
        return worth


_WAITING: Final = _Waiting()


class TrixPosition:
    """A deal of Trix in progress, with all hands open; mutable, `copy` before trying things.

    fits   the cards that may be laid now
    out    the seats that have gone out, in order
    """

    __slots__ = ("fits", "hands", "out", "turn")

    def __init__(self, hands: Sequence[CardSet], turn: int, fits: CardSet = JACKS, out: Sequence[int] = ()) -> None:
        self.hands = list(hands)
        self.turn = turn
        self.fits = fits
        self.out = list(out)

    def copy(self) -> TrixPosition:
        """An independent position with the same cards."""
        return TrixPosition(self.hands, self.turn, self.fits, self.out)

    @property
    def over(self) -> bool:
        """Whether three seats are out."""
        return len(self.out) > SEATS - STILL_IN

    def legal(self) -> CardSet:
        """The cards that the seat to play may lay; none: it must pass."""
        return self.hands[self.turn] & self.fits

    def play(self, bit: int) -> None:
        """The seat to play lays `bit`, or passes with 0; the turn goes to the next who is not out."""
        seat = self.turn
        if bit:
            self.hands[seat] ^= bit
            self.fits = self.fits ^ bit | OPENS[bit]
            if not self.hands[seat]:
                self.out.append(seat)
                if self.over:
                    return
        for step in range(1, SEATS + 1):
            following = (seat + step) % SEATS
            if self.hands[following]:
                self.turn = following
                return

    def finish(self) -> None:
        """Play the deal out: each lays the card that helps him most and the others least (`chosen`)."""
        hands, fits, seat, out = self.hands, self.fits, self.turn, self.out
        opens = OPENS
        while len(out) <= SEATS - STILL_IN:
            hand = hands[seat]
            legal = hand & fits
            if legal:
                bit = chosen(hand, legal) if legal & (legal - 1) else legal
                fits = fits ^ bit | opens[bit]
                hand ^= bit
                hands[seat] = hand
                if not hand:
                    out.append(seat)
            seat = (seat + 1) & 3
            if not hands[seat]:
                seat = (seat + 1) & 3
                if not hands[seat]:
                    seat = (seat + 1) & 3
        self.turn, self.fits = seat, fits


def chosen(hand: CardSet, legal: CardSet) -> int:
    """Which of several cards to lay: the one for which most of the own cards wait, those far out above all; what waits
    in other hands counts a little against it."""
    best, best_worth = 0, -99.0
    while legal:
        bit = legal & -legal
        legal ^= bit
        behind = BEHIND[bit]
        mine = behind & hand
        worth = _WAITING[mine] - OTHERS_WAIT * _WAITING[behind ^ mine]
        if worth > best_worth:
            best, best_worth = bit, worth
    return best
