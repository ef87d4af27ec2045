"""Hints: what `sharp` would do in a person's place, and what it expects of everything that may be done."""

from __future__ import annotations

import json
from functools import cache
from random import Random
from statistics import fmean, median, stdev
from typing import Any

import pytest

from bots.builtin import LEVELS, NAMES, OFFERED, bot_named, make, turned
from bots.sdk import View
from bots.search import advice as advising
from bots.search.advice import FAR_OFF, advise
from bots.search.judgement import Budget, Tally, compared
from bots.search.player import Sharp, judge
from engine.games import NAMES as GAMES
from p2p.terminal.screen.scene import Scene
from tests.unit.terminal.tables import asked

DEALS = 3


@pytest.fixture(autouse=True)
def _no_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a hint says must not hang on how busy this machine is."""
    monkeypatch.setattr(advising, "ADVICE_SECONDS", 60.0)


@cache
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
        view = View(raw, tuple(raw["legal"]))
        advice = advise(view)
        assert advice.action == Sharp().act(view)
        actions = [one.action for one in advice.valued]
        assert actions[0] == advice.action and len(set(actions)) == len(actions)
        assert set(actions) == ({advice.action} if advice.certain else set(view.legal))
        first, *rest = advice.valued
        assert (first.difference, first.error) == (0.0, 0.0)
        assert [one.difference for one in rest] == sorted((one.difference for one in rest), reverse=True)
        for one in rest:
            assert one.error >= 0.0 and one.worlds in (first.worlds, FAR_OFF)
            if one.worlds == first.worlds:
                assert one.difference == pytest.approx(one.lead + one.later - first.lead - first.later)
        counted += len(rest) > 1
    assert counted >= 2


def _bids(raw: Any) -> int:
    return sum(action.startswith("bid ") for action in raw["legal"])


def test_every_bid_of_an_auction_is_valued_the_far_off_ones_in_few_worlds() -> None:
    raw = max((scene.view for deals in range(DEALS) for scene in asked("estimation", deals)), key=_bids)
    assert _bids(raw) > 20
    view, bot = View(raw, tuple(raw["legal"])), Sharp()
    advice = advise(view)
    bot.act(view)
    assert bot.judgement is not None and not bot.judgement.far_off  # no bot looks at them
    looked_at = dict.fromkeys(view.legal, FAR_OFF)
    looked_at |= {action: found.worlds for action, found in bot.judgement.tallies.items()}
    assert {one.action: one.worlds for one in advice.valued} == looked_at
    grand = next(one for one in advice.valued if one.action == "bid 13NT")
    assert grand.worlds == FAR_OFF and grand.difference + 2 * grand.error < 0


# ---- how sure ---------------------------------------------------------------------------------------------------


def tally(*margins: float, later: float = 0.0) -> Tally:
    """An action with these margins, world by world."""
    found = Tally(later=later)
    for margin in margins:
        found.add((margin, 0.0), 0)
    return found


def test_actions_are_compared_world_by_world() -> None:
    """The luck of a world is the same for both: whoever is two better in each is two better without doubt."""
    lucky = (40.0, -30.0, 5.0, 90.0)
    assert compared(tally(*(one + 2 for one in lucky)), tally(*lucky), []) == (2.0, 0.0)
    assert compared(tally(*lucky, later=1.5), tally(*lucky, later=-1.0), []) == (2.5, 0.0)
    differences = (1.0, 4.0, -2.0, 3.0)
    mean, error = compared(tally(*differences), tally(0.0, 0.0, 0.0, 0.0), [3, 4, 5, 6])
    assert mean == fmean(differences) and error == pytest.approx(stdev(differences) / 2)


def test_what_was_looked_at_less_is_compared_where_both_were() -> None:
    assert compared(tally(1.0, 3.0), tally(0.0, 0.0, 50.0, 50.0), [0, 1, 2, 3]) == (2.0, 1.0)


def test_a_draw_that_stands_for_several_worlds_is_one_observation() -> None:
    none = tally(*[0.0] * 6)
    _, apart = compared(tally(1, 1, 1, 5, 5, 5), none, list(range(6)))
    _, error = compared(tally(1, 5, 1, 5, 1, 5), none, [0, 1] * 3)
    assert error == 2.0 > apart
    assert compared(tally(1, 1, 1, 5), none, [7, 7, 7, 8])[1] == pytest.approx((2 * (3**2 + 3**2)) ** 0.5 / 4)
    assert compared(tally(4.0), none, [0])[1] == compared(tally(*[4.0] * 6), none, [0] * 6)[1] == float("inf")


@pytest.mark.parametrize("game", ["kasra", "estimation"])
def test_the_error_told_is_how_far_hints_differ_by_chance(game: str) -> None:
    """The same question thought about with many seeds: what varies from one to the next is what was told."""
    raws = [raw for raw in views(game) if len(raw["legal"]) > 2 and "claim" not in " ".join(raw["legal"])]
    told, real = [], []
    for raw in raws[:3]:
        legal = tuple(raw["legal"])
        found = []
        for seed in range(16):
            budget = Budget(30, Random(seed))
            judgement = judge(View(raw, legal), budget)
            assert judgement is not None
            first, *_, last = judgement.tallies.values()
            found.append(compared(last, first, budget.draws))
        told.append(median(error for _, error in found))
        real.append(stdev(mean for mean, _ in found))
    ratios = [one / other for one, other in zip(told, real, strict=True) if other > 0.01]
    assert ratios and 0.6 < fmean(ratios) < 1.6, (told, real)


# ---- nothing leaks ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_knows_only_what_the_seat_is_sent(game: str) -> None:
    """Its view as text is all there is to know (that this tells nothing of hidden hands is for `bots.check.leaks`)."""
    for raw in views(game)[:2]:
        text = json.dumps(raw, sort_keys=True)
        advice = advise(View(raw, tuple(raw["legal"])))
        again = json.loads(text)
        assert advice == advise(View(again, tuple(again["legal"])))
        assert json.dumps(raw, sort_keys=True) == text  # and nothing is written into it


# ---- opponents by level -----------------------------------------------------------------------------------------


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
