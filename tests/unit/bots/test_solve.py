"""Endings are solved as by looking at every line, whatever is scored; and solving costs no more than it may."""

from __future__ import annotations

from random import Random

import pytest

from bots.builtin import make
from bots.practice import bot_chooser, seat_view
from bots.search import plays
from bots.search.deals import TrickDeal, deal_of
from bots.search.judgement import Budget
from bots.search.points import TARNEEB, Complex, Estimates, LastTricks, Linear, Points, Scorer
from bots.search.policies import TAKE
from bots.search.reading import Reading
from bots.search.samples import sample
from bots.search.solve import SOLVED, Solver
from bots.search.tricks import Position, Rules
from engine.actions import Action
from engine.cards import (
    FULL_PACK,
    HEARTS,
    JACK,
    PACK_SIZE,
    SPADES,
    SUIT_CARDS,
    CardSet,
    card_set,
    cards_in,
    parse_cards,
    rank_of,
)
from engine.game import State
from engine.games import game as find_game
from engine.games.estimation.scoring import Declared, Table
from engine.games.kasra.scoring import KING_OF_HEARTS, QUEENS
from engine.referee import Referee, shuffled
from engine.tricks import Duties

HONOURS = [card for card in range(PACK_SIZE) if rank_of(card) >= JACK]
"""Among them are cards that are like no other in Kasra's Complex."""

DOUBLED = (KING_OF_HEARTS, QUEENS & SUIT_CARDS[HEARTS], QUEENS & SUIT_CARDS[SPADES], 0)
STRICT = Duties("", must_trump=True, must_beat=True, beat_led_in_trumped_trick=True)

ENDINGS: dict[str, tuple[int, Duties, Scorer]] = {
    "tarneeb": (4, Duties(""), TARNEEB),
    "last tricks": (4, Duties(""), LastTricks()),
    "complex": (4, Duties(""), Complex.of((0, 0, 0, 0), "net")),
    "complex, doubled": (4, Duties(""), Complex.of(DOUBLED, "net")),
    "complex, doubled, own captures cost": (4, Duties(""), Complex.of(DOUBLED, "full")),
    "estimation": (4, Duties(""), Estimates(Table(), Declared((4, 3, 3, 2), 0, frozenset(), 3))),
    "estimation with a dash": (4, Duties(""), Estimates(Table(), Declared((2, 5, 0, 4), 1, frozenset({2}), 0))),
    "isti'mar": (3, STRICT, Linear(10, (5, 5, 6))),
    "3-5-8": (3, Duties("", must_trump=True), Linear(1, (3, 5, 8))),
    "3-5-8, no tricks": (3, Duties(""), Linear(-1, (8, 5, 3))),
}
"""Seats, duties, and what is scored."""


def full_search(deal: TrickDeal, position: Position, known: dict[object, Points]) -> Points:
    """Max-n over every card; only the very same position, with all that was played before it, is looked at once."""
    if position.over:
        return deal.points(position)
    key = (*position.hands, position.table, position.turn, *position.won, *position.taken, position.last)
    if key not in known:
        seat, best, most = position.turn, None, 0.0
        for card in cards_in(position.legal()):
            after = position.copy()
            after.play(1 << card)
            points = full_search(deal, after, known)
            margin = len(points) * points[seat] - sum(points)
            if best is None or margin > most:
                best, most = points, margin
        assert best is not None
        known[key] = best
    return known[key]


def ending(dice: Random, rules: Rules, cards: list[int]) -> Position:
    """These cards in hands anyhow, the rest of the pack taken anyhow, and perhaps some cards played already."""
    seats = rules.seats
    dice.shuffle(cards)
    size = len(cards) // seats
    hands = [card_set(cards[seat * size : (seat + 1) * size]) for seat in range(seats)]
    position = Position(rules, hands, dice.randrange(seats))
    for card in cards_in(FULL_PACK & ~card_set(cards)):
        position.taken[dice.randrange(seats)] |= 1 << card
    for _ in range(PACK_SIZE // 4 - size):
        position.last = (dice.randrange(seats), position.last[0])
        position.won[position.last[0]] += 1
    for _ in range(dice.randrange(seats)):
        position.play(1 << dice.choice(list(cards_in(position.legal()))))
    return position


@pytest.mark.parametrize("trumps", [True, False])
@pytest.mark.parametrize("name", ENDINGS)
def test_endings_are_solved_as_by_looking_at_every_line(name: str, trumps: bool) -> None:
    """One solver for many endings, most of them short and of few cards: what is remembered of one holds in others."""
    seats, duties, scorer = ENDINGS[name]
    dice = Random(f"{name}/{trumps}")
    rules = Rules(seats, SUIT_CARDS[dice.randrange(4)] if trumps else 0, duties)
    deal = TrickDeal(rules, scorer, TAKE, (), Position(rules, [0] * seats, 0))
    solver = Solver(deal)
    for pack, tricks, number in (
        (HONOURS, 2, 100),
        (HONOURS, SOLVED[seats], 2),
        (range(PACK_SIZE), 3, 10),
        (range(PACK_SIZE), SOLVED[seats], 2),
    ):
        for _ in range(number):
            position = ending(dice, rules, dice.sample(pack, seats * tricks))
            expected = list(full_search(deal, position.copy(), {}))
            assert list(solver.points(position)) == expected


def test_a_card_that_is_like_no_other_is_remembered_as_what_it_is() -> None:
    """Everybody's hearts are in the same order, and one is a penalty card. But which, and whose?"""
    rules, scorer = Rules(4, 0, Duties("")), Complex.of((0, 0, 0, 0), "net")
    deal = TrickDeal(rules, scorer, TAKE, (), Position(rules, [0] * 4, 0))
    solver = Solver(deal)
    for first, second in ("JH", "KH"), ("KH", "AH"), ("JH", "QH"), ("JH", "AH"):
        hands = [parse_cards(text) for text in (f"9H {first}", f"{second} 3C", "4C 5C", "6C 7C")]
        expected = list(full_search(deal, Position(rules, hands, 0), {}))
        assert list(solver.points(Position(rules, hands, 0))) == expected, (first, second)


def ending_views(game: str, number: int) -> list[tuple[Reading, tuple[str, ...]]]:
    """What seats with a choice see, and may do, when the first tricks that are solved begin."""
    referee, found = Referee.start(find_game(game), shuffled(Random(1).shuffle)), []

    def watching(seat: int, state: State, hand: CardSet, actions: list[Action]) -> Action:
        if state.phase == "play" and len(found) < number and hand.bit_count() == SOLVED[len(referee.hands)]:
            found.append((Reading.of(seat_view(referee, seat)), tuple(map(str, actions))))
        return bot_chooser(referee, make("steady"))(seat, state, hand, actions)

    referee.play([watching] * len(referee.hands), 4)
    return found


@pytest.mark.parametrize(("game", "looks"), [("estimation", 10**9), ("estimation", 0), ("istimar", 0)])
def test_what_solving_may_cost_decides_how_many_worlds_are_solved(
    game: str, looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them, or only the first, and the others are played out."""
    monkeypatch.setattr(plays, "LOOKS", looks)
    for reading, legal in ending_views(game, 3):
        deal, worlds = deal_of(reading), 5
        assert isinstance(deal, TrickDeal)
        judgement = plays.judge_play(reading, legal, Budget(worlds, Random(2)))
        dealt = list(sample(reading, Budget(worlds, Random(2)), deal))
        for action, tally in judgement.tallies.items():
            expected = 0.0
            for hands in dealt:
                position = deal.at(hands)
                position.play(plays.move_of(action))
                solved = looks or hands == dealt[0]
                expected += (Solver(deal).points if solved else deal.finish)(position)[reading.seat]
            assert tally.worlds == worlds and tally.points == pytest.approx(expected)
