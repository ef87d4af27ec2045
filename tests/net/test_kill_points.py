"""kill -9 at the exact moments that matter: the same entries are sent again, and no counter is ever used twice."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from p2p import limits
from p2p.store import TableStore
from protocol.log import Entry, decode_record_untrusted
from protocol.messages import Genesis
from protocol.verify import verify_records
from protocol.wire import pack
from tests.net.killing import HOST, Evenings, Fatal, body_of
from tests.net.processes import DEADLINE

GUESTS = ("Basil", "Celine", "Dawud")
VICTIM = "Celine"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAJLIS_HOME", str(tmp_path))
    monkeypatch.setattr(limits, "REDIAL_FIRST", 0.01)
    monkeypatch.setattr(limits, "REDIAL_LONGEST", 0.01)
    monkeypatch.setattr(limits, "SAME_MOMENT", 0.0)


def first_of_each(name: str, *moments: str) -> tuple[Fatal, set[tuple[str, str]]]:
    """`name` dies at these moments with the first entry of each kind."""
    seen: set[tuple[str, str]] = set()

    def fatal(player: str, what: str, entry: Entry) -> bool:
        kind = what, type(body_of(entry)).__name__
        if player != name or what not in moments or kind in seen:
            return False
        seen.add(kind)
        return True

    return fatal, seen


async def played(fatal: Fatal) -> Evenings:
    with trio.fail_after(DEADLINE):
        async with trio.open_nursery() as nursery:
            evenings = Evenings(nursery, fatal)
            await evenings.host()
            for name in GUESTS:
                evenings.guest(name)
    return evenings


def checked(evenings: Evenings) -> list[bytes]:
    """One honest and finished game; every entry that was ever signed stands in it, with the bytes it had at first."""
    logs = set()
    for path in evenings.folders.values():
        with TableStore.open(path) as store:
            logs.add(store.log)
    assert len(logs) == 1
    log = list(logs.pop())
    verdict = verify_records(log)
    assert verdict.error is None and verdict.finished and not verdict.faults
    ordered = {pack(decode_record_untrusted(record).entry) for record in log}
    assert all(len(entries) == 1 for entries in evenings.signed.values())
    unordered = [key for key, entries in evenings.signed.items() if not entries <= ordered]
    assert unordered == []
    assert all(entry in ordered for _, entry in evenings.deaths)
    assert len({(table.chain.head, table.serial, table.step) for table in evenings.tables.values()}) == 1
    return log


async def test_a_guest_killed_between_the_disk_and_the_line_sends_the_same_entry_again() -> None:
    fatal, seen = first_of_each(VICTIM, "keep")
    evenings = await played(fatal)
    assert {"KeyCommit", "Shuffle", "Seal", "Unseal", "Move", "Score"} <= {kind for _, kind in seen}
    assert [name for name, _ in evenings.deaths] == [VICTIM] * len(seen)
    checked(evenings)


async def test_a_host_killed_before_an_entry_is_ordered_or_before_anybody_is_told_goes_on_with_that_entry() -> None:
    fatal, seen = first_of_each(HOST, "keep", "append")
    evenings = await played(fatal)
    for moment in ("keep", "append"):
        assert {(moment, kind) for kind in ("Genesis", "KeyCommit", "Seal", "Move")} <= seen
    assert {name for name, _ in evenings.deaths} == {HOST}  # two moments may fall into one life
    first = decode_record_untrusted(checked(evenings)[0]).entry
    assert isinstance(body_of(first), Genesis)
    assert [entry for _, entry in evenings.deaths[:2]] == [pack(first)] * 2  # once before its place, once after it
