"""A player vanishes between a claim and the score: what the claim left unseen stays unseen."""

from __future__ import annotations

from random import Random

import pytest

from engine.actions import Action
from engine.record import read, replay, write
from p2p.recording import record_of_untrusted
from protocol.deck.group import encode
from protocol.table import events
from protocol.table.rounds import Kind
from protocol.table.table import Table
from tests.sim.games import cheats
from tests.unit.cli.logs import bodies, new

SEEDS = {"kasra": 1, "istimar": 2, "estimation": 4, "three_five_eight": 1}
"""With which the first deal is claimed."""


@pytest.mark.parametrize("owes", [True, False], ids=["who owes an audit", "who owes nothing"])
def test_a_player_vanishes_before_the_audit_of_a_claimed_deal(owes: bool) -> None:
    world = new("istimar")

    def claimed() -> bool:
        round = world.table.game_round
        return round is not None and round.kind is Kind.AUDIT and bool(world.table.pack.folded)

    world.play(until=claimed)
    assert claimed(), "a seed that shows nothing"
    table, pack = world.table, world.table.pack
    assert table.state is not None and table.state.counts == (0, 0, 0)
    assert any(pack.folded) and not any(pack.knowledge.hands), "hands that were never played, and are put away"
    owing = {seat for round in table.rounds if round.kind is Kind.AUDIT for seat in round.waiting}
    lost = next(peer for peer in world.peers[1:] if (peer.seat in owing) is owes)
    lost.gone = True
    seat, deal = lost.seat, table.state.deal
    world.play_on()
    assert world.table.over and not cheats(world)
    assert world.table.state is not None and len(world.table.state.results) >= deal
    assert events.Lost(seat) in world.peers[0].events or not owes
    # Nothing of the hand was opened, only what the audit is about.
    assert not pack.open_cards
    about = [one for at, one in enumerate(pack.deferred) if one.seat == seat and at not in pack.audited]
    concerned = [cipher for one in about for cipher in (one.moved, one.received, *one.left) if cipher is not None]
    audited = {encode(cipher.a) for cipher in concerned}
    hidden = {encode(pack.slots[slot].a) for slot in pack.folded[seat]} - audited
    assert not hidden & {point for who, point in pack.recovered if who == seat}
    again = replay(read(write(record_of_untrusted(bodies(world)))))
    assert again.results == world.table.state.results


def claims_all(table: Table, seat: int, actions: list[Action], rng: Random) -> Action:
    """High cards are kept, and the rest is claimed in every deal."""
    assert table.state is not None
    claims = [action for action in actions if action.verb == "claim"]
    return claims[0] if claims else actions[0] if table.state.phase == "play" else rng.choice(actions)


@pytest.mark.parametrize("game", SEEDS)
def test_the_rest_is_claimed_while_the_hand_of_a_lost_player_lies_open(game: str) -> None:
    """The others claim against a hand that everybody sees, and the record of it all is whole."""
    world = new(game, SEEDS[game])
    for peer in world.peers:
        peer.chooser = claims_all
    world.play(until=lambda: world.table.state is not None and world.table.state.phase == "play")
    lost = world.peers[1]
    lost.gone = True
    world.play_on()
    assert world.table.over and not cheats(world)
    told, seat = world.peers[0].events, lost.seat
    claimed = [event for event in told if isinstance(event, events.Acted) and event.action.verb == "claim"]
    assert claimed and all(event.seat != seat and not event.by_standin for event in claimed)
    first = told.index(claimed[0])
    assert events.Lost(seat) in told[:first], "a seed that shows nothing"
    assert not any(isinstance(event, events.Scored) for event in told[:first])
    assert world.table.state is not None
    assert replay(read(write(record_of_untrusted(bodies(world))))).results == world.table.state.results
