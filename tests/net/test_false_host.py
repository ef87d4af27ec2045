"""A host that lies before the game: what it says of the table does not reach the screen, and the guest leaves."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import pytest
import trio

from p2p.door import Door, listen, port_of, serve
from p2p.invite import Invite, read_invite_untrusted, write_invite
from p2p.joining import join_table, new_guest_store
from p2p.link import Link
from p2p.lobby import LobbyNews
from p2p.sitting import Evening, Sitter, Sitting
from p2p.tls import make_certificate, server_context
from protocol.identity import Identity
from protocol.messages import Lobby, Sit, decode_talk_untrusted
from protocol.wire import frame, pack
from tests.net.evening import Screen
from tests.net.processes import DEADLINE
from tests.net.test_silence import codes

TABLE, TOKEN, HOST = b"t" * 16, b"k" * 16, Identity.generate(b"H" * 32)
TRUE = Lobby(TABLE, "kasra", {"kingdoms": 2}, {}, HOST.public, (), 4, False)
ESCAPES = "\x1b[2J\u202e"


def said(**changes: object) -> dict[str, object]:
    return {**msgspec.to_builtins(TRUE, builtin_types=(bytes,)), **changes}


LIES: dict[str, tuple[dict[str, object], str]] = {
    "more free seats than rows on any screen": (said(missing=2**32 - 1), "message-misfit"),
    "seats that nobody signed for": (said(present=[True] * 5), "message-misfit"),
    "a game with escapes in its name": (said(game=ESCAPES), "unknown-game"),
    "an option with escapes in its name": (said(options={ESCAPES: 1}), "bad-option-name"),
    "an option with escapes in its value": (said(options={"kingdoms": ESCAPES}), "bad-option-value"),
    "a rule with escapes in its name": (said(rules={ESCAPES: 1}), "bad-table-option"),
    "another table": (said(table=b"u" * 16), "wrong-table"),
}
LATER_LIES = {
    **LIES,
    "other rules than were agreed to": (said(options={"kingdoms": 1}), "terms-changed"),
    "another game": (said(game="estimation", options={}), "terms-changed"),
}
LATER_LIES |= {name: (lie, "terms-changed") for name, (lie, _) in LIES.items() if "escapes" in name}


async def left(home: Path, talk: Callable[[Link], Awaitable[None]], seen: list[LobbyNews]) -> list[str]:
    """The codes with which a guest leaves a host that talks so."""
    certificate = make_certificate()
    listeners = await listen("127.0.0.1", 0)
    door = Door(server_context(certificate.cert_pem, certificate.key_pem), certificate.hash, TABLE, TOKEN)

    async def welcome(link: Link, key: bytes) -> None:
        async with trio.open_nursery() as nursery:
            link.run(nursery)
            await talk(link)
            while True:
                await link.receive()

    line = write_invite(Invite(("127.0.0.1",), certificate.hash[:16], TABLE, TOKEN, port_of(listeners)))
    screen, sitter = Screen(), Sitter("Basil", "steady", 1)
    with new_guest_store(read_invite_untrusted(line), line, sitter) as store:
        async with trio.open_nursery() as nursery:
            await nursery.start(serve, listeners, door, welcome)
            with pytest.raises(ExceptionGroup) as caught:
                await join_table(store, sitter, screen.front, Evening())
            nursery.cancel_scope.cancel()
    assert not any(sign in line for sign in "\x1b\u202e" for line in screen.lines)
    return codes(caught.value)


@pytest.fixture
def seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[LobbyNews]:
    """What the guest's screen was shown of the lobby."""
    monkeypatch.setenv("MAJLIS_HOME", str(tmp_path))
    shown: list[LobbyNews] = []
    begun = Sitting.__init__

    def watched(sitting: Sitting, *arguments: object) -> None:
        begun(sitting, *arguments)  # type: ignore[arg-type]
        sitting.lobby_changed = shown.append

    monkeypatch.setattr(Sitting, "__init__", watched)
    return shown


@pytest.mark.parametrize("name", LIES)
async def test_a_guest_does_not_sit_down_at_a_table_of_lies(tmp_path: Path, seen: list[LobbyNews], name: str) -> None:
    lie, code = LIES[name]

    async def talk(link: Link) -> None:
        await link._stream.send_all(frame(pack(lie)))

    with trio.fail_after(DEADLINE):
        assert code in await left(tmp_path, talk, seen)
    assert seen == []


@pytest.mark.parametrize("name", LATER_LIES)
async def test_a_guest_leaves_a_host_that_begins_to_lie(tmp_path: Path, seen: list[LobbyNews], name: str) -> None:
    """Once he has seen the terms and signed them, no others are shown."""
    lie, code = LATER_LIES[name]

    async def talk(link: Link) -> None:
        await link.send(TRUE)
        claim = None
        while claim is None:
            message = decode_talk_untrusted(await link.receive())
            claim = message.claim if isinstance(message, Sit) else None
        await link._stream.send_all(frame(pack(lie)))

    with trio.fail_after(DEADLINE):
        assert code in await left(tmp_path, talk, seen)
    assert [(one.game, one.options, one.free) for one in seen] == [("kasra", {"kingdoms": 2}, 4)]
