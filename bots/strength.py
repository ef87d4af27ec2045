"""How strong a bot is: the same packs are played once with it in every seat, against the same others.

One *block* is a short game (for Kasra a kingdom of four deals) whose packs come from one seed, played as often as there
are seats, the measured bot sitting in each of them once. Good and bad cards of a block then cancel out, and blocks are
independent of one another: mean and interval are taken over blocks, never over the deals inside them.

What is measured is the *advantage*: the bot's points a deal minus the average of the other seats' points.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from bots.builtin import make
from bots.practice import bot_chooser, greeting
from engine.game import Game, Value
from engine.games import game as find_game
from engine.referee import Referee, shuffled

SHORT: Mapping[str, tuple[Mapping[str, Value], int]] = {
    "kasra": ({"kingdoms": 1}, 4),
    "three_five_eight": ({"deals": 3}, 3),
}
"""Options that make a game's block short, and its number of deals; other games play four deals of a whole game."""

_Z = 1.96
_T = (
    12.71,
    4.30,
    3.18,
    2.78,
    2.57,
    2.45,
    2.36,
    2.31,
    2.26,
    2.23,
)  # Student's t, 95 %, for 1 to 10 degrees of freedom


@dataclass(frozen=True, slots=True)
class Strength:
    """Advantage in points a deal: mean ± half of the 95 % interval, over so many deals in so many blocks."""

    mean: float
    half_width: float
    deals: int
    blocks: int

    @property
    def sure(self) -> bool:
        """Whether the bot is better with 95 % confidence."""
        return self.mean - self.half_width > 0

    def __str__(self) -> str:
        return f"{self.mean:+.1f} ± {self.half_width:.1f} points a deal ({self.deals} deals)"


def compare(game: str, bot: str, others: str, deals: int, seed: int = 0) -> Strength:
    """How much better `bot` plays than the `others` around it (names of built-in bots), in about so many deals."""
    rules = find_game(game)
    options, length = SHORT.get(rules.name, ({}, 4))
    blocks = max(2, deals // (length * rules.seats))
    advantages = [_block(rules, options, length, bot, others, f"{seed}/{number}") for number in range(blocks)]
    return summary(advantages, blocks * length * rules.seats)


def summary(advantages: list[float], deals: int) -> Strength:
    """Mean and 95 % interval over independent blocks."""
    degrees = len(advantages) - 1
    factor = _T[degrees - 1] if degrees <= len(_T) else _Z + 2.5 / degrees
    return Strength(
        fmean(advantages), factor * stdev(advantages) / sqrt(len(advantages)), deals, len(advantages)
    )


def _block(rules: Game, options: Mapping[str, Value], length: int, bot: str, others: str, seed: str) -> float:
    """The advantage a deal, over all seats of one block."""
    found = []
    for seat in range(rules.seats):
        totals = _play(
            rules, options, length, [bot if s == seat else others for s in range(rules.seats)], seed
        )
        rest = [total for s, total in enumerate(totals) if s != seat]
        found.append((totals[seat] - fmean(rest)) / length)
    return fmean(found)


def _play(
    rules: Game, options: Mapping[str, Value], length: int, names: list[str], seed: str
) -> tuple[int, ...]:
    """The totals of some deals between bots; the packs depend on the seed only, never on who plays."""
    referee = Referee.start(rules, shuffled(random.Random(seed).shuffle), options)
    choosers = []
    for seat, name in enumerate(names):
        bot = make(name)
        chance = random.Random(f"{seed}/{seat}").getrandbits(53)
        bot.start(greeting(rules, dict(referee.state.options), seat, names, chance))
        choosers.append(bot_chooser(referee, bot))
    return referee.play(choosers, length).totals
