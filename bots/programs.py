"""Ways to reach a program that plays a seat: a command that the peer starts, or a connection over loopback TCP.

An `Opener` gives a `Line` for each run of the program; what is said over it is not looked at here (`bots.session`).
"""

from __future__ import annotations

import errno
import os
import secrets
import shlex
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import trio

PROGRAM = "cmd:"
"""What a bot that is a program begins with in the arena, and may begin with elsewhere; the rest is its command."""

CHUNK = 16 * 1024
"""Bytes read at once."""

LOG_LIMIT = 1024 * 1024
"""Bytes of standard error kept of one run, so that a bot that complains for ever does not fill the disk."""

TOKEN_VARIABLE = "MAJLIS_TOKEN"
"""In whose environment a program finds its token: everybody on a machine can read command lines."""

LAST_WORDS = 0.2
"""Seconds in which a program whose output is over may end by itself, so that it is known how, and in which the rest of
its standard error is read: both come at once, unless it only closed its output or a child of it holds that open."""

LAST_LINES = 12
"""Lines of standard error that are kept as last words. Python's last one says what went wrong; Node's only names Node,
below eleven of where."""

LAST_BYTES = 2000
"""Bytes in which those lines are looked for."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run of a program ended: `code` as in `subprocess`, its exit code or minus the signal that ended it (None:
    it did not end by itself, or is not ours); `words` are its last lines of standard error."""

    code: int | None = None
    words: tuple[str, ...] = ()


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

    async def end(self) -> Ending:
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
        raise FileNotFoundError(f"{words[0] if words else repr(command)}: {os.strerror(errno.ENOENT)}")
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
        """A new run of the program."""
        return _ProcessLine(await _start(program_words(self.command)), self._log)


async def _start(words: list[str], **environment: str) -> trio.Process:
    """A program in a process group of its own: Ctrl-C at the table is not meant for it. `environment` is added."""
    return await trio.lowlevel.open_process(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment},
        start_new_session=True,  # without meaning on Windows, and harmless there
    )


class _ProcessLine:
    def __init__(self, process: trio.Process, log: Path | None) -> None:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        self._process = process
        self._stdin, self._stdout, self._stderr = process.stdin, process.stdout, process.stderr
        self._log = log
        self._log_left = LOG_LIMIT
        self._words = b""

    async def send(self, data: bytes) -> None:
        await self._stdin.send_all(data)

    async def receive(self) -> bytes:
        data = bytes(await self._stdout.receive_some(CHUNK))
        if not data:
            await self.leave()
        return data

    async def leave(self) -> None:
        """Give it a moment to end by itself."""
        with trio.move_on_after(LAST_WORDS):
            await self._process.wait()

    async def hang_up(self) -> None:
        await self._stdin.aclose()

    async def keep_log(self) -> None:
        async for chunk in self._stderr:
            try:
                if self._log_left > 0 and self._log is not None:
                    with self._log.open("ab") as file:
                        file.write(chunk[: self._log_left])
            except OSError:
                pass  # no place for a log (or no room): the program must still be able to write it
            self._log_left -= len(chunk)
            self._words = (self._words + chunk)[-LAST_BYTES:]

    async def end(self) -> Ending:
        code = self._process.returncode
        if sys.platform == "win32":
            self._process.kill()
        else:
            try:
                os.killpg(self._process.pid, signal.SIGKILL)  # the number is this group's while anybody is left in it
            except (ProcessLookupError, PermissionError):
                self._process.kill()
        await self._process.wait()
        with trio.move_on_after(LAST_WORDS):
            await self.keep_log()  # what it said of its end
        for stream in (self._stdin, self._stdout, self._stderr):
            await stream.aclose()
        return Ending(code, last_lines(self._words))


def last_lines(data: bytes) -> tuple[str, ...]:
    """The last lines of what a program wrote, without empty ones."""
    lines = data[-LAST_BYTES:].decode("utf-8", "replace").split("\n")
    return tuple(line.rstrip() for line in lines if line.strip())[-LAST_LINES:]


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

    async def end(self) -> Ending:
        await self._stream.aclose()
        return Ending()


def started(command: str, log: Path | None = None) -> Opener:
    """How a peer starts this command: over TCP if ``{port}`` stands in it, else over standard input and output."""
    return Caller(command, secrets.token_hex(8), log) if "{port}" in command else Program(command, log)


class Caller:
    """A command that the peer starts and that connects to it over TCP. ``{port}`` and ``{token}`` in it stand for where
    to, and for what its `ready` must hold; the token stands in its environment, too (TOKEN_VARIABLE). Standard error is
    appended to `log` (or dropped)."""

    patient = False

    def __init__(self, command: str, token: str, log: Path | None = None) -> None:
        self.token = token
        self.command = command
        self._log = log

    def __str__(self) -> str:
        return self.command

    async def open(self) -> Line:
        """A new run of the program, once it has connected; one that ends before it does has nothing to say."""
        listener = await Loopback.listen(0, self.token)
        port = str(listener.port)
        words = [word.replace("{port}", port).replace("{token}", self.token) for word in program_words(self.command)]
        program = _ProcessLine(await _start(words, **{TOKEN_VARIABLE: self.token}), self._log)
        lines: list[Line] = []
        try:
            async with trio.open_nursery() as nursery:

                async def give_up() -> None:
                    await _drain(program)
                    nursery.cancel_scope.cancel()

                nursery.start_soon(give_up)
                lines.append(_CallerLine(await listener.open(), program))
                nursery.cancel_scope.cancel()
        except BaseException:
            with trio.CancelScope(shield=True):
                await program.end()
            raise
        finally:
            await listener.aclose()
        return lines[0] if lines else program


class _CallerLine:
    """The connection of a program that is ours as well."""

    def __init__(self, line: Line, program: _ProcessLine) -> None:
        self._program = program
        self.send, self.hang_up = line.send, line.hang_up
        self._line = line

    async def receive(self) -> bytes:
        try:
            data = await self._line.receive()
        except trio.BrokenResourceError:  # a program that is killed leaves what it was sent unread
            data = b""
        if not data:
            await self._program.leave()
        return data

    async def keep_log(self) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_drain, self._program)
            await self._program.keep_log()

    async def end(self) -> Ending:
        await self._line.end()
        return await self._program.end()


async def _drain(program: Line) -> None:
    """Standard output of a program that talks over TCP is free for whatever it likes to print."""
    while await program.receive():
        pass
