"""Does not leave when the game is over."""

from __future__ import annotations

import time

from honest import Honest


class Broken(Honest):
    def end(self) -> None:
        while True:
            time.sleep(60)


if __name__ == "__main__":
    Broken().play()
