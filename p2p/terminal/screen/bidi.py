"""Arabic on a terminal: what is sent so that a line reads right.

Most terminals put characters from left to right as they come. They are sent *visual* text: letters in the shapes that
they have inside a word, already in the order in which they stand on the screen. A few (Konsole, kitty) do this work
themselves and are sent *logical* text, the order in which one writes; what we send them is only fenced in, so that no
column of the screen pulls its neighbour about. Which of the two a terminal is cannot be asked of it: `guess` proposes,
and a person looks at `samples` once.

How visual text is made: `arabic_reshaper` chooses the shapes, python-bidi's `get_display` orders them by Unicode's
algorithm (UAX 9: embedded directions, isolates, paired brackets). It leaves two things to us, and says nothing about
the level of a character, which both need: brackets in text that runs from right to left are mirrored (rule L4), and
combining marks come after their letter, where a terminal looks for them (rule L3). So each such character goes in as

    letter, fence, its marks, another fence

with fences that are themselves combining marks, of no effect on the order. If it comes out with the letter first, it
was laid out from left to right; if with the other fence first, from right to left.
(python-bidi's other implementation, `bidi.algorithm`, mirrors by itself but does not know isolates: it fails on them.)
"""

from __future__ import annotations

import enum
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache

from p2p.language import load, t
from p2p.terminal.console import cells, wrapped


class Bidi(enum.Enum):
    """What a terminal is sent. The values are kept in the settings."""

    VISUAL = "visual"
    """Shaped and ordered by us, for terminals that put characters as they come."""

    LOGICAL = "logical"
    """As written, for terminals that shape and order by themselves."""


class Align(enum.Enum):
    """Where a text stands in a wider field. A text that runs from right to left starts at the right."""

    START = "start"
    CENTER = "center"
    END = "end"


KEPT = 4096
"""Results that are remembered: a screen of 80 × 24 has a few hundred texts, and most stay from one drawing to the
next."""

ELLIPSIS = "…"
"""Ends a text that was cut."""

_OVERRIDE, _END_OVERRIDE, _LEFT_TO_RIGHT_MARK = "\u202d", "\u202c", "\u200e"
_LEFT_TO_RIGHT, _RIGHT_TO_LEFT, _END_ISOLATE = "\u2066", "\u2067", "\u2069"
_ISOLATES = "\u2066\u2067\u2068"
_FENCE, _OTHER_FENCE = "\u034f", "\ufe00"  # marks that are never drawn; `_one_line` leaves none of the text's own
_JOINER = "\u200d"  # confuses the reshaper's count of letters where a ligature follows


# ---- the terminal -------------------------------------------------------------------------------------------------


def opening(mode: Bidi) -> str:
    """The control sequence to send before anything is drawn: BDSM explicit (ECMA-48, 8.3), terminals that could order
    text are told not to."""
    return "\x1b[8l" if mode is Bidi.VISUAL else ""


def closing(mode: Bidi) -> str:
    """The control sequence that undoes `opening`."""
    return "\x1b[8h" if mode is Bidi.VISUAL else ""


def drawn_line(fields: str, mode: Bidi) -> str:
    """A whole line of the screen, made of fields, as it is sent: visual text inside an override, for terminals that
    order text all the same; logical text with a mark that says that the line itself begins at the left."""
    return f"{_OVERRIDE}{fields}{_END_OVERRIDE}" if mode is Bidi.VISUAL else _LEFT_TO_RIGHT_MARK + fields


def guess(environ: Mapping[str, str]) -> Bidi:
    """What the terminal with this environment most probably wants.

    Konsole, kitty and Apple's Terminal order text themselves and do not listen to `opening`. VTE (GNOME Terminal) and
    mlterm order it too but obey the override, so visual text is right in them as well, and in a tmux inside them.
    """
    ordering = (
        environ.get("KONSOLE_VERSION"),
        environ.get("KITTY_WINDOW_ID"),
        environ.get("TERM", "").startswith("xterm-kitty"),
        environ.get("TERM_PROGRAM") == "Apple_Terminal",
    )
    return Bidi.LOGICAL if any(ordering) else Bidi.VISUAL


def samples() -> tuple[tuple[Bidi, str], ...]:
    """The same Arabic sentence made for each kind of terminal, ready to be printed; exactly one of them reads right."""
    sentence = load("ar").t("bidi-sample", cards=f"{_LEFT_TO_RIGHT}10♥ J♥ Q♥{_END_ISOLATE}")
    return tuple((mode, drawn_line(_laid_out(sentence, mode, True), mode)) for mode in Bidi)


def question() -> str:
    """What to ask above `samples`."""
    return t("bidi-question")


# ---- fields and paragraphs ----------------------------------------------------------------------------------------


def width(text: str, mode: Bidi) -> int:
    """Cells that a text takes when it is drawn; shaping can join two letters (lam and alif) in one."""
    return cells(shaped(text) if mode is Bidi.VISUAL else text)


@lru_cache(KEPT)
def field(text: str, size: int, align: Align, mode: Bidi, right_to_left: bool) -> str:
    """`text` on exactly `size` cells, as it is sent: padded, or cut at the end of its last word that fits.

    `right_to_left` is the direction of the text as a whole (of the language that is shown), not of its letters. Fields
    are put side by side from left to right; inside `drawn_line` none disturbs another, whatever a peer wrote into it.
    """
    if size <= 0:
        return ""
    cut = _cut(_one_line(text), size, mode)
    left = size - width(cut, mode)
    if align is Align.CENTER:
        before = left // 2
    else:
        before = left if (align is Align.END) != right_to_left else 0
    return " " * before + _laid_out(cut, mode, right_to_left) + " " * (left - before)


def paragraph(text: str, size: int, mode: Bidi, right_to_left: bool) -> list[str]:
    """`text` folded at spaces into as many fields of `size` cells as it needs; words that are too long are cut."""
    folded = wrapped(_one_line(text), max(size, 1)).split("\n")
    return [field(line, size, Align.START, mode, right_to_left) for line in folded]


def _laid_out(text: str, mode: Bidi, right_to_left: bool) -> str:
    if mode is Bidi.VISUAL:
        return visual(text, right_to_left)
    if not right_to_left and not _needs_order(text):
        return _without_controls(text)
    # The marks serve terminals that know directions but not isolates. Padding stays outside: blanks at the end of a
    # line would otherwise be moved to the line's own end (rule L1).
    isolated = (_RIGHT_TO_LEFT if right_to_left else _LEFT_TO_RIGHT) + _closed(text) + _END_ISOLATE
    return _LEFT_TO_RIGHT_MARK + isolated + _LEFT_TO_RIGHT_MARK


def _cut(text: str, size: int, mode: Bidi) -> str:
    """The longest beginning of a logical text that fits, in whole letters with their marks."""
    if width(text, mode) <= size:
        return text
    fitting, written = "", 0
    room = size - cells(ELLIPSIS)
    # Cells grow with the text, so the first letter that does not fit decides; nothing behind it is looked at. Shaping,
    # which is slow, makes no text longer: it need not be asked while the text fits as it is written.
    for letter, marks in _letters(text):
        written += cells(letter)
        if written > room and width(fitting + letter + marks, mode) > room:
            break
        fitting += letter + marks
    return _closed(fitting.rstrip(" ")) + ELLIPSIS


def _closed(text: str) -> str:
    """With each isolate ended that was begun, and nothing else that could reach beyond the text: no end of another's
    isolate, no embedding, no override."""
    depth, kept = 0, ""
    for letter in text:
        if letter in _ISOLATES:
            depth += 1
        elif letter == _END_ISOLATE:
            if not depth:
                continue
            depth -= 1
        elif unicodedata.bidirectional(letter) in ("LRE", "RLE", "LRO", "RLO", "PDF"):
            continue
        kept += letter
    return kept + _END_ISOLATE * depth


# ---- visual order -------------------------------------------------------------------------------------------------


@lru_cache(KEPT)
def visual(text: str, right_to_left: bool) -> str:
    """One line of logical text as a terminal that does not reorder must be sent it.

    Isolates are obeyed and then gone, as are all other format and control characters. `right_to_left` is the direction
    of the line as a whole; its letters have their own.
    """
    line = _one_line(text)
    if not right_to_left and not _needs_order(line):
        return _without_controls(line)
    from bidi import get_display

    fenced = "".join(_fenced(letter, marks) for letter, marks in _letters(shaped(line)))
    ordered: str = get_display(fenced, base_dir="R" if right_to_left else "L")
    return _without_controls(_unfenced(ordered))


@lru_cache(KEPT)
def shaped(text: str) -> str:
    """Logical text with each Arabic letter in the shape that it has in its word, still in logical order."""
    if not any("\u0600" <= letter <= "\u08ff" for letter in text):
        return text
    return _reshape()(text.replace(_JOINER, ""))


@cache
def _reshape() -> Callable[[str], str]:
    from arabic_reshaper import ArabicReshaper

    # Lam and alif join in every font; other ligatures exist in few. Vowel marks say what a word is, so they stay.
    reshaper = ArabicReshaper({"delete_harakat": False, "ARABIC LIGATURE ALLAH": False})
    reshape: Callable[[str], str] = reshaper.reshape
    return reshape


def _one_line(text: str) -> str:
    """Without line ends and tabs, which would begin a paragraph of their own, and without fences."""
    blanked = (" " if unicodedata.bidirectional(letter) in ("B", "S") else letter for letter in text)
    return "".join(letter for letter in blanked if letter not in (_FENCE, _OTHER_FENCE))


def _needs_order(text: str) -> bool:
    """Whether anything in a line that runs from left to right may stand elsewhere than where it was written."""
    return any(unicodedata.bidirectional(letter) in ("R", "AL", "AN", "RLE", "RLO", "RLI") for letter in text)


def _without_controls(text: str) -> str:
    return "".join(letter for letter in text if unicodedata.category(letter) not in ("Cc", "Cf", "Zl", "Zp"))


def _letters(text: str) -> Iterator[tuple[str, str]]:
    """Each character with the marks that stand on it. On what is not drawn (an isolate) none stands."""
    start = 0
    for at in range(1, len(text) + 1):
        bare = at == len(text) or unicodedata.bidirectional(text[at]) != "NSM"
        if bare or unicodedata.category(text[start]) in ("Cc", "Cf"):
            yield text[start], text[start + 1 : at]
            start = at


def _fenced(letter: str, marks: str) -> str:
    return f"{letter}{_FENCE}{marks}{_OTHER_FENCE}" if marks or unicodedata.mirrored(letter) else letter


_FENCED = re.compile(
    f"{_OTHER_FENCE}(?P<turned>[^{_FENCE}]*){_FENCE}(?P<right>.)|(?P<left>.){_FENCE}(?P<marks>.*?){_OTHER_FENCE}|.",
    re.DOTALL,
)


def _unfenced(ordered: str) -> str:
    from bidi.mirror import MIRRORED

    def settled(found: re.Match[str]) -> str:
        right, left = found["right"], found["left"]
        if right:
            return str(MIRRORED.get(right, right)) + found["turned"][::-1]
        return left + found["marks"] if left else found[0]

    return _FENCED.sub(settled, ordered)
