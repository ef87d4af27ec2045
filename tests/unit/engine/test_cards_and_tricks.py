"""Cards, actions and tricks: the fixed tables that everything else stands on (C-2, C-3, traps E-15 and E-16)."""

from __future__ import annotations

import pytest

from engine.actions import STRAINS, parse_action
from engine.cards import above, below, by_rank, card_name, names, parse_card, parse_cards
from engine.tricks import Duties, duty, winning


def trick(text: str) -> tuple[tuple[int, int], ...]:
    return tuple((seat, parse_card(word)) for seat, word in enumerate(text.split()))


def test_ranks_go_from_two_to_ace_in_every_suit() -> None:
    """The stored line "10 A K Q J" of the rules is an artefact of writing direction (B-KAS-1)."""
    for suit in "CDHS":
        in_suit = [parse_card(rank + suit) for rank in "23456789TJQKA"]
        assert in_suit == sorted(in_suit)
        assert above(in_suit[-1]) == 0 == below(in_suit[0])
        assert names(above(in_suit[9])).split() == [rank + suit for rank in "QKA"]


def test_cards_are_looked_at_from_the_lowest_rank_up_clubs_first() -> None:
    assert [card_name(card) for card in by_rank(parse_cards("AS 2S 2C TD KC"))] == ["2C", "2S", "TD", "KC", "AS"]


def test_strains_rise_from_clubs_to_no_trump() -> None:
    assert STRAINS == ("C", "D", "H", "S", "NT")


@pytest.mark.parametrize(
    ("played", "trump", "winner"),
    [
        ("AS 2H 2C 2D", "H", 1),  # the two of trumps beats the ace that was led
        ("2S AH AC AD", None, 0),  # without trumps only the led suit counts
        ("2S AH 3S AD", None, 2),
        ("2S AH 3S AD", "S", 2),
        ("2S 3H KH 4H", "H", 2),
        ("KS QS AS JS", "D", 2),
        ("9S AH", None, 0),
    ],
)
def test_who_wins_a_trick(played: str, trump: str | None, winner: int) -> None:
    assert winning(trick(played), None if trump is None else "CDHS".index(trump))[0] == winner


def test_following_suit_owes_nothing_more() -> None:
    owed = duty(parse_card("2S"), trick("9S"), 2, Duties("KAS-6"))
    assert owed.excludes == 0
    owed = duty(parse_card("2H"), trick("9S"), 2, Duties("KAS-6"))
    assert names(owed.excludes) == "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"


NOT_NOTATION = """
play | play 1S | play as | play AS KS | double KH KH | bid 5 | bid S | estimate x | estimate 05 | game whist
trump NT | void | pass 1 | give AS | give 1 | claim now | sing
"""


@pytest.mark.parametrize("text", [text.strip() for text in NOT_NOTATION.replace("\n", "|").split("|")])
def test_what_is_not_in_the_notation(text: str) -> None:
    with pytest.raises(ValueError):
        parse_action(text)
