"""The settings, changed by arrow keys and shown at once."""

from __future__ import annotations

import os

from p2p.language import choose, set_language, t
from p2p.language.cards import left_to_right
from p2p.settings import CHOICES, changed, read_settings, settings_file, word_of, write_settings
from p2p.terminal.lookups import setting_value
from p2p.terminal.screen.canvas import Canvas
from p2p.terminal.screen.theme import Look
from p2p.terminal.screen.ui import Hint, Page, Ui, pane_frame, turned
from protocol.errors import Refused


class SettingsPane(Page):
    """Every setting of a few values; what is changed holds from now on, here and the next time."""

    def __init__(self, ui: Ui) -> None:
        super().__init__(ui)
        self.names = list(CHOICES)
        self.at = 0
        self.said = ""

    def draw(self, canvas: Canvas, now: float) -> None:
        """A row a setting, its value below."""
        x, y, columns, rows = pane_frame(canvas, t("pane-settings"))
        for row, name in enumerate(self.names):
            here = row == self.at
            top = y + 2 * row
            cursor = canvas.pointer if here else " "
            value = setting_value(name, word_of(self.ui.settings, name))
            looks = (Look.CHOSEN,) if here else ()
            canvas.put(x, top, f"{cursor} {t(f'setting-{name}')}: {value}", *looks, size=columns)
            canvas.target(x, top, columns, f"item:{row}")
        told = self.said or t("setting-kept", path=left_to_right(str(settings_file())))
        canvas.put(x, y + rows - 1, told, Look.ERROR if self.said else Look.DIM, size=columns)

    def press(self, key: str) -> None:
        """Up and down choose a setting, left and right another value of it."""
        if key in ("up", "down"):
            self.at = (self.at + self.step(key)) % len(self.names)
        elif key in ("left", "right"):
            self._change(self.step(key))
        elif key in ("enter", " "):
            self._change(1)
        elif key.startswith("item:"):
            self.at = int(key.removeprefix("item:"))
            self._change(1)
        else:
            self.ui.close()

    def _change(self, step: int) -> None:
        name = self.names[self.at]
        words = [word for word, _ in CHOICES[name]]
        self.said = change(self.ui, name, turned(words, word_of(self.ui.settings, name), step))

    def hints(self) -> list[Hint]:
        """How to go on."""
        back = Hint("Esc", t("hint-close"), "escape")
        return [Hint("←→", t("hint-change"), "right"), Hint("↑↓", t("hint-choose"), "down"), back]


def change(ui: Ui, name: str, word: str) -> str:
    """Set one of the settings, keep it, and show everything so from now on. What could not be kept holds for this time;
    the sentence that says so is returned. Raises Refused as `p2p.settings.changed` does."""
    ui.use(changed(ui.settings, name, word))
    if name == "language":
        set_language(choose(None, os.environ, ui.settings.language))
    try:
        write_settings(changed(read_settings().settings, name, word))
    except Refused as refused:
        return t(refused.code, **refused.values)
    return ""
