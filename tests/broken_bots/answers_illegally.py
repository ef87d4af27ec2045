"""Sometimes answers with an action that is not in the list."""

from __future__ import annotations

from typing import Any

from honest import Honest


class Broken(Honest):
    def act(self, message: dict[str, Any]) -> None:
        if self.asked % 5 == 0:
            self.say(type="act", id=message["id"], action="play AS AH")
        else:
            super().act(message)


if __name__ == "__main__":
    Broken().play()
