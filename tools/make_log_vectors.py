"""Writes tests/vectors/log/: framing, signatures, seat claims, and logs that a peer must take or refuse.

    python -m tools.make_log_vectors [folder]

Everything comes from fixed seeds (identity seeds of 32 equal bytes), so the files are the same every time. A file is
one case: comments, `name: value` lines (bytes in hex, a name repeated for a list, numbers in decimal), and `expect:`
with `ok` or the code of the refusal. SPEC.md, section 14, says what each `check:` means; tests/unit/spec runs them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from protocol.deck import labels
from protocol.identity import Identity, fingerprint_words
from protocol.log import Chain, Entry, Record, digest, framed, pack_record, sign_entry, terms_digest
from protocol.messages import Accept, Body, Genesis, KeyCommit, SeatClaim, SitDown, encode
from protocol.table.genesis import claim_payload
from protocol.wire import pack
from tools.make_deck_vectors import Fields, Files, write

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "vectors" / "log"

TABLE = bytes.fromhex("000102030405060708090a0b0c0d0e0f")
OTHER_TABLE = bytes.fromhex("ff0102030405060708090a0b0c0d0e0f")
PEOPLE = tuple(Identity.generate(bytes([0xA0 + seat]) * 32) for seat in range(4))
NAMES = ("Amal", "أبو علي", "Celine", "Dawud")
OPTIONS: dict[str, str | int] = {"kingdoms": 1, "doubling": "off"}
RULES: dict[str, str | int] = {"turn_seconds": 60}
SMALL_KEY = bytes([1]) + bytes(31)


def claim(seat: int, terms: bytes, machine: int | None = None, table: bytes = TABLE) -> SeatClaim:
    """The claim of one of PEOPLE; a bot when it runs on another's machine."""
    me, owner = PEOPLE[seat], PEOPLE[seat if machine is None else machine]
    vouch = b"" if machine is None else owner.sign(labels.LABEL_SEAT_VOUCH, framed(table, me.public))
    bot = "" if machine is None else "steady"
    bare = SeatClaim(me.public, NAMES[seat], bot, owner.public, vouch, terms, bytes(64))
    return msgspec.structs.replace(bare, signature=me.sign(labels.LABEL_SEAT_CLAIM, claim_payload(table, bare)))


def genesis(table: bytes = TABLE) -> Genesis:
    """A table of Kasra with three people and a bot on the host's machine."""
    terms = terms_digest(table, "kasra", OPTIONS, RULES)
    seats = (*(claim(seat, terms, table=table) for seat in range(3)), claim(3, terms, machine=0, table=table))
    return Genesis(1, table, "kasra", OPTIONS, RULES, seats)


@dataclass
class Log:
    """A log in the making, ordered by the first of PEOPLE."""

    chain: Chain = field(default_factory=lambda: Chain(TABLE))
    records: list[Record] = field(default_factory=list)

    def entry(self, seat: int, body: Body, counter: int = 0, height: int = -1) -> Entry:
        """An entry of one of PEOPLE, with its next counter and the newest head unless told otherwise."""
        chain, author = self.chain, PEOPLE[seat]
        at = chain.height if height < 0 else height
        number = counter or chain.counters.get(author.public, 0) + 1
        return sign_entry(author, TABLE, number, at, chain.head_at(at), body)

    def order(self, entry: Entry) -> Record:
        """The entry in its place, without going on."""
        return self.chain.order(PEOPLE[0], entry)

    def add(self, seat: int, body: Body) -> Record:
        """An entry in its place, and go on."""
        record = self.order(self.entry(seat, body))
        self.chain.extend_untrusted(record)
        self.records.append(record)
        return record


def begun() -> Log:
    """Genesis, and two entries of others."""
    log = Log()
    log.add(0, genesis())
    log.add(1, KeyCommit(1, bytes([7]) * 32))
    log.add(2, KeyCommit(1, bytes([8]) * 32))
    return log


def build() -> dict[str, str]:
    """File name → text, for all vectors."""
    files = Files()
    for part in (_framing, _claims, _chains, _entries, _forks):
        part(files)
    return files.texts


def _framing(files: Files) -> None:
    parts: list[bytes | int | str] = [b"\x01\x02", b"", 0, 2**63, "", "أبو"]
    kinds = {bytes: "bytes", int: "number", str: "text"}
    shown = [f"{kinds[type(part)]} {part.hex() if isinstance(part, bytes) else part}" for part in parts]
    files.case("framing", "framing", "Parts with their lengths, and the digest of them under a label.", [
        *(("part", text) for text in shown), ("framed", framed(*parts)),
        ("label", labels.LABEL_ENTRY_HASH), ("digest", digest(labels.LABEL_ENTRY_HASH, *parts)),
    ])  # fmt: skip
    me, payload = PEOPLE[0], b"a payload"
    good: Fields = [("label", labels.LABEL_ENTRY), ("payload", payload), ("key", me.public)]
    signature = me.sign(labels.LABEL_ENTRY, payload)
    seeds: Fields = [("seed", bytes([0xA0]) * 32), ("private", me.to_bytes())]
    files.case("signature-ok", "signature", "A signature under a label, by the identity of a seed.",
               [*seeds, *good, ("signature", signature)])  # fmt: skip
    other: Fields = [("label", labels.LABEL_HEAD), ("payload", payload), ("key", me.public)]
    files.case("signature-other-label", "signature", "The same under another label.",
               [*other, ("signature", signature)], "bad-signature")  # fmt: skip
    order = 2**252 + 27742317777372353535851937790883648493
    great = (int.from_bytes(signature[32:], "little") + order).to_bytes(32, "little")
    files.case("signature-great-scalar", "signature", "S plus the order of the group: the same equation, refused.",
               [*good, ("signature", signature[:32] + great)], "bad-signature")  # fmt: skip
    small: Fields = [("label", labels.LABEL_ENTRY), ("payload", payload), ("key", SMALL_KEY)]
    files.case("signature-small-key", "signature", "A key of small order, which would fit any payload.",
               [*small, ("signature", SMALL_KEY + bytes(32))], "bad-signature")  # fmt: skip
    head = bytes(range(32))
    files.case("fingerprint", "fingerprint", "A head as six words to read aloud.",
               [("head", head), *(("word", word) for word in fingerprint_words(head))])  # fmt: skip


def _claims(files: Files) -> None:
    terms = terms_digest(TABLE, "kasra", OPTIONS, RULES)
    place: Fields = [("table", TABLE), ("game", "kasra")]
    place += [("option", f"{name} {value}") for name, value in OPTIONS.items()]
    place += [("rule", f"{name} {value}") for name, value in RULES.items()]
    files.case("terms", "terms", "What a player agrees to; options are sorted by name.", [*place, ("terms", terms)])
    good, bot = claim(1, terms), claim(3, terms, machine=0)
    unvouched = msgspec.structs.replace(bot, vouch=PEOPLE[1].sign(labels.LABEL_SEAT_VOUCH, framed(TABLE, bot.key)))
    for name, about, one, expect in (
        ("ok", "Somebody sits down.", good, "ok"),
        ("bot", "A bot sits down, vouched for by the peer on whose machine it runs.", bot, "ok"),
        ("other-name", "The name changed after signing.", msgspec.structs.replace(good, name="Amal"), "bad-signature"),
        ("other-terms", "Signed for other options.", claim(1, terms_digest(TABLE, "kasra", {}, RULES)), "terms-differ"),
        ("unvouched", "A bot on a machine that did not sign for it.", _resigned(3, unvouched), "bad-signature"),
    ):
        files.case(f"claim-{name}", "claim", about,
                   [("table", TABLE), ("terms", terms), ("claim", encode(one))], expect)  # fmt: skip


def _resigned(seat: int, one: SeatClaim) -> SeatClaim:
    return msgspec.structs.replace(one, signature=PEOPLE[seat].sign(labels.LABEL_SEAT_CLAIM, claim_payload(TABLE, one)))


def _chain(
    files: Files, name: str, about: str, log: Log, last: Record | bytes | None = None, expect: str = "ok"
) -> None:
    fields: Fields = [("table", TABLE), ("host", PEOPLE[0].public)]
    for record, head in zip(log.records, log.chain.heads, strict=True):
        fields += [("record", pack_record(record)), ("head", head)]
    if last is not None:
        fields.append(("record", last if isinstance(last, bytes) else pack_record(last)))
    files.case(f"chain-{name}", "chain", about, fields, expect)


def _chains(files: Files) -> None:
    log = begun()
    _chain(files, "ok", "A genesis and two entries.", log)
    first = Log()
    _chain(files, "no-genesis", "A log that begins with something else.", first,
           first.order(first.entry(0, SitDown())), "genesis-missing")  # fmt: skip
    _chain(files, "other-table", "A genesis for another table, signed for this one.", first,
           first.order(first.entry(0, genesis(OTHER_TABLE))), "genesis-missing")  # fmt: skip
    body = Accept(1)
    good = log.order(log.entry(1, body))
    replace = msgspec.structs.replace
    _chain(files, "host-signature", "A record signed by a guest instead of the host.", log,
           log.chain.order(PEOPLE[1], good.entry), "bad-signature")  # fmt: skip
    _chain(files, "gap", "A record too far ahead.", log, _signed(log, height=5), "log-order-bad")
    _chain(files, "term", "Another term.", log, _signed(log, term=1), "log-term-bad")
    _chain(files, "repeated", "A record that was there already: ignored.", log, log.records[1], "log-repeated")
    _chain(files, "previous", "The host signed another previous head: evidence against the host.", log,
           _signed(log, prev=bytes(32)), "log-forked")  # fmt: skip
    _chain(files, "previous-unsigned", "The same, but not signed by the host: evidence against nobody.", log,
           replace(good, prev=bytes(32)), "bad-signature")  # fmt: skip
    again = replace(log.records[1], entry=log.entry(2, body, counter=1, height=1))
    _chain(files, "two-for-one-place", "Another record for height 1, signed by the host: evidence.", log,
           _signed(log, height=1, prev=again.prev, entry=again.entry), "log-forked")  # fmt: skip
    unknown = msgspec.msgpack.encode({**msgspec.to_builtins(good, builtin_types=(bytes,)), "note": 1})
    _chain(files, "unknown-field", "A record with a field more.", log, unknown, "message-misfit")


def _signed(
    log: Log, term: int = 0, height: int = -1, prev: bytes | None = None, entry: Entry | None = None
) -> Record:
    """A record for any place, well signed by the host."""
    chain, one = log.chain, entry or log.entry(1, Accept(1))
    at, before = chain.height if height < 0 else height, chain.head if prev is None else prev
    signature = PEOPLE[0].sign(labels.LABEL_HEAD, chain.payload(term, at, before, one.hash()))
    return Record(term, at, before, one, signature)


def _entries(files: Files) -> None:
    log, body = begun(), Accept(1)
    replace = msgspec.structs.replace
    _chain(files, "entry-gap", "An entry whose author left a counter out.", log,
           log.order(log.entry(1, body, counter=3)), "counter-gap")  # fmt: skip
    _chain(files, "entry-again", "An entry that is in the log already.", log,
           log.order(log.records[1].entry), "counter-gap")  # fmt: skip
    _chain(files, "entry-second", "Another entry with a counter that its author has used: evidence.", log,
           log.order(log.entry(1, body, counter=1)), "author-forked")  # fmt: skip
    _chain(files, "entry-future", "An entry that quotes a head that is still to come.", log,
           log.order(sign_entry(PEOPLE[1], TABLE, 2, 9, bytes(32), body)), "head-unknown")  # fmt: skip
    _chain(files, "entry-other-log", "An entry that quotes the head of another log.", log,
           log.order(sign_entry(PEOPLE[1], TABLE, 2, 2, bytes([1]) * 32, body)), "head-unknown")  # fmt: skip
    good = log.entry(1, body)
    _chain(files, "entry-other-table", "An entry signed for another table.", log,
           log.order(sign_entry(PEOPLE[1], OTHER_TABLE, 2, good.height, good.head, body)),
           "bad-signature")  # fmt: skip
    _chain(files, "entry-changed", "One byte of a body changed.", log,
           log.order(replace(good, body=encode(Accept(2)))), "bad-signature")  # fmt: skip
    _chain(files, "entry-old-head", "An entry that quotes an older head is good.", log,
           log.order(log.entry(1, body, height=1)))  # fmt: skip
    stranger = Identity.generate(bytes([0xEE]) * 32)
    _chain(files, "entry-no-seat", "An entry of somebody without a seat fits into the chain, and means nothing.", log,
           log.order(sign_entry(stranger, TABLE, 1, log.chain.height, log.chain.head, SitDown())))  # fmt: skip
    _chain(files, "entry-no-message", "A signed body that is no message fits into the chain: it convicts its author.",
           log, log.order(_raw(log, 1, b"\x81\xa1k\xa3boo")))  # fmt: skip


def _raw(log: Log, seat: int, body: bytes) -> Entry:
    chain, author = log.chain, PEOPLE[seat]
    counter = chain.counters.get(author.public, 0) + 1
    payload = framed(TABLE, author.public, counter, chain.height, chain.head, body)
    return Entry(author.public, counter, chain.height, chain.head, body, author.sign(labels.LABEL_ENTRY, payload))


def _forks(files: Files) -> None:
    log = begun()
    one, other = log.entry(1, Accept(1)), log.entry(1, Accept(2))
    place: Fields = [("table", TABLE)]
    forged = msgspec.structs.replace(other, signature=one.signature)
    for name, about, second, expect in (
        ("author", "One author, one counter, two entries.", other, "fork"),
        ("author-same", "The same entry twice.", one, "no"),
        ("author-forged", "The second was not signed by the author.", forged, "no"),
        ("author-next", "Two counters.", log.entry(1, Accept(2), counter=3), "no"),
    ):
        files.case(f"fork-{name}", "author-fork", about,
                   [*place, ("entry", pack(one)), ("entry", pack(second))], expect)  # fmt: skip
    first, place = _signed(log, entry=one), [*place, ("host", PEOPLE[0].public)]
    for name, about, second_record, expect in (
        ("host", "One height, two records, both signed by the host.", _signed(log, entry=other), "fork"),
        ("host-same", "The same record twice.", first, "no"),
        ("host-forged", "The second is signed by a guest.", log.chain.order(PEOPLE[1], other), "no"),
        ("host-next", "Two heights.", _signed(log, height=4, entry=other), "no"),
    ):
        records: Fields = [("record", pack_record(first)), ("record", pack_record(second_record))]
        files.case(f"fork-{name}", "host-fork", about, [*place, *records], expect)


def main(arguments: list[str] | None = None) -> int:
    """Write tests/vectors/log, or the folder that is named."""
    return write(build, FOLDER, arguments)


if __name__ == "__main__":
    raise SystemExit(main())
