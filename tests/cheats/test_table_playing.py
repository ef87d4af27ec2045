"""Cheating with cards: dealing, showing, playing. Every rule that depends on hidden cards is proved at once."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from engine.actions import PASS, Action, parse_action
from engine.cards import parse_card
from engine.game import Search
from protocol import messages
from protocol.deck import dealing, opening
from protocol.messages import Body, Move, decode_body_untrusted
from protocol.table import events
from protocol.table.checks import absence, deal_cards
from protocol.table.rounds import Kind, Round
from tests.cheats.table_cheats import (
    FRESH,
    caught,
    choosing,
    dishonest_move,
    false_claim,
    goes_on,
    owed_by,
    redealt,
    tempting,
)
from tests.sim.games import SHORT
from tests.sim.world import Peer, World

SEVEN = parse_card("7H")


def kasra(seed: int, *wanted: str) -> World:
    """A table where the owner chooses the first of the wanted games that he may."""
    world = World("kasra", seed, {"kingdoms": 1}, one_verifies=True)
    for peer in world.peers:
        peer.chooser = choosing(*(f"game {name}" for name in wanted))
    return world


def phase(peer: Peer) -> str:
    return peer.table.state.phase if peer.table.state is not None else ""


# --- dealing ---------------------------------------------------------------------------------------------------------


def test_a_deal_share_for_another_card() -> None:
    """He would send one player's card to another: his shares of two positions change places."""

    def change(peer: Peer, round: Round, body: Body) -> Body | None:
        if not isinstance(body, messages.DealShares) or phase(peer) != "deal":
            return None
        cards = deal_cards(peer.table, round, peer.seat)
        swapped = [card._replace(cipher=other.cipher) for card, other in zip(cards, reversed(cards), strict=True)]
        secret = peer.holder.key(peer.table, round.serial)
        shares = dealing.deal_shares(world.context(peer, round), secret, swapped, FRESH)
        return msgspec.structs.replace(body, shares=shares)

    world = kasra(1)
    assert caught(world, world.peers[1], change=change) == "deal-proof"
    assert redealt(world)


def test_deal_shares_of_another_seat_are_shown_again() -> None:
    def change(peer: Peer, round: Round, body: Body) -> Body | None:
        if not isinstance(body, messages.DealShares) or not round.given:
            return None
        theirs = decode_body_untrusted(world.records[-1].entry.body)
        return theirs if isinstance(theirs, messages.DealShares) else None

    world = kasra(1)
    assert caught(world, world.peers[2], change=change) in {"deal-proof", "deal-length"}


def test_an_opening_share_of_the_draw_that_would_change_a_card() -> None:
    def change(peer: Peer, round: Round, body: Body) -> Body | None:
        if not isinstance(body, messages.OpenShares):
            return None
        ciphers = [*peer.table.pack.ciphers[1:4], peer.table.pack.ciphers[0]]
        secret = peer.holder.key(peer.table, round.serial)
        return msgspec.structs.replace(
            body, shares=opening.opening_shares(world.context(peer, round), secret, ciphers, FRESH)
        )

    world = kasra(1)
    assert caught(world, world.peers[3], change=change) == "opening-proof"


# --- cards one does not hold -----------------------------------------------------------------------------------------


def test_a_card_that_he_does_not_hold() -> None:
    def change(peer: Peer, round: Round, body: Body) -> Body | None:
        if not isinstance(body, Move) or not body.action.startswith("play") or peer.table.state.trick:  # type: ignore
            return None
        mine = peer.holder.cards(peer.table, peer.seat)
        seen = peer.table.pack.knowledge.seen
        other = next(card for card in range(51, -1, -1) if not (mine | seen) >> card & 1)
        return msgspec.structs.replace(body, action=str(Action("play", cards=1 << other)))

    world = kasra(2, "ltooshain", "tarneeb")
    assert caught(world, world.peers[0], change=change) == "own-card-proof"
    assert redealt(world)


def test_a_slot_that_was_played_already() -> None:
    """The slot of his first card comes again: it has left his hand."""
    played: list[Move] = []

    def change(peer: Peer, round: Round, body: Body) -> Body | None:
        if not isinstance(body, Move) or not body.action.startswith("play"):
            return None
        played.append(body)
        return msgspec.structs.replace(body, slots=played[0].slots) if len(played) > 1 else None

    world = kasra(2, "ltooshain", "tarneeb")
    assert caught(world, world.peers[0], change=change) == "slot-not-held"


def test_an_opening_of_an_earlier_deal_is_shown_again() -> None:
    """The same slot, the same card if need be: the proof belongs to another serial, counter and head."""
    old: list[Move] = []

    def change(peer: Peer, round: Round, body: Body) -> Body | None:
        if not isinstance(body, Move) or not body.opening:
            return None
        old.append(body)
        return msgspec.structs.replace(body, opening=old[0].opening) if body.serial != old[0].serial else None

    world = kasra(2, "ltooshain", "tarneeb")
    assert caught(world, world.peers[0], change=change) == "own-card-proof"


@pytest.mark.parametrize("where", ["serial", "seat", "table", "counter", "head"])
def test_a_proof_made_for_another_place(where: str) -> None:
    def change(peer: Peer, round: Round, body: Body) -> Body | None:
        if not isinstance(body, Move) or not body.opening:
            return None
        context = world.context(peer, round)
        changed: dict[str, object] = {
            "serial": context.serial + 1,
            "seat": (context.seat + 1) % 4,
            "table": b"another table 16",
            "counter": context.counter + 1,
            "head": b"another head of the log, 32 long",
        }
        action = parse_action(body.action)
        _, owed = owed_by(peer, action, body.slots, body.choice)
        secret = peer.holder.key(peer.table, round.serial)
        elsewhere = replace(context, **{where: changed[where]})  # type: ignore[arg-type]
        return msgspec.structs.replace(body, opening=opening.open_own(elsewhere, secret, owed.opened, FRESH))

    world = kasra(2, "ltooshain", "tarneeb")
    assert caught(world, world.peers[1], change=change) == "own-card-proof"


# --- rules -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("forged", [True, False], ids=["forged proof", "no proof"])
@pytest.mark.parametrize("game", ["kasra", "istimar", "three_five_eight", "estimation"])
def test_he_does_not_follow_suit_or_trump_or_beat(game: str, forged: bool) -> None:
    def forge(peer: Peer, round: Round) -> Body | None:
        if phase(peer) != "play":
            return None
        for action in tempting(peer, round):
            by_card = {card: slot for slot, card in peer.holder.hand(peer.table, peer.seat).items()}
            slots = tuple(by_card[card] for card in by_card if action.cards >> card & 1)
            _, owed = owed_by(peer, action, slots)
            if len(owed.slots) <= owed.allowed.bit_count():
                return dishonest_move(world, peer, round, action, prove=forged)
        return None

    if game == "kasra":
        world = kasra(2, "tarneeb", "ltooshain")
    else:
        world = World(game, 2, None, 4 if game == "estimation" else 3, one_verifies=True)
    code = caught(world, world.peers[1], forge=forge)
    assert code in ({"shuffle-proof", "none-proof"} if forged else {"claim-missing"})
    assert redealt(world)


@pytest.mark.parametrize("forged", [True, False], ids=["forged proof", "no proof"])
def test_he_passes_in_trix_although_a_card_fits(forged: bool) -> None:
    def forge(peer: Peer, round: Round) -> Body | None:
        if PASS not in tempting(peer, round):
            return None
        return dishonest_move(world, peer, round, PASS, prove=forged)

    world = kasra(3, "trix")
    code = caught(world, world.peers[2], forge=forge)
    assert code in ({"shuffle-proof", "none-proof"} if forged else {"claim-missing"})
    assert redealt(world)


@pytest.mark.parametrize("forged", [True, False], ids=["forged proof", "no proof"])
@pytest.mark.parametrize("game", ["kasra", "istimar"])
def test_he_hides_the_seven_of_hearts(game: str, forged: bool) -> None:
    short = SHORT[game]
    world = World(game, 4, short.options, short.seats, one_verifies=True)

    def searching() -> bool:
        asked = world.table.game_round
        hands = [peer.holder.cards(peer.table, peer.seat) for peer in world.peers]
        return asked is not None and asked.kind is Kind.SEARCH and any(hand >> SEVEN & 1 for hand in hands)

    world.play(until=searching)
    holder = next(peer for peer in world.peers if peer.holder.cards(peer.table, peer.seat) >> SEVEN & 1)

    def forge(peer: Peer, round: Round) -> Body | None:
        if not isinstance(round.about, Search):
            return None
        context = world.context(peer, round)
        owed = absence(peer.table.pack, peer.seat, round.about)
        claim = false_claim(peer, context, owed) if forged else b""
        return messages.NotHeld(round.serial, round.step, claim)

    code = caught(world, holder, forge=forge)
    assert code in ({"shuffle-proof", "none-proof"} if forged else {"claim-missing"})
    assert redealt(world)


def test_an_over_long_list_of_slots() -> None:
    def change(peer: Peer, round: Round, body: Body) -> Body | None:
        if not isinstance(body, Move) or not body.action.startswith("play"):
            return None
        return msgspec.structs.replace(body, slots=tuple(peer.table.pack.hand(peer.seat)[:2]))

    world = kasra(2, "ltooshain")
    assert caught(world, world.peers[0], change=change) == "slots-wrong"


def test_an_over_long_proof() -> None:
    def change(peer: Peer, round: Round, body: Body) -> Body | None:
        if not isinstance(body, Move) or not body.claim:
            return None
        return msgspec.structs.replace(body, claim=body.claim + body.claim[:66])

    world = kasra(2, "ltooshain")
    assert caught(world, world.peers[0], change=change) == "proof-length"


def test_a_proof_that_nobody_asked_for() -> None:
    """Proofs follow from public data alone: one more would tell something, or hide something."""

    def change(peer: Peer, round: Round, body: Body) -> Body | None:
        if not isinstance(body, Move) or not body.action.startswith("play") or body.claim:
            return None
        return msgspec.structs.replace(body, claim=bytes(64))

    world = kasra(2, "ltooshain")
    assert caught(world, world.peers[0], change=change) == "proof-length"


def test_a_card_played_face_down() -> None:
    def change(peer: Peer, round: Round, body: Body) -> Body | None:
        if not isinstance(body, Move) or not body.action.startswith("play"):
            return None
        return msgspec.structs.replace(body, action="play ??", opening=b"", claim=b"")

    for world in (kasra(2, "ltooshain"), World("estimation", 2, None, one_verifies=True)):
        assert caught(world, world.peers[0], change=change) == "card-must-be-shown"


def test_another_choice_than_the_one_sealed() -> None:
    """Doubling: he sees what the others double, and opens his seal as something else."""

    def change(peer: Peer, round: Round, body: Body) -> Body | None:
        if not isinstance(body, messages.Unseal):
            return None
        other = "double" if body.move.action != "double" else "double KH"
        return msgspec.structs.replace(body, move=msgspec.structs.replace(body.move, action=other))

    world = kasra(2, "complex")
    assert caught(world, world.peers[3], change=change) == "seal"


def test_a_bid_out_of_turn_has_no_effect() -> None:
    """The table did not ask him: his entry is stale, and nobody takes notice."""
    world = World("estimation", 2, None, one_verifies=True)
    world.play(until=lambda: world.table.game_round is not None and world.table.state is not None
               and world.table.state.phase == "bid" and world.table.game_round.kind is Kind.ASK)  # fmt: skip
    asked = world.table.game_round
    assert asked is not None
    before = world.table.state
    hasty = world.peer_at((asked.waiting[0] + 1) % 4)
    world.add(hasty, Move(asked.serial, asked.step, "bid 13NT", (), b"", b""))
    assert world.table.state == before and world.table.game_round is asked
    assert not any(isinstance(event, events.Cheated) for event in world.peers[0].events)


@pytest.mark.parametrize(("action", "code"), [("bid 3S", "bid-minimum"), ("estimate 5", "illegal-action")])
def test_a_bid_that_the_rules_do_not_allow(action: str, code: str) -> None:
    def forge(peer: Peer, round: Round) -> Body | None:
        if phase(peer) != "bid":
            return None
        return Move(round.serial, round.step, action, (), b"", b"")

    world = World("estimation", 2, None, one_verifies=True)
    assert caught(world, world.peers[1], forge=forge) == code


def test_an_estimate_that_makes_the_total_thirteen() -> None:
    world = World("estimation", 2, None, one_verifies=True)
    for peer in world.peers:
        peer.chooser = choosing("void play", "bid 4C", "estimate 4")

    def forge(peer: Peer, round: Round) -> Body | None:
        state = peer.table.state
        if state is None or state.phase != "estimate" or state.estimators[-1] != peer.seat:  # type: ignore[attr-defined]
            return None
        left = 13 - sum(said for said in state.estimates if said > 0)  # type: ignore[attr-defined]
        return Move(round.serial, round.step, f"estimate {left}", (), b"", b"")

    world.play(until=lambda: phase(world.peers[0]) == "estimate")
    state = world.table.state
    last = world.peer_at(state.estimators[-1])  # type: ignore[union-attr]
    assert caught(world, last, forge=forge) == "total-13"


def test_another_score_than_everybody_s() -> None:
    """The score stands: it does not depend on his signature."""

    def change(peer: Peer, round: Round, body: Body) -> Body | None:
        return msgspec.structs.replace(body, digest=bytes(32)) if isinstance(body, messages.Score) else None

    world = World("three_five_eight", 2, {"deals": 3}, 3, one_verifies=True)
    assert caught(world, world.peers[1], change=change) == "score-differs"
    assert not any(isinstance(event, events.Redealt) for event in world.peers[0].events)
    goes_on(world)
    assert world.table.state is not None and len(world.table.state.results) == 3


def test_a_false_recovery_share() -> None:
    """He would have the others read a wrong hand: the deal is void, and he is the one who is named."""

    def change(peer: Peer, round: Round, body: Body) -> Body | None:
        if not isinstance(body, messages.RecoveryShares):
            return None
        return msgspec.structs.replace(body, shares=body.shares[33:66] + body.shares[33:])

    world = kasra(2, "ltooshain")
    world.play(until=lambda: phase(world.peers[0]) == "play")
    cheater, gone = world.peers[1], world.peers[2]
    gone.gone = True
    world.play_on(until=lambda: world.table.recover_round is not None)
    assert caught(world, cheater, change=change) == "recovery-proof"
    assert redealt(world)


def test_garbage_is_evidence_too() -> None:
    """Signed bytes that are no message: no honest program writes them."""
    from protocol.deck import labels
    from protocol.log import Entry
    from protocol.log import _entry_payload as payload

    world = kasra(2, "ltooshain")
    world.play(until=lambda: phase(world.peers[0]) == "play")
    peer, chain = world.peers[2], world.peers[0].table.chain
    peer.counter += 1
    body = b"\xc1\xc1\xc1"
    signed = payload(world.table_id, peer.identity.public, peer.counter, chain.height, chain.head, body)
    signature = peer.identity.sign(labels.LABEL_ENTRY, signed)
    entry = Entry(peer.identity.public, peer.counter, chain.height, chain.head, body, signature)
    world.place(entry)
    cheated = [event for event in world.peers[0].events if isinstance(event, events.Cheated)]
    assert [event.seat for event in cheated] == [peer.seat]
