"""Cheating while a pack is made ready: keys, recovery shares, shuffles."""

from __future__ import annotations

import msgspec
import pytest

from protocol import messages
from protocol.deck import keys, labels, linear, recovery
from protocol.deck.elgamal import CIPHER_BYTES
from protocol.deck.group import encode, mul_base
from protocol.deck.nonce import Nonces, secret_bytes
from protocol.deck.transcript import Transcript
from protocol.messages import Body
from protocol.table import events
from protocol.table.rounds import Kind, Round
from tests.cheats.table_cheats import FRESH, caught, goes_on, named
from tests.sim.world import Peer, World

OPTIONS: dict[str, str | int] = {"deals": 3}


def table(seed: int = 1) -> World:
    return World("three_five_eight", seed, OPTIONS, 3, one_verifies=True)


def nothing_in_play(world: World) -> bool:
    return world.table.in_play is None


@pytest.mark.parametrize("second", [False, True])
def test_a_card_is_substituted_in_a_shuffle(second: bool) -> None:
    """The first slot gets a copy of another card: one card twice, one missing. In the first pack, and in one that is
    made ready while cards are played."""

    def change(peer: Peer, round: Round, body: Body) -> Body | None:
        if not isinstance(body, messages.Shuffle) or (second and nothing_in_play(world)):
            return None
        cards = body.pack[CIPHER_BYTES : 2 * CIPHER_BYTES] + body.pack[CIPHER_BYTES:]
        return msgspec.structs.replace(body, pack=cards)

    world = table()
    world.packs_first = True
    assert caught(world, world.peers[1], change=change) == "shuffle-proof"
    assert nothing_in_play(world)


def test_a_card_that_is_no_card_is_put_into_the_pack() -> None:
    def change(peer: Peer, round: Round, body: Body) -> Body | None:
        if not isinstance(body, messages.Shuffle):
            return None
        return msgspec.structs.replace(body, pack=encode(mul_base(7)) + body.pack[33:])

    world = table()
    assert caught(world, world.peers[2], change=change) == "shuffle-proof"


def test_a_pack_of_another_length() -> None:
    def change(peer: Peer, round: Round, body: Body) -> Body | None:
        if not isinstance(body, messages.Shuffle):
            return None
        return msgspec.structs.replace(body, pack=body.pack + body.pack[:CIPHER_BYTES])

    world = table()
    assert caught(world, world.peers[2], change=change) == "ciphers-length"


def test_a_shuffle_of_an_earlier_pack_is_shown_again() -> None:
    seen: list[messages.Shuffle] = []

    def change(peer: Peer, round: Round, body: Body) -> Body | None:
        if not isinstance(body, messages.Shuffle):
            return None
        seen.append(body)
        return None if len(seen) == 1 else msgspec.structs.replace(body, pack=seen[0].pack, proof=seen[0].proof)

    world = table()
    assert caught(world, world.peers[0], change=change) == "shuffle-proof"


def test_another_key_than_the_one_committed_to() -> None:
    """The rogue key: minus the sum of the others, known only after they revealed theirs."""

    def change(peer: Peer, round: Round, body: Body) -> Body | None:
        if not isinstance(body, messages.KeyReveal) or len(peer.table.preparing.keys) < 2:
            return None
        return msgspec.structs.replace(body, key=encode(mul_base(12345)))

    world = table()
    assert caught(world, world.peers[2], change=change) == "key-commitment"


def test_a_key_whose_secret_nobody_knows() -> None:
    """He commits to a neighbour's key of the pack before, and cannot prove to know its secret."""
    world = table()
    cheater = world.peers[1]
    world.play(until=lambda: world.table.in_play is not None)
    stolen = world.table.pack.keys[0]

    def change(peer: Peer, round: Round, body: Body) -> Body | None:
        salt = peer.holder.secrets.key_salt(peer.table.id, round.serial)
        if isinstance(body, messages.KeyCommit):
            commitment = keys.commit_key(world.context(peer, round), stolen, salt)
            cheater.tamper = reveal
            return messages.KeyCommit(round.serial, commitment)
        return body

    def reveal(peer: Peer, round: Round, body: Body) -> Body | None:
        return body

    cheater.tamper = change
    world.play(until=lambda: cheater.tamper is reveal)

    def other_key(peer: Peer, round: Round, body: Body) -> Body | None:
        if not isinstance(body, messages.KeyReveal):
            return None
        return msgspec.structs.replace(body, key=encode(stolen))

    assert caught(world, cheater, change=other_key) == "key-proof"


def test_a_key_proved_at_another_table() -> None:
    from dataclasses import replace

    def change(peer: Peer, round: Round, body: Body) -> Body | None:
        if not isinstance(body, messages.KeyReveal):
            return None
        elsewhere = replace(world.context(peer, round), table=b"another table 16")
        secret = peer.holder.key(peer.table, round.serial)
        return msgspec.structs.replace(body, proof=keys.prove_key(elsewhere, secret, FRESH))

    world = table()
    assert caught(world, world.peers[1], change=change) == "key-proof"


def bad_shares(world: World, peer: Peer, round: Round, victim: int) -> messages.Shares:
    """Recovery shares that add up, with a true proof, one of which cannot be decrypted by its recipient."""
    pack = peer.table.preparing
    context = world.context(peer, round)
    secret = peer.holder.key(peer.table, round.serial)
    others = [seat for seat in pack.seats if seat != peer.seat]
    shares = recovery.make_shares(peer.holder.secrets, peer.table.id, round.serial, secret, others)
    seed = Transcript(context, labels.PROOF_SHARES)
    ephemeral = Nonces(secret_bytes(*shares.values()), seed, FRESH).scalars(len(others))
    published = []
    for seat, e in zip(others, ephemeral, strict=True):
        S, E = mul_base(shares[seat]), mul_base(e)
        published.append(recovery.PublishedShare(seat, pack.keys[seat], S, E, bytes([seat]) * 32))
    transcript, equations = recovery._statement(context, mul_base(secret), published)
    proof = linear.prove(transcript, equations, ephemeral, FRESH)
    blob = b"".join(encode(share.S) + encode(share.E) + share.ct for share in published) + proof
    return messages.Shares(round.serial, blob)


def test_a_bad_recovery_share_is_complained_about() -> None:
    """The complaint opens the share: the liar is named with the entry that lied, not the one who complains."""
    world = table()
    cheater, height = world.peers[1], list[int]()

    def change(peer: Peer, round: Round, body: Body) -> Body | None:
        if not isinstance(body, messages.Shares):
            return body
        height.append(len(world.records))
        peer.tamper = None
        return bad_shares(world, peer, round, 0)

    cheater.tamper = change
    world.play(until=lambda: world.table.players != [] and any(player.barred for player in world.table.players))
    assert named(world, cheater, height[0]) == "recovery-share"
    goes_on(world)


def test_a_false_complaint_names_him_who_complains() -> None:
    def change(peer: Peer, round: Round, body: Body) -> Body | None:
        if not isinstance(body, messages.Accept):
            return None
        secret, published = peer.holder.key(peer.table, round.serial), peer.table.preparing.published[0]
        proof = recovery.prove_complaint(world.context(peer, round), secret, published, FRESH)
        return messages.Complaint(round.serial, 0, proof)

    world = table()
    assert caught(world, world.peers[1], change=change) == "complaint-false"


def test_a_complaint_that_opens_something_else() -> None:
    def change(peer: Peer, round: Round, body: Body) -> Body | None:
        if not isinstance(body, messages.Accept):
            return None
        published = peer.table.preparing.published[0]
        proof = recovery.prove_complaint(world.context(peer, round), 12345, published, FRESH)
        return messages.Complaint(round.serial, 0, proof)

    world = table()
    assert caught(world, world.peers[1], change=change) == "complaint-proof"


def test_shares_of_another_seat_are_shown_as_his_own() -> None:
    def change(peer: Peer, round: Round, body: Body) -> Body | None:
        theirs = [record.entry.body for record in world.records]
        shares = [
            one for one in map(messages.decode_body_untrusted, theirs)
            if isinstance(one, messages.Shares) and one.serial == round.serial
        ]  # fmt: skip
        if not isinstance(body, messages.Shares) or not shares:
            return None
        return shares[0]

    world = table()
    assert caught(world, world.peers[2], change=change) in {"shares-sum", "shares-proof"}


def test_he_cheats_with_the_next_pack_while_cards_are_played() -> None:
    """The deal in play is dealt again: the cheater's hand would have to be opened otherwise."""

    def change(peer: Peer, round: Round, body: Body) -> Body | None:
        if not isinstance(body, messages.KeyReveal) or peer.table.in_play is None or peer.table.state is None:
            return None
        return msgspec.structs.replace(body, proof=bytes(64))

    world = table()
    world.packs_first = True
    assert caught(world, world.peers[1], change=change) == "key-proof"
    assert events.Redealt("cheat") in world.peers[0].events
    assert not any(round.kind is not Kind.COMMIT for round in world.table.rounds)
