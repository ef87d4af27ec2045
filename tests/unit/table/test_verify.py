"""`majlis verify`: what is refused, with the entry's number and its author, and what is a good log all the same."""

from __future__ import annotations

from functools import cache

import msgspec
import pytest

from protocol import messages
from protocol.identity import Identity
from protocol.log import Chain, Entry, Record, decode_record_untrusted, pack_record, sign_entry
from protocol.messages import Move, decode_body_untrusted
from protocol.verify import LogError, verify_records
from tests.sim.games import rebuilt
from tests.sim.world import World


@cache
def played() -> World:
    world = World("three_five_eight", 2, {"deals": 3}, 3, one_verifies=True)
    world.play()
    assert world.table.over
    return world


@cache
def log() -> tuple[bytes, ...]:
    return tuple(map(pack_record, played().records))


def refused(records: list[bytes]) -> LogError:
    verdict = verify_records(records)
    assert verdict.error is not None and not verdict.finished
    assert verdict.records == verdict.error.number, "everything before it is good"
    return verdict.error


def author(number: int) -> tuple[int, str]:
    """Seat and name of the author of a record, once the seats are drawn."""
    world = played()
    seat = world.table.seat_of(world.records[number].entry.author)
    assert seat is not None
    return seat, world.table.players[seat].name


def openings() -> list[int]:
    """The numbers of the entries that open a card."""
    bodies = [decode_body_untrusted(record.entry.body) for record in played().records]
    return [number for number, body in enumerate(bodies) if isinstance(body, Move) and body.opening]


def test_a_whole_game() -> None:
    world = played()
    verdict = verify_records(log())
    assert verdict.error is None and verdict.finished and not verdict.faults and not verdict.lost
    state = world.table.state
    assert state is not None
    assert (verdict.totals, verdict.winners, verdict.results) == (state.totals, state.winners, state.results)
    assert verdict.deals == 3 and verdict.game == "three_five_eight"
    assert verdict.records == len(log())
    assert [player.name for player in verdict.players] == [player.name for player in world.table.players]
    assert verdict.packs == 4 and verdict.phases["shuffle"].entries == 12 and verdict.phases["score"].entries == 9
    assert verdict.phases["ask"].entries >= 3 * 48
    assert "stale" not in verdict.phases
    assert verdict.proofs > len(openings())
    assert 30_000 < verdict.deal_bytes / verdict.packs < 60_000
    assert sum(phase.entries for phase in verdict.phases.values()) == verdict.records - 1


def test_the_same_table_comes_out_of_the_file_with_and_without_verifying() -> None:
    assert rebuilt(played(), trusted=True).state == played().table.state
    assert rebuilt(played(), trusted=True).chain == played().table.chain


@pytest.mark.parametrize("cut", [1, 10, 100])
def test_a_log_that_is_cut_off_at_the_end_is_unfinished(cut: int) -> None:
    verdict = verify_records(log()[:-cut])
    assert verdict.error is None and not verdict.finished and verdict.winners == ()
    assert verdict.records == len(log()) - cut


def test_one_byte_is_changed() -> None:
    number = openings()[20]
    good = log()[number]
    places = range(20, len(good), max(1, len(good) // 40))
    codes = set()
    for place in places:
        bad = good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :]
        error = refused([*log()[: number], bad, *log()[number + 1 :]]) if place == places[0] else _quick(number, bad)
        assert error.number == number
        assert (error.seat, error.name) in (author(number), (-1, ""))  # the byte may be one of the author's key
        codes.add(error.code)
    assert "bad-signature" in codes


@cache
def _before(number: int) -> Chain:
    chain = Chain(played().table_id)
    for data in log()[:number]:
        chain.extend_untrusted(decode_record_untrusted(data))
    return chain


def _quick(number: int, bad: bytes) -> LogError:
    """The same refusal without checking everything before it again."""
    from protocol.errors import Refused

    try:
        record = decode_record_untrusted(bad)
        _before(number).extend_untrusted(record)
    except Refused as wrong:
        return LogError(number, *author(number), wrong.code, wrong.values)
    raise AssertionError("a changed byte was taken")


def test_one_entry_is_dropped_in_the_middle() -> None:
    number = openings()[30]
    error = refused([*log()[:number], *log()[number + 1 :]])
    assert (error.number, error.code) == (number, "log-order-bad")
    assert (error.seat, error.name) == author(number + 1)


def test_two_entries_are_swapped() -> None:
    number = openings()[30]
    error = refused([*log()[:number], log()[number + 1], log()[number], *log()[number + 2 :]])
    assert (error.number, error.code) == (number, "log-order-bad")


def with_another_deals_opening(number: int) -> Move:
    """The move at `number`, its proof replaced by one of the same author from another deal."""
    world = played()
    body = decode_body_untrusted(world.records[number].entry.body)
    assert isinstance(body, Move)
    for other in openings():
        theirs = decode_body_untrusted(world.records[other].entry.body)
        assert isinstance(theirs, Move)
        if world.records[other].entry.author == world.records[number].entry.author and theirs.serial != body.serial:
            return msgspec.structs.replace(body, opening=theirs.opening)
    raise AssertionError


def identity_of(number: int) -> Identity:
    world = played()
    return next(peer.identity for peer in world.peers if peer.identity.public == world.records[number].entry.author)


def test_one_proof_is_replaced_by_another_deal_s() -> None:
    number = openings()[30]
    record = played().records[number]
    body = messages.encode(with_another_deals_opening(number))
    entry = msgspec.structs.replace(record.entry, body=body)
    error = refused([*log()[:number], pack_record(msgspec.structs.replace(record, entry=entry)), *log()[number + 1 :]])
    assert (error.number, error.code, error.seat, error.name) == (number, "bad-signature", *author(number))


def test_a_host_that_signs_the_replaced_proof_again_lacks_the_author_s_signature() -> None:
    number = openings()[30]
    world = played()
    record = world.records[number]
    entry = msgspec.structs.replace(record.entry, body=messages.encode(with_another_deals_opening(number)))
    forged = resigned(record, entry)
    error = refused([*log()[:number], pack_record(forged)])
    assert (error.number, error.code, error.seat) == (number, "bad-signature", author(number)[0])


def resigned(record: Record, entry: Entry) -> Record:
    world = played()
    chain = Chain(world.table_id, world.peers[0].identity.public)
    chain.heads = list(world.table.chain.heads[: record.height])
    return chain.order(world.peers[0].identity, entry)


def test_a_cheating_author_and_the_host_together_are_named() -> None:
    """The signatures are good; the proof is not. The log up to there is good, and shows who cheated and where."""
    number = openings()[30]
    record = played().records[number]
    old = record.entry
    body = with_another_deals_opening(number)
    entry = sign_entry(identity_of(number), played().table_id, old.counter, old.height, old.head, body)
    verdict = verify_records([*log()[:number], pack_record(resigned(record, entry))])
    assert verdict.error is None and not verdict.finished
    assert [(fault.height, fault.seat, fault.code) for fault in verdict.faults] == [
        (number, author(number)[0], "own-card-proof")
    ]
    assert verdict.names == [author(number)[1]]
    following = refused([*log()[:number], pack_record(resigned(record, entry)), *log()[number + 1 :]])
    assert following.number == number + 1, "and what came after it was said about another log"


@pytest.mark.parametrize("records", [[], [b""], [b"\x80"], [b"garbage"], None])
def test_what_is_no_log(records: list[bytes] | None) -> None:
    verdict = verify_records(list(log()[1:3]) if records is None else records)
    assert verdict.error is not None and verdict.error.number == 0 and verdict.records == 0
    assert not verdict.finished
