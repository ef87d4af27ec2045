"""Draws by lot from the clock instead of from the seed it was given."""

from __future__ import annotations

import time
from typing import Any

from honest import Honest


class Broken(Honest):
    def hello(self, message: dict[str, Any]) -> None:
        self.chance.seed(time.time_ns())


if __name__ == "__main__":
    Broken().play()
