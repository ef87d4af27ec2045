"""The steady bot at Kasra: whole games under every option, and what it does where a good player would not hesitate."""

from __future__ import annotations

import random

import pytest

from bots.builtin import make
from bots.builtin.steady_kasra import choose
from bots.practice import bot_chooser
from engine.games import game as find_game
from engine.referee import Referee, shuffled


@pytest.mark.parametrize(
    "options", [{}, {"doubling": "sequential"}, {"doubling": "off"}, {"self_capture": "full"}]
)
def test_steady_plays_whole_games_of_kasra(options: dict[str, str]) -> None:
    for seed in range(2):
        referee = Referee.start(find_game("kasra"), shuffled(random.Random(seed).shuffle), options)
        state = referee.play([bot_chooser(referee, make("steady")) for _ in range(4)])
        assert len(state.results) == 16 and state.winners
        assert sum(state.totals) == 0 or options == {"self_capture": "full"}


def view(**given: object) -> dict[str, object]:
    """A view of Kasra with what matters for a decision."""
    full: dict[str, object] = {
        "seat": 0,
        "hand": [],
        "contract": "complex",
        "trump": "",
        "trick": [],
        "tricks": [0, 0, 0, 0],
        "can_hold": [[], [], [], []],
        "counts": [13, 13, 13, 13],
        "doubled": [[], [], [], []],
        "rows": {"C": [], "D": [], "H": [], "S": []},
    }
    return full | given


def test_void_means_throwing_the_king_of_hearts() -> None:
    hand = ["3C", "9C", "KH"]
    seen = view(hand=hand, trick=[[3, "AS"]], can_hold=[[], ["2S"], ["AC"], ["2H"]], counts=[3, 3, 3, 2])
    assert choose(seen, ["play 3C", "play 9C", "play KH"]) == "play KH"


def test_ducking_with_the_highest_card_that_stays_under() -> None:
    seen = view(hand=["2S", "QS", "KS"], trick=[[1, "4S"], [2, "AS"], [3, "5S"]], counts=[3, 2, 2, 2])
    assert choose(seen, ["play 2S", "play QS", "play KS"]) == "play QS"


def test_trumps_are_the_long_suit() -> None:
    hand = ["AS", "KS", "QS", "JS", "9S", "2H", "3H", "4D", "5D", "2C", "3C", "4C", "5C"]
    assert choose(view(hand=hand), [f"trump {suit}" for suit in "CDHS"]) == "trump S"


def test_a_hand_of_low_cards_is_for_complex_and_a_strong_one_for_tarneeb() -> None:
    games = [f"game {name}" for name in ("complex", "tarneeb", "ltooshain", "trix")]
    low = ["2S", "3S", "4S", "2H", "3H", "4H", "2D", "3D", "4D", "2C", "3C", "4C", "5C"]
    assert choose(view(hand=low), games) == "game complex"
    high = ["AS", "KS", "QS", "9S", "8S", "7S", "6S", "AH", "KH", "AD", "KD", "AC", "KC"]
    assert choose(view(hand=high), games) == "game tarneeb"


def test_trix_opens_the_way_for_its_own_cards() -> None:
    hand = ["JS", "TS", "9S", "QS", "JH"]
    seen = view(contract="trix", hand=hand, can_hold=[[], ["TH", "9H", "QH"], [], []])
    assert choose(seen, ["play JH", "play JS"]) == "play JS"
