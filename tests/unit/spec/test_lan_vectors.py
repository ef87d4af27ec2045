"""The files in tests/vectors/lan say what a seeker must take or ignore; and they are what the generator makes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from protocol.beacon import decode_packet_untrusted, encode_packet, lan_token, table_words
from tests.unit.spec.test_log_vectors import Vector, judged, same
from tools import make_lan_vectors

FOLDER = Path(__file__).parents[2] / "vectors" / "lan"
FILES = sorted(path.name for path in FOLDER.glob("*.txt"))
CHECKS: dict[str, Callable[[Vector], str]] = {
    "lan-token": lambda v: same(lan_token(v.data("token")), v.data("announced")),
    "table-words": lambda v: same(list(table_words(v.data("certificate"), "en")), v.words("word")),
    "packet": lambda v: same(encode_packet(decode_packet_untrusted(v.data("packet"))), v.data("packet")),
}


@pytest.mark.parametrize("name", FILES)
def test_a_vector_gives_what_it_expects(name: str) -> None:
    found, expected = judged(FOLDER / name, CHECKS)
    assert found == expected


def test_the_generator_makes_these_files_and_no_others() -> None:
    made = make_lan_vectors.build()
    assert sorted(made) == FILES
    assert [name for name in FILES if (FOLDER / name).read_text(encoding="utf-8") != made[name]] == []


def test_every_check_has_a_file_that_must_pass() -> None:
    texts = [Vector(text) for text in make_lan_vectors.build().values()]
    assert {vector.word("check") for vector in texts if vector.word("expect") == "ok"} == set(CHECKS)
