"""The searching bots themselves: from a view to an action."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from bots.builtin.steady import choose
from bots.sdk import Bot, View
from bots.search import calls_estimation, calls_kasra, calls_kitty, ismcts, plays
from bots.search.judgement import Budget, Judgement
from bots.search.reading import Reading
from engine.cards import CardSet

Judge: TypeAlias = Callable[[Reading, tuple[str, ...], Budget], Judgement | None]
"""Judges the legal actions of a view."""

_CALLS: Mapping[str, Judge] = {
    "kasra": calls_kasra.judge_call,
    "estimation": calls_estimation.judge_call,
    "istimar": calls_kitty.judge_call,
    "three_five_eight": calls_kitty.judge_call,
}


def judge(view: View, budget: Budget, judge_play: Judge = plays.judge_play) -> Judgement | None:
    """What each legal action is worth, by search; None where there is nothing to search."""
    reading = Reading.of(view.raw)
    claims = [action for action in view.legal if action.split()[0] == "claim"]
    if claims:
        return plays.judge_claim(reading, claims[0])
    if view.phase == "play":
        return judge_play(reading, view.legal, budget)
    return _CALLS[view.game](reading, view.legal, budget)


class Searcher(Bot):
    """Looks at every legal action in some worlds, and takes the best. It needs nothing but the view."""

    worlds = 0
    """How many worlds it looks at in an ordinary decision."""

    def __init__(self) -> None:
        super().__init__()
        self.judgement: Judgement | None = None
        """What was found for the action just chosen; None where there was nothing to search."""

    def act(self, view: View) -> str:
        """The action that brings most on average."""
        self.judgement = None
        if len(view.legal) == 1:
            return view.legal[0]
        self.judgement = self._judge(view)
        return choose(view.raw, view.legal) if self.judgement is None else self.judgement.best()

    def info(self) -> Mapping[str, object] | None:
        """The points expected of each action, and from how many worlds."""
        return None if self.judgement is None else self.judgement.notes()

    def _judge(self, view: View) -> Judgement | None:
        return judge(view, Budget.of(self.worlds, view.seconds, self.random))


class Quick(Searcher):
    """20 worlds: strong, and fast enough for thousands of games."""

    name = "quick"
    worlds = 20


class Sharp(Searcher):
    """100 worlds: what gains there are lie below that."""

    name = "sharp"
    worlds = 100


class Ismcts(Searcher):
    """Plays cards by a tree search, and calls as `quick`: another way to play, for variety."""

    name = "ismcts"
    worlds = Quick.worlds
    iterations = 400
    """Iterations of the tree search: about as long as `sharp` takes."""

    def _judge(self, view: View) -> Judgement | None:
        playing = view.phase == "play"
        budget = Budget.of(self.iterations if playing else self.worlds, view.seconds, self.random)
        return judge(view, budget, ismcts.judge_play)


class Cheater(Searcher):
    """Sees all hands: how good a player can be at all. For measuring; no table and no list of bots has it, because it
    cannot be made without the true hands."""

    name = "cheater"
    worlds = Quick.worlds

    def __init__(self, truth: Callable[[], Sequence[CardSet]]) -> None:
        """`truth` gives the hands by seat as they are whenever it is asked, such as those of a referee."""
        super().__init__()
        self._truth = truth

    def _judge(self, view: View) -> Judgement | None:
        return judge(view, Budget.of(self.worlds, view.seconds, self.random, self._truth))
