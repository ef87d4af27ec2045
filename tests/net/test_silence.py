"""Programs that are stopped and do not say so: who is missed, who is dialled again, and who gives up."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import trio
import trio.testing

from p2p import guest as guest_module
from p2p import limits
from p2p.guest import Guest
from p2p.host import Host, Terms
from p2p.hosting import Hosting, new_host_store
from p2p.invite import Invite
from p2p.joining import new_guest_store
from p2p.link import Closed, Link
from p2p.peer import Peer
from p2p.sitting import Sitter, claim_for
from p2p.store import TableStore
from protocol.errors import Refused
from protocol.identity import Identity
from protocol.messages import Lobby, Sit
from protocol.table.events import Event
from tests.net.evening import GAME, OPTIONS
from tests.net.hosting import TABLE, TOKEN, pair

BASIL = Identity.generate(b"b" * 32)
INVITE = Invite(("127.0.0.1",), bytes(16), TABLE, TOKEN, 7070)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAJLIS_HOME", str(tmp_path))


async def ignore(event: Event) -> None:
    """Nobody watches."""


async def nobody_sits(lobby: Lobby) -> None:
    """This guest stays on its feet."""


class Known(Guest):
    """A guest that knows its table, with what it was told."""

    def __init__(self, store: TableStore) -> None:
        self.told: list[str] = []
        super().__init__(INVITE, nobody_sits, self.told.append)
        self.peer = Peer(store, uplink=self.submit, observe=ignore)
        self.resumed = True


async def no_authentication(link: Link, identity: Identity, token: bytes, table: bytes | None = None) -> None:
    """Everybody is who they say."""
    link.raise_limit()


async def test_a_guest_whose_program_is_stopped_is_missed(autojump_clock: trio.testing.MockClock) -> None:
    terms = Terms(GAME, dict(OPTIONS), {})
    changes: list[int] = []
    with new_host_store(Hosting(terms, Sitter("Amal"))) as store:
        host = Host(store, terms, lambda: changes.append(len(host.missing())))
        claim = claim_for(BASIL, store.table, host.digest, Sitter("Basil"))
        async with pair() as (client, server):
            client.raise_limit()
            server.raise_limit()
            await client.send(Sit(claim))  # and from then on it neither reads nor writes
            since = trio.current_time()
            with pytest.raises((Closed, ExceptionGroup)) as caught:
                await host.welcome(server, BASIL.public)
    assert trio.current_time() - since == pytest.approx(limits.SILENCE_LIMIT, abs=limits.CLOSE_DEADLINE + 1)
    assert "connection-silent" in codes(caught.value)
    assert host.missing() == [claim] and changes[-1] == 1


def codes(error: BaseException) -> list[str]:
    """The codes in a group of exceptions."""
    if isinstance(error, BaseExceptionGroup):
        return [code for inner in error.exceptions for code in codes(inner)]
    return [error.code] if isinstance(error, Closed | Refused) else []


async def test_a_host_that_is_stopped_is_dialled_again(
    autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    times: list[float] = []
    again = trio.Event()
    with new_guest_store(INVITE, "", Sitter("Basil")) as store:
        async with pair() as (client, server), trio.open_nursery() as nursery:

            async def dial(addresses: Sequence[str], port: int, fingerprint: bytes) -> Link:
                times.append(trio.current_time())
                if len(times) > 1:
                    again.set()
                    await trio.sleep_forever()
                return client

            monkeypatch.setattr(guest_module, "dial", dial)
            monkeypatch.setattr(guest_module, "client_authenticate", no_authentication)
            guest = Known(store)
            server.raise_limit()
            await server.send(Lobby(TABLE, GAME, dict(OPTIONS), {}, bytes(32), (), 3, False))
            nursery.start_soon(guest.run)
            await again.wait()
            nursery.cancel_scope.cancel()
    longest = limits.SILENCE_LIMIT + limits.CLOSE_DEADLINE + limits.REDIAL_FIRST
    assert limits.SILENCE_LIMIT <= times[1] - times[0] <= longest + 1
    assert guest.told == ["reconnected", "reconnecting"]


async def test_a_companion_gives_up_when_its_host_stays_away(
    autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def dial(addresses: Sequence[str], port: int, fingerprint: bytes) -> Link:
        raise Refused("unreachable", {"port": port, "addresses": " ".join(addresses)})

    monkeypatch.setattr(guest_module, "dial", dial)
    with new_guest_store(INVITE, "", Sitter("Bot", "steady")) as store:
        guest = Known(store)
        guest.patience, guest.longest = limits.COMPANION_PATIENCE, limits.COMPANION_REDIAL
        since = trio.current_time()
        with pytest.raises(Refused) as refused:
            await guest.run()
    assert refused.value.code == "host-gone"
    waited = trio.current_time() - since
    assert limits.COMPANION_PATIENCE < waited <= limits.COMPANION_PATIENCE + limits.COMPANION_REDIAL
    assert guest.told == ["reconnecting"], "said once, however often it is tried"
