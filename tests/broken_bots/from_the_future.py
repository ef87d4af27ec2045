"""Speaks only versions of the protocol that do not exist yet."""

from __future__ import annotations

from honest import Honest


class Broken(Honest):
    def ready(self) -> None:
        self.say(type="ready", name="Broken", versions=[7, 9])


if __name__ == "__main__":
    Broken().play()
