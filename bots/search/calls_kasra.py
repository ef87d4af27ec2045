"""Kasra before the first card: which game, which trumps, which cards to double.

All four games of a kingdom must be played by its owner. So a game is chosen for what it brings with this hand *and* for
what the games that are left then bring with hands to come: `LEFT`, worked out from the shortest lists up as the mean,
over 1,500 random hands, of the best of (this game by play-outs + what is left).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bots.search.deals import TrickDeal, kasra_deal
from bots.search.judgement import Budget, Judgement, Tally
from bots.search.points import Complex
from bots.search.reading import Reading, cards_of, trump_cards
from bots.search.samples import sample
from engine.actions import Action, parse_action
from engine.cards import NO_CARDS, SUIT_CARDS

LEFT: Final[Mapping[frozenset[str], float]] = {
    frozenset(): 0.0,
    frozenset({"complex"}): -7.5,
    frozenset({"tarneeb"}): 17.2,
    frozenset({"ltooshain"}): -0.4,
    frozenset({"trix"}): -2.3,
    frozenset({"complex", "tarneeb"}): 51.9,
    frozenset({"complex", "ltooshain"}): 28.1,
    frozenset({"complex", "trix"}): 41.6,
    frozenset({"ltooshain", "tarneeb"}): 34.2,
    frozenset({"tarneeb", "trix"}): 34.4,
    frozenset({"ltooshain", "trix"}): 28.6,
    frozenset({"complex", "ltooshain", "tarneeb"}): 85.8,
    frozenset({"complex", "tarneeb", "trix"}): 98.0,
    frozenset({"complex", "ltooshain", "trix"}): 87.0,
    frozenset({"ltooshain", "tarneeb", "trix"}): 69.9,
}
"""The owner's margin in the games still to be played, by which they are. A little too high, as the best of several
guesses always is, but alike for lists of one length, and only these are compared."""


def judge_call(reading: Reading, legal: tuple[str, ...], budget: Budget) -> Judgement | None:
    """Judge a choice before the first card of Kasra."""
    actions = {text: parse_action(text) for text in legal}
    match next(iter(actions.values())).verb:
        case "game":
            return _games(reading, actions, budget)
        case "trump":
            return _trumps(reading, actions, budget)
        case "double":
            return _doubles(reading, actions, budget)
    return None


def _games(reading: Reading, actions: Mapping[str, Action], budget: Budget) -> Judgement:
    """Tarneeb counts with the best of the four trumps."""
    available = frozenset(reading.raw["available"])
    tried: dict[str, list[Tally]] = {}
    jobs = []
    for text, action in actions.items():
        left = LEFT[available - {action.word}]
        trumps = SUIT_CARDS if action.word == "tarneeb" else (NO_CARDS,)
        tried[text] = [Tally(later=left) for _ in trumps]
        jobs += [
            (kasra_deal(reading, action.word, trump, (NO_CARDS,) * 4), tally)
            for trump, tally in zip(trumps, tried[text], strict=True)
        ]
    for hands in budget.spend(sample(reading, budget)):
        for deal, tally in jobs:
            tally.add(deal.finish(deal.at(hands)), reading.seat)  # type: ignore[arg-type]
    return Judgement({text: max(tallies, key=lambda tally: tally.worth) for text, tallies in tried.items()})


def _trumps(reading: Reading, actions: Mapping[str, Action], budget: Budget) -> Judgement:
    deals = {text: kasra_deal(reading, "tarneeb", trump_cards(action.word), ()) for text, action in actions.items()}
    tallies = {text: Tally() for text in actions}
    for hands in budget.spend(sample(reading, budget)):
        for text, deal in deals.items():
            tallies[text].add(deal.finish(deal.at(hands)), reading.seat)  # type: ignore[arg-type]
    return Judgement(tallies)


def _doubles(reading: Reading, actions: Mapping[str, Action], budget: Budget) -> Judgement:
    """One play-out tells who takes which card, so it judges all choices. What others double at the same time is not
    known and not guessed: it does not change what ours bring."""
    doubled = [cards_of(cards) for cards in reading.raw["doubled"]]
    deal = kasra_deal(reading, "complex", NO_CARDS, doubled)
    assert isinstance(deal, TrickDeal)
    scorers = {}
    for text, action in actions.items():
        mine = [action.cards if seat == reading.seat else cards for seat, cards in enumerate(doubled)]
        scorers[text] = Complex.of(mine, str(reading.options["self_capture"]))
    tallies = {text: Tally() for text in actions}
    for hands in budget.spend(sample(reading, budget)):
        position = deal.at(hands)
        deal.finish(position)
        for text, scorer in scorers.items():
            tallies[text].add(scorer.points(position), reading.seat)
    return Judgement(tallies)
