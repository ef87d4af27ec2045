"""Kasra: four players, each for himself; kingdoms of four games: Complex, Tarneeb, the last two tricks and Trix.

`state` is the fold over the public events of a table, `trix` the four rows, `scoring` the points. Rule ids are KAS-…
"""

from __future__ import annotations

from engine.game import Game, Option, Options, Outcome, Start
from engine.games.kasra.scoring import check_outcome
from engine.games.kasra.state import GAMES, Kasra

GAME = Game(
    name="kasra",
    seats=4,
    options=(
        Option("kingdoms", (4, 2, 1), "KAS-2"),
        Option("doubling", ("simultaneous", "sequential", "off"), "B-KAS-7"),
        Option("self_capture", ("net", "full"), "B-KAS-8"),
    ),
    starter=Kasra,
)


def begin_at(options: Options, start: Start) -> Kasra:
    """A game that begins with deal `start.deal`; its owner is known from `owner`, or from `dealer` (B-KAS-19)."""
    return Kasra.begin_at(options, start)


def skip_hidden(state: Kasra) -> Kasra:
    """Nothing in Kasra but the play itself depends on hidden cards."""
    return state


def score_sheet(state: Kasra, outcome: Outcome) -> Kasra:
    """The deal scored by how it ended: tricks won and penalty cards, the last two tricks, or the order of going out."""
    check_outcome(state.contract if state.phase == "play" else "", outcome)
    return state.scored(outcome)


__all__ = ["GAME", "GAMES", "Kasra", "begin_at", "score_sheet", "skip_hidden"]
