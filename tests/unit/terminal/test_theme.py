"""Styles can be told apart, with colours and without; suits are one cell each."""

from __future__ import annotations

import pytest
from prompt_toolkit.styles import Style
from wcwidth import wcswidth

from p2p.language.cards import SUIT_SYMBOLS, card_short
from p2p.terminal.screen.theme import SUIT_LOOKS, Look, has_colour, needs_letters, rules, sign, style, suits_shown


@pytest.mark.parametrize("colour", [True, False])
@pytest.mark.parametrize("letters", [True, False])
def test_no_two_styles_look_the_same(colour: bool, letters: bool) -> None:
    """Suits differ by their symbols; what they share with other styles does not matter, for only cards have them."""
    drawn = dict(rules(colour))
    others = [look for look in Look if look not in SUIT_LOOKS.values()]
    assert len({(drawn[look.value], sign(look, letters)) for look in others}) == len(others)


def test_every_look_has_a_style_that_prompt_toolkit_understands() -> None:
    for colour in (True, False):
        drawn = Style(rules(colour))
        assert [name for name, _ in drawn.style_rules] == [look.value for look in Look]


def test_without_colour_there_are_only_bold_underline_and_reverse() -> None:
    words = {word for _, drawn in rules(colour=False) for word in drawn.split()}
    assert words <= {"bold", "nobold", "underline", "reverse"}


def test_colours_are_those_that_read_on_dark_and_light() -> None:
    drawn = dict(rules(colour=True))
    assert [drawn[SUIT_LOOKS[suit].value] for suit in "SHDC"] == ["bold", "ansibrightred", "ansicyan", "ansigreen"]
    words = {word for style_ in drawn.values() for word in style_.split()}
    assert not words & {"ansiblack", "ansiwhite", "ansigray", "ansibrightblack", "ansiblue", "ansibrightyellow"}
    assert not any(word.startswith("bg:") for word in words)


def test_looks_are_put_together() -> None:
    both = Style(rules(colour=True)).get_attrs_for_style_str(style(Look.SPADE, Look.BARRED))
    assert (both.bold, both.dim) == (False, True)
    assert Style(rules(colour=True)).get_attrs_for_style_str(style(Look.HEART, Look.CHOSEN)).color == "ansibrightred"


def test_signs_take_one_cell_and_ascii_ones_are_ascii() -> None:
    for look in Look:
        assert wcswidth(sign(look)) == len(sign(look)) <= 1
        assert sign(look, letters=True).isascii()
        assert bool(sign(look)) == bool(sign(look, letters=True))


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"TERM": "xterm-256color"}, True),
        ({"TERM": "xterm", "NO_COLOR": ""}, True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False),
        ({"TERM": "dumb"}, False),
        ({"TERM": "vt220"}, False),
        ({"TERM": "xterm-mono"}, False),
        ({}, True),
    ],
)
def test_colours_are_left_out_where_they_are_not_wanted(environ: dict[str, str], expected: bool) -> None:
    assert has_colour(environ) is expected


def test_suits_are_symbols_or_letters_never_pictures() -> None:
    hand = " ".join(card_short("T" + suit) for suit in "SHDC")
    assert suits_shown(hand, letters=False) == "10♠ 10♥ 10♦ 10♣"
    assert suits_shown(hand, letters=True) == "10S 10H 10D 10C"
    assert "\ufe0f" not in "".join(SUIT_SYMBOLS.values())
    assert [needs_letters(encoding) for encoding in ("utf-8", "cp437", "cp1256", "ascii", "none-such")] == [
        False,
        True,
        True,
        True,
        True,
    ]
