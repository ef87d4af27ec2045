"""What a host may tell its guests, true or not; who said a line of table talk; and the end of a game, fetched later."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
import pytest
import trio

from p2p import limits
from p2p.door import Door, listen, port_of, serve
from p2p.invite import Invite, write_invite
from p2p.joining import join_table, new_guest_store
from p2p.link import Link
from p2p.sitting import SOFTWARE, Evening, Sitter
from p2p.store import TableStore
from p2p.tls import server_context
from protocol.deck import labels
from protocol.errors import Refused
from protocol.identity import Identity
from protocol.log import Chain, Record, decode_record_untrusted, framed, pack_record
from protocol.messages import Chat, Lobby, Ordered
from protocol.wire import HEADER_LENGTH
from tests.net.evening import GAME, OPTIONS, Screen, checked, evening
from tests.net.processes import DEADLINE, Room, host, invite_of


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MAJLIS_HOME", str(tmp_path))
    return tmp_path


def chat(identity: Identity, table: bytes, number: int, text: str) -> Chat:
    return Chat(identity.public, number, text, identity.sign(labels.LABEL_CHAT, framed(table, number, text)))


async def test_talk_is_shown_once_under_its_authors_name_and_never_faster_than_one_reads(home: Path) -> None:
    async with evening(home) as hosted:
        basil = hosted.join("Basil")
        table, onlooker = hosted.invite.table, Identity.generate(b"o" * 32)
        sitting = hosted.table.sitting
        sitting.heard(chat(onlooker, table, 1, "I am the host"))
        sitting.heard(chat(onlooker, table, 1, "I am the host"))
        forged = chat(onlooker, table, 2, "forged")
        sitting.heard(msgspec.structs.replace(forged, key=basil.store.identity.public))
        await hosted.screen.line_with("Basil sits down")
        for number in range(100):
            sitting.heard(chat(basil.store.identity, table, number, "\x1b[2Jquick\u202e"))
        sitting._say("a\u202eb\x00 " + "x" * 1000)
        await basil.screen.line_with("Amal", "ab xxx")
        hosted.join("Celine")
    said = [line for line in hosted.screen.lines if "I am the host" in line]
    assert len(said) == 1 and said[0].startswith("a guest without a seat")
    quick = [line for line in hosted.screen.lines if "quick" in line]
    assert 0 < len(quick) <= limits.CHAT_BURST + 2
    assert all(line.startswith("Basil") and "\x1b" not in line and "\u202e" not in line for line in quick)
    assert not hosted.screen.has("forged")
    checked(hosted)


async def test_ever_new_guests_without_a_seat_cannot_talk_the_players_down(home: Path) -> None:
    """Each key once had its own allowance, and after so many of them nobody was heard any more."""
    async with evening(home) as hosted:
        basil = hosted.join("Basil")
        await hosted.screen.line_with("Basil sits down")
        sitting, table = hosted.table.sitting, hosted.invite.table
        for number in range(3 * limits.PEERS_TOTAL):
            sitting.heard(chat(Identity.generate(number.to_bytes(32, "big")), table, 1, "advertisement"))
        sitting.heard(chat(basil.store.identity, table, 1, "still here"))
        assert len(sitting._heard) <= limits.PEERS_TOTAL
        hosted.join("Celine")
    assert hosted.screen.has("Basil", "still here")
    assert sum("advertisement" in line for line in hosted.screen.lines) <= limits.CHAT_BURST + 2
    checked(hosted)


FLOOD = """
import json, sys
def say(**message): print(json.dumps(message), flush=True)
say(type="ready", name="flood")
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] in ("act", "error"):
        for number in range(50): say(type="chat", text=f"ad {number}")
        say(type="act", id=message["id"], action=message["legal"][0])
"""


async def test_a_bot_that_never_stops_talking_costs_its_owner_neither_the_seat_nor_the_table_its_peace(
    home: Path,
) -> None:
    (home / "flood.py").write_text(FLOOD, encoding="utf-8")
    async with evening(home) as hosted:
        basil = hosted.join("Basil", f"{sys.executable} -S -E {home / 'flood.py'}")
        hosted.join("Celine")
    ads = [line for line in hosted.screen.lines if "Basil" in line and "ad " in line]
    assert 0 < len(ads) < 50
    assert not basil.screen.has("Connection lost")
    checked(hosted)


async def told_by(store: TableStore, records: list[bytes]) -> str:
    """Join a host that tells this log: the code of the sentence with which that ends."""
    secrets = store.secrets
    listeners = await listen("127.0.0.1", 0)
    sitter, screen = Sitter("Dawud", "steady", 1), Screen()

    async def welcome(link: Link, key: bytes) -> None:
        async with trio.open_nursery() as nursery:
            link.run(nursery)
            link.post(Lobby(store.table, GAME, OPTIONS, {}, store.identity.public, (), 3, False))
            for record in records:
                link.post(Ordered(record))
            while True:
                await link.receive()

    codes: list[str] = []
    with trio.fail_after(DEADLINE):
        async with trio.open_nursery() as nursery:
            context = server_context(secrets.cert_pem, secrets.key_pem)
            door = Door(context, fingerprint := _hash(store), store.table, secrets.token, SOFTWARE)
            nursery.start_soon(serve, listeners, door, welcome)
            invite = Invite(("127.0.0.1",), fingerprint[:16], store.table, secrets.token, port_of(listeners))
            with new_guest_store(invite, write_invite(invite), sitter) as guest:
                try:
                    await join_table(guest, sitter, screen.front, Evening())
                except* Refused as group:
                    codes += [error.code for error in _leaves(group)]
            nursery.cancel_scope.cancel()
    return codes[0] if codes else ""


def _hash(store: TableStore) -> bytes:
    from p2p.tls import Certificate

    return Certificate(store.secrets.cert_pem, store.secrets.key_pem).hash


def _leaves(group: BaseExceptionGroup[Refused]) -> list[Refused]:
    found: list[Refused] = []
    for error in group.exceptions:
        found += _leaves(error) if isinstance(error, BaseExceptionGroup) else [error]
    return found


async def test_a_guest_who_is_told_a_false_log_ends_with_a_sentence(home: Path) -> None:
    async with evening(home) as hosted:
        hosted.join("Basil")
        hosted.join("Celine")
    with TableStore.open(hosted.table.store.path) as store:
        log = list(store.log)
        records: list[Record] = [decode_record_untrusted(data) for data in log[:6]]
        chain = Chain(store.table)
        for record in records[:3]:
            chain.extend_untrusted(record)
        other = chain.order(store.identity, records[4].entry)  # a second record for one place, signed by the host
        cases = {
            "log-forked": [*log[:5], pack_record(other)],
            "log-order-bad": [*log[:3], log[4]],
            "bad-signature": [*log[:3], pack_record(msgspec.structs.replace(records[3], signature=bytes(64)))],
            "frame-garbage": [*log[:3], b"\xc1"],
        }
        for code, false in cases.items():
            assert await told_by(store, false) == code


async def test_the_end_of_a_game_can_be_fetched_from_the_host_later(tmp_path: Path) -> None:
    with trio.fail_after(DEADLINE):
        async with trio.open_nursery() as nursery:
            room = Room(nursery, tmp_path)
            amal = await host(room, "Amal", "three_five_eight", "--option", "deals=3", "--bots", "1")
            basil = await room.start("Basil", "join", await invite_of(amal), "--name", "Basil")
            assert [await amal.wait(), await basil.wait()] == [0, 0]
            forget_the_end(next((tmp_path / "Basil" / "tables").iterdir()))
            table = next((tmp_path / "Amal" / "tables").iterdir()).name
            basil = await room.start("Basil", "resume")
            await basil.line_with("Connection lost")  # the host is not there
            amal = await room.start("Amal", "resume", table)
            await amal.line_with("This game is over")
            assert [await amal.wait(), await basil.wait()] == [0, 0]
    assert len({log.read_bytes() for log in room.logs()}) == 1


def forget_the_end(path: Path) -> None:
    """As if the last record had never come."""
    log = (path / "log").read_bytes()
    with TableStore.open(path) as store:
        store.change_meta(run={"finished": False})
        last = HEADER_LENGTH + len(store.log[-1])
    (path / "log").write_bytes(log[:-last])
