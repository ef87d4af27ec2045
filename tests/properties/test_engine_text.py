"""Notation and records as text: what is written is read back, and nothing but the named errors comes of garbage."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.actions import Action, parse_action
from engine.cards import PACK_SIZE, card_name, card_set, names, parse_card, parse_cards
from engine.record import RecordError, read, replay
from tests.properties.engine_games import every_action
from tests.scenarios.loader import scenarios

cards = st.integers(0, PACK_SIZE - 1)


@given(cards)
def test_a_card_is_read_back(card: int) -> None:
    assert parse_card(card_name(card)) == card


@given(st.sets(cards))
def test_a_set_of_cards_is_read_back(chosen: set[int]) -> None:
    assert parse_cards(names(card_set(chosen))) == card_set(chosen)


def test_every_action_is_read_back() -> None:
    for action in every_action():
        assert parse_action(str(action)) == action


@given(st.sampled_from(["play", "show", "return", "discard", "give"]), cards, st.integers(0, 9))
def test_a_concealed_action_is_read_back_and_says_nothing_of_its_card(verb: str, card: int, to: int) -> None:
    action = Action(verb, cards=1 << card, to=to if verb == "give" else -1)
    assert parse_action(str(action.concealed())) == action.concealed()
    assert card_name(card) not in str(action.concealed())


WORDS = ["play", "give", "double", "bid", "5NT", "05S", "AS", "KH", "??", "1", "05", "estimate", "-1", "void"]


@given(st.text(max_size=30) | st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join))
@example("estimate 05")
@example("double QS KH")
@example("give 1 ??")
def test_text_that_is_read_as_an_action_is_written_the_same_up_to_spaces_and_order(text: str) -> None:
    try:
        action = parse_action(text)
    except ValueError:
        return
    assert sorted(str(action).split()) == sorted(text.split())


SHORT = [path.read_text("utf-8") for path in scenarios() if path.stat().st_size < 3000]


@given(st.data(), st.sampled_from(SHORT))
@settings(deadline=None, max_examples=200)
def test_a_damaged_record_is_refused_with_a_line_or_still_true(data: st.DataObject, text: str) -> None:
    lines = text.splitlines()
    where = data.draw(st.integers(0, len(lines) - 1))
    other = data.draw(st.integers(0, len(lines) - 1))
    match data.draw(st.sampled_from(["drop", "double", "swap", "scribble", "words"])):
        case "drop":
            del lines[where]
        case "double":
            lines.insert(where, lines[other])
        case "swap":
            lines[where], lines[other] = lines[other], lines[where]
        case "scribble":
            lines[where] = data.draw(st.text(max_size=60))
        case "words":
            words = lines[where].split(" ") + lines[other].split(" ")
            lines[where] = " ".join(data.draw(st.permutations(words))[: len(words) // 2])
    damaged = "\n".join(lines)
    try:
        replay(read(damaged)).to_json()
    except RecordError as error:
        assert 1 <= error.line <= max(1, len(damaged.splitlines()))
        assert error.code
