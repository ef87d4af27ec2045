"""A seat is lost at every moment that a deal has, by who is asked, who has answered already, and who is not asked.

The deal must end with a valid score, the same at every peer, and nobody may be named for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import NamedTuple

import pytest

from protocol.table import events
from protocol.table.rounds import Kind
from tests.sim.games import SHORT, Short, assert_same, assert_valid, cheats, rebuilt
from tests.sim.world import World

SEED = 5


class Moment(NamedTuple):
    """Where a game stands: the kind of the open round, the phase, and whom it waits for."""

    height: int
    kind: Kind
    phase: str
    role: str
    seat: int


@cache
def whole_game(name: str) -> World:
    short = SHORT[name]
    world = World(short.game, SEED, short.options, short.seats, one_verifies=True)
    world.play()
    assert world.table.over and not cheats(world)
    return world


def moments(world: World) -> Iterator[Moment]:
    """The first of each sort in a game: kind of round, phase, and whether the seat owes, has answered, or neither."""
    found: set[tuple[Kind, str, str]] = set()
    copy = world.again(1)
    for height, record in enumerate(world.records[1:], 2):
        for peer in copy.peers[:1]:
            copy.take(peer, record)
        table = copy.peers[0].table
        phase = table.state.phase if table.state is not None else "draw"
        for round in table.rounds:
            others = [seat for seat in range(table.seats) if seat not in round.waiting]
            roles = {
                "asked": round.waiting[0],
                "has answered": next((seat for seat in others if seat in round.given), None),
                "not asked": next((seat for seat in others if seat not in round.given), None),
            }
            for role, seat in roles.items():
                if seat is not None and (round.kind, phase, role) not in found:
                    found.add((round.kind, phase, role))
                    yield Moment(height, round.kind, phase, role, seat)


def lose_and_play_on(world: World, seat: int, deals: int = 1) -> None:
    """`seat` vanishes; the others play until so many more deals are scored."""
    before = len(world.table.state.results) if world.table.state is not None else 0
    world.peer_at(seat).gone = True

    def scored() -> bool:
        state = world.table.state
        return state is not None and len(state.results) >= before + deals

    world.play_on(until=scored)


def check(world: World, short: Short) -> None:
    assert not cheats(world)
    for peer in world.peers[1:]:
        assert_same(world.peers[0].table, peer.table)
    state = world.table.state
    assert state is not None
    assert_valid(short.game, short.options, state.results)


def losses(name: str, every: int = 1) -> None:
    whole = whole_game(name)
    lost = 0
    for moment in list(moments(whole))[::every]:
        world = whole.again(moment.height)
        try:
            lose_and_play_on(world, moment.seat)
            check(world, SHORT[name])
        except AssertionError as wrong:
            raise AssertionError(f"{name}, {moment}: {wrong}") from wrong
        lost += any(isinstance(event, events.Lost) for event in world.peers[0].events)
    assert lost > 5


@pytest.mark.parametrize("name", ["istimar, owner's kitty"])
def test_a_player_vanishes_at_many_moments(name: str) -> None:
    losses(name, every=3)


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(SHORT))
def test_a_player_vanishes_at_any_moment(name: str) -> None:
    losses(name)


def test_the_stand_in_plays_and_the_deal_counts() -> None:
    world = World("kasra", 3, {"kingdoms": 1}, one_verifies=True)
    world.play(until=lambda: world.table.in_play is not None and world.table.pack.knowledge.seen.bit_count() == 20)
    lose_and_play_on(world, 2)
    happened = world.peers[0].events
    standin = [event for event in happened if isinstance(event, events.Acted) and event.by_standin]
    assert standin and {event.seat for event in standin} == {2}
    assert events.Lost(2) in happened and not any(isinstance(event, events.Redealt) for event in happened)
    check(world, SHORT["kasra"])


def test_a_second_player_vanishes_later_in_the_same_deal() -> None:
    """His share of the first one's key comes from its ciphertext, which was opened with the first one's hand."""
    world = World("kasra", 3, {"kingdoms": 1}, one_verifies=True)
    world.play(until=lambda: world.table.in_play is not None and world.table.pack.knowledge.seen.bit_count() == 10)
    world.peer_at(1).gone = True
    world.play_on(until=lambda: world.table.pack.knowledge.seen.bit_count() >= 30 and not world.table.recover_round)
    lose_and_play_on(world, 3)
    happened = world.peers[0].events
    assert [event.seat for event in happened if isinstance(event, events.Lost)] == [1, 3]
    assert not any(isinstance(event, events.Redealt) for event in happened)
    check(world, SHORT["kasra"])


def test_two_players_vanish_at_the_same_moment() -> None:
    """Neither hand can be opened: the deal is dealt again, and both seats are dealt open from then on."""
    world = World("kasra", 3, {"kingdoms": 1}, one_verifies=True)
    world.play(until=lambda: world.table.in_play is not None and world.table.pack.knowledge.seen.bit_count() == 10)
    world.peer_at(1).gone = True
    lose_and_play_on(world, 2)
    happened = world.peers[0].events
    assert sorted(event.seat for event in happened if isinstance(event, events.Lost)) == [1, 2]
    assert events.Redealt("two-lost") in happened
    check(world, SHORT["kasra"])


def test_a_player_vanishes_while_his_recovery_share_is_awaited() -> None:
    world = World("kasra", 3, {"kingdoms": 1}, one_verifies=True)
    world.play(until=lambda: world.table.in_play is not None and world.table.pack.knowledge.seen.bit_count() == 10)
    world.peer_at(1).gone = True
    world.play_on(until=lambda: world.table.recover_round is not None)
    lose_and_play_on(world, 3)
    assert events.Redealt("two-lost") in world.peers[0].events
    check(world, SHORT["kasra"])


def test_with_one_player_left_the_game_is_over_without_winners() -> None:
    world = World("istimar", 3, {"extra_series": 0}, 3, one_verifies=True)
    world.play(until=lambda: world.table.in_play is not None and world.table.pack.knowledge.seen.bit_count() == 10)
    world.peer_at(0).gone = True
    world.play_on(until=lambda: world.table.players[0].lost)
    world.peer_at(1).gone = True
    world.play_on()
    assert world.table.over
    assert [event.winners for event in world.peers[0].events if isinstance(event, events.Ended)] == [()]


def test_a_vote_lapses_when_the_seat_answers() -> None:
    world = World("kasra", 3, {"kingdoms": 1}, one_verifies=True)
    world.play(until=lambda: world.table.game_round is not None and world.table.game_round.kind is Kind.ASK)
    asked = world.table.game_round
    assert asked is not None
    slow = world.peer_at(asked.waiting[0])
    voters = [peer for peer in world.peers if peer is not slow]
    for voter in voters[:2]:
        vote = voter.table.ballot(voter.seat, slow.seat)
        assert vote is not None
        world.add(voter, vote)
    assert world.table.votes == {slow.seat: {voter.seat for voter in voters[:2]}}
    late = voters[2].table.ballot(voters[2].seat, slow.seat)
    assert late is not None and voters[0].table.ballot(voters[0].seat, slow.seat) is None, "one vote each"
    world.add(slow, world.answer(slow, asked))
    assert world.table.votes == {}
    world.add(voters[2], late)
    assert world.table.votes == {}, "a vote about a step that has its answer is stale"
    assert not slow.table.players[slow.seat].lost


def test_a_lost_player_sits_down_again_from_the_next_deal_on() -> None:
    from protocol.messages import SitDown

    world = World("kasra", 3, {"kingdoms": 1}, one_verifies=True)
    world.play(until=lambda: world.table.in_play is not None and world.table.pack.knowledge.seen.bit_count() == 10)
    back = world.peer_at(2)
    lose_and_play_on(world, 2)
    back.gone = False
    world.add(back, SitDown())
    world.add(back, SitDown())  # once is enough: the second is stale and drops no pack
    assert sum(isinstance(event, events.Returned) for event in world.peers[0].events) == 1
    world.play()
    assert world.table.over and not world.table.players[2].lost
    assert any(isinstance(event, events.Acted) and event.seat == 2 for event in back.events[-60:])
    check(world, SHORT["kasra"])
    assert_same(world.table, rebuilt(world, trusted=False))


def test_nobody_holds_up_a_table_by_sitting_down_and_keeping_silent_again_and_again() -> None:
    """Once until a deal is scored: the next deal is dealt without him. After it he may sit down again."""
    from protocol.messages import SitDown

    world = World("kasra", 3, {"kingdoms": 1}, one_verifies=True)
    world.play(until=lambda: world.table.in_play is not None and world.table.pack.knowledge.seen.bit_count() == 10)
    silent = world.peer_at(2)
    silent.gone = True
    world.play_on(until=lambda: world.table.players[2].lost)
    world.add(silent, SitDown())
    world.play_on(until=lambda: not world.table.players[2].lost)  # the pack of the next deal is begun with him
    assert world.table.may_sit_down(2) is False
    world.play_on(until=lambda: world.table.players[2].lost)
    scored = len(world.table.state.results) if world.table.state is not None else 0
    if scored > world.table.players[2].sat_down:  # that deal was scored meanwhile: he may, once
        world.add(silent, SitDown())
        world.play_on(until=lambda: not world.table.players[2].lost)
        world.play_on(until=lambda: world.table.players[2].lost)
    before = world.stale
    world.add(silent, SitDown())
    assert world.stale == before + 1 and not world.table.players[2].returning
    world.play_on(until=lambda: world.table.over or world.table.may_sit_down(2))
    assert world.table.state is not None and len(world.table.state.results) == scored + 1
    world.play_on()
    check(world, SHORT["kasra"])


def must_return(world: World, kind: Kind) -> bool:
    """Whether somebody was handed a card and owes a round of this kind."""
    table, asked = world.table, world.table.game_round
    if table.state is None or table.state.phase != "exchange" or asked is None or not asked.waiting:
        return False
    return asked.waiting[0] in table.pack.received and asked.kind is kind


def test_a_lost_loser_returns_what_the_rule_asks_for() -> None:
    """He was handed a card before he vanished, mixed his hand or not: the stand-in knows what it answers."""
    for seed, kind in ((0, Kind.MIX), (1, Kind.ASK), (2, Kind.ASK)):
        world = World("istimar", seed, {"extra_series": 0}, 3, one_verifies=True)
        world.play(until=partial(must_return, world, kind))
        if world.table.over:
            continue
        asked = world.table.game_round
        assert asked is not None and asked.kind in (Kind.ASK, Kind.MIX)
        seat = asked.waiting[0]
        peer = world.peer_at(seat)
        expected = [str(action) for action in peer.holder.legal(peer.table, seat)] if asked.kind is Kind.ASK else []
        before = len(world.peers[0].events)
        lose_and_play_on(world, seat)
        returned = [
            str(event.action)
            for event in world.peers[0].events[before:]
            if isinstance(event, events.Acted) and event.seat == seat and event.action.verb == "return"
        ]
        assert returned, "the stand-in returned a card"
        assert not expected or returned[0] in expected
        check(world, SHORT["istimar"])
