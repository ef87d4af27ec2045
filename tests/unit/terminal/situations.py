"""One question of every kind in every game, from fixed seeds, and what a person is told with it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

from bots.builtin import make
from bots.practice import bot_chooser, seat_view
from engine.actions import Action
from engine.cards import CardSet
from engine.game import State, Value
from engine.games import game as find_game
from engine.referee import Chooser, Referee, shuffled
from p2p.language import t
from p2p.terminal import choices, facts, words

NAMES = ("Amal", "أبو علي", "Celine", "Bot 1")
TABLES: Mapping[str, tuple[tuple[int, int, Mapping[str, Value]], ...]] = {
    "kasra": ((1, 8, {"kingdoms": 2}),),
    "estimation": (
        (2, 1, {"normal_deals": 1, "speed_deals": 0}),
        (4, 2, {"normal_deals": 1, "speed_deals": 1, "dash_timing": "before_bidding"}),
    ),
    "istimar": ((1, 2, {}), (2, 1, {"kitty_shown": "owner"})),
    "three_five_eight": ((1, 6, {"deals": 6}),),
}
"""Seed, deals and options of the tables that are looked at. Random bots play: rules of thumb may change."""


LATE = 4
"""Cards in hand from which on a deal is looked at again, with what was taken in it."""


def situations(game: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """A title and the view, for each kind of question: by phase, contract, moves, and whether a trick lies there."""
    seen: set[tuple[object, ...]] = set()
    for seed, deals, options in TABLES[game]:
        found: list[tuple[str, dict[str, Any]]] = []
        rules = find_game(game)
        referee = Referee.start(rules, shuffled(random.Random(seed).shuffle), options)
        bots = [make("random", seed + seat) for seat in range(rules.seats)]

        def looking(
            seat: int, referee: Referee = referee, bots: list[Any] = bots, found: list[Any] = found
        ) -> Chooser:
            choose = bot_chooser(referee, bots[seat])

            def look(asked: int, state: State, hand: CardSet, actions: list[Action]) -> Action:
                view = seat_view(referee, seat, NAMES[: len(bots)])
                lying, late = bool(view.get("trick")), hand.bit_count() < LATE
                kind = (view["phase"], view.get("contract"), actions[-1].verb, lying, late, bool(view.get("speed")))
                if kind not in seen:
                    seen.add(kind)
                    title = " ".join(str(part) for part in kind[:3] if part)
                    found.append((title, view))
                return choose(asked, state, hand, actions)

            return look

        referee.play([looking(seat) for seat in range(rules.seats)], deals)
        yield from found


def told(view: Mapping[str, Any]) -> list[str]:
    """All that is told with a question, as on an empty screen."""
    lines = [text for _, text in (*facts.facts(view), *facts.table(view))]
    return [*lines, t("turn-hand", cards=words.cards(view["hand"])), *choices.lines(view["legal"], view["names"])]


def story(game: str) -> str:
    """All situations of a game as a text."""
    return "".join(f"== {title}\n" + "\n".join(told(view)) + "\n\n" for title, view in situations(game))
