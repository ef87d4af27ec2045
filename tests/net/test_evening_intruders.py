"""Whoever comes to a running table with bad intentions is told why he must go; the game goes on to its end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from p2p import limits
from p2p.link import Closed, Link
from p2p.sitting import Sitter, claim_for
from protocol.deck import labels
from protocol.handshake import Refusal, refused_untrusted
from protocol.identity import Identity
from protocol.log import framed, sign_entry
from protocol.messages import Chat, Ordered, SitDown, Struct, Submit, Want
from protocol.wire import convert_untrusted, frame, pack, unpack_untrusted
from tests.net.evening import Table, checked, evening

MALLORY, NOBODY = Identity.generate(b"M" * 32), Identity.generate(b"N" * 32)
Message = Struct | dict[str, object] | bytes


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MAJLIS_HOME", str(tmp_path))
    return tmp_path


async def told(link: Link) -> str:
    """The code with which the host ends a link; empty if it just ends."""
    while True:
        try:
            found = unpack_untrusted(await link.receive())
        except Closed:
            return ""
        if found.get("k") == "refused":
            return refused_untrusted(convert_untrusted(found, Refusal)).code


async def attack(hosted: Table, identity: Identity, messages: list[Message]) -> str:
    """Send all of it over one authenticated link: how the host ended that."""
    async with await hosted.link(identity) as link:
        try:
            for message in messages:
                data = message if isinstance(message, bytes) else frame(pack(message))
                await link._stream.send_all(data)
        except trio.BrokenResourceError:
            pass
        return await told(link)


def entry_for(hosted: Table, identity: Identity, table: bytes, counter: int) -> Submit:
    chain = hosted.table.host.chain
    return Submit(pack(sign_entry(identity, table, counter, chain.height, chain.head, SitDown())))


def chat(identity: Identity, table: bytes, number: int, text: str) -> Chat:
    signature = identity.sign(labels.LABEL_CHAT, framed(table, number, text))
    return Chat(identity.public, number, text, signature)


FROM_ANYBODY: dict[str, tuple[Callable[[Table], list[Message]], str]] = {
    "four gibibytes": (lambda hosted: [b"\xff\xff\xff\xff"], "frame-too-long"),
    "garbage": (lambda hosted: [frame(b"\xc1" * 40)], "frame-garbage"),
    "deep nesting": (lambda hosted: [frame(b"\x81\xa1a" + b"\x91" * 3000 + b"\xc0")], "too-deep"),
    "no such message": (lambda hosted: [{"k": "open sesame"}], "message-misfit"),
    "a message of the host's": (lambda hosted: [Ordered(b"x")], "message-unknown"),
    "too long an entry": (lambda hosted: [{"k": "submit", "entry": bytes(50_000)}], "message-misfit"),
    "no entry": (lambda hosted: [Submit(b"\x80")], "message-misfit"),
    "an entry without a seat": (lambda hosted: [entry_for(hosted, MALLORY, hosted.invite.table, 1)], "not-seated"),
    "somebody else's entry": (lambda hosted: [entry_for(hosted, NOBODY, bytes(16), 1)], "bad-signature"),
    "a flood of wants": (lambda hosted: [Want(0)] * (2 * limits.ENTRIES_BURST), "too-many-entries"),
    "a flood of chat": (
        lambda hosted: [chat(MALLORY, hosted.invite.table, number, "hi") for number in range(2 * limits.ENTRIES_BURST)],
        "too-many-entries",
    ),
    "chat in another's name": (
        lambda hosted: [chat(NOBODY, hosted.invite.table, 1, "I fold")],
        "bad-signature",
    ),
    "a seat in a game that is on": (
        lambda hosted: [
            {
                "k": "sit",
                "claim": claim_for(MALLORY, hosted.invite.table, hosted.table.host.digest, Sitter("Mallory")),
            }
        ],
        "table-running",
    ),
}


async def test_intruders_at_a_running_table_are_told_why_they_must_go(home: Path) -> None:
    async with evening(home) as hosted:
        hosted.join("Basil")
        hosted.join("Celine")
        await hosted.screen.line_with("Deal 1")
        for name, (messages, code) in FROM_ANYBODY.items():
            unread = "" if "flood" in name else code  # cut off before its author has read why
            assert await attack(hosted, MALLORY, messages(hosted)) in (code, unread), name
    assert hosted.screen.has("was turned away")
    chats = [line for line in hosted.screen.lines if line.endswith("hi")]
    assert 0 < len(chats) <= limits.CHAT_BURST + 2
    checked(hosted)


async def test_a_player_whose_program_turns_bad_is_dropped_and_may_come_back(home: Path) -> None:
    async with evening(home) as hosted:
        basil = hosted.join("Basil")
        hosted.join("Celine")
        await basil.screen.line_with("Deal 1")
        key = basil.store.identity
        assert await attack(hosted, key, [entry_for(hosted, key, bytes(16), 10_000)]) == ""  # of the future: left out
        other = entry_for(hosted, key, bytes(16), hosted.table.host.chain.counters[key.public] + 1)
        assert await attack(hosted, key, [other]) in ("bad-signature", "")
    checked(hosted)
