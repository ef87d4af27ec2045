"""Notes more about an answer than a message may hold, and never ends the line."""

from __future__ import annotations

from typing import Any

from honest import Honest


class Broken(Honest):
    def act(self, message: dict[str, Any]) -> None:
        if self.asked == 2:
            self.raw("{\"type\":\"act\",\"info\":{\"tree\":\"" + "x" * 200_000)
        super().act(message)


if __name__ == "__main__":
    Broken().play()
