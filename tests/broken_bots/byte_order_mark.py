"""Begins with a byte order mark, as some systems do with text in UTF-8."""

from __future__ import annotations

from honest import Honest


class Broken(Honest):
    def ready(self) -> None:
        self.raw("\ufeff")
        super().ready()


if __name__ == "__main__":
    Broken().play()
