"""The end of a deal as people see it: the last trick, who took how much, then the points, until new cards are dealt.

The state of the game is faster: with the last card it already waits for the next pack, and knows the goals and the
contract of the deal before no more.
"""

from __future__ import annotations

from p2p.replaying.frames import at_end
from p2p.terminal.facts import View
from protocol.table import events
from protocol.table.events import Event

PLAYED = ("play", "audit")
"""Phases in which a deal is played, or looked through afterwards."""


class Ending:
    """Keeps a deal that is over in sight. Ask for every view: `see` gives the one to show."""

    def __init__(self) -> None:
        self._last: View | None = None
        self._end: View | None = None

    def begin_deal(self) -> None:
        """New cards: what lay there is gathered."""
        self._last = self._end = None

    def see(self, view: View, event: Event | None = None) -> View:
        """What to show after `event`: the view itself, or the table as it lay at the end of the deal before."""
        last = self._last
        if view["phase"] in PLAYED:
            self._last = view
        elif last is not None and self._end is None:
            acts = [(event.seat, event.action)] if isinstance(event, events.Acted) and last["phase"] == "play" else []
            # Whoever sat there has played his last card, or put the rest away because it was claimed.
            self._end = {**at_end(last, view, acts), "hand": [], "asked": [], "legal": []}
        if self._end is None:
            return view
        return {**self._end, "totals": view["totals"], "winners": view.get("winners", [])}
