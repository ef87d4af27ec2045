"""A table's folder: what is kept, who may read it, who may open it, and what a kill leaves behind."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from p2p.files import refused_by_disk
from p2p.files import write_new as real_write_new
from p2p.store import (
    Mark,
    Own,
    Secrets,
    TableStore,
    home_folder,
    list_tables,
    read_log_untrusted,
    read_meta,
    tables_folder,
)
from protocol.errors import Misuse, Refused
from protocol.identity import Identity
from protocol.wire import frame, pack

TABLE = b"T" * 16
SECRETS = Secrets(b"M" * 32, b"I" * 32, b"K" * 16, b"cert", b"key")
ROOT = Path(__file__).parents[3]


def created(root: Path, secrets: Secrets = SECRETS, game: str = "kasra") -> TableStore:
    return TableStore.create(
        root,
        TABLE,
        "host",
        secrets,
        game=game,
        options={"doubling": True, "to": 100},
        run={"seat": 1, "bots": ["a"]},
    )


def test_everything_comes_back(tmp_path: Path) -> None:
    with created(tmp_path) as store:
        store.append(pack({"n": 1}))
        store.keep(b"entry", b"private")
        store.mark("vote", b"\x01")
        store.keep(b"second")
        store.mark("vote", b"\x02")
        store.append(pack({"n": 2}))
        store.change_meta(invite="majlis1:x", run={"seat": 2})
    with TableStore.open(store.path) as again:
        assert again.log == (pack({"n": 1}), pack({"n": 2}))
        assert again.own == (Own(b"entry", b"private"), Own(b"second"))
        assert again.outbox[1:] == (Mark("vote", b"\x01"), Own(b"second"), Mark("vote", b"\x02"))
        assert again.secrets == SECRETS
        assert again.table == TABLE
        assert again.identity.public == Identity.from_bytes(b"I" * 32).public
        assert again.meta.options == {"doubling": True, "to": 100}
        assert again.meta.run == {"seat": 2, "bots": ["a"]}
        assert (again.meta.invite, again.meta.role, again.meta.game) == ("majlis1:x", "host", "kasra")
        assert again.torn == 0


def test_secrets_are_not_shown(tmp_path: Path) -> None:
    with created(tmp_path) as store:
        store.change_meta(invite="majlis1:secret")
        store.keep(b"e", b"PRIVATE")
        shown = repr(store) + repr(store.secrets) + repr(store.meta) + repr(store.outbox) + repr(list_tables(tmp_path))
        assert not any(secret in shown for secret in ("MMM", "KKK", "majlis1:secret", "PRIVATE", "key"))


@pytest.mark.skipif(os.name != "posix", reason="Windows keeps a user's folder to the user")
def test_only_the_owner_reads_the_files(tmp_path: Path) -> None:
    root = tmp_path / "deep" / "root"
    with created(root) as store:
        store.change_meta(invite="x")
        for path in (store.path, *store.path.iterdir(), root):
            assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path
        (store.path / "secrets").chmod(0o644)
    with TableStore.open(store.path):
        assert stat.S_IMODE((store.path / "secrets").stat().st_mode) == 0o600


def test_a_torn_record_is_cut_off_and_the_rest_kept(tmp_path: Path) -> None:
    with created(tmp_path) as store:
        store.append(pack({"n": 1}))
        store.keep(b"entry")
    for name in ("log", "outbox"):
        with (store.path / name).open("ab") as file:
            file.write(frame(pack({"torn": bytes(30)}))[:-4])
    assert read_log_untrusted(store.path / "log")[1] > 0
    with TableStore.open(store.path) as again:
        assert again.log == (pack({"n": 1}),)
        assert again.own == (Own(b"entry"),)
        assert again.torn > 0
    assert read_log_untrusted(store.path / "log") == ((pack({"n": 1}),), 0)


@pytest.mark.parametrize("name", ["log", "outbox"])
def test_damage_is_refused_and_lets_go_of_the_lock(tmp_path: Path, name: str) -> None:
    with created(tmp_path) as store:
        store.append(pack({"n": 1}))
        store.keep(b"entry")
    with (store.path / name).open("ab") as file:
        file.write(b"\x00\x00\x00\x01\xc1" + frame(pack({})))
    for _ in range(2):
        with pytest.raises(Refused, match="store-damaged"):
            TableStore.open(store.path)
    if name == "log":
        with pytest.raises(Refused, match="store-damaged"):
            read_log_untrusted(store.path / name)


def test_an_outbox_of_another_shape_is_damage(tmp_path: Path) -> None:
    with created(tmp_path) as store:
        pass
    (store.path / "outbox").write_bytes(frame(pack({"k": "else"})))
    with pytest.raises(Refused, match="store-damaged"):
        TableStore.open(store.path)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"table": "zz", "role": "host", "game": "kasra"}', b"\xff"])
def test_an_unreadable_meta_is_damage(tmp_path: Path, content: bytes) -> None:
    with created(tmp_path) as store:
        pass
    (store.path / "meta").write_bytes(content)
    with pytest.raises(Refused, match="store-damaged"):
        TableStore.open(store.path)
    assert list_tables(tmp_path) == []


@pytest.mark.parametrize("content", [b"", b"\x80", pack({"master": b"", "identity": b"", "token": b""})])
def test_unreadable_secrets_are_damage(tmp_path: Path, content: bytes) -> None:
    with created(tmp_path) as store:
        pass
    (store.path / "secrets").write_bytes(content)
    with pytest.raises(Refused, match="store-damaged"):
        TableStore.open(store.path)


def test_a_newer_store_is_refused(tmp_path: Path) -> None:
    with created(tmp_path) as store:
        pass
    meta = store.path / "meta"
    meta.write_bytes(meta.read_bytes().replace(b'"version": 1', b'"version": 2'))
    with pytest.raises(Refused, match="store-version"):
        read_meta(store.path)


def test_a_table_is_created_once_and_two_players_of_one_machine_may_sit_at_it(tmp_path: Path) -> None:
    with created(tmp_path), pytest.raises(Refused, match="store-exists"):
        created(tmp_path)
    with created(tmp_path, Secrets(b"M" * 32, b"J" * 32, b"K" * 16)):
        assert len(list_tables(tmp_path)) == 2


def test_a_table_that_is_open_is_refused_here(tmp_path: Path) -> None:
    with created(tmp_path) as store:
        with pytest.raises(Refused, match="store-locked"):
            TableStore.open(store.path)
        assert [listed.locked for listed in list_tables(tmp_path)] == [True]
    assert [listed.locked for listed in list_tables(tmp_path)] == [False]
    TableStore.open(store.path).close()


def test_a_killed_process_lets_go_and_loses_nothing(tmp_path: Path) -> None:
    with created(tmp_path) as store:
        pass
    program = (
        "import sys; from pathlib import Path\n"
        "from p2p.store import TableStore; from protocol.wire import pack\n"
        "store = TableStore.open(Path(sys.argv[1]))\n"
        "for n in range(1_000_000):\n"
        "    store.append(pack({'n': n, 'pad': bytes(200)})); print(n, flush=True)\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", program, str(store.path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    with child:
        first = child.stdout.readline()
        with pytest.raises(Refused, match="store-locked"):
            TableStore.open(store.path)
        assert [listed.locked for listed in list_tables(tmp_path)] == [True]
        child.send_signal(getattr(signal, "SIGKILL", signal.SIGTERM))
        told = [int(line) for line in (first + child.stdout.read()).split()]
    with TableStore.open(store.path) as again:
        assert len(again.log) >= len(told) >= 1
        assert again.log == tuple(pack({"n": n, "pad": bytes(200)}) for n in range(len(again.log)))
        again.append(pack({"after": 1}))


@pytest.mark.parametrize("fails_at", range(5))
def test_a_disk_that_is_full_at_creation_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails_at: int
) -> None:
    calls = [0]

    def write_new(path: Path, data: bytes) -> None:
        calls[0] += 1
        if calls[0] > fails_at:
            raise OSError(errno.ENOSPC, "no room")
        real_write_new(path, data)

    monkeypatch.setattr("p2p.store.write_new", write_new)
    with pytest.raises(Refused, match="disk-full"):
        created(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_keeps_the_old_meta(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(path: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "no room")

    with created(tmp_path) as store:
        with monkeypatch.context() as patch:
            patch.setattr("p2p.files.write_new", no_room)
            with pytest.raises(Refused, match="disk-full"):
                store.change_meta(invite="new")
        assert store.meta.invite == read_meta(store.path).invite == ""
        store.change_meta(invite="new")
        assert read_meta(store.path).invite == "new"


def test_a_full_disk_keeps_the_outbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(handle: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "no room")

    with created(tmp_path) as store:
        store.keep(b"first")
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", no_room)
            with pytest.raises(Refused, match="disk-full"):
                store.keep(b"second")
        assert store.own == (Own(b"first"),)
        store.keep(b"second")
    with TableStore.open(store.path) as again:
        assert again.own == (Own(b"first"), Own(b"second"))


def test_a_list_leaves_out_what_is_not_a_table(tmp_path: Path) -> None:
    assert list_tables(tmp_path / "none") == []
    (tmp_path / "empty").mkdir()
    (tmp_path / ".new-x").mkdir()
    (tmp_path / "file").write_text("x")
    with created(tmp_path) as store:
        pass
    assert [listed.path for listed in list_tables(tmp_path)] == [store.path]
    with pytest.raises(Refused, match="store-missing"):
        TableStore.open(tmp_path / "empty")
    with pytest.raises(Refused, match="store-missing"):
        read_log_untrusted(tmp_path / "none")


def test_a_master_secret_of_another_length_is_ours_to_fix(tmp_path: Path) -> None:
    with pytest.raises(Misuse):
        created(tmp_path, Secrets(b"M", b"I" * 32, b"K" * 16))


@pytest.mark.parametrize(
    ("environment", "platform", "expected"),
    [
        ({"MAJLIS_HOME": "/m", "HOME": "/h"}, "linux", "/m"),
        ({"HOME": "/h"}, "linux", "/h/.local/share/majlis"),
        ({"HOME": "/h", "XDG_DATA_HOME": "/x"}, "linux", "/x/majlis"),
        ({"HOME": "/h", "XDG_DATA_HOME": ""}, "freebsd14", "/h/.local/share/majlis"),
        ({"HOME": "/h"}, "darwin", "/h/Library/Application Support/majlis"),
        ({"USERPROFILE": "/u", "LOCALAPPDATA": "/l"}, "win32", "/l/majlis"),
        ({"USERPROFILE": "/u"}, "win32", "/u/AppData/Local/majlis"),
    ],
)
def test_where_tables_live(environment: dict[str, str], platform: str, expected: str) -> None:
    assert home_folder(environment, platform) == Path(expected)


def test_tables_have_a_folder_of_their_own() -> None:
    assert tables_folder({"MAJLIS_HOME": "/m"}) == Path("/m/tables")


def test_a_place_where_nothing_can_be_kept_is_called_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for error in (FileNotFoundError(errno.ENOENT, "no such folder"), PermissionError(errno.EACCES, "not yours")):
        assert refused_by_disk(error, tmp_path).code == "disk-failed"
    with pytest.raises(Refused, match="disk-failed"):
        created(tmp_path / "file" / "below")
