"""The worked examples of Isti'mar, each named by its id. The `.table` files beside this one hold the short ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.actions import Action, parse_action
from engine.cards import FULL_PACK, count, names, parse_cards
from engine.game import Ask, Finished, Illegal, NewPack, OpenKitty, Search, State, TakeKitty
from engine.games.istimar import GAME
from engine.referee import Referee, packs
from engine.tricks import winning
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


@pytest.mark.parametrize(("example", "options", "trump", "on_table", "hand", "expected"), rows(HERE, "plays"))
def test_play(example: str, options: str, trump: str, on_table: str, hand: str, expected: str) -> None:
    assert playable("istimar", options, trump, on_table, hand) == expected


@pytest.mark.parametrize(("example", "options", "received", "own", "expected"), rows(HERE, "returns"))
def test_return(example: str, options: str, received: str, own: str, expected: str) -> None:
    assert returnable("istimar", options, "", received, own) == expected


@pytest.mark.parametrize(("example", "options", "tricks", "points"), rows(HERE, "scores"))
def test_score(example: str, options: str, tricks: str, points: str) -> None:
    after = sheet(GAME.start(options_of("istimar", options)), numbers(tricks), shows=0)
    assert after.results[0].points == numbers(points)
    assert after.results[0].breakdown == tuple((("IST-15", one),) for one in numbers(points))
    assert sum(after.totals) == 0


@pytest.mark.parametrize(("example", "options", "previous", "moves"), rows(HERE, "quotas"))
def test_quota(example: str, options: str, previous: str, moves: str) -> None:
    state = exchanging("istimar", options_of("istimar", options), numbers(previous), "")
    seen = []
    while state.phase == "exchange":
        giver = exchange_of(state).step.seat
        action = next(iter(state.candidates(giver, parse_cards("2C"))))
        seen.append(f"{giver}>{action.to}")
        state = state.apply(giver, action.concealed())
        state = state.apply(action.to, Action("return", hidden=True))
    assert " ".join(seen) == moves
    assert state.step == Ask(0) and state.phase == "choose"


def test_ist_x2_the_exchange_follows_from_the_score() -> None:
    state = sheet(GAME.start(), (12, 3, 1))
    while state.phase != "exchange":
        state = state.after(state.step)
    view = state.view()["exchange"]
    assert isinstance(view, dict)
    # seat 1 has goal 8 now; seat 0, who won, gives two cards to each of the others
    assert (view["giver"], view["may_give"], view["may_get"]) == (0, [4, 0, 0], [0, 2, 2])


def test_ist_x9_all_three_use_up_the_quota() -> None:
    pack = pack_with(("4H KH 2C", "9H JH", ""), lacks=("", "CH", ""))
    start = exchanging("istimar", {}, (6, -6, 0), "").void("test")
    referee = table("istimar", pack=pack, start=start)
    for give, back in (("4H", "JH"), ("KH", "KH"), ("2C", "2C")):
        act(referee, f"0 give 1 {give}")
        assert [str(action) for action in referee.legal(1)] == [f"return {back}"]
        act(referee, f"1 return {back}")
    assert referee.state.phase == "choose"
    assert all(count(hand) == 16 for hand in referee.hands)


def test_ist_x10_a_tie_for_first_place_is_played_out_once() -> None:
    # 6 / 6 / -12 after three deals: not over
    state: State = GAME.start()
    for points in ((2, 2, -4), (2, 2, -4), (2, 2, -4)):
        state = sheet(state, tricks_for_points(state, points))
        assert state.last_deal == (3 if state.deal <= 3 else 6)
    assert state.totals == (6, 6, -12) and state.step == NewPack() and state.deal == 4
    six = state
    for points in ((2, 2, -4), (2, 2, -4), (0, 0, 0)):
        state = sheet(state, tricks_for_points(state, points))
    assert state.totals == (10, 10, -20) and state.step == Finished() and state.winners == (0, 1)
    state = six
    for points in ((2, 2, -4), (2, 2, -4), (0, -2, 2)):
        state = sheet(state, tricks_for_points(state, points))
    assert state.totals == (10, 8, -18) and state.winners == (0,)


def tricks_for(state: State, by_role: tuple[int, int, int]) -> tuple[int, ...]:
    """Tricks by seat, from tricks by goal 8, 5, 3 (seat 0 shows the seven in the first deal)."""
    declarer = state.view()["declarer"]
    first = declarer if isinstance(declarer, int) else 0
    return tuple(by_role[(seat - first) % 3] for seat in range(3))


def tricks_for_points(state: State, points: tuple[int, int, int]) -> tuple[int, ...]:
    """Tricks by seat that give these points."""
    goals = tricks_for(state, (8, 5, 3))
    return tuple(goal + one // 2 for goal, one in zip(goals, points, strict=True))


def test_ist_x11_seven_of_hearts_in_the_kitty_is_dealt_again() -> None:
    lost, found = pack_with(kitty="7H"), pack_with(("", "7H", ""))
    referee = Referee(GAME.start(), packs([lost, found]))
    step = referee.advance()
    assert step == Ask(1) and referee.state.phase == "choose" and referee.state.deal == 1
    assert referee.state.results == ()
    act(referee, "1 trump S")
    first_legal(referee, "deal")
    assert referee.state.results[0].redeals == ("seven in kitty",)


def test_ist_x12_any_four_of_twenty_are_put_aside() -> None:
    pack = pack_with(("7H 3C 4C 6D", "", ""), kitty="2C AH 3H KS")
    referee = table("istimar", pack=pack)
    act(referee, "0 trump D")
    assert isinstance(referee.advance(), Ask)
    assert referee.state.counts == (20, 16, 16) and count(referee.hands[0]) == 20
    act(referee, "0 discard 2C", "0 discard 3C")
    with pytest.raises(Illegal, match="card-not-held"):
        act(referee, "0 discard 2C")
    act(referee, "0 discard 4C")
    with pytest.raises(Illegal, match="illegal-action"):
        act(referee, "0 play 6D")
    act(referee, "0 discard 6D")
    assert referee.state.counts == (16, 16, 16) and referee.state.phase == "play"
    with pytest.raises(Illegal, match="illegal-action"):
        act(referee, "0 discard AH")
    with pytest.raises(Illegal, match="card-not-held"):
        act(referee, "0 play 2C")


def test_b_ist_1_next_heart() -> None:
    pack = pack_with(("", "", "6H"), kitty="7H 8H JH AH")
    referee = table("istimar", options_of("istimar", "seven_in_kitty next_heart"), pack)
    holder = next(seat for seat, hand in enumerate(referee.hands) if hand & parse_cards("9H"))
    assert referee.state.step == Ask(holder)
    # after the ace the search goes down from the six
    state: State = GAME.start({"seven_in_kitty": "next_heart"})
    order = []
    state = state.after(state.step)
    state = state.after(state.step)
    while len(order) < 13:
        assert isinstance(state.step, Search)
        order.append(names(1 << state.step.card))
        state = state.after(state.step)
    assert order == ["7H", "8H", "9H", "TH", "JH", "QH", "KH", "AH", "6H", "5H", "4H", "3H", "2H"]


@pytest.mark.parametrize(
    ("rotation", "roles"),
    [("right", [(8, 5, 3), (3, 8, 5), (5, 3, 8)]), ("left", [(8, 5, 3), (5, 3, 8), (3, 8, 5)])],
)
def test_b_ist_4_goals_go_round(rotation: str, roles: list[tuple[int, ...]]) -> None:
    state: State = GAME.start({"goal_rotation": rotation})
    seen = []
    for _ in range(3):
        before = state
        state = sheet(state, tricks_for(state, (16, 0, 0)))
        seen.append(tuple(before.view()["goals"]) or (8, 5, 3))  # type: ignore[arg-type]
    assert seen == roles
    assert state.deal == 4  # 16 tricks to the 8 each time: all have 0


def test_b_ist_10_kitty_shown_to_its_owner_alone() -> None:
    pack = pack_with(("7H", "", ""), kitty="2C AH 3H KS")
    for shown, expected in (("all", "2C 3H AH KS"), ("owner", "")):
        referee = table("istimar", {"kitty_shown": shown}, pack)
        act(referee, "0 trump D")
        step = referee.state.step
        assert isinstance(step, OpenKitty) and step.only == (0 if shown == "owner" else -1)
        referee.do(step)
        assert isinstance(referee.state.step, TakeKitty)
        assert referee.state.view()["kitty"] == expected.split()
        referee.advance()
        assert referee.state.counts == (20, 16, 16)


def test_b_ist_16_stopping_early_is_an_option() -> None:
    state = exchanging("istimar", {}, (4, -2, -2), "")
    with pytest.raises(Illegal, match="exchange-not-optional"):
        state.claim(0, Action("stop"))
    state = exchanging("istimar", {"exchange_optional": "yes"}, (4, -2, -2), "")
    assert str(next(iter(state.candidates(0, FULL_PACK)))) == "stop"
    assert state.apply(0, Action("stop")).phase == "choose"
    # the other winner still gives
    state = exchanging("istimar", {"exchange_optional": "yes"}, (2, 2, -4), "")
    assert state.apply(0, Action("stop")).step == Ask(1)


def test_b_ist_19_no_extra_series() -> None:
    state: State = GAME.start({"extra_series": 0})
    for _ in range(3):
        state = sheet(state, tricks_for(state, (8, 5, 3)))
    assert state.step == Finished() and state.winners == (0, 1, 2)


def test_b_ist_2_and_5_the_dealer_has_goal_3_and_the_8_leads() -> None:
    state = sheet(GAME.start(dealer=2), (8, 5, 3), shows=0)
    assert state.dealer == 0 and state.view()["declarer"] == 1
    referee = table("istimar", start=state)
    act(referee, "1 trump H")
    first_legal(referee, "play")
    assert referee.state.step == Ask(1)


def test_e_16_the_smallest_trump_beats_the_ace_that_was_led() -> None:
    cards = [(0, "AS"), (1, "2D"), (2, "KS")]
    trick = tuple((seat, parse_cards(word).bit_length() - 1) for seat, word in cards)
    assert winning(trick, trump=1) == trick[1]
    state = exchanging("istimar", {}, (0, 0, 0), "")
    state = state.apply(0, parse_action("trump D"))
    while state.phase != "play":
        step = state.step
        state = state.apply(0, Action("discard", hidden=True)) if isinstance(step, Ask) else state.after(step)
    for seat, word in cards:
        state = state.apply(seat, parse_action(f"play {word}"))
    assert state.step == Ask(1) and state.view()["taken"] == [0, 1, 0]
