"""How likely hands are, by what their owners called."""

from __future__ import annotations

from bots.search.reading import Hidden, Reading
from bots.search.worlds import Likelihood


def likelihood_of(reading: Reading, hidden: Hidden) -> Likelihood | None:
    """The likelihood of hidden hands (in the order of `hidden.places`) given the calls; None: all alike."""
    return None
