"""Isti'mar and 3-5-8 before the first card: contracts and trumps, gives and returns, what is put aside.

Every choice is looked at in the same way: the hidden cards are dealt, the choice is made, whatever comes between it and
the first trick is done by rules of thumb (`discards`), and the deal is played out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from bots.search.deals import TrickDeal, istimar_deal, three_five_eight_deal
from bots.search.discards import longest_suit, put_aside
from bots.search.hidden import ASIDE, Hidden
from bots.search.judgement import Budget, Judgement, Tally, judged
from bots.search.points import Points
from bots.search.reading import Reading, trump_cards
from bots.search.samples import sample
from bots.search.worlds import Worlds
from engine.actions import Action, parse_action
from engine.cards import FULL_PACK, NO_CARDS, CardSet, suit_of
from engine.cards import SUIT_CARDS as SUITS_OF_CARDS
from engine.games.three_five_eight import CONTRACTS, NO_TRICKS
from engine.kitty import GOALS, HAND_SIZE, KITTY_SIZE, SEATS, by_role

World = tuple[list[CardSet], CardSet]
"""Hands by seat, and the kitty where it is not taken yet."""

USUAL: Final = {"suit": -1.75, "NT": -2.63, NO_TRICKS: -0.21}
"""What a contract of 3-5-8 brings its declarer on average in margin, over 4,000 deals played out with random cards: as
much is lost by using it up."""

SWAP: Final = 0.8
"""What each card that he gives in the exchange brings the declarer in margin, and each that is given to him costs:
found by playing 80 packs with and without exchanges of one to four cards."""

USUAL_BEFORE: Final = -0.9
"""The points that the declarer has made on average in the deal before, where his goal was 5."""

MORE_WORLDS: Final = 3
"""A contract decides the whole deal; with 20 worlds 0.19 points of it are lost to chance, with 60 worlds 0.04."""


def judge_call(reading: Reading, legal: tuple[str, ...], budget: Budget) -> Judgement | None:
    """Judge a choice before the first card of Isti'mar or 3-5-8."""
    actions = {text: parse_action(text) for text in legal}
    verb = next(reversed(actions.values())).verb
    if verb == "contract":
        return _contract(reading, actions, budget.times(MORE_WORLDS))
    outcome = _OUTCOMES.get(verb)
    return None if outcome is None else _judged(reading, actions, budget, outcome)


Outcome = Callable[[Reading, Action, World], tuple[list[CardSet], CardSet, CardSet]]
"""An action in a world: the hands and the kitty after it, and the trumps (0: not known yet)."""


def _judged(reading: Reading, actions: dict[str, Action], budget: Budget, outcome: Outcome) -> Judgement:
    sensible = _lowest(actions)
    tallies = {text: Tally() for text in actions if text in sensible}  # in the order of the list, which decides ties
    deals: dict[CardSet, TrickDeal] = {}

    def brings(text: str, world: World) -> Points:
        hands, kitty, trump = outcome(reading, actions[text], (list(world[0]), world[1]))
        return _played_out(reading, hands, kitty, trump, deals)

    return judged(budget, _worlds(reading, budget), actions, tallies, brings, reading.seat)


def _lowest(actions: dict[str, Action]) -> set[str]:
    """Of the gives only the lowest card of each suit to each seat, since what comes back hangs on the suit; and all
    other actions."""
    gives: dict[tuple[int, int], str] = {}
    for text, action in sorted(actions.items(), key=lambda item: item[1].cards):
        if action.verb == "give":
            gives.setdefault((action.to, suit_of(action.card)), text)
    return {text for text, action in actions.items() if action.verb != "give" or text in gives.values()}


def _worlds(reading: Reading, budget: Budget) -> Iterator[World]:
    """Hands, and the kitty unless it is taken: then what is aside is out of the deal."""
    taken = reading.raw["phase"] == "discard"
    for hands in sample(reading, budget):
        held = hands[0] | hands[1] | hands[2]
        yield hands, NO_CARDS if taken else FULL_PACK & ~held


def _played_out(
    reading: Reading, hands: list[CardSet], kitty: CardSet, trump: CardSet, deals: dict[CardSet, TrickDeal]
) -> Points:
    """The deal from here on: trumps are the declarer's longest suit if they are not named, he takes the kitty and puts
    four cards aside."""
    declarer = int(reading.raw["declarer"])
    contract = str(reading.raw.get("contract") or "")
    if not trump and not contract:
        trump = longest_suit(hands[declarer])
    mine = hands[declarer] | kitty
    hands[declarer] = mine & ~put_aside(mine, mine.bit_count() - HAND_SIZE, trump, contract == NO_TRICKS)
    if trump not in deals:
        deals[trump] = _deal(reading, contract, trump)
    deal = deals[trump]
    return deal.finish(deal.at(hands))


def _deal(reading: Reading, contract: str, trump: CardSet) -> TrickDeal:
    if reading.game == "istimar":
        return istimar_deal(reading, trump)
    return three_five_eight_deal(reading, contract, trump, tuple(reading.raw["goals"]))


# ---- the choices --------------------------------------------------------------------------------------------------


def _named(reading: Reading, action: Action, world: World) -> tuple[list[CardSet], CardSet, CardSet]:
    return (*world, trump_cards(action.word))


def _aside(reading: Reading, action: Action, world: World) -> tuple[list[CardSet], CardSet, CardSet]:
    hands, kitty = world
    hands[reading.seat] &= ~action.cards
    return hands, kitty, reading.trump


def _given(reading: Reading, action: Action, world: World) -> tuple[list[CardSet], CardSet, CardSet]:
    """The loser returns what the rule says; for a trump, the card that he misses least."""
    hands, kitty = world
    if action.verb == "stop":
        return hands, kitty, reading.trump
    suit = SUITS_OF_CARDS[suit_of(action.card)]
    own = hands[action.to] & suit
    if suit == reading.trump:
        back = put_aside(hands[action.to], 1, reading.trump, False)
    elif reading.raw["exchange"]["own_cards"]:
        back = 1 << (own.bit_length() - 1) if own else action.cards
    else:
        back = 1 << ((own | action.cards).bit_length() - 1)
    hands[reading.seat] = hands[reading.seat] & ~action.cards | back
    hands[action.to] = (hands[action.to] | action.cards) & ~back
    return hands, kitty, reading.trump


def _returned(reading: Reading, action: Action, world: World) -> tuple[list[CardSet], CardSet, CardSet]:
    hands, kitty = world
    giver = int(reading.raw["exchange"]["giver"])
    hands[reading.seat] &= ~action.cards
    hands[giver] |= action.cards
    return hands, kitty, reading.trump


_OUTCOMES: Mapping[str, Outcome] = {
    "trump": _named,
    "give": _given,
    "stop": _given,
    "return": _returned,
    "discard": _aside,
}


# ---- 3-5-8: the contract, from six cards --------------------------------------------------------------------------


def _contract(reading: Reading, actions: dict[str, Action], budget: Budget) -> Judgement:
    """All other cards are dealt at random: nobody else has done anything yet."""
    kept, swapped = _kept(reading), _swapped(reading)
    tallies = {
        text: Tally(later=(swapped if trump_cards(action.word) else 0.0) - kept * usual(action.word))
        for text, action in actions.items()
    }
    deals = {text: _contract_deal(reading, action.word) for text, action in actions.items()}
    for hands, kitty in budget.spend(_first_six(reading, budget)):
        for text, action in actions.items():
            deal, dealt = deals[text], list(hands)
            mine = dealt[reading.seat] | kitty
            aside = put_aside(mine, KITTY_SIZE, trump_cards(action.word), action.word == NO_TRICKS)
            dealt[reading.seat] = mine & ~aside
            tallies[text].add(deal.finish(deal.at(dealt)), reading.seat)
    return Judgement(tallies)


def _kept(reading: Reading) -> float:
    """How likely a contract that is not used up now will be declared later: surely in a whole game, less in a short
    one."""
    to_come = (reading.raw["deals"] - reading.raw["deal"]) // SEATS
    left = len(CONTRACTS) - len(reading.raw["contracts"][reading.seat]) - 1
    return to_come / left if left else 0.0


def _swapped(reading: Reading) -> float:
    """What a contract with trumps brings by the exchange that comes with it, above what it usually does."""
    results = reading.raw["results"]
    return SWAP * (results[-1][reading.seat] - USUAL_BEFORE) if results else 0.0


def usual(contract: str) -> float:
    """What a contract brings on average."""
    return USUAL.get(contract, USUAL["suit"])


def _contract_deal(reading: Reading, contract: str) -> TrickDeal:
    swapped = contract == NO_TRICKS and reading.options["no_tricks_limits"] == "reversed"
    goals = by_role(reading.seat, (GOALS[2], GOALS[1], GOALS[0]) if swapped else GOALS)
    return three_five_eight_deal(reading, contract, trump_cards(contract), goals)


def _first_six(reading: Reading, budget: Budget) -> Iterator[World]:
    """Whole hands and the kitty when only our first cards are known."""
    missing = HAND_SIZE - reading.hand.bit_count()
    seats: Sequence[int] = (*reading.others, reading.seat, ASIDE)
    counts = (HAND_SIZE, HAND_SIZE, missing, KITTY_SIZE)
    unseen = reading.unseen
    worlds = Worlds(Hidden(unseen, tuple(seats), counts, (unseen,) * len(seats)), budget.random)
    for _ in range(budget.worlds):
        world = worlds.draw()
        hands = [NO_CARDS] * SEATS
        for seat, cards in zip(reading.others, world, strict=False):
            hands[seat] = cards
        hands[reading.seat] = reading.hand | world[2]
        yield hands, world[3]
