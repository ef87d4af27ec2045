"""A journal after any interruption: cut anywhere, zeros at the end, damage in the middle, a full disk."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p.journal import Journal, read_records_untrusted
from protocol.errors import Misuse, Refused
from protocol.wire import LIMIT_AFTER_AUTH, frame, pack

BODIES = tuple(pack({"n": n, "pad": bytes([n]) * (n * 3)}) for n in range(6))
WHOLE = b"".join(map(frame, BODIES))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "log"
    path.write_bytes(b"")
    return path


OPEN: list[Journal] = []


@pytest.fixture(autouse=True)
def _close_all() -> Iterator[None]:
    yield
    while OPEN:
        OPEN.pop().close()


def opened(path: Path) -> Journal:
    OPEN.append(Journal(path))
    return OPEN[-1]


def appended(path: Path, *bodies: bytes) -> Journal:
    journal = opened(path)
    for body in bodies:
        journal.append(body)
    return journal


def test_what_was_appended_is_there_at_once(path: Path) -> None:
    journal = opened(path)
    for count, body in enumerate(BODIES, 1):
        journal.append(body)
        assert read_records_untrusted(path.read_bytes()).bodies == BODIES[:count]
    journal.close()
    assert opened(path).records == list(BODIES)


def test_a_file_cut_anywhere_keeps_every_whole_record_and_goes_on(path: Path) -> None:
    for cut in range(len(WHOLE)):
        path.write_bytes(WHOLE[:cut])
        journal = appended(path, pack({"after": cut}))
        kept = [body for n, body in enumerate(BODIES) if len(b"".join(map(frame, BODIES[: n + 1]))) <= cut]
        assert journal.records == [*kept, pack({"after": cut})]
        journal.close()
        assert read_records_untrusted(path.read_bytes()).bodies == tuple(journal.records)


@pytest.mark.parametrize("zeros", [1, 3, 4, 5, 4096])
def test_zeros_where_the_last_record_should_stand_are_cut_off(path: Path, zeros: int) -> None:
    path.write_bytes(WHOLE + bytes(zeros))
    journal = opened(path)
    assert journal.records == list(BODIES)
    assert journal.torn == zeros
    assert path.read_bytes() == WHOLE


def test_a_last_record_that_ends_in_zeros_is_cut_off() -> None:
    last = frame(BODIES[-1])
    for written in range(4, last.index(b"pad")):  # zeros within the padding read well: signatures find those
        data = WHOLE + last[:written] + bytes(len(last) - written)
        assert read_records_untrusted(data).bodies == BODIES, written


def test_damage_in_the_middle_is_told_with_its_record() -> None:
    start = 0
    for number, body in enumerate(BODIES[:-1]):
        for wrong in (b"\xff\xff\xff\xff", b"\x00\x00\xff\xff", b"\x00\x00\x00\x00", b"\x00\x00\x00\x03"):
            data = WHOLE[:start] + wrong + WHOLE[start + 4 :]
            with pytest.raises(Refused, match="store-damaged") as caught:
                read_records_untrusted(data)
            assert caught.value.values["record"] in (number, number + 1)
        data = WHOLE[: start + 4] + b"\xc1" + WHOLE[start + 5 :]
        with pytest.raises(Refused, match="store-damaged") as caught:
            read_records_untrusted(data)
        assert caught.value.values["record"] == number
        start += 4 + len(body)


def test_a_damaged_file_is_not_touched(path: Path) -> None:
    damaged = WHOLE[:4] + b"\xc1" + WHOLE[5:]
    path.write_bytes(damaged)
    with pytest.raises(Refused, match="store-damaged") as caught:
        Journal(path)
    assert caught.value.values == {"record": 0, "path": str(path)}
    assert path.read_bytes() == damaged


def test_a_long_file_of_zeros_is_damage_not_a_torn_record() -> None:
    with pytest.raises(Refused, match="store-damaged"):
        read_records_untrusted(WHOLE + bytes(2 * LIMIT_AFTER_AUTH))


@pytest.mark.parametrize("written", [0, 1, 4, 9])
@pytest.mark.parametrize(
    ("number", "code"), [(errno.ENOSPC, "disk-full"), (errno.EIO, "disk-failed"), (errno.EFBIG, "disk-full")]
)
def test_a_full_disk_loses_nothing_and_later_there_may_be_room(
    path: Path, monkeypatch: pytest.MonkeyPatch, written: int, number: int, code: str
) -> None:
    journal = appended(path, *BODIES[:3])
    before = path.read_bytes()
    real_write = os.write
    room = [written]

    def write(handle: int, data: bytes) -> int:
        if not room[0]:
            raise OSError(number, "no room")
        done = real_write(handle, bytes(data[: room[0]]))
        room[0] -= done
        return done

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", write)
        for _ in range(2):
            with pytest.raises(Refused, match=code):
                journal.append(BODIES[3])
            assert path.read_bytes() == before
            assert journal.records == list(BODIES[:3])
    journal.append(BODIES[3])
    assert read_records_untrusted(path.read_bytes()).bodies == BODIES[:4]


def test_a_disk_that_cannot_even_be_mended_takes_nothing_more_until_it_can(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = appended(path, *BODIES[:2])

    def fsync(_: int) -> None:
        raise OSError(errno.ENOSPC, "no room")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        for _ in range(2):
            with pytest.raises(Refused, match="disk-full"):
                journal.append(BODIES[2])
    journal.append(BODIES[3])
    assert read_records_untrusted(path.read_bytes()).bodies == (*BODIES[:2], BODIES[3])


def test_every_append_is_synced_before_it_returns(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(os.fstat(handle).st_size))
    journal = opened(path)
    for body in BODIES:
        journal.append(body)
        assert synced[-1] == len(path.read_bytes())
    assert len(synced) == len(BODIES)


def test_what_could_not_be_read_again_is_never_written(path: Path) -> None:
    journal = opened(path)
    for body in (b"", b"\xc1", b"\x90", pack({"a": bytes(LIMIT_AFTER_AUTH)})):
        with pytest.raises(Misuse):
            journal.append(body)
    assert path.read_bytes() == b""
    journal.close()
    with pytest.raises(Misuse):
        journal.append(BODIES[0])


def test_no_file_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="store-missing"):
        Journal(tmp_path / "nothing")
