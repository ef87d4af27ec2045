"""The steady bot at Estimation: always legal, always the same, and better than chance."""

from __future__ import annotations

import random

import pytest

from bots.builtin.steady_estimation import choose, danger, expected_tricks
from engine.actions import Action, parse_action
from engine.cards import SPADES, CardSet, parse_cards
from engine.game import Options, State
from engine.games.estimation import GAME
from engine.referee import Chooser, Referee, shuffled
from protocol.seat import build_view


def table(seed: int, options: Options, steady: set[int], deals: int) -> State:
    """Some deals with the steady bot in these seats and chance in the others."""
    rng = random.Random(seed)
    referee = Referee.start(GAME, shuffled(rng.shuffle), options, seed % 4)

    def think(seat: int, state: State, hand: CardSet, actions: list[Action]) -> Action:
        view = build_view(state, seat, hand, [referee.knowledge.can_hold(other) for other in range(4)])
        legal = [str(action) for action in actions]
        chosen = choose(view, legal)
        assert chosen in legal and choose(view, legal) == chosen
        return parse_action(chosen)

    def guess(seat: int, state: State, hand: CardSet, actions: list[Action]) -> Action:
        return rng.choice(actions)

    choosers: list[Chooser] = [think if seat in steady else guess for seat in range(4)]
    return referee.play(choosers, deals=deals)


@pytest.mark.parametrize("preset", GAME.presets)
def test_it_plays_every_preset(preset: str) -> None:
    options = {**GAME.presets[preset], "normal_deals": 3, "speed_deals": 5}
    end = table(1, options, {0, 1, 2, 3}, 8)
    assert len(end.results) == 8


def test_it_beats_three_who_guess() -> None:
    """The long measurement is several hundred deals (bots.arena); this notices when something broke."""
    results = table(2, {"all_miss": "keep"}, {0}, 18).results
    ahead = [result.points[0] - sum(result.points[1:]) / 3 for result in results]
    assert sum(ahead) / len(ahead) > 5


def test_it_needs_no_more_than_the_view_of_the_moment() -> None:
    """A view without `can_hold`, as another program might make it, is enough."""
    view = {
        "phase": "play",
        "seat": 0,
        "hand": ["2D", "KD"],
        "history": [[3, "play AD"]],
        "trick": [[3, "AD"]],
        "trump": "S",
        "estimates": [0, 4, 4, 4],
        "tricks": [0, 4, 4, 3],
        "counts": [2, 2, 2, 1],
    }
    assert choose(view, ["play 2D", "play KD"]) == "play KD"  # a high card goes under a higher one


def test_it_values_hands_as_people_do() -> None:
    strong = parse_cards("AS KS QS 9S 8S AH KH 4H AD 5D 3D KC 6C")
    weak = parse_cards("2S 5S 8S 3H 4H 7H 2D 4D 7D 8D 2C 3C 5C")
    assert expected_tricks(strong, SPADES) > 7 > 2 > expected_tricks(weak, SPADES)
    assert danger(weak) < 0.2 < 1.5 < danger(strong)
