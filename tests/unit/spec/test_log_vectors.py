"""The files in tests/vectors/log say what every peer must take or refuse; and they are what the generator makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from protocol.errors import Refused
from protocol.identity import Identity, fingerprint_words, verify_untrusted
from protocol.log import (
    Chain,
    author_forked,
    decode_entry_untrusted,
    decode_record_untrusted,
    digest,
    framed,
    host_forked,
    terms_digest,
)
from protocol.messages import SeatClaim
from protocol.table.genesis import check_claim_untrusted
from protocol.wire import decode_untrusted
from tools import make_log_vectors, vectors

FOLDER = Path(__file__).parents[2] / "vectors" / "log"
FILES = sorted(path.name for path in FOLDER.glob("*.txt"))


class Vector:
    """One file: every name with its values in order."""

    def __init__(self, text: str) -> None:
        self.lines = [tuple(line.split(": ", 1)) for line in text.splitlines() if line and not line.startswith("#")]

    def words(self, name: str) -> list[str]:
        return [value for key, value in self.lines if key == name]

    def word(self, name: str) -> str:
        (value,) = self.words(name)
        return value

    def data(self, name: str) -> bytes:
        return bytes.fromhex(self.word(name))

    def datas(self, name: str) -> list[bytes]:
        return [bytes.fromhex(value) for value in self.words(name)]

    def pairs(self, name: str) -> dict[str, str | int]:
        split = (value.split(" ", 1) for value in self.words(name))
        return {key: int(value) if value.isdigit() else value for key, value in split}


def same(made: object, expected: object) -> str:
    assert made == expected
    return "ok"


def framing(v: Vector) -> str:
    kinds: dict[str, Callable[[str], bytes | int | str]] = {"bytes": bytes.fromhex, "number": int, "text": str}
    parts = []
    for part in v.words("part"):
        kind, value = part.split(" ", 1)
        parts.append(kinds[kind](value))
    assert framed(*parts) == v.data("framed")
    return same(digest(v.word("label"), *parts), v.data("digest"))


def signature(v: Vector) -> str:
    if v.words("seed"):
        me = Identity.generate(v.data("seed"))
        assert (me.to_bytes(), me.public) == (v.data("private"), v.data("key"))
        assert me.sign(v.word("label"), v.data("payload")) == v.data("signature")
    verify_untrusted(v.data("key"), v.word("label"), v.data("payload"), v.data("signature"))
    return "ok"


def claim(v: Vector) -> str:
    check_claim_untrusted(v.data("table"), v.data("terms"), decode_untrusted(v.data("claim"), SeatClaim))
    return "ok"


def chain(v: Vector) -> str:
    made, records, heads = Chain(v.data("table")), v.datas("record"), v.datas("head")
    for number, packed in enumerate(records):
        if number < len(heads):
            made.extend_untrusted(decode_record_untrusted(packed))
            assert made.head == heads[number]
            assert made.host == v.data("host")
        else:
            assert number == len(records) - 1
            height, head = made.height, made.head
            try:
                made.extend_untrusted(decode_record_untrusted(packed))
            except Refused:
                assert (made.height, made.head) == (height, head), "a refused record changes nothing"
                raise
    return "ok"


def author_fork(v: Vector) -> str:
    first, second = map(decode_entry_untrusted, v.datas("entry"))
    return "fork" if author_forked(v.data("table"), first, second) else "no"


def host_fork(v: Vector) -> str:
    first, second = map(decode_record_untrusted, v.datas("record"))
    return "fork" if host_forked(v.data("table"), v.data("host"), first, second) else "no"


CHECKS: dict[str, Callable[[Vector], str]] = {
    "framing": framing,
    "signature": signature,
    "fingerprint": lambda v: same(fingerprint_words(v.data("head")), v.words("word")),
    "terms": lambda v: same(
        terms_digest(v.data("table"), v.word("game"), v.pairs("option"), v.pairs("rule")), v.data("terms")
    ),
    "claim": claim,
    "chain": chain,
    "author-fork": author_fork,
    "host-fork": host_fork,
}


def judged(file: Path, checks: Mapping[str, Callable[[Vector], str]]) -> tuple[str, str]:
    """What the check of a file finds, and what the file expects."""
    vector = Vector(file.read_text(encoding="utf-8"))
    try:
        found = checks[vector.word("check")](vector)
    except Refused as refused:
        found = refused.code
    return found, vector.word("expect")


@pytest.mark.parametrize("name", FILES)
def test_a_vector_gives_what_it_expects(name: str) -> None:
    found, expected = judged(FOLDER / name, CHECKS)
    assert found == expected


def test_the_generator_makes_these_files_and_no_others() -> None:
    """If this fails, the protocol changed: then `make vectors`, and say so in the changelog and in SPEC.md."""
    made = make_log_vectors.build()
    assert sorted(made) == FILES
    assert [name for name in FILES if (FOLDER / name).read_text(encoding="utf-8") != made[name]] == []


def test_every_check_has_a_file_that_must_pass() -> None:
    texts = [Vector(text) for text in make_log_vectors.build().values()]
    assert {vector.word("check") for vector in texts} == set(CHECKS)
    assert {vector.word("check") for vector in texts if vector.word("expect") in ("ok", "fork")} == set(CHECKS)


def test_make_vectors_runs_every_generator() -> None:
    assert vectors.generators() == ["make_deck_vectors", "make_lan_vectors", "make_log_vectors", "make_table_vectors"]


def test_the_generator_writes_its_files_and_removes_what_it_no_longer_makes(tmp_path: Path) -> None:
    (tmp_path / "left-over.txt").write_text("old", encoding="utf-8")
    assert make_log_vectors.main([str(tmp_path)]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == FILES
