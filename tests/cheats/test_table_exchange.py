"""Cheating with what nobody sees: exchanges, discards, declarations. Some of it is proved at once, some at the end of
the deal, before the score counts; never is the score counted."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.actions import Action, parse_action
from engine.cards import card_name
from engine.game import Illegal, holds
from protocol import messages
from protocol.deck import opening, transfer
from protocol.deck.elgamal import encode_ciphers
from protocol.messages import Body, Handed, Move
from protocol.table import events
from protocol.table.events import Cheated
from protocol.table.rounds import Kind, Round
from tests.cheats.table_cheats import FRESH, caught, goes_on, named, redealt, slots_of
from tests.sim.world import Peer, World

THREE = {"istimar": {"extra_series": 0}, "three_five_eight": {"deals": 3}}


def phase(world: World) -> str:
    return world.table.state.phase if world.table.state is not None else ""


def asked(world: World, what: str) -> Peer | None:
    """Who is asked to act in a phase."""
    round = world.table.game_round
    if round is None or round.kind is not Kind.ASK or phase(world) != what:
        return None
    return world.peer_at(round.waiting[0])


# --- the exchange ----------------------------------------------------------------------------------------------------


def wrong_returns(peer: Peer) -> list[Action]:
    """Cards that the rule of returning does not allow."""
    table = peer.table
    assert table.state is not None
    received = peer.holder.received(table, peer.seat)
    hand = peer.holder.cards(table, peer.seat)
    wrong = []
    for action in table.state.candidates(peer.seat, hand):
        try:
            if action.verb == "return" and not holds(table.state.claim(peer.seat, action, received), action, hand):
                wrong.append(action)
        except Illegal:
            if action.verb == "return":
                wrong.append(action)
    return wrong


def returned(world: World, peer: Peer, round: Round, action: Action) -> Move:
    """The move that returns this card, right or wrong, face down."""
    context, table = world.context(peer, round), peer.table
    assert table.state is not None
    to = table.state.claim(peer.seat, action.concealed()).to
    slots = slots_of(peer, action)
    secret = peer.holder.key(table, round.serial)
    cipher, proof = transfer.hand_over(
        context, secret, table.pack.slots[slots[0]], action.card, table.pack.keys[to], FRESH
    )
    handed = Handed(encode_ciphers([cipher]), proof)
    return Move(round.serial, round.step, str(action.concealed()), slots, b"", b"", handed)


def with_a_wrong_return(game: str) -> tuple[World, Peer, int]:
    """A world in which somebody has just returned a wrong card, and nobody can know. Also the height of his entry."""
    for seed in range(20):
        world = World(game, seed, dict(THREE[game]), 3, one_verifies=True)
        world.play(until=lambda world=world: (peer := asked(world, "exchange")) is not None  # type: ignore[misc]
                   and bool(wrong_returns(peer)))  # fmt: skip
        cheater = asked(world, "exchange")
        if cheater is None:
            continue
        round = world.table.game_round
        assert round is not None
        world.add(cheater, returned(world, cheater, round, wrong_returns(cheater)[0]))
        assert not any(isinstance(event, Cheated) for event in world.peers[0].events)
        return world, cheater, len(world.records) - 1
    raise AssertionError("no exchange offers a wrong return")


def false_audit(world: World, peer: Peer, round: Round) -> Body | None:
    """True openings of what he received and returned, and no proof that it was the highest."""
    if round.kind is not Kind.AUDIT:
        return None
    pack = peer.table.pack
    which = peer.table.due_audit(peer.seat)
    deferred = pack.deferred[which]
    card = peer.holder.card(peer.table, pack, deferred.moved)
    assert deferred.received is not None
    received = peer.holder.card(peer.table, pack, deferred.received)
    secret = peer.holder.key(peer.table, round.serial)
    opened = opening.open_own(
        world.context(peer, round), secret, [(deferred.received, received), (deferred.moved, card)], FRESH
    )
    action = Action("return", cards=1 << card)
    return messages.Audit(round.serial, round.step, which, str(action), card_name(received), opened, b"")


@pytest.mark.parametrize("game", ["istimar", "three_five_eight"])
def test_a_card_is_returned_that_is_not_the_highest(game: str) -> None:
    """Found at the end of the deal; the seat is named, the deal dealt again, and nothing scored."""
    world, cheater, _ = with_a_wrong_return(game)
    assert world.table.state is not None
    scored = len(world.table.state.results)
    code = caught(world, cheater, forge=lambda peer, round: false_audit(world, peer, round))
    assert code in {"return-highest", "return-suit"}
    assert redealt(world)
    assert len(world.table.state.results) == scored
    goes_on(world)


def test_he_vanishes_before_his_return_is_checked() -> None:
    """What he received, returned and kept is opened by the others: vanishing hides nothing. He is named with the entry
    that returned the card."""
    world, cheater, height = with_a_wrong_return("istimar")
    world.play(until=lambda: phase(world) == "audit")
    cheater.gone = True
    for peer in world.peers:
        peer.table.trusted = False
    world.play_on(until=lambda: any(player.barred for player in world.table.players))
    assert named(world, cheater, height) in {"return-highest", "return-suit"}
    assert redealt(world)
    goes_on(world)


def test_an_honest_player_who_vanishes_before_the_check_is_not_named() -> None:
    for seed in range(20):
        world = World("istimar", seed, {"extra_series": 0}, 3, one_verifies=True)
        world.play(until=lambda world=world: phase(world) == "audit"  # type: ignore[misc]
                   and bool(world.table.game_round and world.table.game_round.waiting))  # fmt: skip
        if world.table.over:
            continue
        audit = world.table.game_round
        assert audit is not None
        world.peer_at(audit.waiting[0]).gone = True
        world.play_on()
        assert not any(isinstance(event, Cheated) for event in world.peers[0].events)
        assert world.table.state is not None and len(world.table.state.results) == 3
        return
    raise AssertionError("no game has an exchange")


def test_a_handed_card_is_another_than_the_slot_s() -> None:
    """He keeps his ace: what he hands over is a card from nowhere."""

    def change(peer: Peer, round: Round, body: Body) -> Body | None:
        if not isinstance(body, Move) or body.handed is None:
            return None
        other = next(slot for slot in peer.table.pack.hand(peer.seat) if slot not in body.slots)
        assert peer.table.state is not None
        to = peer.table.state.claim(peer.seat, parse_action(body.action)).to
        cipher, _ = transfer.hand_over(
            world.context(peer, round),
            peer.holder.key(peer.table, round.serial),
            peer.table.pack.slots[other],
            peer.holder.card(peer.table, peer.table.pack, peer.table.pack.slots[other]),
            peer.table.pack.keys[to],
            FRESH,
        )
        return msgspec.structs.replace(body, handed=Handed(encode_ciphers([cipher]), body.handed.proof))

    for seed in range(20):
        world = World("istimar", seed, {"extra_series": 0}, 3, one_verifies=True)
        world.play(until=lambda world=world: asked(world, "exchange") is not None)  # type: ignore[misc]
        cheater = asked(world, "exchange")
        if cheater is not None:
            assert caught(world, cheater, change=change) == "hand-over-proof"
            return
    raise AssertionError("no game has an exchange")


# --- the kitty -------------------------------------------------------------------------------------------------------


def at_discard(number: int, seed: int = 1) -> tuple[World, Peer]:
    """A deal in which the declarer has put `number` cards aside."""
    world = World("istimar", seed, {"extra_series": 0}, 3, one_verifies=True)
    world.play(until=lambda: asked(world, "play" if number == 4 else "discard") is not None
               and world.table.state.hand.aside == number)  # type: ignore[union-attr]  # fmt: skip
    round = world.table.game_round
    assert round is not None
    return world, world.peer_at(round.waiting[0])


def move(action: str, slots: tuple[int, ...] = ()) -> Any:
    return lambda peer, round: Move(round.serial, round.step, action, slots, b"", b"")


def test_he_puts_only_three_cards_aside() -> None:
    world, declarer = at_discard(3)
    card = card_name(next(iter(declarer.holder.hand(declarer.table, declarer.seat).values())))
    assert caught(world, declarer, forge=move(f"play {card}")) == "illegal-action"


def test_he_puts_a_fifth_card_aside() -> None:
    world, declarer = at_discard(4)
    slot = declarer.table.pack.hand(declarer.seat)[0]
    assert caught(world, declarer, forge=move("discard ??", (slot,))) == "illegal-action"


def test_two_cards_put_aside_as_one() -> None:
    world, declarer = at_discard(1)
    slots = tuple(declarer.table.pack.hand(declarer.seat)[:2])
    assert caught(world, declarer, forge=move("discard ??", slots)) == "slots-wrong"


def test_a_discarded_card_comes_back_into_play() -> None:
    """The slot has left his hand, so it cannot be played whatever he proves about it."""
    world, declarer = at_discard(3)
    before = dict(declarer.holder.hand(declarer.table, declarer.seat))
    world.play(until=lambda: phase(world) == "play")
    now = declarer.holder.hand(declarer.table, declarer.seat)
    ((slot, card),) = {slot: card for slot, card in before.items() if slot not in now}.items()

    def change(peer: Peer, round: Round, body: Body) -> Body | None:
        if not isinstance(body, Move) or not body.action.startswith("play"):
            return None
        secret = peer.holder.key(peer.table, round.serial)
        opened = opening.open_own(
            world.context(peer, round), secret, [(peer.table.pack.slots[slot], card)], FRESH
        )
        return Move(round.serial, round.step, f"play {card_name(card)}", (slot,), opened, b"")

    assert caught(world, declarer, change=change) == "slot-not-held"


def test_trumps_are_named_after_the_kitty_was_seen() -> None:
    """He is asked for a discard then, and nothing else."""
    world, declarer = at_discard(0)
    assert caught(world, declarer, forge=move("trump S")) == "illegal-action"


def test_trumps_named_by_somebody_else_have_no_effect() -> None:
    world, declarer = at_discard(0)
    round, before = world.table.game_round, world.table.state
    assert round is not None
    other = world.peer_at((declarer.seat + 1) % 3)
    world.add(other, Move(round.serial, round.step, "trump S", (), b"", b""))
    assert world.table.state == before and world.table.game_round is round


def test_a_hand_that_is_mixed_with_a_card_of_the_pack() -> None:
    def change(peer: Peer, round: Round, body: Body) -> Body | None:
        if not isinstance(body, messages.Mix):
            return None
        return msgspec.structs.replace(body, hand=body.hand[66:132] + body.hand[66:])

    world = World("istimar", 1, {"extra_series": 0}, 3, one_verifies=True)
    world.play(until=lambda: world.table.game_round is not None and world.table.game_round.kind is Kind.MIX)
    round = world.table.game_round
    assert round is not None
    assert caught(world, world.peer_at(round.waiting[0]), change=change) == "shuffle-proof"


# --- Estimation's declarations ---------------------------------------------------------------------------------------


def declaring(world: World, peer: Peer, action: str) -> None:
    """From now on `peer` declares this, true or not."""

    def forge(peer: Peer, round: Round) -> Body | None:
        if round.kind is Kind.SEAL:
            from protocol.deck.sealed import seal_own

            value = action.encode()
            name = peer.table.seal_name
            sealed, _ = seal_own(peer.holder.secrets, world.table_id, round.serial, peer.seat, name, value)
            return messages.Seal(round.serial, round.step, sealed)
        if round.kind is Kind.UNSEAL:
            nonce = peer.holder.secrets.seal_nonce(world.table_id, round.serial, peer.seat, peer.table.seal_name)
            move = Move(round.serial, round.step, action, (), b"", b"")
            return messages.Unseal(round.serial, round.step, nonce, move)
        return None

    peer.forge = forge


def full(peer: Peer) -> bool:
    hand = peer.holder.cards(peer.table, peer.seat)
    return all(hand >> 13 * suit & 0x1FFF for suit in range(4))


def estimation(wanted: str) -> tuple[World, Peer]:
    """A deal about to be declared in, where somebody has a full hand (or a void), and he."""
    for seed in range(60):
        world = World("estimation", seed, {"normal_deals": 1, "speed_deals": 0}, one_verifies=True)
        world.play(until=lambda world=world: phase(world) == "void")  # type: ignore[misc]
        for peer in world.peers:
            if full(peer) is (wanted == "full"):
                for other in world.peers:
                    other.chooser = sober
                return world, peer
    raise AssertionError("no such hand")


def sober(table: object, seat: int, actions: list[Action], rng: object) -> Action:
    """`full` or `void play`, never a redeal; the lowest bid, estimate and card."""
    bids = [action for action in actions if action.verb == "bid"]
    return bids[0] if bids else actions[0]


@pytest.mark.parametrize(
    ("hand", "declared", "code"),
    [("full", "void play", "false-void"), ("void", "full", "false-full")],
)
def test_a_declaration_that_is_false(hand: str, declared: str, code: str) -> None:
    """The thirteen cards show it at the end of the deal: the entry that declared it is named, and nothing scored."""
    world, liar = estimation(hand)
    declaring(world, liar, declared)
    declared_at: list[int] = []
    world.play(until=lambda: phase(world) == "play" or world.table.over)
    for number, record in enumerate(world.records):
        body = messages.decode_body_untrusted(record.entry.body)
        if isinstance(body, messages.Unseal) and record.entry.author == liar.identity.public:
            declared_at.append(number)
    for peer in world.peers:
        peer.table.trusted = False
    world.play(until=lambda: any(player.barred for player in world.table.players))
    assert named(world, liar, declared_at[-1]) == code
    assert world.table.state is not None and world.table.state.results == ()
    assert events.Redealt("cheat") in world.peers[0].events and world.table.in_play is None


def test_a_void_that_is_none_is_no_ground_for_a_redeal() -> None:
    """`void redeal` throws the deal in at once, so it is proved at once."""
    world, liar = estimation("full")
    declaring(world, liar, "void redeal")
    world.play(until=lambda: world.table.game_round is not None and world.table.game_round.kind is Kind.UNSEAL)
    forge = liar.forge
    assert forge is not None
    assert caught(world, liar, forge=forge) == "claim-missing"
    assert redealt(world)
