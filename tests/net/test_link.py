"""Links over real TCP and TLS: sending, receiving, dialling, listening, leaving."""

from __future__ import annotations

import socket
import ssl

import pytest
import trio
import trio.testing

from p2p import limits
from p2p.door import listen, port_of
from p2p.link import Closed, Link, dial
from p2p.tls import certificate_hash, make_certificate, server_context
from protocol.errors import Misuse, Refused
from protocol.wire import LIMIT_AFTER_AUTH, LIMIT_BEFORE_AUTH, pack, unpack_untrusted
from tests.net.hosting import CERTIFICATE, CONTEXT, PATIENCE, hosting, pair


async def test_messages_arrive_in_order_however_they_were_sent() -> None:
    async with hosting() as hosted, await hosted.guest() as link, trio.open_nursery() as nursery:
        link.run(nursery)
        for n in range(0, 300, 3):
            link.post({"n": n})
            link.post(pack({"n": n + 1}))
            await link.send({"n": n + 2})
        with trio.fail_after(PATIENCE):
            assert [unpack_untrusted(await link.receive())["n"] for _ in range(300)] == list(range(300))
        nursery.cancel_scope.cancel()


async def test_the_longest_message_passes_after_authentication_and_not_before() -> None:
    longest = {"a": b"x" * (LIMIT_AFTER_AUTH - 7)}
    assert len(pack(longest)) == LIMIT_AFTER_AUTH - 1
    async with hosting() as hosted:
        async with await hosted.guest() as link:
            await link.send(longest)
            assert unpack_untrusted(await link.receive()) == longest
        async with await hosted.stranger() as link:
            with pytest.raises(Misuse):
                await link.send({"a": b"x" * LIMIT_BEFORE_AUTH})


async def test_a_message_is_not_lost_when_receiving_is_cancelled() -> None:
    async with pair() as (left, right):
        with trio.move_on_after(0):
            await right.receive()
        await left.send({"n": 1})
        await left.send({"n": 2})
        with trio.CancelScope() as scope:
            scope.cancel()
            await right.receive()
        assert await right.receive() == pack({"n": 1})
        with trio.CancelScope() as scope:
            scope.cancel()
            await right.receive()
        assert await right.receive() == pack({"n": 2})


async def test_what_was_posted_goes_out_before_a_polite_end() -> None:
    async with pair() as (left, right), trio.open_nursery() as nursery:
        left.run(nursery)
        for n in range(100):
            left.post({"n": n})
        nursery.start_soon(left.aclose)
        assert [unpack_untrusted(await right.receive())["n"] for _ in range(100)] == list(range(100))
        with pytest.raises(Closed, match="connection-closed"):
            await right.receive()
        with pytest.raises(Closed, match="connection-closed"):
            await left.send({})
        left.post({})  # nobody is told


async def test_a_connection_that_breaks_is_closed_not_malformed() -> None:
    async with pair() as (left, right):
        await trio.aclose_forcefully(left._stream)
        with pytest.raises(Closed, match="connection-broken"):
            await right.receive()
        with pytest.raises(Closed, match="connection-broken"):
            await right.send({})


async def test_closing_wakes_whoever_receives() -> None:
    async with pair() as (left, _):

        async def wait() -> None:
            with pytest.raises(Closed, match="connection-closed"):
                await left.receive()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(wait)
            await trio.testing.wait_all_tasks_blocked()
            await left.aclose()


async def test_a_beat_keeps_a_quiet_connection(autojump_clock: trio.testing.MockClock) -> None:
    async with pair() as (left, right), trio.open_nursery() as nursery:
        left.run(nursery)
        right.run(nursery)

        async def speak_late() -> None:
            await trio.sleep(10 * limits.SILENCE_LIMIT)
            left.post({"at": "last"})

        nursery.start_soon(speak_late)
        nursery.start_soon(_expect_closed, left)
        assert await right.receive() == pack({"at": "last"})
        await right.aclose()


async def _expect_closed(link: Link) -> None:
    with pytest.raises(Closed):
        await link.receive()
    await link.aclose()


async def test_silence_ends_a_connection(autojump_clock: trio.testing.MockClock) -> None:
    async with pair() as (left, _), trio.open_nursery() as nursery:
        left.run(nursery)
        start = trio.current_time()
        with pytest.raises(Closed, match="connection-silent"):
            await left.receive()
        assert trio.current_time() - start == pytest.approx(limits.SILENCE_LIMIT)


async def test_who_does_not_read_is_dropped_when_the_outbox_is_full() -> None:
    async with pair() as (left, _), trio.open_nursery() as nursery:
        left.raise_limit()
        left.run(nursery)
        for _ in range(limits.OUTBOX_LIMIT // 60_000 + 2):
            left.post({"a": b"x" * 60_000})
        assert left.closed == "peer-not-reading"
        with pytest.raises(Closed, match="peer-not-reading"):
            await left.receive()


async def test_who_takes_nothing_is_dropped_after_a_while(autojump_clock: trio.testing.MockClock) -> None:
    listeners = await listen("127.0.0.1", 0)
    async with trio.open_nursery() as nursery:

        async def never_read(stream: trio.SocketStream) -> None:
            secure = trio.SSLStream(stream, CONTEXT, server_side=True)
            await secure.do_handshake()
            await trio.sleep_forever()

        nursery.start_soon(trio.serve_listeners, never_read, listeners)
        async with await _dial_in_real_time(port_of(listeners)) as link, trio.open_nursery() as inner:
            link.raise_limit()
            link.run(inner)
            with pytest.raises(Closed, match="peer-not-reading"):
                while True:
                    await link.send({"a": b"x" * 60_000})
        nursery.cancel_scope.cancel()


async def _dial_in_real_time(port: int) -> Link:
    """An autojumping clock must not run while the kernel shakes hands."""
    return await dial(["127.0.0.1"], port, CERTIFICATE.hash, timeout=1e9)


async def test_dialling_tries_every_address() -> None:
    async with hosting() as hosted:
        addresses = ["192.0.2.1", "2001:db8::1", "x" * 64, "::1", "127.0.0.1"]
        async with await dial(addresses, hosted.port, CERTIFICATE.hash, timeout=PATIENCE) as link:
            assert link.address == "127.0.0.1"
            assert link.certificate_hash == CERTIFICATE.hash


async def test_a_wrong_fingerprint_is_told_and_nothing_is_sent() -> None:
    async with hosting() as hosted:
        with pytest.raises(Refused, match="wrong-fingerprint") as caught:
            await dial(["127.0.0.1"], hosted.port, b"\x00" * 16)
        assert caught.value.values == {"address": "127.0.0.1"}
        await hosted.until_away("connection-broken")
        async with await hosted.guest():
            pass


async def test_a_stranger_at_one_address_does_not_hide_the_table_at_another() -> None:
    """The private address of an invite may belong to somebody else in the guest's own network."""
    stranger = make_certificate()
    listeners = await listen(None, 0)
    if len(listeners) < 2:
        pytest.skip("this machine has only one of IPv6 and IPv4")
    port = port_of(listeners)
    other, ours = listeners[:1], listeners[1:]

    async def serve_tls(context: ssl.SSLContext, listeners: list[trio.SocketListener]) -> None:
        async def shake(stream: trio.SocketStream) -> None:
            async with Link(trio.SSLStream(stream, context, server_side=True), "?") as link:
                try:
                    await link.handshake()
                    await link.receive()
                except Closed:
                    pass

        await trio.serve_listeners(shake, listeners)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve_tls, server_context(stranger.cert_pem, stranger.key_pem), other)
        nursery.start_soon(serve_tls, CONTEXT, ours)
        for addresses in (["::1", "127.0.0.1"], ["127.0.0.1", "::1"]):
            async with await dial(addresses, port, CERTIFICATE.hash) as link:
                assert link.address == "127.0.0.1"
        nursery.cancel_scope.cancel()


async def test_nobody_there_is_a_sentence() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))  # taken, but nobody listens
        port = held.getsockname()[1]
        with pytest.raises(Refused, match="unreachable") as caught:
            await dial(["127.0.0.1"], port, bytes(16))
        assert caught.value.values == {"port": port, "addresses": "127.0.0.1"}
    with pytest.raises(Refused, match="unreachable"):
        await dial([], 7070, bytes(16))


async def test_an_address_that_does_not_answer_is_given_up(autojump_clock: trio.testing.MockClock) -> None:
    listeners = await listen("127.0.0.1", 0)  # accepts in the kernel, and never says a word
    with pytest.raises(Refused, match="unreachable"):
        await dial(["127.0.0.1"], port_of(listeners), bytes(16))
    for listener in listeners:
        await listener.aclose()


async def test_dialling_can_be_cancelled_and_leaves_nothing_open() -> None:
    listeners = await listen("127.0.0.1", 0)
    with trio.move_on_after(0.01) as scope:
        await dial(["127.0.0.1", "127.0.0.2", "192.0.2.1"], port_of(listeners), bytes(16))
    assert scope.cancelled_caught
    for listener in listeners:
        await listener.aclose()


async def test_a_busy_port_is_a_sentence() -> None:
    listeners = await listen("127.0.0.1", 0)
    for bind in ("127.0.0.1", None):
        with pytest.raises(Refused, match="port-busy") as caught:
            await listen(bind, port_of(listeners))
        assert caught.value.values == {"port": port_of(listeners)}
    for listener in listeners:
        await listener.aclose()


async def test_both_families_share_one_port() -> None:
    listeners = await listen(None, 0)
    ports = {listener.socket.getsockname()[1] for listener in listeners}
    assert ports == {port_of(listeners)}
    for listener in listeners:
        await listener.aclose()


@pytest.mark.parametrize("bind", ["192.0.2.1", "x" * 64, "\0"])
async def test_an_address_of_another_machine_cannot_be_listened_on(bind: str) -> None:
    with pytest.raises(Refused, match="bind-unknown"):
        await listen(bind, 0)


async def test_only_tls_13_is_spoken() -> None:
    async with hosting() as hosted:
        old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        old.check_hostname = False
        old.verify_mode = ssl.CERT_NONE
        old.maximum_version = ssl.TLSVersion.TLSv1_2
        stream = trio.SSLStream(await trio.open_tcp_stream("127.0.0.1", hosted.port), old)
        with pytest.raises(trio.BrokenResourceError):
            await stream.do_handshake()
        await trio.aclose_forcefully(stream)
        await hosted.until_away("tls-failed")


def test_a_certificate_is_stable_and_its_hash_is_of_the_der() -> None:
    again = make_certificate(lambda length: b"\x07" * length)
    assert again == CERTIFICATE
    assert make_certificate() != make_certificate()
    assert CERTIFICATE.hash == certificate_hash(ssl.PEM_cert_to_DER_cert(CERTIFICATE.cert_pem.decode()))
    assert "PRIVATE" not in repr(CERTIFICATE)
