"""The searching bots themselves: from a view to an action."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bots.builtin.steady import choose
from bots.sdk import Bot, View
from bots.search import calls_estimation, calls_kasra, calls_kitty
from bots.search.judgement import Budget, Judgement
from bots.search.plays import judge_claim, judge_play
from bots.search.reading import Reading

_CALLS: Mapping[str, Callable[[Reading, tuple[str, ...], Budget], Judgement | None]] = {
    "kasra": calls_kasra.judge_call,
    "estimation": calls_estimation.judge_call,
    "istimar": calls_kitty.judge_call,
    "three_five_eight": calls_kitty.judge_call,
}


def judge(view: View, budget: Budget) -> Judgement | None:
    """What each legal action is worth, by search; None where there is nothing to search."""
    reading = Reading.of(view.raw)
    claims = [action for action in view.legal if action.split()[0] == "claim"]
    if claims:
        return judge_claim(reading, claims[0])
    if view.phase == "play":
        return judge_play(reading, view.legal, budget)
    return _CALLS[view.game](reading, view.legal, budget)


class Searcher(Bot):
    """Looks at every legal action in some worlds, and takes the best. It needs nothing but the view."""

    worlds = 0
    """How many worlds it looks at in an ordinary decision."""

    def __init__(self) -> None:
        super().__init__()
        self._notes: Mapping[str, object] | None = None

    def act(self, view: View) -> str:
        """The action that brings most on average."""
        self._notes = None
        if len(view.legal) == 1:
            return view.legal[0]
        judgement = judge(view, Budget.of(self.worlds, view.seconds, self.random))
        if judgement is None:
            return choose(view.raw, view.legal)
        self._notes = judgement.notes()
        return judgement.best()

    def info(self) -> Mapping[str, object] | None:
        """The points expected of each action, and from how many worlds."""
        return self._notes


class Quick(Searcher):
    """20 worlds: strong, and fast enough for thousands of games."""

    name = "quick"
    worlds = 20


class Sharp(Searcher):
    """100 worlds: what gains there are lie below that."""

    name = "sharp"
    worlds = 100
