"""A bot without a fault; the broken ones are this one with a part replaced."""

from __future__ import annotations

import json
import random
import sys
from typing import Any


class Honest:
    """Plays anything legal. Each part of the conversation is a method of its own."""

    def __init__(self) -> None:
        self.chance = random.Random(0)
        self.asked = 0

    def raw(self, text: str) -> None:
        """Write some text as it is."""
        sys.stdout.write(text)
        sys.stdout.flush()

    def say(self, **message: Any) -> None:
        """Write a message."""
        self.raw(json.dumps(message) + "\n")

    def ready(self) -> None:
        """Introduce itself."""
        self.say(type="ready", name=type(self).__name__)

    def hello(self, message: dict[str, Any]) -> None:
        """A game begins."""
        self.chance.seed(message["seed"])

    def act(self, message: dict[str, Any]) -> None:
        """A question."""
        self.say(type="act", id=message["id"], action=self.chance.choice(message["legal"]))

    def error(self, message: dict[str, Any]) -> None:
        """An answer was refused."""
        if message.get("legal"):
            self.say(type="act", id=message["id"], action=message["legal"][0])

    def ping(self) -> None:
        """Are you there?"""
        self.say(type="pong")

    def event(self, message: dict[str, Any]) -> None:
        """Anything else."""

    def end(self) -> None:
        """The game is over."""
        sys.exit(0)

    def play(self) -> None:
        """The whole conversation."""
        self.ready()
        for line in sys.stdin:
            message = json.loads(line)
            match message["type"]:
                case "hello":
                    self.hello(message)
                case "act":
                    self.asked += 1
                    self.act(message)
                case "error":
                    self.error(message)
                case "ping":
                    self.ping()
                case "end":
                    self.end()
                case _:
                    self.event(message)


if __name__ == "__main__":
    Honest().play()
