"""Hints: what `sharp` would do in a person's place, and what it expects of everything that may be done."""

from __future__ import annotations

from typing import Any

import pytest

from bots.builtin import LEVELS, NAMES, OFFERED, bot_named, make, turned
from bots.sdk import View
from bots.search.advice import ADVICE_SECONDS, advise
from bots.search.judgement import PATIENCE
from bots.search.player import Sharp
from engine.games import NAMES as GAMES
from p2p.terminal.screen.scene import Scene
from tests.unit.terminal.tables import asked

DEALS = 3


def views(game: str) -> list[Any]:
    """One question of each kind."""
    found: dict[tuple[Any, ...], Scene] = {}
    for deals in range(DEALS):
        for scene in asked(game, deals):
            raw = scene.view
            found.setdefault((raw["phase"], raw.get("contract"), len(raw["legal"]) > 1, bool(raw.get("trick"))), scene)
    return [scene.view for scene in found.values()]


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_is_what_sharp_would_do_best_first(game: str) -> None:
    counted = 0
    for raw in views(game):
        view = View(raw, tuple(raw["legal"]), ADVICE_SECONDS / PATIENCE)
        advice = advise(view)
        assert advice.action == Sharp().act(view)
        assert advice.only == (len(view.legal) == 1)
        if advice.valued:
            counted += 1
            actions = [one.action for one in advice.valued]
            assert actions[0] == advice.action and len(set(actions)) == len(actions) and set(actions) <= set(view.legal)
            worths = [one.worth for one in advice.valued]
            assert worths == sorted(worths, reverse=True)
            assert advice.worlds >= 1
            if view.phase == "play" and not advice.certain:
                assert set(actions) == set(view.legal)  # every card is valued
    assert counted >= 2


def test_a_hint_knows_only_what_the_seat_may_know() -> None:
    """The view is all there is to know: with nothing else at hand the same question gets the same hint."""
    raw = views("kasra")[0]
    view = View(raw, tuple(raw["legal"]))
    assert advise(view) == advise(View(dict(raw), tuple(raw["legal"]), 0.5))


def test_levels_are_bots_and_every_bot_may_be_named() -> None:
    assert list(LEVELS) == ["easy", "normal", "hard"]
    assert [make(bot_named(word)).name for word in OFFERED] == [*LEVELS.values(), *NAMES]
    assert bot_named("cmd") == "cmd"
    assert [turned("steady", step) for step in (-1, 0, 1, 2)] == ["careless", "steady", "sharp", "careless"]
    assert turned("quick", 1) == "sharp"


def test_the_easy_opponent_errs_in_cards_and_in_nothing_else() -> None:
    careless, steady = make("careless", 1), make("steady")
    differs = 0
    for game in GAMES:
        for deals in range(DEALS):
            for scene in asked(game, deals):
                view = View(scene.view, tuple(scene.view["legal"]))
                chosen, sensible = careless.act(view), steady.act(view)
                assert chosen in view.legal
                assert chosen == sensible or chosen.startswith("play ")
                differs += chosen != sensible
    assert differs
