"""Programs that talk without end: ended once, counted once, and the table plays on."""

from __future__ import annotations

import pytest
import trio

from bots.external import RESTARTS
from bots.session import GARBAGE_LIMIT
from tests.net.bench import END, HELLO, Bench, question

FLOODS = {
    "answers": 'm = read()\nwhile True: answer(m, m["legal"][0])',
    "chat": 'read()\nwhile True: say(type="chat", text="\\u001b[2J\\u202e")',
    "prints": 'read()\nwhile True: raw("thinking\\n")',
    "no line": 'read()\nwhile True: raw("{" * 4096)',
}


@pytest.mark.parametrize("body", FLOODS.values(), ids=FLOODS)
async def test_a_flood_is_ended_and_is_no_crash(bench: Bench, body: str) -> None:
    player = bench.script(body)
    with trio.fail_after(30):
        await player.hello(HELLO)
        for number in range(GARBAGE_LIMIT * RESTARTS):  # a question takes at least one of them
            assert await player.act(question(number)) == "double"
            if "bot-gave-up" in bench.codes:
                break
        await player.tell(END)
        await player.aclose()
    faults = player.faults.counts()
    assert faults.pop("protocol") > RESTARTS
    assert not any(faults.values()), faults
    assert bench.codes.count("bot-crashed") == RESTARTS and bench.codes[-1] == "bot-gave-up"


async def test_a_program_that_ends_after_each_answer_is_given_up_and_that_is_told(bench: Bench) -> None:
    player = bench.script('m = read()\nanswer(m, m["legal"][-1])')
    await player.hello(HELLO)
    played = [await player.act(question(number)) for number in range(RESTARTS + 3)]
    assert played == ["double KH QS"] * (RESTARTS + 1) + ["double"] * 2
    await player.aclose()
    assert player.faults.crash == RESTARTS + 1 and player.faults.fallback == 2
    assert bench.codes == ["bot-crashed"] * RESTARTS + ["bot-gave-up"]
