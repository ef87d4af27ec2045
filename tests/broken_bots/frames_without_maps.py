"""Speaks in frames, and puts the bare action into them."""

from __future__ import annotations

import os
import sys

from honest import Honest


class Broken(Honest):
    def frame(self, body: bytes) -> None:
        sys.stdout.buffer.write(len(body).to_bytes(4, "big") + body)
        sys.stdout.buffer.flush()

    def play(self) -> None:
        self.frame(b"\x81\xa4type\xa5ready")
        while os.read(0, 1024 * 1024):
            self.frame(b"\xa4pass")


if __name__ == "__main__":
    Broken().play()
