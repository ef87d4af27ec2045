"""Claiming the rest, where a record cannot show it: declarations that prove false, and what lies aside."""

from __future__ import annotations

import pytest

from engine.actions import Action, parse_action, whole
from engine.cards import CLUBS, HEARTS, SPADES, names, parse_card, parse_cards
from engine.game import Audit, Fault, Finished, Illegal, NewPack, OpenKitty, State, TakeKitty
from engine.tricks import Duties, beaters, lacking
from tests.unit.engine.kitty_tables import exchanging
from tools.make_table_vectors import CALLED, follow, refusal

TOP = "claim AC KC AD 7H 8H 9H TH JH QH KH AH KS AS"
TRICKS = ("1 play AC", "2 play 2C", "3 play 2D", "0 play 2S", "1 play AS", "2 play 3C", "3 play 3D", "0 play 3S")


@pytest.mark.parametrize(
    ("hand", "trump", "beaten_by"),
    [
        ("AS KS", None, ""),
        ("AS QS", None, "KS"),
        ("QS 2H", HEARTS, "3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH KS AS"),
        ("AC", SPADES, "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"),
        ("AC KC", CLUBS, ""),
    ],
)
def test_what_beats_a_hand(hand: str, trump: int | None, beaten_by: str) -> None:
    assert names(beaters(parse_cards(hand), trump)) == beaten_by


def test_what_a_play_shows_to_be_lacking() -> None:
    trick = tuple(enumerate(map(parse_card, ("AC", "2D", "3C"))))
    assert lacking((trick,), 1, None, Duties("x")) == parse_cards("2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC")
    assert lacking((trick,), 2, None, Duties("x")) == 0
    assert lacking((trick,), 1, HEARTS, Duties("x", must_trump=True)).bit_count() == 26


def estimation(*declared: str) -> State:
    """Two tricks played: everybody has shown a void, the caller (seat 1) leads."""
    return follow("estimation", {}, (*(f"{seat} {what}" for seat, what in enumerate(declared)), *CALLED, *TRICKS))


def rest() -> Action:
    """The claim of what seat 1 still holds."""
    return parse_action(TOP.replace(" AC", "").replace(" AS", ""))


def test_a_declaration_that_a_claim_settles_as_false_is_a_fault() -> None:
    """EST-5, D-8: those who were void are named as after the last trick, and nothing is scored."""
    assert refusal(estimation("void play", "full", "void play", "void play"), 1, rest()) == "ok"
    good = estimation("void play", "full", "void play", "void play").apply(1, rest())
    assert isinstance(good.step, NewPack | Finished) and len(good.results) == 1
    for seat, declared in ((2, ("void play", "full", "full", "void play")), (1, ("void play", "void play") * 2)):
        state = estimation(*declared).apply(1, rest())
        assert isinstance(state.step, Fault) and state.step.seat == seat
        assert state.results == () and state.counts == (0, 0, 0, 0)


def test_a_declaration_that_is_still_open_forbids_the_claim() -> None:
    state = follow("estimation", {}, ("0 full", "1 full", "2 full", "3 full", *CALLED))
    with pytest.raises(Illegal) as refused:
        state.claim(1, parse_action(TOP))
    assert (refused.value.rule, refused.value.code) == ("C-6", "claim-declaration-open")


def test_the_audit_of_an_exchange_follows_a_claim() -> None:
    """D-12: what went back is proved although the other hands stay closed; only then is the deal scored."""
    state: State = exchanging("istimar", {}, (2, -2, 0), "S")
    for text in ("0 give 1 ??", "1 return ??", "0 trump S", *["0 discard ??"] * 4):
        while isinstance(state.step, OpenKitty | TakeKitty):
            state = state.after(state.step)
        seat, _, action = text.partition(" ")
        state = state.apply(int(seat), parse_action(action))
    claim = parse_action("claim AD KH AH 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS")
    assert refusal(state, 0, claim) == "ok"
    state = state.apply(0, claim)
    assert state.step == Audit() and state.counts == (0, 0, 0) and state.results == ()
    assert state.after(Audit()).results[-1].points == (16, -10, -6)


def test_said_short_it_means_the_whole_hand() -> None:
    hand = parse_cards("AS KS")
    assert whole(Action("claim"), hand) == Action("claim", cards=hand)
    assert whole(parse_action("claim AS"), hand) == parse_action("claim AS")
    assert whole(Action("pass"), hand) == Action("pass")
    assert str(Action("claim", cards=hand)) == "claim KS AS"
