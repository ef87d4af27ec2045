"""Isti'mar: three players, goals 8, 5 and 3 that go round, and an exchange of cards between the deals.

The rules are those of rules/istimar (IST-*, B-IST-*). The course of a deal::

    first deal    NewPack → Release(48 cards) → Search(7♥) → Ask trump → kitty and play (engine.kitty) → score
    later deals   NewPack → Release(48 cards) → [exchange] → Ask trump → kitty and play → [Audit] → score

When nobody shows the seven of hearts it lies in the kitty: the pack is dealt again (redeal reason ``seven in kitty``),
or with `seven_in_kitty` next_heart the next heart is looked for. Trumps are named in the order C D H S.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from engine.actions import Action
from engine.cards import HEARTS, SUIT_SIZE, SUITS, Card, CardSet, card, rank_of, single
from engine.exchange import Exchange, Terms
from engine.game import Ask, Claim, Game, Illegal, Option, Options, Outcome, Release, Search, Start, State, Step
from engine.kitty import SEATS, KittyDeal, KittyGame, Stage, by_role, check_start, from_seat
from engine.tricks import Duties
from engine.values import changed

SEVEN_OF_HEARTS: Card = card(5, HEARTS)
POINTS_PER_TRICK = 2  # IST-15, B-IST-18
SERIES = 3  # deals in which each seat has 8, 5 and 3 once (IST-16)
_DEALT = Release(tuple(range(48)))


def duties(options: Options) -> Duties:
    """What a player owes in every trick (IST-8 to IST-11): to follow, to trump, to beat."""
    return Duties(
        follow_rule="IST-8",
        must_trump=True,
        trump_rule="IST-9",
        must_beat=True,
        beat_rule="IST-10",
        beat_led_in_trumped_trick=options["raise_in_trumped_trick"] == "yes",
        under_trump_free=options["under_trump"] == "free",
    )


@dataclass(frozen=True)
class Istimar(KittyGame):
    """The public state of a game of Isti'mar.

    sought  the card whose holder gets goal 8 in this deal, or -1 when the goals are known
    """

    sought: Card = SEVEN_OF_HEARTS

    @classmethod
    def begin(cls, options: Options, dealer: int) -> Self:
        """A new game; who deals first makes no difference (B-IST-2)."""
        return cls(options, deal=1, dealer=dealer)

    @property
    def game(self) -> Game:
        """Isti'mar."""
        return GAME

    @property
    def goals(self) -> tuple[int, ...]:
        """8 for the declarer, 5 on his right, 3 on his left (IST-6)."""
        return by_role(self.declarer) if self.declarer >= 0 else ()

    @property
    def last_deal(self) -> int:
        """3, or 6 while a tie is played out (IST-16, IST-17)."""
        return SERIES if self.deal <= SERIES else 2 * SERIES

    def _own_step(self) -> Step:
        match self.stage:
            case Stage.DEAL:
                return _DEALT
            case Stage.SHOW:
                return Search(self.sought)
            case _:
                return Ask(self.declarer)

    def _asks(self, seat: int) -> bool:
        return self.stage is Stage.SHOW or KittyGame._asks(self, seat)

    def _own_claim(self, seat: int, action: Action) -> Claim:
        if self.stage is Stage.SHOW:
            if action.verb != "show" or action.cards != single(self.sought):
                raise Illegal("IST-3", "illegal-action", action=str(action))
            return Claim(opens=action.cards, rule="IST-3")
        if action.verb != "trump":
            raise Illegal("IST-3", "illegal-action", action=str(action))
        return Claim(rule="IST-3")

    def _own_candidates(self, cards: CardSet) -> Iterator[Action]:
        if self.stage is Stage.CHOOSE:
            for suit in SUITS:
                yield Action("trump", word=suit)
        elif cards & single(self.sought):
            yield Action("show", cards=single(self.sought))

    def _own_apply(self, seat: int, action: Action) -> Self:
        if self.stage is Stage.SHOW:
            return changed(self, stage=Stage.CHOOSE, declarer=seat)
        hand = KittyDeal(
            declarer=self.declarer,
            trump=SUITS.index(action.word),
            duties=duties(self.options),
            discard_rule="IST-4",
            owner_only=self.options["kitty_shown"] == "owner",
        )
        return changed(self, stage=Stage.HAND, hand=hand)

    def _own_after(self, step: Step) -> Self:
        if self.stage is Stage.SHOW:
            return self._not_found()
        if self.declarer < 0:
            return changed(self, stage=Stage.SHOW)
        if not self.previous:
            return self._after_exchange()
        options = self.options
        terms = Terms(
            optional=options["exchange_optional"] == "yes",
            per_loser_cap=True,
            include_received=options["return_rule"] == "include_received",
            trump=None,  # not named yet
            quota_rule="B-IST-12",
            stop_rule="B-IST-16",
            return_rule="IST-14",
        )
        balance = tuple(points // POINTS_PER_TRICK for points in self.previous)
        return self._exchanging(Exchange.begin(terms, balance, order=from_seat(self.declarer)))

    def _not_found(self) -> Self:
        """Nobody holds the card looked for (B-IST-1): 8♥ to A♥ follow on 7♥, then 6♥ to 2♥."""
        if self.options["seven_in_kitty"] == "redeal":
            return self.void("seven in kitty")
        if self.sought >= SEVEN_OF_HEARTS:
            following = self.sought + 1 if rank_of(self.sought) < SUIT_SIZE - 1 else SEVEN_OF_HEARTS - 1
        else:
            following = self.sought - 1
        return changed(self, sought=following)

    def _after_exchange(self) -> Self:
        return changed(self, stage=Stage.CHOOSE)

    def _thrown_in(self) -> Self:
        if self.sought < 0:
            return self
        return changed(self, declarer=-1, sought=SEVEN_OF_HEARTS)

    def _points(self, won: tuple[int, ...]) -> tuple[str, tuple[int, ...]]:
        return "IST-15", tuple(
            POINTS_PER_TRICK * (taken - goal) for taken, goal in zip(won, self.goals, strict=True)
        )

    def _scored(self) -> Self:
        if self._decided():
            return changed(self, stage=Stage.OVER)
        turn = 1 if self.options["goal_rotation"] == "right" else -1
        declarer = (self.declarer + turn) % SEATS
        return changed(
            self,
            stage=Stage.PACK,
            deal=self.deal + 1,
            declarer=declarer,
            dealer=(declarer - 1) % SEATS,
            sought=-1,
        )

    def _decided(self) -> bool:
        """Whether the game ends with this deal: after three, or after six when three left a tie (IST-17)."""
        if self.deal != SERIES:
            return self.deal == self.last_deal
        tied = self.totals.count(max(self.totals)) > 1
        return not (tied and self.options["extra_series"])

    def _own_view(self) -> dict[str, object]:
        return {}


GAME = Game(
    name="istimar",
    seats=SEATS,
    options=(
        Option("seven_in_kitty", ("redeal", "next_heart"), "B-IST-1"),
        Option("goal_rotation", ("right", "left"), "B-IST-4"),
        Option("kitty_shown", ("all", "owner"), "B-IST-10"),
        Option("raise_in_trumped_trick", ("no", "yes"), "B-IST-6"),
        Option("under_trump", ("forced", "free"), "B-IST-7"),
        Option("return_rule", ("include_received", "own_cards"), "B-IST-15"),
        Option("exchange_optional", ("no", "yes"), "B-IST-16"),
        Option("extra_series", (1, 0), "B-IST-19"),
    ),
    starter=Istimar,
)


# Game records (engine.game.Sheet) ---------------------------------------------------------------------------------


def begin_at(options: Options, start: Start) -> State:
    """The state in which a record begins. After the first deal the seat with goal 8 must be given, or the dealer, who
    has goal 3; without `previous` there is no exchange."""
    check_start(start, SERIES * (2 if options["extra_series"] else 1), POINTS_PER_TRICK)
    declarer = start.owner
    if start.deal > 1 and declarer < 0 and start.dealer >= 0:
        declarer = (start.dealer + 1) % SEATS
    if start.deal > 1 and declarer < 0:
        raise Illegal("IST-7", "bad-start", deal=start.deal)
    nominal = (declarer - 1) % SEATS if declarer >= 0 else 0
    return Istimar(
        options,
        deal=start.deal,
        dealer=start.dealer if start.dealer >= 0 else nominal,
        declarer=declarer,
        previous=start.previous,
        sought=-1 if declarer >= 0 else SEVEN_OF_HEARTS,
    )


def skip_hidden(state: State) -> State:
    """See `engine.game.Sheet`."""
    assert isinstance(state, Istimar)
    return state.skip_hidden()


def score_sheet(state: State, outcome: Outcome) -> State:
    """See `engine.game.Sheet`."""
    assert isinstance(state, Istimar)
    return state.score_sheet(outcome)
