"""Says more to the table than anybody can read."""

from __future__ import annotations

from typing import Any

from honest import Honest


class Broken(Honest):
    def act(self, message: dict[str, Any]) -> None:
        for number in range(1000):
            self.say(type="chat", text=f"I have looked at {number} worlds")
        super().act(message)


if __name__ == "__main__":
    Broken().play()
