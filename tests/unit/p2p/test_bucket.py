"""A token bucket lets so much through at once, and so much a second."""

from __future__ import annotations

from p2p.bucket import Bucket


def test_a_burst_then_a_trickle() -> None:
    bucket = Bucket(burst=3, per_second=0.5, now=100.0)
    assert [bucket.spend(100.0) for _ in range(5)] == [True, True, True, False, False]
    assert not bucket.spend(101.0)
    assert bucket.spend(102.0) and not bucket.spend(102.0)


def test_rest_gives_no_more_than_the_burst() -> None:
    bucket = Bucket(burst=2, per_second=10, now=0.0)
    assert [bucket.spend(1e6) for _ in range(3)] == [True, True, False]
