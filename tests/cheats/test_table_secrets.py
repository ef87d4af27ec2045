"""What peers cannot know even when they put their keys together, tried with the real values of a world."""

from __future__ import annotations

from itertools import combinations

import pytest

from engine.game import Release, owner
from protocol.deck import recovery
from protocol.deck.elgamal import CARD_POINTS, Cipher
from protocol.deck.group import Point, mul, neg, sub, total
from protocol.deck.sealed import seal
from protocol.errors import BadProof
from protocol.messages import Seal, Unseal, decode_body_untrusted
from protocol.table.answers import answer
from protocol.table.rounds import Kind
from tests.sim.world import Peer, World


def card_in(cipher: Cipher, parts: list[Point]) -> int | None:
    """The card when these parts of `x·a` are taken off, or None when what remains is no card."""
    rest = sub(cipher.b, total(parts))
    return CARD_POINTS.index(rest) if rest in CARD_POINTS else None


def share_of_key(world: World, holder: Peer, victim: int) -> int:
    """The recovery share of the victim's key that a peer holds."""
    table = holder.table
    share = recovery.open_share(holder.holder.key(table, table.pack.serial), table.pack.published[victim], holder.seat)
    assert share is not None
    return share


@pytest.mark.parametrize("victim", range(4))
def test_before_a_vote_two_peers_cannot_open_a_card_of_a_third_but_three_can(victim: int) -> None:
    world = World("kasra", 6, {"kingdoms": 1}, one_verifies=True)
    world.play(until=lambda: world.table.state is not None and world.table.state.phase == "play")
    pack = world.table.pack
    others = [peer for peer in world.peers if peer.seat != victim]
    hand = world.peer_at(victim).holder.hand(world.table, victim)
    slots = list(hand)[:3]
    for number in (1, 2, 3):
        for some in combinations(others, number):
            for slot in slots:
                cipher = pack.slots[slot]
                parts = [mul(share_of_key(world, peer, victim), cipher.a) for peer in some]
                found = card_in(cipher, parts)
                assert found == (hand[slot] if number == 3 else None)
    # Nor do all their own deal keys help: the card is under the victim's key alone since it was dealt.
    keys = [peer.holder.key(peer.table, pack.serial) for peer in others]
    assert card_in(pack.slots[slots[0]], [mul(key, pack.slots[slots[0]].a) for key in keys]) is None


def test_a_face_down_card_of_the_pack_takes_every_key() -> None:
    world = World("three_five_eight", 6, {"deals": 3}, 3, one_verifies=True)
    world.play(until=lambda: world.table.state is not None and world.table.state.phase == "choose")
    cipher = world.table.pack.ciphers[50]  # in the kitty
    keys = [peer.holder.key(peer.table, world.table.pack.serial) for peer in world.peers]
    for number in (1, 2):
        for some in combinations(keys, number):
            assert card_in(cipher, [mul(key, cipher.a) for key in some]) is None
    assert card_in(cipher, [mul(key, cipher.a) for key in keys]) is not None


def test_the_declarer_cannot_look_at_cards_seven_to_sixteen_before_the_contract() -> None:
    """D-9: their deal shares do not exist yet. With his own key, and even with one other player's, nothing opens; what
    is on the log by then are shares of the first six positions, and they fit no other."""
    world = World("three_five_eight", 6, {"deals": 3}, 3, one_verifies=True)
    shares: dict[int, list[Point]] = {}

    def note() -> bool:
        round = world.table.game_round
        if round is not None and isinstance(round.about, Release):
            for seat, dealt in round.given.items():
                for position, share in dealt.shares.items():  # type: ignore[attr-defined]
                    shares.setdefault(position, []).append(share.S)
                    assert seat != owner(position, 3)
        return world.table.state is not None and world.table.state.phase == "choose"

    world.play(until=note)
    pack = world.table.pack
    round = world.table.game_round
    assert round is not None and round.kind is Kind.ASK
    declarer = world.peer_at(round.waiting[0])
    key = declarer.holder.key(declarer.table, pack.serial)
    early = [at for at in range(48) if owner(at, 3) == declarer.seat and at not in pack.slots]
    assert len(early) == 10 and set(shares) <= set(range(18))
    accomplice = world.peer_at((declarer.seat + 1) % 3)
    with_help = [mul(key, pack.ciphers[early[0]].a),
                 mul(accomplice.holder.key(accomplice.table, pack.serial), pack.ciphers[early[0]].a)]  # fmt: skip
    assert card_in(pack.ciphers[early[0]], with_help) is None
    for at in early:
        own = mul(key, pack.ciphers[at].a)
        assert card_in(pack.ciphers[at], [own]) is None
        for position, old in shares.items():
            if owner(position, 3) != declarer.seat or len(old) < 2:
                continue
            assert card_in(pack.ciphers[at], [own, *old]) is None
    # Once the contract is on the log they are dealt, and his own key is enough.
    world.play(until=lambda: all(at in world.table.pack.slots for at in early))
    dealt = [world.table.pack.slots[at] for at in early]
    assert all(card_in(cipher, [mul(key, cipher.a)]) is not None for cipher in dealt)


def test_what_a_lost_player_discarded_stays_hidden() -> None:
    """His key is never published: from all that the others post when his hand is opened, no discard can be read."""
    world = World("istimar", 3, {"extra_series": 0}, 3, one_verifies=True)
    world.play(until=lambda: world.table.state is not None and world.table.state.phase == "discard")
    declarer = world.peer_at(world.table.rounds[0].waiting[0])
    before: dict[int, Cipher] = {}

    def playing() -> bool:
        table = world.table
        phase = table.state.phase if table.state is not None else ""
        if phase == "discard" and table.game_round is not None and table.game_round.kind is Kind.ASK:
            before.update({slot: table.pack.slots[slot] for slot in table.pack.hand(declarer.seat)})
        return phase == "play"

    world.play(until=playing)
    discards = [cipher for slot, cipher in before.items() if slot not in world.table.pack.hand(declarer.seat)]
    assert len(discards) == 4
    declarer.gone = True
    world.play_on(until=lambda: world.table.players[declarer.seat].lost and world.table.recover_round is None)
    pack = world.table.pack
    assert set(pack.hand(declarer.seat)) <= set(pack.open_cards)
    recovered = [point for (seat, _), point in pack.recovered.items() if seat == declarer.seat]
    for cipher in discards:
        assert pack.recovered_at(declarer.seat, cipher.a) is None
        for point in recovered:
            assert card_in(cipher, [point]) is None


def test_a_share_does_not_open_when_it_is_negated_or_doubled() -> None:
    """The comparison above would find a card if there were one: the true parts give it, changed ones do not."""
    world = World("kasra", 6, {"kingdoms": 1}, one_verifies=True)
    world.play(until=lambda: world.table.state is not None and world.table.state.phase == "play")
    peer = world.peers[0]
    ((slot, card), *_) = peer.holder.hand(peer.table, peer.seat).items()
    cipher = peer.table.pack.slots[slot]
    own = mul(peer.holder.key(peer.table, peer.table.pack.serial), cipher.a)
    assert card_in(cipher, [own]) == card
    assert card_in(cipher, [neg(own)]) is None and card_in(cipher, [own, own]) is None
    with pytest.raises(BadProof):
        from protocol.deck.elgamal import decrypt

        decrypt(12345, cipher)


@pytest.mark.parametrize(("name", "seed"), [("istimar", 6), ("three_five_eight", 2)])
def test_a_card_that_was_returned_is_not_known_by_its_slot_when_it_is_played(name: str, seed: int) -> None:
    """Whoever gave has got a card for it. His hand is mixed before he plays, so the third player cannot tell when that
    card falls, and what the loser's best card was."""
    options = {"istimar": {"extra_series": 0}, "three_five_eight": {"deals": 6}}[name]
    world = World(name, seed, dict(options), 3, one_verifies=True)
    got_one: set[int] = set()

    def look() -> bool:
        table, round = world.table, world.table.game_round
        if table.state is None or table.state.phase != "play" or round is None or round.kind is not Kind.ASK:
            return False
        seat, received = round.waiting[0], table.pack.received
        if seat in received:
            assert received[seat] not in [table.pack.slots[slot] for slot in table.pack.hand(seat)]
            got_one.add(seat)
        return table.state.deal > 2

    world.play(until=look)
    assert got_one, "no exchange"


def test_a_seal_that_came_stale_is_not_opened_with_the_one_made_in_its_place() -> None:
    """Somebody is lost while a seal is under way: its author may choose anew, and nobody learns what he chose first."""
    world = World("kasra", 6, {"kingdoms": 1}, one_verifies=True)
    chooses: list[Peer] = []

    def somebody_may_choose() -> bool:
        sealed = [round for round in world.table.rounds if round.kind is Kind.SEAL]
        waiting = [world.peer_at(seat) for round in sealed for seat in round.waiting]
        chooses[:] = [peer for peer in waiting if len(peer.holder.legal(peer.table, peer.seat)) > 1]
        return bool(chooses)

    world.play(until=somebody_may_choose)
    table, peer = world.table, chooses[0]
    round = next(round for round in table.rounds if round.kind is Kind.SEAL)
    choices = peer.holder.legal(peer.table, peer.seat)
    first = answer(peer.table, peer.holder, round, world.context(peer, round), bytes(32), choices[0])
    assert isinstance(first, Seal)
    peer.chooser = lambda table, seat, actions, rng: actions[-1]
    name = table.seal_name
    world.play(until=lambda: any(peer.seat in round.given for round in table.rounds if round.kind is Kind.UNSEAL))
    opened = [decode_body_untrusted(record.entry.body) for record in world.records]
    nonces = [body.nonce for body in opened if isinstance(body, Unseal)]
    assert nonces
    for nonce in nonces:
        for choice in choices:
            value = str(choice).encode()
            assert seal(world.table_id, round.serial, peer.seat, name, value, nonce) != first.seal
