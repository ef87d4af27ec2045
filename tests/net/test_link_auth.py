"""Who is let in over real TCP and TLS, and what the others are told."""

from __future__ import annotations

import pytest
import trio
import trio.testing

from p2p import limits
from p2p.door import Gate, client_authenticate, server_authenticate
from p2p.link import Closed, Link, dial
from p2p.tls import make_certificate, server_context
from protocol.errors import Refused
from protocol.handshake import Hello
from protocol.identity import Identity
from protocol.wire import encode_frame, pack
from tests.net.hosting import AMAL, CERTIFICATE, PATIENCE, TABLE, TOKEN, hosting, pair


async def test_a_guest_is_known_by_its_key_each_time_it_comes() -> None:
    async with hosting() as hosted:
        for _ in range(3):
            async with await hosted.guest() as link:
                await link.send({"n": 1})
                assert await link.receive() == pack({"n": 1})
        async with await hosted.guest(Identity.generate(b"\x02" * 32)):
            await hosted.until(lambda hosted: len(hosted.guests) == 4)
        assert hosted.guests[:3] == [AMAL.public] * 3
        assert hosted.guests[3] == Identity.generate(b"\x02" * 32).public


async def test_the_client_learns_the_table_version_and_software() -> None:
    async with hosting() as hosted, await hosted.stranger() as link:
        challenge = await client_authenticate(link, AMAL, TOKEN)
        assert (challenge.table, challenge.version, challenge.software) == (TABLE, 1, "test host")


@pytest.mark.parametrize(
    ("versions", "ours", "theirs"),
    [([2, 3], "wrong-version-theirs-older", "wrong-version-yours-older")],
)
async def test_a_version_mismatch_is_told_to_both_sides(versions: list[int], ours: str, theirs: str) -> None:
    async with hosting() as hosted, await hosted.stranger() as link:
        with pytest.raises(Refused, match=ours) as caught:
            await client_authenticate(link, AMAL, TOKEN, versions=versions)
        assert caught.value.values == {"ours": 3, "theirs": 1}
        await hosted.until_away(theirs)
        assert hosted.turned_away[0][1].values == {"ours": 1, "theirs": 3}


async def test_a_wrong_token_is_told() -> None:
    async with hosting() as hosted, await hosted.stranger() as link:
        with pytest.raises(Refused, match="bad-token"):
            await client_authenticate(link, AMAL, b"L" * 16, table=TABLE)
        await hosted.until_away("bad-token")
        assert hosted.guests == []


async def test_another_table_is_noticed_before_anything_is_signed() -> None:
    async with hosting() as hosted, await hosted.stranger() as link:
        with pytest.raises(Refused, match="wrong-table"):
            await client_authenticate(link, AMAL, TOKEN, table=b"U" * 16)
        await link.aclose()
        await hosted.until_away("connection-closed")


async def test_a_host_may_refuse_a_key_that_proved_itself() -> None:
    def admit(key: bytes) -> None:
        assert key == AMAL.public
        raise Refused("table-full", {"seats": 4})

    async with hosting(admit=admit) as hosted, await hosted.stranger() as link:
        with pytest.raises(Refused, match="table-full") as caught:
            await client_authenticate(link, AMAL, TOKEN)
        assert caught.value.values == {"seats": 4}
        assert hosted.guests == []


async def test_somebody_in_the_middle_gains_nothing() -> None:
    """He has a certificate of his own, a victim who trusts it, and passes every message on."""
    mallory = make_certificate()
    context = server_context(mallory.cert_pem, mallory.key_pem)
    async with hosting() as hosted:

        async def relay(stream: trio.SocketStream) -> None:
            front = Link(trio.SSLStream(stream, context, server_side=True), "victim")
            async with front, await hosted.stranger() as back:
                await front.handshake()
                try:
                    await back.send(await front.receive())
                    await front.send(await back.receive())
                    await back.send(await front.receive())
                    await front.send(await back.receive())
                except Closed:
                    pass

        listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.serve_listeners, relay, listeners)
            port = listeners[0].socket.getsockname()[1]
            async with await dial(["127.0.0.1"], port, mallory.hash) as link:
                with pytest.raises(Refused, match="bad-signature"):
                    await client_authenticate(link, AMAL, TOKEN, table=TABLE)
            await hosted.until_away("bad-signature")
            nursery.cancel_scope.cancel()
        assert hosted.guests == []


async def test_strangers_are_few_and_guests_do_not_count() -> None:
    async with hosting(gate=Gate(total=3, per_address=2)) as hosted, await hosted.guest() as guest:
        await hosted.until(lambda hosted: len(hosted.guests) == 1)
        first, second = await hosted.stranger(), await hosted.stranger()
        with pytest.raises(Refused, match="unreachable"):
            await dial(["127.0.0.1"], hosted.port, CERTIFICATE.hash, timeout=PATIENCE)
        assert hosted.codes == ["too-many-strangers"]
        await guest.send({"still": "here"})
        assert await guest.receive() == pack({"still": "here"})
        await first.aclose()
        await hosted.until_away("connection-closed")
        async with await hosted.guest():
            pass
        await second.aclose()


def test_the_gate_counts_households() -> None:
    gate = Gate(total=4, per_address=1)
    with gate.enter("2001:db8::1"), gate.enter("192.0.2.1"), gate.enter("2001:db8:0:1::1"):
        for same in ("2001:db8::2", "2001:db8::ffff:0:1", "192.0.2.1", "::ffff:192.0.2.1"):
            with pytest.raises(Refused, match="too-many-strangers"), gate.enter(same):
                pass
        with gate.enter("?"), pytest.raises(Refused, match="too-many-strangers"), gate.enter("192.0.2.2"):
            pass
        with gate.enter("192.0.2.2"):
            pass


async def test_a_host_that_does_not_answer_is_given_up(autojump_clock: trio.testing.MockClock) -> None:
    async with pair() as (client, _):
        with pytest.raises(Refused, match="table-silent") as caught:
            await client_authenticate(client, AMAL, TOKEN)
        assert caught.value.values == {"address": "host", "seconds": limits.CLIENT_AUTH_DEADLINE}


@pytest.mark.parametrize("shaken", [True, False])
async def test_a_stranger_that_says_nothing_has_two_seconds(
    autojump_clock: trio.testing.MockClock, shaken: bool
) -> None:
    async with pair(shaken) as (_, server):
        start = trio.current_time()
        with pytest.raises(Refused, match="auth-timeout"):
            await server_authenticate(server, table=TABLE, token=TOKEN)
        assert trio.current_time() - start == pytest.approx(limits.AUTH_DEADLINE)


async def test_a_stranger_that_dribbles_has_two_seconds(autojump_clock: trio.testing.MockClock) -> None:
    """A byte now and then is not silence, but the deadline is for the whole."""
    async with pair() as (client, server), trio.open_nursery() as nursery:

        async def dribble() -> None:
            for byte in encode_frame(Hello([1], bytes(32))):
                await client._stream.send_all(bytes([byte]))
                await trio.sleep(0.1)

        nursery.start_soon(dribble)
        with pytest.raises(Refused, match="auth-timeout"):
            await server_authenticate(server, table=TABLE, token=TOKEN)
        nursery.cancel_scope.cancel()


async def test_authentication_can_be_cancelled(autojump_clock: trio.testing.MockClock) -> None:
    for shaken in (True, False):
        async with pair(shaken) as (client, server):
            with trio.move_on_after(0.5) as scope:
                await server_authenticate(server, table=TABLE, token=TOKEN)
            assert scope.cancelled_caught
            with trio.move_on_after(0.5) as scope:
                await client_authenticate(client, AMAL, TOKEN)
            assert scope.cancelled_caught or client.closed
