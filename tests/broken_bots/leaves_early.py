"""Says good-bye when it does not like its cards."""

from __future__ import annotations

from typing import Any

from honest import Honest


class Broken(Honest):
    def act(self, message: dict[str, Any]) -> None:
        self.say(type="bye") if self.asked == 4 else super().act(message)


if __name__ == "__main__":
    Broken().play()
