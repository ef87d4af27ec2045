"""3-5-8: three players, eighteen deals, and six contracts that everybody declares once.

The rules are those of rules/three_five_eight (S358-*, B-358-*). The course of a deal::

    NewPack → Release(six cards each) → Ask contract → Release(the other ten) → [exchange] → kitty and play
    (engine.kitty) → [Audit] → score

The seat after the dealer declares. Contracts are offered in the order S H D C NT none; the exchange takes place from
the second deal on, in a contract with trumps, by the points of the deal before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from engine.actions import Action
from engine.cards import SUITS, CardSet
from engine.exchange import Exchange, Terms
from engine.game import Ask, Claim, Game, Illegal, Option, Options, Outcome, Release, Start, State, Step
from engine.kitty import GOALS, HAND_SIZE, SEATS, KittyDeal, KittyGame, Stage, by_role, check_start, from_seat
from engine.tricks import Duties
from engine.values import changed

CONTRACTS = ("S", "H", "D", "C", "NT", "none")
NO_TRICKS = "none"
FIRST_CARDS = 6  # what the declarer sees when he chooses (S358-4)
RESULT_FACTOR = 10  # a won game is recorded with total × 10 (S358-14)
_FIRST = Release(tuple(range(SEATS * FIRST_CARDS)))
_OTHERS = Release(tuple(range(SEATS * FIRST_CARDS, SEATS * HAND_SIZE)))


def duties(options: Options) -> Duties:
    """What a player owes in every trick: to follow, and to trump if the option says so (S358-12, B-358-20)."""
    return Duties(follow_rule="S358-12", must_trump=options["must_trump"] == "yes", trump_rule="S358-12")


@dataclass(frozen=True)
class ThreeFiveEight(KittyGame):
    """The public state of a game of 3-5-8.

    contract  what is played in this deal, or empty
    used      by seat, the contracts it declared in earlier deals and in this one
    """

    contract: str = ""
    used: tuple[tuple[str, ...], ...] = ((),) * SEATS

    @classmethod
    def begin(cls, options: Options, dealer: int) -> Self:
        """A new game, dealt first by `dealer`; the next seat declares (B-358-1)."""
        return cls(options, deal=1, dealer=dealer, declarer=(dealer + 1) % SEATS)

    @property
    def game(self) -> Game:
        """3-5-8."""
        return GAME

    @property
    def goals(self) -> tuple[int, ...]:
        """8, 5 and 3 from the declarer on; in no tricks these are limits, and 3, 5 and 8 (B-358-4)."""
        reversed_limits = self.contract == NO_TRICKS and self.options["no_tricks_limits"] == "reversed"
        return by_role(self.declarer, (3, 5, 8) if reversed_limits else GOALS)

    @property
    def last_deal(self) -> int:
        """The option `deals`."""
        return int(self.options["deals"])

    @property
    def recorded(self) -> tuple[int | None, ...]:
        """What is recorded of the finished game, by seat: ten times the total for a winner, None for the others
        (S358-14). Empty while the game goes on."""
        winners = self.winners
        if not winners:
            return ()
        return tuple(
            RESULT_FACTOR * total if seat in winners else None for seat, total in enumerate(self.totals)
        )

    @property
    def _held(self) -> int:
        return FIRST_CARDS

    def _own_step(self) -> Step:
        match self.stage:
            case Stage.DEAL:
                return _FIRST
            case Stage.REST:
                return _OTHERS
            case _:
                return Ask(self.declarer)

    def _own_claim(self, seat: int, action: Action) -> Claim:
        if action.verb != "contract":
            raise Illegal("S358-3", "illegal-action", action=str(action))
        if action.word in self.used[seat]:
            raise Illegal("S358-5", "contract-declared", action=str(action))
        return Claim(rule="S358-5")

    def _own_candidates(self, cards: CardSet) -> Iterator[Action]:
        for contract in CONTRACTS:
            yield Action("contract", word=contract)

    def _own_apply(self, seat: int, action: Action) -> Self:
        used = tuple(
            (*words, action.word) if one == seat else words for one, words in enumerate(self.used)
        )
        return changed(self, stage=Stage.REST, contract=action.word, used=used)

    def _own_after(self, step: Step) -> Self:
        if self.stage is Stage.DEAL:
            return changed(self, stage=Stage.CHOOSE)
        if self.contract not in SUITS or not self.previous:
            return self._after_exchange()
        options = self.options
        terms = Terms(
            optional=True,
            per_loser_cap=options["per_loser_cap"] == "deficit",
            include_received=options["return_rule"] == "include_received",
            trump=SUITS.index(self.contract),
            quota_rule="B-358-7",
            stop_rule="S358-7",
            return_rule="S358-7",
        )
        return self._exchanging(Exchange.begin(terms, self.previous, order=from_seat(self.declarer)))

    def _after_exchange(self) -> Self:
        hand = KittyDeal(
            declarer=self.declarer,
            trump=SUITS.index(self.contract) if self.contract in SUITS else None,
            duties=duties(self.options),
            discard_rule="S358-10",
        )
        return changed(self, stage=Stage.HAND, hand=hand)

    def _thrown_in(self) -> Self:
        if not self.contract:
            return self
        used = tuple(
            words[:-1] if seat == self.declarer else words for seat, words in enumerate(self.used)
        )
        return changed(self, contract="", used=used)

    def _points(self, won: tuple[int, ...]) -> tuple[str, tuple[int, ...]]:
        over = tuple(taken - goal for taken, goal in zip(won, self.goals, strict=True))
        if self.contract == NO_TRICKS:
            return "B-358-4", tuple(-one for one in over)
        return "B-358-3", over

    def _scored(self) -> Self:
        if self.deal == self.last_deal:
            return changed(self, stage=Stage.OVER)
        return changed(
            self,
            stage=Stage.PACK,
            deal=self.deal + 1,
            dealer=self.declarer,
            declarer=(self.declarer + 1) % SEATS,
            contract="",
        )

    def _own_view(self) -> dict[str, object]:
        """contract: the word or null; contracts: what each seat declared so far; recorded: ten times the total for
        winners, null for the others, empty until the game is over (S358-14). trump is known with the contract."""
        return {
            "trump": self.contract if self.contract in CONTRACTS[:4] else None,
            "contract": self.contract or None,
            "contracts": [list(words) for words in self.used],
            "recorded": list(self.recorded),
        }


GAME = Game(
    name="three_five_eight",
    seats=SEATS,
    options=(
        Option("deals", (18, 3, 6, 9, 12, 15), "B-358-18"),
        Option("must_trump", ("yes", "no"), "B-358-20"),
        Option("return_rule", ("own_cards", "include_received"), "B-358-9"),
        Option("per_loser_cap", ("deficit", "none"), "B-358-7"),
        Option("no_tricks_limits", ("reversed", "same"), "B-358-4"),
    ),
    starter=ThreeFiveEight,
)


# Game records (engine.game.Sheet) ---------------------------------------------------------------------------------


def begin_at(options: Options, start: Start) -> State:
    """The state in which a record begins. The dealer must be given, because the goals depend on it; without
    `previous` there is no exchange, and contracts declared before are not known."""
    check_start(start, int(options["deals"]), unit=1)
    if start.dealer < 0:
        raise Illegal("B-358-1", "bad-start", deal=start.deal)
    return ThreeFiveEight(
        options,
        deal=start.deal,
        dealer=start.dealer,
        declarer=(start.dealer + 1) % SEATS,
        previous=start.previous,
    )


def skip_hidden(state: State) -> State:
    """See `engine.game.Sheet`."""
    assert isinstance(state, ThreeFiveEight)
    return state.skip_hidden()


def score_sheet(state: State, outcome: Outcome) -> State:
    """See `engine.game.Sheet`."""
    assert isinstance(state, ThreeFiveEight)
    return state.score_sheet(outcome)
