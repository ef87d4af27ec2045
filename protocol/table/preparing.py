"""Making a pack ready: five rounds that depend on nothing in play and run beside the game (deck steps 1 to 3).

    commit → reveal → share → accept → shuffle → ready
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from protocol.deck import recovery
from protocol.deck.elgamal import fresh_pack
from protocol.deck.group import Point
from protocol.deck.keys import joint_key
from protocol.table import events, losing
from protocol.table.pack import FEWEST_PLAYERS, Pack
from protocol.table.rounds import Kind, Round

if TYPE_CHECKING:
    from protocol.table.table import Table

ROUNDS = (Kind.COMMIT, Kind.REVEAL, Kind.SHARE, Kind.ACCEPT, Kind.SHUFFLE)


def begin(table: Table) -> None:
    """Begin a pack for the players who are here; who asked to sit down again is here from now on.

    Those only come back between two deals: sitting down drops the pack that is being made ready without them.
    """
    for player in table.players:
        if player.returning:
            player.returning = player.lost = False
    table.serial += 1
    table.next_pack = Pack(table.serial, tuple(table.live()), table.seats)
    _open(table, Kind.COMMIT)


def drop(table: Table) -> None:
    """The pack that is being made ready is of no use any more."""
    table.next_pack = table.pack_round = None


def take(table: Table) -> bool:
    """Put the prepared pack into play. False while it is not ready; begins one if there is none."""
    if table.next_pack is None:
        begin(table)
    if not table.preparing.ready:
        return False
    table.in_play, table.next_pack = table.next_pack, None
    return True


def answered(table: Table, round: Round, seat: int, answer: object, height: int) -> None:
    """A checked answer to a round of the pack that is being made ready."""
    pack = table.preparing
    match round.kind, answer:
        case Kind.COMMIT, bytes():
            pack.commitments[seat] = answer
        case Kind.REVEAL, Point():
            pack.keys[seat] = answer
        case Kind.SHARE, recovery.PublishedShares():
            pack.published[seat] = answer
            pack.shared_at[seat] = height
        case Kind.ACCEPT, int():
            losing.cheated(table, answer, pack.shared_at[answer], "recovery-share")
            return
        case Kind.SHUFFLE, list():
            pack.ciphers = answer
    done = ROUNDS.index(round.kind) * len(pack.seats) + len(pack.seats) - len(round.waiting)
    table.emit(events.Preparing(pack.serial, done, len(ROUNDS) * len(pack.seats)))
    if not round.waiting:
        _finish(table, round.kind)


def _finish(table: Table, kind: Kind) -> None:
    pack = table.preparing
    if kind is Kind.SHUFFLE:
        pack.ready = True
        table.pack_round = None
        return
    following = ROUNDS[ROUNDS.index(kind) + 1]
    if kind is Kind.REVEAL:
        pack.joint = joint_key([pack.keys[seat] for seat in pack.seats])
        if len(pack.seats) == FEWEST_PLAYERS:
            following = Kind.SHUFFLE  # the one other player would get the whole key, and a loss ends the game anyway
    if following is Kind.SHUFFLE:
        assert pack.joint is not None
        pack.ciphers = fresh_pack(pack.joint)
    _open(table, following)


def _open(table: Table, kind: Kind) -> None:
    pack = table.preparing
    table.pack_round = Round(
        kind, pack.serial, ROUNDS.index(kind), list(pack.seats), in_turn=kind is Kind.SHUFFLE
    )
