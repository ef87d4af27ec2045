"""What a peer's own hand gained without being chosen card by card: kitty, exchange.

The public log says only that a card moved. This peer can open its own slots, so it sees which one came, and tells its
player the hand after it, and, in every view until the seat acts, which cards are new (trap E-10).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from engine.cards import NO_CARDS, CardSet
from protocol.table import events
from protocol.table.events import Event

MOVING = ("exchange", "kitty", "discard")
"""Phases in which cards come and go face down."""


@dataclass(frozen=True)
class Moved:
    """What one entry did to the hand. `changed`: the player must be told the hand, which it did not choose so."""

    gained: CardSet = field(default=NO_CARDS, repr=False)
    changed: bool = False


@dataclass
class OwnCards:
    """The hand as the player knows it.

    new     what came last, until the seat acts (putting cards aside does not count)
    serial  the pack of which the player was told the deal: in 3-5-8 cards are dealt in two parts
    """

    held: CardSet = field(default=NO_CARDS, repr=False)
    new: CardSet = field(default=NO_CARDS, repr=False)
    serial: int = 0
    _phase: str = ""

    def look(self, hand: Callable[[], CardSet], phase: str, seat: int, happened: Sequence[Event]) -> Moved:
        """Compare the hand after an entry with the hand before it, where cards move or were dealt."""
        moving, self._phase = phase in MOVING or self._phase in MOVING, phase
        own = {event.action.verb for event in happened if isinstance(event, events.Acted) and event.seat == seat}
        if own - {"discard"} or phase == "play":
            self.new = NO_CARDS
        dealt = any(isinstance(event, events.Dealt) for event in happened)
        if not moving and not dealt:
            return Moved()
        before, self.held = self.held, hand()
        if dealt:
            self.new = NO_CARDS
            return Moved()
        gained = self.held & ~before
        self.new = (gained or self.new) & self.held
        return Moved(gained, bool(gained) or "return" in own)

    def first_part(self, serial: int) -> bool:
        """Whether the player has not been told of this deal yet."""
        first, self.serial = self.serial != serial, serial
        return first
