"""Writes bytes that are no text before an answer."""

from __future__ import annotations

import sys
from typing import Any

from honest import Honest


class Broken(Honest):
    def act(self, message: dict[str, Any]) -> None:
        if self.asked == 2:
            sys.stdout.buffer.write(bytes(range(128, 256)) + b"\n")
            sys.stdout.buffer.flush()
        super().act(message)


if __name__ == "__main__":
    Broken().play()
