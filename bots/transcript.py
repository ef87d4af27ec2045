"""What a peer and the player of its seat say to each other, kept in a file for whoever writes the player.

A line for each message, in the order and with the fields of the conversation::

    {"seconds": 0.031, "from": "player", "message": {"type": "ready", "name": "mine"}}
    {"seconds": 0.032, "from": "peer", "message": {"type": "hello", …}}
    {"seconds": 0.4, "from": "player", "refused": "frame-garbage", "text": "thinking..."}

and ``{"seconds": …, "run": "started"}`` or ``"ended"`` where a program was started and ended; ``"code"`` is there if it
ended by itself, its exit code or minus a signal. The file lies in the table's own folder and holds the seat's cards, so
nobody else may read it. The token of a program over TCP is left out.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import msgspec
import trio

from protocol.seat import FromPeer, FromPlayer, Ready

TRANSCRIPT_LIMIT = 16 * 1024 * 1024
"""Bytes of one file. A whole game is 2 MB; a bot that never stops talking must not fill the disk."""

REFUSED_SHOWN = 200
"""Bytes kept of what was no message: enough to recognise it."""

HIDDEN = "…"
"""Stands where the token was."""

_TOKEN = re.compile(r'("token"\s*:\s*")[^"]*')


class Tape:
    """Hears all that is said at one seat. This one keeps nothing."""

    def started(self) -> None:
        """A run of the program begins."""

    def ended(self, code: int | None) -> None:
        """That run is over (`bots.programs.Ending.code`)."""

    def peer(self, message: FromPeer) -> None:
        """The peer says something."""

    def player(self, message: FromPlayer) -> None:
        """The player says something."""

    def refused(self, code: str, data: bytes) -> None:
        """The player wrote what is no message: why (a code of `protocol.seat.Codec`), and its bytes."""


class Transcript(Tape):
    """Keeps it in a file. What cannot be written is left out, and nobody waits for the disk."""

    trouble = ""
    """Why something was left out, if the disk refused it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._since = trio.current_time()

    def started(self) -> None:
        """Noted."""
        self._write({"run": "started"})

    def ended(self, code: int | None) -> None:
        """Noted."""
        self._write({"run": "ended"} if code is None else {"run": "ended", "code": code})

    def peer(self, message: FromPeer) -> None:
        """Noted."""
        self._write({"from": "peer", "message": message})

    def player(self, message: FromPlayer) -> None:
        """Noted, but for a token."""
        self._write({"from": "player", "message": without_token(message)})

    def refused(self, code: str, data: bytes) -> None:
        """Noted, its beginning. Bytes that are no text (a frame) are shown escaped."""
        text = data[:REFUSED_SHOWN].decode("utf-8", "backslashreplace")
        self._write({"from": "player", "refused": code, "text": _TOKEN.sub(rf"\1{HIDDEN}", text)})

    def _write(self, fields: dict[str, object]) -> None:
        line = msgspec.json.encode({"seconds": round(trio.current_time() - self._since, 3), **fields}) + b"\n"
        try:
            with open(self._path, "ab", opener=_private) as file:
                if file.tell() + len(line) <= TRANSCRIPT_LIMIT:
                    file.write(line)
        except OSError as error:
            self.trouble = error.strerror or str(error)


def without_token(message: FromPlayer) -> FromPlayer:
    """The message, fit to be shown."""
    if isinstance(message, Ready) and message.token:
        return msgspec.structs.replace(message, token=HIDDEN)
    return message


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
