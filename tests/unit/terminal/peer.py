"""As much of a peer as a face looks at, in lines or on the screen."""

from __future__ import annotations

from collections.abc import Mapping

import trio

from engine.game import Value
from protocol import seat as seat_protocol


class Peer:
    """A game that has not begun, with a clock of 30 seconds. `nursery` is where it was told to work."""

    nursery: trio.Nursery | None = None

    def view(self) -> dict[str, object] | None:
        return None

    def presence_now(self) -> seat_protocol.Table | None:
        return None

    def verified(self) -> int:
        return 0

    def busy(self) -> str:
        return ""

    def rules(self) -> Mapping[str, Value]:
        return {"turn_seconds": 30}

    def invite(self) -> str:
        return "majlis1:abc"

    def work_in(self, nursery: trio.Nursery) -> None:
        self.nursery = nursery
