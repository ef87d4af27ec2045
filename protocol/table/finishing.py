"""What a round of the deal in play does once everybody has answered it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.cards import Card, rank_of, suit_of
from engine.game import Audit, OpenKitty, Release, Sealed, Search, TakeKitty
from engine.lookup import find_game
from protocol.deck.dealing import combine
from protocol.deck.elgamal import trivial
from protocol.deck.group import Point
from protocol.deck.opening import open_with
from protocol.table import acting, events, losing
from protocol.table.checks import Dealt, Play, open_positions, recipients
from protocol.table.rounds import Kind, Round

if TYPE_CHECKING:
    from protocol.table.table import Table


def finish(table: Table, round: Round) -> None:
    """Do what the round was for."""
    match round.kind:
        case Kind.DRAW:
            _draw(table, round)
        case Kind.RELEASE:
            _release(table, round)
        case Kind.OPEN:
            _open(table, round)
        case Kind.MIX:
            _mix(table, round)
        case Kind.ASK:
            ((seat, play),) = round.given.items()
            assert isinstance(play, Play)
            acting.act(table, seat, play)
        case Kind.SEAL:
            table.open_round(Kind.UNSEAL, list(round.given), round.about)
        case Kind.UNSEAL:
            _unseal(table, round)
        case Kind.SEARCH:
            _search(table, round)
        case Kind.AUDIT:
            if losing.audit_openly(table):
                table.after(Audit())
        case _:
            raise AssertionError(round.kind)


def _open_with_shares(
    table: Table, positions: list[int], points: dict[int, dict[int, Point]]
) -> dict[int, Card]:
    """The cards at `positions`, from one opening share of every key, recovered ones included."""
    pack = table.pack
    cards = {}
    for at in positions:
        shares = []
        for seat in pack.keys:
            share = points.get(seat, {}).get(at) or pack.recovered_at(seat, pack.ciphers[at].a)
            assert share is not None
            shares.append(share)
        cards[at] = open_with(pack.ciphers[at], shares)
    return cards


def _draw(table: Table, round: Round) -> None:
    """Who drew the highest card takes seat 0 and deals first; the others follow from high to low (B-EST-25)."""
    assert table.genesis is not None
    points = {seat: given for seat, given in round.given.items() if isinstance(given, dict)}
    cards = _open_with_shares(table, open_positions(table, round), points)
    order = sorted(cards, key=lambda seat: (rank_of(cards[seat]), suit_of(cards[seat])), reverse=True)
    table.players = [table.players[seat] for seat in order]
    table.votes, table.declined = {}, {}
    table.in_play = None
    names = tuple(player.name for player in table.players)
    table.emit(events.Seated(names, tuple(cards[seat] for seat in order)))
    table.state = find_game(table.genesis.game).start(table.genesis.options, dealer=0)


def _open(table: Table, round: Round) -> None:
    assert isinstance(round.about, OpenKitty)
    points = {seat: given for seat, given in round.given.items() if isinstance(given, dict)}
    cards = _open_with_shares(table, open_positions(table, round), points)
    mask = 0
    for at, card in cards.items():
        table.pack.opened[at] = card
        table.pack.knowledge.see(card)
        mask |= 1 << card
    table.emit(events.Kitty(tuple(cards.values())))
    table.after(round.about, mask)


def _release(table: Table, round: Round) -> None:
    assert table.state is not None and round.about is not None
    pack = table.pack
    given = {seat: dealt for seat, dealt in round.given.items() if isinstance(dealt, Dealt)}
    opened = _open_with_shares(
        table, open_positions(table, round), {seat: dealt.opened for seat, dealt in given.items()}
    )
    for at, to in recipients(table, round).items():
        if at in opened:
            pack.take_open(to, at, opened[at])
            continue
        contributions: list[tuple[Point | None, Point]] = []
        for seat in pack.keys:
            if seat == to:
                continue
            if seat in given:
                share = given[seat].shares[at]
                contributions.append((share.R, share.S))
            else:
                recovered = pack.recovered_at(seat, pack.ciphers[at].a)
                assert recovered is not None
                contributions.append((None, recovered))
        pack.slots[at] = combine(pack.ciphers[at], contributions)
        pack.knowledge.deal(to, at)
        pack.mixed.discard(to)
    if isinstance(round.about, Release):
        table.emit(events.Dealt(table.state.deal, table.state.dealer))
    table.after(round.about)


def take_kitty(table: Table, step: TakeKitty) -> None:
    """The kitty comes into the hand; where it was opened, as encryptions that everybody can read, mixed at once."""
    pack, seat = table.pack, step.seat
    for at in step.positions:
        if at not in pack.opened:
            continue  # it was shown to this seat alone, and is in its hand
        if table.plays(seat):
            pack.take_card(seat, at, trivial(pack.opened[at], pack.keys[seat]), 1 << pack.opened[at])
        else:
            pack.take_open(seat, at, pack.opened[at])
    if table.plays(seat):
        table.open_round(Kind.MIX, [seat], step)
    else:
        table.after(step)


def _mix(table: Table, round: Round) -> None:
    pack = table.pack
    for seat, ciphers in round.given.items():
        assert isinstance(ciphers, list)
        new = pack.new_slots(len(ciphers))
        pack.slots.update(zip(new, ciphers, strict=True))
        pack.knowledge.mix(seat, new)
        pack.mixed.add(seat)
    if isinstance(round.about, TakeKitty):
        table.after(round.about)
    table.step += 1


def _unseal(table: Table, round: Round) -> None:
    assert isinstance(round.about, Sealed)
    for seat in round.about.seats:
        play = round.given.get(seat)
        acting.act(table, seat, play if isinstance(play, Play) else acting.standin_play(table, seat))


def _search(table: Table, round: Round) -> None:
    assert isinstance(round.about, Search)
    card = round.about.card
    found: tuple[int, Play] | None = None
    for seat, answer in round.given.items():
        if isinstance(answer, Play):
            found = (seat, answer)
        else:
            table.pack.knowledge.exclude(seat, 1 << card)
    for seat, player in enumerate(table.players):
        if player.lost and found is None and table.pack.open_hand(seat) >> card & 1:
            found = (seat, acting.standin_shows(table, seat, card))
    if found is None:
        table.after(round.about)
    else:
        acting.act(table, *found)
