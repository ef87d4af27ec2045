"""Bots in the peer's own process: clocks, faults, the fallback."""

from __future__ import annotations

import io
import threading

import pytest
import trio
from trio.testing import MockClock

from bots.builtin import NAMES, make
from bots.player import InProcess, Notice, Player, fallback
from bots.sdk import Bot, View, main
from protocol.seat import (
    Act,
    Clocks,
    Encoding,
    End,
    Error,
    Event,
    FromPeer,
    Hello,
    Ping,
    peer_codec,
    player_codec,
)

HELLO = Hello(game="kasra", options={}, seat=0, names=["A", "B", "C", "D"], clocks=Clocks(), seed=3)
ACT = Act(id=5, legal=["play 2C", "play AS"], view={"game": "unknown", "hand": ["2C", "AS"]})


class Scripted(Bot):
    """Gives these answers one after the other."""

    def __init__(self, *answers: str) -> None:
        super().__init__()
        self.answers = list(answers)
        self.told: list[FromPeer] = []
        self.refusals: list[str] = []

    def act(self, view: View) -> str:
        return self.answers.pop(0)

    def info(self) -> dict[str, object]:
        return {"left": len(self.answers)}

    def refused(self, error: Error) -> None:
        self.refusals.append(error.kind)

    def tell(self, message: FromPeer) -> None:
        self.told.append(message)


class Slow(Bot):
    """Says that it was asked, and answers when it may go on."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.go_on = threading.Event(), threading.Event()

    def act(self, view: View) -> str:
        self.asked.set()
        self.go_on.wait(10)
        return "play AS"


async def test_a_bot_answers_and_notes_are_kept() -> None:
    player: InProcess = InProcess(Scripted("play AS"))
    as_player: Player = player
    await as_player.hello(HELLO)
    assert await as_player.act(ACT) == "play AS"
    assert player.info == {"left": 0} and player.faults.total == 0
    await as_player.aclose()


async def test_an_illegal_answer_is_asked_again_once() -> None:
    bot = Scripted("play KH", "play AS")
    player = InProcess(bot)
    await player.hello(HELLO)
    assert await player.act(ACT) == "play AS"
    assert bot.refusals == ["illegal"] and player.faults.illegal == 1 and player.faults.fallback == 0


async def test_a_claim_may_be_said_without_its_cards() -> None:
    player = InProcess(Scripted("claim"))
    await player.hello(HELLO)
    claims = Act(id=5, legal=["play AS", "play KS", "claim KS AS"], view={"game": "unknown", "hand": ["KS", "AS"]})
    assert await player.act(claims) == "claim KS AS"
    assert player.faults.total == 0


async def test_two_illegal_answers_and_the_peer_plays() -> None:
    notices: list[Notice] = []
    player = InProcess(Scripted("x", "play KH"), notice=notices.append)
    await player.hello(HELLO)
    assert await player.act(ACT) == "play 2C"
    assert player.faults.illegal == 2 and player.faults.fallback == 1 and player.info is None
    assert notices == [Notice("bot-illegal", {"action": "play KH"})]


async def test_an_exception_is_a_crash() -> None:
    player = InProcess(Scripted())
    await player.hello(HELLO)
    assert await player.act(ACT) == "play 2C"
    assert player.faults.crash == 2


@pytest.mark.parametrize("by_caller", [True, False])
async def test_a_bot_that_hangs_costs_its_clock(mock_clock: MockClock, by_caller: bool) -> None:
    bot = Slow()
    player = InProcess(bot)
    seconds = 2.0 if by_caller else None
    await player.hello(HELLO)
    chosen: list[str] = []

    async def ask() -> None:
        chosen.append(await player.act(Act(id=1, legal=ACT.legal, view=ACT.view, seconds=seconds)))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask)
        await trio.to_thread.run_sync(bot.asked.wait)
        await trio.testing.wait_all_tasks_blocked()
        mock_clock.jump(1.9 if by_caller else 4.9)
        await trio.testing.wait_all_tasks_blocked()
        assert not chosen
        mock_clock.jump(0.2)
    assert chosen == ["play 2C"]
    assert (player.faults.timeout, player.faults.stall) == (1, 1)
    assert await player.act(ACT) == "play 2C", "while the old call runs, the peer plays"
    bot.go_on.set()
    while player._busy:  # the thread returns in its own time
        await trio.lowlevel.checkpoint()
    assert await player.act(ACT) == "play AS"


async def test_the_bank_is_used_up_once(mock_clock: MockClock) -> None:
    bot = Slow()
    player = InProcess(bot)
    await player.hello(
        Hello(game="kasra", options={}, seat=0, names=[], clocks=Clocks(move=5, bank=10), seed=3)
    )

    async def think(seconds: float) -> str:
        bot.asked.clear()
        bot.go_on.clear()
        chosen: list[str] = []

        async def ask() -> None:
            chosen.append(await player.act(ACT))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(ask)
            await trio.to_thread.run_sync(bot.asked.wait)
            await trio.testing.wait_all_tasks_blocked()
            mock_clock.jump(seconds)
            if seconds < 15:
                await trio.testing.wait_all_tasks_blocked()
                bot.go_on.set()
        return chosen[0]

    assert await think(12) == "play AS"  # 7 of the 10 seconds beyond the 5
    assert await think(9) == "play 2C"  # 3 were left
    assert player.faults.timeout == 1


async def test_events_go_to_those_who_want_them() -> None:
    bot = Scripted()
    player = InProcess(bot)
    await player.hello(HELLO)
    event, end = Event(deal=1, seat=1, action="pass"), End(totals=[0], winners=[0])
    await player.tell(event)
    await player.tell(end)
    assert bot.told == [end]
    bot.wants = ["events"]
    await player.tell(event)
    assert bot.told == [end, event]


def test_the_fallback_is_always_legal() -> None:
    assert fallback(Act(id=1, legal=["pass"], view={})) == "pass"
    assert fallback(Act(id=1, legal=["play 2C", "play 3C"], view={"game": "kasra"})) == "play 2C"
    assert fallback(Act(id=1, legal=["play 2C", "play 3C"], view={"game": "no such game"})) == "play 2C"


def test_built_in_bots_have_names() -> None:
    assert {make(name).name for name in NAMES} == set(NAMES)
    with pytest.raises(KeyError):
        make("clever")
    view = View(ACT.view, tuple(ACT.legal))
    assert [make("random", 7).act(view) for _ in range(3)] == [make("random", 7).act(view) for _ in range(3)]


# ---- the SDK's side -----------------------------------------------------------------------------------------------


def talk(bot: Bot, *messages: FromPeer, extra: bytes = b"") -> list[object]:
    """What a bot says to these messages over its standard input and output."""
    peer = peer_codec(Encoding.JSON)
    sink = io.BytesIO()
    main(
        lambda: bot,
        io.BytesIO(
            b"".join(map(peer.encode, messages[:1])) + extra + b"".join(map(peer.encode, messages[1:]))
        ),
        sink,
    )
    reader = peer_codec()
    reader.feed(sink.getvalue())
    said: list[object] = []
    while (message := reader.next_untrusted()) is not None:
        said.append(message)
    return said


def test_main_speaks_the_protocol(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import sys

    monkeypatch.setattr(sys, "stdout", sys.stdout)
    error = Error(kind="illegal", sentence="no", id=5, legal=ACT.legal)
    bot = Scripted("x", "play AS")
    said = talk(
        bot, HELLO, ACT, error, Ping(), End(totals=[], winners=[]), ACT, extra=b'{"type":"of-next-year"}\n\n'
    )
    assert [type(message).__name__ for message in said] == ["Ready", "Answer", "Answer", "Pong", "Bye"]
    assert bot.refusals == ["illegal"] and "not understood" in capsys.readouterr().err
    assert player_codec().encoding is Encoding.JSON


def test_view_helpers() -> None:
    raw = {
        "game": "kasra",
        "phase": "play",
        "seat": 1,
        "counts": [1, 2, 2, 1],
        "hand": ["2C", "AS"],
        "trick": [[0, "KS"]],
        "totals": [0, 0, 0, 0],
        "can_hold": [["3C"], [], [], []],
    }
    view = View(raw, ("play AS", "play 2C", "pass"))
    assert (view.game, view.phase, view.seat, view.seats) == ("kasra", "play", 1, 4)
    assert view.hand == ("2C", "AS") and view.trick == ((0, "KS"),) and view.totals == (0, 0, 0, 0)
    assert view.can_hold(0) == {"3C"} and view.playable() == ("AS", "2C")


async def test_a_hang_uses_the_bank_up_so_that_the_table_waits_for_it_once(mock_clock: MockClock) -> None:
    bot = Slow()
    player = InProcess(bot)
    await player.hello(Hello(game="kasra", options={}, seat=0, names=[], clocks=Clocks(move=5, bank=10), seed=3))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(player.act, ACT)
        await trio.to_thread.run_sync(bot.asked.wait)
        await trio.testing.wait_all_tasks_blocked()
        mock_clock.jump(15.1)
    bot.go_on.set()
    assert player.faults.timeout == 1 and player._bank == 0.0
