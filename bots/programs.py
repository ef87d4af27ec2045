"""Ways to reach a program that plays a seat: a command that the peer starts, or a connection over loopback TCP.

An `Opener` gives a `Line` for each run of the program; what is said over it is not looked at here (`bots.session`).
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import BinaryIO, Protocol

import trio

CHUNK = 16 * 1024
"""Bytes read at once."""

LOG_LIMIT = 1024 * 1024
"""Bytes of standard error kept of one run, so that a bot that complains for ever does not fill the disk."""


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
