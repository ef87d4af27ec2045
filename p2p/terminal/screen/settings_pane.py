"""The settings, changed by arrow keys and shown at once."""

from __future__ import annotations

import os
from functools import partial

from p2p.language import choose, set_language, t
from p2p.language.cards import left_to_right
from p2p.settings import CHOICES, changed, read_settings, settings_file, word_of, write_settings
from p2p.terminal.lookups import setting_value
from p2p.terminal.screen.canvas import Canvas
from p2p.terminal.screen.rows import Row, RowsPage
from p2p.terminal.screen.theme import Look
from p2p.terminal.screen.ui import Hint, Ui, pane_frame, turned
from protocol.errors import Refused


class SettingsPane(RowsPage):
    """Every setting of a few values; what is changed holds from now on, here and the next time."""

    def __init__(self, ui: Ui) -> None:
        super().__init__(ui)
        self.said = ""

    def rows(self) -> list[Row]:
        """A row a setting, with its value."""
        return [self._row(name) for name in CHOICES]

    def _row(self, name: str) -> Row:
        value, turn = setting_value(name, word_of(self.ui.settings, name)), partial(self._turn, name)
        return Row(name, f"{t(f'setting-{name}')}: {value}", enter=("hint-change", partial(turn, 1)), turn=turn)

    def _turn(self, name: str, step: int) -> None:
        words = [word for word, _ in CHOICES[name]]
        self.said = change(self.ui, name, turned(words, word_of(self.ui.settings, name), step))

    def draw(self, canvas: Canvas, now: float) -> None:
        """The list, and below it where the settings are kept, or why they could not be."""
        x, y, columns, rows = pane_frame(canvas, t("pane-settings"))
        self.draw_rows(canvas, y, rows - 2, x, columns)
        told = self.said or t("setting-kept", path=left_to_right(str(settings_file())))
        canvas.put(x, y + rows - 1, told, Look.ERROR if self.said else Look.DIM, size=columns)

    def other(self, key: str) -> None:
        """Any other key closes it."""
        self.ui.close()

    def hints(self) -> list[Hint]:
        """How to go on; enter does what an arrow does."""
        return [*super().hints()[1:], Hint("Esc", t("hint-close"), "escape")]


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
