"""Visual order: hand-written lines, the cases of Unicode's algorithm, and what holds for any text."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth

from p2p.language import clean_text, load
from p2p.language.cards import isolate
from p2p.terminal.console import cells
from p2p.terminal.screen.bidi import (
    Align,
    Bidi,
    closing,
    drawn_line,
    field,
    guess,
    opening,
    paragraph,
    samples,
    shaped,
    visual,
    width,
)

LRI, RLI, FSI, PDI = "\u2066", "\u2067", "\u2068", "\u2069"
ISOLATES = LRI + RLI + FSI + PDI
FROM_THE_RIGHT = True

# Shapes, named as Unicode names them; a word is written here from its last letter to its first, as it is drawn.
KING = "\ufea6\ufef4\ufeb7"  # شيخ: khah final, yeh medial, sheen initial
ACE = "\ufeb1\ufe81"  # آس: seen isolated, alef with madda isolated
PEACE = "\ufee1\ufefc\ufeb3"  # سلام: meem isolated, lam-alef final, seen initial
ALI = "\ufef2\ufee0\ufecb"  # علي
THEN = "\ufee2\ufe9b"  # ثم
SAID = "\ufedd\ufe8e\ufed7"  # قال


@pytest.mark.parametrize(
    ("logical", "right_to_left", "drawn"),
    [
        # one word, from both sides
        ("شيخ", True, KING),
        ("شيخ", False, KING),
        ("سلام", True, PEACE),
        # cards keep their order whatever stands around them
        (f"شيخ {LRI}10 J Q K A{PDI} آس", True, f"{ACE} 10 J Q K A {KING}"),
        (f"شيخ {LRI}10♥ J♥ Q♥{PDI}", True, f"10♥ J♥ Q♥ {KING}"),
        (f"{LRI}10 J Q K A{PDI}", True, "10 J Q K A"),
        (f"{LRI}١٠ J Q{PDI} ثم", True, f"{THEN} ١٠ J Q"),
        # without isolates numbers and symbols turn, which is why there are isolates
        ("شيخ 10♥ 3♠", True, f"♠3 ♥10 {KING}"),
        # names stay whole: the number of «علي 2» does not run to the card beside it
        (f"{FSI}علي 2{PDI} {LRI}10♥{PDI}", True, f"10♥ 2 {ALI}"),
        (f"{FSI}Ali (2){PDI} قال", True, f"{SAID} Ali (2)"),
        (f"{FSI}علي{PDI}: hello 12", False, f"{ALI}: hello 12"),
        # brackets are mirrored where text runs from right to left, also round other directions (rule N0)
        ("(سلام)", True, f"({PEACE})"),
        ("سلام (3)", True, f"(3) {PEACE}"),
        ("قال Ali (Bot 2) ثم", True, f"{THEN} Ali (Bot 2) {SAID}"),
        ("a (سلام) b", False, f"a ({PEACE}) b"),
        ("[شيخ] <آس>", True, f"<{ACE}> [{KING}]"),
        # isolates inside isolates
        (f"x {LRI}a {RLI}علي b{PDI} c{PDI} y", False, f"x a b {ALI} c y"),
        # an isolate that nobody ends, an end that nobody began
        (f"آس {LRI}J Q", True, f"J Q {ACE}"),
        (f"آس{PDI} J", True, f"J {ACE}"),
        # numbers: signs and separators stay with them
        ("شيخ 1,5", True, f"1,5 {KING}"),
        # marks follow their letter
        ("بَ", True, "\ufe8f\u064e"),
        ("e\u0301 بَّ", False, "e\u0301 \ufe8f\u064e\u0651"),
        # nothing to do
        ("K♥ 10♦ (7)", False, "K♥ 10♦ (7)"),
        ("", True, ""),
    ],
)
def test_a_line_is_drawn_as_it_is_read(logical: str, right_to_left: bool, drawn: str) -> None:
    assert visual(logical, right_to_left) == drawn


@pytest.mark.parametrize("text", ["a\u202eb", "a\tb", "a\nb", "\x1b[2J", "x\u2028y", "\u034fa\ufe0f"])
def test_controls_and_line_ends_never_come_out(text: str) -> None:
    for right_to_left in (False, True):
        drawn = visual(text, right_to_left)
        assert all(unicodedata.category(letter)[0] != "C" for letter in drawn)


ALPHABET = "abc XYZ 0123 ٣٤٥ ابتلأعهةي ()[]<> ♠♥♦♣ .,:-+/% \u0301\u064e\u0651 אב"
TEXTS = st.text(ALPHABET + ISOLATES, max_size=40)


def letters_of(text: str) -> list[str]:
    """The letters without direction marks; a bracket counts as its mirror image."""
    return sorted(
        {"(": ")", "[": "]", "<": ">"}.get(letter, letter)
        for letter in text
        if unicodedata.category(letter) not in ("Cf", "Cc")
    )


@given(TEXTS, st.booleans())
def test_the_letters_are_those_that_were_shaped(text: str, right_to_left: bool) -> None:
    assert letters_of(visual(text, right_to_left)) == letters_of(shaped(text))


@given(TEXTS, st.booleans())
def test_a_drawn_line_is_as_wide_as_its_shapes(text: str, right_to_left: bool) -> None:
    drawn = visual(text, right_to_left)
    assert cells(drawn) == cells(shaped(text)) == wcswidth(drawn)


@given(st.text("abc XYZ 0123 ()[]<> ♠♥♦♣ .,:-+/%\u0301é漢"))
def test_text_without_arabic_is_left_alone(text: str) -> None:
    assert visual(text, False) == text


@given(st.text("abc XYZ 019"))
def test_a_name_in_isolates_stays_as_it_is_in_an_arabic_line(name: str) -> None:
    assert name in visual(f"قال {LRI}({name}){PDI} ثم", FROM_THE_RIGHT)


@given(st.text(max_size=60), st.booleans())
def test_no_text_of_a_peer_breaks_it(text: str, right_to_left: bool) -> None:
    visual(isolate(clean_text(text, 40)), right_to_left)
    visual(text, right_to_left)


# Fields ------------------------------------------------------------------------------------------------------------


@given(TEXTS, st.integers(0, 12), st.sampled_from(Align), st.sampled_from(Bidi), st.booleans())
def test_a_field_takes_its_cells_and_no_more(
    text: str, size: int, align: Align, mode: Bidi, right_to_left: bool
) -> None:
    drawn = field(text, size, align, mode, right_to_left)
    assert cells(drawn) == size
    opened = sum(drawn.count(letter) for letter in (LRI, RLI, FSI))
    assert mode is Bidi.LOGICAL or not opened


@pytest.mark.parametrize(
    ("text", "size", "align", "right_to_left", "drawn"),
    [
        ("ab", 5, Align.START, False, "ab   "),
        ("ab", 5, Align.END, False, "   ab"),
        ("ab", 5, Align.CENTER, False, " ab  "),
        ("شيخ", 5, Align.START, True, f"  {KING}"),
        ("شيخ", 5, Align.END, True, f"{KING}  "),
        ("abcdef", 4, Align.START, False, "abc…"),
        ("ab cdef", 4, Align.START, False, "ab… "),
        ("شيخ آس", 5, Align.START, True, f" …{KING}"),
        ("سلام", 3, Align.START, True, PEACE),  # four letters on three cells
        ("e\u0301e\u0301e\u0301", 2, Align.START, False, "e\u0301…"),
        ("漢字", 3, Align.START, False, "漢…"),
        ("漢字", 2, Align.START, False, "… "),
        (f"{LRI}10 J Q K A{PDI}", 6, Align.START, True, " …10 J"),
        ("abc", 1, Align.START, False, "…"),
        ("abc", 0, Align.START, False, ""),
    ],
)
def test_a_field_is_padded_and_cut(text: str, size: int, align: Align, right_to_left: bool, drawn: str) -> None:
    assert field(text, size, align, Bidi.VISUAL, right_to_left) == drawn


def test_a_logical_field_fences_its_text_in_and_pads_outside() -> None:
    assert field("شيخ", 5, Align.START, Bidi.LOGICAL, True) == f"  \u200e{RLI}شيخ{PDI}\u200e"
    assert field("شيخ", 5, Align.START, Bidi.LOGICAL, False) == f"\u200e{LRI}شيخ{PDI}\u200e  "
    assert field("abc", 5, Align.START, Bidi.LOGICAL, False) == "abc  "
    assert field(f"{FSI}abcdef{PDI}", 4, Align.START, Bidi.LOGICAL, True) == f"\u200e{RLI}{FSI}abc{PDI}…{PDI}\u200e"


@given(st.lists(TEXTS, min_size=2, max_size=4), st.booleans())
def test_logical_columns_stay_where_they_are_in_a_terminal_that_orders_lines(
    texts: list[str], right_to_left: bool
) -> None:
    """A terminal that knows isolates draws each column as it would alone, in the cells that it was given."""
    from bidi import get_display

    def on_the_terminal(line: str) -> str:
        ordered = get_display(line.replace("(", "o").replace(")", "o"), base_dir="L")
        return "".join(letter for letter in ordered if unicodedata.category(letter) != "Cf")

    columns = [field(text, 12, Align.START, Bidi.LOGICAL, right_to_left) for text in texts]
    together = on_the_terminal(drawn_line("|".join(columns), Bidi.LOGICAL))
    assert together == "|".join(map(on_the_terminal, columns))


def test_a_paragraph_is_folded_at_spaces() -> None:
    assert paragraph("one two three", 8, Bidi.VISUAL, False) == ["one two ", "three   "]
    assert [line.strip() for line in paragraph("شيخ آس", 4, Bidi.VISUAL, True)] == [KING, ACE]


# Terminals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"TERM": "xterm-256color"}, Bidi.VISUAL),
        ({"TERM": "xterm-256color", "KONSOLE_VERSION": "230804"}, Bidi.LOGICAL),
        ({"TERM": "xterm-kitty"}, Bidi.LOGICAL),
        ({"TERM": "tmux-256color", "KITTY_WINDOW_ID": "1"}, Bidi.LOGICAL),
        ({"TERM": "xterm-256color", "VTE_VERSION": "7600"}, Bidi.VISUAL),
        ({"TERM": "mlterm", "MLTERM": "3.9.3"}, Bidi.VISUAL),
        ({"TERM_PROGRAM": "Apple_Terminal"}, Bidi.LOGICAL),
        ({}, Bidi.VISUAL),
    ],
)
def test_the_first_proposal_comes_from_the_environment(environ: dict[str, str], expected: Bidi) -> None:
    assert guess(environ) is expected


def test_only_visual_text_takes_the_order_out_of_the_terminals_hands() -> None:
    assert (opening(Bidi.VISUAL), closing(Bidi.VISUAL)) == ("\x1b[8l", "\x1b[8h")
    assert (opening(Bidi.LOGICAL), closing(Bidi.LOGICAL)) == ("", "")
    assert drawn_line("ab", Bidi.VISUAL) == "\u202dab\u202c"
    assert drawn_line("ab", Bidi.LOGICAL) == "\u200eab"


def test_the_samples_are_one_sentence_made_in_two_ways() -> None:
    (first, drawn), (second, written) = samples()
    assert (first, second) == (Bidi.VISUAL, Bidi.LOGICAL)
    sentence = load("ar").t("bidi-sample", cards=f"{LRI}10♥ J♥ Q♥{PDI}")
    assert sentence in written
    assert visual(sentence, True) in drawn
    assert "10♥ J♥ Q♥" in drawn


def test_a_cut_lam_alif_is_measured_as_it_is_drawn() -> None:
    assert width("لا", Bidi.VISUAL) == 1
    assert width("لا", Bidi.LOGICAL) == 2
