"""Never answers again when an answer was refused."""

from __future__ import annotations

from typing import Any

from honest import Honest


class Broken(Honest):
    def error(self, message: dict[str, Any]) -> None:
        pass


if __name__ == "__main__":
    Broken().play()
