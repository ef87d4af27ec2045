"""Write a bot: subclass `Bot`, give it one method, and hand it to `main`::

    from bots.sdk import Bot, View, main

    class Mine(Bot):
        def act(self, view: View) -> str:
            return self.random.choice(view.legal)

    main(Mine)

and `majlis join INVITE --bot 'python mine.py'` lets it play; `python` must be the one that Majlis is installed for.
`main` speaks JSON lines over standard input and output; `print` goes to the peer's log file, so it can be used freely.
`connect` is for a bot that is started by hand and plays over TCP (`majlis join INVITE --seat-port 7071`). A bot in any
other language needs only the messages of `protocol.seat` (docs/bots.md).
"""

from __future__ import annotations

import random
import socket
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from protocol.errors import Malformed
from protocol.seat import (
    TEXT_LIMIT,
    Act,
    Answer,
    Ask,
    Bye,
    Codec,
    Encoding,
    End,
    Error,
    FromPeer,
    FromPlayer,
    Hello,
    Ping,
    Pong,
    Ready,
    Say,
    Vote,
    player_codec,
)


@dataclass(frozen=True, slots=True)
class View:
    """What the seat may know when it is asked to act; `raw` is the whole map, the rest are shortcuts into it."""

    raw: Mapping[str, Any]
    legal: tuple[str, ...]
    seconds: float | None = None

    @classmethod
    def of(cls, message: Act) -> View:
        """The view that came with a question."""
        return cls(message.view, tuple(message.legal), message.seconds)

    @property
    def game(self) -> str:
        """``kasra``, ``estimation``, ``istimar`` or ``three_five_eight``."""
        return str(self.raw["game"])

    @property
    def phase(self) -> str:
        """What is being decided: ``choose``, ``double``, ``bid``, ``play``…"""
        return str(self.raw["phase"])

    @property
    def seat(self) -> int:
        """Our own seat; the next to play after it is ``(seat + 1) % seats``."""
        return int(self.raw["seat"])

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.raw["counts"])

    @property
    def hand(self) -> tuple[str, ...]:
        """Our cards by name (``TD`` is the ten of diamonds), clubs to spades, each suit from the two up."""
        return tuple(self.raw["hand"])

    @property
    def trick(self) -> tuple[tuple[int, str], ...]:
        """The trick on the table as (seat, card) in the order played; empty when we lead or there are no tricks."""
        return tuple((int(seat), str(card)) for seat, card in self.raw.get("trick") or ())

    @property
    def totals(self) -> tuple[int, ...]:
        """Points of the game so far by seat."""
        return tuple(self.raw["totals"])

    def can_hold(self, seat: int) -> frozenset[str]:
        """The cards that `seat` can still have, as far as the public knows."""
        return frozenset(self.raw["can_hold"][seat])

    def playable(self) -> tuple[str, ...]:
        """The cards of the legal plays."""
        return tuple(action.split()[1] for action in self.legal if action.startswith("play "))


class Bot:
    """One player. Only `act` must be written.

    `random` is seeded by the peer and is the only source of chance that a bot should use, so that its games can be
    played again. `wants` may name ``events`` and ``table``; then `tell` is given those messages too.
    """

    name = ""
    version = ""
    author = ""
    wants: Sequence[str] = ()
    unasked: Sequence[FromPlayer] = ()
    """What it says besides its answers, until that is sent: when the method that is being called has returned."""

    def __init__(self) -> None:
        self.random = random.Random(0)

    def start(self, hello: Hello) -> None:
        """A game begins (or the bot was started again in the middle of one)."""
        self.random = random.Random(hello.seed)

    def act(self, view: View) -> str:
        """The chosen one of `view.legal`."""
        raise NotImplementedError

    def info(self) -> Mapping[str, object] | None:
        """Notes on the action just chosen (candidates, values); kept beside the log of the table."""
        return None

    def refused(self, error: Error) -> None:
        """The answer just given was illegal or late; `act` is called once more. The peer's sentence is in `error`."""

    def tell(self, message: FromPeer) -> None:
        """Anything else that the peer says."""

    def say(self, text: str) -> None:
        """Say something to the table; what is longer than a line of chat is cut."""
        self.unasked = (*self.unasked, Say(text=text[:TEXT_LIMIT]))

    def vote(self, ask: Ask, yes: bool = True) -> None:
        """Answer a vote."""
        self.unasked = (*self.unasked, Vote(id=ask.id, yes=yes))

    def unsaid(self) -> Sequence[FromPlayer]:
        """For whoever calls its methods: what it has to say besides, once."""
        messages, self.unasked = self.unasked, ()
        return messages


def main(make: Callable[[], Bot], source: BinaryIO | None = None, sink: BinaryIO | None = None) -> None:
    """Let a bot play over standard input and output (or the streams given) until the peer hangs up."""
    source = source or sys.stdin.buffer
    sink = sink or sys.stdout.buffer
    sys.stdout = sys.stderr  # a stray print would break the conversation; so it goes to the log
    _play(make(), source, sink)


def connect(make: Callable[[], Bot], port: int, token: str) -> None:
    """Let a bot play over TCP, at the port of this machine and with the token that the peer printed. Raises OSError if
    nobody listens there."""
    with (
        socket.create_connection(("127.0.0.1", port)) as peer,
        peer.makefile("rb") as source,
        peer.makefile("wb") as sink,
    ):
        _play(make(), source, sink, token)


def _play(bot: Bot, source: BinaryIO, sink: BinaryIO, token: str = "") -> None:
    codec = player_codec(Encoding.JSON)
    name = bot.name or type(bot).__name__
    try:
        _send(
            sink,
            codec,
            Ready(token=token, name=name, version=bot.version, author=bot.author, wants=list(bot.wants)),
        )
        _serve(bot, codec, source, sink)
    except (BrokenPipeError, ConnectionResetError):
        pass  # the peer is gone, and so is the reason to be here


def _serve(bot: Bot, codec: Codec[FromPeer], source: BinaryIO, sink: BinaryIO) -> None:
    asked: Act | None = None
    for line in source:
        codec.feed(line)
        try:
            message = codec.next_untrusted()
        except Malformed as error:  # a newer peer may say things that this version does not know
            print(f"not understood: {error}", file=sys.stderr)
            continue
        match message:
            case None:
                pass
            case Hello():
                bot.start(message)
            case Act():
                asked = message
                _send(sink, codec, _answer(bot, asked))
            case Error(id=number) if asked is not None and number == asked.id:
                bot.refused(message)
                _send(sink, codec, _answer(bot, asked))
            case Ping():
                _send(sink, codec, Pong())
            case End():
                bot.tell(message)
                _send(sink, codec, *bot.unsaid(), Bye())
                return
            case _:
                bot.tell(message)
        _send(sink, codec, *bot.unsaid())


def _answer(bot: Bot, asked: Act) -> Answer:
    action = bot.act(View.of(asked))
    info = bot.info()
    return Answer(id=asked.id, action=action, info=None if info is None else dict(info))


def _send(sink: BinaryIO, codec: Codec[FromPeer], *messages: FromPlayer) -> None:
    for message in messages:
        sink.write(codec.encode(message))
    sink.flush()
