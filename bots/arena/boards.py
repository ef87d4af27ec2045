"""What an arena plays: boards, and who sits where.

A *board* is the shortest piece of a game that stands alone; its packs depend on the arena's seed and the board's
number only, never on who plays or what they do. It is played several times over with the same packs::

    circle of board 1:   steady  random  quick  sharp        game 1: seats 0 1 2 3
                                                             game 2: everybody moved on by one seat
                                                             …       until all have sat everywhere

Every bot then had every hand, and good and bad cards cancel out. Which bot sits on whose left is another kind of
luck, so the boards go through all *circles* in turn. With fewer bots than seats the seats are filled as evenly as can
be (with two bots at four seats two each), in every way there is. After each whole round of circles, every seating has
been played equally often; a run therefore has a whole number of such rounds.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations

from msgspec import Struct

from engine.cards import PACK_SIZE
from engine.game import Game, Value
from engine.games import game as find_game
from engine.referee import Pack, Referee


@dataclass(frozen=True, slots=True)
class Board:
    """The shortest piece of a game that stands alone: the options that make it so, and its number of deals."""

    deals: int
    options: Mapping[str, Value]


BOARDS: Mapping[str, Board] = {
    "kasra": Board(4, {"kingdoms": 1}),
    "estimation": Board(1, {"normal_deals": 1, "speed_deals": 0}),
    "istimar": Board(3, {"extra_series": 0}),
    "three_five_eight": Board(6, {"deals": 6}),
}
"""A kingdom of Kasra; one deal of Estimation at ×1; three rounds of Isti'mar and six deals of 3-5-8, in which each seat
has every goal once and twice, with the exchanges between them."""

SHORTEST_CLOCK, LONGEST_CLOCK = 0.01, 600.0
"""Seconds that a program may be given for a move: less than the first no pipe is sure to carry, more nobody waits."""

Seating = tuple[int, ...]
"""For each seat, which of the arena's distinct bots sits there."""


class Plan(Struct, frozen=True, kw_only=True):
    """All that decides what happens in an arena. Two runs with equal plans play the same games.

    options  what differs from the game's defaults, without the board's own
    bots     as they were named, copies too: built-in bots, and programs as ``cmd:…``
    seconds  what a program has for each move; built-in bots have no clock
    proved   at real tables of peers (packs are then shuffled by all of them, and nobody can choose them)
    """

    game: str
    bots: tuple[str, ...]
    seed: int = 1
    options: dict[str, Value] = {}
    seconds: float = 5.0
    proved: bool = False

    @property
    def rules(self) -> Game:
        """The game."""
        return find_game(self.game)

    @property
    def board(self) -> Board:
        """What one board of it is."""
        return BOARDS[self.rules.name]

    @property
    def in_force(self) -> dict[str, Value]:
        """The options that a board is played with, where they differ from the defaults."""
        return {**self.options, **self.board.options}

    @property
    def distinct(self) -> tuple[str, ...]:
        """Each bot once, in the order named."""
        return tuple(dict.fromkeys(self.bots))

    def circles(self) -> tuple[Seating, ...]:
        """The circles that the boards go through in turn."""
        return circles(self.bots, self.rules.seats)

    def rounded(self, boards: int) -> int:
        """The least number of boards, `boards` or more, with which every seating is played equally often."""
        circles = len(self.circles())
        return -(-boards // circles) * circles


class Job(Struct, frozen=True):
    """One game: which board (from 1), and who sits where."""

    board: int
    seating: Seating


def circles(bots: Sequence[str], seats: int) -> tuple[Seating, ...]:
    """Every way to seat these bots that differs by more than turning the table, the order named first. With fewer bots
    than seats the numbers of seats of any two named bots differ by one at most. `ValueError` for more bots than seats.
    """
    if not 0 < len(bots) <= seats:
        raise ValueError(len(bots))
    distinct = list(dict.fromkeys(bots))
    named = [distinct.index(bot) for bot in bots]
    whole, rest = divmod(seats, len(named))
    found: set[Seating] = set()
    for extra in combinations(range(len(named)), rest):
        filled = sorted(bot for place, bot in enumerate(named) for _ in range(whole + (place in extra)))
        found |= {min(turned(order)) for order in permutations(filled)}
    return tuple(sorted(found))


def turned(circle: Seating) -> tuple[Seating, ...]:
    """The different seatings of a circle, each turned by one seat; in them every bot sits everywhere equally often."""
    return tuple(dict.fromkeys(circle[-turn:] + circle[:-turn] if turn else circle for turn in range(len(circle))))


def jobs(plan: Plan, board: int) -> tuple[Job, ...]:
    """The games of board number `board`. At real tables nobody chooses packs or seats, so there each is a board."""
    all_circles = plan.circles()
    circle = all_circles[(board - 1) % len(all_circles)]
    return (Job(board, circle),) if plan.proved else tuple(Job(board, seating) for seating in turned(circle))


def games_in(plan: Plan, boards: int) -> int:
    """How many games so many boards have, a whole number of rounds of circles."""
    circles = len(plan.circles())
    return sum(len(jobs(plan, board)) for board in range(1, circles + 1)) * boards // circles


@dataclass
class Packs:
    """The packs of one board. Each deal, and each new deal after it was thrown in, has a pack of its own, so that what
    one table throws in does not change the packs of its later deals."""

    seed: str
    referee: Referee = field(init=False)

    def __call__(self) -> Pack:
        """The next pack that `referee` asks for."""
        state = self.referee.state
        pack = list(range(PACK_SIZE))
        random.Random(f"{self.seed}/{state.deal}/{len(state.redeals)}").shuffle(pack)
        return pack


def deal_seed(plan: Plan, board: int) -> str:
    """What the packs of a board come from."""
    return f"{plan.game}/{plan.seed}/{board}"


def bot_seed(plan: Plan, board: int, seat: int) -> int:
    """What a bot's own chance at a seat comes from; it tells nothing of the packs."""
    return random.Random(f"bot/{deal_seed(plan, board)}/{seat}").getrandbits(53)


def start(plan: Plan, board: int) -> Referee:
    """The table of a board, before its first deal. `Illegal` for options that the game does not have."""
    packs = Packs(deal_seed(plan, board))
    packs.referee = Referee.start(plan.rules, packs, plan.in_force)
    return packs.referee


def boards_of(plan: Plan, boards: int) -> Iterator[tuple[Job, ...]]:
    """The games of the first `boards` boards, board by board."""
    return (jobs(plan, board) for board in range(1, boards + 1))
