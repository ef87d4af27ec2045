"""What a player is told of cards that come to his hand and leave it without his choosing each."""

from __future__ import annotations

from engine.actions import parse_action
from engine.cards import NO_CARDS, parse_cards
from p2p.own_cards import Moved, OwnCards
from protocol.table.events import Acted, Dealt, Event


def look(cards: OwnCards, hand: str, phase: str, *happened: Event) -> Moved:
    return cards.look(lambda: parse_cards(hand), phase, 0, happened)


def acted(seat: int, action: str) -> Acted:
    return Acted(seat, parse_action(action), proved=False)


def test_the_deal_itself_brings_no_new_cards() -> None:
    cards = OwnCards()
    for phase in ("choose", "exchange"):  # an exchange may begin at once
        assert look(cards, "2C 3C", phase, Dealt(1, 1)) == Moved()
        assert cards.held == parse_cards("2C 3C") and cards.new == NO_CARDS


def test_an_exchange_tells_what_came() -> None:
    cards = OwnCards(parse_cards("2C 3C AS"), _phase="exchange")
    assert look(cards, "3C AS", "exchange", acted(0, "give 1 ??")) == Moved()
    assert look(cards, "3C AS KC", "choose", acted(1, "return ??")) == Moved(parse_cards("KC"), changed=True)
    assert cards.new == parse_cards("KC")


def test_a_card_that_goes_back_by_itself_is_told() -> None:
    cards = OwnCards(parse_cards("2C AS"), _phase="exchange")
    look(cards, "2C 4S AS", "exchange", acted(1, "give 0 ??"))
    assert cards.new == parse_cards("4S")
    assert look(cards, "2C 4S", "choose", acted(0, "return ??")) == Moved(changed=True)
    assert cards.new == NO_CARDS


def test_the_kitty_stays_marked_while_cards_are_put_aside() -> None:
    cards = OwnCards(parse_cards("2C AS"), _phase="choose")
    assert look(cards, "2C AS 5H 6H 7H 8H", "discard").gained == parse_cards("5H 6H 7H 8H")
    for hand, new in (("2C AS 6H 7H 8H", "6H 7H 8H"), ("AS 6H 7H 8H", "6H 7H 8H")):
        assert not look(cards, hand, "discard", acted(0, "discard ??")).changed
        assert cards.new == parse_cards(new)
    look(cards, "AS 7H 8H", "play", acted(0, "discard ??"))
    assert cards.new == NO_CARDS


def test_what_others_exchange_changes_nothing() -> None:
    cards = OwnCards(parse_cards("2C AS"), _phase="exchange")
    assert look(cards, "2C AS", "exchange", acted(1, "give 2 ??")) == Moved()


def test_the_second_part_of_a_deal_is_no_new_deal() -> None:
    cards = OwnCards()
    assert [cards.first_part(serial) for serial in (1, 1, 2)] == [True, False, True]
