"""What a host counts against a seat, and against strangers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
import trio
import trio.testing

from p2p import limits
from p2p.host import Guest, Host, Terms
from p2p.link import Link, Message
from p2p.peer import Peer
from p2p.sitting import Sitter, claim_for
from p2p.store import Secrets, TableStore
from protocol.errors import Refused
from protocol.handshake import Refusal
from protocol.identity import Identity
from protocol.messages import Chat, Genesis, encode


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


# ---- before the game ----------------------------------------------------------------------------------------------


class Writing:
    """The host's own peer while it signs the first entry, which takes a moment."""

    def __init__(self) -> None:
        self.table = SimpleNamespace(genesis=None, over=False, players=[])
        self.written: list[Genesis] = []
        self.go_on = trio.Event()

    async def write(self, body: Genesis) -> None:
        self.written.append(body)
        await self.go_on.wait()


def sitting_host(store: TableStore, guests: list[Identity]) -> Host:
    """A host at whose table these sit."""
    host = Host(store, Terms("kasra", {}, {}), lambda: None)
    for guest in guests:
        host.sit_untrusted(guest.public, claim_for(guest, store.table, host.digest, Sitter("Guest")))
    return host


GUESTS = [Identity.generate(bytes([number]) * 32) for number in range(4)]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[TableStore]:
    secrets = Secrets(bytes(32), GUESTS[0].to_bytes(), bytes(16))
    with TableStore.create(tmp_path, bytes(16), "host", secrets, game="kasra") as store:
        yield store


async def test_who_leaves_while_the_first_entry_is_signed_sits_in_it(store: TableStore) -> None:
    """Nor can his seat be given to somebody whom the first entry does not name."""
    host, peer = sitting_host(store, GUESTS), Writing()
    host.peer = cast(Peer, peer)
    late = Identity.generate(b"l" * 32)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(host.begin)
        await trio.testing.wait_all_tasks_blocked()
        host.stand_up(GUESTS[1].public)
        host.remove(GUESTS[2].public)
        host.set_ready(GUESTS[3].public, False)
        with pytest.raises(Refused) as refused:
            host.sit_untrusted(late.public, claim_for(late, store.table, host.digest, Sitter("Late")))
        assert refused.value.code == "table-running"
        peer.go_on.set()
    keys = [guest.public for guest in GUESTS]
    assert [claim.key for claim in host.claims] == [claim.key for claim in peer.written[0].seats] == keys
    host.admit(GUESTS[2].public)


async def test_who_changes_his_mind_all_the_time_is_not_told_to_everybody(
    store: TableStore, autojump_clock: trio.testing.MockClock
) -> None:
    told = 0

    def changed() -> None:
        nonlocal told
        told += 1

    host = sitting_host(store, GUESTS)
    host._changed = changed
    wavering = GUESTS[1].public
    for number in range(1000):
        host.set_ready(wavering, bool(number % 2))
    assert told == limits.READY_BURST and host.ready[1]
    host.set_ready(GUESTS[2].public, False)
    assert not host.ready[2], "the others are heard"
    await trio.sleep(1 / limits.READY_PER_SECOND)
    host.set_ready(wavering, False)
    assert not host.ready[1], "and he is heard again"


async def test_after_a_removal_everybody_asks(store: TableStore) -> None:
    """Whoever was removed comes back with a new key, and the same leaked invite."""
    host = sitting_host(store, GUESTS[:2])
    host.open_to_all = True
    host.remove(GUESTS[1].public)
    for number, invited in enumerate((True, False)):
        again, link = Identity.generate(bytes([9 + number]) * 32), Silent("10.0.0.1", bytes(32))
        link.invited = invited
        host.sit_untrusted(again.public, claim_for(again, store.table, host.digest, Sitter("Mallory")), True, link)
    assert len(host.claims) == 1 and [one.invited for one in host.asking] == [True, False]


async def test_guests_without_a_seat_may_say_so_much_together(
    store: TableStore, autojump_clock: trio.testing.MockClock
) -> None:
    host, told = sitting_host(store, GUESTS[:2]), list[bytes]()
    host.chat_heard = lambda chat: told.append(chat.key)
    for key in [*(bytes([number]) * 32 for number in range(100, 200)), GUESTS[1].public]:
        link = Silent("10.0.0.1", key)
        link.invited = True
        said = Chat(key, 1, "Buy this!", bytes(64))
        assert host._hear_untrusted(Guest.over(link, key), encode(said))
    assert len(told) == limits.CHAT_BURST + 1 and told[-1] == GUESTS[1].public
