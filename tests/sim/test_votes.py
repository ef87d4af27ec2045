"""Votes among players who are here: nobody is voted away for not agreeing, and two who remain learn nothing for it."""

from __future__ import annotations

import pytest

from protocol.messages import Accept, RecoveryShares, Shares, SitDown, decode_body_untrusted
from protocol.table import events
from protocol.table.rounds import Kind
from tests.sim.world import Peer, World


def asked() -> tuple[World, Peer, list[Peer]]:
    """A table that waits for one player's move, and the three others."""
    world = World("kasra", 3, {"kingdoms": 1}, one_verifies=True)
    world.play(until=lambda: world.table.game_round is not None and world.table.game_round.kind is Kind.ASK)
    assert world.table.game_round is not None
    slow = world.peer_at(world.table.game_round.waiting[0])
    return world, slow, [peer for peer in world.peers if peer is not slow]


def cast(world: World, voter: Peer, against: Peer, yes: bool = True) -> bool:
    vote = voter.table.ballot(voter.seat, against.seat, yes)
    if vote is not None:
        world.add(voter, vote)
    return vote is not None


def test_two_cannot_vote_away_a_third_who_waits_for_the_fourth() -> None:
    world, slow, (one, two, loyal) = asked()
    assert cast(world, one, slow)
    assert cast(world, loyal, slow, yes=False)
    assert cast(world, two, slow)
    assert not cast(world, one, loyal) and not cast(world, two, loyal), "he is here and said so"
    assert not any(player.lost for player in world.table.players)
    assert events.Voted(loyal.seat, slow.seat, yes=False) in one.events


def test_whoever_waits_may_change_his_mind() -> None:
    world, slow, (one, two, loyal) = asked()
    assert cast(world, one, slow) and cast(world, loyal, slow, yes=False) and cast(world, two, slow)
    assert not cast(world, loyal, slow, yes=False), "once is enough"
    assert cast(world, loyal, slow)
    assert [player.lost for player in world.table.players].count(True) == 1 and world.table.players[slow.seat].lost


def test_who_says_he_waits_ends_the_votes_about_his_silence() -> None:
    world, slow, (one, two, late) = asked()
    assert cast(world, one, slow) and cast(world, two, slow)
    assert cast(world, one, late)
    assert cast(world, late, slow, yes=False)
    assert not cast(world, two, late)
    assert late.seat not in world.table.votes and not any(player.lost for player in world.table.players)


def test_nobody_says_he_waits_when_nobody_has_voted() -> None:
    world, slow, (one, *_) = asked()
    assert not cast(world, one, slow, yes=False)


def test_who_vanishes_after_he_said_that_he_waits_does_not_hold_up_the_table() -> None:
    world, slow, (one, two, waits) = asked()
    assert cast(world, one, slow) and cast(world, waits, slow, yes=False) and cast(world, two, slow)
    waits.gone = slow.gone = True
    assert world.ballot(one, waits) is None, "he said that he is here"
    again = one.table.ballot(one.seat, slow.seat, again=True)
    assert again is not None
    world.add(one, again)
    assert one.table.ballot(one.seat, slow.seat, again=True) is None, "once"
    assert cast(world, one, waits) and cast(world, two, waits)
    assert world.table.players[slow.seat].lost and world.table.players[waits.seat].lost
    assert world.table.asked_again == {}
    world.play_on()
    assert world.table.over


def test_who_is_asked_again_says_again_that_he_waits() -> None:
    world, slow, (one, two, waits) = asked()
    assert cast(world, one, slow) and cast(world, waits, slow, yes=False) and cast(world, two, slow)
    again = one.table.ballot(one.seat, slow.seat, again=True)
    assert again is not None
    world.add(one, again)
    assert cast(world, waits, slow, yes=False)
    assert not cast(world, one, waits) and not cast(world, two, waits)
    assert not any(player.lost for player in world.table.players)


def test_nobody_is_asked_again_before_somebody_waits() -> None:
    world, slow, (one, *_) = asked()
    assert cast(world, one, slow)
    assert one.table.ballot(one.seat, slow.seat, again=True) is None


def test_who_only_comes_back_does_not_hold_up_the_table() -> None:
    """The word of a seat that the stand-in still plays is not needed, so it cannot be held back either."""
    world, back, others = asked()
    back.gone = True
    world.play_on(until=lambda: back.table.players[back.seat].lost)
    world.add(back, SitDown())
    assert back.table.players[back.seat].returning
    world.play(until=lambda: any(round.kind is Kind.ASK for round in world.table.rounds))
    slow = world.peer_at(world.table.rounds[0].waiting[0])
    one, two = (peer for peer in others if peer is not slow)
    assert cast(world, one, slow) and cast(world, back, slow, yes=False)
    assert cast(world, two, slow)
    assert world.table.players[slow.seat].lost


@pytest.mark.parametrize("name", ["istimar", "three_five_eight"])
def test_of_three_players_the_two_who_remain_hold_no_share_of_each_other(name: str) -> None:
    options = {"istimar": {"extra_series": 0}, "three_five_eight": {"deals": 3}}[name]
    world = World(name, 7, dict(options), 3, one_verifies=True)
    world.play(until=lambda: world.table.game_round is not None and world.table.game_round.kind is Kind.ASK)
    lost = world.peer_at(0)
    lost.gone = True
    at = len(world.records)
    keys = dict(world.table.pack.keys)
    world.play_on(until=lambda: world.table.players[0].lost and world.table.recover_round is None)
    pack = world.table.pack
    ciphertexts = [published.to(0).E for sender, published in pack.published.items() if sender != 0]
    assert all(pack.recovered_at(0, point) is None for point in ciphertexts), "a share opened would be the other half"
    world.play_on()
    assert world.table.over and keys
    bodies = [decode_body_untrusted(record.entry.body) for record in world.records[at:]]
    assert any(isinstance(body, RecoveryShares) for body in bodies)
    later = [body for body in bodies if isinstance(body, Shares | Accept) and body.serial > pack.serial + 1]
    assert later == [], "a pack of two seats has no recovery shares: each would be the whole key"
