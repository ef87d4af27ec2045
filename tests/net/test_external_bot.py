"""Programs as players: the honest ones play, and the others are survived, counted and replaced."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from bots.external import RESTARTS
from bots.player import Notice
from bots.programs import LOG_LIMIT, Ending, split_command
from protocol.seat import LINE_LIMIT, Away, Bye, Event, Say
from tests.net.bench import END, HELLO, PLAY, Bench, question

# ---- programs that behave -----------------------------------------------------------------------------------------


async def test_a_program_plays_and_is_ended(bench: Bench) -> None:
    player = bench.script(PLAY)
    await player.hello(HELLO)
    assert player.ready is not None and player.ready.name == "script"
    assert [await player.act(question(number)) for number in range(3)] == ["double"] * 3
    await player.tell(END)
    await player.aclose()
    assert player.faults.total == 0 and bench.notices == []


async def test_an_action_may_be_spelled_freely_and_carry_notes(bench: Bench) -> None:
    player = bench.script(
        'm = read()\nsay(type="act", id=m["id"], action=" double  QS KH", info={"q": [1, 0.5]}, x=1)'
    )
    await player.hello(HELLO)
    assert await player.act(question(1)) == "double KH QS"
    assert player.info == {"q": [1, 0.5]}
    await player.aclose()


async def test_events_come_only_if_asked_for(bench: Bench) -> None:
    echo = 'while True:\n m = read()\n say(type="chat", text=m["type"])'
    player = bench.script(echo, wants=["events"])
    await player.hello(HELLO)
    await player.tell(Event(deal=1, seat=0, action="play AS"))
    await bench.told()
    silent = Bench(bench.nursery, bench.tmp_path)
    other = silent.script(echo)
    await other.hello(HELLO)
    await other.tell(Event(deal=1, seat=0, action="play AS"))
    await other.tell(END)  # this one is always told
    await silent.told()
    assert bench.heard == [Say(text="event")] and silent.heard == [Say(text="end")]
    await player.aclose()
    await other.aclose()


async def test_standard_error_is_kept_up_to_a_limit(bench: Bench) -> None:
    player = bench.script(
        f'sys.stderr.write("once\\n" + "x" * {LOG_LIMIT + 5})\nsys.stderr.flush()\nsys.stderr.close()\n'
        + PLAY
    )
    await player.hello(HELLO)
    assert await player.act(question(1)) == "double"
    await player.aclose()
    log = (bench.tmp_path / "bot.log").read_bytes()
    assert log.startswith(b"once\n") and len(log) == LOG_LIMIT


async def test_a_log_that_cannot_be_written_does_not_matter(bench: Bench) -> None:
    (bench.tmp_path / "bot.log").mkdir()
    player = bench.script(f'sys.stderr.write("x" * {LOG_LIMIT})\nsys.stderr.flush()\n' + PLAY)
    await player.hello(HELLO)
    assert await player.act(question(1)) == "double"
    await player.aclose()


async def test_frames_work_as_well(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    script = bench.tmp_path / "frames.py"
    script.write_text(
        """
import sys
from protocol.seat import *
codec = player_codec(Encoding.FRAMES)
def send(message): sys.stdout.buffer.write(codec.encode(message)); sys.stdout.buffer.flush()
send(Ready(name="frames"))
while data := sys.stdin.buffer.read1():
    codec.feed(data)
    for message in messages_in(codec):
        if isinstance(message, Act): send(Answer(id=message.id, action=message.legal[-1]))
"""
    )
    monkeypatch.setenv("PYTHONPATH", os.getcwd())
    player = bench.program(f"{shlex.quote(sys.executable)} {shlex.quote(str(script))}")
    await player.hello(HELLO)
    assert await player.act(question(1)) == "double KH QS"
    await player.aclose()
    assert player.faults.total == 0


# ---- programs that do not -----------------------------------------------------------------------------------------


async def test_an_illegal_answer_is_asked_again_once(bench: Bench) -> None:
    player = bench.script(
        'answer(read(), "play AS")\nm = read()\nassert m["type"] == "error"\nanswer(m, "double KH")'
    )
    await player.hello(HELLO)
    assert await player.act(question(1)) == "double KH"
    assert (player.faults.illegal, player.faults.fallback) == (1, 0)
    await player.aclose()


async def test_the_second_illegal_answer_is_replaced(bench: Bench) -> None:
    player = bench.script('answer(read(), "nonsense")\nanswer(read(), "play AS")\n' + PLAY)
    await player.hello(HELLO)
    assert await player.act(question(1)) == "double"
    assert (player.faults.illegal, player.faults.fallback) == (2, 1)
    assert bench.notices == [Notice("bot-illegal", {"action": "play AS"})]
    assert await player.act(question(2, ["pass"])) == "pass"
    assert player.faults.total == 2
    await player.aclose()


async def test_a_stray_print_does_not_cost_the_move(bench: Bench) -> None:
    player = bench.script('m = read()\nraw("thinking...\\n")\nanswer(m, "double QS")\n' + PLAY)
    await player.hello(HELLO)
    assert await player.act(question(1)) == "double QS"
    assert (player.faults.protocol, player.faults.fallback) == (1, 0)
    assert bench.codes == ["bot-protocol"]
    await player.aclose()


@pytest.mark.parametrize(
    "garbage",
    [
        'raw("x\\n" * 100000)',
        f'raw("{{" * {LINE_LIMIT * 2})',
        'raw("[" * 5000 + "\\n")',
        "sys.stdout.buffer.write(bytes(range(256)) * 999)",
        'for _ in range(2000): say(type="chat", text="hello")',
        "for _ in range(2000): answer(m, 'double KH ' * 5)",
        'raw(\'{"type":"act","id":1,"action":\')',
    ],
)
async def test_garbage_never_breaks_the_peer(bench: Bench, garbage: str) -> None:
    body = f"m = read()\ntry:\n {garbage}\n sys.stdout.flush()\nexcept BrokenPipeError: pass\nos._exit(1)"
    player = bench.script(body)
    await player.hello(HELLO)
    assert await player.act(question(1)) == "double"
    assert player.faults.total >= 1 and player.faults.fallback == 1
    await player.aclose()


async def test_a_first_byte_that_is_no_message(bench: Bench) -> None:
    player = bench.program(f"{shlex.quote(sys.executable)} -c \"print('Loading...', flush=True); input()\"")
    await player.hello(HELLO)
    assert player.faults.protocol == 1
    assert await player.act(question(1)) == "double"
    await player.aclose()


async def test_a_crash_is_survived_three_times(bench: Bench) -> None:
    player = bench.script('read()\nprint("no such luck\\n", file=sys.stderr)\nsys.exit(3)')
    await player.hello(HELLO)
    for number in range(5):
        assert await player.act(question(number)) == "double"
    assert player.faults.crash == RESTARTS + 1
    assert bench.codes == ["bot-crashed"] * RESTARTS + ["bot-gave-up"]
    assert {notice.ending for notice in bench.notices} == {Ending(3, ("no such luck",))}
    await player.aclose()


async def test_a_program_that_comes_back_answers_the_same_question(bench: Bench) -> None:
    mark = bench.tmp_path / "started"
    player = bench.script(
        f"if not os.path.exists({str(mark)!r}):\n open({str(mark)!r}, 'w').close()\n read()\n sys.exit(1)\n"
        + PLAY
    )
    await player.hello(HELLO)
    assert await player.act(question(1, ["pass"])) == "pass"
    assert (player.faults.crash, player.faults.fallback) == (1, 0)
    await player.aclose()


async def test_a_crash_between_two_questions_is_counted(bench: Bench) -> None:
    player = bench.script('answer(read(), "double")\nsay(type="chat", text="bye")\nsys.exit(1)')
    await player.hello(HELLO)
    assert await player.act(question(1)) == "double"
    await bench.told()
    assert await player.act(question(2)) == "double"
    assert player.faults.crash == 1 and bench.codes == ["bot-crashed"]
    await player.aclose()


async def test_there_is_no_such_program(bench: Bench) -> None:
    player = bench.program("no-such-program-anywhere --fast")
    await player.hello(HELLO)
    assert bench.codes == ["bot-not-found"]
    assert await player.act(question(1)) == "double"
    unclosed = bench.program("node 'bot.js")
    await unclosed.hello(HELLO)
    assert bench.codes == ["bot-not-found"] * 2
    await unclosed.aclose()


async def test_a_hang_costs_its_clock_and_no_more(bench: Bench, mock_clock: MockClock) -> None:
    player = bench.script(
        'm = read()\nsay(type="chat", text="hm")\nread()\nsay(type="chat", text="hm?")\nhang()'
    )
    await player.hello(HELLO)
    chosen: list[str] = []

    async def ask() -> None:
        chosen.append(await player.act(question(1)))

    bench.nursery.start_soon(ask)
    await bench.told()
    await trio.testing.wait_all_tasks_blocked()
    assert not chosen
    mock_clock.jump(5.1)  # the clock; then the program is told that it is late
    await bench.told()
    await trio.testing.wait_all_tasks_blocked()
    mock_clock.jump(1.1)  # the second chance
    await bench_done(chosen)
    assert chosen == ["double"]
    assert (player.faults.timeout, player.faults.stall, player.faults.fallback) == (1, 1, 1)
    assert bench.codes == ["bot-timeout"]
    await player.aclose()


async def bench_done(chosen: list[str]) -> None:
    while not chosen:
        await trio.lowlevel.checkpoint()


async def test_an_answer_after_the_first_warning_counts(bench: Bench, mock_clock: MockClock) -> None:
    player = bench.script('m = read()\nsay(type="chat", text="hm")\nread()\nanswer(m, "double KH")\n' + PLAY)
    await player.hello(HELLO)
    chosen: list[str] = []

    async def ask() -> None:
        chosen.append(await player.act(question(1)))

    bench.nursery.start_soon(ask)
    await bench.told()
    await trio.testing.wait_all_tasks_blocked()
    mock_clock.jump(5.1)
    await bench_done(chosen)
    assert chosen == ["double KH"] and (player.faults.timeout, player.faults.fallback) == (1, 0)
    await player.aclose()


async def test_a_program_that_we_ended_has_not_crashed(bench: Bench, mock_clock: MockClock) -> None:
    player = bench.script('m = read()\nsay(type="chat", text="hm")\nread()\nsay(type="chat", text="hm?")\nhang()')
    await player.hello(HELLO)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(player.act, question(1))
        for seconds in (5.1, 1.1):
            await bench.told()
            await trio.testing.wait_all_tasks_blocked()
            mock_clock.jump(seconds)
    bench.nursery.start_soon(player.act, question(2))
    await bench.told()
    assert (player.faults.stall, player.faults.crash) == (1, 0)
    assert bench.notices[-1] == Notice("bot-crashed", {"count": 1, "limit": RESTARTS}, Ending())
    await player.aclose()


async def test_a_program_that_never_gets_ready(bench: Bench, mock_clock: MockClock) -> None:
    mark = bench.tmp_path / "mark"
    player = bench.program(
        f"{shlex.quote(sys.executable)} -S -c \"open({str(mark)!r}, 'w').close(); import os; os.read(0, 1)\""
    )

    async def greet() -> None:
        await player.hello(HELLO)
        done.set()

    done = trio.Event()
    bench.nursery.start_soon(greet)
    while not mark.exists():
        await trio.lowlevel.checkpoint()
    await trio.testing.wait_all_tasks_blocked()
    mock_clock.jump(HELLO.clocks.startup + 1)
    await done.wait()
    assert player.faults.stall == 1
    await player.aclose()


async def test_a_program_that_does_not_read(bench: Bench, mock_clock: MockClock) -> None:
    player = bench.script(
        'say(type="chat", text="deaf")\nwhile os.getppid(): time.sleep(60)', wants=["events"]
    )
    await player.hello(HELLO)
    await bench.told()
    for _ in range(2000):  # more than the pipe and the outbox hold
        await player.tell(Event(deal=1, seat=0, action="x" * 1000))
        if player.faults.stall:
            break
        await trio.lowlevel.checkpoint()
    assert player.faults.stall >= 1
    await player.aclose()


async def test_away_and_bye_are_no_faults(bench: Bench) -> None:
    player = bench.script(
        'm = read()\nsay(type="away")\nread()\nsay(type="away", away=False)\nread()\nsay(type="bye")'
    )
    await player.hello(HELLO)
    assert await player.act(question(1)) == "double"
    assert player.away and await player.act(question(2)) == "double"
    bench.spoke = trio.Event()
    await player.tell(END)  # anything, to let it go on
    await bench.told()
    assert not player.away
    assert await player.act(question(3)) == "double"
    assert await player.act(question(4)) == "double"
    assert player.faults.total == 0 and player.faults.fallback == 4
    assert bench.heard == [Away(away=True), Away(away=False), Bye()]
    await player.aclose()


async def test_a_version_we_do_not_speak(bench: Bench) -> None:
    script = bench.tmp_path / "new.py"
    script.write_text(
        """
import json, sys
print(json.dumps({"type": "ready", "versions": [2, 3]}), flush=True)
print(sys.stdin.readline(), file=sys.stderr)
"""
    )
    player = bench.program(f"{shlex.quote(sys.executable)} {shlex.quote(str(script))}")
    await player.hello(HELLO)
    assert bench.codes == ["bot-protocol"]
    assert '"kind":"version"' in (bench.tmp_path / "bot.log").read_text()
    assert await player.act(question(1)) == "double"


async def test_leaving_in_the_middle_ends_the_program(tmp_path: Path) -> None:
    async with trio.open_nursery() as nursery:
        bench = Bench(nursery, tmp_path)
        player = bench.script('m = read()\nsay(type="chat", text=str(os.getpid()))\nhang()')
        await player.hello(HELLO)
        nursery.start_soon(player.act, question(1))
        await bench.told()
        heard = bench.heard[0]
        assert isinstance(heard, Say)
        nursery.cancel_scope.cancel()
    with pytest.raises(ProcessLookupError):
        os.kill(int(heard.text), 0)


# ---- commands -----------------------------------------------------------------------------------------------------


def test_commands_are_split_on_all_systems() -> None:
    assert split_command("node 'my bot.js' --fast", windows=False) == ["node", "my bot.js", "--fast"]
    assert split_command(r'"C:\Program Files\node.exe" C:\bots\bot.js #1', windows=True) == [
        r"C:\Program Files\node.exe",
        r"C:\bots\bot.js",
        "#1",
    ]
