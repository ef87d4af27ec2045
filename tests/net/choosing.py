"""Plays some deals of every game with the bots that search, and prints every action: a program for test_compiled."""

from __future__ import annotations

import random

import bots.search.tricks
from bots.builtin import make
from bots.practice import bot_chooser
from engine.games import NAMES
from engine.games import game as find_game
from engine.referee import Acted, Event, Referee, shuffled

DEALS = {"kasra": 4}  # one of each kind


def main() -> None:
    """Where the search was loaded from, then the actions."""
    print(bots.search.tricks.__file__)
    for name in NAMES:
        referee = Referee.start(find_game(name), shuffled(random.Random(1).shuffle))
        referee.observers.append(tell)
        bots_by_seat = [make(kind, seed=1) for kind in ("quick", "ismcts", "steady", "quick")[: len(referee.hands)]]
        referee.play([bot_chooser(referee, bot) for bot in bots_by_seat], DEALS.get(name, 1))


def tell(event: Event) -> None:
    """One line an action."""
    if isinstance(event, Acted):
        print(event.seat, event.action)


if __name__ == "__main__":
    main()
