"""Tells what it thinks where only messages belong."""

from __future__ import annotations

from typing import Any

from honest import Honest


class Broken(Honest):
    def act(self, message: dict[str, Any]) -> None:
        print("I could play", len(message["legal"]), "cards")
        super().act(message)


if __name__ == "__main__":
    Broken().play()
