"""What a host counts against a seat, and against strangers."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from p2p import limits
from p2p.host import Host, Terms
from p2p.link import Link, Message
from p2p.store import Secrets, TableStore
from protocol.errors import Refused
from protocol.handshake import Refusal
from protocol.identity import Identity


def test_late_votes_of_a_whole_game_do_not_cost_a_seat_but_floods_do(tmp_path: Path) -> None:
    """Every move of a game of Kasra may bring one: somebody votes about whoever is about to move, and an honest seat's
    word that it waits comes after the move."""
    honest, flooding = b"a" * 32, b"f" * 32
    secrets = Secrets(bytes(32), Identity.generate(b"h" * 32).to_bytes(), bytes(16))
    with TableStore.create(tmp_path, bytes(16), "host", secrets, game="kasra") as store:
        host = Host(store, Terms("kasra", {}, {}), lambda: None)
        for _ in range(16 * 52):
            host._count_stale(honest, 450)
        assert honest not in host._removed
        for _ in range(limits.STALE_BYTES // 40_000 + 1):
            host._count_stale(flooding, 40_000)
        assert host._removed == {flooding: "too-many-stale"}


class Silent(Link):
    """Somebody without the invite who says nothing."""

    key: bytes

    def __init__(self, address: str, key: bytes) -> None:
        self.address, self.key, self.invited = address, key, False
        self.told: list[str] = []

    @property
    def closed(self) -> str | None:
        return None

    def run(self, nursery: trio.Nursery) -> None:
        """Nothing to do."""

    def post(self, message: Message) -> None:
        self.told.append(type(message).__name__)

    async def send(self, message: Message) -> None:
        assert isinstance(message, Refusal)
        self.told.append(message.code)

    async def receive(self) -> bytes:
        await trio.sleep_forever()
        raise AssertionError

    async def aclose(self) -> None:
        await trio.lowlevel.checkpoint()


async def turned_away(host: Host, late: Silent) -> None:
    with pytest.raises(Refused) as refused:
        await host.welcome(late, late.key)
    assert refused.value.code == "too-many-asking" and late.told == ["too-many-asking"]


async def test_strangers_who_say_nothing_are_few_and_leave_again(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    secrets = Secrets(bytes(32), Identity.generate(b"h" * 32).to_bytes(), bytes(16))
    addresses = [f"10.0.0.{number // limits.UNINVITED_PER_ADDRESS}" for number in range(limits.UNINVITED_TOTAL)]
    links = [Silent(address, bytes([number]) * 32) for number, address in enumerate(addresses)]
    with TableStore.create(tmp_path, bytes(16), "host", secrets, game="kasra") as store:
        host = Host(store, Terms("kasra", {}, {}), lambda: None)
        since = trio.current_time()
        async with trio.open_nursery() as nursery:
            for link in links[1:]:
                nursery.start_soon(host.welcome, link, link.key)
            await trio.sleep(1)
            await turned_away(host, Silent(addresses[-1], b"l" * 32))  # one too many from there
            nursery.start_soon(host.welcome, links[0], links[0].key)
            await trio.sleep(1)
            await turned_away(host, Silent("10.9.9.9", b"m" * 32))  # one too many at all
        assert trio.current_time() - since <= limits.UNINVITED_PATIENCE + 2
    assert not host.guests and all(link.told == ["Lobby"] for link in links)
