"""What the searching bots are made of: play-outs a second, the full-rules engine beside OpenSpiel, time per decision.

Seconds are those of the processor, so that what else the machine does matters little.
OpenSpiel is measured when it can be imported: `make bench` installs it where it has wheels, for few versions of Python.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from statistics import median, quantiles
from typing import Any

from bots.builtin import make
from bots.practice import bot_chooser, seat_view
from bots.sdk import View
from bots.search.deals import Deal, deal_of
from bots.search.reading import Reading
from engine.actions import Action
from engine.cards import CardSet
from engine.game import State
from engine.games import NAMES
from engine.games import game as find_game
from engine.record import Recorder
from engine.referee import Referee, shuffled

CORE_GOAL = 20_000
"""Play-outs a second."""

ENGINE_GOAL = 2
"""The full-rules engine against OpenSpiel called from Python: so many times its random deals a second."""

SPIEL_GAMES = {"hearts": "hearts", "bridge": "bridge(use_double_dummy_result=false)"}
"""What is measured of OpenSpiel, by its name there."""

SECONDS = 1.0
DECIDING_DEALS = 4
RUNGS = ("steady", "quick", "sharp", "ismcts")


# ---- the core -----------------------------------------------------------------------------------------------------


def core() -> None:
    """Play-outs by the rollout policies, with scoring, from the first card and from all positions of a deal."""
    print(f"\nplay-outs a second, one core, goal {CORE_GOAL:,}: from the first card, from anywhere in a deal")
    for name in NAMES:
        positions = list(_positions(name))
        kinds = sorted({kind for kind, *_ in positions})
        for kind in kinds:
            some = [(deal, hands) for one, _, deal, hands in positions if one == kind]
            whole = [(deal, hands) for one, first, deal, hands in positions if one == kind and first]
            print(f"{name + ' ' + kind:<28}{_rate(whole):>10,.0f}{_rate(some):>10,.0f}")


def _positions(name: str) -> Iterator[tuple[str, bool, Deal, list[CardSet]]]:
    """Kind of deal, whether it is the first card, and the deal with its true hands, before every card of some deals."""
    referee = Referee.start(find_game(name), shuffled(random.Random(1).shuffle))
    found: list[tuple[str, bool, Deal, list[CardSet]]] = []

    def watching(seat: int, state: State, hand: CardSet, actions: list[Action]) -> Action:
        if state.phase == "play":
            reading = Reading.of(seat_view(referee, seat))
            kind = str(reading.raw.get("contract") or "")
            kind = "trumps" if kind in tuple("SHDC") else kind
            found.append((kind, not reading.plays, deal_of(reading), list(referee.hands)))
        return bot_chooser(referee, make("steady"))(seat, state, hand, actions)

    referee.play([watching] * len(referee.hands), 16)
    yield from found


def _rate(positions: list[tuple[Deal, list[CardSet]]]) -> float:
    """Play-outs a second, these positions again and again."""
    if not positions:
        return 0.0
    number, since = 0, time.process_time()
    while time.process_time() - since < SECONDS:
        for deal, hands in positions:
            deal.finish(deal.at(hands))  # type: ignore[arg-type]
        number += len(positions)
    return number / (time.process_time() - since)


# ---- the engine beside OpenSpiel ----------------------------------------------------------------------------------


def engine() -> None:
    """Random deals a second with every event written down, and how that compares with OpenSpiel in the same run.

    A pack is 52 chance nodes there, and in the way that its examples draw them they take most of the time. Both ways
    stand beside ours: that one, which who calls OpenSpiel from Python finds first, and the quickest that we know.
    """
    print(f"\nrandom deals a second with the record, one core; goal {ENGINE_GOAL} times OpenSpiel called from Python")
    ours = {name: _per_second(_engine_deal(name)) for name in NAMES}
    theirs = {}
    if find_spec("pyspiel") is None:
        print("no ratios, as OpenSpiel is not installed for this Python: pip install -c constraints.txt -e .[bench]")
    else:
        print("OpenSpiel: cards drawn from chance_outcomes() by numpy, as in its examples; 'quick': by rng.choice")
        spiel, draw = import_module("pyspiel"), import_module("numpy").random.default_rng(1).choice
        for name, game in SPIEL_GAMES.items():
            theirs[name] = _per_second(_spiel_deal(spiel, game, lambda state: _drawn(state, draw)))
            theirs[f"{name} quick"] = _per_second(_spiel_deal(spiel, game, None))
        for name, rate in theirs.items():
            print(f"{'OpenSpiel ' + name:<28}{rate:>10,.0f}")
    for name, rate in ours.items():
        ratios = "".join(f"{rate / other:>8.2f} × {game}" for game, other in theirs.items())
        print(f"{name:<28}{rate:>10,.0f}{ratios}")


def _per_second(deal: Callable[[], int]) -> float:
    number, since = 0, time.process_time()
    while time.process_time() - since < SECONDS:
        number += deal()
    return number / (time.process_time() - since)


def _engine_deal(name: str) -> Callable[[], int]:
    rng = random.Random(1)

    def choose(seat: int, state: State, hand: CardSet, legal: list[Action]) -> Action:
        return rng.choice(legal)

    def play() -> int:
        referee = Referee.start(find_game(name), shuffled(rng.shuffle))
        Recorder(referee)
        return len(referee.play([choose] * find_game(name).seats).results)

    return play


def _drawn(state: Any, choice: Callable[..., int]) -> int:
    """What chance does, as the examples of OpenSpiel draw it."""
    actions, weights = zip(*state.chance_outcomes(), strict=True)
    return choice(actions, p=weights)


def _spiel_deal(spiel: Any, name: str, dealt: Callable[[Any], int] | None) -> Callable[[], int]:
    """Deals of a game; `dealt` draws at a chance node, where None takes one of the legal actions as anywhere else."""
    game, rng = spiel.load_game(name), random.Random(1)

    def play() -> int:
        state = game.new_initial_state()
        while not state.is_terminal():
            if dealt is not None and state.is_chance_node():
                state.apply_action(dealt(state))
            else:
                state.apply_action(rng.choice(state.legal_actions()))
        return 1

    return play


# ---- deciding -----------------------------------------------------------------------------------------------------


def deciding() -> None:
    """How long each rung thinks, over all decisions with a choice."""
    print("\nmilliseconds a decision: median, 99 of 100, longest")
    for name in NAMES:
        views = list(_views(name))
        for rung in RUNGS:
            bot, times = make(rung, seed=1), []
            for view in views:
                since = time.process_time()
                bot.act(view)
                times.append(1000 * (time.process_time() - since))
            slow = quantiles(times, n=100)[-1]
            print(f"{name + ' ' + rung:<28}{median(times):>10.1f}{slow:>10.1f}{max(times):>10.1f}")


def _views(name: str) -> Iterator[View]:
    referee = Referee.start(find_game(name), shuffled(random.Random(2).shuffle))
    found: list[View] = []

    def watching(seat: int, state: State, hand: CardSet, actions: list[Action]) -> Action:
        found.append(View(seat_view(referee, seat), tuple(map(str, actions))))
        return bot_chooser(referee, make("steady"))(seat, state, hand, actions)

    referee.play([watching] * len(referee.hands), DECIDING_DEALS)
    yield from found
