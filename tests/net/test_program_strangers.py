"""Strangers at the port of a program that plays a seat: they cost it neither its place nor its comebacks. Whoever we
started ourselves is none, whatever token he shows."""

from __future__ import annotations

import shlex
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from bots.external import RESTARTS, External
from bots.player import Notice
from bots.programs import Loopback, started
from protocol.seat import Act, Answer, Clocks, Encoding, Hello, Ready, player_codec
from tests.net.bench import Bench

HELLO = Hello(game="kasra", options={}, seat=2, names=["A", "B", "C", "D"], clocks=Clocks(move=5.0), seed=7)
TOKEN = "secret"

STRANGERS = {
    "says nothing": b"",
    "breaks off": b'{"type":"ready","tok',
    "is a browser": b"GET / HTTP/1.1\r\n\r\n",
    "sends too long a line": b"{" + b" " * 70_000 + b"\n",
    "sends too long a frame": b"\0\xff\xff\xff",
    "has no token": b'{"type":"ready"}\n',
    "has a token twice": b'{"type":"ready","token":"secret","token":"guess"}\n',
}


def question(number: int) -> Act:
    return Act(id=number, legal=["double", "double KH"], view={"game": "unknown"})


@asynccontextmanager
async def seat(notices: list[str]) -> AsyncIterator[tuple[External, int]]:
    async with trio.open_nursery() as nursery:
        loopback = await Loopback.listen(0, TOKEN)

        def notice(told: Notice) -> None:
            notices.append(told.code)

        player = External(nursery, loopback, notice=notice)
        yield player, loopback.port
        await player.aclose()
        await loopback.aclose()
        nursery.cancel_scope.cancel()


async def stranger(port: int, said: bytes) -> None:
    """Says something, and no more, and listens until the other side hangs up."""
    async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
        try:
            await stream.send_all(said)
            await stream.send_eof()
            async for _ in stream:
                pass
        except trio.BrokenResourceError:
            pass  # hung up before all was said


async def program(port: int, answers: int) -> None:
    """The program itself: so many answers, then its connection breaks."""
    codec = player_codec(Encoding.JSON)
    async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
        await stream.send_all(codec.encode(Ready(token=TOKEN, name="mine")))
        async for data in stream:
            codec.feed(data)
            while (message := codec.next_untrusted()) is not None:
                if isinstance(message, Act):
                    await stream.send_all(codec.encode(Answer(id=message.id, action="double KH")))
                    answers -= 1
            if not answers:
                return


@pytest.mark.parametrize("said", STRANGERS.values(), ids=STRANGERS)
async def test_strangers_do_not_use_up_the_comebacks_of_a_program(said: bytes) -> None:
    notices: list[str] = []
    with trio.fail_after(20):
        async with seat(notices) as (player, port), trio.open_nursery() as nursery:

            async def visits() -> None:
                for _ in range(RESTARTS + 2):
                    await stranger(port, said)
                await program(port, 1)

            nursery.start_soon(visits)
            await player.hello(HELLO)
            assert await player.act(question(1)) == "double KH"
            nursery.start_soon(visits)
            assert await player.act(question(2)) == "double KH"
    assert notices == ["bot-left"]  # it went once, and came back
    assert player.faults.total == player.faults.crash <= 1 and player.faults.fallback == 0


@pytest.mark.parametrize("stays", [True, False])
async def test_a_stranger_is_no_fault_of_the_program_though_the_question_was_void_meanwhile(stays: bool) -> None:
    notices: list[str] = []
    with trio.fail_after(20):
        async with seat(notices) as (player, port), trio.open_nursery() as nursery:
            async with trio.open_nursery() as void:
                void.start_soon(player.act, question(1))
                async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
                    await stream.send_all(b'{"type":"thinking"}\n' * 3)
                    if not stays:
                        await stream.send_eof()
                        async for _ in stream:
                            pass
                    await wait_all_tasks_blocked(0.05)
                    void.cancel_scope.cancel()
            nursery.start_soon(program, port, 1)
            assert await player.act(question(2)) == "double KH"
    assert player.faults.total == 0 and "bot-protocol" not in notices


async def test_a_second_connection_waits_until_the_first_is_gone() -> None:
    notices: list[str] = []
    with trio.fail_after(20):
        async with seat(notices) as (player, port), trio.open_nursery() as nursery:
            nursery.start_soon(program, port, 2)
            await player.hello(HELLO)
            assert await player.act(question(1)) == "double KH"
            nursery.start_soon(program, port, 2)  # as the first still plays
            assert [await player.act(question(number)) for number in (2, 3, 4)] == ["double KH"] * 3
    assert notices == ["bot-left"]
    assert player.faults.total == player.faults.crash <= 1 and player.faults.fallback == 0


FORGETFUL = """
import socket, sys
print("started", file=sys.stderr)
with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as peer:
    peer.sendall(b'{"type":"ready","token":"guess"}\\n')
    peer.makefile("rb").readline()
"""


async def test_our_own_program_with_a_wrong_token_is_started_no_more_often_than_any_other(
    bench: Bench, tmp_path: Path
) -> None:
    script = tmp_path / "forgetful.py"
    script.write_text(FORGETFUL, "utf-8")
    command = f"{shlex.quote(sys.executable)} -S -E {shlex.quote(str(script))} {{port}}"
    player = bench.player(started(command, tmp_path / "bot.log"))
    with trio.fail_after(30):
        await player.hello(HELLO)
        for number in range(RESTARTS + 1):
            assert await player.act(question(number)) == "double"
        await player.aclose()
    assert (tmp_path / "bot.log").read_text("utf-8").split() == ["started"] * (RESTARTS + 1)
    assert player.faults.protocol == player.faults.total == RESTARTS + 1
    assert bench.codes.count("bot-protocol") == RESTARTS + 1 and bench.codes[-1] == "bot-gave-up"
