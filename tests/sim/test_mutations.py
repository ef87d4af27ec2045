"""One player sends anything at any moment: well-formed entries whose every field was changed.

A seeded game is stopped at random moments. There a copy of the whole table gets one entry that some seat might send: an
honest answer with a field changed, an old entry (its own or somebody else's) at the place that is open now, a move with
any action of the grammar. It must raise nothing, and be stale, which changes nothing; or good; or name its author and
nobody else. Every peer must make the same of it, and the game must go on without the author. Some such entries are sent
in the game itself, which must end.
"""

from __future__ import annotations

import copy
import random
from contextlib import suppress
from typing import Any, get_args

import msgspec
import pytest

from engine.cards import card_name
from protocol.deck.group import Point
from protocol.deck.nonce import Secrets
from protocol.errors import Malformed
from protocol.identity import Identity
from protocol.messages import (
    Audit,
    Body,
    Genesis,
    Handed,
    Move,
    NotHeld,
    RecoveryShares,
    Seal,
    Struct,
    Unseal,
    Vote,
    decode_body_untrusted,
)
from protocol.table import events
from protocol.table.rounds import Kind, Round
from protocol.table.table import Table
from tests.sim.games import SHORT, assert_same, public, rebuilt
from tests.sim.world import Peer, World

OFTEN, OFTEN_WHERE_RARE = 0.08, 0.5
"""How often the game is stopped between two entries; and where it waits for something that it seldom waits for."""

RARE = {Kind.DRAW, Kind.OPEN, Kind.MIX, Kind.SEARCH, Kind.SEAL, Kind.UNSEAL, Kind.AUDIT, Kind.RECOVER}

FOLLOWED = 25
"""How many entries a copy goes on for after one that was not stale."""

IN_EARNEST = 0.003
"""How often such an entry is sent in the game itself."""

NUMBERS = (0, 1, 2, 3, 51, 52, 53, 2**32 - 1)
SLOTS = (*range(0, 80, 7), 4095)
TEXTS = ("", " ", "??", "play", "play  2C", "PLAY 2C", "play 2C 3C", "give 9 ??", "give 1 2C", "double KH KH", "2C")
KINDS = tuple(kind for kind in get_args(Body) if kind is not Genesis)


@pytest.fixture(autouse=True)
def _points_are_values(monkeypatch: pytest.MonkeyPatch) -> None:
    for values in (Point, Identity, Secrets):
        monkeypatch.setattr(values, "__deepcopy__", lambda self, memo: self, raising=False)


def any_action(rng: random.Random) -> str:
    """An action of the grammar, or nearly one."""
    card = card_name(rng.randrange(52))
    cards = " ".join(card_name(one) for one in sorted(rng.sample(range(52), rng.randrange(5))))
    seat, number = rng.randrange(4), rng.choice((0, 3, 4, 7, 13, 14, 99))
    strain = rng.choice(("C", "D", "H", "S", "NT"))
    return rng.choice(
        (
            f"play {card}", f"play {card}", "play ??", f"show {card}", "show 7H", "show ??",
            f"return {card}", "return ??", f"discard {card}", "discard ??", f"give {seat} {card}", f"give {seat} ??",
            f"double {cards}".strip(), "double", "double KH", "pass", "dash", "full", "stop", "claim",
            f"estimate {number}", f"bid {number}{strain}", "game complex", "game trix", "game tarneeb",
            f"trump {rng.choice('SHDC')}", f"contract {strain}", "contract none", "void redeal", "void play",
            "no dash", *TEXTS,
        )
    )  # fmt: skip


class Mutations:
    """Where changed entries come from: everything that was ever on this log, and the rounds that are open."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.bodies: dict[type, list[Any]] = {}
        self.blobs: list[bytes] = [b"", bytes(32), bytes(33), bytes(64), bytes(66)]

    def learn(self, body: Any) -> None:
        """An honest entry was sent."""
        self.bodies.setdefault(type(body), []).append(body)
        for value in msgspec.structs.asdict(body).values():
            if isinstance(value, bytes):
                self.blobs.append(value)
            elif isinstance(value, Move):
                self.learn(value)

    def entry(self, world: World, peer: Peer) -> Any:
        """Something that `peer` might send now."""
        table, rng = peer.table, self.rng
        owed = [] if table.players[peer.seat].lost else table.owed(peer.seat)
        roll = rng.random()
        if owed and roll < 0.6:
            return self.changed(world.answer(peer, rng.choice(owed)), table)
        if table.rounds and roll < 0.75:
            return self.forged(table, peer, rng.choice(table.rounds))
        kinds = [kind for kind in KINDS if self.bodies.get(kind)]
        if not kinds or roll > 0.97:
            return Vote(table.serial_in_play, table.step, rng.randrange(4), rng.random() < 0.5)
        body = rng.choice(self.bodies[rng.choice(kinds)])
        return self.changed(self.at_a_round(body, table), table)

    def forged(self, table: Table, peer: Peer, round: Round) -> Any:
        """An answer to an open round without any care for the proofs."""
        rng, place = self.rng, (round.serial, round.step)
        hand = table.in_play.hand(peer.seat) if table.in_play is not None else []
        slots = tuple(rng.sample(hand, min(len(hand), rng.choice((0, 1, 1, 1, 2)))))
        move = Move(*place, any_action(rng), slots, self.blob(64), self.blob(0), self.handed(), rng.randrange(4))
        match round.kind:
            case Kind.SEAL:
                return Seal(*place, rng.randbytes(32))
            case Kind.UNSEAL:
                return Unseal(*place, rng.randbytes(32), move)
            case Kind.SEARCH if rng.random() < 0.5:
                return NotHeld(*place, self.blob(0))
            case Kind.AUDIT:
                received = rng.choice(("", "??", card_name(rng.randrange(52))))
                return Audit(*place, rng.randrange(3), any_action(rng), received, self.blob(64), self.blob(0))
            case Kind.RECOVER:
                return RecoveryShares(*place, rng.randrange(4), self.blob(97))
            case _:
                return rng.choice((move, Vote(*place, rng.randrange(4), rng.random() < 0.5)))

    def at_a_round(self, body: Any, table: Table) -> Any:
        """The same body at the place of an open round."""
        fitting = [round for round in table.rounds if isinstance(body, round.row.answers)]
        if not fitting:
            return body
        round = self.rng.choice(fitting)
        values = {"serial": round.serial, "step": round.step}
        return msgspec.structs.replace(
            body, **{name: value for name, value in values.items() if name in body.__struct_fields__}
        )

    def changed(self, body: Any, table: Table) -> Any:
        """The body with one field changed, seldom none, sometimes several."""
        names = list(body.__struct_fields__)
        if self.rng.random() < 0.8:  # what names another place is stale, whatever else it says
            names = [name for name in names if name not in ("serial", "step", "deal")] or names
        for name in self.rng.choices(names, k=self.rng.choice((0, 1, 1, 1, 1, 2, 3))) if names else ():
            body = msgspec.structs.replace(body, **{name: self.value(name, getattr(body, name), table)})
        return body

    def value(self, name: str, old: Any, table: Table) -> Any:
        """Another value for a field."""
        rng = self.rng
        if name in ("seat", "against"):
            return rng.randrange(4)
        if name == "choice":
            return rng.randrange(4)
        if name == "yes":
            return not old
        if name == "slots":
            hands = table.in_play.knowledge.hands if table.in_play is not None else []
            known = [*SLOTS, *(slot for hand in hands for slot in hand)]
            others = tuple(rng.choices(known, k=max(1, len(old))))
            return rng.choice(((), old * 2, old[:-1], others, tuple(known)))[:20]
        if name == "action":
            return any_action(rng)
        if name == "received":
            return rng.choice(("", "??", "2", "2CC", card_name(rng.randrange(52))))
        if name == "handed":
            return self.handed()
        if isinstance(old, Struct):
            return self.changed(old, table)
        if isinstance(old, bool):
            return not old
        if isinstance(old, int):
            near = [round.serial for round in table.rounds] + [round.step for round in table.rounds]
            return rng.choice((*NUMBERS, old + 1, max(0, old - 1), *near)) % 2**32
        return self.bytes_like(old, fixed=name in ("commitment", "key", "salt", "seal", "nonce", "digest"))

    def bytes_like(self, old: bytes, *, fixed: bool) -> bytes:
        """Other bytes: of the same length where the schema says so."""
        rng, data = self.rng, bytearray(old)
        same_length = [blob for blob in self.blobs if len(blob) == len(old)] or [old]
        roll = rng.random()
        if roll < 0.3 and data:
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        elif roll < 0.5:
            data = bytearray(rng.choice(same_length))
        elif roll < 0.6 and len(data) >= 66:  # two points, or parts of the length of points, change places
            first, second = (33 * rng.randrange(len(data) // 33) for _ in range(2))
            data[first : first + 33], data[second : second + 33] = data[second : second + 33], data[first : first + 33]
        elif fixed:
            data = bytearray(rng.randbytes(len(old)))
        elif roll < 0.8:
            data = bytearray(rng.choice(self.blobs))
        elif roll < 0.9:
            data = data[: rng.randrange(len(data) + 1)]
        else:
            data += rng.randbytes(rng.choice((1, 32, 33)))
        return bytes(data)

    def blob(self, length: int) -> bytes:
        """Old bytes of this length, or any."""
        fitting = [blob for blob in self.blobs if len(blob) == length]
        return self.rng.choice(fitting if fitting and self.rng.random() < 0.8 else self.blobs)

    def handed(self) -> Handed | None:
        """Nothing, an old card that was handed over, or bytes."""
        old: list[Handed] = [move.handed for move in self.bodies.get(Move, ()) if move.handed is not None]
        choices: tuple[Handed | None, ...] = (None, Handed(self.rng.randbytes(66), self.blob(96)), *old[-3:])
        return self.rng.choice(choices)


def send(world: World, peer: Peer, body: Any) -> bool:
    """`peer` sends the body. True when it was not stale. Nobody else is named; a stale entry changes nothing."""
    author, stale = peer.seat, world.stale
    told = [len(each.events) for each in world.peers]
    values = public(world.peers[0].table)
    before = {name: copy.deepcopy(value) for name, value in values.items() if name not in UNCHANGED}
    world.add(peer, body)
    happened = world.peers[0].events[told[0] :]
    for each, count in zip(world.peers[1:], told[1:], strict=True):
        assert each.events[count:] == happened
        assert_same(world.peers[0].table, each.table)
    named = [event.seat for event in happened if isinstance(event, events.Cheated)]
    assert named in ([], [author]), (body, happened)
    if world.stale == stale:
        return True
    assert not happened
    for name, value in before.items():
        assert getattr(world.peers[0].table, name) == value, (name, body)
    return False


UNCHANGED = ("chain", "now", "genesis")


def follow(world: World, author: Peer) -> None:
    """The game goes on without the author, and never names anybody else."""
    number, key = len(world.records), author.identity.public
    told = len(world.peers[0].events)
    author.gone = True
    world.play_on(until=lambda: len(world.records) >= number + FOLLOWED)
    for event in world.peers[0].events[told:]:
        if isinstance(event, events.Cheated):  # what he declared, or sealed, before
            assert world.peers[0].table.players[event.seat].key == key
    for each in world.peers[1:]:
        assert_same(world.peers[0].table, each.table)


def run(name: str, seed: int, stops: int) -> dict[str, int]:
    """Play a game with up to so many stops. Returns how many entries were stale, good, false."""
    short = SHORT[name]
    world = World(short.game, seed, short.options, short.seats, one_verifies=True)
    rng = random.Random(seed)
    mutations = Mutations(rng)
    counts = {"stale": 0, "good": 0, "false": 0}
    seen = 1  # the genesis stays out of it
    while not world.table.over:
        for record in world.records[seen:]:
            with suppress(Malformed):  # sent in earnest
                mutations.learn(decode_body_untrusted(record.entry.body))
        seen = len(world.records)
        rare = any(round.kind in RARE for round in world.table.rounds)
        if stops and rng.random() < (OFTEN_WHERE_RARE if rare else OFTEN):
            stops -= 1
            counts[try_one(world, mutations)] += 1
        here = [peer for peer in world.peers if not peer.gone]
        if len(here) > 2 and rng.random() < IN_EARNEST:
            author = rng.choice(here)
            if send(world, author, mutations.entry(world, author)):
                author.gone = True
        assert world.step() or ended(world) or world.vote_away(), "nobody who is here can do anything"
    for each in world.peers[1:]:
        assert_same(world.peers[0].table, each.table)
    assert_same(world.peers[0].table, rebuilt(world, trusted=True))
    return counts


def ended(world: World) -> bool:
    """Whether the game is over (by now)."""
    return world.table.over


def fork_of(world: World) -> World:
    """A copy of the world; what never changes is shared."""
    shared: dict[int, object] = {id(world.records): list(world.records)}
    for peer in world.peers:
        shared[id(peer.events)] = list(peer.events)
        table = peer.table
        shared |= {id(value): value for value in (table.genesis, table.state)}
        chain = table.chain
        for name in ("heads", "counters", "entries"):
            value = getattr(chain, name)
            shared[id(value)] = copy.copy(value)
    return copy.deepcopy(world, shared)


def try_one(world: World, mutations: Mutations) -> str:
    """One changed entry in a copy of the world. What became of it."""
    fork = fork_of(world)
    author = mutations.rng.choice(fork.peers)
    waited_for = [peer for peer in fork.peers if fork.table.owed(peer.seat)]
    if waited_for and mutations.rng.random() < 0.7:
        author = mutations.rng.choice(waited_for)
    body = mutations.entry(fork, author)
    told = len(fork.peers[0].events)
    if not send(fork, author, body):
        return "stale"
    follow(fork, author)
    cheated = [event for event in fork.peers[0].events[told:] if isinstance(event, events.Cheated)]
    return "false" if cheated else "good"


@pytest.mark.parametrize(("name", "seed"), [(name, seed) for seed, name in enumerate(sorted(SHORT), 40)])
def test_whatever_one_player_sends_harms_nobody_else(name: str, seed: int) -> None:
    counts = run(name, seed, stops=20)
    assert counts["false"] and counts["stale"], counts


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(SHORT))
@pytest.mark.parametrize("seed", range(500, 505))
def test_whatever_one_player_sends_in_many_games_harms_nobody_else(name: str, seed: int) -> None:
    run(name, seed, stops=10_000)
