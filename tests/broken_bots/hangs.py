"""Stops thinking for ever at its third question."""

from __future__ import annotations

import sys
from typing import Any

from honest import Honest


class Broken(Honest):
    def act(self, message: dict[str, Any]) -> None:
        while self.asked == 3 and sys.stdin.read(1):
            pass  # reads, and says nothing more
        super().act(message)


if __name__ == "__main__":
    Broken().play()
