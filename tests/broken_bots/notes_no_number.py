"""Notes NaN, which Python writes and JSON does not know."""

from __future__ import annotations

from typing import Any

from honest import Honest


class Broken(Honest):
    def say(self, **message: Any) -> None:
        if self.asked == 2:
            message["info"] = {"value": float("nan")}
        super().say(**message)


if __name__ == "__main__":
    Broken().play()
