"""Estimation: what the scenarios cannot say: contracts of the state, claims, faults, tables of numbers."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engine.actions import Action, parse_action
from engine.cards import NO_CARDS, SUIT_CARDS, by_rank, parse_cards
from engine.game import (
    Ask,
    Claim,
    Fault,
    Illegal,
    NewPack,
    Outcome,
    Release,
    Sealed,
    Start,
    holds,
    legal,
)
from engine.games.estimation import (
    FULL,
    GAME,
    VOID_PLAY,
    VOID_REDEAL,
    Declared,
    State,
    begin_at,
    score,
    score_sheet,
    skip_hidden,
    table,
)
from engine.referee import Acted, Referee, shuffled
from engine.standin import standin
from engine.tricks import winning

ALL_SUITS = parse_cards("2C 3D 4H 5S")
NO_SPADES = parse_cards("2C 3D 4H 5H")


def dealt(**options: str | int) -> State:
    state = GAME.start(options, dealer=3)
    assert isinstance(state, State)
    assert state.step == NewPack()
    state = state.after(NewPack())
    assert state.step == Release(tuple(range(52)))
    return state.after(state.step)


def act(state: State, *moves: str) -> State:
    for move in moves:
        seat, words = move.split(maxsplit=1)
        action = parse_action(words)
        state.claim(int(seat), action)
        state = state.apply(int(seat), action)
    return state


def test_every_seat_declares_at_once_and_the_cards_decide_what_is_legal() -> None:
    state = dealt()
    assert state.step == Sealed((0, 1, 2, 3))
    assert legal(state, 2, ALL_SUITS) == [FULL]
    assert legal(state, 2, NO_SPADES) == [VOID_PLAY, VOID_REDEAL]
    assert state.apply(0, FULL).step == Sealed((1, 2, 3))


def test_a_wish_for_a_redeal_is_proved_at_once_and_the_other_declarations_later() -> None:
    state = dealt()
    assert state.claim(0, VOID_REDEAL) == Claim(excludes=SUIT_CARDS, rule="EST-5", code="declare-full")
    assert state.claim(0, VOID_PLAY).deferred
    full = state.claim(0, FULL)
    assert full.deferred and full.includes == SUIT_CARDS and full.excludes == (NO_CARDS,)
    assert holds(full, FULL, ALL_SUITS) and not holds(full, FULL, NO_SPADES)


def test_several_wishes_are_one_redeal() -> None:
    state = act(dealt(), "0 full", "1 void redeal", "2 full", "3 void redeal")
    assert (state.step, state.dealer, state.deal, state.redeals) == (NewPack(), 0, 1, ("void 1 3",))


def play_out(state: State, hands: list[int]) -> State:
    """Everybody follows suit with the lowest card."""
    while isinstance(step := state.step, Ask) and state.phase == "play":
        action = legal(state, step.seat, hands[step.seat])[0]
        hands[step.seat] &= ~action.cards
        state = state.apply(step.seat, action)
    return state


@pytest.mark.parametrize(("declared", "code"), [("full", "false-full"), ("void play", "false-void")])
def test_a_false_declaration_is_found_after_the_last_trick_and_nothing_is_scored(declared: str, code: str) -> None:
    if declared == "full":
        hands, others = list(SUIT_CARDS), "void play"
    else:
        ranks = ("234", "567", "89T", "JQK")
        hands = [parse_cards(" ".join(f"{rank}{suit}" for suit in "CDHS" for rank in own)) for own in ranks]
        for seat, ace in enumerate(("AC", "AD", "AH", "AS")):
            hands[seat] |= parse_cards(ace)
        others = "full"
    said = [f"{seat} {declared if seat == 2 else others}" for seat in range(4)]
    state = act(
        dealt(), *said, "0 bid 5S", "1 pass", "2 pass", "3 pass", "1 estimate 0", "2 estimate 0", "3 estimate 0"
    )
    end = play_out(state, hands)
    assert end.step == Fault(2, "EST-5", code)
    again = end.after(end.step)
    assert (again.step, again.dealer, again.deal, again.results) == (NewPack(), 3, 1, ())
    assert again.redeals == ("fault 2",)


def test_two_false_declarations_are_two_faults() -> None:
    suits = list(SUIT_CARDS)
    state = act(dealt(), "0 void play", "1 full", "2 void play", "3 full", "0 bid 5S", "1 pass", "2 pass", "3 pass")
    state = play_out(act(state, "1 estimate 0", "2 estimate 0", "3 estimate 0"), suits)
    assert state.step == Fault(1, "EST-5", "false-full")
    state = state.after(state.step)
    assert state.step == Fault(3, "EST-5", "false-full")
    assert state.after(state.step).step == NewPack()


def test_the_caller_leads_wherever_the_estimates_ended() -> None:
    """Trap E-17."""
    state = act(skip_hidden(dealt()), "0 pass", "1 pass", "2 bid 4D", "3 pass")
    assert state.step == Ask(3)
    state = act(state, "3 estimate 4", "0 estimate 4", "1 estimate 4")
    assert state.step == Ask(2) and state.caller == 2


def test_choices_come_in_the_documented_order() -> None:
    state = skip_hidden(dealt())
    words = [str(action) for action in state.candidates(0, NO_CARDS)]
    assert words[:8] == ["pass", "dash", "bid 4C", "bid 4D", "bid 4H", "bid 4S", "bid 4NT", "bid 5C"]
    assert words[-1] == "bid 13NT" and len(words) == 52
    before = skip_hidden(dealt(dash_timing="before_bidding"))
    assert [str(action) for action in before.candidates(0, NO_CARDS)] == ["no dash", "dash"]
    playing = act(state, "0 bid 4C", "1 pass", "2 pass", "3 pass", "1 estimate 0", "2 estimate 0", "3 estimate 0")
    hand = parse_cards("2S AC 3D 2C")
    assert [action.card for action in playing.candidates(0, hand)] == by_rank(hand)


def test_the_stand_in_is_modest() -> None:
    """Trap E-13: who plays for an absent seat calls no dash and throws no hand in for it."""
    state = dealt()
    assert standin(state, 0, NO_SPADES) == VOID_PLAY
    assert str(standin(skip_hidden(state), 0, ALL_SUITS)) == "pass"
    assert str(standin(skip_hidden(dealt(dash_timing="before_bidding")), 0, ALL_SUITS)) == "no dash"


@pytest.mark.parametrize(
    "move", ["1 pass", "0 estimate 3", "0 play AS", "0 full", "0 no dash", "0 void play", "0 trump S", "4 pass"]
)
def test_what_is_not_asked_is_refused(move: str) -> None:
    with pytest.raises(Illegal):
        act(skip_hidden(dealt()), move)


def test_a_dash_call_is_in_force_for_the_deal_only_and_is_never_with_or_risk() -> None:
    """Traps E-2 and E-7."""
    state = act(skip_hidden(dealt()), "0 bid 4D", "1 pass", "2 dash", "3 dash", "1 estimate 4")
    view = state.view()
    assert (view["dashes"], view["with"], view["risk"], view["estimates"]) == ([2, 3], [1], 1, [4, 4, 0, 0])
    state = score_sheet(state, Outcome(tricks=(4, 4, 0, 5)))
    assert state.view()["dashes"] == []


def test_the_last_trick_stays_until_the_next_cards_are_dealt() -> None:
    """Trap E-5: nobody should miss the thirteenth trick."""
    rng = random.Random(5)
    referee = Referee.start(GAME, shuffled(rng.shuffle), {"void_rule": "off"})
    state = referee.play([lambda seat, state, hand, actions: rng.choice(actions)] * 4, deals=1)
    trick = state.view()["last_trick"]
    assert isinstance(trick, list) and len(trick) == 4
    assert state.after(NewPack()).view()["last_trick"] == trick
    assert state.after(NewPack()).after(Release(tuple(range(52)))).view()["last_trick"] == []


def test_a_deal_thrown_in_by_the_table_keeps_dealer_number_and_multiplier() -> None:
    state = begin_at(GAME.chosen(), Start(deal=5, dealer=2, multiplier=4))
    again = state.after(NewPack()).void("pack lost")
    assert (again.deal, again.dealer, again.multiplier, again.redeals) == (5, 2, 4, ("pack lost",))


@pytest.mark.parametrize("start", [Start(0, 1), Start(19, 1), Start(1, -1), Start(1, 4), Start(1, 1, multiplier=0)])
def test_a_record_cannot_begin_where_no_deal_is(start: Start) -> None:
    with pytest.raises(Illegal, match="bad-start"):
        begin_at(GAME.chosen(), start)


@pytest.mark.parametrize("tricks", [(), (5, 2, 5), (5, 2, 5, 2), (14, -1, 0, 0), (5, 2, 5, 1, 0)])
def test_an_impossible_outcome_is_refused(tricks: tuple[int, ...]) -> None:
    state = act(skip_hidden(dealt()), "0 bid 4C", "1 pass", "2 pass", "3 pass")
    state = act(state, "1 estimate 0", "2 estimate 0", "3 estimate 0")
    with pytest.raises(Illegal, match="bad-outcome"):
        score_sheet(state, Outcome(tricks=tricks))
    with pytest.raises(Illegal, match="bad-outcome"):
        score_sheet(dealt(), Outcome(tricks=(4, 4, 4, 1)))


def test_an_outcome_scores_as_if_it_had_been_played() -> None:
    rng = random.Random(11)
    referee = Referee.start(GAME, shuffled(rng.shuffle), {"void_rule": "off"})
    choosers = [lambda seat, state, hand, actions: rng.choice(actions)] * 4
    while not (isinstance(referee.state, State) and referee.state.phase == "play"):
        step = referee.advance()
        assert isinstance(step, Ask)
        referee.act(step.seat, rng.choice(referee.legal(step.seat)))
    before = referee.state
    winners: list[int] = []

    def count(event: object) -> None:
        if isinstance(event, Acted) and isinstance(event.before, State) and len(event.before.trick) == 3:
            trick = (*event.before.trick, (event.seat, event.action.card))
            winners.append(winning(trick, event.before.trump)[0])

    referee.observers.append(count)
    played = referee.play(choosers, deals=1)
    assert isinstance(played, State)
    sheet = score_sheet(before, Outcome(tricks=tuple(winners.count(seat) for seat in range(4))))
    assert replace(sheet, last_trick=played.last_trick) == played


def test_options_are_refused_by_name_and_by_value() -> None:
    with pytest.raises(Illegal, match="bad-option-name"):
        GAME.start({"kingdoms": 4})
    with pytest.raises(Illegal, match="bad-option-value"):
        GAME.start({"max_dash": 3})
    for preset in GAME.presets.values():
        GAME.start(preset)


def test_a_tie_is_a_shared_win() -> None:
    state = skip_hidden(dealt(normal_deals=1, speed_deals=0))
    state = act(state, "0 bid 4C", "1 pass", "2 pass", "3 pass", "1 estimate 4", "2 estimate 4", "3 estimate 2")
    end = score_sheet(state, Outcome(tricks=(4, 4, 4, 1)))
    assert (end.totals, end.winners) == ((24, 24, 24, -21), (0, 1, 2))


FEDERATION = table(GAME.chosen(GAME.presets["federation_2026"]))


@pytest.mark.parametrize(
    ("estimates", "caller", "dashes", "tricks", "points"),
    [
        # made 13 + n, the caller 23 + n; Risk +10
        ((5, 3, 2, 1), 0, (), (5, 3, 3, 2), (28, 16, -1, -11)),
        # missed: the difference, caller and With 10 more; only winner +10
        ((5, 3, 5, 1), 0, (), (3, 3, 4, 3), (-12, 26, -11, -2)),
        # Dash Call under 23 and -10 more; over 13 and the difference
        ((4, 0, 3, 1), 0, (1,), (4, 0, 3, 6), (27, 23, 16, -35)),
        ((4, 0, 3, 1), 0, (1,), (4, 2, 3, 4), (27, -12, 16, -23)),
        ((7, 0, 4, 4), 0, (1,), (7, 0, 2, 4), (30, 13, -12, 27)),
        ((7, 0, 4, 4), 0, (1,), (7, 1, 1, 4), (30, -1, -3, 27)),
        # 8, 9 and 10 made
        ((8, 1, 1, 1), 0, (), (8, 1, 2, 2), (41, 14, -1, -11)),
        ((9, 1, 1, 1), 0, (), (9, 1, 2, 1), (42, 14, -11, 14)),
        ((10, 1, 1, 0), 0, (), (10, 1, 1, 1), (43, 14, 14, -11)),
    ],
)
def test_the_numbers_of_the_federation(
    estimates: tuple[int, ...], caller: int, dashes: tuple[int, ...], tricks: tuple[int, ...], points: tuple[int, ...]
) -> None:
    declared = Declared(estimates, caller, frozenset(dashes), last=3)
    assert tuple(sum(part[1] for part in seat) for seat in score(FEDERATION, declared, tricks)) == points


def test_actions_without_a_card_open_nothing() -> None:
    assert skip_hidden(dealt()).claim(0, Action("pass")) == Claim()
