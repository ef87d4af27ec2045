"""What a person's table is shown by: lines (`p2p.terminal.lines`) or the full screen (`p2p.terminal.screen`).

A front is the player of a person's seat (`bots.player.Player`) and the narrator of what happens. Whoever runs the peer
gives it `commands`, calls `observe` for every event of the table, and `changed` when something else did: who is there,
who is waited for, how far the shuffle is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import trio

from bots.player import Player
from engine.game import State, Value
from p2p.lobby import LobbyNews
from p2p.terminal.console import Commands
from protocol import seat as seat_protocol
from protocol.table.events import Event


class Watched(Protocol):
    """What a front may look at, at any time: the peer that it is the face of."""

    def view(self) -> dict[str, object] | None:
        """What the seat may know now (`protocol.seat.build_view`; seat -1 without one); None before the game."""
        ...

    def presence_now(self) -> seat_protocol.Table | None:
        """Who is there and who is waited for; None before the game."""
        ...

    def verified(self) -> int:
        """How many entries of the log this peer has checked."""
        ...

    def busy(self) -> str:
        """What it works on just now: ``proving``, ``checking``, or nothing."""
        ...

    def rules(self) -> Mapping[str, Value]:
        """The options of the table itself that were chosen when it was set up; the others are as usual."""
        ...

    def invite(self) -> str:
        """The line that leads to this table; it may be empty."""
        ...

    def work_in(self, nursery: trio.Nursery) -> None:
        """Where commands work from now on that take a while: after the game the table's own nursery is closed."""
        ...


class Front(Player, Protocol):
    """The face of one peer."""

    commands: Commands
    state: State | None
    """The public state of the game, told before each event."""

    def say(self, text: str, important: bool = False) -> None:
        """Tell a sentence."""
        ...

    def hear(self, author: str, text: str) -> None:
        """Somebody at the table said something; both are cleaned."""
        ...

    def attach(self, watched: Watched) -> None:
        """The peer is there, and can be looked at from now on."""
        ...

    def changed(self) -> None:
        """Something besides an event is new."""
        ...

    def lobby(self, told: LobbyNews) -> None:
        """Before the game: who sits here, who is ready, who asks to be let in."""
        ...

    async def agree(self, told: LobbyNews) -> bool:
        """Whether the person wants to sit down at this table, under these terms."""
        ...

    async def observe(self, event: Event) -> None:
        """Something happened at the table."""
        ...

    def restore(self, names: list[str], scores: list[list[int]], totals: list[int]) -> None:
        """What was told before an interruption."""
        ...

    def recall(self, seat: int, history: Sequence[tuple[int, str]]) -> None:
        """Of the deal that goes on, what this seat alone was told; `history` is that of its view."""
        ...

    async def listen(self, seated: bool) -> None:
        """Take what the person types, for as long as anything may come. `seated`: he has a seat to go away from."""
        ...


__all__ = ["Front", "Watched"]
