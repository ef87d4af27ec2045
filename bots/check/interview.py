"""One run of a program that is being checked: it is asked, and each fault is named with what was sent and what came."""

from __future__ import annotations

import json
from dataclasses import dataclass

import msgspec
import trio

from bots.check.findings import Finding
from bots.player import Fault, Gone, canonical
from bots.programs import Line, Opener
from bots.session import Session
from bots.transcript import Tape, without_token
from protocol.errors import Malformed
from protocol.seat import (
    Act,
    Answer,
    Clocks,
    Encoding,
    End,
    Error,
    FromPeer,
    FromPlayer,
    Hello,
    Message,
    Pong,
    Ready,
    agree_untrusted,
)

SHOWN = 240
"""Characters shown of what was sent and of what came."""

PIECE = 700
"""Bytes of a message that comes in pieces: a long view in a few dozen."""

PATIENCE = 2.0
"""Seconds for which an answer is waited for when the clock has run out, to tell who is late from who hangs."""

BYTE_ORDER_MARK = "\ufeff"
"""What some systems write before text in UTF-8."""

_CODES = {
    "seat-encoding": "check-first-byte",
    "frame-too-long": "check-endless",
    "too-deep": "check-too-deep",
    "message-misfit": "check-misfit",
    "message-unknown": "check-misfit",
    "seat-too-many": "check-too-many",
}


class Ear(Tape):
    """Remembers what was said last, and passes all on to another tape."""

    def __init__(self, other: Tape) -> None:
        self.sent = ""
        self.came = ""
        self.ponged = trio.Event()
        self.bad: list[str] = []  # what was no message and has not been found fault with yet
        self._other = other

    def started(self) -> None:
        """A new run."""
        self.sent = self.came = ""
        self.bad.clear()
        self._other.started()

    def ended(self, code: int | None) -> None:
        """Passed on."""
        self._other.ended(code)

    def peer(self, message: FromPeer) -> None:
        """Remembered, its view left out; what came before it no longer matters."""
        fields = msgspec.to_builtins(message)
        self.sent = _short(json.dumps({**fields, "view": "…"} if "view" in fields else fields, ensure_ascii=False))
        self.came = ""
        self._other.peer(message)

    def player(self, message: FromPlayer) -> None:
        """Remembered."""
        if isinstance(message, Pong):
            self.ponged.set()
            self.ponged = trio.Event()
        else:
            self.came = _short(msgspec.json.encode(without_token(message)).decode())
        self._other.player(message)

    def refused(self, code: str, data: bytes) -> None:
        """Remembered."""
        self.came = _short(data.decode("utf-8", "backslashreplace"))
        self.bad.append(self.came)
        self._other.refused(code, data)


class Pieces:
    """An opener whose lines can be told to deliver a message in pieces, or to hold one back for the next."""

    def __init__(self, opener: Opener) -> None:
        self.token, self.patient = opener.token, opener.patient
        self.cut = False
        self.hold = 0
        self._opener = opener

    def __str__(self) -> str:
        return str(self._opener)

    async def open(self) -> Line:
        """The same line, obedient."""
        return _PiecesLine(await self._opener.open(), self)


class _PiecesLine:
    def __init__(self, line: Line, how: Pieces) -> None:
        self.receive, self.hang_up, self.keep_log, self.end = line.receive, line.hang_up, line.keep_log, line.end
        self._line = line
        self._how = how
        self._held = b""

    async def send(self, data: bytes) -> None:
        self._held += data
        if self._how.hold:
            self._how.hold -= 1
            return
        data, self._held = self._held, b""
        size = PIECE if self._how.cut else len(data)
        for at in range(0, len(data), size):
            await self._line.send(data[at : at + size])
            await trio.lowlevel.checkpoint()


@dataclass(frozen=True, slots=True)
class Reply:
    """A legal answer and how long it took, or none; and the faults."""

    action: str | None
    seconds: float
    findings: tuple[Finding, ...] = ()


class Interview:
    """One run. Make one with `start`; `alive` says whether it can be asked."""

    def __init__(self, session: Session, ear: Ear, clocks: Clocks) -> None:
        self.session = session
        self._ear = ear
        self._clocks = clocks
        self._asked: set[int] = set()

    @classmethod
    async def start(cls, nursery: trio.Nursery, opener: Opener, hello: Hello, ear: Ear) -> Interview:
        """Starts the program, hears `ready` and says hello. Raises Unfit with what was wrong."""
        clocks = hello.clocks
        line: Line | None = None
        with trio.move_on_after(clocks.startup):
            try:
                line = await opener.open()
            except OSError as error:
                raise Unfit(Finding("check-not-found", {"command": str(opener), "reason": str(error)})) from error
        if line is None:
            raise Unfit(Finding("check-no-ready", {"seconds": clocks.startup}))
        session = Session(line, lambda message: None, ear)
        interview = cls(session, ear, clocks)
        nursery.start_soon(session.run)
        with trio.move_on_after(clocks.startup):
            await session.ready_or_over.wait()
        wrong = await interview._introduced(opener.token)
        if wrong is not None:
            await interview.kill()
            raise Unfit(wrong)
        session.post(hello)
        return interview

    @property
    def ready(self) -> Ready:
        """How the program introduced itself."""
        assert self.session.ready is not None
        return self.session.ready

    @property
    def alive(self) -> bool:
        """Whether it can be asked: how one that has just ended did so is its answer."""
        return not self.session.over.is_set()

    async def ask(self, act: Act, *before: Message) -> Reply:
        """One question, and what else is said just before it. A program that gives no answer at all is ended."""
        stray = [self._fault(fault) for fault in self.session.clear_mail()]
        if self.session.ended_by_us:  # for one of these
            await self.session.over.wait()
        if not self.alive:
            return Reply(None, 0.0, tuple(stray))
        self._asked.add(act.id)
        since = trio.current_time()
        try:
            for message in (*before, act):
                written = self.session.post(message)  # type: ignore[arg-type]  # messages of the future, too
            with trio.move_on_after(self._clocks.move):
                await written.wait()
        except Fault:
            stray.append(Finding("check-silent", {"seconds": self._clocks.move}, self._ear.sent))
        reply = await self._answer(act, since)
        return Reply(reply.action, reply.seconds, (*stray, *reply.findings))

    async def _answer(self, act: Act, since: float) -> Reply:
        """The answer to a question that was put at this time."""
        limit = self._clocks.move
        found: list[Finding] = []
        sent = self._ear.sent
        action, seconds = await self._hear(act, found, limit, since)
        if action is None and self.alive and not found:
            action, seconds = await self._hear(act, found, limit + PATIENCE, since)
            if action is not None:
                late = {"seconds": round(seconds, 2), "limit": limit}
                found.append(Finding("check-late", late, sent, self._ear.came))
            elif not found:
                found.append(Finding("check-silent", {"seconds": limit + PATIENCE}, sent, self._ear.came))
        if action is None and self.alive:
            await self.kill()  # what it still says would be taken for the next answer
        if action is not None and canonical(action, act) not in act.legal:
            found.append(Finding("check-illegal", {"action": action}, sent, self._ear.came))
            action = None
        return Reply(None if found else action, seconds, tuple(found))

    async def refuse(self, act: Act, kind: str) -> Reply:
        """Says that the answer was wrong, and asks for another."""
        since, found = trio.current_time(), list[Finding]()
        self.session.post(Error(kind=kind, sentence="refused, to see what you do", id=act.id, legal=act.legal))
        sent = self._ear.sent
        action, seconds = await self._hear(act, found, self._clocks.move, since)
        if action is None and not found:
            found.append(Finding("check-ignores-error", {"kind": kind}, sent))
        elif action is not None and canonical(action, act) not in act.legal:
            found.append(Finding("check-illegal", {"action": action}, sent, self._ear.came))
        return Reply(None if found else action, seconds, tuple(found))

    def expect(self, act: Act) -> None:
        """A question is put that need not be answered."""
        self._asked.add(act.id)

    def tell(self, message: FromPeer) -> None:
        """Says something that needs no answer, or whose answer does not matter."""
        self.session.post(message)

    async def pong(self, ping: FromPeer) -> tuple[Finding, ...]:
        """Whether it answers `ping`."""
        if not self.alive:
            return ()
        ponged = self._ear.ponged
        self.session.post(ping)
        sent = self._ear.sent
        with trio.move_on_after(self._clocks.move):
            await ponged.wait()
        return () if ponged.is_set() or not self.alive else (Finding("check-no-pong", {}, sent, self._ear.came),)

    async def end(self, seats: int, grace: float) -> tuple[Finding, ...]:
        """The game is over: whether it leaves by itself, in so many seconds."""
        if self.alive:
            self.session.post(End(totals=[0] * seats, winners=[]))
            sent = self._ear.sent
            if not await self.session.finish(grace):
                return (Finding("check-stays", {"seconds": grace}, sent),)
        await self.session.over.wait()
        return ()

    async def kill(self) -> None:
        """Ends the run now."""
        self.session.cancel()
        await self.session.over.wait()

    async def _introduced(self, token: str) -> Finding | None:
        """What was wrong with its introduction."""
        ready = self.session.ready
        if ready is None:
            mail = self.session.next_mail()
            if mail is not None and isinstance(mail[0], Fault):
                await self.session.over.wait()
                return self._fault(mail[0])
            return Finding("check-no-ready", {"seconds": self._clocks.startup}, "", self._ear.came)
        if token and ready.token != token:
            return Finding("check-bad-token", {}, "", self._ear.came)
        try:
            agree_untrusted(ready.versions)
        except Malformed as malformed:
            return Finding("check-version", malformed.values, "", self._ear.came)
        return None

    async def _hear(self, act: Act, found: list[Finding], limit: float, since: float) -> tuple[str | None, float]:
        """The answer to this question within `limit` seconds of `since`, legal or not. Notes the faults that come."""
        with trio.move_on_at(since + limit):
            while True:
                mail, arrived = await self.session.inbox.receive()
                match mail:
                    case Answer(id=number) if number == act.id:
                        return mail.action, arrived - since
                    case Answer(id=number) if number in self._asked:
                        pass  # a second answer to an earlier question; the peer does not mind
                    case Answer(id=number):
                        found.append(
                            Finding("check-wrong-id", {"id": number, "asked": act.id}, self._ear.sent, self._ear.came)
                        )
                    case Gone():
                        found.append(Finding("check-left", {}, self._ear.sent, self._ear.came))
                    case Fault() as fault:
                        if fault.kind != "crash" or not found:  # a stray print of one that dies says enough
                            found.append(self._fault(fault))
                        if fault.kind == "crash" or self.session.ended_by_us:
                            await self.session.over.wait()
                            return None, arrived - since
        return None, trio.current_time() - since

    def _fault(self, fault: Fault) -> Finding:
        """A fault of the session as a finding."""
        if fault.kind == "crash":
            return Finding("check-crash", {}, self._ear.sent, self._ear.came, self.session.ended)
        code = _CODES.get(fault.code, "check-garbage")
        came = self._ear.came if code == "check-too-many" or not self._ear.bad else self._ear.bad.pop(0)
        if code == "check-garbage" and self.session.encoding is Encoding.FRAMES:
            code = "check-bad-frame"
        elif code == "check-garbage" and came.startswith("{"):
            code = "check-bad-json"
        elif code == "check-first-byte" and came.startswith(BYTE_ORDER_MARK):
            code = "check-byte-order-mark"
        return Finding(code, {"reason": fault.code, **fault.values}, self._ear.sent, came)


class Unfit(Exception):
    """The program cannot even be asked: `finding` says why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding)
        self.finding = finding


def _short(text: str) -> str:
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
