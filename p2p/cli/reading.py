"""Files that a person names on the command line: records, which are text, and logs, which are frames."""

from __future__ import annotations

import sys
from pathlib import Path

from p2p.cli.common import fail
from p2p.journal import read_records_untrusted
from p2p.language import clean_text
from protocol.errors import Refused
from protocol.wire import HEADER_LENGTH

RECORD_LIMIT = 4 * 1024 * 1024
"""Longest record that is read, in bytes. A game of 18 deals has 20 kB; the notes of a bot make it longer."""

LOG_LIMIT = 256 * 1024 * 1024
"""Longest log that is read, in bytes. A long evening has 6 MB."""

RECORD_BEGINS = b"majlis-record"
STANDARD_INPUT = Path("-")


def shown(path: Path) -> str:
    """A path in a sentence."""
    return clean_text(str(path), 300)


def read_text(path: Path) -> str:
    """The text of a record's file (``-``: standard input); a sentence and exit code 1 for anything else."""
    data = _read(path, RECORD_LIMIT)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as wrong:
        if _is_log(data):
            fail("file-is-log", path=shown(path))
        fail("file-not-text", path=shown(path), number=wrong.start)


def read_log(path: Path) -> tuple[list[bytes], int, bool]:
    """The bodies of a log's frames; how many bytes of a frame that was cut off follow; and whether the frame after
    the last one is damaged (there is no telling what comes after it then).

    A table's own folder stands for the log in it. A sentence and exit code 1 for what is no log.
    """
    data = _read(path / "log" if (path / "log").is_file() else path, LOG_LIMIT)
    if data.lstrip(b"\xef\xbb\xbf").startswith(RECORD_BEGINS):
        fail("file-is-record", path=shown(path))
    try:
        found = read_records_untrusted(data)
    except Refused as damaged:
        good = _first_frames(data, int(str(damaged.values["record"])))
        if not good:
            fail("log-not-a-log")
        return good, 0, True
    if not found.bodies:
        fail("log-not-a-log")
    return list(found.bodies), found.torn, False


def _first_frames(data: bytes, count: int) -> list[bytes]:
    bodies, at = [], 0
    for _ in range(count):
        length = int.from_bytes(data[at : at + HEADER_LENGTH], "big")
        at += HEADER_LENGTH
        bodies.append(data[at : at + length])
        at += length
    return bodies


def _read(path: Path, limit: int) -> bytes:
    try:
        if path == STANDARD_INPUT:
            data = sys.stdin.buffer.read(limit + 1)
        else:
            with path.open("rb") as file:
                data = file.read(limit + 1)
    except FileNotFoundError:
        fail("no-such-file", path=shown(path))
    except OSError as error:
        if path.is_dir():
            fail("file-is-folder", path=shown(path))
        fail("cannot-read", path=shown(path), reason=error.strerror or "")
    if not data or data.isspace():
        fail("file-empty", path=shown(path))
    if len(data) > limit:
        fail("file-too-big", path=shown(path), limit=f"{limit:,}")
    return data


def _is_log(data: bytes) -> bool:
    try:
        return bool(read_records_untrusted(data).bodies)
    except Refused:
        return False
