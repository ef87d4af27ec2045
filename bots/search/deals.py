"""The deal that a view shows, ready to be played on in any world: its rules, how it is played out, what it is worth.

A `Deal` is made once for a decision. `at(hands)` is the position of the view when the hands are these, to be copied
or used up; `finish(position)` plays it out by the rollout policies and gives the points by seat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bots.search.points import TARNEEB, Complex, Estimates, LastTricks, Linear, Points, Scorer, trix_points
from bots.search.policies import AVOID, DUCK, SHED, TAKE, WANT
from bots.search.reading import Reading, cards_of
from bots.search.tricks import Policy, Position, Rules
from bots.search.trix import TrixPosition
from engine.cards import NO_CARDS, CardSet
from engine.games import istimar, three_five_eight
from engine.games.estimation import Declared
from engine.games.estimation import table as estimation_table
from engine.games.estimation.rules import DUTIES as ESTIMATION_DUTIES
from engine.games.kasra.state import TRICK_DUTIES
from engine.games.kasra.trix import playable

Move: TypeAlias = int
"""A card as a set, or 0 for a pass in Trix."""


@dataclass(frozen=True, slots=True)
class TrickDeal:
    """A deal of tricks.

    policy   how everybody plays in it
    needs    Estimation: the tricks that each seat still lacks where the deal stands, else empty
    played   where the deal stands, without the cards still held
    """

    rules: Rules
    scorer: Scorer
    policy: Policy
    needs: tuple[int, ...]
    played: Position

    def at(self, hands: Sequence[CardSet]) -> Position:
        """The position with these cards still held."""
        position = self.played.copy()
        position.hands = list(hands)
        return position

    def finish(self, position: Position) -> Points:
        """Play a position of this deal out; the points by seat."""
        policy, seats = self.policy, self.rules.seats
        if not self.needs:
            position.finish([policy] * seats)
            return self.scorer.points(position)
        needs = [need - won for need, won in zip(self.needs, position.won, strict=True)]
        position.finish([WANT if need > 0 else DUCK for need in needs], needs, DUCK)
        return self.scorer.points(position)

    def points(self, position: Position) -> Points:
        """What a position that is over is worth."""
        return self.scorer.points(position)


@dataclass(frozen=True, slots=True)
class TrixDeal:
    """A deal of Trix; `start` is where it stands, without the cards still held."""

    start: TrixPosition

    def at(self, hands: Sequence[CardSet]) -> TrixPosition:
        """The position with these cards still held."""
        return TrixPosition(hands, self.start.turn, self.start.fits, self.start.out)

    def finish(self, position: TrixPosition) -> Points:
        """Play a position of this deal out; the points by seat."""
        position.finish()
        return trix_points(position.out)

    def points(self, position: TrixPosition) -> Points:
        """What a position that is over is worth."""
        return trix_points(position.out)


Deal: TypeAlias = TrickDeal | TrixDeal


def deal_of(reading: Reading) -> Deal:
    """The deal of a view in which cards are played."""
    return _MAKERS[reading.game](reading)


def _kasra(reading: Reading) -> Deal:
    raw = reading.raw
    return kasra_deal(reading, str(raw["contract"]), reading.trump, [cards_of(cards) for cards in raw["doubled"]])


def kasra_deal(reading: Reading, contract: str, trump: CardSet, doubled: Sequence[CardSet]) -> Deal:
    """A deal of Kasra where this game is, or were, the one that is played."""
    if contract == "trix":
        return TrixDeal(_laid(reading))
    scorers: Mapping[str, tuple[Scorer, Policy]] = {
        "complex": (Complex.of(doubled, str(reading.options["self_capture"])), AVOID),
        "tarneeb": (TARNEEB, TAKE),
        "ltooshain": (LastTricks(), SHED),
    }
    scorer, policy = scorers[contract]
    rules = Rules(4, trump if contract == "tarneeb" else 0, TRICK_DUTIES[contract])
    return TrickDeal(rules, scorer, policy, (), _position(reading, rules, int(reading.raw["owner"])))


def _estimation(reading: Reading) -> Deal:
    raw = reading.raw
    return estimation_deal(
        reading,
        Declared(tuple(raw["estimates"]), int(raw["caller"]), frozenset(raw["dashes"]), int(raw["risk"])),
        reading.trump,
    )


def estimation_deal(reading: Reading, declared: Declared, trump: CardSet) -> TrickDeal:
    """A deal of Estimation in which this was declared. What an all-miss deal doubles is not counted."""
    rules = Rules(4, trump, ESTIMATION_DUTIES)
    scorer = Estimates(estimation_table(reading.options), declared, int(reading.raw["multiplier"]))
    needs = tuple(declared.estimates)
    return TrickDeal(rules, scorer, WANT, needs, _position(reading, rules, declared.caller))


def _istimar(reading: Reading) -> Deal:
    return istimar_deal(reading, reading.trump)


def istimar_deal(reading: Reading, trump: CardSet) -> TrickDeal:
    """A deal of Isti'mar with these trumps."""
    rules = Rules(3, trump, istimar.duties(reading.options))
    scorer = Linear(istimar.POINTS_PER_TRICK, tuple(reading.raw["goals"]))
    return TrickDeal(rules, scorer, TAKE, (), _position(reading, rules, int(reading.raw["declarer"])))


def _three_five_eight(reading: Reading) -> Deal:
    return three_five_eight_deal(reading, str(reading.raw["contract"]), reading.trump, tuple(reading.raw["goals"]))


def three_five_eight_deal(reading: Reading, contract: str, trump: CardSet, goals: tuple[int, ...]) -> TrickDeal:
    """A deal of 3-5-8 with this contract, and these goals (in no tricks: limits)."""
    rules = Rules(3, trump, three_five_eight.duties(reading.options))
    duck = contract == three_five_eight.NO_TRICKS
    scorer = Linear(-1 if duck else 1, goals)
    leader = int(reading.raw["declarer"])
    return TrickDeal(rules, scorer, DUCK if duck else TAKE, (), _position(reading, rules, leader))


_MAKERS: Mapping[str, Callable[[Reading], Deal]] = {
    "kasra": _kasra,
    "estimation": _estimation,
    "istimar": _istimar,
    "three_five_eight": _three_five_eight,
}


def _position(reading: Reading, rules: Rules, leader: int) -> Position:
    """What was played so far, played again; the hands are empty then."""
    position = Position(rules, reading.played, leader)
    for _, bit in reading.plays:
        position.play(bit)
    return position


def _laid(reading: Reading) -> TrixPosition:
    """What was laid so far in Trix; the hands are empty then."""
    down = NO_CARDS
    for cards in reading.played:
        down |= cards
    return TrixPosition((NO_CARDS,) * 4, reading.seat, playable(down), reading.raw["out"])
