"""What a table of real peers tells a bot is, byte for byte, what an open table tells it in the same deal."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
import trio

from bots.builtin import make
from bots.sdk import Bot, View
from bots.talk import Talk, talk
from engine.actions import FACE_DOWN, Action, parse_action
from engine.cards import FULL_PACK, PACK_SIZE, Card, card_set, cards_in
from engine.game import Value
from engine.games import game as find_game
from engine.kitty import KITTY_SIZE
from engine.referee import Pack, Referee, packs
from p2p import limits
from p2p.language import set_language
from p2p.peer import Peer
from p2p.sitting import Sitter, Sitting
from p2p.store import TableStore
from p2p.terminal import words
from p2p.terminal.console import Console
from p2p.terminal.lines import LineTable
from protocol.deck import shuffle
from protocol.deck.elgamal import Cipher, encode_ciphers
from protocol.deck.group import ORDER, Point
from protocol.deck.transcript import Context
from protocol.identity import Identity
from protocol.seat import CAPABILITIES, Act, Encoding, End, FromPeer, Hello, peer_codec, wanted
from protocol.seat import Event as SeatEvent
from protocol.table import events
from protocol.table.events import Event
from tests.net.processes import DEADLINE
from tests.sim.world import World
from tests.unit.p2p.around import Around, chain_of, ignore, store_of

WANTS = ("events",)

TABLES: Mapping[str, tuple[int, Mapping[str, Value], set[str]]] = {
    "kasra": (1, {"kingdoms": 1}, {"game", "trump", "double", "show", "play", "pass"}),
    "estimation": (7, {"normal_deals": 1, "speed_deals": 0}, {"void", "full", "bid", "estimate", "play"}),
    "istimar": (1, {}, {"trump", "show", "give", "return", "discard", "play"}),
    "three_five_eight": (1, {}, {"contract", "give", "return", "discard", "play"}),
}
"""Seed, options, and what is done."""

WHOLE = ("kasra", "estimation")
"""The games that are played to their end."""

BROKEN_OFF = (3, 7)
"""Deal and plays after which the others stop: then there were two exchanges, and the third deal is on."""


@dataclass
class Listener:
    """A player who keeps what he is told, in order, and what he answers. He falls silent where the game stops."""

    bot: Bot
    silent: trio.Event
    info: Mapping[str, object] | None = None
    heard: list[FromPeer] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)

    async def hello(self, message: Hello) -> None:
        self.heard.append(message)

    async def act(self, message: Act) -> str:
        self.heard.append(message)
        view = message.view
        plays = sum(text.startswith("play ") for _, text in view["history"])
        if view["game"] not in WHOLE and (view["deal"], plays) >= BROKEN_OFF:
            self.silent.set()
            await trio.sleep_forever()
        self.answers.append(self.bot.act(View.of(message)))
        return self.answers[-1]

    async def tell(self, message: FromPeer) -> None:
        if wanted(message, WANTS):
            self.heard.append(message)

    async def aclose(self) -> None:
        self.silent.set()


@dataclass
class Played:
    """What came of a real table: by seat the players, what their peers would have them know at the end, and the peers'
    folders; every pack in its order."""

    players: list[Listener]
    views: list[dict[str, object]]
    folders: list[Path]
    packs: list[Pack]


@dataclass
class Dealing:
    """Every pack that is dealt, from what all peers see of it: nobody sees it whole."""

    by_serial: dict[int, dict[int, Card]] = field(default_factory=dict)

    def look(self, peer: Peer) -> None:
        """Cards went to their owners; this is one of them."""
        assert peer.seat is not None
        dealt = self.by_serial.setdefault(peer.table.serial_in_play, {})
        dealt |= {slot: card for slot, card in peer.holder.hand(peer.table, peer.seat).items() if slot < PACK_SIZE}

    def packs(self) -> Iterator[Pack]:
        """Whole packs: what nobody was dealt is the kitty, in no order."""
        for _, dealt in sorted(self.by_serial.items()):
            kitty = cards_in(FULL_PACK & ~card_set(dealt.values()))
            yield [dealt[at] if at in dealt else next(kitty) for at in range(PACK_SIZE)]


async def play(game: str, folder: Path) -> Played:
    """A table of real peers. All prove what they do; the first checks it, the others believe him."""
    seed, options, _ = TABLES[game]
    seats = find_game(game).seats
    world = World(game, seed, dict(options), seats)
    around, dealing = Around(world, chain_of(world)), Dealing()
    players = [Listener(make("random", seed + number), trio.Event()) for number in range(seats)]

    def made(number: int) -> Peer:
        async def observe(event: Event) -> None:
            if isinstance(event, events.Dealt):
                dealing.look(around.peers[number])

        store = store_of(world, number, folder)
        return Peer(store, uplink=around.submit, observe=observe, player=players[number], seed=number)

    for number in range(seats):
        peer = made(number)
        await peer.reload()
        peer.catch_up(0)
        peer.table.trusted = number > 0
        around.peers.append(peer)
        around.here.add(number)
    with trio.fail_after(DEADLINE):
        async with trio.open_nursery() as nursery:
            for peer in around.peers:
                nursery.start_soon(peer.run)
            async with trio.open_nursery() as any_of_them:
                for player in players:
                    any_of_them.start_soon(_first, player.silent, any_of_them.cancel_scope)
            for peer in around.peers:
                await peer.settled(around.chain.height)
            if not around.peers[0].table.over:
                nursery.cancel_scope.cancel()
    for peer in around.peers:
        peer.store.close()
    in_order = sorted(zip(around.peers, players, strict=True), key=lambda one: one[0].seat or 0)
    return Played(
        [player for _, player in in_order],
        [peer.view() for peer, _ in in_order],
        [peer.store.path for peer, _ in in_order],
        list(dealing.packs()),
    )


async def _first(event: trio.Event, scope: trio.CancelScope) -> None:
    await event.wait()
    scope.cancel()


def at_open_table(game: str, played: Played, seat: int) -> Talk:
    """The same deals, played the same way, as an open table tells them to a seat."""
    referee = Referee.start(find_game(game), packs(played.packs), TABLES[game][1])
    answers = [iter(player.answers) for player in played.players]

    def others(mover: int) -> Action:
        return parse_action(next(answers[mover]))

    hello = played.players[seat].heard[0]
    assert isinstance(hello, Hello)
    return talk(referee, seat, hello.names, others, wants=WANTS, seed=hello.seed, clocks=hello.clocks)


def compared(game: str, played: Played, seat: int) -> Iterator[tuple[bytes, bytes]]:
    """Message by message, as JSON: what the real table said to a seat up to its last question, or to the end, and what
    the open one says."""
    codec = peer_codec(Encoding.JSON)
    told, answers = at_open_table(game, played, seat), iter(played.players[seat].answers)
    answer: str | None = None
    heard = played.players[seat].heard
    last = max(number for number, message in enumerate(heard) if isinstance(message, Act | End))
    for message in heard[: last + 1]:
        there = next(told) if answer is None else told.send(answer)
        if isinstance(there, Hello):
            there = msgspec.structs.replace(there, capabilities=list(CAPABILITIES))  # the one thing that differs
        yield codec.encode(message), codec.encode(there)
        answer = next(answers, None) if isinstance(message, Act) else None


def shuffled(
    context: Context, inputs: Sequence[Cipher], Y: Point, rng_bytes: bytes, secret: bytes = b""
) -> tuple[bytes, bytes]:
    """`shuffle_and_prove`, but what is dealt depends on the seat and the pack alone, not on which peer was quicker."""
    chance = random.Random(secret)
    permutation = chance.sample(range(len(inputs)), len(inputs))
    randomizers = [chance.randrange(1, ORDER) for _ in inputs]
    outputs = shuffle.shuffle(inputs, Y, permutation, randomizers)
    proof = shuffle.prove_shuffle(context, inputs, outputs, Y, permutation, randomizers, rng_bytes)
    return encode_ciphers(outputs), proof


@pytest.fixture
async def played(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Played:
    monkeypatch.setattr(limits, "SAME_MOMENT", 0.0)
    monkeypatch.setattr(shuffle, "shuffle_and_prove", shuffled)
    return await play(game, tmp_path)


class Silent(LineTable):
    """A person's table in lines at which nobody types."""

    async def listen(self, seated: bool = True) -> None:
        """Nothing comes."""


async def after_coming_back(folder: Path) -> list[str]:
    """What a person reads who goes back to a table."""
    set_language("en")
    raw = io.BytesIO()
    with TableStore.open(folder) as store:
        sitting = Sitting(store, Sitter("Amal"), Silent(Console(io.TextIOWrapper(raw, "utf-8", write_through=True))))
        async with trio.open_nursery() as nursery:
            await sitting.open(nursery, lambda entry: None, keeps_log=False, seated=True)
            nursery.cancel_scope.cancel()
    return raw.getvalue().decode().splitlines()


@pytest.mark.parametrize("game", TABLES)
async def test_a_real_table_says_what_an_open_table_says_and_again_after_a_restart(game: str, played: Played) -> None:
    verbs = set[str]()
    for seat, player in enumerate(played.players):
        for number, (real, there) in enumerate(compared(game, played, seat)):
            assert real == there, (seat, number)
        verbs |= {message.action.split()[0] for message in player.heard if isinstance(message, SeatEvent)}
        assert isinstance(player.heard[-1], End) == (game in WHOLE)
    assert verbs >= TABLES[game][2]
    for seat, (folder, view) in enumerate(zip(played.folders, played.views, strict=True)):
        with TableStore.open(folder) as store:
            again = Peer(store, uplink=lambda entry: None, observe=ignore, player=played.players[seat])
            await again.reload()
            assert again.view() == view, seat
            again.identity = Identity.generate(bytes(32))
            looking_on = cast(Sequence[Any], again.view()["history"])
            assert all(text.endswith("??") for _, text in looking_on if parse_action(text).verb in FACE_DOWN)
    if game not in WHOLE:
        declarer = played.views[0]["declarer"]
        for seat, view in enumerate(played.views):
            aside = [text for _, text in cast(Sequence[Any], view["history"]) if text.startswith("discard")]
            assert len(aside) == KITTY_SIZE and ("discard ??" in aside) == (seat != declarer)
            told = await after_coming_back(played.folders[seat])
            for text in aside:
                own = words.own(parse_action(text), declarer, seat, [])
                assert (own in told) == (seat == declarer) and bool(own) == (seat == declarer)
