"""Whatever a signed entry holds, `examine` finds it stale or false, and never raises."""

from __future__ import annotations

import random

import msgspec
import pytest

from protocol.errors import Refused
from protocol.log import sign_entry
from protocol.messages import Body, Move
from protocol.table.rounds import Kind
from tests.sim.games import SHORT
from tests.sim.world import Peer, World

ACTIONS = (
    "play ??", "play AS", "play 2C", "show 7H", "show ??", "give 0 ??", "give 1 ??", "give 2 AS", "give 9 ??",
    "return ??", "return AS", "discard ??", "discard AS", "double", "double KH QS QD QC QH", "double AS", "pass",
    "dash", "no dash", "full", "void play", "void redeal", "stop", "claim", "estimate 0", "estimate 13", "estimate 99",
    "bid 4C", "bid 13NT", "bid 99S", "game trix", "trump S", "contract NT", "contract none", "nonsense", "", "play",
    "play ZZ",
)  # fmt: skip


def variants(peer: Peer, body: Body, rng: random.Random) -> list[Body]:
    """The body with one field after the other made wrong."""
    found: list[Body] = []
    for name in body.__struct_fields__:
        value = getattr(body, name)
        if isinstance(value, bytes) and name not in ("seal", "commitment", "digest", "salt", "nonce", "key"):
            flipped = bytes([value[0] ^ 1]) + value[1:] if value else b"\x01"
            found += [msgspec.structs.replace(body, **{name: other}) for other in (b"", flipped, value + b"\x00")]
        elif name == "slots":
            slots = rng.sample(range(70), 3)
            found += [msgspec.structs.replace(body, slots=tuple(slots[:count])) for count in range(4)]
        elif name == "choice":
            found.append(msgspec.structs.replace(body, choice=3))
        elif name == "move":
            found += [msgspec.structs.replace(body, move=other) for other in variants(peer, value, rng)]
    if isinstance(body, Move):
        hand = peer.table.pack.hand(peer.seat)
        for action in ACTIONS:
            for count in (0, 1, 2):
                found.append(Move(body.serial, body.step, action, tuple(hand[:count]), body.opening, body.claim))
    return found


@pytest.mark.parametrize("name", ["kasra", "istimar", "three_five_eight", "estimation"])
def test_no_entry_makes_the_table_stumble(name: str) -> None:
    short = SHORT[name]
    world = World(short.game, 21, short.options, short.seats, one_verifies=True)
    rng = random.Random(21)
    tried: set[tuple[Kind, str]] = set()
    examined = 0

    def examine(peer: Peer, round: object, body: Body) -> Body:
        nonlocal examined
        table = peer.table
        place = (round.kind, table.state.phase if table.state is not None else "")  # type: ignore[attr-defined]
        if peer is not world.peers[0] or place in tried:
            return body
        tried.add(place)
        chain = table.chain
        for other in variants(peer, body, rng):
            entry = sign_entry(peer.identity, table.id, peer.counter + 1, chain.height, chain.head, other)
            try:
                finding = table.examine(entry, chain.height)
            except Refused as wrong:
                raise AssertionError(f"{other} raises {wrong}") from wrong
            assert finding.height == chain.height and finding.seat == peer.seat
            examined += 1
        return body

    for peer in world.peers:
        peer.tamper = examine  # type: ignore[assignment]
    world.play()
    assert world.table.over and len(tried) > 10 and examined > 200
