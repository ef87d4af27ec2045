"""Whoever plays a peer's seat, spoken to from one task.

What the player is told and asked waits in line here, so a bot that is slow, hangs or takes its time to start never
holds up the peer's copy of the table, and is never called twice at once. A question stands for a place of the table.
When the table moves on without it (a deal thrown in, a hand taken over), it is void: the player is told to cancel it,
and whatever he still answers goes nowhere.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import trio

from bots.player import Player, fallback
from engine.actions import Action, parse_action
from p2p import limits
from protocol import seat as seat_protocol
from protocol.table.rounds import Kind, Round

Place = tuple[Kind, int, int]
"""Where a choice belongs: the round's kind, serial and step."""


def place_of(round: Round) -> Place:
    """The place of a round."""
    return round.kind, round.serial, round.step


@dataclass(eq=False)
class Question:
    """The player is asked what to do at a place."""

    place: Place
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)

    def void(self) -> bool:
        """Whether the table has moved on."""
        return self.scope.cancel_called


class Asker(Protocol):
    """What a desk needs of its peer."""

    is_bot: bool

    def view(self) -> dict[str, object]:
        """What the seat may know now."""
        ...

    def seconds(self) -> float | None:
        """How long the player has for an answer; None for no limit."""
        ...

    def decided(self) -> None:
        """A choice lies ready."""
        ...

    def noted(self, action: str, info: Mapping[str, object]) -> None:
        """A bot's notes on its action."""
        ...

    def voided(self) -> None:
        """A person's question is void."""
        ...


class Desk:
    """The line in front of one player."""

    def __init__(self, peer: Asker, player: Player) -> None:
        self.player = player
        self._peer = peer
        self._line, self._todo = trio.open_memory_channel[seat_protocol.FromPeer | Question](math.inf)
        self._questions: dict[Place, Question] = {}
        self._choices: dict[Place, Action] = {}
        self._number = 0
        self._finished = trio.Event()
        self._closed = False

    def choice(self, place: Place) -> Action | None:
        """What the player chose there, if he has."""
        return self._choices.get(place)

    def ask(self, place: Place) -> None:
        """Ask the player, once."""
        if place not in self._questions:
            self._questions[place] = Question(place)
            self._line.send_nowait(self._questions[place])

    def still_open(self, places: Collection[Place]) -> None:
        """Only these places still wait for the player."""
        for place in [place for place in self._questions if place not in places]:
            self._questions.pop(place).scope.cancel()
        self._choices = {place: action for place, action in self._choices.items() if place in places}

    def tell(self, message: seat_protocol.FromPeer) -> None:
        """Tell the player something, in its turn. Who leaves first after the game is not told to one who was let go."""
        if not self._closed:
            self._line.send_nowait(message)

    async def run(self) -> None:
        """Serve the line until `close`, or until cancelled."""
        async for errand in self._todo:
            match errand:
                case Question():
                    await self._put(errand)
                case seat_protocol.Hello():
                    await self.player.hello(errand)
                case _:
                    await self.player.tell(errand)
        self._finished.set()

    async def close(self) -> None:
        """The game is over: the player hears the rest, if he listens, and is let go."""
        self.still_open(())
        self._closed = True
        self._line.close()
        with trio.move_on_after(limits.PLAYER_GOODBYE):
            await self._finished.wait()
        await self.player.aclose()

    async def _put(self, question: Question) -> None:
        if question.void():
            return
        seconds = self._peer.seconds()
        self._number += 1
        message = seat_protocol.act_message(self._number, self._peer.view(), seconds)
        chosen = ""
        # A bot's clock is kept where its faults are counted (bots.player), with a grace that this must not cut off.
        with question.scope, trio.move_on_after(math.inf if self._peer.is_bot or seconds is None else seconds):
            chosen = await self.player.act(message)
        if not question.void():
            self._choices[question.place] = parse_action(chosen or fallback(message))
            if chosen and self.player.info is not None:
                self._peer.noted(chosen, self.player.info)
            self._peer.decided()
        if question.void() and not self._peer.is_bot:
            self._peer.voided()
        elif not chosen:
            await self.player.tell(seat_protocol.Cancel(id=message.id))


__all__ = ["Asker", "Desk", "Place", "Question", "place_of"]
