"""Text that a peer wrote, made safe to show.

A name or a chat line can hold escape sequences that repaint a terminal, direction overrides that make a sentence read
backwards, invisible characters that make two names look the same, and towers of combining marks. `clean_text` leaves
none of these; what remains is words, in any script, on one line.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

MARKS_IN_A_ROW = 4
"""Combining marks kept after one letter: fully vowelled Arabic needs two or three, no living script more than four."""

# What is never shown: controls (Cc); format characters, among them every direction mark, override and isolate, the
# joiners and the tag characters (Cf); surrogates, private use, and what this Unicode does not know (Cs, Co, Cn);
# marks that enclose others (Me).
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Me"})

# Letters, marks and symbols that are drawn as nothing: grapheme joiner, Hangul fillers, Khmer inherent vowels,
# Mongolian and other variation selectors (they also change how wide a symbol is), the empty Braille pattern.
_INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, range(0xFE00, 0xFE10)))
    + "".join(map(chr, range(0xE0100, 0xE01F0)))
)

# Normalising takes time that grows with the square of a run of marks, so no more than this is looked at.
_LOOKED_AT_FOR_EACH_SHOWN = 8


def clean_text(text: str, limit: int) -> str:
    """`text` on one line, in NFC, at most `limit` characters long, with nothing in it that could deceive or repaint.

    The result may be empty. Cleaning twice changes nothing more.
    """
    seen = text[: limit * _LOOKED_AT_FOR_EACH_SHOWN]
    words = " ".join("".join(_bound_marks(_shown(seen))).split())
    normal = "".join(_bound_marks(unicodedata.normalize("NFC", words)))
    return normal[:limit].strip()


def _shown(text: str) -> Iterator[str]:
    for character in text:
        if character.isspace():
            yield " "
        elif unicodedata.category(character) not in _HIDDEN_CATEGORIES and character not in _INVISIBLE:
            yield character


def _bound_marks(text: Iterable[str]) -> Iterator[str]:
    """Without marks that stand on nothing, and with at most `MARKS_IN_A_ROW` on one letter."""
    row = MARKS_IN_A_ROW  # so that a mark at the very beginning, which would stand on what we print, is dropped
    for character in text:
        if unicodedata.category(character) in ("Mn", "Mc"):
            row += 1
            if row > MARKS_IN_A_ROW:
                continue
        else:
            row = MARKS_IN_A_ROW if character == " " else 0
        yield character
