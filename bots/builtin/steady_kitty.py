"""Rules of thumb that the steady bots of Isti'mar and 3-5-8 share: exchanging, putting aside, taking or ducking tricks.

Points are linear in tricks in both games, so a player wants every trick (or, in no tricks, none), whatever his goal.

*Playing*: the best card has the most of ``chance to win this trick - chance that the card would win one later``; to
duck, the other way round. Chances come from counting: each unseen card is with a given player as likely as his share
of the unseen cards says, and a player who showed that he lacks a suit has none of it.

*Exchanging*: give the card for which the loser's highest of that suit is likely to be worth most. *Putting aside*:
short side suits without a winner first, then the cards that are least likely to win.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.actions import Action, parse_action
from engine.cards import (
    FULL_PACK,
    PACK_SIZE,
    SUIT_CARDS,
    SUITS,
    Card,
    CardSet,
    Suit,
    above,
    below,
    by_rank,
    card_set,
    cards_in,
    count,
    highest,
    parse_card,
    suit_of,
)
from engine.kitty import HAND_SIZE, SEATS
from engine.tricks import Trick, strength, winning

OTHERS_CARDS = PACK_SIZE - HAND_SIZE  # what a player does not see after the deal: two hands and the kitty
HONOURS = (0.0,) * 8 + (0.1, 0.25, 0.5, 0.8, 1.0)  # about how often a card of this rank wins a trick, two to ace
DRAWING = 0.2  # what it is worth to take trumps away from the others when more are in hand than they hold
TAKING = 0.75  # what a trick now is worth against one later: the card that wins late also finds more cards gone
KEEPING_SUIT = 0.5  # chance that nobody ruffs a side suit winner later on, for each suit, while others hold trumps


@dataclass(frozen=True, slots=True)
class Sight:
    """What matters of a view, as sets of cards.

    can_hold  for every seat, the cards that it may hold (own seat: the hand)
    unseen    cards that are neither in the hand nor played
    """

    seat: int
    hand: CardSet
    trump: Suit | None
    trick: Trick
    counts: tuple[int, ...]
    can_hold: tuple[CardSet, ...]
    unseen: CardSet

    @classmethod
    def of(cls, view: Mapping[str, Any]) -> Sight:
        """The view of `Istimar.view` or `ThreeFiveEight.view`, with `seat` and `hand`."""
        seat, hand = int(view["seat"]), card_set(parse_card(word) for word in view["hand"])
        trick = _trick(view["trick"])
        tricks = [_trick(one) for one in view["tricks"]]
        played = card_set(card for one in (*tricks, trick) for _, card in one)
        unseen = FULL_PACK & ~hand & ~played
        can_hold = [hand if other == seat else unseen for other in range(SEATS)]
        for one in (*tricks, trick):
            for other, card in one[1:]:
                led = suit_of(one[0][1])
                if other != seat and suit_of(card) != led:
                    can_hold[other] &= ~SUIT_CARDS[led]
        word = view.get("trump")
        trump = SUITS.index(word) if word in tuple(SUITS) else None
        return cls(seat, hand, trump, trick, tuple(view["counts"]), tuple(can_hold), unseen)

    def share(self, other: int) -> float:
        """How likely a given card that `other` can hold is in that hand."""
        possible = count(self.can_hold[other])
        return min(1.0, self.counts[other] / possible) if possible else 0.0

    def lacks(self, other: int, cards: CardSet) -> float:
        """The chance that `other` has none of these cards."""
        return float((1.0 - self.share(other)) ** count(cards & self.can_hold[other]))

    @property
    def later(self) -> tuple[int, ...]:
        """The seats that play to this trick after us."""
        return tuple((self.seat + steps) % SEATS for steps in range(1, SEATS - len(self.trick)))

    def takes(self, card: Card) -> float:
        """The chance that `card` wins this trick when the others want it too."""
        led = suit_of(self.trick[0][1]) if self.trick else suit_of(card)
        if self.trick:
            best = winning(self.trick, self.trump)[1]
            if strength(best, led, self.trump) > strength(card, led, self.trump):
                return 0.0
        chance = 1.0
        for other in self.later:
            chance *= 1.0 - self._beats(other, card, led)
        return chance

    def _beats(self, other: int, card: Card, led: Suit) -> float:
        trumps = SUIT_CARDS[self.trump] if self.trump is not None else 0
        ruffed = suit_of(card) == self.trump != led
        higher = 0.0 if ruffed else 1.0 - self.lacks(other, above(card))
        if self.trump is None or self.trump == led:
            return higher
        void = self.lacks(other, SUIT_CARDS[led])
        ruffs = 1.0 - self.lacks(other, above(card) if ruffed else trumps)
        return min(1.0, higher + void * ruffs)

    def sticks(self, card: Card) -> float:
        """The chance that `card` wins this trick when the others duck if they can."""
        led = suit_of(self.trick[0][1]) if self.trick else suit_of(card)
        if suit_of(card) != led:
            return 0.0
        if self.trick and winning(self.trick, None)[1] > card:
            return 0.0
        chance = 1.0
        for other in self.later:
            forced = self.lacks(other, below(card)) * (1.0 - self.lacks(other, above(card)))
            chance *= 1.0 - forced
        return chance

    def future(self, card: Card) -> float:
        """About how likely `card` is to win a trick later on, when the others want it too."""
        higher = count(above(card) & self.unseen)
        if suit_of(card) == self.trump:
            lower = count(below(card) & self.hand & SUIT_CARDS[self.trump])
            return float(0.65 + 0.35 * 0.72 ** max(0, higher - lower))
        chance = float(0.6**higher)
        if self.trump is not None and self.outstanding_trumps:
            mine = count(SUIT_CARDS[suit_of(card)] & self.hand)
            chance *= KEEPING_SUIT + (1.0 - KEEPING_SUIT) * max(0.0, 1.0 - mine / 8)
        return chance

    def danger(self, card: Card) -> float:
        """About how likely `card` is to take a trick that we don't want: others can go under it."""
        lower = count(below(card) & self.unseen)
        covered = count(below(card) & self.hand)
        return lower / (lower + 2.0 + 1.5 * covered)

    @property
    def outstanding_trumps(self) -> int:
        """How many trumps others may hold."""
        if self.trump is None:
            return 0
        others = [self.can_hold[other] for other in range(SEATS) if other != self.seat]
        return count(SUIT_CARDS[self.trump] & self.unseen & (others[0] | others[1]))


def _trick(plays: Sequence[Sequence[Any]]) -> Trick:
    return tuple((int(seat), parse_card(str(name))) for seat, name in plays)


def unclaimed(legal: Sequence[str]) -> list[Action]:
    """The legal actions but a claim: these bots play on."""
    return [action for action in map(parse_action, legal) if action.verb != "claim"]


def best_action(view: Mapping[str, Any], sight: Sight, actions: Sequence[Action], duck: bool = False) -> Action:
    """What both games decide alike: everything but what the declarer names. `duck` when tricks are unwanted."""
    match actions[-1].verb:
        case "give":
            return best_exchange(sight, actions, own_cards=view["options"]["return_rule"] == "own_cards")
        case "return":
            return best_return(sight, actions)
        case "discard":
            return best_discard(sight, actions, duck)
        case "play":
            return best_play(sight, actions, duck)
        case _:
            return actions[0]


def best_play(sight: Sight, actions: Sequence[Action], duck: bool) -> Action:
    """The card to play; `duck` when tricks are unwanted."""

    def value(action: Action) -> tuple[float, int]:
        card = action.card
        if duck:
            return sight.danger(card) - 1.6 * sight.sticks(card), card
        gain = TAKING * sight.takes(card) - sight.future(card)
        if not sight.trick and suit_of(card) == sight.trump:
            mine, theirs = count(SUIT_CARDS[sight.trump] & sight.hand), sight.outstanding_trumps
            gain += DRAWING if 0 < theirs < 1.6 * mine else 0.0
        return gain, -card

    return max(actions, key=value)


def best_discard(sight: Sight, actions: Sequence[Action], duck: bool) -> Action:
    """The card to put aside, of the four in turn."""
    left = count(sight.hand) - HAND_SIZE

    def value(action: Action) -> tuple[float, int]:
        card = action.card
        suit = suit_of(card)
        mine = sight.hand & SUIT_CARDS[suit]
        if duck:
            return -sight.danger(card), -card
        if suit == sight.trump:
            return 3.0 + HONOURS[card % 13], card
        keep = HONOURS[card % 13] + (0.3 if _guarded(card, mine) else 0.0)
        if sight.trump is not None and count(mine) <= left and not mine & ~(mine & _losers(suit)):
            keep -= 1.0 - 0.1 * count(mine)  # a void lets us ruff
        elif sight.trump is None:
            keep += 0.08 * count(mine)  # length wins tricks at the end
        return keep, card

    return min(actions, key=value)


def _losers(suit: Suit) -> CardSet:
    """Two to queen of a suit."""
    return SUIT_CARDS[suit] & ~(0b11 << (13 * suit + 11))


def _guarded(card: Card, mine: CardSet) -> bool:
    """Whether the king or queen of the suit would fall without this small card."""
    top = highest(mine) % 13
    return top in (10, 11) and count(mine) <= 12 - top + 1 and card != highest(mine)


def best_exchange(sight: Sight, actions: Sequence[Action], own_cards: bool) -> Action:
    """What to give to whom, or `stop` when it is allowed and nothing is to be gained."""
    gains = {action: _exchange_gain(sight, action, own_cards) for action in actions if action.verb == "give"}
    best = max(gains, key=lambda action: (gains[action], -action.card % 13))
    stops = [action for action in actions if action.verb == "stop"]
    return stops[0] if stops and gains[best] <= 0.0 else best


def _exchange_gain(sight: Sight, action: Action, own_cards: bool) -> float:
    """What the card that comes back is worth more than the one given, on average."""
    given = action.card
    suit = suit_of(given)
    if suit == sight.trump:
        return -1.0  # anything may come back
    share = HAND_SIZE / OTHERS_CARDS
    expected, chance = 0.0, 1.0
    for card in sorted(cards_in(SUIT_CARDS[suit] & sight.unseen), reverse=True):
        if card < given and not own_cards:
            break
        expected += chance * share * _exchange_worth(card)
        chance *= 1.0 - share
    expected += chance * _exchange_worth(given)
    return expected - _exchange_worth(given)


def _exchange_worth(card: Card) -> float:
    return HONOURS[card % 13] + 0.01 * (card % 13)


def best_return(sight: Sight, actions: Sequence[Action]) -> Action:
    """What to give back where the choice is free: the card that is least likely to win, no trump."""
    order = {card: place for place, card in enumerate(by_rank(sight.hand))}
    return min(actions, key=lambda action: (suit_of(action.card) == sight.trump, order[action.card]))


def suit_strength(hand: CardSet, suit: Suit) -> float:
    """How good `suit` would be as trumps: length, and honours on top."""
    cards = hand & SUIT_CARDS[suit]
    return count(cards) + sum(HONOURS[card % 13] for card in cards_in(cards))


def honours(hand: CardSet) -> float:
    """About how many tricks the high cards of a hand win."""
    return sum(HONOURS[card % 13] for card in cards_in(hand))
