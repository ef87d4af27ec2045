"""The line in front of a player: one thing at a time, in order, and nothing for a place that is past."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import pytest
import trio
import trio.testing

from engine.actions import parse_action
from p2p.desk import Desk, Place
from protocol import seat as seat_protocol
from protocol.table.rounds import Kind

HERE, THERE = (Kind.ASK, 1, 7), (Kind.ASK, 1, 8)
HELLO = seat_protocol.Hello(
    game="kasra", options={}, seat=0, names=["A", "B", "C", "D"], clocks=seat_protocol.Clocks(move=5.0), seed=1
)


class Asker:
    """A peer that always has the same question."""

    def __init__(self, is_bot: bool, limit: float | None = None) -> None:
        self.is_bot = is_bot
        self.limit = limit
        self.decisions = trio.Event()
        self.voids = 0
        self.notes: list[tuple[str, dict[str, object]]] = []

    def view(self) -> dict[str, object]:
        return {"legal": ["play AS", "play 2H"], "hand": ["AS", "2H"]}

    def seconds(self) -> float | None:
        return self.limit

    def decided(self) -> None:
        self.decisions.set()
        self.decisions = trio.Event()

    def noted(self, action: str, info: Mapping[str, object]) -> None:
        self.notes.append((action, dict(info)))

    def voided(self) -> None:
        self.voids += 1


class Thinker:
    """A player who answers when the test says so, and notes who else talks to him meanwhile."""

    def __init__(self) -> None:
        self.heard: list[object] = []
        self.asked = trio.Event()
        self.answer = trio.Event()
        self.busy = False
        self.closed = False
        self.info: Mapping[str, object] | None = None

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        assert not self.busy, "called twice at once"
        self.busy = True
        try:
            yield
        finally:
            self.busy = False

    async def hello(self, message: seat_protocol.Hello) -> None:
        async with self.alone():
            self.heard.append(message)
            await trio.lowlevel.checkpoint()

    async def act(self, message: seat_protocol.Act) -> str:
        async with self.alone():
            self.heard.append(message)
            self.asked.set()
            await self.answer.wait()
            return message.legal[0]

    async def tell(self, message: seat_protocol.FromPeer) -> None:
        async with self.alone():
            self.heard.append(message)
            await trio.lowlevel.checkpoint()

    async def aclose(self) -> None:
        self.closed = True


@pytest.fixture
def act_message(monkeypatch: pytest.MonkeyPatch) -> None:
    def made(number: int, view: dict[str, object], seconds: float | None) -> seat_protocol.Act:
        return seat_protocol.Act(id=number, legal=["play AS", "play 2H"], seconds=seconds, view=view)

    monkeypatch.setattr(seat_protocol, "act_message", made)


@asynccontextmanager
async def desk(asker: Asker, player: Thinker) -> AsyncIterator[Desk]:
    async with trio.open_nursery() as nursery:
        made = Desk(asker, player)
        nursery.start_soon(made.run)
        yield made
        nursery.cancel_scope.cancel()


def kinds(player: Thinker) -> list[str]:
    return [type(heard).__name__ for heard in player.heard]


async def test_what_is_told_waits_behind_what_is_asked(act_message: None) -> None:
    asker, player = Asker(is_bot=True), Thinker()
    async with desk(asker, player) as line:
        line.tell(HELLO)
        line.ask(HERE)
        line.ask(HERE)
        line.tell(seat_protocol.Event(deal=1, seat=2, action="play 3H"))
        await player.asked.wait()
        assert line.choice(HERE) is None
        player.answer.set()
        await trio.testing.wait_all_tasks_blocked()
        assert kinds(player) == ["Hello", "Act", "Event"]
        assert line.choice(HERE) == parse_action("play AS")
        line.still_open([HERE])
        assert line.choice(HERE) is not None
        line.still_open([THERE])
        assert line.choice(HERE) is None


@pytest.mark.parametrize("is_bot", [True, False])
async def test_a_void_question_is_cancelled_and_the_next_is_put(act_message: None, is_bot: bool) -> None:
    asker, player = Asker(is_bot), Thinker()
    async with desk(asker, player) as line:
        line.ask(HERE)
        await player.asked.wait()
        line.still_open([THERE])
        line.ask(THERE)
        player.asked = trio.Event()
        await player.asked.wait()
        assert kinds(player) == (["Act", "Cancel", "Act"] if is_bot else ["Act", "Act"])
        assert asker.voids == (0 if is_bot else 1)  # a person is told in words
        player.answer.set()
        await trio.testing.wait_all_tasks_blocked()
        assert line.choice(HERE) is None and line.choice(THERE) is not None


async def test_a_question_that_is_void_before_its_turn_is_never_put(act_message: None) -> None:
    asker, player = Asker(is_bot=True), Thinker()
    async with desk(asker, player) as line:
        line.ask(HERE)
        line.still_open([])
        await trio.testing.wait_all_tasks_blocked()
        assert kinds(player) == []


async def test_a_person_who_is_late_gets_a_sensible_move(
    act_message: None, mock_clock: trio.testing.MockClock
) -> None:
    asker, player = Asker(is_bot=False, limit=60.0), Thinker()
    async with desk(asker, player) as line:
        line.ask(HERE)
        await player.asked.wait()
        mock_clock.jump(59.0)
        await trio.testing.wait_all_tasks_blocked()
        assert line.choice(HERE) is None
        mock_clock.jump(1.5)
        await trio.testing.wait_all_tasks_blocked()
        assert line.choice(HERE) is not None
        assert kinds(player) == ["Act", "Cancel"]


async def test_a_player_who_hangs_does_not_hold_up_the_end(
    act_message: None, autojump_clock: trio.testing.MockClock
) -> None:
    class Deaf(Thinker):
        async def tell(self, message: seat_protocol.FromPeer) -> None:
            await trio.sleep(math.inf)

    player = Deaf()
    async with desk(Asker(is_bot=True), player) as line:
        line.tell(seat_protocol.End(totals=[], winners=[]))
        await line.close()
    assert player.closed


async def test_what_happens_after_the_end_is_told_to_nobody() -> None:
    player = Thinker()
    async with desk(Asker(is_bot=True), player) as line:
        await line.close()
        line.tell(HELLO)
        await trio.testing.wait_all_tasks_blocked()
    assert player.heard == [] and player.closed


def test_a_place_names_kind_serial_and_step() -> None:
    place: Place = HERE
    assert place == (Kind.ASK, 1, 7)
