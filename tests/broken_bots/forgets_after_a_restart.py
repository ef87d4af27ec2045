"""Remembers its hand from the beginning of the deal, and has nothing when it is started again."""

from __future__ import annotations

from typing import Any

from honest import Honest


class Broken(Honest):
    hand: list[str]

    def ready(self) -> None:
        self.say(type="ready", name="Broken", wants=["events"])

    def event(self, message: dict[str, Any]) -> None:
        if message["type"] in ("deal", "hand"):
            self.hand = message["hand"]

    def act(self, message: dict[str, Any]) -> None:
        held = [action for action in message["legal"] if action[5:] in self.hand or not action.startswith("play ")]
        self.say(type="act", id=message["id"], action=held[0])


if __name__ == "__main__":
    Broken().play()
