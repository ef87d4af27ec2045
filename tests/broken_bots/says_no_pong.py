"""Does not answer ping."""

from __future__ import annotations

from honest import Honest


class Broken(Honest):
    def ping(self) -> None:
        pass


if __name__ == "__main__":
    Broken().play()
