"""Score sheets and records that begin in the middle: the functions of `engine.game.Sheet`."""

from __future__ import annotations

from dataclasses import replace

from engine.game import Illegal, Options, Outcome, Start
from engine.games.estimation.rules import State
from engine.games.estimation.scoring import SEATS, TRICKS


def begin_at(options: Options, start: Start) -> State:
    """A state that waits for the pack of deal `start.deal`."""
    state = State.begin(options, start.dealer)
    if not 1 <= start.deal <= state.last_deal or not 0 <= start.dealer < SEATS or start.multiplier < 1:
        raise Illegal("EST-1", "bad-start", deal=start.deal)
    return replace(state, deal=start.deal, multiplier=start.multiplier)


def skip_hidden(state: State) -> State:
    """Without the void declarations, if it waits for them."""
    return replace(state, declarations=()).without_declarations() if state.phase == "void" else state


def score_sheet(state: State, outcome: Outcome) -> State:
    """Scored by the tricks that each seat took."""
    tricks = outcome.tricks
    if state.phase != "play" or len(tricks) != SEATS or min(tricks) < 0 or sum(tricks) != TRICKS:
        raise Illegal("EST-18", "bad-outcome", tricks=" ".join(map(str, tricks)))
    return state.scored(tricks)
