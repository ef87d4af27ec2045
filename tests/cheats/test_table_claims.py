"""Claiming the rest falsely: cards that one does not hold, a part of the hand, what is not certain, out of turn."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.actions import Action
from engine.cards import FULL_PACK, CardSet, cards_in
from engine.game import Illegal
from protocol.deck import opening
from protocol.messages import Body, Move
from protocol.table.rounds import Kind, Round
from tests.cheats.table_cheats import FRESH, caught, goes_on, redealt, slots_of
from tests.sim.world import Peer, World

OTHERS = ("three_five_eight", "estimation")


def claiming(world: World, peer: Peer, round: Round, named: CardSet, shown: CardSet) -> Move:
    """A claim of the cards `named` in the slots of the cards `shown`; the opening is true where these are the same."""
    slots = slots_of(peer, Action("claim", cards=shown))
    ciphers = [peer.table.pack.slots[slot] for slot in slots]
    secret = peer.holder.key(peer.table, round.serial)
    opened = list(zip(ciphers, cards_in(named), strict=True))
    proof = opening.open_own(world.context(peer, round), secret, opened, FRESH)
    return Move(round.serial, round.step, str(Action("claim", cards=named)), slots, proof, b"")


def asked_to_play(peer: Peer, round: Round, leading: bool = True) -> bool:
    state = peer.table.state
    if state is None or round.kind is not Kind.ASK or state.phase != "play":
        return False
    view = state.view()
    return view.get("contract") != "trix" and bool(view["trick"]) is not leading


def possible(peer: Peer, cards: CardSet) -> bool:
    assert peer.table.state is not None
    try:
        peer.table.state.claim(peer.seat, Action("claim", cards=cards))
    except Illegal:
        return False
    return True


def new_world(game: str) -> World:
    return World(game, 2, None, 4 if game in ("kasra", "estimation") else 3, one_verifies=True)


def cheating(world: World, peer: Peer, leading: bool, cards: Callable[[Peer], CardSet]) -> str:
    def forge(peer: Peer, round: Round) -> Body | None:
        if not asked_to_play(peer, round, leading):
            return None
        named = cards(peer)
        return claiming(world, peer, round, named, named)

    code = caught(world, peer, forge=forge)
    assert redealt(world)
    return code


def whole_hand(peer: Peer) -> CardSet:
    return peer.holder.cards(peer.table, peer.seat)


@pytest.mark.parametrize("game", ["kasra", "istimar", *(pytest.param(name, marks=pytest.mark.long) for name in OTHERS)])
def test_the_rest_is_not_certain(game: str) -> None:
    """The hand that he opens is his: it is only not good enough."""
    world = new_world(game)
    assert cheating(world, world.peers[1], True, whole_hand) == "claim-not-certain"
    if game == "istimar":
        goes_on(world)


def test_he_claims_while_a_card_lies_on_the_table() -> None:
    world = new_world("kasra")
    assert cheating(world, world.peers[2], False, whole_hand) == "claim-not-leading"


def test_he_keeps_a_card_back() -> None:
    world = new_world("kasra")
    code = cheating(world, world.peers[1], True, lambda peer: whole_hand(peer) & whole_hand(peer) - 1)
    assert code == "claim-whole-hand"


def test_he_claims_with_no_card_at_all() -> None:
    """The short form is for one's own program: on the log it is the claim of an empty hand."""

    def forge(peer: Peer, round: Round) -> Body | None:
        return Move(round.serial, round.step, "claim", (), b"", b"") if asked_to_play(peer, round) else None

    world = new_world("kasra")
    assert caught(world, world.peers[1], forge=forge) == "claim-whole-hand"


@pytest.mark.parametrize("opened", ["falsely", "not at all", "for other cards"])
def test_he_claims_with_cards_that_he_does_not_hold(opened: str) -> None:
    """The cards named are good enough in public, but his slots hold others."""

    def forge(peer: Peer, round: Round) -> Body | None:
        state, hand = peer.table.state, whole_hand(peer)
        if not asked_to_play(peer, round) or state is None:
            return None
        unseen = FULL_PACK & ~peer.table.pack.knowledge.seen
        high = sorted(cards_in(unseen), key=lambda card: -(card % 13))[: hand.bit_count()]
        named = sum(1 << card for card in high)
        if named == hand or not possible(peer, named):
            return None
        move = claiming(world, peer, round, named, hand)
        match opened:
            case "not at all":
                return Move(move.serial, move.step, move.action, move.slots, b"", b"")
            case "for other cards":
                true = claiming(world, peer, round, hand, hand)
                return Move(move.serial, move.step, move.action, move.slots, true.opening, b"")
        return move

    world = World("kasra", 2, {"kingdoms": 1, "doubling": "off"}, one_verifies=True)
    code = caught(world, world.peers[1], forge=forge)
    assert code == ("proof-length" if opened == "not at all" else "own-card-proof")
    assert redealt(world)
