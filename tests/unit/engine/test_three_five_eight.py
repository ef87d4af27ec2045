"""What a table, a record and a screen rely on in 3-5-8."""

from __future__ import annotations

import json

import pytest

from engine.actions import Action, parse_action
from engine.cards import FULL_PACK, parse_card
from engine.game import Ask, Illegal, NewPack, Outcome, Release, Start, State
from engine.games import three_five_eight
from engine.games.three_five_eight import GAME
from tests.unit.engine.kitty_tables import act, exchanging, first_legal, sheet, table


def choosing(state: State) -> State:
    """The state in which the declarer chooses."""
    return state.after(NewPack()).after(Release(tuple(range(18))))


def test_contracts_in_canonical_order() -> None:
    state = choosing(GAME.start(dealer=2))
    assert state.step == Ask(0)
    assert [str(action) for action in state.candidates(0, FULL_PACK)] == [
        "contract S", "contract H", "contract D", "contract C", "contract NT", "contract none",
    ]  # fmt: skip
    with pytest.raises(Illegal, match="illegal-action"):
        state.claim(0, parse_action("trump S"))
    with pytest.raises(Illegal, match="not-your-turn"):
        state.claim(1, parse_action("contract S"))


def test_the_public_cannot_tell_a_free_return_from_a_dictated_one() -> None:
    state = exchanging("three_five_eight", {}, (1, -1, 0), "S").apply(0, Action("give", to=1, hidden=True))
    public = state.claim(1, Action("return", hidden=True))
    free = state.claim(1, parse_action("return 2C"), parse_card("2S"))
    assert public == free and public.deferred and public.excludes == (0,)
    bound = state.claim(1, parse_action("return 2C"), parse_card("3C"))
    assert bound.deferred and bound.excludes != (0,)


def test_a_deal_thrown_in_gives_the_contract_back() -> None:
    state = choosing(GAME.start(dealer=2)).apply(0, parse_action("contract H")).void("cheat 1")
    assert state.step == NewPack() and state.view()["contracts"] == [[], [], []]
    state = choosing(state)
    assert state.claim(0, parse_action("contract H")).excludes == (0,)
    state = sheet(state, (8, 5, 3), "contract H")
    assert state.results[0].redeals == ("cheat 1",)
    # thrown in before the contract was named: what is used stays used
    again = state.after(state.step).void("lost")
    assert again.view()["contracts"] == [["H"], [], []]


def test_the_view_is_plain_json_in_every_phase() -> None:
    referee = table("three_five_eight", {"deals": 3})
    phases = set()
    while isinstance(step := referee.advance(), Ask):
        view = referee.state.view()
        phases.add(view["phase"])
        assert json.loads(json.dumps(view)) == view and view["turn"] == step.seat
        referee.act(step.seat, referee.legal(step.seat)[-1])
    view = referee.state.view()
    assert phases >= {"choose", "discard", "play"} and view["phase"] == "over" and view["turn"] is None
    assert json.loads(json.dumps(view)) == view
    recorded, totals = view["recorded"], view["totals"]
    assert isinstance(recorded, list) and isinstance(totals, list)
    assert [one for one in recorded if one is not None] == [10 * max(totals)] * (3 - recorded.count(None))


def test_a_record_can_begin_in_the_middle() -> None:
    options = GAME.chosen()
    state = three_five_eight.begin_at(options, Start(deal=5, dealer=1, previous=(2, -1, -1)))
    assert state.deal == 5 and state.view()["goals"] == [5, 3, 8]
    state = choosing(state).apply(2, parse_action("contract C"))
    state = state.after(state.step)
    assert state.phase == "exchange" and state.step == Ask(0)
    state = three_five_eight.skip_hidden(state)
    assert state.phase == "play" and state.step == Ask(2)
    state = three_five_eight.score_sheet(state, Outcome(tricks=(5, 3, 8)))
    assert state.totals == (0, 0, 0) and state.deal == 6 and state.dealer == 2
    for start in (
        Start(),
        Start(deal=19, dealer=0),
        Start(deal=0, dealer=0),
        Start(deal=2, dealer=3),
        Start(deal=2, dealer=0, previous=(1, 0, 0)),
        Start(deal=2, dealer=0, previous=(1, -1)),
        Start(deal=2, dealer=0, multiplier=2),
    ):
        with pytest.raises(Illegal, match="bad-start"):
            three_five_eight.begin_at(options, start)


def test_the_last_trick_lies_until_the_next_deal_is_played() -> None:
    referee = table("three_five_eight")
    act(referee, "1 contract NT")
    first_legal(referee, "play")
    first_legal(referee, "deal")
    last = referee.state.view()["last_trick"]
    assert isinstance(last, list) and len(last) == 3
    referee.advance()
    assert referee.state.view()["last_trick"] == last


def test_trumps_are_seen_as_soon_as_the_contract_is_named() -> None:
    for contract, trump in (("H", "H"), ("NT", None), ("none", None)):
        state = choosing(GAME.start(dealer=2))
        assert state.view()["trump"] is None
        state = state.apply(0, parse_action(f"contract {contract}"))
        assert (state.view()["contract"], state.view()["trump"]) == (contract, trump)


def test_the_next_deal_begins_without_a_contract() -> None:
    state = sheet(GAME.start(dealer=2), (5, 4, 7), "contract none")
    assert state.view()["contract"] is None and state.view()["goals"] == [3, 8, 5]
    assert state.void("lost").view()["contracts"] == [["none"], [], []]
