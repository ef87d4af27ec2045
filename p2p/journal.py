"""A file that only grows: records that are on the disk before `append` returns, and that outlive a kill at
any instant.

A record is one frame as on the wire: a 4-byte length and one MessagePack map. What a reader may find after a
crash::

    complete records … | torn      torn: the beginning of one more record, or zeros where it should stand

Only the last append can be torn, because each is flushed before the next begins; nothing was ever told about
it, so it is cut off. Anything else that does not read is damage, and is never repaired silently: a host that
forgot records which it had put in order would put others in their place and so convict itself of a fork. To
tell the two apart, a record that seems to be cut off must not be followed by records that read well. (Power
that fails may also leave zeros inside the bytes of the last record; what is signed in it shows that, not this
file.)
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from pathlib import Path

from p2p.files import refused_by_disk, table_refused
from protocol.errors import Malformed, Misuse, Refused
from protocol.wire import HEADER_LENGTH, LIMIT_AFTER_AUTH, frame, unpack_untrusted


@dataclass(frozen=True)
class Records:
    """What a file holds: the bodies of its records in order, where they end, and how many torn bytes
    follow."""

    bodies: tuple[bytes, ...]
    end: int
    torn: int


def read_records_untrusted(data: bytes, limit: int = LIMIT_AFTER_AUTH) -> Records:
    """The records in a journal's bytes. Raises Refused('store-damaged', record=…) with the number (from 0) of
    the first record that does not read although it, or something after it, was written completely."""
    bodies: list[bytes] = []
    at = 0
    while at < len(data):
        body = _record_at(data, at, limit)
        if body is None:
            if not _is_torn(data, at, limit):
                raise Refused("store-damaged", {"record": len(bodies)})
            break
        bodies.append(body)
        at += HEADER_LENGTH + len(body)
    return Records(tuple(bodies), at, len(data) - at)


def _record_at(data: bytes, at: int, limit: int) -> bytes | None:
    length = int.from_bytes(data[at : at + HEADER_LENGTH], "big")
    body = data[at + HEADER_LENGTH : at + HEADER_LENGTH + length]
    if len(data) - at < HEADER_LENGTH or length > limit or len(body) != length:
        return None
    try:
        unpack_untrusted(body)
    except Malformed:
        return None
    return body


def _is_torn(data: bytes, at: int, limit: int) -> bool:
    rest = data[at:]
    if not rest.strip(b"\0"):
        return len(rest) <= limit + HEADER_LENGTH  # room was made for the record, and power failed
    length = int.from_bytes(rest[:HEADER_LENGTH], "big")
    if len(rest) < HEADER_LENGTH:
        return True
    if length > limit:
        return False
    if len(rest) >= HEADER_LENGTH + length:
        return len(rest) == HEADER_LENGTH + length and rest.endswith(b"\0")
    return not any(
        _reads_to_the_end(data, start, limit) for start in range(at + 1, len(data) - HEADER_LENGTH)
    )


def _reads_to_the_end(data: bytes, at: int, limit: int) -> bool:
    while at < len(data):
        body = _record_at(data, at, limit)
        if body is None:
            return False
        at += HEADER_LENGTH + len(body)
    return True


class Journal:
    """An open journal. `append` may be called from any thread; one at a time gets its turn."""

    def __init__(self, path: Path, limit: int = LIMIT_AFTER_AUTH) -> None:
        """Open a file that exists, cut a torn record off, and raise Refused('store-damaged') for anything
        worse."""
        self.path = path
        self._limit = limit
        self._lock = threading.Lock()
        self._broken = False
        try:
            self._file = path.open("r+b", buffering=0)
        except OSError as error:
            raise table_refused(error, path) from None
        try:
            found = read_records_untrusted(path.read_bytes(), limit)
            self._end = found.end
            if found.torn:
                self._cut()
        except Refused as refused:
            self._file.close()
            raise Refused(refused.code, {**refused.values, "path": str(path)}) from None
        except OSError as error:
            self._file.close()
            raise table_refused(error, path) from None
        self.records: list[bytes] = list(found.bodies)
        self.torn = found.torn

    def append(self, body: bytes) -> None:
        """Add a record; when this returns, it is on the disk.

        Raises Refused('disk-full') or Refused('disk-failed'): the file is then as it was before, and a later
        append may work.
        """
        try:
            unpack_untrusted(body)
        except Malformed as error:
            raise Misuse(f"a record that could not be read again: {error}") from error
        data = frame(body, self._limit)
        with self._lock:
            if self._file.closed:
                raise Misuse("the journal is closed")
            if self._broken:
                self._mend()
            try:
                self._write(data)
            except OSError as error:
                self._broken = True
                self._mend(error)
                raise refused_by_disk(error, self.path) from None
            self._end += len(data)
            self.records.append(body)

    def close(self) -> None:
        """Release the file. Everything appended is on the disk already."""
        with self._lock:
            self._file.close()

    def _write(self, data: bytes) -> None:
        self._file.seek(self._end)
        left = memoryview(data)
        while left:
            left = left[os.write(self._file.fileno(), left) :]
        os.fsync(self._file.fileno())

    def _mend(self, cause: OSError | None = None) -> None:
        """Back to the last good record after a failed write. While that fails too, nothing more is
        appended."""
        try:
            self._cut()
        except OSError as error:
            raise refused_by_disk(cause or error, self.path) from None
        self._broken = False

    def _cut(self) -> None:
        self._file.truncate(self._end)
        os.fsync(self._file.fileno())
