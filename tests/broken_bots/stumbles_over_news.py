"""Takes a message or a field that it does not know for a mistake."""

from __future__ import annotations

from typing import Any

from honest import Honest


class Broken(Honest):
    def event(self, message: dict[str, Any]) -> None:
        raise SystemExit("unknown message " + message["type"])


if __name__ == "__main__":
    Broken().play()
