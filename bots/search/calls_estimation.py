"""Estimation before the first card: void declarations, dash calls and bids, estimates.

In every world all hands are known, so the rest of the calls can be made for the other seats by the steady bot's rules
of thumb; then the deal is played out and scored. What a call brings is the mean over the worlds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from bots.builtin.steady_estimation import BID_MARGIN, DASH_DANGER, choose, danger, expected_tricks
from bots.search.deals import TrickDeal, estimation_deal
from bots.search.guesses import CALLER_LEADS
from bots.search.judgement import Budget, Judgement, Tally, judged
from bots.search.points import Points
from bots.search.reading import Reading, trump_cards
from bots.search.samples import sample
from engine.actions import PASS, STRAINS, Action, parse_action
from engine.cards import SUITS, CardSet
from engine.games.estimation import DASH, FULL, NO_DASH, VOID_PLAY, VOID_REDEAL, Declared
from engine.games.estimation.rules import MINIMUM_BID
from engine.games.estimation.scoring import SEATS, TRICKS

BIDS: Final = 2
"""How many tricks above and below the count a bid or an estimate is looked at."""

MORE_WORLDS: Final = 2
"""A call decides the whole deal, and points differ a lot from world to world."""

USUAL: Final = {"void": 3.0, "dash": 12.0, "bid": 12.0, "estimate": 3.0}
"""By how many points another call must look better than what the steady bot would call, by phase, in a deal that counts
once: the best of many guesses looks better than it is. Bids above all: in 25 boards against three steady bots `quick`
made 1.5 ± 3.3 points a deal when it trusted the play-outs in its bids, and 2.9 ± 1.8 when it bid as they do; play-outs
make too little of how hard a high bid is to bring home."""

NOTHING: Final[Points] = (0, 0, 0, 0)

_TRUMPS: Final = {strain: SUITS.index(strain) if strain in SUITS else None for strain in STRAINS}


def judge_call(reading: Reading, legal: tuple[str, ...], budget: Budget) -> Judgement | None:
    """Judge a choice before the first card of Estimation."""
    actions = {text: parse_action(text) for text in legal}
    sensible, usual = _sensible(reading, actions), choose(reading.raw, legal)
    bonus = USUAL[reading.raw["phase"]] * reading.raw["multiplier"]
    tallies = {text: Tally(bonus if text == usual else 0.0) for text in sensible}
    deals: dict[tuple[Declared, str], TrickDeal] = {}

    def brings(text: str, hands: list[CardSet]) -> Points:
        return _brings(reading, actions[text], hands, deals)

    return judged(budget, sample(reading, budget.times(MORE_WORLDS)), actions, tallies, brings, reading.seat)


def _sensible(reading: Reading, actions: dict[str, Action]) -> dict[str, Action]:
    """Without bids and estimates far from what the hand takes."""
    counted = {strain: expected_tricks(reading.hand, trump) for strain, trump in _TRUMPS.items()}
    strain = str(reading.raw["trump"])

    def thinkable(action: Action) -> bool:
        if action.verb == "bid":
            return abs(action.number - counted[action.word] - CALLER_LEADS) <= BIDS
        if action.verb == "estimate":
            return abs(action.number - counted[strain]) <= BIDS
        return True

    found = {text: action for text, action in actions.items() if thinkable(action)}
    if found:
        return found
    nearest = min(actions, key=lambda text: abs(actions[text].number - counted.get(strain, 0.0)))
    return {nearest: actions[nearest]}


def _brings(
    reading: Reading, action: Action, hands: list[CardSet], deals: dict[tuple[Declared, str], TrickDeal]
) -> Points:
    """The points of the deal when the seat calls so in this world."""
    if action == VOID_REDEAL:
        return NOTHING
    table = Calls.of(reading, hands)
    if action not in (VOID_PLAY, FULL):
        table.do(reading.seat, action)
    declared = table.declared()
    if declared is None:
        return NOTHING
    key = (declared, table.strain)
    if key not in deals:
        deals[key] = estimation_deal(reading, declared, trump_cards(table.strain))
    deal = deals[key]
    return deal.finish(deal.at(hands))


@dataclass(slots=True)
class Calls:
    """The calls of a deal whose hands are known: those made, and those to come by rules of thumb."""

    options: Mapping[str, object]
    hands: list[CardSet]
    dealer: int
    speed: bool
    strain: str
    estimates: list[int]
    number: int = 0
    caller: int = -1
    dashes: set[int] = field(default_factory=set)
    asked: set[int] = field(default_factory=set)  # whether they dash, before the bidding
    passed: set[int] = field(default_factory=set)
    called: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, reading: Reading, hands: list[CardSet]) -> Calls:
        """The calls of a view."""
        raw = reading.raw
        table = cls(
            reading.options, hands, int(raw["dealer"]), bool(raw["speed"]), str(raw["trump"]), [-1] * SEATS
        )
        for seat, text in raw["auction"]:
            table.do(int(seat), parse_action(text))
        if raw["phase"] == "estimate":
            for seat, said in enumerate(raw["estimates"]):
                table.estimates[seat] = int(said)
        return table

    def do(self, seat: int, action: Action) -> None:
        """A call is made."""
        match action.verb:
            case "bid":
                self.number, self.strain, self.caller = action.number, action.word, seat
                self.called.append(seat)
            case "pass":
                self.passed.add(seat)
                self.called.append(seat)
            case "dash":
                self.dashes.add(seat)
                self.called.append(seat)
            case "no":
                self.asked.add(seat)
            case "estimate":
                self.estimates[seat] = action.number

    def declared(self) -> Declared | None:
        """What all have declared in the end; None when nobody bids."""
        if not self.speed and not any(said >= 0 for said in self.estimates):
            if self.options["dash_timing"] == "before_bidding":
                for seat in self._from(self.dealer + 1):
                    if seat not in self.asked | self.dashes and not self.called:
                        self.do(seat, DASH if self._dashes(seat) else NO_DASH)
            self._bid_on()
            if self.caller < 0:
                return None
            self.estimates = [
                self.number if seat == self.caller else 0 if seat in self.dashes else -1 for seat in range(SEATS)
            ]
        return self._estimated()

    def _from(self, first: int) -> list[int]:
        return [(first + step) % SEATS for step in range(SEATS)]

    def _dashes(self, seat: int) -> bool:
        return len(self.dashes) < int(str(self.options["max_dash"])) and danger(self.hands[seat]) <= DASH_DANGER

    def _bid_on(self) -> None:
        """The rest of the auction. Nobody bids twice the same, so it comes to an end."""
        single = self.options["auction"] == "single"
        first = self.dealer + 1 if not self.called else self.called[-1] + 1
        while True:
            out = self.dashes | self.passed | {self.caller} | (set(self.called) if single else set())
            waiting = [seat for seat in self._from(first) if seat not in out]
            if not waiting:
                return
            self.do(waiting[0], self._call(waiting[0]))
            first = waiting[0] + 1

    def _call(self, seat: int) -> Action:
        """As the steady bot calls."""
        early = self.options["dash_timing"] == "before_bidding" or seat in self.called
        if not early and self._dashes(seat):
            return DASH
        best, highest = PASS, 0.0
        for height, strain in enumerate(STRAINS):
            likely = expected_tricks(self.hands[seat], _TRUMPS[strain]) + CALLER_LEADS
            number = int(likely + BID_MARGIN)
            over = (number, height) > (self.number, STRAINS.index(self.strain)) if self.caller >= 0 else True
            worth = number + 0.1 * (likely - number)
            if number >= MINIMUM_BID and over and worth > highest:
                best, highest = Action("bid", number=number, word=strain), worth
        return best

    def _estimated(self) -> Declared:
        """The estimates that are still to come: the count, nearer to what the others leave over."""
        first = self.dealer + 1 if self.speed else self.caller + 1
        order = [seat for seat in self._from(first) if seat not in self.dashes and (self.speed or seat != self.caller)]
        trump = _TRUMPS[self.strain]
        most = TRICKS if self.speed else self.estimates[self.caller]
        for seat in order:
            if self.estimates[seat] < 0:
                likely = expected_tricks(self.hands[seat], trump)
                said = [number for number in self.estimates if number >= 0]
                if said:
                    share = (TRICKS - sum(said)) / (SEATS - len(said))
                    likely += 0.2 * max(-2.0, min(2.0, share - likely))
                number = min(most, max(0, round(likely)))
                if seat == order[-1] and sum(said) + number == TRICKS:
                    number += 1 if (likely > number and number < most) or not number else -1
                self.estimates[seat] = number
        caller = self.caller
        if self.speed:
            caller = next(seat for seat in order if self.estimates[seat] == max(self.estimates))
        return Declared(tuple(self.estimates), caller, frozenset(self.dashes), order[-1])
