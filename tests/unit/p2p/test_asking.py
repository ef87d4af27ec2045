"""Who may ask for a seat, how often, and from where."""

from __future__ import annotations

import pytest

from p2p import limits
from p2p.asking import Asking
from protocol.errors import Refused
from protocol.messages import SeatClaim

HOME = "192.168.1.7"


def claim(number: int) -> SeatClaim:
    key = number.to_bytes(32, "big")
    return SeatClaim(key, f"Guest {number}", "", key, b"", bytes(32), bytes(64))


def test_requests_have_numbers_that_are_not_used_again() -> None:
    asking = Asking()
    asking.ask(claim(1), True, HOME, True, 0)
    asking.ask(claim(1), False, HOME, True, 0)  # once is enough
    asking.ask(claim(2), False, HOME, True, 0)
    assert [(one.number, one.claim.name, one.ready) for one in asking.requests] == [
        (1, "Guest 1", True),
        (2, "Guest 2", False),
    ]
    taken = asking.take(claim(2).key)
    assert taken is not None and taken.number == 2 and asking.take(claim(2).key) is None
    asking.ask(claim(3), True, HOME, True, 0)
    assert [one.number for one in asking.requests] == [1, 3] and claim(1).key in asking


def test_an_address_may_ask_so_often_and_again_after_a_while() -> None:
    asking = Asking()
    for number in range(limits.ASKS_BURST):
        asking.ask(claim(number), True, HOME, False, 0)
        asking.take(claim(number).key)
    with pytest.raises(Refused) as refused:
        asking.ask(claim(99), True, HOME, False, 0)
    assert refused.value.code == "too-many-asking"
    asking.ask(claim(98), True, "192.168.1.8", False, 0)
    asking.ask(claim(97), True, HOME, True, 0)  # with the invite
    asking.ask(claim(99), True, HOME, False, 1 / limits.ASKS_PER_SECOND)
    assert [one.claim.name for one in asking.requests] == ["Guest 98", "Guest 97", "Guest 99"]


def test_addresses_without_number_cost_no_memory() -> None:
    asking = Asking()
    for number in range(10 * limits.PEERS_TOTAL):
        asking.ask(claim(number), True, f"10.0.{number // 250}.{number % 250}", False, 0)
        asking.take(claim(number).key)
    assert len(asking._buckets) <= limits.PEERS_TOTAL


def test_a_leaked_invite_does_not_fill_the_hosts_screen() -> None:
    """Where everybody is asked about, each request is told to the host; keys cost nothing."""
    asking, refused = Asking(), 0
    for number in range(1000):
        try:
            asking.ask(claim(number), True, HOME, True, number / 100)
        except Refused:
            refused += 1
        asking.take(claim(number).key)
    assert refused == 1000 - limits.INVITED_ASKS_BURST - round(10 * limits.INVITED_ASKS_PER_SECOND) + 1
    asking.ask(claim(2000), True, HOME, False, 10)
    asking.ask(claim(2001), True, "192.168.1.8", True, 10)
