"""Losing a seat: votes, cheats, and how the others open the hand of a seat so that the stand-in can play it.

A seat is *lost* when all other players who are here have voted so, or when it cheated (then it is *barred* as well, and
the deal is dealt again). In a deal that goes on, the others post recovery shares for the points that are missing: what
the seat owes to the open round, what it holds, what it was just handed, and the share ciphertexts addressed to it, so
that a later loss can be recovered as well (deck step 10). While they do, the round of the game is held up and takes no
answers; it gets a new place (step) when the seat is lost, and again when the hand lies open. So a proof that was made
before, against what was public then, arrives stale and is never taken for a false one.

Answers that a lost seat had already given to a round that waits for others stand: they were proved, and nothing that
was seen is rolled back. Only a seal that it can no longer break is forgotten: the stand-in chooses instead.

A seat lost while its recovery share for another is awaited takes the deal with it (``two-lost``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.actions import Action
from engine.cards import Card
from engine.game import Fault, Illegal, holds
from protocol.deck import recovery
from protocol.deck.elgamal import Cipher
from protocol.deck.group import Point, encode, mul
from protocol.deck.opening import open_with
from protocol.messages import Vote
from protocol.table import events, preparing
from protocol.table.checks import open_positions, recipients
from protocol.table.pack import Deferred
from protocol.table.rounds import Kind, Round

if TYPE_CHECKING:
    from protocol.table.table import Table

_OPENS = (Kind.DRAW, Kind.OPEN, Kind.RELEASE)
_OF_ONE_SEAT = (Kind.ASK, Kind.MIX)


# --- votes ---------------------------------------------------------------------------------------------------------


def may_vote(table: Table, seat: int, vote: Vote) -> bool:
    """Whether the table waits for the seat that the vote is about, at the step that it names."""
    if vote.seat >= table.seats or vote.seat == seat or table.players[vote.seat].lost:
        return False
    return any(
        round.awaits(vote.seat) and (round.serial, round.step) == (vote.serial, vote.step) for round in table.rounds
    )


def vote(table: Table, seat: int, against: int) -> None:
    """`seat` is for taking over `against`; once all who are here are, it is irrevocable."""
    votes = table.votes.setdefault(against, set())
    votes.add(seat)
    table.emit(events.Voted(seat, against))
    if votes >= set(table.live()) - {against}:
        lose(table, against)


def sit_down(table: Table, seat: int) -> None:
    """The owner of a lost seat is back from the next pack on, which is begun anew for that."""
    table.players[seat].returning = True
    preparing.drop(table)
    table.emit(events.Returned(seat))


# --- the seat is lost ----------------------------------------------------------------------------------------------


def lose(table: Table, seat: int) -> None:
    """The stand-in plays for `seat`. In a deal that has begun the others will open its hand (`recovering`)."""
    player = table.players[seat]
    player.lost, player.returning = True, False
    table.votes = {}
    table.emit(events.Lost(seat))
    if table.next_pack is not None and seat in table.next_pack.seats:
        preparing.drop(table)
    if table.recover_round is not None and seat in table.recover_round.waiting:
        throw_in(table, "two-lost")
    if table.score_round is not None:
        table.score_round.waiting = [other for other in table.score_round.waiting if other != seat]
    round = table.game_round
    if round is None:
        return
    round.waiting = [other for other in round.waiting if other != seat]
    if round.kind is Kind.SEAL:
        round.given.pop(seat, None)
        table.seals.pop(seat, None)
    if round.kind in _OF_ONE_SEAT and not round.waiting:
        table.game_round = None  # the step of the game begins anew, with the stand-in
    else:
        table.move_round()


def cheated(table: Table, seat: int, height: int, code: str) -> None:
    """A proved cheat: the seat is lost for good, and a deal that is in play is dealt again."""
    player = table.players[seat]
    table.emit(events.Cheated(seat, height, code))
    player.barred, player.returning = True, False
    if not player.lost:
        lose(table, seat)
    if table.in_play is not None:
        throw_in(table, "cheat")


def faults(table: Table) -> None:
    """What was declared turned out false at the end of the deal: every liar is named, and the deal is dealt again."""
    assert table.state is not None
    declared_at = table.pack.declared_at
    table.in_play = None
    while isinstance(step := table.state.step, Fault):
        cheated(table, step.seat, declared_at.get(step.seat, table.now), step.code)
        table.state = table.state.after(step)
    table.step += 1
    table.emit(events.Redealt("cheat"))


def throw_in(table: Table, reason: str) -> None:
    """The deal in play is over without a score; the same deal is dealt again from another pack."""
    table.game_round = table.recover_round = table.in_play = None
    table.step += 1
    if table.state is not None:
        table.state = table.state.void(reason)
    table.emit(events.Redealt(reason))


# --- its hand is opened --------------------------------------------------------------------------------------------


def recovering(table: Table) -> bool:
    """Whether recovery shares are awaited. Opens the round for them when a lost seat of the pack in play needs it."""
    if table.recover_round is not None:
        if table.recover_round.waiting:
            return True
        _finish_recovery(table, table.recover_round)
    if table.in_play is None:
        return False
    for seat in table.pack.keys:
        if not table.players[seat].lost:
            continue
        points = _missing(table, seat)
        if points:
            table.step += 1
            table.recovering = points
            table.recover_round = Round(Kind.RECOVER, table.pack.serial, table.step, table.live(), lost=seat)
            return True
        _open_hand(table, seat)
    return False


def _missing(table: Table, seat: int) -> list[Point]:
    """The points of which the others must recover `x·point` for a lost seat, each once and in a fixed order."""
    pack, round = table.pack, table.game_round
    points = [
        published.to(seat).E for sender, published in sorted(pack.published.items()) if sender != seat
    ]
    if round is not None and round.kind in _OPENS and seat not in round.given:
        owed = set(open_positions(table, round)) | {at for at, to in recipients(table, round).items() if to != seat}
        points += [pack.ciphers[at].a for at in sorted(owed)]
    if round is not None and round.kind is Kind.AUDIT:
        for at, deferred in enumerate(pack.deferred):
            if deferred.seat == seat and at not in pack.audited:
                points += [cipher.a for cipher in _audited(deferred)]
    points += [pack.slots[slot].a for slot in pack.hand(seat) if slot not in pack.open_cards]
    if seat in pack.received and seat not in pack.received_open:
        points.append(pack.received[seat].a)
    by_bytes = {encode(point): point for point in points}
    return [point for key, point in by_bytes.items() if (seat, key) not in pack.recovered]


def _audited(deferred: Deferred) -> list[Cipher]:
    """What must be seen to check a deferred claim in the open."""
    received = [] if deferred.received is None else [deferred.received]
    return [deferred.moved, *received, *deferred.left]


def _finish_recovery(table: Table, round: Round) -> None:
    pack, lost = table.pack, round.lost
    table.recover_round = None
    lists = [points for points in round.given.values() if isinstance(points, list)]
    for share in pack.published[lost].shares:
        if share.recipient in round.given:
            continue
        # A seat that was lost before: the share addressed to it has been opened by then.
        opened = pack.recovered_at(share.recipient, share.E)
        scalar = recovery.reopen_ciphertext(opened, pack.published[lost], share.recipient) if opened else None
        if scalar is None:
            throw_in(table, "two-lost")
            return
        lists.append([mul(scalar, point) for point in table.recovering])
    for point, whole in zip(table.recovering, recovery.add_recovered(lists), strict=True):
        pack.recovered[lost, encode(point)] = whole


def _open_hand(table: Table, seat: int) -> None:
    """Once everything of a lost hand is recovered, it lies open; the round that was held up gets a new place."""
    pack = table.pack
    closed = [slot for slot in pack.hand(seat) if slot not in pack.open_cards]
    for slot in closed:
        card = _recovered_card(table, seat, pack.slots[slot])
        pack.open_cards[slot] = card
        pack.knowledge.show(seat, slot, card)
    if seat in pack.received and seat not in pack.received_open:
        pack.received_open[seat] = _recovered_card(table, seat, pack.received[seat])
    if closed and table.game_round is not None:
        table.move_round()


def _recovered_card(table: Table, seat: int, cipher: Cipher) -> Card:
    point = table.pack.recovered_at(seat, cipher.a)
    assert point is not None
    return open_with(cipher, [point])


# --- its deferred claims -------------------------------------------------------------------------------------------


def audit_openly(table: Table) -> bool:
    """Check the deferred claims of seats that were lost before they could prove them: vanishing hides nothing. What
    they concern was recovered. False when one is false: its seat is named, and the deal is thrown in."""
    pack = table.pack
    for at, deferred in enumerate(pack.deferred):
        if at in pack.audited:
            continue
        code = _openly_false(table, deferred)
        if code:
            cheated(table, deferred.seat, deferred.height, code)
            return False
    return True


def _openly_false(table: Table, deferred: Deferred) -> str:
    """The code of the rule that a lost seat broke, or nothing."""
    seat = deferred.seat
    moved = _recovered_card(table, seat, deferred.moved)
    received = None if deferred.received is None else _recovered_card(table, seat, deferred.received)
    hand = 1 << moved
    for cipher in deferred.left:
        hand |= 1 << _recovered_card(table, seat, cipher)
    action = Action(deferred.action.verb, cards=1 << moved)
    try:
        claim = deferred.state.claim(seat, action, received)
    except Illegal as illegal:
        return illegal.code
    return "" if holds(claim, action, hand) else claim.code
