"""Worlds for a view: all hands by seat, the own ones among them.

Two things make some worlds likelier than others, and are taken into account here: what the seats called and
played (`guesses`), and that a declarer puts his worst cards aside, not any four.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bots.search.deals import Deal, TrickDeal
from bots.search.discards import put_aside
from bots.search.guesses import likelihood_of
from bots.search.hidden import ASIDE, Hidden, hidden
from bots.search.judgement import Budget
from bots.search.reading import Reading
from bots.search.worlds import Likelihood, Worlds
from engine.cards import NO_CARDS, CardSet


def sample(reading: Reading, budget: Budget, deal: Deal | None = None) -> Iterator[list[CardSet]]:
    """As many worlds as the budget has, as the hands by seat. With the `deal` that is played, its plays count in what
    is likely. To whom the truth is known, it comes after each of them: how one deal is played out hangs on the habits
    of the rollout policies, and the other worlds say what is good whatever they are."""
    places = hidden(reading)
    try:
        worlds = Worlds(places, budget.random)
    except ValueError:  # somebody returned a card that he should not have; at the end of the deal that comes out
        places = hidden(reading, private=False)
        worlds = Worlds(places, budget.random)
    likelihood = likelihood_of(reading, places, deal if isinstance(deal, TrickDeal) else None)
    sorting = None
    if reading.raw["phase"] == "play" and places.places[-1] == ASIDE:
        sorting = _Sorting(reading, places)
        if likelihood is not None:
            likelihood = sorting.before(likelihood)
    for draw, world in worlds.sample(budget.worlds, likelihood):
        budget.draws.append(draw)
        yield by_seat(reading, places, world if sorting is None else sorting.sorted(world))
        if budget.truth is not None:
            yield list(budget.truth())


def by_seat(reading: Reading, places: Hidden, world: Sequence[CardSet]) -> list[CardSet]:
    """A world's hands by seat."""
    hands = [NO_CARDS] * reading.seats
    hands[reading.seat] = reading.hand
    for place, cards in zip(places.places, world, strict=True):
        if place != ASIDE:
            hands[place] = cards
    return hands


class _Sorting:
    """What another declarer put aside is what we would have put aside of the cards that he holds or put aside."""

    def __init__(self, reading: Reading, places: Hidden) -> None:
        declarer = int(reading.raw["declarer"])
        self._at = places.places.index(declarer)
        self._can_hold = reading.can_hold[declarer]
        self._played = reading.played[declarer]
        self._trump = reading.trump
        self._duck = reading.raw.get("contract") == "none"

    def sorted(self, world: Sequence[CardSet]) -> list[CardSet]:
        """The same world with what the declarer holds and what lies aside sorted so."""
        both = world[self._at] | world[-1]
        surely = both & ~self._can_hold  # proved not to be in his hand
        number = world[-1].bit_count() - surely.bit_count()
        aside = surely | put_aside(both & ~surely, number, self._trump, self._duck, self._played)
        new = list(world)
        new[self._at], new[-1] = both & ~aside, aside
        return new

    def before(self, likelihood: Likelihood) -> Likelihood:
        """The likelihood of the world that becomes of one."""
        return lambda world: likelihood(self.sorted(world))
