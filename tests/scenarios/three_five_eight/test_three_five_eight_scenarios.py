"""The worked examples of 3-5-8, each named by its id. The `.table` files beside this one hold the short ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.actions import Action, parse_action
from engine.cards import FULL_PACK, count, parse_cards
from engine.game import Ask, Finished, Illegal, NewPack, OpenKitty, Release, State, TakeKitty, legal
from engine.games import game
from engine.games.three_five_eight import GAME, ThreeFiveEight
from engine.record import read, replay
from tests.unit.engine.kitty_tables import (
    act,
    exchange_of,
    exchanging,
    first_legal,
    numbers,
    options_of,
    pack_with,
    playable,
    returnable,
    rows,
    sheet,
    table,
)

HERE = Path(__file__).parent
NAME = "three_five_eight"


@pytest.mark.parametrize(("example", "options", "trump", "on_table", "hand", "expected"), rows(HERE, "plays"))
def test_play(example: str, options: str, trump: str, on_table: str, hand: str, expected: str) -> None:
    assert playable(NAME, options, trump, on_table, hand) == expected


@pytest.mark.parametrize(("example", "options", "trump", "received", "own", "expected"), rows(HERE, "returns"))
def test_return(example: str, options: str, trump: str, received: str, own: str, expected: str) -> None:
    assert returnable(NAME, options, trump, received, own) == expected


@pytest.mark.parametrize(("example", "options", "contract", "tricks", "points"), rows(HERE, "scores"))
def test_score(example: str, options: str, contract: str, tricks: str, points: str) -> None:
    state = GAME.start(options_of(NAME, options), dealer=2)  # seat 0 declares, 1 is the middle, 2 deals
    after = sheet(state, numbers(tricks), f"contract {contract}")
    assert after.results[0].points == numbers(points)
    assert sum(after.totals) == 0


@pytest.mark.parametrize(("example", "options", "previous", "moves"), rows(HERE, "quotas"))
def test_quota(example: str, options: str, previous: str, moves: str) -> None:
    state = exchanging(NAME, options_of(NAME, options), numbers(previous), "S")
    seen = []
    while state.phase == "exchange":
        giver = exchange_of(state).step.seat
        stop, action, *_ = state.candidates(giver, parse_cards("2C"))
        assert str(stop) == "stop"
        seen.append(f"{giver}>{action.to}")
        state = state.apply(giver, action.concealed())
        state = state.apply(action.to, Action("return", hidden=True))
    assert " ".join(seen) == moves
    assert isinstance(state.step, OpenKitty)


def test_s358_x3_the_exchange_after_x1() -> None:
    # After X1 (L +2, M -1, D -1) the middle declares: old L is now the dealer, old M the declarer, old D the middle.
    state = sheet(GAME.start(dealer=2), (10, 4, 2), "contract H")
    pack = pack_with(("4C 5H 2D", "9C QC", ""), lacks=("", "C", "H"))
    referee = table(NAME, pack=pack, start=state)
    act(referee, "1 contract S")
    act(referee, "0 give 1 4C", "1 return QC")
    with pytest.raises(Illegal, match="exchange-quota"):
        act(referee, "0 give 1 2D")
    act(referee, "0 give 2 5H")
    assert [str(action) for action in referee.legal(2)] == ["return 5H"]
    act(referee, "2 return 5H")
    assert all(count(hand) == 16 for hand in referee.hands) and referee.state.counts == (16, 16, 16)
    with pytest.raises(Illegal, match="not-your-turn"):
        act(referee, "0 give 1 2D")
    assert referee.hands[0] & parse_cards("QC 5H") == parse_cards("QC 5H")


def test_s358_x4_a_trump_is_answered_with_any_card() -> None:
    state = exchanging(NAME, {}, (2, -1, -1), "S").apply(0, parse_action("give 1 2S"))
    hand = parse_cards("2S AS 3C")
    received = parse_cards("2S").bit_length() - 1
    actions = legal(state, 1, hand, received)
    assert [str(action) for action in actions] == ["return 2S", "return 3C", "return AS"]
    assert all(state.claim(1, action, received).deferred for action in actions)


@pytest.mark.parametrize("contract", ["NT", "none"])
def test_s358_x6_no_exchange_without_trumps_and_the_right_lapses(contract: str) -> None:
    state = sheet(GAME.start(dealer=2), (10, 4, 2), "contract H")
    assert state.results[-1].points == (2, -1, -1)
    state = state.after(state.step)
    state = state.after(state.step).apply(1, parse_action(f"contract {contract}"))
    state = state.after(state.step)
    assert isinstance(state.step, OpenKitty)
    # The deal after that looks at the points of this one only: everybody made the goal, so nobody exchanges.
    tricks = (3, 8, 5) if contract == "NT" else (8, 3, 5)
    state = sheet(state, tricks)
    assert state.results[-1].points == (0, 0, 0)
    state = state.after(state.step)
    state = state.after(state.step).apply(2, parse_action("contract S"))
    assert isinstance(state.after(state.step).step, OpenKitty)


def test_s358_x10_the_last_contract_is_the_only_one() -> None:
    state: State = GAME.start(dealer=2)
    for contract in ("S", "H", "D", "NT", "none"):
        for seat in range(3):
            # S358-5 goes by player: the others may declare what seat 0 declared before
            assert state.view()["declarer"] == seat
            state = sheet(state, (8, 4, 4), f"contract {contract}")
    state = state.after(state.step)
    state = state.after(state.step)
    assert [str(action) for action in legal(state, 0, FULL_PACK)] == ["contract C"]
    with pytest.raises(Illegal, match="contract-declared"):
        state.claim(0, parse_action("contract NT"))


def test_s358_x11_a_tie_is_won_by_both_and_recorded_ten_times() -> None:
    state: State = GAME.start({"deals": 3}, dealer=2)
    wanted = ((2, 1, -3), (2, 2, -4), (3, 4, -7))
    for points in wanted:
        goals = state.view()["goals"]
        assert isinstance(goals, list)
        state = sheet(state, [goal + one for goal, one in zip(goals, points, strict=True)])
    assert state.totals == (7, 7, -14) and state.winners == (0, 1)
    assert isinstance(state, ThreeFiveEight) and state.recorded == (70, 70, None)
    assert state.view()["recorded"] == [70, 70, None]


def test_s358_x12_the_first_deal_has_no_exchange_and_the_eighteenth_is_the_last() -> None:
    state: State = GAME.start(dealer=2)
    state = state.after(state.step)
    state = state.after(state.step).apply(0, parse_action("contract D"))
    assert isinstance(state.after(state.step).step, OpenKitty)
    contracts = ["S", "H", "D", "C", "NT", "none"]
    state = GAME.start(dealer=2)
    for deal in range(18):
        assert state.deal == deal + 1
        state = sheet(state, (6, 5, 5), f"contract {contracts[deal // 3]}")
    assert state.step == Finished() and len(state.results) == 18
    # each contract once for each, and each seat declares six times
    view = state.view()["contracts"]
    assert view == [contracts] * 3


def test_b_358_1_roles_go_round() -> None:
    state: State = GAME.start(dealer=1)
    seen = []
    for _ in range(3):
        goals = state.view()["goals"]
        seen.append((state.dealer, state.view()["declarer"], goals))
        state = sheet(state, (6, 5, 5))
    assert seen == [(1, 2, [5, 3, 8]), (2, 0, [8, 5, 3]), (0, 1, [3, 8, 5])]


def test_b_358_18_and_e_9_only_multiples_of_three() -> None:
    for deals in (3, 6, 9, 12, 15, 18):
        assert GAME.start({"deals": deals}).options["deals"] == deals
    for deals in (1, 4, 20, "18"):
        with pytest.raises(Illegal, match="bad-option-value"):
            GAME.start({"deals": deals})
    assert game("358") is GAME


def test_e_8_the_exchange_comes_before_the_kitty() -> None:
    """E-8: one suit, the giver chooses, and nothing of the kitty can be exchanged."""
    state = sheet(GAME.start(dealer=2), (10, 4, 2), "contract H")
    referee = table(NAME, start=state)
    act(referee, "1 contract S")
    order = []
    while referee.state.phase != "play":
        step = referee.state.step
        order.append(type(step).__name__ if not isinstance(step, Ask) else referee.state.phase)
        if isinstance(step, Ask):
            referee.act(step.seat, referee.legal(step.seat)[-1])
        else:
            referee.do(step)
    assert order == ["Release", *["exchange"] * 4, "OpenKitty", "TakeKitty", *["discard"] * 4]


def test_e_10_the_four_new_cards_stay_marked_while_putting_aside() -> None:
    pack = pack_with(kitty="2H 3H 4H 6H")
    referee = table(NAME, pack=pack)
    act(referee, "1 contract S")
    assert isinstance(referee.advance(), Ask)
    for _ in range(4):
        assert referee.state.view()["kitty"] == ["2H", "3H", "4H", "6H"]
        act(referee, f"1 {referee.legal(1)[0]}")


def test_e_15_cards_are_listed_from_the_lowest_rank_clubs_before_spades() -> None:
    state = exchanging(NAME, {}, (2, -1, -1), "S")
    hand = parse_cards("AC TC 2S 2C JS 9D TH")
    listed = [str(action) for action in legal(state, 0, hand)]
    cards = ["2C", "2S", "9D", "TC", "TH", "JS", "AC"]
    assert listed == ["stop", *(f"give {to} {card}" for to in (1, 2) for card in cards)]


def test_e_17_the_declarer_leads_whoever_acted_last() -> None:
    state = sheet(GAME.start(dealer=2), (10, 4, 2), "contract H")
    referee = table(NAME, start=state)
    act(referee, "1 contract S")
    first_legal(referee, "play")
    assert referee.state.step == Ask(1)


def test_s358_4_the_declarer_has_six_cards_when_he_chooses() -> None:
    referee = table(NAME)
    assert [count(hand) for hand in referee.hands] == [6, 6, 6] and referee.state.counts == (6, 6, 6)
    assert referee.state.step == Ask(1)
    act(referee, "1 contract none")
    step = referee.state.step
    assert isinstance(step, Release) and len(step.positions) == 30
    referee.do(step)
    assert referee.state.counts == (16, 16, 16)


def test_s358_7_stopping_early() -> None:
    state = exchanging(NAME, {}, (1, 1, -2), "S")
    assert state.step == Ask(0)
    state = state.apply(0, Action("stop"))
    assert state.step == Ask(1)
    state = state.apply(1, Action("stop"))
    assert isinstance(state.step, OpenKitty)


def test_audit_only_after_an_exchange() -> None:
    for stop in (True, False):
        state = sheet(GAME.start(dealer=2), (10, 4, 2), "contract H")
        referee = table(NAME, start=state)
        act(referee, "1 contract S")
        referee.advance()
        while referee.state.phase == "exchange":
            step = referee.advance()
            assert isinstance(step, Ask)
            referee.act(step.seat, referee.legal(step.seat)[0 if stop else -1])
            if isinstance(referee.state.step, OpenKitty | TakeKitty):
                break
        phases = set()
        while not isinstance(step := referee.state.step, NewPack):
            phases.add(referee.state.phase)
            if isinstance(step, Ask):
                referee.act(step.seat, referee.legal(step.seat)[0])
            else:
                referee.do(step)
        assert ("audit" in phases) is (not stop)


def test_a_whole_game_on_a_score_sheet() -> None:
    text = """majlis-record 1
game: three_five_eight
option: deals 3
deal 1
dealer: 2
0 contract H
tricks: 10 4 2
score: 2 -1 -1
deal 2
1 contract NT
tricks: 3 8 5
score: 0 0 0
deal 3
2 contract none
tricks: 5 8 3
score: 0 0 0
total: 2 -1 -1
"""
    result = replay(read(text))
    assert result.finished and result.state.winners == (0,)
    assert result.state.view()["recorded"] == [20, None, None]
