"""Rules of thumb for Kasra.

*Choosing a game*: what this hand should bring in each game, against what an average hand brings (all four must be
played in the end, so the game to choose is the one that this hand suits better than the next hand will).

*Complex and the last two tricks*: every card gets a price, and the cheapest is played::

    chance to win this trick × what the trick costs  +  what the rest of the hand will cost  -  what others are given

The chance comes from counting: a player who follows plays under a card if he can, so a card wins if each later player
either has a lower one or has none of the suit (see `Sight.chance`).

*Tarneeb*: winners first, cheap wins in last seat, ruffs; the trump is the suit with most cards and honours.

*Trix*: a card that opens the way for the own cards behind it is good, one that opens it only for others is held back,
and a card that opens nothing (the end of a row) is kept for when every other card would help somebody else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bots.search.policies import TAKE
from engine.actions import Action, parse_action
from engine.cards import (
    ACE,
    DIAMONDS,
    FULL_PACK,
    HEARTS,
    JACK,
    KING,
    NO_CARDS,
    SUIT_CARDS,
    SUITS,
    Card,
    CardSet,
    Suit,
    above,
    below,
    card,
    card_set,
    cards_in,
    count,
    parse_card,
    parse_cards,
    rank_of,
    suit_of,
)
from engine.games.kasra.scoring import (
    COMPLEX_TRICK_POINTS,
    DIAMOND_POINTS,
    DOUBLABLE,
    LAST_TRICKS_POINTS,
    single_value,
)
from engine.tricks import Play, Trick, strength, winning

TRICK, DIAMOND = -COMPLEX_TRICK_POINTS, -DIAMOND_POINTS  # what they cost in Complex
LAST_BUT_ONE, LAST_TRICK = (-points for points in LAST_TRICKS_POINTS)
VOID = 50  # what somebody throws who has none of the suit: his dearest card
SHOWN = 1.2  # a card that all have seen is hunted


def choose(view: Mapping[str, object], legal: Sequence[str]) -> str:
    """A sensible one of `legal`."""
    if len(legal) == 1:
        return legal[0]
    sight = Sight.of(view)
    actions = [parse_action(text) for text in legal]
    match actions[0].verb:
        case "game":
            return str(max(actions, key=lambda action: promise(sight.hand, action.word)))
        case "trump":
            return str(max(actions, key=lambda action: trump_strength(sight.hand, SUITS.index(action.word))))
        case "double":
            return str(max(actions, key=lambda action: doubling_gain(sight, action)))
    best = {"complex": _complex, "ltooshain": _last_two, "tarneeb": _tarneeb, "trix": _trix}[sight.contract]
    return str(
        best(sight, [action for action in actions if action.verb == "play"])
        if actions[0].cards
        else actions[0]
    )


@dataclass(frozen=True, slots=True)
class Sight:
    """What matters of a view, as sets of cards."""

    seat: int
    hand: CardSet
    contract: str
    trump: Suit | None
    trick: Trick
    number: int  # of the trick, from 1
    can_hold: tuple[CardSet, ...]
    counts: tuple[int, ...]
    doubled: tuple[CardSet, ...]
    rows: tuple[CardSet, ...]  # Trix: the lowest and the highest card of each suit on the table
    full_capture: bool  # taking one's own doubled card costs double

    @classmethod
    def of(cls, view: Mapping[str, Any]) -> Sight:
        """Read a view of Kasra."""
        return cls(
            seat=view["seat"],
            hand=parse_cards(" ".join(view["hand"])),
            contract=view["contract"],
            trump=SUITS.index(view["trump"]) if view["trump"] else None,
            trick=tuple((seat, parse_card(name)) for seat, name in view["trick"]),
            number=sum(view["tricks"]) + 1,
            can_hold=tuple(parse_cards(" ".join(cards)) for cards in view["can_hold"]),
            counts=tuple(view["counts"]),
            doubled=tuple(parse_cards(" ".join(cards)) for cards in view["doubled"]),
            rows=tuple(parse_cards(" ".join(dict.fromkeys(view["rows"][suit]))) for suit in SUITS),
            full_capture=view.get("options", {}).get("self_capture") == "full",
        )

    @property
    def others(self) -> tuple[int, ...]:
        """The other seats in order of play."""
        return tuple((self.seat + k) % 4 for k in range(1, 4))

    @property
    def later(self) -> tuple[int, ...]:
        """The seats that play to this trick after us."""
        return self.others[: 3 - len(self.trick)]

    @property
    def unseen(self) -> CardSet:
        """The cards in other hands, as far as we can tell."""
        union = NO_CARDS
        for seat in self.others:
            union |= self.can_hold[seat]
        return union & ~self.hand

    @property
    def best(self) -> Play:
        """The play that wins the trick as it lies."""
        return winning(self.trick, self.trump)

    def has(self, seat: int, cards: CardSet) -> float:
        """The chance that `seat` holds at least one of these cards."""
        held = count(cards & self.can_hold[seat] & ~self.hand)
        if not held:
            return 0.0
        hidden = sum(self.counts[other] for other in self.others) or 1
        return 1.0 - (1.0 - self.counts[seat] / hidden) ** held

    def chance(self, one: Card, seats: Sequence[int]) -> float:
        """The chance that none of `seats`, who all avoid winning, is forced to beat `one`."""
        chance = 1.0
        for seat in seats:
            chance *= 1.0 - self.has(seat, above(one)) * (1.0 - self.has(seat, below(one)))
        return chance


# ---- choosing -----------------------------------------------------------------------------------------------------


def promise(hand: CardSet, game: str) -> float:
    """How much better than an average hand this one is for a game, in points."""
    match game:
        case "complex":
            return 95.0 - _burden(hand)
        case "tarneeb":
            return 10.0 * (max(trump_strength(hand, suit) for suit in range(4)) - 4.2)
        case "ltooshain":
            return 6.0 * (sum(_low_rank(hand, suit) for suit in range(4)) - 5.5)
        case _:
            return 9.0 * (_trix_speed(hand) - 11.5)


def _burden(hand: CardSet) -> float:
    """Roughly the points that a hand loses in Complex: high cards that no low card of the suit protects."""
    burden = 0.0
    for suit, in_suit in enumerate(SUIT_CARDS):
        price = 26.0 if suit == DIAMONDS else 32.0 if suit == HEARTS else 24.0
        for guards, one in enumerate(cards_in(hand & in_suit)):
            burden += price * (rank_of(one) / 12) ** 2 * 0.72**guards
    return burden


def trump_strength(hand: CardSet, trump: Suit) -> float:
    """Roughly the tricks that a hand takes with this trump: length, honours, and ruffs in short suits."""
    trumps = hand & SUIT_CARDS[trump]
    tricks = 0.62 * count(trumps) + sum(max(0, rank_of(one) - JACK + 1) * 0.12 for one in cards_in(trumps))
    for suit, in_suit in enumerate(SUIT_CARDS):
        if suit != trump:
            held = hand & in_suit
            tricks += 0.75 * (held >> card(ACE, suit) & 1)
            tricks += 0.4 * (held >> card(KING, suit) & 1 and count(held) > 1)
    return tricks


def _low_rank(hand: CardSet, suit: Suit) -> float:
    """How good the lowest cards of a suit are to finish with; an empty suit is as good as a two."""
    held = hand & SUIT_CARDS[suit]
    lowest = next(cards_in(held), None)
    return 2.5 if lowest is None else 2.5 - 0.25 * rank_of(lowest) - 0.1 * count(held >> 8 & held)


def _trix_speed(hand: CardSet) -> float:
    """How soon a hand can be laid down: middle cards early, twos and aces late unless the way to them is ours."""
    speed = 0.0
    for one in cards_in(hand):
        distance = abs(rank_of(one) - JACK)
        between = (below(one) & above(card(JACK, suit_of(one)))) | (
            above(one) & below(card(JACK, suit_of(one)))
        )
        speed += 1.6 if not distance else 1.2 - 0.11 * (distance - count(between & hand))
    return speed


def doubling_gain(sight: Sight, action: Action) -> float:
    """What it brings to double these cards, in parts of their value: 1 if somebody else takes them. To take one's own
    doubled card costs no more than undoubled, unless the option `self_capture` is ``full`` (B-KAS-8)."""
    loss = 2.0 if sight.full_capture else SHOWN
    return sum(1.0 - loss * _capture(sight, one) for one in cards_in(action.cards))


def _capture(sight: Sight, one: Card) -> float:
    """The chance that we ourselves take a card we hold: high when few lower cards of its suit protect it."""
    guards = count(sight.hand & below(one))
    higher = count(SUIT_CARDS[suit_of(one)] & above(one) & ~sight.hand)
    return 0.75 * 0.75**guards if higher else 0.9 * 0.8**guards


# ---- Complex ------------------------------------------------------------------------------------------------------


def penalty(sight: Sight, one: Card) -> float:
    """What a card costs whoever takes it; for us, what it costs or brings that somebody else gets it."""
    value = float(single_value(one)) if DOUBLABLE >> one & 1 else 0.0
    if any(cards >> one & 1 for seat, cards in enumerate(sight.doubled) if seat != sight.seat):
        value *= 2
    return value + (DIAMOND if suit_of(one) == DIAMONDS else 0)


def _complex(sight: Sight, actions: Sequence[Action]) -> Action:
    dumped = sum(penalty(sight, one) for one in cards_in(sight.unseen)) / max(1, count(sight.unseen))
    return min(actions, key=lambda action: _complex_price(sight, action.card, dumped))


def _complex_price(sight: Sight, one: Card, dumped: float) -> float:
    """`dumped` is the average penalty of a card that we do not see; who is void throws worse than that."""
    trick = _chance_to_take(sight, one)
    led = suit_of(sight.trick[0][1]) if sight.trick else suit_of(one)
    cost = TRICK + penalty(sight, one) + sum(penalty(sight, other) for _, other in sight.trick)
    in_suit = SUIT_CARDS[led] & sight.unseen
    followed = sum(penalty(sight, other) for other in cards_in(in_suit)) / max(1, count(in_suit))
    for seat in sight.later:
        follows = sight.has(seat, SUIT_CARDS[led])
        cost += follows * followed * 0.8 + (1 - follows) * VOID
    rest = sight.hand & ~(1 << one)
    mine = sight.doubled[sight.seat] >> one & 1
    given = (1 - trick) * penalty(sight, one) * (1.2 if mine else 0.4)
    return trick * cost + _complex_danger(sight, rest, dumped) - given


def _chance_to_take(sight: Sight, one: Card) -> float:
    if sight.trick:
        led = suit_of(sight.trick[0][1])
        if strength(one, led, sight.trump) < strength(sight.best[1], led, sight.trump):
            return 0.0
    return sight.chance(one, sight.later)


def _complex_danger(sight: Sight, hand: CardSet, dumped: float) -> float:
    """What the cards of a hand will cost later on."""
    danger = 0.0
    for in_suit in SUIT_CARDS:
        outside = in_suit & sight.unseen
        price = (
            TRICK
            + 2.2 * sum(penalty(sight, one) for one in cards_in(outside)) / max(1, count(outside))
            + dumped
        )
        for guards, one in enumerate(cards_in(hand & in_suit)):
            # With nothing left outside the card only wins when we lead it.
            wins = sight.chance(one, sight.others) if outside else 0.35
            danger += wins * (price + penalty(sight, one)) * 0.72**guards
    return danger


# ---- the last two tricks ------------------------------------------------------------------------------------------


def _last_two(sight: Sight, actions: Sequence[Action]) -> Action:
    return min(actions, key=lambda action: _last_two_price(sight, action.card))


# What winning a trick costs: from the tenth on it threatens to leave us on lead at the end.
_LEAD_COST = {10: 8.0, 11: 30.0, 12: LAST_BUT_ONE + 35.0, 13: float(LAST_TRICK)}


def _last_two_price(sight: Sight, one: Card) -> float:
    rest = sight.hand & ~(1 << one)
    wins = [sight.chance(other, sight.others) if SUIT_CARDS[suit_of(other)] & sight.unseen else 0.5
            for other in cards_in(rest)]  # fmt: skip
    danger = 65.0 * sum(wins) / max(1, len(wins)) * 2
    return _chance_to_take(sight, one) * _LEAD_COST.get(sight.number, 0.0) + danger


# ---- Tarneeb ------------------------------------------------------------------------------------------------------


def _tarneeb(sight: Sight, actions: Sequence[Action]) -> Action:
    """What the play-outs of the searching bots do: masters, cheap wins in last seat, ruffs."""
    plays = {action.cards: action for action in actions}
    trump = NO_CARDS if sight.trump is None else SUIT_CARDS[sight.trump]
    legal = card_set(action.card for action in actions)
    if not sight.trick:
        return plays[TAKE.lead(sight.hand, sight.unseen, trump)]
    led, best = SUIT_CARDS[suit_of(sight.trick[0][1])], 1 << sight.best[1]
    after = 3 - len(sight.trick)
    if legal & led:
        return plays[TAKE.follow(legal, sight.unseen, best, bool(best & trump) and led != trump, after)]
    return plays[TAKE.throw(legal, trump, best, bool(best & trump), after)]


# ---- Trix ---------------------------------------------------------------------------------------------------------


def _trix(sight: Sight, actions: Sequence[Action]) -> Action:
    return max(actions, key=lambda action: _trix_worth(sight, action.card))


def _trix_worth(sight: Sight, one: Card) -> float:
    rank = rank_of(one)
    jack = card(JACK, suit_of(one))
    worth = 0.0
    for behind in (above(one), below(one)):
        if (rank > JACK and behind == below(one)) or (rank < JACK and behind == above(one)):
            continue
        mine, theirs = behind & sight.hand, behind & sight.unseen & ~sight.hand
        # Our own cards in this direction need the way opened; those of others need it too.
        worth += 1.0 * count(mine) - 0.45 * count(theirs)
        nearest = _next_to(one, behind)
        if nearest is not None:
            worth += 0.8 if sight.hand >> nearest & 1 else -0.4 if sight.unseen >> nearest & 1 else 0.0
        for far in cards_in(mine):
            worth += 0.12 * abs(rank_of(far) - rank)
    return worth + (0.3 if one == jack else 0.0)


def _next_to(one: Card, behind: CardSet) -> Card | None:
    """The card directly behind `one` in a direction."""
    if not behind:
        return None
    near = one + 1 if behind >> (one + 1) & 1 else one - 1
    return near if FULL_PACK >> near & 1 and behind >> near & 1 else None
