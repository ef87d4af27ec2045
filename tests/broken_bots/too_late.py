"""Thinks a little longer than its clock allows."""

from __future__ import annotations

import time
from typing import Any

from honest import Honest


class Broken(Honest):
    def hello(self, message: dict[str, Any]) -> None:
        super().hello(message)
        self.clock = message["clocks"]["move"]

    def act(self, message: dict[str, Any]) -> None:
        if self.asked == 3:
            time.sleep(self.clock * 1.2)
        super().act(message)

    def error(self, message: dict[str, Any]) -> None:
        pass  # it was about to answer anyway


if __name__ == "__main__":
    Broken().play()
