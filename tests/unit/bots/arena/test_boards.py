"""What an arena plays: boards that stand alone, seatings that cancel luck, packs that nobody changes."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from bots.arena.boards import BOARDS, Plan, bot_seed, circles, deal_seed, games_in, jobs, start, turned
from engine.game import Finished
from engine.games import NAMES
from engine.referee import Chooser


def choosers(seats: int) -> list[Chooser]:
    """Bots that do anything, the same every time."""
    chance = random.Random(5)
    return [lambda seat, state, hand, actions: chance.choice(actions)] * seats


@pytest.mark.parametrize("game", NAMES)
def test_a_board_stands_alone(game: str) -> None:
    """It has the stated number of deals, however it is played, and nothing of another board."""
    plan = Plan(game=game, bots=("random",))
    referee = start(plan, 1)
    state = referee.play(choosers(plan.rules.seats))
    assert isinstance(state.step, Finished)
    assert len(state.results) == plan.board.deals == BOARDS[game].deals
    assert state.results[0].multiplier in (1, 2)  # Estimation's own lone winner doubles; nothing is carried over


@pytest.mark.parametrize(
    ("bots", "seats", "expected"),
    [
        ("abcd", 4, 6),  # who sits at a's left, across, and at the right: 3! circles
        ("abc", 3, 2),
        ("ab", 4, 2),  # a a b b and a b a b
        ("abc", 4, 9),
        ("ab", 3, 2),
        ("a", 4, 1),
        ("abbb", 4, 1),
        ("aabb", 4, 2),
    ],
)
def test_circles_are_all_that_turning_does_not_give(bots: str, seats: int, expected: int) -> None:
    found = circles(list(bots), seats)
    assert len(found) == expected
    everything = Counter(seating for circle in found for seating in turned(circle))
    assert set(everything.values()) == {1}, "a seating stands in one circle only"


@pytest.mark.parametrize(("bots", "seats"), [("abcd", 4), ("abc", 4), ("ab", 4), ("ab", 3), ("aab", 3), ("abc", 3)])
def test_every_bot_sits_everywhere_equally_often(bots: str, seats: int) -> None:
    for circle in circles(list(bots), seats):
        games = turned(circle)
        for bot in set(circle):
            assert len({sum(game[seat] == bot for game in games) for seat in range(seats)}) == 1


def test_seats_are_filled_as_evenly_as_can_be() -> None:
    for circle in circles(["a", "b", "c"], 4):
        assert sorted(Counter(circle).values()) == [1, 1, 2]
    named_first = circles(["b", "a", "d", "c"], 4)[0]
    assert named_first == (0, 1, 2, 3)


@pytest.mark.parametrize(("bots", "seats"), [("", 4), ("abcde", 4), ("abcd", 3)])
def test_more_bots_than_seats_and_none_are_refused(bots: str, seats: int) -> None:
    with pytest.raises(ValueError):
        circles(list(bots), seats)


def test_a_run_has_whole_rounds_of_circles() -> None:
    plan = Plan(game="kasra", bots=("steady", "random"))
    assert [plan.rounded(boards) for boards in (1, 2, 3, 36)] == [2, 2, 4, 36]
    assert games_in(plan, 4) == sum(len(jobs(plan, board)) for board in range(1, 5)) == 12
    seatings = Counter(job.seating for board in range(1, 5) for job in jobs(plan, board))
    assert set(seatings.values()) == {2} and len(seatings) == 6


def test_packs_depend_on_seed_and_board_only() -> None:
    def packs(plan: Plan, board: int) -> list[list[int]]:
        referee = start(plan, board)
        found: list[list[int]] = []
        referee.observers.append(lambda _: found.append(referee.pack) if referee.pack not in found else None)
        referee.play(choosers(plan.rules.seats))
        return found

    one, other = Plan(game="kasra", bots=("random",)), Plan(game="kasra", bots=("steady", "random"))
    assert packs(one, 3) == packs(other, 3) and len(packs(one, 3)) == 4
    assert packs(one, 3) != packs(one, 4)
    assert packs(one, 3) != packs(Plan(game="kasra", bots=("random",), seed=2), 3)


def test_a_deal_that_is_thrown_in_does_not_change_later_packs() -> None:
    plan = Plan(game="three_five_eight", bots=("random",))
    plain, voided = start(plan, 1), start(plan, 1)
    plain.advance()
    voided.advance()
    voided.void("test")
    voided.advance()
    assert voided.pack != plain.pack
    for referee in (plain, voided):
        referee.play(choosers(3), 1)
        referee.advance()
    assert voided.pack == plain.pack


def test_a_bots_chance_tells_nothing_of_the_packs() -> None:
    plan = Plan(game="kasra", bots=("random",))
    assert deal_seed(plan, 2) == "kasra/1/2"
    assert len({bot_seed(plan, board, seat) for board in (1, 2) for seat in range(4)}) == 8
    assert all(0 <= bot_seed(plan, 1, seat) < 2**53 for seat in range(4))
