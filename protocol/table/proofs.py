"""Proofs that an entry brings: verified, or only read where a log is read again that was verified before.

The state of the table needs some of what proofs carry (the points that were shared). Everything else of them is slow
and is passed over when `Table.trusted` is set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from protocol.deck import claims, dealing, keys, opening, recovery, shuffle, transfer
from protocol.deck.elgamal import Cipher, decode_ciphers_untrusted
from protocol.deck.group import POINT_BYTES, SCALAR_BYTES, Point, decode_many_untrusted
from protocol.deck.transcript import Context
from protocol.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.cards import Card, CardSet
    from protocol.table.table import Table


def key(table: Table, context: Context, key: Point, proof: bytes) -> None:
    """The author knows the secret of the key."""
    if not table.trusted:
        keys.verify_key(context, key, proof)


def shares(
    table: Table, context: Context, key: Point, others: Sequence[int], deal_keys: Mapping[int, Point], data: bytes
) -> recovery.PublishedShares:
    """Recovery shares that add up to the key."""
    if not table.trusted:
        return recovery.verify_shares(context, key, others, deal_keys, data)
    # S: the share times G; E and the 32 bytes after it: the share, encrypted (protocol.deck.recovery)
    seats = sorted(others)
    if len(data) != recovery.shares_bytes(len(seats)):
        raise Malformed("shares-length", {"expected": recovery.shares_bytes(len(seats)), "got": len(data)})
    published = []
    at = 0
    for seat in seats:
        S, E = decode_many_untrusted(data[at : at + 2 * POINT_BYTES], 2)
        at += 2 * POINT_BYTES + SCALAR_BYTES
        published.append(recovery.PublishedShare(seat, deal_keys[seat], S, E, data[at - SCALAR_BYTES : at]))
    return recovery.PublishedShares(context.table, context.serial, context.seat, tuple(published))


def shuffled(
    table: Table, context: Context, inputs: Sequence[Cipher], data: bytes, joint: Point, proof: bytes
) -> list[Cipher]:
    """The pack, shuffled."""
    outputs = decode_ciphers_untrusted(data, len(inputs))
    if not table.trusted:
        shuffle.verify_shuffle(context, inputs, outputs, joint, proof)
    return outputs


def mixed(
    table: Table, context: Context, inputs: Sequence[Cipher], data: bytes, key: Point, proof: bytes
) -> list[Cipher]:
    """A hand, mixed."""
    outputs = decode_ciphers_untrusted(data, len(inputs))
    if not table.trusted:
        shuffle.verify_mix(context, inputs, outputs, key, proof)
    return outputs


def dealt(
    table: Table, context: Context, key: Point, cards: Sequence[dealing.DealCard], data: bytes
) -> list[dealing.DealShare]:
    """Deal shares, in the order of the cards."""
    if not table.trusted:
        return dealing.verify_deal_shares(context, key, cards, data)
    if len(data) != dealing.deal_shares_bytes(cards):
        raise Malformed("deal-length", {"expected": dealing.deal_shares_bytes(cards), "got": len(data)})
    points = decode_many_untrusted(data[: 2 * POINT_BYTES * len(cards)], 2 * len(cards))
    return [dealing.DealShare(*points[at : at + 2]) for at in range(0, len(points), 2)]


def opened(table: Table, context: Context, key: Point, ciphers: Sequence[Cipher], data: bytes) -> list[Point]:
    """Opening shares, in the order of the ciphers."""
    if not table.trusted:
        return opening.verify_opening_shares(context, key, ciphers, data)
    return _powers(data, len(ciphers), opening.opening_shares_bytes(len(ciphers)))


def recovered(table: Table, context: Context, share: Point, points: Sequence[Point], data: bytes) -> list[Point]:
    """Recovery shares of a lost seat's key, in the order of the points."""
    if not table.trusted:
        return recovery.verify_recovery(context, share, points, data)
    return _powers(data, len(points), recovery.recovery_bytes(len(points)))


def _powers(data: bytes, count: int, expected: int) -> list[Point]:
    if len(data) != expected:
        raise Malformed("proof-length", {"expected": expected, "got": len(data)})
    return decode_many_untrusted(data[: POINT_BYTES * count], count)


def own(table: Table, context: Context, key: Point, cards: Sequence[tuple[Cipher, Card]], proof: bytes) -> None:
    """These slots of the author hold these cards."""
    if not table.trusted:
        opening.verify_own(context, key, cards, proof)


def none(table: Table, context: Context, key: Point, slots: Sequence[Cipher], allowed: CardSet, proof: bytes) -> None:
    """These slots of the author hold different cards of the set `allowed`."""
    if not table.trusted:
        claims.verify_none(context, key, slots, allowed, proof)


def handed_over(
    table: Table, context: Context, key: Point, old: Cipher, new_key: Point, data: bytes, proof: bytes
) -> Cipher:
    """The card under its new owner's key."""
    (cipher,) = decode_ciphers_untrusted(data, 1)
    if not table.trusted:
        transfer.verify_hand_over(context, key, old, new_key, cipher, proof)
    return cipher

