"""The table on the screen: what is shown when, and what keys do here. How it looks: `table_drawing`."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from p2p.language import t
from p2p.terminal.screen.canvas import Canvas
from p2p.terminal.screen.choosing import Choosing
from p2p.terminal.screen.scene import Answer, Command, News, Over, Scene
from p2p.terminal.screen.table_drawing import Shown, draw_table
from p2p.terminal.screen.ui import NEVER, Hint, Page, Ui

BEHIND = 12
"""Scenes that wait to be shown, from which on they no longer take their time."""


class TablePage(Page):
    """One table. Takes `Scene` and `News`, one after the other, and shows each for as long as it wants."""

    def __init__(self, ui: Ui, news: Iterable[News] = ()) -> None:
        super().__init__(ui)
        self.news: list[News] = list(news)
        self.scene: Scene | None = None
        self.choosing: Choosing | None = None
        self.hidden = False
        self.line: str | None = None
        """What is being typed for the others (beginning with a space) or as a command (with a slash)."""
        self.notice = ""
        self.over = False
        self._queue: deque[Scene | News] = deque()
        self._shown_at = 0.0

    # --- news in ------------------------------------------------------------------------------------------------------

    def take(self, message: Any) -> None:
        """A scene or a line of news waits for its turn."""
        if isinstance(message, Scene | News):
            self._queue.append(message)
        elif isinstance(message, Over):
            self.over = True

    def _advance(self, now: float) -> None:
        """Show what is due."""
        held = sum(1 for one in self._queue if isinstance(one, Scene) and one.hold)
        while self._queue and (held > BEHIND or self._due() <= now):
            one = self._queue.popleft()
            if isinstance(one, News):
                self.news.append(one)
            else:
                held -= bool(one.hold)
                self._see(one, now)

    def _due(self) -> float:
        return self._shown_at + (self.scene.hold if self.scene is not None else 0.0)

    def _see(self, scene: Scene, now: float) -> None:
        before = self.scene
        self.scene = scene
        if scene.hold or before is None or not before.hold or self._due() <= now:
            self._shown_at = now
        if scene.question is None:
            self.choosing = None
        elif self.choosing is None or self.choosing.question.id != scene.question.id:
            self.choosing = Choosing(scene.question, scene.view)
            self.notice = ""
            self.ui.ring = True

    def gather(self) -> bool:
        """Do not wait any longer for what is to be seen next. False when nothing waits."""
        waiting = any(isinstance(one, Scene) for one in self._queue)
        self._shown_at = -NEVER
        return waiting

    def wakes(self, now: float) -> float:
        """For the next scene, or the next second of a clock."""
        if self._queue:
            return self._due()
        scene = self.scene
        counting = scene is not None and (scene.question is not None or (scene.presence and scene.presence.waiting))
        return float(int(now) + 1) if counting else NEVER

    # --- keys ---------------------------------------------------------------------------------------------------------

    def panes(self) -> dict[str, Callable[[], None]]:
        """What function keys open."""
        return {
            "f5": lambda: self._type(" "),
            "f7": self._hide,
        }

    @property
    def typing(self) -> bool:
        """Whether characters are text for the others now."""
        return self.line is not None

    def press(self, key: str) -> None:
        """A key of the table."""
        panes = self.panes()
        if self.line is not None:
            self._edit(key)
        elif self.over and key in ("enter", "escape", "q"):
            self.ui.send(Command("quit"))
        elif key in panes:
            panes[key]()
        elif key == "/" and not (self.choosing and self.choosing.typed):
            self._type("/")
        elif key in (" ", "enter") and self.gather():
            return
        elif self.choosing is not None:
            self.notice = ""
            action = self.choosing.press(key)
            if action:
                self.ui.send(Answer(self.choosing.question.id, action))
                self.choosing = None

    def _hide(self) -> None:
        self.hidden = not self.hidden

    def _type(self, first: str) -> None:
        self.line = first

    def _edit(self, key: str) -> None:
        assert self.line is not None
        if key == "escape" or (key == "backspace" and len(self.line) <= 1):
            self.line = None
        elif key == "backspace":
            self.line = self.line[:-1]
        elif key == "enter":
            line, self.line = self.line, None
            self._command(line)
        elif len(key) == 1 or key.startswith("paste:"):
            self.line = (self.line + key.removeprefix("paste:"))[:400]

    def _command(self, line: str) -> None:
        if line.startswith(" "):
            if line.strip():
                self.ui.send(Command("say", line.strip()))
            return
        name, _, rest = line[1:].partition(" ")
        self.ui.send(Command(name, rest.strip()))

    def hints(self) -> list[Hint]:
        """The keys of the table."""
        if self.line is not None:
            return [Hint("Enter", t("hint-send"), "enter"), Hint("Esc", t("hint-cancel"), "escape")]
        own = []
        if self.choosing is not None:
            lifted = bool(self.choosing.lifted)
            own = [Hint("Enter", t("hint-play" if lifted else "hint-lift"), "enter")]
        return [
            *own,
            Hint("F1", t("hint-help"), "f1"),
            Hint("F2", t("hint-score"), "f2"),
            Hint("F3", t("hint-last"), "f3"),
            Hint("F4", t("hint-rules"), "f4"),
            Hint("F5", t("hint-chat"), "f5"),
            Hint("F7", t("hint-hide"), "f7"),
            Hint("F9", t("hint-menu"), "f9"),
        ]

    # --- drawing ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        """All of it."""
        self._advance(now)
        if self.scene is not None:
            shown = Shown(self.scene, self.choosing, self.news, self.hidden, self.line, self.notice, self.over)
            draw_table(canvas, shown, now)
