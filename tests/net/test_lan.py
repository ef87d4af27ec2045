"""Whoever finds a table on the network asks for a seat, and the host decides; a game begins when everybody is ready."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec
import pytest
import trio

from p2p import limits
from p2p.invite import read_invite_untrusted
from p2p.joining import SEATED, join_table, lan_invite, new_guest_store
from p2p.lan import GROUP_6, Beacon, Found, Places, seek
from p2p.link import Closed, Link
from p2p.lobby import LobbyNews
from p2p.sitting import Evening, Sitter, Sitting, claim_for
from protocol.beacon import BEACON_VERSION, Announce, encode_packet, lan_token
from protocol.deck import labels
from protocol.errors import Refused
from protocol.handshake import Refusal, refused_untrusted
from protocol.identity import Identity
from protocol.log import framed, sign_entry
from protocol.messages import Chat, Lobby, Sit, SitDown, Submit, Want
from protocol.wire import convert_untrusted, pack, unpack_untrusted
from tests.net.evening import Screen, Table, checked, evening
from tests.net.processes import DEADLINE, Room, host, nothing
from tests.net.test_silence import codes

MALLORY = Identity.generate(b"M" * 32)
SHORT = ("three_five_eight", "--option", "deals=3")


@pytest.fixture(autouse=True)
def port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """A network within the network, for this test alone."""
    monkeypatch.setenv("MAJLIS_HOME", str(tmp_path))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        free: int = probe.getsockname()[1]
    monkeypatch.setenv("MAJLIS_LAN", str(free))
    return free


class Seen:
    """The last thing that was told, and a way to wait for one."""

    def __init__(self) -> None:
        self.tables: tuple[Found, ...] = ()
        self.lobby: LobbyNews | None = None
        self._new = trio.Event()

    def found(self, tables: tuple[Found, ...]) -> None:
        self.tables = tables
        self._tell()

    def told(self, lobby: LobbyNews) -> None:
        self.lobby = lobby
        self._tell()

    def _tell(self) -> None:
        self._new.set()
        self._new = trio.Event()

    async def until(self, seen: Callable[[], bool]) -> None:
        while not seen():
            await self._new.wait()


def lobby_of(seen: Seen) -> LobbyNews:
    assert seen.lobby is not None
    return seen.lobby


async def told(link: Link) -> tuple[list[str], str]:
    """The kinds of all that the host says over a link until it ends, and the code with which it does."""
    kinds: list[str] = []
    while True:
        try:
            found = unpack_untrusted(await link.receive())
        except Closed:
            return kinds, ""
        if found.get("k") == "refused":
            return kinds, refused_untrusted(convert_untrusted(found, Refusal)).code
        kinds.append(str(found.get("k")))


async def asks(hosted: Table, identity: Identity, name: str) -> Link:
    """Somebody comes by the beacon and asks for a seat."""
    link = await hosted.link(identity, lan_token(hosted.invite.token))
    claim = claim_for(identity, hosted.invite.table, hosted.table.host.digest, Sitter(name))
    await link.send(Sit(claim))
    return link


async def test_who_found_the_table_asks_is_let_in_and_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    guests: list[Sitting] = []
    seats = Seen()

    def watched(sitting: Sitting, *arguments: object) -> None:
        begun(sitting, *arguments)  # type: ignore[arg-type]
        if sitting.sitter.name == "Basil":
            guests.append(sitting)
            sitting.lobby_changed = seats.told
            sitting.sitter.ready = False

    begun = Sitting.__init__
    monkeypatch.setattr(Sitting, "__init__", watched)
    async with evening(tmp_path, lan="ask") as hosted:
        table, seen = hosted.table, Seen()
        table.sitting.lobby_changed = seen.told
        async with trio.open_nursery() as nursery:
            nursery.start_soon(seek, seen.found)
            await seen.until(lambda: bool(seen.tables))
            (found,) = seen.tables
            assert (found.name, found.game, found.free) == ("Amal", "three_five_eight", 2)
            await hosted.screen.line_with("can be found", " ".join(found.words()))
            basil = hosted.join("Basil", line=lan_invite(found)[1])
            await basil.screen.line_with("must let you in", " ".join(found.words()))
            await seen.until(lambda: bool(lobby_of(seen).asking))
            assert [(one.name, one.invited) for one in lobby_of(seen).asking] == [("Basil", False)]
            assert lobby_of(seats).waiting and len(table.host.claims) == 1

            mallory = await asks(hosted, MALLORY, "Mallory")
            chat = framed(hosted.invite.table, 1, "I sit here")
            signature = MALLORY.sign(labels.LABEL_CHAT, chat)
            await mallory.send(Chat(MALLORY.public, 1, "I sit here", signature))
            await mallory.send(Want(0))
            await seen.until(lambda: len(lobby_of(seen).asking) == 2)

            table.front.commands["admit"]("Nobody")
            await hosted.screen.line_with("Nobody called Nobody")
            table.front.commands["admit"]("Basil")
            await seen.until(lambda: seen.tables[0].free == 1)
            assert not lobby_of(seats).waiting or basil.screen.has("Basil sits down")
            assert await table.add_bot("random") and not await table.add_bot("random")
            await seats.until(lambda: len(lobby_of(seats).seats) == 3)
            bot = lobby_of(seats).seats[2]
            assert (bot.name, bot.bot, bot.machine, bot.me) == ("Bot 1", "random", "Amal", False)
            await table.remove_seat(bot.key)
            await seats.until(lambda: len(lobby_of(seats).seats) == 2)
            assert await table.add_bot("steady")
            assert table.store.meta.run["bots"] == ["steady"]  # so that the same bots come when the table is resumed
            await hosted.screen.line_with("Basil is not ready yet")
            await seats.until(lambda: len(lobby_of(seats).seats) == 3)
            assert [one.ready for one in lobby_of(seats).seats] == [True, False, True]
            assert [one.me for one in lobby_of(seats).seats] == [False, True, False]
            assert not table.host.running
            guests[0].ready(True)
            await seen.until(lambda: not seen.tables)  # nobody is looked for any more
            kinds, code = await told(mallory)
            await mallory.aclose()
            assert set(kinds) == {"lobby"} and code == "table-full"
            nursery.cancel_scope.cancel()
        await hosted.screen.line_with("Deal 1")
        async with await hosted.link(MALLORY, lan_token(hosted.invite.token)) as late:
            assert await told(late) == ([], "table-running")
    checked(hosted)
    assert not any(one.has("I sit here") for one in (hosted.screen, basil.screen))


async def test_who_is_refused_is_told_and_does_not_come_back(tmp_path: Path) -> None:
    async with evening(tmp_path, lan="ask") as hosted:
        line = hosted.table._line(("127.0.0.1",))
        invite = hosted.invite
        found = Found("Amal", "three_five_eight", 2, ("127.0.0.1",), invite.port, invite.table,
                      hosted.table.certificate.hash, lan_token(invite.token))  # fmt: skip
        read, kept = lan_invite(found)
        assert kept != line
        sitter, screen = Sitter("Basil", "steady", 1), Screen()
        with new_guest_store(read, kept, sitter) as store:
            async with trio.open_nursery() as nursery:

                async def come(code: str) -> None:
                    with pytest.raises(ExceptionGroup) as caught:
                        await join_table(store, sitter, screen.front, Evening())
                    assert code in codes(caught.value)

                nursery.start_soon(come, "seat-refused")
                await hosted.screen.line_with("Basil", "asks for a seat", "/refuse 1")
                hosted.table.front.commands["refuse"]("1")
            assert not store.meta.run.get(SEATED)  # nothing to come back to
            await come("seat-refused")

            # with ever new keys from one address: only so often
            ended = [await _ask_and_go(hosted, Identity.generate(bytes([number]) * 32)) for number in range(9)]
        assert ended == [""] * (limits.ASKS_BURST - 1) + ["too-many-asking"] * (10 - limits.ASKS_BURST)
        assert [claim.name for claim in hosted.table.host.claims] == ["Amal"] and not hosted.table.host.asking
        hosted.table.sitting.quit.set()


async def _ask_and_go(hosted: Table, identity: Identity) -> str:
    async with await asks(hosted, identity, "Mallory") as link:
        for _ in range(2):  # the lobby on coming in, then the one that says that he has asked
            found = unpack_untrusted(await link.receive())
            if found.get("k") == "refused":
                return refused_untrusted(convert_untrusted(found, Refusal)).code
        assert convert_untrusted(found, Lobby).asking
    while hosted.table.host.asking:
        await trio.lowlevel.checkpoint()
    return ""


async def test_a_stranger_who_does_as_if_he_had_been_let_in_gets_nowhere(tmp_path: Path) -> None:
    async with evening(tmp_path, lan="ask") as hosted:
        host, table = hosted.table.host, hosted.invite.table
        async with await hosted.link(MALLORY, lan_token(hosted.invite.token)) as link:
            entry = sign_entry(MALLORY, table, 1, host.chain.height, host.chain.head, SitDown())
            await link.send(Submit(pack(entry)))
            assert (await told(link))[1] == "not-seated"
        owner = hosted.table.store.identity  # a bot of the host's machine need not ask: but who says so must prove it
        pretender = Sitter("Bot 9", "steady", machine=owner.public, vouch=bytes(64))
        async with await hosted.link(MALLORY, lan_token(hosted.invite.token)) as link:
            await link.send(Sit(claim_for(MALLORY, table, host.digest, pretender)))
            assert (await told(link))[1] == "bad-signature"
        assert len(host.claims) == 1 and not host.asking
        token, keys = lan_token(hosted.invite.token), [Identity.generate(bytes([number]) * 32) for number in range(5)]
        links = [await hosted.link(key, token) for key in keys]
        assert (await told(links[-1]))[1] == "too-many-asking"
        for link in links:
            await link.aclose()
        assert not await hosted.table.add_bot("steady") or host.free  # the table is not blocked by them
        hosted.table.sitting.quit.set()


async def test_a_number_is_never_taken_for_a_name(tmp_path: Path) -> None:
    """Whoever had the number may just have left, and somebody else call himself so."""
    async with evening(tmp_path, lan="ask") as hosted:
        async with await asks(hosted, MALLORY, "7"):
            await hosted.screen.line_with("asks for a seat", "/admit 1")
            hosted.table.front.commands["admit"]("7")
            await hosted.screen.line_with("Nobody called 7")
            assert len(hosted.table.host.claims) == 1
            hosted.table.front.commands["admit"]("١")
            assert [claim.name for claim in hosted.table.host.claims] == ["Amal", "7"]
        hosted.table.sitting.quit.set()


async def test_who_was_removed_has_to_ask_when_he_comes_back_with_another_key(tmp_path: Path) -> None:
    async with evening(tmp_path, lan="open") as hosted:
        host, table = hosted.table.host, hosted.invite.table
        async with await asks(hosted, MALLORY, "Mallory") as link:
            await hosted.screen.line_with("Mallory sits down")
            hosted.table.front.commands["remove"]("Mallory")
            assert (await told(link))[1] == "removed-by-host"
        await hosted.screen.line_with("nobody sits down before you let them in")
        again = Identity.generate(b"N" * 32)
        async with await hosted.link(again) as link:
            await link.send(Sit(claim_for(again, table, host.digest, Sitter("Amy"))))
            await hosted.screen.line_with("Amy", "with the invite", "asks for a seat")
            assert [claim.name for claim in host.claims] == ["Amal"]
        assert hosted.table.store.meta.run["ask"] and hosted.table.store.meta.run["lan"] == "ask"
        hosted.table.sitting.quit.set()


async def test_with_ask_an_invite_does_not_seat_and_with_open_the_beacon_does(tmp_path: Path) -> None:
    async with evening(tmp_path, lan="open", ask=True) as hosted:
        basil = hosted.join("Basil")
        await hosted.screen.line_with("Basil", "with the invite", "/admit 1")
        async with await asks(hosted, MALLORY, "Celine"):
            await hosted.screen.line_with("Celine sits down")
            hosted.table.front.commands["admit"]("Basil")
            await basil.screen.line_with("3 of 3")
            hosted.table.sitting.quit.set()
            await basil.screen.line_with("The host has left for now")
            hosted.nursery.cancel_scope.cancel()


async def test_without_a_beacon_its_token_opens_nothing(tmp_path: Path) -> None:
    async with evening(tmp_path, lan="off") as hosted:
        seen = Seen()
        with pytest.raises(Refused) as refused:
            await hosted.link(MALLORY, lan_token(hosted.invite.token))
        assert refused.value.code == "bad-token"
        with trio.move_on_after(1):
            await seek(seen.found)
        assert seen.tables == ()
        hosted.table.sitting.quit.set()


def speaks_six() -> bool:
    """Whether this machine has an interface for IPv6 multicast."""
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as probe:
            for index, _ in socket.if_nameindex():
                try:
                    probe.sendto(b"", (GROUP_6, 9, 0, index))
                    return True
                except OSError:
                    continue
    except OSError:
        pass
    return False


@pytest.mark.skipif(not speaks_six(), reason="no interface for IPv6 multicast")
async def test_a_table_is_found_over_ipv6_alone(port: int) -> None:
    seen, six = Seen(), partial(Places, (), True)
    said = Announce(BEACON_VERSION, bytes(16), bytes(32), 7070, bytes(16), "Amal", "kasra", 1)
    beacon = Beacon(port, six, lambda: said, lambda refused: None)
    with trio.fail_after(DEADLINE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(beacon.run)
            nursery.start_soon(partial(seek, seen.found, port=port, places=six))
            await seen.until(lambda: bool(seen.tables))
            assert all("%" in address for address in seen.tables[0].addresses)
            read, line = lan_invite(seen.tables[0])  # a line to keep cannot hold an address of this machine alone
            assert read.addresses == seen.tables[0].addresses
            assert read_invite_untrusted(line).addresses == ("127.0.0.1",)
            nursery.cancel_scope.cancel()


async def test_floods_and_false_tables_do_not_hide_a_table(tmp_path: Path, port: int) -> None:
    async with evening(tmp_path, lan="ask") as hosted:
        seen = Seen()
        true = hosted.table._announcement()
        assert true is not None
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as voice:
            voice.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
            async with trio.open_nursery() as nursery:
                await nursery.start(seek, seen.found)
                await seen.until(lambda: bool(seen.tables))
                for number in range(2000):
                    false = msgspec.structs.replace(true, certificate=number.to_bytes(32, "little"))
                    voice.sendto(encode_packet(false) if number % 2 else b"\xc1" * 900, ("239.255.70.70", port))
                    if not number % 50:
                        await trio.lowlevel.checkpoint()
                await seen.until(lambda: len(seen.tables) > 1)
                right = [one for one in seen.tables if one.certificate_hash == true.certificate]
                assert len(right) == 1 and len(seen.tables) <= 5
                assert len({one.words() for one in seen.tables}) == len(seen.tables)
                assert {one.name for one in seen.tables} == {"Amal"}
                nursery.cancel_scope.cancel()
        hosted.table.sitting.quit.set()


async def test_real_programs_find_each_other(tmp_path: Path) -> None:
    with trio.fail_after(DEADLINE):
        async with trio.open_nursery() as nursery:
            room = Room(nursery, tmp_path)
            nobody = await room.start("Basil", "join", answer=nothing)
            assert await nobody.wait() == 1
            await nobody.line_with("No table was found on your network")
            amal = await host(room, "Amal", *SHORT, "--bots", "1", answer=nothing)
            await amal.line_with("Bot 1 sits down")
            basil = await room.start("Basil", "join", "--name", "Basil", answer=nothing)
            listed = await room.start("Basil", "join", "--list", "--json", answer=nothing)
            line = await basil.line_with("1) Amal: 3-5-8, 1 free seat")
            assert await listed.wait() == 0
            (table,) = json.loads("\n".join(listed.lines))
            assert " ".join(table["words"]) in line and table["addresses"] == ["127.0.0.1"]
            await amal.line_with("can be found", " ".join(table["words"]))
            await basil.type("7")
            await basil.line_with("There is no table 7")
            await basil.type("١")  # the same digit as 1
            await amal.line_with("Basil", "asks for a seat")
            await amal.type("/refuse Basil")
            await basil.line_with("did not let you in")
            assert await basil.wait() == 1
            again = await room.start("Basil", "resume")
            assert await again.wait() == 1
            celine = await room.start("Celine", "join", table["invite"], "--name", "Celine", answer=nothing)
            await amal.line_with("Celine", "asks for a seat")
            await amal.type("/admit Celine")
            await celine.line_with("Deal 1")
            for program in (celine, amal):
                await program.type("/quit")
                assert await program.wait() == 0
    assert not any("Traceback" in line for one in (amal, basil, celine, nobody) for line in one.lines)


@pytest.mark.parametrize(
    "words",
    [
        ("host", "kasra", "--no-lan", "--open"),
        ("join", "majlis1:x", "--list"),
        ("join", "majlis1:x", "--bot", "steady", "--seat-port", "0"),
    ],
)
async def test_contrary_options_are_a_sentence(tmp_path: Path, words: tuple[str, ...]) -> None:
    with trio.fail_after(DEADLINE):
        async with trio.open_nursery() as nursery:
            program = await Room(nursery, tmp_path).start("Amal", *words, answer=nothing)
            assert await program.wait() == 2
    assert len(program.lines) == 1
