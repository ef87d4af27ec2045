"""A deal of tricks in mutable form: the core of the search for every game but Trix.

Cards are bits (``1 << card``) and sets are sums of bits, as in `engine.cards`. In one suit a higher bit is a higher
card, so comparing two sets of one suit as numbers says who has its highest card. ``x & -x`` is the lowest card of a
set, and ``x & -(b << 1)`` what is higher than *b* (within a suit).

The loop `Position.finish` is where the search spends its time. It knows the duties (`legal_cards`) and who wins; how a
seat chooses is a `Policy`, three small functions. What the deal is worth then is for `points`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from engine.cards import PACK_SIZE, SUIT_CARDS, CardSet, suit_of
from engine.tricks import Duties

Bit: TypeAlias = int
"""One card as a set."""

SUIT_OF: Final[dict[Bit, CardSet]] = {1 << card: SUIT_CARDS[suit_of(card)] for card in range(PACK_SIZE)}
"""All cards of the suit of a card."""

Lead: TypeAlias = Callable[[CardSet, CardSet, CardSet], Bit]
"""What to lead: of this hand, with these cards in other hands and these trumps (0: none)."""

Follow: TypeAlias = Callable[[CardSet, CardSet, Bit, bool, int], Bit]
"""What to follow with: of these legal cards of the suit led, with these cards in other hands or on the table, when this
card wins, the trick is trumped or not, and so many seats play afterwards."""

Throw: TypeAlias = Callable[[CardSet, CardSet, Bit, bool, int], Bit]
"""What to play without a card of the suit led: of these legal cards, with these trumps; the rest as in `Follow`, but
that the trick counts as trumped when trumps were led, too."""


@dataclass(frozen=True, slots=True)
class Policy:
    """How a seat plays when it has a choice."""

    lead: Lead
    follow: Follow
    throw: Throw


@dataclass(frozen=True, slots=True)
class Rules:
    """What stays the same through a deal of tricks.

    trump   all cards of the trump suit, 0 without trumps
    duties  what a player owes besides following suit
    """

    seats: int
    trump: CardSet
    duties: Duties

    @property
    def plain(self) -> bool:
        """Whether following suit is the only duty."""
        return not (self.duties.must_beat or (self.trump and self.duties.must_trump))


def legal_cards(rules: Rules, hand: CardSet, led: CardSet, table: CardSet, best: Bit) -> CardSet:
    """The cards of `hand` that may be played to a trick (D-2 to D-5; the meaning is `engine.tricks.duty`).

    `led` is the suit led, 0 for the leader; `table` the cards of the trick so far, `best` the one that wins it.
    """
    if not led:
        return hand
    duties, trump = rules.duties, rules.trump
    own = hand & led
    trumped = bool(best & trump) and trump != led
    if own:
        if duties.must_beat and (not trumped or duties.beat_led_in_trumped_trick):
            high = 1 << ((table & led).bit_length() - 1)
            return own & -(high << 1) or own
        return own
    trumps = hand & trump
    if not trumps or trump == led:
        return hand
    over = trumps & -(best << 1) if trumped else trumps
    if duties.must_trump and (over or not (trumped and duties.under_trump_free)):
        return over or trumps if duties.must_beat else trumps
    if duties.must_beat and over:
        return hand & ~trumps | over
    return hand


class Position:
    """A deal of tricks in progress, with all hands open. Everything is public and mutable; `copy` before trying things.

    hands    by seat
    turn     the seat to play
    led      all cards of the suit led, 0 between tricks
    table    the cards of the trick on the table
    best     the card that wins it so far, of seat `holder`
    laid     how many cards lie on the table
    won      tricks by seat
    taken    cards won in tricks by seat
    last     who took the last trick and who the one before, -1: nobody yet
    """

    __slots__ = ("best", "hands", "holder", "laid", "last", "led", "rules", "table", "taken", "turn", "won")

    def __init__(self, rules: Rules, hands: Sequence[CardSet], turn: int) -> None:
        self.rules = rules
        self.hands = list(hands)
        self.turn = turn
        self.led = self.table = self.best = self.laid = 0
        self.holder = -1
        self.won = [0] * rules.seats
        self.taken = [0] * rules.seats
        self.last = (-1, -1)

    def copy(self) -> Position:
        """An independent position with the same cards."""
        new = Position(self.rules, self.hands, self.turn)
        new.led, new.table = self.led, self.table
        new.best, new.holder, new.laid, new.last = self.best, self.holder, self.laid, self.last
        new.won, new.taken = self.won[:], self.taken[:]
        return new

    @property
    def over(self) -> bool:
        """Whether no card is left to play."""
        return not self.laid and not self.hands[self.turn]

    def legal(self) -> CardSet:
        """What the seat to play may play."""
        return legal_cards(self.rules, self.hands[self.turn], self.led, self.table, self.best)

    def play(self, bit: Bit) -> None:
        """The seat to play plays `bit`, which must be legal."""
        seat = self.turn
        self.hands[seat] ^= bit
        self.table |= bit
        if not self.led:
            self.led, self.best, self.holder = SUIT_OF[bit], bit, seat
        else:
            suit = SUIT_OF[self.best]
            if (bit & suit and bit > self.best) or (bit & self.rules.trump and not self.best & self.rules.trump):
                self.best, self.holder = bit, seat
        self.laid += 1
        if self.laid < self.rules.seats:
            self.turn = (seat + 1) % self.rules.seats
            return
        winner = self.holder
        self.won[winner] += 1
        self.taken[winner] |= self.table
        self.last = (winner, self.last[0])
        self.turn = winner
        self.led = self.table = self.best = self.laid = 0

    def finish(self, policies: list[Policy], needs: list[int] | None = None, then: Policy | None = None) -> None:
        """Play the deal out, each seat by its policy.

        With `needs`, the tricks that each seat still lacks, a seat whose number comes to 0 goes on with `then`. Both
        lists are used up.
        """
        while self.laid:  # the trick on the table is finished card by card, the others in the loop below
            self._step(policies[self.turn])
            if needs is not None and not self.laid:
                _took(self.turn, policies, needs, then)
        rules, hands, won, taken = self.rules, self.hands, self.won, self.taken
        trump, plain = rules.trump, rules.plain
        suit_of_bit = SUIT_OF
        order = _ORDER[rules.seats]
        leader, previous = self.turn, self.last
        left = hands[0] | hands[1] | hands[2]
        if rules.seats == 4:
            left |= hands[3]
        while hand := hands[leader]:
            best = policies[leader].lead(hand, left ^ hand, trump) if hand & (hand - 1) else hand
            hands[leader] = hand ^ best
            led = suit = suit_of_bit[best]
            table, winner = best, leader
            for seat, after in order[leader]:
                hand = hands[seat]
                if plain:
                    own = hand & led
                    legal = own or hand
                else:
                    legal = legal_cards(rules, hand, led, table, best)
                    own = legal & led
                if not legal & (legal - 1):
                    bit = legal
                elif own:
                    bit = policies[seat].follow(legal, left ^ hand, best, suit != led, after)
                else:
                    bit = policies[seat].throw(legal, trump, best, suit == trump, after)
                hands[seat] = hand ^ bit
                table |= bit
                if bit & suit:
                    if bit > best:
                        best, winner = bit, seat
                elif bit & trump:
                    best, winner, suit = bit, seat, trump
            left ^= table
            won[winner] += 1
            taken[winner] |= table
            previous = (winner, previous[0])
            leader = winner
            if needs is not None:
                _took(winner, policies, needs, then)
        self.turn, self.last = leader, previous

    def _step(self, policy: Policy) -> None:
        """One card of a trick that has begun."""
        legal = self.legal()
        trumped = bool(self.best & self.rules.trump)
        after = self.rules.seats - 1 - self.laid
        if not legal & (legal - 1):
            bit = legal
        elif legal & self.led:
            others = self.table
            for seat, hand in enumerate(self.hands):
                if seat != self.turn:
                    others |= hand
            bit = policy.follow(legal, others, self.best, trumped and self.led != self.rules.trump, after)
        else:
            bit = policy.throw(legal, self.rules.trump, self.best, trumped, after)
        self.play(bit)


def _took(winner: int, policies: list[Policy], needs: list[int], then: Policy | None) -> None:
    needs[winner] -= 1
    if not needs[winner] and then is not None:
        policies[winner] = then


_ORDER: Final[dict[int, tuple[tuple[tuple[int, int], ...], ...]]] = {
    seats: tuple(
        tuple(((leader + step) % seats, seats - 1 - step) for step in range(1, seats)) for leader in range(seats)
    )
    for seats in (3, 4)
}
"""For each leader, who follows, each with how many play after him."""
