"""What a table, a record and a screen rely on in Isti'mar."""

from __future__ import annotations

import json

import pytest

from engine.actions import Action, parse_action
from engine.cards import FULL_PACK, parse_card, parse_cards
from engine.game import (
    Ask,
    Audit,
    Finished,
    Illegal,
    NewPack,
    Outcome,
    Release,
    Search,
    Start,
    State,
    Where,
    legal,
    owner,
)
from engine.games import istimar
from engine.games.istimar import GAME
from tests.unit.engine.kitty_tables import act, exchanging, first_legal, pack_with, sheet, table


def dealt(state: State) -> State:
    """The state once all cards are out."""
    while isinstance(state.step, NewPack | Release):
        state = state.after(state.step)
    return state


def test_the_course_of_the_first_deal() -> None:
    referee = table("istimar", pack=pack_with(("", "7H", "")))
    steps = []
    state: State = GAME.start()
    for _ in range(3):
        steps.append(type(state.step).__name__)
        state = state.after(state.step) if not isinstance(state.step, Search) else state
    assert steps == ["NewPack", "Release", "Search"] and state.phase == "show"
    assert GAME.start().after(NewPack()).step == Release(tuple(range(48)))
    assert [owner(position, 3) for position in (0, 1, 2, 47, 48, 51)] == [0, 1, 2, 2, -1, -1]
    assert referee.state.phase == "choose" and referee.state.view()["goals"] == [3, 8, 5]


def test_only_the_card_looked_for_is_shown() -> None:
    state = dealt(GAME.start())
    assert state.claim(2, parse_action("show 7H")).opens == parse_cards("7H")
    assert state.claim(2, parse_action("show 7H")).where is Where.STAYS
    for text in ("show 8H", "trump S", "show ??"):
        with pytest.raises(Illegal, match="illegal-action"):
            state.claim(0, parse_action(text))
    assert list(state.candidates(1, parse_cards("8H"))) == []
    assert [str(action) for action in legal(state, 1, parse_cards("7H 8H"))] == ["show 7H"]


def test_trumps_in_canonical_order_and_nobody_else_is_asked() -> None:
    state = dealt(GAME.start()).apply(1, parse_action("show 7H"))
    assert [str(action) for action in state.candidates(1, FULL_PACK)] == ["trump C", "trump D", "trump H", "trump S"]
    assert list(state.candidates(0, FULL_PACK)) == []
    with pytest.raises(Illegal, match="not-your-turn"):
        state.claim(0, parse_action("trump S"))


def test_a_hidden_card_is_not_played() -> None:
    referee = table("istimar", pack=pack_with(("7H", "", "")))
    act(referee, "0 trump S")
    first_legal(referee, "play")
    with pytest.raises(Illegal, match="illegal-action"):
        referee.state.claim(0, Action("play", hidden=True))


def test_the_public_part_of_an_exchange() -> None:
    state = exchanging("istimar", {}, (4, -2, -2), "")
    given = state.claim(0, Action("give", to=2, hidden=True))
    assert (given.where, given.to, given.opens, given.excludes, given.deferred) == (Where.SEAT, 2, 0, (0,), False)
    with pytest.raises(Illegal, match="exchange-quota"):
        state.claim(0, Action("give", to=0, hidden=True))
    state = state.apply(0, Action("give", to=2, hidden=True))
    assert state.step == Ask(2) and state.counts == (15, 16, 17)
    back = state.claim(2, Action("return", hidden=True))
    assert (back.where, back.to, back.opens, back.excludes, back.deferred) == (Where.SEAT, 0, 0, (0,), True)
    known = state.claim(2, parse_action("return JH"), parse_card("4H"))
    assert known.deferred and known.excludes == (parse_cards("QH KH AH"),)
    with pytest.raises(Illegal, match="return-suit"):
        state.claim(2, parse_action("return JS"), parse_card("4H"))
    with pytest.raises(Illegal, match="illegal-action"):
        state.claim(2, parse_action("give 0 JS"))
    state = state.apply(2, Action("return", hidden=True))
    assert state.step == Ask(0) and state.counts == (16, 16, 16)


def test_void_begins_the_deal_again_with_its_exchange() -> None:
    state = exchanging("istimar", {}, (2, -2, 0), "")
    again = state.apply(0, Action("give", to=1, hidden=True)).void("cheat 1")
    assert again.step == NewPack() and again.results == () and again.deal == 2
    again = dealt(again)
    assert again.step == Ask(0) and again.phase == "exchange" and again.view()["exchange"] == state.view()["exchange"]


def test_void_looks_for_the_seven_again_in_the_first_deal_only() -> None:
    state = dealt(GAME.start()).apply(1, parse_action("show 7H")).void("cheat 0")
    assert dealt(state).step == Search(parse_card("7H"))
    assert state.view()["declarer"] is None


def test_the_view_is_plain_json_in_every_phase() -> None:
    referee = table("istimar", pack=pack_with(("7H", "", "")))
    for _ in range(130):
        step = referee.advance()
        view = referee.state.view()
        assert json.loads(json.dumps(view)) == view
        assert isinstance(step, Ask) and view["turn"] == step.seat
        referee.act(step.seat, referee.legal(step.seat)[0])
    assert referee.state.view()["results"] and referee.state.deal >= 2


def test_a_score_sheet_scores_as_the_played_deal_does() -> None:
    played = table("istimar", pack=pack_with(("7H", "", "")))
    act(played, "0 trump S")
    tricks: list[int] = []
    while not played.state.results:
        taken = played.state.view()["taken"]
        assert isinstance(taken, list)
        tricks = taken
        step = played.state.step
        if isinstance(step, Ask):
            played.act(step.seat, played.legal(step.seat)[0])
        else:
            played.do(step)
    tricks = [points // 2 + goal for points, goal in zip(played.state.results[0].points, (8, 5, 3), strict=True)]
    on_paper = sheet(GAME.start(), tricks)
    assert on_paper.results == played.state.results
    assert on_paper.view() == played.state.view() | {"last_trick": []}


def test_a_score_sheet_has_no_audit_after_an_exchange() -> None:
    state = sheet(sheet(GAME.start(), (10, 3, 3)), (3, 8, 5))
    assert state.step == NewPack() and not isinstance(state.step, Audit) and state.totals == (4, -4, 0)


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome(),
        Outcome(tricks=(8, 5)),
        Outcome(tricks=(8, 5, 4)),
        Outcome(tricks=(17, 0, -1)),
        Outcome(tricks=(8, 5, 3), last=(0, 1)),
    ],
)
def test_impossible_outcomes(outcome: Outcome) -> None:
    state = dealt(GAME.start()).apply(0, parse_action("show 7H")).apply(0, parse_action("trump S"))
    with pytest.raises(Illegal, match="bad-outcome"):
        istimar.score_sheet(state, Outcome(tricks=(8, 5, 3)))  # the kitty is still to be dealt with
    with pytest.raises(Illegal, match="bad-outcome"):
        istimar.score_sheet(istimar.skip_hidden(state), outcome)


def test_a_record_can_begin_in_the_middle() -> None:
    options = GAME.chosen()
    state = istimar.begin_at(options, Start(deal=2, owner=1, previous=(4, -4, 0)))
    assert (state.deal, state.dealer, state.totals) == (2, 0, (0, 0, 0))
    assert dealt(state).view()["goals"] == [3, 8, 5] and dealt(state).step == Ask(0)
    assert istimar.begin_at(options, Start(deal=3, dealer=2)).view()["declarer"] == 0
    assert dealt(istimar.begin_at(options, Start(deal=3, dealer=2))).phase == "choose"
    assert isinstance(dealt(istimar.begin_at(options, Start())).step, Search)
    for start in (
        Start(deal=2),
        Start(deal=7, owner=0),
        Start(deal=0, owner=0),
        Start(deal=2, owner=3),
        Start(deal=2, owner=0, previous=(1, -1, 0)),
        Start(deal=2, owner=0, previous=(2, 0, 0)),
        Start(deal=2, owner=0, multiplier=2),
    ):
        with pytest.raises(Illegal, match="bad-start"):
            istimar.begin_at(options, start)
    with pytest.raises(Illegal, match="bad-start"):
        istimar.begin_at(GAME.chosen({"extra_series": 0}), Start(deal=4, owner=0))


def test_skip_hidden_leaves_public_choices_alone() -> None:
    state = dealt(istimar.begin_at(GAME.chosen(), Start(deal=2, owner=1, previous=(4, -4, 0))))
    state = istimar.skip_hidden(state)
    assert state.step == Ask(1) and state.phase == "choose"
    assert istimar.skip_hidden(state) == state
    state = istimar.skip_hidden(state.apply(1, parse_action("trump H")))
    assert state.phase == "play" and state.step == Ask(1) and state.counts == (16, 16, 16)


def test_a_later_deal_thrown_in_keeps_its_goals_and_its_reason_to_itself() -> None:
    state = sheet(GAME.start().void("lost"), (8, 5, 3))
    assert state.results[0].redeals == ("lost",) and state.redeals == ()
    goals = state.view()["goals"]
    assert goals == [3, 8, 5]
    again = dealt(state).void("cheat 2")
    assert again.view()["goals"] == goals and again.redeals == ("cheat 2",)
    assert dealt(again).step == Ask(1)


def test_three_deals_without_a_tie_end_the_game() -> None:
    state: State = GAME.start()
    for tricks in ((9, 5, 2), (3, 8, 5), (5, 3, 8)):
        assert state.step == NewPack()
        state = sheet(state, tricks)
    assert state.totals == (2, 0, -2) and state.step == Finished() and state.winners == (0,)
