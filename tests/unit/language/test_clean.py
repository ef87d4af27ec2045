"""Text of peers cannot repaint, reverse, hide or tower."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.language import clean_text
from p2p.language.clean import MARKS_IN_A_ROW


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Amal", "Amal"),
        ("أبو علي", "أبو علي"),
        ("مُحَمَّد", "مُحَمَّد"),
        ("a\x1b[2Jb\x07\x9b31m", "a[2Jb31m"),
        ("two\r\nlines\tand\u2028more\u2029", "two lines and more"),
        ("\u202egnp.exe\u202c \u2066x\u2069\u200e\u200f\u061c", "gnp.exe x"),
        ("A\u200bm\u200dal\ufeff\u00ad", "Amal"),
        ("♥\ufe0f A\U000e0101", "♥ A"),
        ("e\u0301", "é"),
        ("\u0301abc", "abc"),
        ("a \u0301b", "a b"),
        ("x" + "\u0335" * 100 + "y", "x" + "\u0335" * MARKS_IN_A_ROW + "y"),
        ("a\u20dd", "a"),
        ("\u3164\u2800\u115f", ""),
        ("\ue000\ud800\U0010ffff", ""),
        ("   ", ""),
        ("", ""),
    ],
)
def test_what_is_left(text: str, expected: str) -> None:
    assert clean_text(text, 40) == expected


def test_a_long_text_is_cut_and_a_huge_one_costs_little() -> None:
    assert clean_text("ab" * 100, 5) == "ababa"
    assert len(clean_text("a" + "\u0316\u0301" * 3_000_000, 10)) <= 1 + MARKS_IN_A_ROW


@given(st.text(alphabet=st.characters(), max_size=60), st.integers(0, 40))
def test_clean_text_is_bounded_normal_one_line_and_stays_so(text: str, limit: int) -> None:
    cleaned = clean_text(text, limit)
    assert len(cleaned) <= limit
    assert unicodedata.is_normalized("NFC", cleaned)
    assert clean_text(cleaned, limit) == cleaned
    deceiving = {"Cc", "Cf", "Cs", "Co", "Cn", "Me", "Zl", "Zp"}
    assert not any(unicodedata.category(character) in deceiving for character in cleaned)
