"""How much somebody may do: so much at once, so much a second after that."""

from __future__ import annotations


class Bucket:
    """A token bucket. Its clock is the caller's."""

    def __init__(self, burst: float, per_second: float, now: float) -> None:
        self._burst = burst
        self._per_second = per_second
        self._tokens = burst
        self._filled = now

    def spend(self, now: float) -> bool:
        """Whether one more is allowed now; it counts if it is."""
        grown = self._tokens + (now - self._filled) * self._per_second
        self._tokens, self._filled = min(self._burst, grown), now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True
