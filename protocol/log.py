"""The log: what everybody signed, in the order that the host signed.

An *entry* is an author's: public key, counter (1, 2, 3, … without gaps), the height and hash of a head that the author
had seen, the body, an Ed25519 signature over all of it and the table id. A *record* is an entry in its place: term,
height, hash of the previous head, the entry, and the host's signature over ``(table, term, height, prev, entry hash)``.
The head at a height is the hash of the same five things, so it does not depend on who signed.

Two host signatures for one (term, height) prove a fork of the host (`host_forked`); two entries of one author with one
counter prove a fork of that author (`author_forked`). The same thing sent twice proves nothing, nor does quoting a head
that nobody signed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256

import msgspec

from protocol.deck import labels
from protocol.errors import BadProof, Forked, Malformed, Stale
from protocol.identity import Identity, verify_untrusted
from protocol.messages import Body, BodyBytes, Digest, Genesis, Key, Number, Signature, decode_body_untrusted, encode
from protocol.wire import convert_untrusted, pack, unpack_untrusted

NO_HEAD = bytes(32)
GENESIS_TERM = 0


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an author signed."""

    author: Key
    counter: Number
    height: Number  # of the quoted head; the number of records before it + 1, so 0 means none
    head: Digest
    body: BodyBytes
    signature: Signature

    def hash(self) -> bytes:
        """What stands for the entry in the chain; the signature is part of it."""
        return digest(
            labels.LABEL_ENTRY_HASH,
            self.author,
            self.counter,
            self.height,
            self.head,
            self.body,
            self.signature,
        )


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry in its place."""

    term: Number
    height: Number
    prev: Digest
    entry: Entry
    signature: Signature


def framed(*parts: bytes | int | str) -> bytes:
    """The parts one after the other, each with its length (8 bytes) before it; numbers as 8 bytes, text as UTF-8."""
    out = bytearray()
    for part in parts:
        if isinstance(part, int):
            part = part.to_bytes(8, "big")
        elif isinstance(part, str):
            part = part.encode()
        out += len(part).to_bytes(8, "big") + part
    return bytes(out)


def digest(label: str, *parts: bytes | int | str) -> bytes:
    """SHA-256 over framed parts, a label first."""
    return sha256(framed(label, *parts)).digest()


def _entry_payload(table: bytes, author: bytes, counter: int, height: int, head: bytes, body: bytes) -> bytes:
    return framed(table, author, counter, height, head, body)


def sign_entry(
    identity: Identity, table: bytes, counter: int, height: int, head: bytes, body: Body
) -> Entry:
    """An entry by `identity`. The caller sees to it that a counter is never used for two bodies."""
    packed = encode(body)
    payload = _entry_payload(table, identity.public, counter, height, head, packed)
    signature = identity.sign(labels.LABEL_ENTRY, payload)
    return Entry(identity.public, counter, height, head, packed, signature)


def check_entry_untrusted(table: bytes, entry: Entry) -> None:
    """`BadProof` unless the author signed this entry for this table."""
    payload = _entry_payload(table, entry.author, entry.counter, entry.height, entry.head, entry.body)
    verify_untrusted(entry.author, labels.LABEL_ENTRY, payload, entry.signature)


def decode_entry_untrusted(data: bytes) -> Entry:
    """The entry that these bytes hold, unverified, or `Malformed`."""
    entry: Entry = convert_untrusted(unpack_untrusted(data), Entry)
    return entry


def decode_record_untrusted(data: bytes) -> Record:
    """The record that these bytes hold, unverified, or `Malformed`."""
    record: Record = convert_untrusted(unpack_untrusted(data), Record)
    return record


def terms_digest(table: bytes, game: str, options: Mapping[str, str | int], rules: Mapping[str, str | int]) -> bytes:
    """What a player agrees to by sitting down."""
    return digest(labels.LABEL_OPTIONS, table, game, _sorted(options), _sorted(rules))


def _sorted(options: Mapping[str, str | int]) -> bytes:
    return framed(*(part for name in sorted(options) for part in (name, str(options[name]))))


@dataclass
class Chain:
    """The log as far as it is known: checks and extends; holds hashes and counters, not the records.

    The first record must be the genesis entry; its author is the host that may sign term 0.
    """

    table: bytes
    host: bytes = b""
    term: int = GENESIS_TERM
    heads: list[bytes] = field(default_factory=list)  # heads[i] is the head after record i
    counters: dict[bytes, int] = field(default_factory=dict)  # of each author's last ordered entry
    entries: dict[tuple[bytes, int], bytes] = field(default_factory=dict)  # (author, counter) -> hash of the entry

    @property
    def height(self) -> int:
        """How many records the chain has; the height of the next one."""
        return len(self.heads)

    @property
    def head(self) -> bytes:
        """The newest head."""
        return self.heads[-1] if self.heads else NO_HEAD

    def head_at(self, height: int) -> bytes:
        """The head after the first `height` records; `Stale` when there are not so many."""
        if height > len(self.heads):
            raise Stale("head-unknown", {"number": height})
        return self.heads[height - 1] if height else NO_HEAD

    def payload(self, term: int, height: int, prev: bytes, entry_hash: bytes) -> bytes:
        """What the host signs, and whose hash is the head."""
        return framed(self.table, term, height, prev, entry_hash)

    def order(self, host: Identity, entry: Entry) -> Record:
        """The next record, signed by the host. Does not extend the chain: the record goes the way of all records."""
        payload = self.payload(self.term, self.height, self.head, entry.hash())
        return Record(self.term, self.height, self.head, entry, host.sign(labels.LABEL_HEAD, payload))

    def admit_untrusted(self, entry: Entry) -> None:
        """Whether a host may put `entry` next: signed, the next of its author, quoting a head of this chain.

        Raises `Stale` for one that came before or comes too early, `Forked` when its author had signed another with
        this counter, `BadProof` when the author did not sign it."""
        expected = self.counters.get(entry.author, 0) + 1
        if entry.counter != expected:
            ordered = self.entries.get((entry.author, entry.counter))
            if ordered is not None and ordered != entry.hash():
                check_entry_untrusted(self.table, entry)
                raise Forked("author-forked", {"counter": entry.counter})
            raise Stale("counter-gap", {"expected": expected, "counter": entry.counter})
        if self.head_at(entry.height) != entry.head:
            raise Stale("head-unknown", {"number": entry.height})
        check_entry_untrusted(self.table, entry)

    def extend_untrusted(self, record: Record) -> Entry:
        """Check a record's place and signatures and take it in. Raises before anything has changed; `Forked` only when
        the host signed two different records for one place."""
        if record.height > self.height:
            raise Malformed("log-order-bad", {"number": record.height, "expected": self.height})
        if record.term != self.term:
            raise Malformed("log-term-bad", {"number": record.height, "term": record.term})
        entry = record.entry
        host = self.host or entry.author
        payload = self.payload(record.term, record.height, record.prev, entry.hash())
        head = digest(labels.LABEL_HEAD_HASH, payload)
        if record.height < self.height and head == self.heads[record.height]:
            raise Malformed("log-repeated", {"number": record.height, "expected": self.height})
        verify_untrusted(host, labels.LABEL_HEAD, payload, record.signature)
        if record.height < self.height or record.prev != self.head:
            raise Forked("log-forked", {"number": record.height})
        self.admit_untrusted(entry)
        if not self.host:
            body = decode_body_untrusted(entry.body)
            if not isinstance(body, Genesis) or body.table != self.table:
                raise BadProof("genesis-missing")
            self.host = entry.author
        self.heads.append(head)
        self.counters[entry.author] = entry.counter
        self.entries[entry.author, entry.counter] = entry.hash()
        return entry


def author_forked(table: bytes, first: Entry, second: Entry) -> bool:
    """Whether these two prove that their author signed two different entries with one counter. Nobody else can be
    blamed with it: both signatures are checked."""
    if (first.author, first.counter) != (second.author, second.counter) or first.hash() == second.hash():
        return False
    try:
        check_entry_untrusted(table, first)
        check_entry_untrusted(table, second)
    except BadProof:
        return False
    return True


def host_forked(table: bytes, host: bytes, first: Record, second: Record) -> bool:
    """Whether these two prove that `host` signed two different records for one term and height."""
    if (first.term, first.height) != (second.term, second.height):
        return False
    pair = (first, second)
    payloads = [framed(table, one.term, one.height, one.prev, one.entry.hash()) for one in pair]
    try:
        for record, payload in zip(pair, payloads, strict=True):
            verify_untrusted(host, labels.LABEL_HEAD, payload, record.signature)
    except BadProof:
        return False
    return payloads[0] != payloads[1]


def table_of(record: Record) -> bytes:
    """The table id that a log's first record claims; `Malformed` when it is not a genesis record."""
    body = decode_body_untrusted(record.entry.body)
    if not isinstance(body, Genesis):
        raise Malformed("log-not-a-log")
    return body.table


def pack_record(record: Record) -> bytes:
    """A record as it stands in files and travels in frames."""
    return pack(record)
