"""What this peer owes, proved: for each kind of round, the entry body that answers it.

The mirror of `checks`; both take the obligation from the same functions. Pure but for the fresh bytes passed in, and
slow where there is something to prove: run it off the event loop.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.actions import Action
from engine.cards import card_name, cards_in
from engine.game import Claim, Search, Where, check, remaining
from engine.knowledge import Slot
from protocol import messages
from protocol.deck import claims, dealing, keys, labels, opening, recovery, shuffle, transfer
from protocol.deck.elgamal import encode_ciphers
from protocol.deck.group import encode, mul_base
from protocol.deck.sealed import seal
from protocol.deck.transcript import Context
from protocol.errors import Misuse
from protocol.messages import Body
from protocol.table.checks import (
    Obligation,
    absence,
    audit_obligation,
    deal_cards,
    face_down,
    obligation,
    open_positions,
)
from protocol.table.holder import Holder
from protocol.table.rounds import Kind, Round
from protocol.table.table import Table

Answer = Callable[[Table, Holder, Round, int, Context, bytes], Body]


def answer(
    table: Table,
    holder: Holder,
    round: Round,
    context: Context,
    fresh: bytes,
    action: Action | None = None,
) -> Body:
    """The body with which `context.seat` answers `round`. `action` is the player's choice where the round asks for one;
    it must be legal. `fresh` is at least 32 random bytes, different every time."""
    seat = context.seat
    if round.kind is Kind.ASK:
        if action is None:
            raise Misuse("an action is needed")
        return _move(table, holder, round, seat, context, fresh, action)
    if round.kind is Kind.SEAL:
        if action is None:
            raise Misuse("an action is needed")
        return _seal(table, holder, round, seat, action)
    return ANSWERS[round.kind](table, holder, round, seat, context, fresh)


# --- making a pack ready -----------------------------------------------------------------------------------------


def _commit(table: Table, holder: Holder, round: Round, seat: int, context: Context, fresh: bytes) -> Body:
    key = mul_base(holder.key(table, round.serial))
    salt = holder.secrets.key_salt(table.id, round.serial)
    return messages.KeyCommit(round.serial, keys.commit_key(context, key, salt))


def _reveal(table: Table, holder: Holder, round: Round, seat: int, context: Context, fresh: bytes) -> Body:
    secret = holder.key(table, round.serial)
    salt = holder.secrets.key_salt(table.id, round.serial)
    proof = keys.prove_key(context, secret, fresh)
    return messages.KeyReveal(round.serial, encode(mul_base(secret)), salt, proof)


def _share(table: Table, holder: Holder, round: Round, seat: int, context: Context, fresh: bytes) -> Body:
    pack = table.preparing
    secret = holder.key(table, round.serial)
    shares = recovery.make_shares(
        holder.secrets, table.id, round.serial, secret, [other for other in pack.seats if other != seat]
    )
    return messages.Shares(round.serial, recovery.publish_shares(context, shares, pack.keys, fresh))


def _accept(table: Table, holder: Holder, round: Round, seat: int, context: Context, fresh: bytes) -> Body:
    pack = table.preparing
    secret = holder.key(table, round.serial)
    for sender, published in sorted(pack.published.items()):
        if sender != seat and recovery.open_share(secret, published, seat) is None:
            proof = recovery.prove_complaint(context, secret, published, fresh)
            return messages.Complaint(round.serial, sender, proof)
    return messages.Accept(round.serial)


def _shuffle(table: Table, holder: Holder, round: Round, seat: int, context: Context, fresh: bytes) -> Body:
    pack = table.preparing
    assert pack.joint is not None
    secret = holder.secrets.derive(labels.DERIVE_SHUFFLE, table.id, round.serial)
    outputs, proof = shuffle.shuffle_and_prove(context, pack.ciphers, pack.joint, fresh, secret)
    return messages.Shuffle(round.serial, outputs, proof)


# --- dealing and opening -----------------------------------------------------------------------------------------


def _opened(table: Table, holder: Holder, round: Round, context: Context, fresh: bytes) -> bytes:
    ciphers = [table.pack.ciphers[at] for at in open_positions(table, round)]
    if not ciphers:
        return b""
    return opening.opening_shares(context, holder.key(table, round.serial), ciphers, fresh)


def _draw(table: Table, holder: Holder, round: Round, seat: int, context: Context, fresh: bytes) -> Body:
    return messages.OpenShares(round.serial, round.step, _opened(table, holder, round, context, fresh))


def _release(table: Table, holder: Holder, round: Round, seat: int, context: Context, fresh: bytes) -> Body:
    cards = deal_cards(table, round, seat)
    secret = holder.key(table, round.serial)
    shares = dealing.deal_shares(context, secret, cards, fresh) if cards else b""
    return messages.DealShares(round.serial, round.step, shares, _opened(table, holder, round, context, fresh))


def _mix(table: Table, holder: Holder, round: Round, seat: int, context: Context, fresh: bytes) -> Body:
    pack = table.pack
    secret = holder.secrets.derive(labels.DERIVE_SHUFFLE, table.id, round.serial, round.step)
    outputs, proof = shuffle.mix_hand(context, pack.ciphers_of(pack.hand(seat)), pack.keys[seat], fresh, secret)
    return messages.Mix(round.serial, round.step, outputs, proof)


def _recover(table: Table, holder: Holder, round: Round, seat: int, context: Context, fresh: bytes) -> Body:
    published = table.pack.published[round.lost]
    share = recovery.open_share(holder.key(table, round.serial), published, seat)
    if share is None:
        raise Misuse("a share that was accepted does not open")
    blob = recovery.recovery_shares(context, share, table.recovering, fresh)
    return messages.RecoveryShares(round.serial, round.step, round.lost, blob)


# --- moves -------------------------------------------------------------------------------------------------------


def _prove(
    table: Table, holder: Holder, round: Round, seat: int, context: Context, fresh: bytes, owed: Obligation
) -> tuple[bytes, bytes]:
    secret = holder.key(table, round.serial)
    opened = opening.open_own(context, secret, owed.opened, fresh) if owed.opened else b""
    if not owed.slots:
        return opened, b""
    hand = holder.hand(table, seat)
    ciphers = table.pack.ciphers_of(owed.slots)
    cards = [hand[slot] for slot in owed.slots]
    return opened, claims.prove_none(context, secret, ciphers, cards, owed.allowed, fresh)


def _move(
    table: Table, holder: Holder, round: Round, seat: int, context: Context, fresh: bytes, action: Action
) -> messages.Move:
    assert table.state is not None
    pack = table.pack
    hand = holder.hand(table, seat)
    cards = holder.cards(table, seat)
    claim = check(table.state, seat, action, cards, holder.received(table, seat))
    hidden = action.takes_card and face_down(table, claim)
    slots = _slots(hand, action)
    shown = action.concealed() if hidden else action
    choice = 0 if claim.deferred else _true_alternative(claim, action, cards)  # a deferred claim tells nothing now
    owed = obligation(pack, seat, shown, claim, slots, choice)
    opened, proof = _prove(table, holder, round, seat, context, fresh, owed)
    handed = None
    if hidden and claim.where is Where.SEAT:
        secret, new_key = holder.key(table, round.serial), pack.keys[claim.to]
        cipher, transfer_proof = transfer.hand_over(
            context, secret, pack.slots[slots[0]], action.card, new_key, fresh
        )
        handed = messages.Handed(encode_ciphers([cipher]), transfer_proof)
    return messages.Move(round.serial, round.step, str(shown), slots, opened, proof, handed, choice)


def _slots(hand: dict[Slot, int], action: Action) -> tuple[Slot, ...]:
    by_card = {card: slot for slot, card in hand.items()}
    return tuple(by_card[card] for card in cards_in(action.cards))


def _true_alternative(claim: Claim, action: Action, hand: int) -> int:
    left = remaining(hand, action, claim)
    return next((at for at, excluded in enumerate(claim.excludes) if not left & excluded), 0)


def _seal_nonce(table: Table, holder: Holder, round: Round, seat: int, action: Action) -> bytes:
    """One for each value: a seal that came stale is not opened together with the one made in its place."""
    return holder.secrets.seal_nonce(table.id, round.serial, seat, f"{table.seal_name}/{action}")


def _seal(table: Table, holder: Holder, round: Round, seat: int, action: Action) -> Body:
    nonce = _seal_nonce(table, holder, round, seat, action)
    holder.sealed[round.serial, table.seal_name] = str(action)
    value = str(action).encode()
    return messages.Seal(
        round.serial, round.step, seal(table.id, round.serial, seat, table.seal_name, value, nonce)
    )


def _unseal(table: Table, holder: Holder, round: Round, seat: int, context: Context, fresh: bytes) -> Body:
    from engine.actions import parse_action

    action = parse_action(holder.sealed[round.serial, table.seal_name])
    nonce = _seal_nonce(table, holder, round, seat, action)
    move = _move(table, holder, round, seat, context, fresh, action)
    return messages.Unseal(round.serial, round.step, nonce, move)


def _search(table: Table, holder: Holder, round: Round, seat: int, context: Context, fresh: bytes) -> Body:
    assert isinstance(round.about, Search)
    bit = 1 << round.about.card
    if holder.cards(table, seat) & bit:
        return _move(table, holder, round, seat, context, fresh, Action("show", cards=bit))
    owed = absence(table.pack, seat, round.about)
    _, proof = _prove(table, holder, round, seat, context, fresh, owed)
    return messages.NotHeld(round.serial, round.step, proof)


def _audit(table: Table, holder: Holder, round: Round, seat: int, context: Context, fresh: bytes) -> Body:
    pack = table.pack
    which = table.due_audit(seat)
    deferred = pack.deferred[which]
    secret = holder.key(table, round.serial)
    card = holder.card(table, pack, deferred.moved)
    action = Action(deferred.action.verb, cards=1 << card)
    received = holder.card(table, pack, deferred.received) if deferred.received else None
    claim = deferred.state.claim(seat, action, received)
    opened = [(deferred.moved, card)]
    if deferred.received is not None and received is not None:
        opened.insert(0, (deferred.received, received))
    proof = b""
    slots, allowed = audit_obligation(deferred.possible, claim, action)
    if slots:
        ciphers = [deferred.left[at] for at in slots]
        cards = [holder.card(table, pack, cipher) for cipher in ciphers]
        proof = claims.prove_none(context, secret, ciphers, cards, allowed, fresh)
    return messages.Audit(
        round.serial,
        round.step,
        which,
        str(action),
        "" if received is None else card_name(received),
        opening.open_own(context, secret, opened, fresh),
        proof,
    )


def _score(table: Table, holder: Holder, round: Round, seat: int, context: Context, fresh: bytes) -> Body:
    assert table.state is not None
    result = table.state.results[-1]
    return messages.Score(result.deal, table.score_digest(result))


ANSWERS: dict[Kind, Answer] = {
    Kind.COMMIT: _commit,
    Kind.REVEAL: _reveal,
    Kind.SHARE: _share,
    Kind.ACCEPT: _accept,
    Kind.SHUFFLE: _shuffle,
    Kind.DRAW: _draw,
    Kind.RELEASE: _release,
    Kind.OPEN: _draw,
    Kind.MIX: _mix,
    Kind.SEARCH: _search,
    Kind.UNSEAL: _unseal,
    Kind.AUDIT: _audit,
    Kind.SCORE: _score,
    Kind.RECOVER: _recover,
}
