"""Notes the whole tree that it searched, deeper than a message may be."""

from __future__ import annotations

from typing import Any

from honest import Honest


class Broken(Honest):
    def say(self, **message: Any) -> None:
        if self.asked == 2:
            tree: list[Any] = []
            for _ in range(16):
                tree = [tree]
            message["info"] = {"tree": tree}
        super().say(**message)


if __name__ == "__main__":
    Broken().play()
