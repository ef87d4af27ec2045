"""Programs that play a seat over loopback TCP, whether the peer started them or not."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from bots.external import RESTARTS, External
from bots.player import Notice
from bots.programs import Ending, Loopback, started
from bots.sdk import Bot, View, connect
from protocol.seat import Act, Answer, Away, Bye, Encoding, Error, Hello, Ready, Say, Vote, player_codec
from tests.net.bench import END, HELLO, Bench, question


async def client(port: int, token: str, answers: int, replies: list[object]) -> None:
    stream = await trio.open_tcp_stream("127.0.0.1", port)
    codec = player_codec(Encoding.JSON)
    async with stream:
        await stream.send_all(codec.encode(Ready(token=token, name="tcp")))
        async for data in stream:
            codec.feed(data)
            while (message := codec.next_untrusted()) is not None:
                replies.append(message)
                if isinstance(message, Act):
                    await stream.send_all(codec.encode(Answer(id=message.id, action=message.legal[-1])))
                    answers -= 1
                    if not answers:
                        return


async def test_a_program_connects_with_its_token(bench: Bench) -> None:
    loopback = await Loopback.listen(0, "secret")
    player = bench.player(loopback)
    wrong: list[object] = []
    right: list[object] = []

    async def play() -> None:
        await player.hello(HELLO)
        assert await player.act(question(1)) == "double KH QS"

    async with trio.open_nursery() as nursery:
        nursery.start_soon(play)
        await client(loopback.port, "guess", 0, wrong)
        nursery.start_soon(client, loopback.port, "secret", 1, right)
    assert [type(message) for message in wrong] == [Error]
    assert isinstance(right[0], Hello)
    await player.aclose()
    await loopback.aclose()
    assert player.faults.total == 0


async def test_who_has_not_shown_the_token_says_nothing_in_the_players_name(bench: Bench) -> None:
    """Neither before a `ready`, nor behind one with a wrong token: no chat, no vote, no good-bye."""
    codec = player_codec(Encoding.JSON)
    unasked = b"".join(map(codec.encode, (Say(text="I fold"), Vote(id=1, yes=True), Away(away=True), Bye())))
    wrong = codec.encode(Ready(token="guess", name="stranger"))
    loopback = await Loopback.listen(0, "secret")
    player = bench.player(loopback)

    async def play() -> None:
        await player.hello(HELLO)
        assert await player.act(question(1)) == "double KH QS"

    async with trio.open_nursery() as nursery:
        nursery.start_soon(play)
        for said in (unasked + wrong, wrong + unasked):
            async with await trio.open_tcp_stream("127.0.0.1", loopback.port) as stream:
                await stream.send_all(said)
                async for _ in stream:
                    pass
        await client(loopback.port, "secret", 1, [])
    assert bench.heard == [] and not player.away and player.faults.total == 0
    await player.aclose()
    await loopback.aclose()


async def test_a_program_may_connect_again(bench: Bench) -> None:
    loopback = await Loopback.listen(0, "secret")
    player = bench.player(loopback)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(client, loopback.port, "secret", 1, [])
        await player.hello(HELLO)
        assert await player.act(question(1)) == "double KH QS"
    async with trio.open_nursery() as nursery:
        nursery.start_soon(client, loopback.port, "secret", 1, [])
        assert await player.act(question(2)) == "double KH QS"
    await player.aclose()
    await loopback.aclose()


async def test_a_connection_that_breaks_in_mid_question_comes_back_to_that_question(bench: Bench) -> None:
    loopback = await Loopback.listen(0, "secret")
    player = bench.player(loopback)
    chosen: list[str] = []

    async def play() -> None:
        await player.hello(HELLO)
        chosen.append(await player.act(question(7)))

    replies: list[object] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(play)
        async with await trio.open_tcp_stream("127.0.0.1", loopback.port) as stream:
            await stream.send_all(b'{"type":"ready","token":"secret"}\n')
            heard = b""
            while b'"act"' not in heard:
                heard += bytes(await stream.receive_some(4096))
        await client(loopback.port, "secret", 1, replies)
    assert chosen == ["double KH QS"] and replies == [HELLO, question(7)]
    assert (player.faults.crash, player.faults.fallback) == (1, 0)
    await player.aclose()
    await loopback.aclose()


async def test_a_bot_of_the_sdk_plays_over_tcp(bench: Bench) -> None:
    class Last(Bot):
        def act(self, view: View) -> str:
            return view.legal[-1]

    loopback = await Loopback.listen(0, "secret")
    player = bench.player(loopback)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.to_thread.run_sync, connect, Last, loopback.port, "secret")
        await player.hello(HELLO)
        assert await player.act(question(1)) == "double KH QS"
        await player.tell(END)
    await player.aclose()
    await loopback.aclose()
    assert player.faults.total == 0 and player.ready is not None and player.ready.name == "Last"


async def test_a_program_that_we_start_may_connect_over_tcp(bench: Bench) -> None:
    example = Path(__file__).parents[2] / "examples" / "bot.py"
    command = f"{shlex.quote(sys.executable)} -E {shlex.quote(str(example))} {{port}} {{token}}"
    player = bench.player(started(command, bench.tmp_path / "bot.log"))
    await player.hello(HELLO)
    assert await player.act(question(1, ["pass"])) == "pass"
    await player.tell(END)
    await player.aclose()
    ends_at_once = bench.player(started(f"{shlex.quote(sys.executable)} -c 0 {{port}}"))
    await ends_at_once.hello(HELLO)
    assert await ends_at_once.act(question(1, ["pass"])) == "pass"
    assert player.faults.total == 0 and ends_at_once.faults.crash >= 1
    await ends_at_once.aclose()


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("last", "code"), [("os.kill(os.getpid(), 9)", -9), ("sys.exit(4)", 4), ("peer.close(); sys.stdin.read()", None)]
)
async def test_how_a_program_that_connected_ended_is_known(bench: Bench, last: str, code: int | None) -> None:
    file = bench.tmp_path / "caller.py"
    file.write_text(f"""
import os, socket, sys
peer = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
peer.sendall(b'{{"type":"ready","token":"%s"}}\\n' % os.environ["MAJLIS_TOKEN"].encode())
while b'"act"' not in peer.recv(4096): pass
{last}
""")
    player = bench.player(started(f"{shlex.quote(sys.executable)} -S {shlex.quote(str(file))} {{port}}"))
    await player.hello(HELLO)
    assert await player.act(question(1)) == "double" and player.faults.crash == 2
    assert bench.notices == [Notice("bot-crashed", {"count": 1, "limit": RESTARTS}, Ending(code))]
    await player.aclose()


async def test_a_token_need_not_stand_on_a_command_line(bench: Bench) -> None:
    file = bench.tmp_path / "caller.py"
    file.write_text(f"""
import os, sys
sys.path.insert(0, {str(Path(__file__).parents[2])!r})
from bots.sdk import Bot, connect
assert len(sys.argv) == 2
class Last(Bot):
    def act(self, view):
        return view.legal[-1]
connect(Last, int(sys.argv[1]), os.environ["MAJLIS_TOKEN"])
""")
    player = bench.player(started(f"{shlex.quote(sys.executable)} {shlex.quote(str(file))} {{port}}"))
    await player.hello(HELLO)
    assert await player.act(question(1)) == "double KH QS" and player.faults.total == 0
    await player.aclose()


async def nobody_came(bench: Bench, mock_clock: MockClock) -> tuple[Loopback, External]:
    """A door at which no program has come until the time to start was over."""
    loopback = await Loopback.listen(0, "secret")
    player = bench.player(loopback)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(player.hello, HELLO)
        await trio.testing.wait_all_tasks_blocked()
        mock_clock.jump(HELLO.clocks.startup + 1)
    return loopback, player


async def test_a_program_that_comes_late_is_played_for_until_it_does(bench: Bench, mock_clock: MockClock) -> None:
    loopback, player = await nobody_came(bench, mock_clock)
    assert bench.codes == ["bot-awaited"]
    assert await player.act(question(1)) == "double"  # at once: nobody is waited for a second time
    wrong: list[object] = []
    right: list[object] = []
    async with trio.open_nursery() as nursery:
        await client(loopback.port, "guess", 0, wrong)  # a stranger hears nothing of the game
        async with await trio.open_tcp_stream("127.0.0.1", loopback.port):
            assert await player.act(question(2)) == "double"
        nursery.start_soon(client, loopback.port, "secret", 1, right)
        while not right:
            await trio.lowlevel.checkpoint()
        assert await player.act(question(3)) == "double KH QS"
    assert [type(message) for message in wrong] == [Error]
    assert player.faults.total == 0
    await player.aclose()
    await loopback.aclose()


async def test_the_door_is_closed_when_the_game_ends_without_the_program(bench: Bench, mock_clock: MockClock) -> None:
    tasks = len(bench.nursery.child_tasks)
    loopback, player = await nobody_came(bench, mock_clock)
    await player.aclose()
    await trio.testing.wait_all_tasks_blocked()
    assert await player.act(question(1)) == "double"
    assert len(bench.nursery.child_tasks) == tasks
    await loopback.aclose()
