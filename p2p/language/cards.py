"""What cards and seats are called, from their notation (``KH`` is the king of hearts, ``TD`` the ten of diamonds)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from p2p.language import clean_text, current, digits, own_digits, t
from protocol.words import WORDS

SUIT_SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
"""One terminal cell each. Never followed by a variation selector, which would make some terminals draw two."""

HIDDEN = "??"
"""Notation of a card that the reader may not see."""

NAME_LENGTH = 24
"""Characters shown of a player's name: two names and a verb fit a line of 80 cells."""

# First strong isolate, left-to-right isolate, and the end of both: what stands between does not reorder what stands
# around it.
_ISOLATE, _LEFT_TO_RIGHT, _END_ISOLATE = "\u2068", "\u2066", "\u2069"

# Symbols between two numbers in Arabic digits would take the direction of Arabic; this mark behind each keeps a row of
# cards from left to right.
_LEFT_TO_RIGHT_MARK = "\u200e"

_FIGURES = re.compile("[٠-٩]+")


def card_short(card: str) -> str:
    """``TH`` -> 10♥. The same in every language, but for the digits (`set_digits`); a hidden card stays ``??``."""
    if card == HIDDEN:
        return HIDDEN
    rank, suit = card[0], card[1]
    shown = ("10" if rank == "T" else rank) + SUIT_SYMBOLS[suit]
    return digits(shown) + _LEFT_TO_RIGHT_MARK if own_digits() else shown


def cards_short(cards: Iterable[str]) -> str:
    """Several cards as symbols, a space between two."""
    return " ".join(map(card_short, cards))


def card_name(card: str) -> str:
    """``KH`` -> king of hearts, شيخ الكبة: for screen readers and sentences."""
    if card == HIDDEN:
        return t("card-hidden")
    return t("card-name", rank=t(f"rank-{card[0]}"), suit=t(f"suit-{card[1]}-of"))


def game_name(game: str) -> str:
    """``three_five_eight`` -> 3-5-8, ٣-٥-٨."""
    return t(f"game-{game}")


def contract_name(contract: str) -> str:
    """A game of Kasra's kingdoms: ``complex`` -> Complex, كمبلكس."""
    return t(f"contract-{contract}")


def seat_name(seat: int, name: str = "") -> str:
    """The player's own name, cleaned; without one, the seat's number."""
    shown = clean_text(name, NAME_LENGTH)
    return shown or t("seat-unnamed", seat=seat)


def figures(text: str) -> str:
    """A line of a table or a picture with its numbers in the digits that are shown now, each staying in its place."""
    return _FIGURES.sub(lambda found: found[0] + _LEFT_TO_RIGHT_MARK, digits(text)) if own_digits() else text


def isolate(text: str) -> str:
    """`text` between Unicode isolates: its direction and its neighbours' do not disturb each other.

    For logical text that something else lays out (files, terminals that do bidi). A screen that reorders by itself
    does not need it.
    """
    return f"{_ISOLATE}{text}{_END_ISOLATE}"


def whole(text: str) -> str:
    """A name as it stands in a sentence: isolated where it or the sentence runs from right to left."""
    mixed = current().right_to_left or any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text)
    return isolate(text) if mixed else text


def left_to_right(text: str) -> str:
    """Cards or numbers as they stand in a sentence: from left to right also in an Arabic one (trap E-15)."""
    return f"{_LEFT_TO_RIGHT}{text}{_END_ISOLATE}" if current().right_to_left else text


def aloud(words: Sequence[str]) -> str:
    """Words to compare by voice, in the reader's language and in the other one: those who compare need not share it."""
    own, other = ("ar", "en") if words[0] in WORDS["ar"] else ("en", "ar")
    translated = [WORDS[other][WORDS[own].index(word)] for word in words]
    return f"{isolate(' '.join(words))} · {isolate(' '.join(translated))}"


def listed(items: Iterable[str]) -> str:
    """Items with the language's own comma between them."""
    return ("، " if current().right_to_left else ", ").join(items)
