"""What a bot of the SDK says besides its answers: table talk and votes, over a pipe and in-process alike."""

from __future__ import annotations

import io
import sys

import pytest

from bots.player import InProcess
from bots.sdk import Bot, View, main
from protocol.seat import (
    TEXT_LIMIT,
    Act,
    Answer,
    Ask,
    Bye,
    Clocks,
    Encoding,
    End,
    FromPeer,
    FromPlayer,
    Hello,
    Ready,
    Say,
    Vote,
    messages_in,
    peer_codec,
)

HELLO = Hello(game="kasra", options={}, seat=0, names=["A", "B", "C", "D"], clocks=Clocks(), seed=1)
ACT = Act(id=1, legal=["pass"], view={"game": "kasra"})
ASK = Ask(id=7, kind="take-over", seat=2)
END = End(totals=[0, 0, 0, 0], winners=[0])


class Talker(Bot):
    """Says something at every turn. Like many a bot it does without the constructor of its class."""

    def __init__(self) -> None:
        pass

    def start(self, hello: Hello) -> None:
        self.say("hello")

    def act(self, view: View) -> str:
        self.say("x" * (TEXT_LIMIT + 1))
        return view.legal[0]

    def tell(self, message: FromPeer) -> None:
        if isinstance(message, Ask):
            self.vote(message)
        if isinstance(message, End):
            self.say("well played")


SAID = [Say(text="hello"), Say(text="x" * TEXT_LIMIT), Vote(id=7, yes=True), Say(text="well played")]


def test_over_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", sys.stdout)  # which `main` replaces
    codec = peer_codec(Encoding.JSON)
    heard = io.BytesIO(b"".join(map(codec.encode, (HELLO, ACT, ASK, END))))
    written = io.BytesIO()
    main(Talker, heard, written)
    codec = peer_codec()
    codec.feed(written.getvalue())
    ready, *rest = messages_in(codec)
    assert isinstance(ready, Ready)
    assert rest == [SAID[0], Answer(id=1, action="pass"), *SAID[1:], Bye()]


async def test_in_process() -> None:
    said: list[FromPlayer] = []
    player = InProcess(Talker(), said=said.append)
    await player.hello(HELLO)
    assert await player.act(ACT) == "pass"
    await player.tell(ASK)
    await player.tell(END)
    assert said == SAID and player.faults.total == 0
