"""Has room for 16 kB of a line, and loses the rest."""

from __future__ import annotations

import json
import sys

from honest import Honest


class Broken(Honest):
    def play(self) -> None:
        self.ready()
        while line := sys.stdin.readline(16_384):
            try:
                message = json.loads(line)
            except ValueError:
                continue
            match message["type"]:
                case "hello":
                    self.hello(message)
                case "act":
                    self.act(message)
                case "error":
                    self.error(message)
                case "ping":
                    self.ping()
                case "end":
                    self.end()


if __name__ == "__main__":
    Broken().play()
