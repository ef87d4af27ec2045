"""Waits for the peer to speak first."""

from __future__ import annotations

import sys

from honest import Honest


class Broken(Honest):
    def ready(self) -> None:
        sys.stdin.readline()


if __name__ == "__main__":
    Broken().play()
