"""Numbers its answers by itself instead of repeating the id."""

from __future__ import annotations

from typing import Any

from honest import Honest


class Broken(Honest):
    def act(self, message: dict[str, Any]) -> None:
        self.say(type="act", id=self.asked + 100_000, action=message["legal"][0])


if __name__ == "__main__":
    Broken().play()
