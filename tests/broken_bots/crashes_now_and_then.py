"""Has a bug that only some hands bring out."""

from __future__ import annotations

from typing import Any

from honest import Honest


class Broken(Honest):
    def act(self, message: dict[str, Any]) -> None:
        if len(message["view"]["hand"]) == 9:
            raise KeyError("trump")
        super().act(message)


if __name__ == "__main__":
    Broken().play()
