"""A screen whose page, or whose table, breaks: `python -m tests.terminal.broken key|draw|table`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import trio

from p2p.cli.common import run_evening
from p2p.language import set_language
from p2p.sitting import Evening
from p2p.terminal.screen.app import Screen
from p2p.terminal.screen.canvas import Canvas
from p2p.terminal.screen.ui import Page, Ui

LETTERS = "all is well"


class Fragile(Page):
    """Breaks when `x` is pressed: at once, or when it is drawn the next time."""

    def __init__(self, ui: Ui, where: str) -> None:
        super().__init__(ui)
        self.where = where
        self.cracked = False

    def draw(self, canvas: Canvas, now: float) -> None:
        """A line, or nothing at all any more."""
        if self.cracked:
            raise ArithmeticError("drawn on a broken page")
        canvas.put(1, 1, LETTERS)

    def press(self, key: str) -> None:
        """A key breaks it."""
        if self.where == "key":
            raise ArithmeticError("a key broke the page")
        if self.where == "draw":
            self.cracked = True
        else:
            self.ui.send(key)


def broken(where: str) -> Screen:
    """A screen with that page."""

    def made(send: Callable[[Any], None]) -> Ui:
        ui = Ui(send)
        ui.pages = [Fragile(ui, where)]
        return ui

    return Screen(made)


async def table(screen: Screen, evening: Evening) -> None:
    """A peer that breaks when it hears of the key."""
    async for _ in screen.wishes:
        raise ArithmeticError("the table broke")
    await trio.sleep_forever()


if __name__ == "__main__":
    set_language("en")
    shown = broken(sys.argv[1])
    run_evening(partial(table, shown), screen=shown)
