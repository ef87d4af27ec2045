"""Small things about files that the standard library leaves open: durable creation, a lock that dies with
its process, and which sentence an error of the file system becomes.
"""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import IO

from protocol.errors import Refused

FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
"""Errors of a disk that has no room left."""

_HELD = {errno.EAGAIN, errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK}


def refused_by_disk(error: OSError, path: Path) -> Refused:
    """The sentence for what the file system said, whatever the file is."""
    if error.errno in FULL:
        return Refused("disk-full", {"path": str(path)})
    return Refused("disk-failed", {"path": str(path), "reason": error.strerror or ""})


def table_refused(error: OSError, path: Path) -> Refused:
    """The same for a file of a table that should be there already."""
    if isinstance(error, FileNotFoundError):
        return Refused("store-missing", {"path": str(path)})
    if isinstance(error, PermissionError):
        return Refused("store-unreadable", {"path": str(path), "reason": error.strerror or ""})
    return refused_by_disk(error, path)


def write_new(path: Path, data: bytes) -> None:
    """A new file that only its owner may read, on the disk when this returns."""
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)
    handle = os.open(path, flags, 0o600)
    try:
        left = memoryview(data)
        while left:
            left = left[os.write(handle, left) :]
        os.fsync(handle)
    finally:
        os.close(handle)


def replace_file(path: Path, data: bytes) -> None:
    """A file's content as a whole: after a crash at any moment it is the old one or the new one, never a mixture."""
    draft = path.with_name(f".{path.name}")
    draft.unlink(missing_ok=True)
    write_new(draft, data)
    draft.replace(path)
    sync_folder(path.parent)


def write_whole(path: Path, text: str, over: bool = False) -> None:
    """A file that is there whole or not at all: written beside its place, then put there, `over` an older one if so
    wished. `OSError` (a FileExistsError where something is there already), and then nothing is left behind."""
    if path.exists() and not over:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    draft = path.with_name(f".{os.getpid()}.part")
    try:
        with draft.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise


def sync_folder(path: Path) -> None:
    """Make names in a folder durable, where the system lets folders be opened (Windows does not, and need
    not)."""
    if os.name != "posix":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def lock_file(path: Path) -> IO[bytes]:
    """The open file that holds the lock; closing it, or the end of the process, however it ends, lets go.

    Raises Refused('store-locked') while another open file, here or in another process, holds it.
    """
    try:
        file = path.open("a+b")
    except OSError as error:
        raise table_refused(error, path) from None
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        if error.errno in _HELD:
            raise Refused("store-locked", {"path": str(path.parent)}) from None
        raise table_refused(error, path) from None
    return file
