"""Words for reading aloud: two lists of 256, alike in length, each word once in every spelling."""

from __future__ import annotations

import unicodedata

import pytest

from protocol.errors import Misuse
from protocol.identity import fingerprint_words
from protocol.words import WORDS


def as_typed(word: str) -> str:
    """As most people type Arabic: forms of alef, hamza, ya and ta marbuta alike."""
    return word.translate(str.maketrans("أإآؤئىة", "اااوييه"))


@pytest.mark.parametrize("language", ["en", "ar"])
def test_a_list_has_256_distinct_words(language: str) -> None:
    words = WORDS[language]
    assert len(words) == 256
    assert len({as_typed(word) for word in words}) == 256


def test_english_words_are_short_and_plain() -> None:
    assert all(word.isascii() and word.islower() and 2 < len(word) <= 8 for word in WORDS["en"])
    assert list(WORDS["en"]) == sorted(WORDS["en"])


def test_arabic_words_are_short_and_without_vowel_signs() -> None:
    for word in WORDS["ar"]:
        assert 2 <= len(word) <= 7
        assert all("ARABIC LETTER" in unicodedata.name(letter) for letter in word)


def test_a_fingerprint_reads_alike_in_both_languages() -> None:
    english, arabic = fingerprint_words(b"digest"), fingerprint_words(b"digest", language="ar")
    assert [WORDS["en"].index(word) for word in english] == [WORDS["ar"].index(word) for word in arabic]
    assert len(english) == 6
    assert fingerprint_words(b"digest", 8)[:6] == english
    assert fingerprint_words(b"digesu") != english


def test_a_fingerprint_never_changes() -> None:
    assert fingerprint_words(bytes(32)) == ["potato", "guitar", "ink", "star", "dance", "gold"]


@pytest.mark.parametrize("count", [0, 33])
def test_a_fingerprint_has_a_sensible_length(count: int) -> None:
    with pytest.raises(Misuse):
        fingerprint_words(b"", count)
