"""A terminal that takes no more output: whoever ends the screen does not wait for it."""

from __future__ import annotations

import threading

import pytest
import trio
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from p2p.terminal.screen import app
from p2p.terminal.screen.ui import Ui


class Stopped(DummyOutput):
    """Ctrl-S was pressed, or the connection to the terminal hangs."""

    def __init__(self) -> None:
        self.held, self.read = threading.Event(), threading.Event()

    def flush(self) -> None:
        self.held.set()
        self.read.wait()


@pytest.mark.parametrize("held", [True, False])
async def test_a_screen_that_cannot_be_written_to_is_left_behind(held: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    output = Stopped()
    if not held:
        output.read.set()
    with create_pipe_input() as source:
        screen = app.Screen(Ui, source=source, sink=output)
        if held:
            monkeypatch.setattr(app, "ENDING", 0.05)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(screen.run)
            await trio.to_thread.run_sync(output.held.wait)
            nursery.cancel_scope.cancel()
        assert screen.stuck == held
        output.read.set()
        await trio.to_thread.run_sync(screen._ended.wait)
