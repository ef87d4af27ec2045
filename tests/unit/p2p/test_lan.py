"""What a seeker makes of what he hears: few tables, cleaned, gone when they are silent, and never a traceback."""

from __future__ import annotations

import random

import msgspec
import pytest
import trio

from p2p import lan
from p2p.lan import Beacon, Directory, Found, Places, lan_port, seek, words_of
from p2p.language import set_language
from protocol.beacon import BEACON_VERSION, PACKET_LIMIT, Announce, Packet, Seek, Withdraw, encode_packet, lan_token
from protocol.errors import Refused
from protocol.wire import pack

TABLE, CERTIFICATE, TOKEN = b"t" * 16, b"c" * 32, lan_token(b"k" * 16)
ANNOUNCE = Announce(BEACON_VERSION, TABLE, CERTIFICATE, 7070, TOKEN, "Amal", "kasra", 2)
HOME, OFFICE = "192.168.1.7", "10.0.0.7"


def said(**changed: object) -> Announce:
    return msgspec.structs.replace(ANNOUNCE, **changed)


def heard(*packets: tuple[Packet, str, float]) -> Directory:
    directory = Directory()
    for packet, source, now in packets:
        directory.hear_untrusted(encode_packet(packet), source, now)
    return directory


def test_a_table_is_what_it_says_at_the_addresses_that_it_speaks_from() -> None:
    directory = heard((ANNOUNCE, "127.0.0.1", 0), (ANNOUNCE, "fe80::1%2", 0), (ANNOUNCE, HOME, 0))
    addresses = (HOME, "fe80::1%2", "127.0.0.1")
    assert directory.tables == (Found("Amal", "kasra", 2, addresses, 7070, TABLE, CERTIFICATE, TOKEN),)
    assert TOKEN.hex() not in repr(directory.tables) and repr(TOKEN) not in repr(directory.tables)


def test_it_changes_and_is_gone_when_nothing_is_heard_of_it() -> None:
    directory = heard((ANNOUNCE, HOME, 0), (ANNOUNCE, OFFICE, 0), (said(free=1), HOME, 3))
    assert [one.free for one in directory.tables] == [1]
    directory.forget(lan.GONE_AFTER)
    assert [one.addresses for one in directory.tables] == [(HOME,)]
    directory.forget(3 + lan.GONE_AFTER)
    assert directory.tables == ()


def test_a_withdrawn_table_is_gone_where_it_spoke_and_nowhere_else() -> None:
    directory = heard((ANNOUNCE, HOME, 0), (ANNOUNCE, OFFICE, 0))
    withdraw = encode_packet(Withdraw(BEACON_VERSION, TABLE, CERTIFICATE))
    directory.hear_untrusted(withdraw, "10.6.6.6", 0)  # somebody else cannot say it for the host
    assert directory.tables[0].addresses == (OFFICE, HOME)
    directory.hear_untrusted(withdraw, HOME, 0)
    directory.hear_untrusted(encode_packet(Withdraw(BEACON_VERSION, TABLE, b"x" * 32)), OFFICE, 0)
    assert directory.tables[0].addresses == (OFFICE,)
    directory.hear_untrusted(withdraw, OFFICE, 0)
    assert directory.tables == ()


def test_a_name_is_cleaned_and_a_game_is_one_that_is_known() -> None:
    directory = heard(
        (said(name="\x1b[2J\u202eAmal\n" + "\u0301" * 30), HOME, 0), (said(game="poker", table=b"p" * 16), HOME, 0)
    )
    (found,) = directory.tables
    assert found.name.startswith("[2JAmal") and "\x1b" not in found.name and "\u202e" not in found.name
    assert len(found.name) <= 32 and found.game == "kasra"


def garbage() -> list[bytes]:
    rng = random.Random(7)
    whole = encode_packet(ANNOUNCE)
    fields = msgspec.to_builtins(ANNOUNCE, builtin_types=(bytes,))
    return [
        b"",
        b"\xc1" * 40,
        b"\x81\xa1k" + b"\x91" * 900 + b"\xc0",
        whole[:-1],
        whole + b"\x00",
        pack({**fields, "version": 2}),
        pack({**fields, "name": "x" * PACKET_LIMIT}),
        pack({**fields, "free": True}),
        pack({**fields, "k": "open sesame"}),
        *(rng.randbytes(rng.randrange(PACKET_LIMIT + 1)) for _ in range(200)),
        *(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :] for at in range(60)),
    ]


def test_garbage_is_ignored() -> None:
    directory = Directory()
    for data in garbage():
        directory.hear_untrusted(data, HOME, 0)
    assert all(one.game == "kasra" and one.port for one in directory.tables)  # a changed hash is another table
    assert len(directory.tables) <= lan.MOST_FROM_ONE


NOBODYS = ["0.0.0.0", "0.0.0.1", "224.0.0.1", "239.255.70.70", "255.255.255.255", "240.0.0.1", "::", "ff02::1"]


@pytest.mark.parametrize("source", ["2001:db8::7", "::ffff:8.8.8.8", "nobody", "", *NOBODYS])
def test_what_comes_from_afar_is_ignored(source: str) -> None:
    assert heard((ANNOUNCE, source, 0)).tables == ()


def test_a_flood_from_one_machine_leaves_room_for_the_others() -> None:
    flood = ((said(table=bytes([number]) * 16), "10.6.6.6", 0) for number in range(200))
    directory = heard(*flood, (ANNOUNCE, HOME, 0))
    assert len(directory.tables) == lan.MOST_FROM_ONE + 1
    assert (HOME,) in [one.addresses for one in directory.tables]


def test_a_flood_from_everywhere_has_an_end() -> None:
    sources = [f"10.6.{number // 250}.{number % 250}" for number in range(999)]
    directory = heard(*((said(table=source.ljust(16).encode()), source, 0) for source in sources))
    assert len(directory.tables) == lan.MOST_TABLES
    everywhere = heard(*((ANNOUNCE, f"10.6.6.{number}", 0) for number in range(99)))
    assert len(everywhere.tables[0].addresses) == lan.MOST_ADDRESSES


def test_a_false_table_of_the_same_name_has_other_words() -> None:
    directory = heard((ANNOUNCE, HOME, 0), (said(certificate=b"f" * 32), "10.6.6.6", 0))
    true, false = sorted(directory.tables, key=lambda one: one.certificate_hash != CERTIFICATE)
    assert true.name == false.name and true.words() != false.words()
    assert true.words() == words_of(CERTIFICATE) == words_of(CERTIFICATE[:16])  # as whoever has the invite hears them
    set_language("ar")
    assert true.words() != words_of(b"f" * 32) and len(true.words()) == 4 and not true.words()[0].isascii()


@pytest.mark.parametrize(
    ("asked", "port"),
    [("", 7070), ("off", None), ("OFF", None), ("7100", 7100), ("0", 7070), ("99999", 7070), ("9" * 5000, 7070)],
)
def test_the_port_can_be_chosen_or_switched_off(asked: str, port: int | None) -> None:
    assert lan_port({"MAJLIS_LAN": asked}) == port and lan_port({}) == 7070


def test_a_table_is_announced_where_it_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lan, "local_addresses", lambda link_local: (HOME, "2001:db8::1"))
    assert lan.places_of(["::", "0.0.0.0"]) == Places((HOME, "127.0.0.1"), True)
    assert lan.places_of([OFFICE]) == Places((OFFICE,), False)
    assert lan.places_of(["2001:db8::1"]) == Places((), False)


def no_socket(*arguments: object) -> None:
    raise OSError(97, "Address family not supported")


async def test_without_any_socket_there_is_a_sentence_and_no_beacon(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    monkeypatch.setattr(trio.socket, "socket", no_socket)
    told: list[Refused] = []
    beacon = Beacon(7070, lambda: Places(("127.0.0.1",), True), lambda: ANNOUNCE, told.append)
    with trio.move_on_after(3 * lan.REOPEN):
        await beacon.run()
    assert [one.code for one in told] == ["lan-unavailable"]
    with pytest.raises(Refused) as refused:
        await seek(lambda tables: None, port=7070, places=lambda: Places(("127.0.0.1",), True))
    assert refused.value.code == "lan-unavailable"


async def test_a_search_that_is_switched_off_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAJLIS_LAN", "off")
    with pytest.raises(Refused) as refused:
        await seek(lambda tables: None)
    assert refused.value.code == "lan-off"


class Quiet(lan._Network):
    """A network that keeps what is said, on a clock that the test owns."""

    def __init__(self) -> None:
        self.said: list[tuple[float, Packet]] = []

    async def send(self, packet: Packet) -> None:
        self.said.append((trio.current_time(), packet))


async def test_questions_are_answered_at_once_but_not_as_often_as_they_come(
    autojump_clock: trio.testing.MockClock,
) -> None:
    network, since = Quiet(), trio.current_time()
    beacon = Beacon(7070, lambda: Places((), False), lambda: ANNOUNCE, lambda refused: None)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(beacon._speak, network)
        await trio.sleep(0.5)
        asked = trio.current_time()
        for _ in range(300):
            beacon._hear_untrusted(encode_packet(Seek(BEACON_VERSION)), HOME)
            await trio.sleep(0.01)
        nursery.cancel_scope.cancel()
    times = [when - since for when, packet in network.said if isinstance(packet, Announce)]
    assert times[0] == 0 and times[1] == pytest.approx(asked - since)
    assert len(times) <= 2 + 3 / lan.ANSWER_PAUSE
    assert network.said[-1][1] == Withdraw(BEACON_VERSION, TABLE, CERTIFICATE)


async def test_a_table_that_needs_nobody_is_withdrawn_once(autojump_clock: trio.testing.MockClock) -> None:
    network = Quiet()
    news: list[Announce | None] = [ANNOUNCE]
    beacon = Beacon(7070, lambda: Places((), False), lambda: news[-1], lambda refused: None)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(beacon._speak, network)
        await trio.sleep(4)
        news.append(None)
        beacon.changed()
        await trio.sleep(10)
        nursery.cancel_scope.cancel()
    kinds = [type(packet) for _, packet in network.said]
    assert kinds == [Announce] * (len(kinds) - 1) + [Withdraw]
