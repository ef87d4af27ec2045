"""The totals as a picture of characters."""

from __future__ import annotations

import random

import pytest

from p2p.terminal.plot import LETTERS, MARKS, SEVERAL, marks, plot, several


def totals(deals: int, seats: int, seed: int) -> list[list[int]]:
    rolled = random.Random(seed)
    found = [[0] * seats]
    for _ in range(deals):
        found.append([total + rolled.randint(-60, 60) for total in found[-1]])
    return found[1:]


@pytest.mark.parametrize("letters", [False, True])
@pytest.mark.parametrize("deals", [1, 2, 16, 40, 200])
@pytest.mark.parametrize("seats", [3, 4])
def test_it_fits_and_every_player_ends_where_he_stands(deals: int, seats: int, letters: bool) -> None:
    scored = totals(deals, seats, deals)
    drawn = plot(scored, 1, 72, 18, letters)
    assert len(drawn) == 18 and max(map(len, drawn)) <= 72
    grid = drawn[:16]
    assert all(letter.isascii() for line in drawn for letter in line) or not letters
    last = max(map(len, grid)) - 1
    places = {line[last]: at for at, line in enumerate(grid) if len(line) > last}
    best_first = sorted(range(seats), key=lambda seat: -scored[-1][seat])
    found = [places[mark] for seat in best_first if (mark := marks(letters)[seat]) in places]
    assert found == sorted(found) and (len(found) == seats or several(letters) in places)


def test_a_small_one_as_it_is() -> None:
    assert plot([[10, -10, 0], [20, -10, 0]], 4, 30, 7) == [
        " +20┤             ···●",
        "    ┤        ●····",
        "    ┤ ·······",
        "   0┤✶·······▲·······▲",
        " -10┤     ···■·······■",
        "    └─────────────────",
        "             4       5",
    ]


def test_players_with_the_same_total_share_a_mark() -> None:
    drawn = plot([[10, 10, -10]], 1, 30, 8)
    assert drawn[0].endswith(SEVERAL) and MARKS[2] in drawn[5]


def test_marks_differ() -> None:
    assert len({*MARKS}) == len({*LETTERS}) == 4
