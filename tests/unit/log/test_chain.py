"""The log: order, signatures, and what proves a fork."""

from __future__ import annotations

import msgspec
import pytest

from protocol.errors import BadProof, Forked, Malformed, Stale
from protocol.identity import Identity
from protocol.log import (
    Chain,
    Entry,
    Record,
    author_forked,
    decode_record_untrusted,
    host_forked,
    pack_record,
    sign_entry,
    table_of,
)
from protocol.messages import Genesis, SitDown, Vote

TABLE, OTHER_TABLE = b"the table's id 1", b"the table's id 2"
HOST, GUEST = Identity.generate(bytes(32)), Identity.generate(bytes([1]) * 32)


class Log:
    """A host with a chain that has begun."""

    def __init__(self, table: bytes = TABLE) -> None:
        self.chain = Chain(table)
        self.records: list[Record] = []
        self.add(sign_entry(HOST, table, 1, 0, bytes(32), Genesis(1, table, "kasra", {}, {}, ())))

    def add(self, entry: Entry) -> Record:
        self.chain.admit_untrusted(entry)
        record = self.chain.order(HOST, entry)
        self.chain.extend_untrusted(record)
        self.records.append(record)
        return record

    def entry(self, author: Identity, counter: int, body: Vote | SitDown | None = None) -> Entry:
        return sign_entry(author, self.chain.table, counter, self.chain.height, self.chain.head, body or SitDown())


def copy(log: Log) -> Chain:
    chain = Chain(TABLE)
    for record in log.records:
        chain.extend_untrusted(decode_record_untrusted(pack_record(record)))
    return chain


def test_a_copy_has_the_same_heads() -> None:
    log = Log()
    log.add(log.entry(GUEST, 1))
    log.add(log.entry(HOST, 2))
    assert copy(log) == log.chain and log.chain.height == 3
    assert table_of(log.records[0]) == TABLE
    with pytest.raises(Malformed, match="log-not-a-log"):
        table_of(log.records[1])


@pytest.mark.parametrize("counter", [2, 3, 7])
def test_a_gap_in_an_author_s_counter_waits(counter: int) -> None:
    log = Log()
    with pytest.raises(Stale, match="counter-gap"):
        log.chain.admit_untrusted(log.entry(GUEST, counter))


def test_the_same_entry_again_is_stale_and_another_with_its_counter_is_a_fork() -> None:
    log = Log()
    first, second = log.entry(GUEST, 1), log.entry(GUEST, 1, Vote(1, 1, 0))
    log.add(first)
    with pytest.raises(Stale, match="counter-gap"):
        log.chain.admit_untrusted(first)
    with pytest.raises(Forked, match="author-forked"):
        log.chain.admit_untrusted(second)
    forged = msgspec.structs.replace(second, signature=bytes(64))
    with pytest.raises(BadProof, match="bad-signature"):
        log.chain.admit_untrusted(forged)
    assert author_forked(TABLE, first, second) and author_forked(TABLE, second, first)
    assert not author_forked(TABLE, first, first)
    assert not author_forked(TABLE, first, forged)
    assert not author_forked(OTHER_TABLE, first, second)
    assert not author_forked(TABLE, first, log.entry(HOST, 1)), "two authors"
    assert not author_forked(TABLE, first, log.entry(GUEST, 2)), "two counters"


def test_two_records_for_one_place_prove_that_the_host_forked() -> None:
    log = Log()
    one, two = log.entry(GUEST, 1), log.entry(HOST, 2)
    first, second = log.chain.order(HOST, one), log.chain.order(HOST, two)
    assert host_forked(TABLE, HOST.public, first, second)
    assert not host_forked(TABLE, HOST.public, first, first)
    assert not host_forked(TABLE, GUEST.public, first, second)
    assert not host_forked(TABLE, HOST.public, first, msgspec.structs.replace(second, signature=bytes(64)))
    log.chain.extend_untrusted(first)
    with pytest.raises(Forked, match="log-forked"):
        log.chain.extend_untrusted(second)
    with pytest.raises(Malformed, match="log-repeated"):
        log.chain.extend_untrusted(first)
    with pytest.raises(BadProof, match="bad-signature"):
        log.chain.extend_untrusted(msgspec.structs.replace(second, signature=bytes(64)))
    third = log.chain.order(HOST, log.entry(HOST, 2))
    forked = msgspec.structs.replace(third, prev=bytes(32))
    with pytest.raises(BadProof, match="bad-signature"):  # nobody signed this: it convicts nobody
        log.chain.extend_untrusted(forked)
    other = Log()
    other.add(other.entry(HOST, 2))
    with pytest.raises(Forked, match="log-forked"):  # another history of the same host
        log.chain.extend_untrusted(other.add(other.entry(HOST, 3)))


def test_an_entry_of_another_table_is_not_signed_for_this_one() -> None:
    log, other = Log(), Log(OTHER_TABLE)
    entry = other.entry(GUEST, 1)
    with pytest.raises(Stale, match="head-unknown"):
        log.chain.admit_untrusted(entry)
    moved = msgspec.structs.replace(entry, height=log.chain.height, head=log.chain.head)
    with pytest.raises(BadProof, match="bad-signature"):
        log.chain.admit_untrusted(moved)
    with pytest.raises(BadProof, match="bad-signature"):
        log.chain.extend_untrusted(log.chain.order(HOST, moved))


def test_a_record_that_the_host_did_not_sign_is_not_taken() -> None:
    log = Log()
    before = copy(log)
    for record in (
        log.chain.order(GUEST, log.entry(GUEST, 1)),
        msgspec.structs.replace(log.chain.order(HOST, log.entry(GUEST, 1)), term=1),
        msgspec.structs.replace(log.chain.order(HOST, log.entry(GUEST, 1)), height=5),
    ):
        with pytest.raises((BadProof, Malformed)):
            log.chain.extend_untrusted(record)
        assert log.chain == before, "nothing has changed"


def test_a_log_begins_with_its_own_genesis() -> None:
    for body in (SitDown(), Genesis(1, OTHER_TABLE, "kasra", {}, {}, ())):
        chain = Chain(TABLE)
        entry = sign_entry(HOST, TABLE, 1, 0, bytes(32), body)
        with pytest.raises(BadProof, match="genesis-missing"):
            chain.extend_untrusted(chain.order(HOST, entry))
        assert chain.height == 0
