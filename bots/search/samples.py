"""Worlds for a view: all hands by seat, the own ones among them.

Two things make some worlds likelier than others, and are taken into account here: what the seats called and
played (`guesses`), and that a declarer puts his worst cards aside, not any four.
"""

from __future__ import annotations

from collections.abc import Iterator

from bots.search.deals import Deal, TrickDeal
from bots.search.discards import put_aside
from bots.search.guesses import likelihood_of
from bots.search.judgement import Budget
from bots.search.reading import ASIDE, Hidden, Reading
from bots.search.worlds import Worlds
from engine.cards import NO_CARDS, CardSet


def sample(reading: Reading, budget: Budget, deal: Deal | None = None) -> Iterator[list[CardSet]]:
    """As many worlds as the budget has, as the hands by seat. With the `deal` that is played, its plays count in what
    is likely. To whom the truth is known, it comes after each of them: how one deal is played out hangs on the habits
    of the rollout policies, and the other worlds say what is good whatever they are."""
    hidden = reading.hidden()
    likelihood = likelihood_of(reading, hidden, deal if isinstance(deal, TrickDeal) else None)
    for draw, world in Worlds(hidden, budget.random).sample(budget.worlds, likelihood):
        budget.draws.append(draw)
        yield by_seat(reading, hidden, world)
        if budget.truth is not None:
            yield list(budget.truth())


def by_seat(reading: Reading, hidden: Hidden, world: list[CardSet]) -> list[CardSet]:
    """A world's hands by seat. What another declarer put aside is what we would have put aside of his cards."""
    hands = [NO_CARDS] * reading.seats
    hands[reading.seat] = reading.hand
    for place, cards in zip(hidden.places, world, strict=True):
        if place != ASIDE:
            hands[place] = cards
    declarer = reading.raw.get("declarer")
    if reading.raw["phase"] != "play":
        return hands
    if hidden.places[-1] == ASIDE and isinstance(declarer, int):
        aside = world[-1]
        both = hands[declarer] | aside
        surely = both & ~reading.can_hold[declarer]  # proved not to be in his hand
        duck = reading.raw.get("contract") == "none"
        more = put_aside(both & ~surely, (aside.bit_count() - surely.bit_count()), reading.trump, duck)
        hands[declarer] = both & ~surely & ~more
    return hands
