"""Greets the reader before it introduces itself."""

from __future__ import annotations

from honest import Honest


class Broken(Honest):
    def ready(self) -> None:
        print("Loading the model...", flush=True)
        super().ready()


if __name__ == "__main__":
    Broken().play()
