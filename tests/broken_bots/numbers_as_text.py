"""Puts the number of the question in quotes."""

from __future__ import annotations

from typing import Any

from honest import Honest


class Broken(Honest):
    def act(self, message: dict[str, Any]) -> None:
        self.say(type="act", id=str(message["id"]), action=message["legal"][0])


if __name__ == "__main__":
    Broken().play()
