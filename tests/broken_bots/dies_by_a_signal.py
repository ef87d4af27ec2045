"""Touches memory that is not its own, as a program in C may: some hands bring it out."""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

from honest import Honest


class Broken(Honest):
    def act(self, message: dict[str, Any]) -> None:
        if len(message["view"]["hand"]) == 9:
            print("about to die", file=sys.stderr, flush=True)
            signal.signal(signal.SIGSEGV, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGSEGV)
        super().act(message)


if __name__ == "__main__":
    Broken().play()
