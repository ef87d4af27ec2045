"""The table on the screen: what is shown when, and what keys do here. How it looks: `table_drawing`."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from p2p.language import t
from p2p.terminal.lookups import setting_told
from p2p.terminal.screen.canvas import Canvas
from p2p.terminal.screen.choosing import Choosing, why_not
from p2p.terminal.screen.hint_pane import HintPane
from p2p.terminal.screen.menu import ListPane, MenuPane, claim_of
from p2p.terminal.screen.panes import (
    SAID_LENGTH,
    ChatPane,
    HelpPane,
    HistoryPane,
    LastPane,
    OptionsPane,
    Room,
    RoomPane,
    RulesPane,
    typed_text,
)
from p2p.terminal.screen.scene import Answer, Command, News, Over, Scene
from p2p.terminal.screen.score_pane import ScorePane
from p2p.terminal.screen.settings_pane import SettingsPane, change
from p2p.terminal.screen.table_drawing import Shown, draw_table
from p2p.terminal.screen.theme import Look
from p2p.terminal.screen.ui import NEVER, Confirm, Hint, Ui
from protocol.errors import Refused
from protocol.rules import hints_allowed

BEHIND = 12
"""Scenes that wait to be shown, from which on they no longer take their time."""

FLASH_SECONDS = 0.5
"""How long the title is reversed when it is one's turn: seen at the edge of the eye, and no more than once."""

Pane = type[RoomPane] | type[ListPane]
"""What lies on this page, when it is opened."""

PANES: dict[str, Pane] = {
    "f1": HelpPane,
    "f2": ScorePane,
    "f3": LastPane,
    "f4": RulesPane,
    "f5": ChatPane,
    "f6": HistoryPane,
    "f8": HintPane,
    "f9": MenuPane,
}
"""What function keys open. They are the same on every keyboard."""

COMMANDS = {
    "help": "f1",
    "score": "f2",
    "last": "f3",
    "rules": "f4",
    "chat": "f5",
    "history": "f6",
    "hide": "f7",
    "hint": "f8",
    "menu": "f9",
}
"""The same typed, as in line mode."""


class TablePage(Room):
    """One table. Takes `Scene` and `News`, one after the other, and shows each for as long as it wants."""

    def __init__(self, ui: Ui, news: Iterable[News] = ()) -> None:
        super().__init__(ui, news)
        self.scene: Scene | None = None
        self.choosing: Choosing | None = None
        self.line: str | None = None
        """The command that is being typed, with its slash."""
        self.notice = ""
        self.over = False
        self._queue: deque[Scene | News] = deque()
        self._shown_at = 0.0
        self._flash_until = 0.0
        self._answered = -1  # the question answered last: scenes made before the answer arrived still hold it

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
        if scene.moved >= 0:
            self.notice = ""
        if scene.hold or before is None or not before.hold or self._due() <= now:
            self._shown_at = now
        if scene.question is None or scene.question.id == self._answered:
            self.choosing = None
        elif self.choosing is None or self.choosing.question.id != scene.question.id:
            self.choosing = Choosing(scene.question, scene.view)
            self.notice = ""
            self.ui.ring = self.ui.settings.bell
            self._flash_until = now + FLASH_SECONDS if self.ui.settings.flash else now

    def gather(self) -> bool:
        """Do not wait any longer for what is to be seen next. False when nothing waits: what is shown as soon as it
        comes takes no key away from the person."""
        waiting = bool(self.scene and self.scene.hold) and any(isinstance(one, Scene) for one in self._queue)
        self._shown_at = -NEVER
        return waiting

    def wakes(self, now: float) -> float:
        """For the next scene, the end of a flash, or the next second of a clock."""
        if now < self._flash_until:
            return self._flash_until
        if self._queue:
            return self._due()
        scene = self.scene
        counting = scene is not None and (scene.question is not None or (scene.presence and scene.presence.waiting))
        return float(int(now) + 1) if counting else NEVER

    # --- keys ---------------------------------------------------------------------------------------------------------

    def everywhere(self) -> dict[str, Callable[[], None]]:
        """What function keys do: open a pane, or close it again; hide the hand."""
        opened: dict[str, Callable[[], None]] = {key: partial(self._open, pane) for key, pane in PANES.items()}
        return {**opened, "f7": self._hide}

    def _open(self, pane: Pane) -> None:
        lies = any(type(one) is pane for one in self.ui.panes)
        self.ui.panes.clear()
        if not lies and self.scene is not None:
            self.ui.open(pane(self))

    @property
    def my_turn(self) -> bool:
        """Whether something is asked."""
        return self.choosing is not None

    def press(self, key: str) -> None:
        """A key of the table."""
        panes = self.everywhere()
        self.notice = ""
        typed = self.choosing is not None and bool(self.choosing.typed)
        if self.line is not None:
            self._edit(key)
        elif self.over and key in ("enter", "escape", "q"):
            self.ui.send(Command("quit"))
        elif key in panes:
            panes[key]()
        elif key in ("?", "؟") and not typed:
            self._open(HelpPane)
        elif key == "/" and not typed:
            self.line = key
        elif key in (" ", "enter") and self.gather():
            return
        elif self.choosing is not None and self.hidden and self.choosing.by_card:
            self.choosing.said = t("hidden-first")
        elif self.choosing is not None:
            action = self.choosing.press(key)
            if action:
                self._answered = self.choosing.question.id
                self.ui.send(Answer(self._answered, action))
                self.choosing = None

    def _hide(self) -> None:
        self.hidden = not self.hidden
        if self.choosing is not None:
            self.choosing.lower()

    def _edit(self, key: str) -> None:
        assert self.line is not None
        if key == "escape" or (key == "backspace" and len(self.line) <= 1):
            self.line = None
        elif key == "backspace":
            self.line = self.line[:-1]
        elif key == "enter":
            line, self.line = self.line, None
            self.submit(line)
        elif len(key) == 1 or key.startswith("paste:"):
            self.line = (self.line + typed_text(key))[:SAID_LENGTH]

    def submit(self, line: str) -> None:
        """A typed line: a command of this screen, one for the table, or something to say."""
        name, _, rest = line.strip().removeprefix("/").partition(" ")
        name, rest = name.casefold(), rest.strip()
        if not line.strip().startswith("/"):
            if line.strip():
                self.ui.send(Command("say", line.strip()))
        elif name in COMMANDS:
            self.everywhere()[COMMANDS[name]]()
        elif name == "claim":
            self._claim()
        elif name == "settings":
            self._settings(rest)
        elif name in ("options", "plot"):
            self._open(OptionsPane if name == "options" else ScorePane)
            for pane in self.ui.panes:
                if isinstance(pane, ScorePane):
                    pane.plotting = True
        else:
            self.ui.send(Command(name, rest))

    def _claim(self) -> None:
        """Claim the rest, once that is confirmed; or hear why not."""
        claim = None if self.scene is None else claim_of(self.scene)
        if claim is not None:
            self.ui.open(Confirm(self.ui, t("ask-claim"), lambda: self.ui.send(claim)))
        elif self.choosing is not None:
            self.choosing.said = why_not("claim", self.choosing.legal, self.choosing.view)
        else:
            self.notice = t("line-not-now")

    def _settings(self, typed: str) -> None:
        """All settings, or one of them changed."""
        if not typed:
            self.ui.open(SettingsPane(self.ui))
            return
        name, _, word = typed.partition(" ")
        try:
            self.notice = change(self.ui, name, word.strip()) or setting_told(self.ui.settings, name)
        except Refused as refused:
            self.notice = t(refused.code, **refused.values)
        if self.choosing is not None:
            self.choosing.said = self.notice

    def hints(self) -> list[Hint]:
        """The keys of the table."""
        if self.line is not None:
            return [Hint("Enter", t("hint-send"), "enter"), Hint("Esc", t("hint-cancel"), "escape")]
        own = []
        if self.choosing is not None:
            first = "hint-lift" if self.choosing.in_hand else "hint-choose"
            own = [Hint("Enter", t("hint-play" if self.choosing.lifted else first), "enter")]
        advised = self.choosing is not None and self.scene is not None and hints_allowed(dict(self.scene.rules))
        return [
            *own,
            Hint("F1", t("hint-help"), "f1"),
            Hint("F9", t("hint-menu"), "f9"),
            Hint("F2", t("hint-score"), "f2"),
            Hint("F5", t("hint-chat"), "f5"),
            *([Hint("F8", t("hint-advice"), "f8")] if advised else []),
            Hint("F7", t("hint-hide"), "f7"),
            Hint("F3", t("hint-last"), "f3"),
            Hint("F4", t("hint-rules"), "f4"),
            Hint("F6", t("hint-history"), "f6"),
        ]

    # --- drawing ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        """All of it."""
        self._advance(now)
        if self.scene is not None:
            shown = Shown(self.scene, self.choosing, self.news, self.hidden, self.line, self.notice, self.over)
            draw_table(canvas, shown, now)
        if now < self._flash_until:
            canvas.paint(0, 0, canvas.columns, 1, Look.CHOSEN)
