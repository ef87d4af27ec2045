"""Whole random games of all four games: totals, what the public knows, and what must stay secret."""

from __future__ import annotations

from dataclasses import replace as changed
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.cards import cards_in
from engine.game import Finished, legal
from engine.record import Attempt, Record, Recorder, RecordError, read, replay, write
from engine.referee import Referee
from tests.properties.engine_games import names, new_table, options_of, play_some, seeds

ZERO_SUM_DEALS = ("istimar", "three_five_eight")


@given(st.data(), names, seeds)
@settings(deadline=None, max_examples=25)
def test_a_random_game_ends_and_its_record_replays_to_the_same_scores(
    data: st.DataObject, name: str, seed: int
) -> None:
    referee, dice = new_table(name, data.draw(options_of(name)), seed)
    recorder = Recorder(referee, [f"player {seat}" for seat in range(len(referee.hands))])
    assert not play_some(referee, dice, 3000)
    state = referee.state
    assert isinstance(state.step, Finished)
    assert state.winners == tuple(seat for seat, total in enumerate(state.totals) if total == max(state.totals))
    running = [0] * len(state.totals)
    for result in state.results:
        for seat, points in enumerate(result.points):
            assert sum(value for _, value in result.breakdown[seat]) * result.multiplier == points
            running[seat] += points
        assert list(result.totals) == running
        if name in ZERO_SUM_DEALS:
            assert sum(result.points) == 0
    text = write(recorder.record)
    again = replay(read(text))
    assert again.state == state
    assert write(read(text)) == text


@given(st.data(), seeds)
@settings(deadline=None, max_examples=15)
def test_every_kingdom_of_kasra_adds_up_to_nothing(data: st.DataObject, seed: int) -> None:
    """KAS-X12, however the cards are doubled (self_capture=full is left out: there a loss is nobody's gain)."""
    options = data.draw(options_of("kasra")) | {"self_capture": "net"}
    referee, dice = new_table("kasra", options, seed)
    play_some(referee, dice, 3000)
    results = referee.state.results
    sums = []
    for first in range(0, len(results), 4):
        assert sum(sum(result.points) for result in results[first : first + 4]) == 0
        sums.append(sorted(abs(sum(result.points)) for result in results[first : first + 4]))
    assert sums == [[130, 130, 500, 500]] * int(options["kingdoms"])


@given(st.data(), names, seeds, st.integers(0, 200))
@settings(deadline=None)
def test_what_the_public_knows_is_true(data: st.DataObject, name: str, seed: int, choices: int) -> None:
    """Every face-down card is among the cards that its slot can be, and every slot has one owner."""
    referee, dice = new_table(name, data.draw(options_of(name)), seed)
    play_some(referee, dice, choices)
    for seat, hand in enumerate(referee.hands):
        slots = {referee.slots[card]: card for card in cards_in(hand)}
        assert set(slots) == set(referee.knowledge.hands[seat])
        for slot, card in slots.items():
            assert referee.knowledge.hands[seat][slot] >> card & 1
    if any(referee.hands):
        assert referee.state.counts == tuple(hand.bit_count() for hand in referee.hands)


@given(st.data(), names, seeds, st.integers(0, 60))
@settings(deadline=None, max_examples=40)
def test_two_deals_that_differ_in_others_hidden_cards_look_the_same(
    data: st.DataObject, name: str, seed: int, choices: int
) -> None:
    """Hidden cards of two others change places, and the same actions are played: whenever that is possible, the
    public state and one's own legal actions are the same. In Kasra it is possible exactly if the public knowledge of
    the two slots says so."""
    referee, dice = new_table(name, data.draw(options_of(name)), seed)
    recorder = Recorder(referee)
    play_some(referee, dice, choices)
    knowledge, state = referee.knowledge, referee.state
    for _ in range(8):
        me, one, other = dice.sample(range(len(referee.hands)), 3)
        hidden = [list(cards_in(referee.hands[seat] & ~knowledge.seen)) for seat in (one, other)]
        if not all(hidden):
            continue
        first, second = map(dice.choice, hidden)
        possible = (
            knowledge.hands[one][referee.slots[first]] >> second & 1
            and knowledge.hands[other][referee.slots[second]] >> first & 1
        )
        try:
            elsewhere = replay(_swapped(recorder.record, first, second))
        except RecordError:
            assert name != "kasra" or not possible
            continue
        assert name != "kasra" or possible
        assert elsewhere.state == state
        assert elsewhere.state.view() == state.view()
        assert elsewhere.hands[me] == referee.hands[me]
        assert legal(elsewhere.state, me, elsewhere.hands[me]) == legal(state, me, referee.hands[me])


def _swapped(record: Record, first: int, second: int) -> Record:
    """The record with two cards exchanged in the present pack."""
    places = {first: second, second: first}
    now = record.deals[-1].attempts[-1]
    hands = {seat: [places.get(card, card) for card in hand] for seat, hand in now.hands.items()}
    kitty = [places.get(card, card) for card in now.kitty]
    first_cards = now.first and (now.first[0], [places.get(card, card) for card in now.first[1]])
    swapped = Attempt(now.line, now.dealer, now.dealer_line, hands, kitty, first_cards, now.moves)
    deals = [*record.deals[:-1], changed(record.deals[-1], attempts=[*record.deals[-1].attempts[:-1], swapped])]
    return changed(record, deals=deals)


@given(names, seeds, st.integers(0, 200))
@settings(deadline=None)
def test_a_deal_thrown_in_by_the_table_scores_nothing_and_is_dealt_again(name: str, seed: int, choices: int) -> None:
    referee, dice = new_table(name, {}, seed)
    assume(play_some(referee, dice, choices))
    before = referee.state
    referee.void("cheat 1")
    assert (referee.state.deal, referee.state.results) == (before.deal, before.results)
    assert referee.state.redeals == (*before.redeals, "cheat 1")
    assert play_some(referee, Random(seed), 3)


def test_a_referee_needs_a_whole_pack() -> None:
    referee, _ = new_table("kasra", {}, 1)
    bad = Referee(referee.state, lambda: [0] * 52)
    with pytest.raises(AssertionError):
        bad.advance()
