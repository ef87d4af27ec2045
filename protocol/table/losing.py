"""Losing a seat: votes, cheats, and how the others open the hand of a seat so that the stand-in can play it.

A seat is *lost* when all other players who are here have voted so, or when it cheated (then it is *barred* as well, and
the deal is dealt again). A vote names a step at which the table waits for the seat; it lapses when the seat answers.

In a deal that goes on, the others post recovery shares for the points that are missing: what the seat owes to the open
round, what it holds, what it was just handed, and the share ciphertexts addressed to it, so that a later loss can be
recovered as well (deck step 10). While they do, the round of the game is held up and takes no answers; it gets a new
place (step) when the seat is lost, and again when the hand lies open. So a proof that was made before, against what was
public then, arrives stale and is never taken for a false one.

Answers that a lost seat had already given to a round that waits for others stand: they were proved, and nothing that
was seen is rolled back. Only a seal that it can no longer break is forgotten: the stand-in chooses instead.

Two seats lost at the same moment, or one lost while its recovery share for another is awaited, take the deal with them
(``two-lost``): it is dealt again without them.
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
from protocol.table.pack import FEWEST_PLAYERS, Deferred
from protocol.table.rounds import Kind, Round

if TYPE_CHECKING:
    from protocol.table.table import Table

FEWEST_TOGETHER = 2
"""One player alone does not decide about several."""

_OPENS = (Kind.DRAW, Kind.OPEN, Kind.RELEASE)
_OF_ONE_SEAT = (Kind.ASK, Kind.MIX)


# --- votes ---------------------------------------------------------------------------------------------------------


def may_vote(table: Table, seat: int, vote: Vote) -> bool:
    """Whether the vote counts, once: the table waits for the seat that it is about at the step that it names; or waits
    there for another, about whom `seat` has voted already and this one has not."""
    target = vote.seat
    if target >= table.seats or target == seat or table.players[target].lost:
        return False
    if seat in table.votes.get(target, ()) and not (vote.yes and _may_ask_again(table, seat, target)):
        return False
    if not vote.yes and (seat in table.declined.get(target, ()) or not table.votes.get(target)):
        return False
    return any(
        (round.serial, round.step) == (vote.serial, vote.step) and _waits_for(table, round, seat, target)
        for round in table.rounds
    )


def _may_ask_again(table: Table, seat: int, target: int) -> bool:
    """Whether somebody has said that he waits for `target`, and `seat` has not asked yet whether he still does."""
    return bool(table.declined.get(target)) and seat not in table.asked_again.get(target, ())


def ballot(table: Table, seat: int, target: int, yes: bool = True, again: bool = False) -> Vote | None:
    """The vote that `seat` may cast about `target` now, if any; a second one only to ask `again`."""
    if seat in table.votes.get(target, ()) and not again:
        return None
    votes = (Vote(round.serial, round.step, target, yes) for round in table.rounds)
    return next((vote for vote in votes if may_vote(table, seat, vote)), None)


def _waits_for(table: Table, round: Round, seat: int, target: int) -> bool:
    if round.awaits(target):
        return True
    return any(
        round.awaits(other) and seat in voters and target not in _answered(table, other)
        for other, voters in table.votes.items()
    )


def _answered(table: Table, target: int) -> set[int]:
    """Who has voted about `target`, one way or the other."""
    return table.votes.get(target, set()) | table.declined.get(target, set())


def vote(table: Table, seat: int, vote: Vote) -> None:
    """`seat` is for taking over another, or is here and waits for it. Once all others who are here are for it, it is
    irrevocable.

    Players who are silent at the same moment do not vote about each other. They are lost together once all the others,
    at least two and no fewer than they, have voted about every one of them. Whoever says that he waits is not silent:
    nobody can be voted away for not agreeing, and nobody at all while somebody who is here disagrees. Since he may
    vanish after he said so, each who voted may ask once again: then whoever still waits must say it anew.
    """
    against = vote.seat
    voters, declined = table.votes.setdefault(against, set()), table.declined.setdefault(against, set())
    table.emit(events.Voted(seat, against, vote.yes))
    if not vote.yes:
        declined.add(seat)
        return
    if seat in voters:
        table.asked_again.setdefault(against, set()).add(seat)
        declined.clear()
    voters.add(seat)
    declined.discard(seat)
    if (declined - voters) & set(table.live()):
        return
    silent = [other for other in table.live() if other == against or other not in voters]
    if len(silent) > 1 and len(voters) < max(FEWEST_TOGETHER, len(silent)):
        return
    if all(table.votes.get(other, set()) >= voters for other in silent):
        for other in silent:
            lose(table, other)


def lapse(table: Table) -> None:
    """Forget the votes about seats that the table does not wait for any more, or whose own votes it waited for."""
    owing = {seat for round in table.rounds for seat in round.waiting}
    about = {seat: voters for seat, voters in table.votes.items() if seat in owing}
    withheld = {
        seat: voters
        for seat, voters in table.votes.items()
        if any(seat not in _answered(table, other) and seat not in about for other in about)
    }
    table.votes = about | withheld
    table.declined = {seat: here for seat, here in table.declined.items() if seat in table.votes}
    table.asked_again = {seat: who for seat, who in table.asked_again.items() if seat in table.votes}


def may_sit_down(table: Table, seat: int) -> bool:
    """Whether the owner of a lost seat may come back: once until a deal is scored, so that nobody can hold up a table
    for ever by sitting down and keeping silent again and again."""
    player = table.players[seat]
    return player.lost and not player.barred and not player.returning and player.sat_down < _scored(table)


def _scored(table: Table) -> int:
    return len(table.state.results) if table.state is not None else 0


def sit_down(table: Table, seat: int) -> None:
    """The owner of a lost seat is back from the next pack on, which is begun anew for that."""
    player = table.players[seat]
    player.returning, player.sat_down = True, _scored(table)
    preparing.drop(table)
    table.emit(events.Returned(seat))


# --- the seat is lost ----------------------------------------------------------------------------------------------


def lose(table: Table, seat: int) -> None:
    """The stand-in plays for `seat`. In a deal that has begun the others will open its hand (`recovering`)."""
    player = table.players[seat]
    player.lost, player.returning = True, False
    table.votes, table.declined = {}, {}
    table.emit(events.Lost(seat))
    if table.next_pack is not None and seat in table.next_pack.seats:
        preparing.drop(table)
    if table.recover_round is not None and seat in table.recover_round.waiting and not player.barred:
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
    wanted = {seat: _missing(table, seat) for seat in table.pack.keys if table.players[seat].lost}
    for seat, points in wanted.items():
        if not points:
            _open_hand(table, seat)
        elif _can_be_recovered(table, seat):
            table.step += 1
            table.recovering = points
            table.recover_round = Round(Kind.RECOVER, table.pack.serial, table.step, table.live(), lost=seat)
            return bool(table.live()) or recovering(table)
    if any(wanted.values()):
        throw_in(table, "two-lost")
    return False


def _can_be_recovered(table: Table, seat: int) -> bool:
    """Whether every share of a lost seat's key is held by a player who is here, or was opened when he was lost."""
    return seat in table.pack.published and all(
        not table.players[share.recipient].lost or table.pack.recovered_at(share.recipient, share.E) is not None
        for share in table.pack.published[seat].shares
    )


def _missing(table: Table, seat: int) -> list[Point]:
    """The points of which the others must recover `x·point` for a lost seat, each once and in a fixed order."""
    pack, round = table.pack, table.game_round
    points = []
    if len(table.live()) > FEWEST_PLAYERS:  # else another loss ends the game, and one player alone could read a hand
        points += [published.to(seat).E for sender, published in sorted(pack.published.items()) if sender != seat]
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
