"""Bad input over real TCP: each is a sentence, that peer is dropped, and whoever sits there plays on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgpack
import pytest
import trio

from p2p.door import client_authenticate
from p2p.link import Closed
from protocol.errors import Refused
from protocol.wire import LIMIT_AFTER_AUTH, LIMIT_BEFORE_AUTH, frame, pack
from tests.net.hosting import AMAL, PATIENCE, TOKEN, Hosted, hosting, pair

HELLO = pack({"k": "hello", "versions": [1], "nonce": bytes(32)})
DEEP = b"\x81\xa1a" + b"\x91" * 3000 + b"\xc0"

BAD_FRAMES = {
    "four gibibytes": (b"\xff\xff\xff\xff", "frame-too-long"),
    "one byte too long": ((LIMIT_BEFORE_AUTH + 1).to_bytes(4, "big"), "frame-too-long"),
    "nothing in it": (bytes(4), "frame-garbage"),
    "garbage in a frame": (frame(b"\xc1" * 50), "frame-garbage"),
    "a list": (frame(b"\x91\x01"), "frame-garbage"),
    "an extension": (frame(msgpack.packb({"k": msgpack.ExtType(1, b"x")})), "frame-garbage"),
    "a huge list": (frame(b"\x81\xa1k\xdd\xff\xff\xff\xff"), "frame-garbage"),
    "deep nesting": (frame(DEEP), "too-deep"),
    "another message": (frame(pack({"k": "challenge"})), "message-misfit"),
    "no versions": (frame(pack({"k": "hello", "versions": [], "nonce": bytes(32)})), "message-misfit"),
    "a short nonce": (frame(pack({"k": "hello", "versions": [1], "nonce": b""})), "message-misfit"),
    "a version from the future": (
        frame(pack({"k": "hello", "versions": [999], "nonce": bytes(32)})),
        "wrong-version-yours-older",
    ),
    "garbage after the hello": (frame(HELLO) + frame(b"\xc1"), "frame-garbage"),
    "a bad signature": (
        frame(HELLO) + frame(pack({"k": "auth", "key": bytes(32), "signature": bytes(64), "token": TOKEN})),
        "bad-signature",
    ),
    "a wrong token": (
        frame(HELLO)
        + frame(pack({"k": "auth", "key": bytes(32), "signature": bytes(64), "token": bytes(16)})),
        "bad-token",
    ),
}


@asynccontextmanager
async def table(deadline: float = PATIENCE) -> AsyncIterator[Hosted]:
    """A host with a guest who must still be served when the test is over."""
    async with hosting(deadline) as hosted, await hosted.guest() as guest:
        yield hosted
        with trio.fail_after(PATIENCE):
            await guest.send({"still": "here"})
            assert await guest.receive() == pack({"still": "here"})
        assert len(hosted.guests) == 1


async def raw(hosted: Hosted) -> trio.SocketStream:
    return await trio.open_tcp_stream("127.0.0.1", hosted.port)


@pytest.mark.parametrize(("data", "code"), BAD_FRAMES.values(), ids=BAD_FRAMES)
async def test_a_stranger_with_a_bad_frame_is_told_and_dropped(data: bytes, code: str) -> None:
    async with table() as hosted, await hosted.stranger() as link:
        await link._stream.send_all(data)
        await hosted.until_away(code)
        told = b""
        with trio.fail_after(PATIENCE), pytest.raises(Closed):
            while True:
                told = await link.receive()
        if not code.startswith("wrong-version"):
            assert code.encode() in told


@pytest.mark.parametrize(
    "data", [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\x00" * 100, b"\xff" * 5000, frame(HELLO)]
)
async def test_who_does_not_speak_tls_is_dropped(data: bytes) -> None:
    async with table() as hosted, await raw(hosted) as stream:
        await stream.send_all(data)
        await hosted.until_away("tls-failed")


async def test_who_connects_and_leaves_is_not_a_fault() -> None:
    async with table() as hosted:
        async with await raw(hosted):
            pass
        await hosted.until_away("connection-broken")
        async with await hosted.stranger():
            pass
        await hosted.until_away("connection-closed")


@pytest.mark.parametrize("cut", [1, 4, len(frame(HELLO)) - 1])
async def test_a_truncated_frame_is_told(cut: int) -> None:
    async with table() as hosted, await hosted.stranger() as link:
        await link._stream.send_all(frame(HELLO)[:cut])
        await link.aclose()
        await hosted.until_away("frame-truncated")


async def test_who_breaks_off_in_the_middle_of_a_frame_had_bad_luck() -> None:
    async with table() as hosted, await hosted.stranger() as link:
        await link._stream.send_all(frame(HELLO)[:9])
        await trio.aclose_forcefully(link._stream)
        await hosted.until_away("connection-broken")


async def test_who_says_nothing_is_hung_up_on() -> None:
    async with hosting(deadline=0.2) as hosted:
        async with await raw(hosted):
            await hosted.until_away("auth-timeout")
        assert hosted.turned_away[0][1].values == {"address": "127.0.0.1", "seconds": 0.2}


GUEST_FAULTS = {
    "four gibibytes": (b"\xff\xff\xff\xff", "frame-too-long"),
    "one byte too long": ((LIMIT_AFTER_AUTH + 1).to_bytes(4, "big"), "frame-too-long"),
}


@pytest.mark.parametrize(("data", "code"), GUEST_FAULTS.values(), ids=GUEST_FAULTS)
async def test_a_guest_with_a_bad_frame_is_dropped(data: bytes, code: str) -> None:
    async with hosting() as hosted, await hosted.guest() as honest, await hosted.guest() as other:
        await other._stream.send_all(data)
        await hosted.until_away(code)
        await honest.send({"still": "here"})
        assert await honest.receive() == pack({"still": "here"})


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (b"\xff\xff\xff\xff", "frame-too-long"),
        (frame(b"\xc1"), "frame-garbage"),
        (frame(DEEP), "too-deep"),
        (frame(pack({"k": "admitted"})), "message-misfit"),
        (
            frame(pack({"k": "challenge", "version": 2, "nonce": bytes(32), "table": bytes(16)})),
            "message-misfit",
        ),
        (frame(pack({"k": "refused", "code": "\x1b[2J"})), "message-misfit"),
        (frame(pack({"k": "refused", "code": "table-full", "values": {"seats": 4}})), "table-full"),
        (b"\x00\x00", "frame-truncated"),
    ],
)
async def test_a_host_may_answer_anything(answer: bytes, code: str) -> None:
    """A guest is as careful with its host as the host with its guests."""
    async with pair() as (client, server), trio.open_nursery() as nursery:

        async def misbehave() -> None:
            await server.receive()
            await server._stream.send_all(answer)
            await server.aclose()

        nursery.start_soon(misbehave)
        with pytest.raises(Refused, match=code):
            await client_authenticate(client, AMAL, TOKEN)
