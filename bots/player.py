"""Whoever plays a seat, as the peer sees it, and what the peer does when an answer is wrong, late or missing.

`Player` is what a peer needs of a person's screen or a bot. `Guarded` is the part that all programs share: it never
lets a bot hold up or break the table. One question goes like this::

    act ──> legal answer                                        play it
        ──> illegal / late / garbage ──> error, asked once more ──> legal answer: play it
        ──> crash                    ──> (started again), asked once more       │
                                                 └── anything else: the fallback plays

Each fault is counted under what it was: `illegal` (an action that is not in the list), `timeout` (no answer within the
clock), `stall` (no answer either after being told, or input not read), `crash` (the program ended or raised) and
`protocol` (bytes that are no message). The clock runs from when the question was handed over to when the answer
arrived, so encoding, writing and the wait for a free moment of the peer are not charged to the bot. What a move takes
beyond its own time comes out of a bank that lasts for the whole game.
"""

from __future__ import annotations

import logging
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import trio

from bots.builtin.steady import choose as steady
from bots.programs import Ending
from bots.sdk import Bot, View
from bots.transcript import Tape
from engine.actions import parse_action, whole
from engine.cards import parse_cards
from protocol.seat import Act, Answer, Clocks, Error, FromPeer, FromPlayer, Hello, wanted

SECOND_CHANCE = 1.0
"""Seconds that remain, whatever the clock says, to an answer after `error`: enough to take a legal action from a list,
too little to be worth being late for."""

BUSY_TURNS = 3
"""Rounds of the peer's event loop granted to an answer that may have arrived while the peer was busy."""

log = logging.getLogger(__name__)

Say = Callable[[str, Mapping[str, object]], str]
"""Puts the sentence of a code into words (p2p.language)."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something about a bot that its owner should read: the id of a sentence and what its placeholders stand for; for
    a program that stopped also how it ended."""

    code: str
    values: Mapping[str, object] = field(default_factory=dict)
    ending: Ending | None = None


FAULTS = ("illegal", "timeout", "stall", "crash", "protocol")
"""The kinds of faults: fields of `Faults`."""


@dataclass(slots=True)
class Faults:
    """How often a bot did what it should not, by kind; `fallback` is how often the peer had to play for it."""

    illegal: int = 0
    timeout: int = 0
    stall: int = 0
    crash: int = 0
    protocol: int = 0
    fallback: int = 0

    @property
    def total(self) -> int:
        """All faults; what the peer did about them is not one."""
        return sum(self.counts().values())

    def counts(self) -> dict[str, int]:
        """The faults by kind."""
        return {kind: getattr(self, kind) for kind in FAULTS}


class Player(Protocol):
    """Whoever plays a seat. The peer calls these from one task. `info` are the notes on the last action, if any."""

    info: Mapping[str, object] | None

    async def hello(self, message: Hello) -> None:
        """The game begins, or goes on after an interruption."""
        ...

    async def act(self, message: Act) -> str:
        """The action chosen: always one of `message.legal`."""
        ...

    async def tell(self, message: FromPeer) -> None:
        """Anything that needs no answer; what the player did not ask for is not passed on."""
        ...

    async def aclose(self) -> None:
        """The game is over, or the peer leaves."""
        ...


class Fault(Exception):
    """A bot did what it should not: `kind` is a field of `Faults`; `code` says more about a ``protocol`` fault."""

    def __init__(self, kind: str, values: Mapping[str, object] | None = None, code: str = "") -> None:
        super().__init__(kind, values, code)
        self.kind = kind
        self.values: Mapping[str, object] = values or {}
        self.code = code


class Gone(Exception):
    """The player said `away` or `bye`; that is no fault."""


def in_words(code: str, values: Mapping[str, object]) -> str:
    """A sentence without a catalogue: the code and its values."""
    return " ".join([code, *(f"{name}={value}" for name, value in values.items())])


class Guarded(ABC):
    """A bot that the table need not trust. Subclasses bring the question to it and the answer back.

    `notice` is told what its owner should read (codes ``bot-…``), `say` puts the sentences of `error` into words.
    """

    def __init__(self, *, say: Say = in_words, notice: Callable[[Notice], None] = lambda _: None) -> None:
        self.faults = Faults()
        self.info: Mapping[str, object] | None = None
        """The bot's notes on its last action; None when the fallback played."""
        self.away = False
        self._say = say
        self._notice = notice
        self._clocks = Clocks()
        self._bank = 0.0

    async def hello(self, message: Hello) -> None:
        """Sets the clocks and greets the bot."""
        self._clocks = message.clocks
        self._bank = message.clocks.bank
        try:
            await self._greet(message)
        except Fault as fault:
            self._count(fault)
        except Gone:
            pass  # it said so before the game began; the fallback plays

    async def act(self, message: Act) -> str:
        """A legal action in bounded time, whatever the bot does."""
        self.info = None
        allowed = self._clocks.move if message.seconds is None else message.seconds
        left = allowed + self._bank
        used = 0.0
        error: Error | None = None
        for attempt in (1, 2):
            if self.away or not self._alive():
                break
            started = trio.current_time()
            try:
                answer, spent = await self._attempt(message, error, left)
            except Gone:
                break
            except Fault as fault:
                if fault.kind == "timeout" and error is not None and error.kind == "timeout":
                    fault = Fault("stall")
                used += trio.current_time() - started
                error = self._count(fault, message)
                if attempt == 2 or fault.kind == "stall":
                    if fault.kind in _PLAYED_FOR:
                        self._notice(Notice(_PLAYED_FOR[fault.kind], fault.values))
                    break
                if fault.kind == "crash":  # started again, it knows nothing yet, so it gets the whole clock
                    used = 0.0
                left = max(allowed + self._bank - used, min(allowed, SECOND_CHANCE))
            else:
                self._draw(used + spent - allowed)
                self.info = answer.info
                return canonical(answer.action, message)
        self._draw(used - allowed)
        self.faults.fallback += 1
        return fallback(message)

    def _draw(self, seconds: float) -> None:
        """Take what a question went beyond its own time out of the bank."""
        self._bank -= max(0.0, min(self._bank, seconds))

    async def tell(self, message: FromPeer) -> None:
        """Passed on if the bot asked for it."""
        if self._alive() and wanted(message, self.wants):
            await self._tell(message)

    async def _attempt(self, message: Act, error: Error | None, limit: float) -> tuple[Answer, float]:
        """One question: the legal answer, and the seconds it took. Raises Fault, Gone."""
        await self._put(message, error)
        since = trio.current_time()
        found: tuple[Answer, float] | None = None
        with trio.move_on_after(limit):
            found = await self._take(message.id)
        if found is None:  # it may have come in time, and the peer was too busy to look
            for _ in range(BUSY_TURNS):
                await trio.lowlevel.checkpoint()
            found = self._arrived(message.id)
        if found is None:
            raise Fault("timeout")
        answer, arrived = found
        if canonical(answer.action, message) not in message.legal:
            raise Fault("illegal", {"action": answer.action})
        return answer, arrived - since

    def _count(self, fault: Fault, message: Act | None = None) -> Error | None:
        """Counts a fault, and gives what to tell the bot if the question stays open."""
        setattr(self.faults, fault.kind, getattr(self.faults, fault.kind) + 1)
        if fault.kind == "protocol":
            fault.values = {"reason": self._say(fault.code, fault.values)}
            self._notice(Notice("bot-protocol", fault.values))
        self._faulty(fault)
        if message is None or fault.kind not in _TOLD:
            return None
        sentence = self._say(_TOLD[fault.kind], fault.values)
        return Error(kind=fault.kind, sentence=sentence, id=message.id, legal=message.legal)

    @property
    @abstractmethod
    def wants(self) -> Sequence[str]:
        """What the bot asked for in `ready`."""

    @abstractmethod
    async def aclose(self) -> None:
        """End it."""

    @abstractmethod
    def _alive(self) -> bool:
        """Whether it is worth asking the bot at all."""

    @abstractmethod
    def _faulty(self, fault: Fault) -> None:
        """What else to do about a fault, such as ending a program that hangs."""

    @abstractmethod
    async def _greet(self, message: Hello) -> None:
        """Start the bot and say hello. Raises Fault, Gone."""

    @abstractmethod
    async def _put(self, message: Act, error: Error | None) -> None:
        """Hand the question over, or `error` when that is given, in bounded time. Raises Fault, Gone."""

    @abstractmethod
    async def _take(self, number: int) -> tuple[Answer, float]:
        """The answer to question `number`, and when it arrived. Raises Fault, Gone."""

    @abstractmethod
    def _arrived(self, number: int) -> tuple[Answer, float] | None:
        """The same without waiting, if it is there."""

    @abstractmethod
    async def _tell(self, message: FromPeer) -> None:
        """Hand over something that needs no answer. Must not wait for the bot."""


class InProcess(Guarded):
    """A bot written in Python with the SDK, called in a worker thread. A thread cannot be ended: while a call hangs,
    the peer plays, and the bot is asked again once it has returned. `said` is given what it says without being asked,
    `tape` hears all that is said."""

    def __init__(
        self,
        bot: Bot,
        *,
        say: Say = in_words,
        notice: Callable[[Notice], None] = lambda _: None,
        said: Callable[[FromPlayer], None] = lambda _: None,
        tape: Tape | None = None,
    ) -> None:
        super().__init__(say=say, notice=notice)
        self._bot = bot
        self._said = said
        self._tape = tape or Tape()
        self._question: tuple[Act, Error | None] | None = None
        self._answers: list[tuple[Answer, float]] = []
        self._busy = False  # the bot is not made for two calls at once

    @property
    def wants(self) -> Sequence[str]:
        """As the bot's class says."""
        return self._bot.wants

    async def aclose(self) -> None:
        """Nothing to end."""

    def _alive(self) -> bool:
        return True

    def _faulty(self, fault: Fault) -> None:
        """Counting is all there is to do."""

    async def _greet(self, message: Hello) -> None:
        self._tape.peer(message)
        await self._call(lambda: self._bot.start(message), message.clocks.startup)

    async def _put(self, message: Act, error: Error | None) -> None:
        if self._busy:
            raise Fault("stall")
        self._question = (message, error)
        self._tape.peer(message if error is None else error)

    async def _take(self, number: int) -> tuple[Answer, float]:
        assert self._question is not None
        message, error = self._question
        answers: list[tuple[Answer, float]] = []
        self._answers = answers  # a call that was given up fills an old list
        clock = trio.lowlevel.current_clock()

        def decide() -> None:
            if error is not None:
                self._bot.refused(error)
            action = str(self._bot.act(View.of(message)))
            info = self._bot.info()
            answer = Answer(id=number, action=action, info=None if info is None else dict(info))
            answers.append((answer, clock.current_time()))

        await self._call(decide, math.inf)
        self._tape.player(answers[0][0])
        return answers[0]

    def _arrived(self, number: int) -> tuple[Answer, float] | None:
        return self._answers[0] if self._answers else None

    async def _tell(self, message: FromPeer) -> None:
        self._tape.peer(message)
        try:
            await self._call(lambda: self._bot.tell(message), self._clocks.move)
        except Fault as fault:
            self._count(fault)

    async def _call(self, function: Callable[[], None], limit: float) -> None:
        """Runs a method of the bot in a thread. Raises Fault."""
        if self._busy:
            raise Fault("stall")
        self._busy = True

        def work() -> None:
            try:
                function()
            finally:
                self._busy = False

        try:
            with trio.fail_after(limit):
                await trio.to_thread.run_sync(work, abandon_on_cancel=True)
        except trio.TooSlowError:
            raise Fault("stall") from None
        except Exception as error:
            log.warning("a bot raised", exc_info=error)
            raise Fault("crash") from error
        for message in self._bot.unsaid():
            self._tape.player(message)
            self._said(message)


_TOLD = {"illegal": "seat-illegal", "timeout": "seat-timeout", "protocol": "seat-protocol"}
_PLAYED_FOR = {"illegal": "bot-illegal", "timeout": "bot-timeout", "stall": "bot-timeout"}


def fallback(message: Act) -> str:
    """What the peer plays for somebody who is late: always legal, even if the rules of thumb should have a hole."""
    try:
        action = steady(message.view, message.legal)
    except Exception:  # a view from elsewhere may lack what they look at
        action = ""
    return action if action in message.legal else message.legal[0]


def canonical(action: str, message: Act) -> str:
    """The action as the list writes it: ``double KH QS`` may come as ``double QS KH``, with any spaces, and a claim
    without its cards."""
    if action in message.legal:
        return action
    try:
        return str(whole(parse_action(action), parse_cards(" ".join(message.view.get("hand") or ()))))
    except ValueError:
        return action
