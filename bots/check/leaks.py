"""Do our own messages tell a seat what it must not know? Deals that differ only in who of the others holds which hidden
card are played the same way, and every byte that the seat is sent must be the same.

Two cards that two other seats hold, and that the public cannot tell apart (`Knowledge.can_hold`), change places in the
pack; then everything that was done is done again. Where the rules forbid that (a hidden card that had to be shown, a
declaration that would be false), the pair is left out.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from bots.builtin import make
from bots.check.questions import NAMES, TABLES
from bots.practice import choice
from bots.talk import answered, talk
from engine.actions import Action
from engine.cards import Card, cards_in
from engine.game import Illegal, owner
from engine.games import game as find_game
from engine.referee import Pack, Referee, packs, shuffled
from protocol.seat import Act, Encoding, peer_codec

POSITIONS = 12
"""Questions of a game whose hidden hands are exchanged."""

ATTEMPTS = 6
"""Pairs of cards tried for each; late in a deal hardly any two cards can change places."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A question to the seat: how many bytes it had been sent by then, and what the referee knew."""

    sent: int
    deal: int  # its pack's number
    pack: Pack
    hands: tuple[int, ...]
    can_hold: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """How many changed deals looked the same, and the first question (if any) that did not."""

    same: int
    different: int = -1


@dataclass(slots=True)
class Played:
    """A whole game: its packs, what was done in order, and what one seat was sent."""

    packs: list[Pack]
    actions: list[Action]
    sent: bytes
    moments: list[Moment]


def compare(game: str, seat: int = 0) -> Compared:
    """Plays a table of the check and changed copies of it, and compares what `seat` is sent."""
    played = _play(game, seat)
    chance, same = random.Random(f"leaks/{game}"), 0
    for moment in chance.sample(played.moments, min(POSITIONS, len(played.moments))):
        pairs = list(_pairs(moment, seat))
        for one, other in chance.sample(pairs, min(ATTEMPTS, len(pairs))):
            changed = [list(pack) for pack in played.packs]
            pack = changed[moment.deal]
            at, to = pack.index(one), pack.index(other)
            pack[at], pack[to] = other, one
            sent = _again(game, seat, changed, played.actions, moment.sent)
            if sent is None:
                continue
            if sent != played.sent[: moment.sent]:
                return Compared(same, played.moments.index(moment))
            same += 1
            break
    return Compared(same)


def _pairs(moment: Moment, seat: int) -> Iterator[tuple[Card, Card]]:
    """Hidden cards that two of the others could have the other way round, as far as the public knows."""
    seats = len(moment.hands)
    dealt = {card: owner(position, seats) for position, card in enumerate(moment.pack)}
    others = [
        [card for card in cards_in(hand) if dealt[card] == who and who != seat] for who, hand in enumerate(moment.hands)
    ]
    for one in range(seats):
        for other in range(one + 1, seats):
            for card in others[one]:
                for instead in others[other]:
                    if moment.can_hold[one] >> instead & 1 and moment.can_hold[other] >> card & 1:
                        yield card, instead


def _play(game: str, seat: int) -> Played:
    seed, deals, options = TABLES[game][0]
    rules = find_game(game)
    fresh, order = list[Pack](), shuffled(random.Random(seed).shuffle)

    def next_pack() -> Pack:
        fresh.append(order())
        return list(fresh[-1])

    referee = Referee.start(rules, next_pack, options)
    bots = [make("random", seed + other) for other in range(rules.seats)]
    played = Played(fresh, [], b"", [])
    codec = peer_codec(Encoding.JSON)

    def choose(mover: int) -> Action:
        played.actions.append(choice(referee, bots[mover], mover))
        return played.actions[-1]

    heard = talk(referee, seat, NAMES, choose, wants=("events",), deals=deals)
    for message, _ in answered(heard, lambda act: str(choose(seat))):
        played.sent += codec.encode(message)
        if isinstance(message, Act):
            known = tuple(referee.knowledge.can_hold(other) for other in range(rules.seats))
            hands = tuple(referee.hands)
            played.moments.append(Moment(len(played.sent), len(fresh) - 1, list(referee.pack), hands, known))
    return played


def _again(game: str, seat: int, changed: list[Pack], actions: list[Action], until: int) -> bytes | None:
    """The first `until` bytes when the same is done with other packs; None if the rules forbid it."""
    _, deals, options = TABLES[game][0]
    referee = Referee.start(find_game(game), packs(changed), options)
    to_come = iter(actions)
    codec, sent = peer_codec(Encoding.JSON), b""
    try:
        heard = talk(referee, seat, NAMES, lambda mover: next(to_come), wants=("events",), deals=deals)
        for message, _ in answered(heard, lambda act: str(next(to_come))):
            sent += codec.encode(message)
            if len(sent) >= until:
                return sent
    except Illegal:
        return None
    return sent
