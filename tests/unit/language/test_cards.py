"""Names of cards and seats in both languages."""

from __future__ import annotations

import pytest
from wcwidth import wcswidth

from p2p.language import set_language
from p2p.language.cards import (
    SUIT_SYMBOLS,
    aloud,
    card_name,
    card_short,
    cards_short,
    contract_name,
    game_name,
    isolate,
    seat_name,
)
from protocol.words import WORDS

CARDS = [rank + suit for suit in "SHDC" for rank in "23456789TJQKA"]


@pytest.mark.parametrize("code", ["en", "ar"])
def test_all_cards_have_names_of_their_own(code: str) -> None:
    set_language(code)
    assert len({card_name(card) for card in CARDS}) == len(CARDS)
    assert not any("-" in card_name(card) or "?" in card_name(card) for card in CARDS)


def test_cards_are_called_as_card_players_call_them() -> None:
    assert [card_name("KH"), card_name("7H"), card_name("TD"), card_name("??")] == [
        "king of hearts",
        "seven of hearts",
        "ten of diamonds",
        "a face-down card",
    ]
    assert cards_short(["KH", "TD", "??"]) == "K♥ 10♦ ??"
    set_language("ar")
    assert [card_name("KH"), card_name("QS")] == ["شيخ الكبة", "بنت البستوني"]
    assert [game_name("kasra"), contract_name("trix")] == ["كسرة", "تركس"]


def test_symbols_are_one_cell_wide() -> None:
    assert {wcswidth(symbol) for symbol in SUIT_SYMBOLS.values()} == {1}
    assert {wcswidth(card_short(card)) for card in CARDS} == {2, 3}


def test_a_seat_is_called_by_its_cleaned_name_or_its_number() -> None:
    assert seat_name(2, "Ce\x1bline") == "Celine"
    assert seat_name(2, "\u202e") == "player 2"
    assert seat_name(2) == "player 2"


def test_isolated_text_keeps_to_itself() -> None:
    assert isolate("7♥") == "\u20687♥\u2069"


def test_words_to_compare_are_told_in_both_languages() -> None:
    """The one who reads Arabic and the one who reads English see the same line, their own words first."""
    english, arabic = aloud(["acorn", "zebra"]), aloud([WORDS["ar"][0], WORDS["ar"][-1]])
    assert english.split(" · ") == list(reversed(arabic.split(" · ")))
    assert "acorn zebra" in english and WORDS["ar"][-1] in english
