"""A table's folder: its log, its secrets, what this peer has signed, and how to sit down at it again.

::

    <root>/<table id>-<first 8 hex digits of the public key>/
        meta       JSON: game, options, role, invite, and how this peer runs; replaced as a whole
        secrets    MessagePack, for its owner only: master secret, identity, token, the host's TLS key
        log        journal: the table's records, in order
        outbox     journal: this peer's own entries before they leave, and marks (a vote already given)
        lock       held by the process that has the table open; the system lets go when that process ends

The key in the folder's name lets two players on one machine sit at one table. A folder appears whole or not
at all: it is filled under a name with a dot in front, then renamed.

All functions block (`append` waits for the disk); call them through `trio.to_thread.run_sync` where that
matters.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Self

import msgspec

from p2p.files import lock_file, refused_by_disk, replace_file, sync_folder, table_refused, write_new
from p2p.journal import Journal, read_records_untrusted
from p2p.limits import KEPT_LIMIT
from protocol.errors import Malformed, Misuse, Refused
from protocol.identity import Identity
from protocol.wire import decode_untrusted, pack

STORE_VERSION = 1
MASTER_LENGTH = 32


class Secrets(msgspec.Struct, frozen=True):
    """What nobody else may ever read. `master` is the secret from which the table's other secrets are
    derived, `identity` what `Identity.to_bytes` gave, `token` the invite's; the certificate and its key are
    the host's."""

    master: bytes
    identity: bytes
    token: bytes
    cert_pem: bytes = b""
    key_pem: bytes = b""

    def __repr__(self) -> str:
        return "Secrets(…)"


class Meta(msgspec.Struct, frozen=True):
    """How to find the table and sit down again. `run` is for the program that sits there: names, bots,
    ports."""

    table: str
    role: str
    game: str
    options: dict[str, str | int | bool] = {}
    invite: str = ""
    run: dict[str, str | int | bool | list[str] | None] = {}
    version: int = STORE_VERSION

    def __repr__(self) -> str:
        return f"Meta(table={self.table}, role={self.role}, game={self.game})"


class Own(msgspec.Struct, frozen=True, tag_field="k", tag="own"):
    """An entry that this peer has signed, and the private values it commits to."""

    entry: bytes
    private: bytes = b""

    def __repr__(self) -> str:
        return f"Own({len(self.entry)} bytes)"


class Mark(msgspec.Struct, frozen=True, tag_field="k", tag="mark"):
    """Something to remember for ever, such as the term of a vote already given. The last one of a name
    counts."""

    name: str
    value: bytes = b""


class TableStore:
    """An open table, locked against a second process. Close it, or use it in a `with`."""

    def __init__(
        self, path: Path, lock: IO[bytes], meta: Meta, secrets: Secrets, log: Journal, outbox: Journal
    ) -> None:
        self.path = path
        self.meta = meta
        self.secrets = secrets
        self._lock = lock
        self._log = log
        self._outbox = outbox
        self._kept: list[Own | Mark] = [decode_untrusted(body, Own | Mark) for body in outbox.records]

    @classmethod
    def create(
        cls,
        root: Path,
        table: bytes,
        role: str,
        secrets: Secrets,
        *,
        game: str,
        options: Mapping[str, str | int | bool] | None = None,
        invite: str = "",
        run: Mapping[str, str | int | bool | list[str] | None] | None = None,
    ) -> Self:
        """A new folder under `root`, opened. Raises Refused: ``store-exists``, ``disk-full``,
        ``disk-failed``."""
        if len(secrets.master) != MASTER_LENGTH:
            raise Misuse(f"a master secret has {MASTER_LENGTH} bytes")
        public = Identity.from_bytes(secrets.identity).public
        path = root / f"{table.hex()}-{public.hex()[:8]}"
        if path.exists():
            raise Refused("store-exists", {"path": str(path)})
        meta = Meta(table.hex(), role, game, dict(options or {}), invite, dict(run or {}))
        draft: Path | None = None
        try:
            root.mkdir(parents=True, exist_ok=True, mode=0o700)
            draft = Path(tempfile.mkdtemp(prefix=".new-", dir=root))
            write_new(draft / "secrets", pack(secrets))
            write_new(draft / "meta", _meta_bytes(meta))
            for name in ("log", "outbox", "lock"):
                write_new(draft / name, b"")
            sync_folder(draft)
            draft.rename(path)
            sync_folder(root)
        except OSError as error:
            if draft is not None:
                shutil.rmtree(draft, ignore_errors=True)
            if path.exists():
                raise Refused("store-exists", {"path": str(path)}) from None
            raise refused_by_disk(error, path) from None
        return cls.open(path)

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a folder. Raises Refused: ``store-missing``, ``store-locked``, ``store-damaged``,
        ``store-version``, ``store-unreadable``."""
        if not (path / "meta").is_file():
            raise Refused("store-missing", {"path": str(path)})
        lock = lock_file(path / "lock")
        journals: list[Journal] = []
        try:
            meta = read_meta(path)
            secrets = _read_secrets(path / "secrets")
            journals.append(Journal(path / "log"))
            journals.append(Journal(path / "outbox", KEPT_LIMIT))
            return cls(path, lock, meta, secrets, *journals)
        except BaseException as error:
            for journal in journals:
                journal.close()
            lock.close()
            if isinstance(error, Malformed):  # an outbox record of another shape
                raise Refused("store-damaged", {"path": str(path / "outbox"), "record": 0}) from None
            raise

    @property
    def identity(self) -> Identity:
        """The key with which this peer sits at this table."""
        return Identity.from_bytes(self.secrets.identity)

    @property
    def table(self) -> bytes:
        """The table's id."""
        return bytes.fromhex(self.meta.table)

    @property
    def log(self) -> tuple[bytes, ...]:
        """The records of the log, in order."""
        return tuple(self._log.records)

    @property
    def outbox(self) -> tuple[Own | Mark, ...]:
        """Own entries and marks in the order in which they were kept."""
        return tuple(self._kept)

    @property
    def own(self) -> tuple[Own, ...]:
        """Own entries only, in the order of their counters."""
        return tuple(kept for kept in self._kept if isinstance(kept, Own))

    @property
    def torn(self) -> int:
        """How many bytes of unfinished records were cut off when the table was opened."""
        return self._log.torn + self._outbox.torn

    def append(self, record: bytes) -> None:
        """Add a record (a frame's body) to the log; it is on the disk when this returns. Raises
        Refused('disk-full')."""
        self._log.append(record)

    def keep(self, entry: bytes, private: bytes = b"") -> None:
        """Make an own entry and the private values behind it durable, before the entry leaves this
        machine."""
        self._keep(Own(entry, private))

    def mark(self, name: str, value: bytes) -> None:
        """Remember something durably."""
        self._keep(Mark(name, value))

    def change_meta(
        self,
        *,
        invite: str | None = None,
        run: Mapping[str, str | int | bool | list[str] | None] | None = None,
    ) -> None:
        """Replace the invite, and replace or add values of `run`, durably and as a whole."""
        meta = msgspec.structs.replace(
            self.meta,
            invite=self.meta.invite if invite is None else invite,
            run={**self.meta.run, **(run or {})},
        )
        try:
            replace_file(self.path / "meta", _meta_bytes(meta))
        except OSError as error:
            raise refused_by_disk(error, self.path / "meta") from None
        self.meta = meta

    def close(self) -> None:
        """Let others open it. Everything is on the disk already."""
        self._log.close()
        self._outbox.close()
        self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"TableStore({self.path.name})"

    def _keep(self, kept: Own | Mark) -> None:
        self._outbox.append(pack(kept))
        self._kept.append(kept)


@dataclass(frozen=True)
class Listed:
    """A table in a list: where, what, when last written (seconds since 1970), and whether a process has it
    open."""

    path: Path
    meta: Meta
    written: float
    locked: bool


def list_tables(root: Path) -> list[Listed]:
    """The tables under `root`, last written first. What is not a table, or not readable, is left out."""
    found: list[Listed] = []
    for path in sorted(root.iterdir()) if root.is_dir() else []:
        if path.name.startswith(".") or not (path / "meta").is_file():
            continue
        try:
            meta = read_meta(path)
            written = max((path / name).stat().st_mtime for name in ("log", "outbox", "meta"))
            found.append(Listed(path, meta, written, is_locked(path)))
        except (Refused, OSError):
            continue
    return sorted(found, key=lambda listed: listed.written, reverse=True)


def read_log_untrusted(path: Path) -> tuple[tuple[bytes, ...], int]:
    """The records of a log file and the number of torn bytes after them, without opening a table.

    Raises Refused: ``store-damaged`` (record=…), ``store-missing``, ``store-unreadable``.
    """
    try:
        found = read_records_untrusted(path.read_bytes())
    except OSError as error:
        raise table_refused(error, path) from None
    except Refused as refused:
        raise Refused(refused.code, {**refused.values, "path": str(path)}) from None
    return found.bodies, found.torn


def is_locked(path: Path) -> bool:
    """Whether a process has the table open."""
    try:
        lock_file(path / "lock").close()
    except Refused as refused:
        return refused.code == "store-locked"
    return False


def home_folder(environment: Mapping[str, str] | None = None, platform: str = sys.platform) -> Path:
    """Where this program keeps things: MAJLIS_HOME, else where the system wants data of programs."""
    env = os.environ if environment is None else environment
    if env.get("MAJLIS_HOME"):
        return Path(env["MAJLIS_HOME"])
    home = Path(env.get("HOME") or env.get("USERPROFILE") or Path.home())
    if platform == "win32":
        return Path(env.get("LOCALAPPDATA") or home / "AppData" / "Local") / "majlis"
    if platform == "darwin":
        return home / "Library" / "Application Support" / "majlis"
    return Path(env.get("XDG_DATA_HOME") or home / ".local" / "share") / "majlis"


def tables_folder(environment: Mapping[str, str] | None = None) -> Path:
    """The root of all tables."""
    return home_folder(environment) / "tables"


def read_meta(path: Path) -> Meta:
    """A table's meta, without opening it. Raises Refused: ``store-damaged``, ``store-version``,
    ``store-missing``."""
    file = path / "meta"
    try:
        meta = msgspec.json.decode(file.read_bytes(), type=Meta)
        bytes.fromhex(meta.table)
    except OSError as error:
        raise table_refused(error, file) from None
    except (msgspec.DecodeError, ValueError):
        raise Refused("store-damaged", {"path": str(file), "record": 0}) from None
    if meta.version != STORE_VERSION:
        raise Refused("store-version", {"path": str(path), "ours": STORE_VERSION, "theirs": meta.version})
    return meta


def _read_secrets(path: Path) -> Secrets:
    try:
        if os.name == "posix":
            path.chmod(0o600)  # a copy or a restored backup may have opened it to others
        secrets = decode_untrusted(path.read_bytes(), Secrets)
        Identity.from_bytes(secrets.identity)
    except OSError as error:
        raise table_refused(error, path) from None
    except (Malformed, Misuse):
        raise Refused("store-damaged", {"path": str(path), "record": 0}) from None
    return secrets


def _meta_bytes(meta: Meta) -> bytes:
    return msgspec.json.format(msgspec.json.encode(meta), indent=2) + b"\n"
