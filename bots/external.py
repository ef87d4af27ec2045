"""Programs that play a seat: started by the peer and spoken to over their standard input and output, or connected to it
over loopback TCP. Any language, either encoding of `protocol.seat`.

A program is a stranger with good intentions: it may hang, crash, write garbage or a line without end, or not read what
it is sent. None of that may hold up the table. So each run of a program (`Session`) has three tasks of its own
(reading, writing, its log), everything between them and the peer is bounded, and ending the session ends all of it::

    opener.open() ──> Session ──ready──> in use ──EOF, garbage without end, stall──> killed
          ^                                                     │
          └──────────── at most RESTARTS times a game ──────────┘      then the peer plays on by itself

A peer makes one with `External(nursery, Program(command, log))` or `External(nursery, await Loopback.listen(…))`.
"""

from __future__ import annotations

import hmac
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, Protocol

import trio

from bots.player import Fault, Gone, Guarded, Notice, Say, in_words
from protocol.errors import Malformed
from protocol.seat import (
    Act,
    Answer,
    Away,
    Bye,
    Codec,
    Error,
    FromPeer,
    FromPlayer,
    Hello,
    Pong,
    Ready,
    Vote,
    agree_untrusted,
    peer_codec,
)
from protocol.seat import Say as Chat

RESTARTS = 3
"""How often a game a program that ended is started again; one that fails four times will fail a fifth time."""

CHUNK = 16 * 1024
"""Bytes read at once."""

GARBAGE_LIMIT = 20
"""Bad messages of one run before it is ended: some stray prints are a mistake, more are not a conversation."""

UNASKED_LIMIT = 64
"""Messages between two questions before a run is ended: votes and chat need a handful."""

OUTBOX = 256
"""Messages waiting for a program that does not read; a whole deal of events has some eighty."""

LOG_LIMIT = 1024 * 1024
"""Bytes of standard error kept of one run, so that a bot that complains for ever does not fill the disk."""

END_GRACE = 1.0
"""Seconds a program has to end by itself when the game is over."""

FromBot = Vote | Chat | Away | Bye
"""What a player may say without being asked."""


# ---- ways to reach a program --------------------------------------------------------------------------------------


class Line(Protocol):
    """A connection to a running program."""

    async def send(self, data: bytes) -> None: ...
    async def receive(self) -> bytes:
        """Some bytes, or none at the end."""
        ...

    async def hang_up(self) -> None:
        """Say that nothing more will be sent."""
        ...

    async def keep_log(self) -> None:
        """Runs beside the conversation."""
        ...

    async def end(self) -> None:
        """End the program, if it is ours, and the connection."""
        ...


class Opener(Protocol):
    """Where a program comes from. `token`: what its `ready` must hold, or "". `patient`: it may come at any time."""

    token: str
    patient: bool

    async def open(self) -> Line:
        """Start it or wait for it. Raises OSError."""
        ...


def split_command(command: str, windows: bool = sys.platform == "win32") -> list[str]:
    """A command line as its words: quotes as in a shell; a backslash is an ordinary letter where paths are written
    with it. Raises ValueError for a quote that is not closed."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.commenters = ""
    if windows:
        lexer.escape = ""
    return list(lexer)


def program_words(command: str) -> list[str]:
    """The program of a command, looked up, and its arguments. Raises OSError with what is wrong."""
    try:
        words = split_command(command)
    except ValueError as error:
        raise OSError(str(error)) from error
    found = shutil.which(words[0]) if words else None
    if found is None:
        raise FileNotFoundError(words[0] if words else command)
    return [found, *words[1:]]


class Program:
    """A command that the peer starts itself. Standard error is appended to `log` (or dropped)."""

    token = ""
    patient = False

    def __init__(self, command: str, log: Path | None = None) -> None:
        self.command = command
        self._log = log

    def __str__(self) -> str:
        return self.command

    async def open(self) -> Line:
        """A new run of the program, in a process group of its own: Ctrl-C at the table is not meant for it."""
        process = await trio.lowlevel.open_process(
            program_words(self.command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # without meaning on Windows, and harmless there
        )
        return _ProcessLine(process, self._log)


class _ProcessLine:
    def __init__(self, process: trio.Process, log: Path | None) -> None:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        self._process = process
        self._stdin, self._stdout, self._stderr = process.stdin, process.stdout, process.stderr
        self._log = log

    async def send(self, data: bytes) -> None:
        await self._stdin.send_all(data)

    async def receive(self) -> bytes:
        return bytes(await self._stdout.receive_some(CHUNK))

    async def hang_up(self) -> None:
        await self._stdin.aclose()

    async def keep_log(self) -> None:
        left = LOG_LIMIT
        file: BinaryIO | None = None
        try:
            async for chunk in self._stderr:
                if left > 0 and self._log is not None:
                    file = file or self._log.open("ab")
                    file.write(chunk[:left])
                    file.flush()
                left -= len(chunk)
        except OSError:
            async for _ in self._stderr:
                pass  # no place for a log (or no room): the program must still be able to write it
        finally:
            if file is not None:
                file.close()

    async def end(self) -> None:
        if sys.platform == "win32":
            self._process.kill()
        else:
            try:
                os.killpg(self._process.pid, signal.SIGKILL)  # not reaped yet: the number is still this group's
            except (ProcessLookupError, PermissionError):
                self._process.kill()
        await self._process.wait()
        for stream in (self._stdin, self._stdout, self._stderr):
            await stream.aclose()


class Loopback:
    """A program that connects to us over TCP on this machine and shows a token. Make one with `listen`."""

    patient = True

    def __init__(self, listener: trio.SocketListener, token: str) -> None:
        self.token = token
        self._listener = listener

    @classmethod
    async def listen(cls, port: int, token: str) -> Loopback:
        """Listens on 127.0.0.1; port 0 takes a free one. Raises OSError when the port is busy."""
        listeners = await trio.open_tcp_listeners(port, host="127.0.0.1")
        return cls(listeners[0], token)

    @property
    def port(self) -> int:
        """Where the program should connect."""
        return int(self._listener.socket.getsockname()[1])

    async def open(self) -> Line:
        """The next program that connects."""
        return _SocketLine(await self._listener.accept())

    async def aclose(self) -> None:
        """Listen no more."""
        await self._listener.aclose()


class _SocketLine:
    def __init__(self, stream: trio.SocketStream) -> None:
        self._stream = stream

    async def send(self, data: bytes) -> None:
        await self._stream.send_all(data)

    async def receive(self) -> bytes:
        return bytes(await self._stream.receive_some(CHUNK))

    async def hang_up(self) -> None:
        await self._stream.send_eof()

    async def keep_log(self) -> None:
        """Its standard error is where it was started."""

    async def end(self) -> None:
        await self._stream.aclose()


# ---- one run ------------------------------------------------------------------------------------------------------


class Session:
    """One run of a program: from its first byte to its end."""

    def __init__(self, line: Line, said: Callable[[FromBot], None]) -> None:
        self.ready: Ready | None = None
        self.ready_or_over = trio.Event()
        self.over = trio.Event()
        self.question = -1  # the id of the last `act` sent
        self.ending = False  # no more to be expected of it, though it may not have ended yet
        self._line = line
        self._said = said
        self._codec: Codec[FromPlayer] = peer_codec()
        self._scope = trio.CancelScope()
        self._outbox, self._to_write = trio.open_memory_channel[tuple[bytes, trio.Event]](OUTBOX)
        self._mail, self.inbox = trio.open_memory_channel[tuple[Answer | Fault | Gone, float]](
            GARBAGE_LIMIT + UNASKED_LIMIT
        )
        self._unwritten: set[trio.Event] = set()
        self._garbage = 0
        self._unasked = 0

    async def run(self) -> None:
        """Talks until the program ends or `cancel` is called. Never raises."""
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._line.keep_log)
                    nursery.start_soon(self._write)
                    await self._read()
                    nursery.cancel_scope.cancel()
        finally:
            self.ending = True
            self._deliver(Fault("crash"))
            self.ready_or_over.set()
            for written in self._unwritten:
                written.set()
            with trio.CancelScope(shield=True):
                await self._line.end()
            self.over.set()

    def cancel(self) -> None:
        """End it now."""
        self.ending = True
        self._scope.cancel()

    async def finish(self) -> None:
        """Let it read what was sent, hang up, and end it if it does not end by itself."""
        self._outbox.close()
        with trio.move_on_after(END_GRACE):
            await self.over.wait()
        self.cancel()
        await self.over.wait()

    def post(self, message: FromPeer) -> trio.Event:
        """Queues a message; the event says that it was written (or never will be). Raises Fault('stall')."""
        written = trio.Event()
        try:
            self._outbox.send_nowait((self._codec.encode(message), written))
            self._unwritten.add(written)
        except trio.WouldBlock:
            raise Fault("stall") from None
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            written.set()
        return written

    def next_mail(self) -> tuple[Answer | Fault | Gone, float] | None:
        """What lies in the inbox now."""
        try:
            return self.inbox.receive_nowait()
        except (trio.WouldBlock, trio.EndOfChannel):
            return None

    def clear_mail(self, number: int = -1) -> list[Fault]:
        """Drops what came before a question is put, but no answer to question `number` (a stray print may have come
        before it); the faults among what is dropped."""
        self._unasked = 0
        faults = []
        kept = []
        while (mail := self.next_mail()) is not None:
            match mail[0]:
                case Fault() as fault:
                    faults.append(fault)
                case Answer(id=answered) if answered == number:
                    kept.append(mail)
        for answer, arrived in kept:
            self._deliver(answer, arrived)
        return faults

    async def _write(self) -> None:
        with self._to_write:
            try:
                async for data, written in self._to_write:
                    await self._line.send(data)
                    written.set()
                    self._unwritten.discard(written)
                await self._line.hang_up()
            except (trio.BrokenResourceError, trio.ClosedResourceError, OSError):
                return  # it reads no more; whether it has ended is seen where it is read

    async def _read(self) -> None:
        while True:
            try:
                data = await self._line.receive()
            except (trio.BrokenResourceError, trio.ClosedResourceError, OSError):
                return
            if not data:
                return
            self._codec.feed(data)
            if not self._take_in_untrusted(trio.current_time()):
                return

    def _take_in_untrusted(self, now: float) -> bool:
        """Sorts the messages that have arrived. False when the conversation is over."""
        while True:
            try:
                message = self._codec.next_untrusted()
            except Malformed as malformed:
                self._garbage += 1
                self._deliver(Fault("protocol", malformed.values, malformed.code), now)
                if self._codec.broken or self._garbage >= GARBAGE_LIMIT:
                    return False
                continue
            if message is None:
                return True
            self._unasked += 1
            if self._unasked > UNASKED_LIMIT:
                self._deliver(Fault("protocol", {"limit": UNASKED_LIMIT}, "seat-too-many"), now)
                return False
            self._sort(message, now)

    def _sort(self, message: FromPlayer, now: float) -> None:
        match message:
            case Ready():
                if self.ready is None:
                    self.ready = message
                    self.ready_or_over.set()
            case Answer():
                self._deliver(message, now)
            case Pong():
                pass  # that it was read is all that matters
            case Vote() | Chat() | Away() | Bye():
                self._said(message)
                if isinstance(message, Bye) or (isinstance(message, Away) and message.away):
                    self._deliver(Gone(), now)

    def _deliver(self, mail: Answer | Fault | Gone, now: float | None = None) -> None:
        try:
            self._mail.send_nowait((mail, trio.current_time() if now is None else now))
        except trio.WouldBlock:
            pass  # nobody is waiting for this much mail, and the limits above end such a run


# ---- the player ---------------------------------------------------------------------------------------------------


class External(Guarded):
    """A program as a player. Its tasks run in `nursery`; cancelling that, or `aclose`, ends the program.

    `said` is given what the program says without being asked: votes, chat, away, bye.
    """

    def __init__(
        self,
        nursery: trio.Nursery,
        opener: Opener,
        *,
        say: Say = in_words,
        notice: Callable[[Notice], None] = lambda _: None,
        said: Callable[[FromBot], None] = lambda _: None,
    ) -> None:
        super().__init__(say=say, notice=notice)
        self._nursery = nursery
        self._opener = opener
        self._said = said
        self._session: Session | None = None
        self._hello: Hello | None = None
        self._starts = 0
        self._gone = False  # it said goodbye, or it is of no use to start it again
        self._awaited: trio.CancelScope | None = None  # the wait for one that was not there in time

    @property
    def ready(self) -> Ready | None:
        """How the program introduced itself."""
        return None if self._session is None else self._session.ready

    @property
    def wants(self) -> Sequence[str]:
        """As the program said in `ready`."""
        return () if self.ready is None else self.ready.wants

    async def aclose(self) -> None:
        """The program is told that nothing more comes, and ended if it does not end by itself."""
        self._gone = True
        if self._awaited is not None:
            self._awaited.cancel()
        if self._session is not None:
            await self._session.finish()

    def _alive(self) -> bool:
        return not self._gone and (self._running() or self._starts <= RESTARTS)

    def _running(self) -> bool:
        return self._session is not None and not self._session.ending and self._awaited is None

    def _faulty(self, fault: Fault) -> None:
        if fault.kind == "stall" and self._session is not None:
            self._session.cancel()
        if self._starts > RESTARTS and not self._running() and not self._gone:
            self._gone = True
            self._notice(Notice("bot-gave-up"))

    async def _greet(self, message: Hello) -> None:
        self._hello = message
        if self._running():
            assert self._session is not None
            self._session.post(message)
        else:
            await self._start()

    async def _put(self, message: Act, error: Error | None) -> None:
        if self._session is not None and self._awaited is None:  # while it is awaited, who comes may be a stranger
            for fault in self._session.clear_mail(message.id):
                self._count(fault)
        if not self._running():
            if not self._alive():
                raise Gone
            await self._start()
        session = self._session
        assert session is not None
        again = error is not None and session.question == message.id
        session.question = message.id
        written = session.post(error if again and error is not None else message)
        with trio.move_on_after(self._clocks.move) as scope:
            await written.wait()
        if scope.cancelled_caught:
            raise Fault("stall")

    async def _take(self, number: int) -> tuple[Answer, float]:
        assert self._session is not None
        while True:
            mail, arrived = await self._session.inbox.receive()
            answer = self._judge(mail, number)
            if answer is not None:
                return answer, arrived

    def _arrived(self, number: int) -> tuple[Answer, float] | None:
        assert self._session is not None
        while (found := self._session.next_mail()) is not None:
            answer = self._judge(found[0], number)
            if answer is not None:
                return answer, found[1]
        return None

    def _judge(self, mail: Answer | Fault | Gone, number: int) -> Answer | None:
        if isinstance(mail, Fault | Gone):
            raise mail
        return mail if mail.id == number else None  # an answer to an earlier question came too late

    async def _tell(self, message: FromPeer) -> None:
        if self._running():
            assert self._session is not None
            try:
                self._session.post(message)
            except Fault as fault:
                self._count(fault)

    async def _start(self) -> None:
        """Starts the program (again) and greets it. Raises Fault, Gone."""
        if self._awaited is not None:
            raise Gone  # played for until it comes
        self._starts += 1
        if self._starts > 1:
            self._notice(Notice("bot-crashed", {"count": self._starts - 1, "limit": RESTARTS}))
        with trio.move_on_after(self._clocks.startup):
            while not await self._introduce():
                pass  # somebody without the token; wait for the next
            return
        if not self._opener.patient:
            raise Fault("stall")
        self._awaited = trio.CancelScope()
        self._nursery.start_soon(self._wait_for_it, self._awaited)
        self._notice(Notice("bot-awaited"))
        raise Gone

    async def _wait_for_it(self, scope: trio.CancelScope) -> None:
        """Hold the door open for a program that comes late. The table waits no longer."""
        introduced = False
        with scope:
            while not introduced:
                with trio.move_on_after(self._clocks.startup):
                    try:
                        introduced = await self._introduce()
                    except Fault:
                        continue  # somebody who left again
                    except Gone:
                        return
        if introduced:
            self._awaited = None

    async def _introduce(self) -> bool:
        """Opens a session and hears `ready`. False if that had a wrong token."""
        try:
            line = await self._opener.open()
        except OSError as error:
            self._gone = True
            self._notice(Notice("bot-not-found", {"command": str(self._opener), "reason": str(error)}))
            raise Gone from error
        session = self._session = Session(line, self._hear)
        self._nursery.start_soon(session.run)
        try:
            await session.ready_or_over.wait()
        except trio.Cancelled:
            session.cancel()
            raise
        if session.ready is None:
            raise next(iter(session.clear_mail()), Fault("crash"))
        if self._opener.token and not _same(session.ready.token, self._opener.token):
            await self._refuse(session, "token", "seat-token", {})
            return False
        try:
            agree_untrusted(session.ready.versions)
        except Malformed as malformed:
            await self._refuse(session, "version", malformed.code, malformed.values)
            self._gone = True
            self._notice(Notice("bot-protocol", {"reason": self._say(malformed.code, malformed.values)}))
            raise Gone from malformed
        if self._hello is not None:
            session.post(self._hello)
        return True

    async def _refuse(self, session: Session, kind: str, code: str, values: Mapping[str, object]) -> None:
        session.post(Error(kind=kind, sentence=self._say(code, values)))
        await session.finish()

    def _hear(self, message: FromBot) -> None:
        match message:
            case Away():
                self.away = message.away
            case Bye():
                self._gone = True
        self._said(message)


def _same(given: str, token: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), token.encode())
