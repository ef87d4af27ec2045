"""One cheating player at a table of honest ones: play until there is an occasion, cheat once, see who is named."""

from __future__ import annotations

from collections.abc import Callable

from engine.actions import Action
from engine.cards import cards_in
from engine.game import Claim
from engine.knowledge import Slot
from protocol.deck import claims, opening
from protocol.deck.group import mul_base
from protocol.deck.nonce import Nonces, secret_bytes
from protocol.deck.transcript import Context
from protocol.messages import Body, Handed, Move
from protocol.table import events
from protocol.table.checks import Obligation, obligation
from protocol.table.events import Cheated
from protocol.table.rounds import Kind, Round
from protocol.table.table import Table
from tests.sim.world import Peer, World

FRESH = bytes(range(64))

Change = Callable[[Peer, Round, Body], Body | None]
Forge = Callable[[Peer, Round], Body | None]


def caught(world: World, cheater: Peer, *, change: Change | None = None, forge: Forge | None = None) -> str:
    """Let `cheater` play honestly until `change` (or `forge`) gives another entry. The entry must be refused by every
    peer the moment it is ordered, and name him and nobody else. Returns the code."""
    sent: list[int] = []

    def tampered(peer: Peer, round: Round, body: Body) -> Body | None:
        other = change(peer, round, body) if change is not None else None
        return body if other is None else about_to_send(other)

    def forged(peer: Peer, round: Round) -> Body | None:
        other = forge(peer, round) if forge is not None else None
        return None if other is None else about_to_send(other)

    def about_to_send(body: Body) -> Body:
        sent.append(len(world.records))
        cheater.tamper = cheater.forge = None
        for peer in world.peers:
            peer.table.trusted = False
        return body

    cheater.tamper, cheater.forge = tampered, forged
    world.play(until=lambda: bool(sent))
    assert sent, "there was no occasion to cheat"
    return named(world, cheater, sent[0])


def named(world: World, cheater: Peer, height: int) -> str:
    """Every peer has named `cheater` for the entry at `height`, once, and nobody else. Returns the code."""
    codes = set()
    for peer in world.peers:
        cheated = [event for event in peer.events if isinstance(event, Cheated)]
        assert [(event.seat, event.height) for event in cheated] == [(cheater.seat, height)], cheated
        codes.add(cheated[0].code)
        player = peer.table.players[cheater.seat]
        assert player.lost and player.barred
        assert not any(other.barred for other in peer.table.players if other is not player)
    (code,) = codes
    return code


def redealt(world: World) -> bool:
    """Whether the deal was thrown in for the cheat: no score, and the pack is gone."""
    return events.Redealt("cheat") in world.peers[0].events and world.table.in_play is None


def goes_on(world: World) -> None:
    """The game ends without the cheater, the stand-in in his seat."""
    before = len(world.peers[0].events)
    for peer in world.peers[1:]:
        peer.table.trusted = True
    world.play_on()
    assert world.table.over
    happened = world.peers[0].events[before:]
    assert any(isinstance(event, events.Acted) and event.by_standin for event in happened)
    assert not any(isinstance(event, Cheated) for event in happened)


def choosing(*wanted: str) -> Callable[[Table, int, list[Action], object], Action]:
    """A chooser that takes the first of the wanted actions that is legal, else the first legal one."""

    def choose(table: Table, seat: int, actions: list[Action], rng: object) -> Action:
        by_name = {str(action): action for action in actions}
        return next((by_name[name] for name in wanted if name in by_name), actions[0])

    return choose


# --- dishonest answers -----------------------------------------------------------------------------------------------


def owed_by(peer: Peer, action: Action, slots: tuple[Slot, ...], choice: int = 0) -> tuple[Claim, Obligation]:
    """What an action would have to prove."""
    table = peer.table
    assert table.state is not None
    claim = table.state.claim(peer.seat, action)
    return claim, obligation(table.pack, peer.seat, action, claim, slots, choice)


def slots_of(peer: Peer, action: Action) -> tuple[Slot, ...]:
    """Where the cards of an action are."""
    by_card = {card: slot for slot, card in peer.holder.hand(peer.table, peer.seat).items()}
    return tuple(by_card[card] for card in cards_in(action.cards))


def false_claim(peer: Peer, context: Context, owed: Obligation) -> bytes:
    """A proof of the right shape for a claim that is not true."""
    if not owed.slots:
        return b""
    x = peer.holder.key(peer.table, context.serial)
    ciphers = peer.table.pack.ciphers_of(owed.slots)
    members = claims._members(owed.allowed)
    transcript = claims._transcript(context, mul_base(x), ciphers, owed.allowed)
    nonces = Nonces(secret_bytes(x), transcript, FRESH)
    return claims._prove(
        transcript, x, ciphers, members, list(range(len(members))), nonces.scalars(len(members)), FRESH
    )


def dishonest_move(
    world: World, peer: Peer, round: Round, action: Action, *, prove: bool = True, handed: Handed | None = None
) -> Move:
    """A move that breaks a rule, with a true opening, and a false claim or none."""
    context = world.context(peer, round)
    slots = slots_of(peer, action)
    _, owed = owed_by(peer, action, slots)
    x = peer.holder.key(peer.table, round.serial)
    opened = opening.open_own(context, x, owed.opened, FRESH) if owed.opened else b""
    proof = false_claim(peer, context, owed) if prove else b""
    return Move(round.serial, round.step, str(action), slots, opened, proof, handed)


def tempting(peer: Peer, round: Round) -> list[Action]:
    """Actions that nobody can see to be against the rules, but are, for this hand."""
    if round.kind is not Kind.ASK:
        return []
    table = peer.table
    assert table.state is not None
    legal = peer.holder.legal(table, peer.seat)
    cards = peer.holder.cards(table, peer.seat)
    return [action for action in table.state.candidates(peer.seat, cards) if action not in legal]
