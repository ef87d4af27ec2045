"""The questions of a check: in every game some of every phase, contract and kind of action, each to some seat.

Random bots play the others' cards at an open table from fixed seeds, so every program faces the same questions.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from bots.builtin import make
from bots.practice import choice
from bots.sdk import Bot, View
from bots.talk import Talk, answered, talk
from engine.actions import Action
from engine.game import Value
from engine.games import game as find_game
from engine.referee import Referee, shuffled
from protocol.seat import Act, Clocks, Hello

NAMES = ("Amal", "أبو علي", 'Celine "C"', "Bot 1")
"""Names that a program must be able to read: another script, quotes, a space."""

TABLES: Mapping[str, tuple[tuple[int, int, Mapping[str, Value]], ...]] = {
    "kasra": ((1, 4, {"kingdoms": 1}), (2, 4, {"kingdoms": 1, "doubling": "sequential"})),
    "estimation": (
        (2, 1, {"normal_deals": 1, "speed_deals": 0}),
        (4, 2, {"normal_deals": 1, "speed_deals": 1, "dash_timing": "before_bidding"}),
    ),
    "istimar": ((1, 2, {}), (2, 2, {"kitty_shown": "owner", "exchange_optional": "yes"})),
    "three_five_eight": ((1, 6, {"deals": 6}),),
}
"""Seed, deals and options of the tables that are looked at, so that every phase occurs (a test counts them)."""

PER_KIND = 3
"""Questions of each kind: early and late ones differ."""

Kind = tuple[str, str, str, bool]
"""Phase, contract, first word of the last legal action, whether a trick lies on the table."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """Questions that one run of a program is asked: one seat of one table, in the order of the game."""

    hello: Hello
    acts: tuple[Act, ...]


def kind_of(act: Act) -> Kind:
    """What kind of question this is."""
    view = act.view
    return view["phase"], str(view.get("contract") or ""), act.legal[-1].split()[0], bool(view.get("trick"))


def table(game: str, number: int, seat: int, clocks: Clocks, wants: Sequence[str] = ()) -> Talk:
    """What one seat of one of the `TABLES` hears when random bots play the others."""
    seed, deals, options = TABLES[game][number]
    rules = find_game(game)
    referee = Referee.start(rules, shuffled(random.Random(seed).shuffle), options)
    bots = [make("random", seed + other) for other in range(rules.seats)]

    def others(mover: int) -> Action:
        return choice(referee, bots[mover], mover)

    return talk(referee, seat, NAMES, others, wants=wants, deals=deals, seed=seed, clocks=clocks)


def chooser(bot: Bot) -> Callable[[Act], str]:
    """A bot in this process as a function from question to answer."""
    return lambda act: bot.act(View.of(act))


@cache
def sittings(game: str, clocks: Clocks) -> tuple[Sitting, ...]:
    """All questions of a game. A seat that brings nothing new is left out."""
    return tuple(_sittings(game, clocks))


def _sittings(game: str, clocks: Clocks) -> Iterator[Sitting]:
    seen: Counter[Kind] = Counter()
    for number, (seed, _, _) in enumerate(TABLES[game]):
        for seat in range(find_game(game).seats):
            bot = make("random", seed + seat)
            hello: Hello | None = None
            acts = []
            for message, _ in answered(table(game, number, seat, clocks), chooser(bot)):
                hello = message if isinstance(message, Hello) else hello
                if isinstance(message, Act):
                    seen[kind_of(message)] += 1
                    if seen[kind_of(message)] <= PER_KIND:
                        acts.append(message)
            if acts and hello is not None:
                yield Sitting(hello, tuple(acts))
