"""The user interface on a terminal: prompt_toolkit on an asyncio loop in a thread of its own, trio in charge.

The thread is started and ended by `Screen.run`, a task like any other. Keys become wishes that come out of
`Screen.wishes` on trio; news go in by `Screen.post` from trio. If the user interface fails, its exception comes out of
`run` on trio, after the terminal is as it was before. If trio cancels `run` (Ctrl-C, SIGTERM, SIGHUP, the end of the
game), the application is ended through its own loop, and `run` waits until the terminal is restored.

Why a thread: in trio's guest mode a busy trio held keys up for 400 ms; a thread answers them in less than one.
"""

from __future__ import annotations

import asyncio
import base64
import errno
import math
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

import trio
from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Point
from prompt_toolkit.filters import Condition
from prompt_toolkit.input import Input, create_input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.layout.controls import UIContent, UIControl
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth, Output, create_output
from prompt_toolkit.styles import Style

from p2p.language import set_digits
from p2p.terminal.screen import theme
from p2p.terminal.screen.bidi import Bidi, closing, opening
from p2p.terminal.screen.canvas import Canvas
from p2p.terminal.screen.scene import Command, Interrupt, Over
from p2p.terminal.screen.ui import Ui
from protocol.errors import Refused

ENDING = 5.0
"""Seconds that the thread has to restore the terminal before we go without it."""

TICK = 0.05
"""Seconds between two looks whether something moves by itself: a clock, the next scene."""

CLIPBOARD_LIMIT = 4096
"""Bytes that are sent to the terminal's clipboard; some terminals stop at 8 KiB of base64."""

GONE = frozenset({errno.EIO, errno.EBADF, errno.ENXIO, errno.EPIPE})
"""What reading or writing says of a terminal whose window was closed."""

_NAMES = {
    Keys.Left: "left", Keys.Right: "right", Keys.Up: "up", Keys.Down: "down", Keys.Home: "home", Keys.End: "end",
    Keys.PageUp: "pageup", Keys.PageDown: "pagedown", Keys.Enter: "enter", Keys.ControlJ: "enter",
    Keys.Escape: "escape", Keys.Tab: "tab", Keys.BackTab: "backtab", Keys.Backspace: "backspace",
    Keys.Delete: "delete", Keys.ControlC: "c-c",
    **{getattr(Keys, f"F{number}"): f"f{number}" for number in range(1, 13)},
}  # fmt: skip
"""prompt_toolkit's keys as `ui` calls them. Others are ignored."""


class Screen:
    """A terminal that shows `ui`. Input and output may be given by tests."""

    def __init__(
        self,
        make: Callable[[Callable[[Any], None]], Ui],
        *,
        colour: bool = True,
        source: Input | None = None,
        sink: Output | None = None,
    ) -> None:
        self._send, self.wishes = trio.open_memory_channel[Any](math.inf)
        self.afterwards: Callable[[Command, trio.Nursery], None] = lambda wish, nursery: None
        self.ui = make(self._leave)
        self._colour = colour
        self._source, self._sink = source, sink
        self._token: trio.lowlevel.TrioToken | None = None
        self._app: Application[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: deque[Any] = deque()
        self._failed: BaseException | None = None
        self._marks = Bidi.LOGICAL
        self._ended = threading.Event()
        self._closing = False
        self.stuck = False
        """Whether the thread did not end: a terminal that takes no more output holds it. So it would hold whoever else
        writes there, the end of the program among them."""

    # --- on trio ------------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Show it until it ends by itself or this is cancelled; the terminal is restored then. Raises
        Refused('screen-failed') from what the user interface raised. A terminal that is gone is Ctrl-C."""
        self._token = trio.lowlevel.current_trio_token()
        thread = threading.Thread(target=self._thread, name="screen", daemon=True)
        thread.start()
        try:
            await trio.to_thread.run_sync(self._ended.wait, abandon_on_cancel=True)
        finally:
            self._closing = True
            self._call(self._exit)
            with trio.CancelScope(shield=True):
                await trio.to_thread.run_sync(self._ended.wait, ENDING)
            self.stuck = not self._ended.is_set()
        if self._failed is None:
            return
        if _is_gone(self._failed):  # the window was closed, and its signal has yet to come
            interrupt()
            await trio.sleep_forever()
        raise Refused("screen-failed", {"reason": type(self._failed).__name__}) from self._failed

    async def until_left(self) -> bool:
        """After the game: what is on the screen stays until the person leaves it; False when he did so by Ctrl-C. What
        can be done without the table still is (`afterwards`), and is finished first."""
        self.post(Over())
        async with trio.open_nursery() as nursery:
            async for wish in self.wishes:
                if isinstance(wish, Interrupt) or wish == Command("quit"):
                    return not isinstance(wish, Interrupt)
                if isinstance(wish, Command):
                    self.afterwards(wish, nursery)
        return False

    def post(self, message: Any) -> None:
        """News for the pages; a callable is called in the screen's thread."""
        self._waiting.append(message)
        self._call(self._take)

    def _call(self, function: Callable[[], None]) -> None:
        loop = self._loop
        if loop is None:
            return
        try:
            loop.call_soon_threadsafe(function)
        except RuntimeError:
            return  # its loop is closed: the screen has ended

    # --- in the screen's thread ---------------------------------------------------------------------------------------

    def _thread(self) -> None:
        try:
            asyncio.run(self._show())
        except BaseException as error:
            self._failed = error
        finally:
            self._ended.set()

    async def _show(self) -> None:
        loop = self._loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._broken)
        output = self._sink or create_output()
        app: Application[None] = Application(
            layout=Layout(Window(_Drawing(self), always_hide_cursor=True)),
            key_bindings=self._bindings(),
            style=Style(theme.rules(self._colour)),
            color_depth=None if self._colour else ColorDepth.DEPTH_1_BIT,
            full_screen=True,
            mouse_support=Condition(lambda: self.ui.settings.mouse),
            terminal_size_polling_interval=2 * TICK,
            input=self._source or create_input(),
            output=output,
        )
        app.ttimeoutlen = app.timeoutlen = 0.05  # Escape alone is a key; do not keep the person waiting for more
        self._app = app
        self._marks = self.ui.manner.bidi
        ticking = asyncio.ensure_future(self._tick())
        try:
            output.write_raw(opening(self._marks))
            await app.run_async(handle_sigint=False, set_exception_handler=False)
        finally:
            ticking.cancel()
            output.write_raw(closing(self._marks))
            output.flush()
            set_digits(False)  # what is printed after the screen is lines again
        if self._failed is not None:
            raise self._failed

    def _take(self) -> None:
        """News have come."""
        if self._app is None:
            return
        with _Guard(self):
            while self._waiting:
                self.ui.take(self._waiting.popleft())
        self._app.invalidate()

    async def _tick(self) -> None:
        """Draw again when something moves by itself."""
        self._take()  # what came before the application ran
        drawn = time.monotonic()
        while True:
            await asyncio.sleep(TICK)
            with _Guard(self):
                if self._app is not None and drawn < self.ui.wakes(drawn) <= time.monotonic():
                    drawn = time.monotonic()
                    self._app.invalidate()

    def draw(self, columns: int, rows: int) -> Canvas:
        """The screen now; nothing at all when drawing fails, which ends the application."""
        with _Guard(self):
            canvas = self.ui.draw(columns, rows, time.monotonic())
            self._ring_and_copy()
            self._use_marks()
            return canvas
        return Canvas(columns, rows)

    def press(self, key: str) -> None:
        """A key of the person's."""
        with _Guard(self):
            self.ui.press(key)
        if self._app is not None:
            self._app.invalidate()

    def click(self, x: int, y: int) -> None:
        """A click of the person's."""
        with _Guard(self):
            self.ui.click(x, y)

    def _ring_and_copy(self) -> None:
        assert self._app is not None
        if self.ui.ring:
            self.ui.ring = False
            self._app.output.bell()
        if self.ui.copy:
            text, self.ui.copy = self.ui.copy.encode()[:CLIPBOARD_LIMIT], ""
            self._app.output.write_raw(f"\x1b]52;c;{base64.b64encode(text).decode()}\x07")  # OSC 52
            self._app.output.flush()

    def _use_marks(self) -> None:
        """Tell the terminal when the person has found out how it treats Arabic."""
        assert self._app is not None
        if self._marks is not self.ui.manner.bidi:
            self._app.output.write_raw(closing(self._marks) + opening(self.ui.manner.bidi))
            self._marks = self.ui.manner.bidi

    def fail(self, error: BaseException) -> None:
        """The user interface is broken: end the application, and let trio know why."""
        if self._failed is None:
            self._failed = error
        self._exit()

    def _broken(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, BaseException) and not self._closing:
            self.fail(error)

    def _exit(self) -> None:
        app = self._app
        if app is not None and app.is_running and not app.is_done:
            app.exit()

    def _leave(self, wish: Any) -> None:
        """A wish leaves the thread."""
        assert self._token is not None
        try:
            self._token.run_sync_soon(self._send.send_nowait, wish)
        except trio.RunFinishedError:
            self._exit()

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()

        @bindings.add(Keys.Any)
        def _(event: KeyPressEvent) -> None:
            if event.data.isprintable():
                self.press(event.data)

        for key, name in _NAMES.items():
            bindings.add(key)(lambda event, name=name: self.press(name))

        @bindings.add(Keys.BracketedPaste)
        def _(event: KeyPressEvent) -> None:
            self.press("paste:" + event.data)

        return bindings


def _is_gone(error: BaseException) -> bool:
    """Whether this says that the terminal is there no more."""
    if isinstance(error, OSError) or type(error).__module__ == "termios":  # which is no OSError, and not on Windows
        return error.args[:1] != () and error.args[0] in GONE
    return isinstance(error, EOFError)


def interrupt() -> None:
    """Ctrl-C in raw mode is a key; from here on it is the signal that it always was."""
    os.kill(os.getpid(), signal.SIGINT)


class _Guard:
    """What goes wrong inside ends the application instead of being printed over it."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if isinstance(error, Exception):
            self._screen.fail(error)
            return True
        return False


class _Drawing(UIControl):
    """The whole screen as one prompt_toolkit control."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    def create_content(self, width: int, height: int) -> UIContent:
        """The rows, drawn anew."""
        canvas = self._screen.draw(width, height)
        return UIContent(canvas.fragments, height, cursor_position=Point(0, 0), show_cursor=False)

    def mouse_handler(self, mouse_event: MouseEvent) -> None:
        """Clicks and the wheel."""
        if mouse_event.event_type is MouseEventType.MOUSE_UP:
            self._screen.click(mouse_event.position.x, mouse_event.position.y)
        elif mouse_event.event_type is MouseEventType.SCROLL_UP:
            self._screen.press("up")
        elif mouse_event.event_type is MouseEventType.SCROLL_DOWN:
            self._screen.press("down")

    def is_focusable(self) -> bool:
        """It takes all keys."""
        return True
