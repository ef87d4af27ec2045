"""Who has asked for a seat and waits for the host's word, and how many may.

Anybody on the network can ask, with as many keys as he likes; so what is counted is addresses. All of it is kept in
memory only: after a restart of the host they ask again.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p import limits
from p2p.bucket import Bucket
from p2p.door import place
from protocol.errors import Refused
from protocol.messages import SeatClaim


@dataclass(frozen=True)
class Request:
    """Somebody asks for a seat. `number` is what the host may call him by, `address` where he asks from, `invited`
    whether he has the invite."""

    number: int
    claim: SeatClaim
    ready: bool
    address: str
    invited: bool


class Asking:
    """The requests that wait, in the order in which they came."""

    def __init__(self) -> None:
        self._requests: dict[bytes, Request] = {}
        self._buckets: dict[tuple[str, bool], Bucket] = {}  # by address, and whether with the invite
        self._last = 0

    def __contains__(self, key: bytes) -> bool:
        return key in self._requests

    @property
    def requests(self) -> tuple[Request, ...]:
        """All that wait."""
        return tuple(self._requests.values())

    def ask(self, claim: SeatClaim, ready: bool, address: str, invited: bool, now: float) -> None:
        """Take a request; a second one of the same key changes nothing. Raises Refused('too-many-asking')."""
        if claim.key in self._requests:
            return
        if len(self._requests) >= limits.PEERS_TOTAL or not self._may_ask(place(address), invited, now):
            raise Refused("too-many-asking")
        self._last += 1
        self._requests[claim.key] = Request(self._last, claim, ready, address, invited)

    def _may_ask(self, address: str, invited: bool, now: float) -> bool:
        asker = address, invited
        if asker not in self._buckets:
            if len(self._buckets) >= limits.PEERS_TOTAL:
                del self._buckets[next(iter(self._buckets))]  # the oldest: memory has an end
            lan = limits.ASKS_BURST, limits.ASKS_PER_SECOND
            burst, often = (limits.INVITED_ASKS_BURST, limits.INVITED_ASKS_PER_SECOND) if invited else lan
            self._buckets[asker] = Bucket(burst, often, now)
        return self._buckets[asker].spend(now)

    def take(self, key: bytes) -> Request | None:
        """The request of this key, which waits no longer."""
        return self._requests.pop(key, None)
