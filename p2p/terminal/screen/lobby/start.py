"""The start page: what one can do with Majlis, a sentence to each."""

from __future__ import annotations

from engine.games import NAMES as GAMES
from engine.games import game as find_game
from p2p.language import CODES, current, t
from p2p.language.cards import game_name, whole
from p2p.terminal.screen.canvas import Canvas
from p2p.terminal.screen.lobby.wishes import FIRST_GAME, Leave, ToForm, ToKept, ToNear
from p2p.terminal.screen.panes import GameRulesPane
from p2p.terminal.screen.rows import Row, RowsPage, draw_told, numbered
from p2p.terminal.screen.settings_pane import SettingsPane, change
from p2p.terminal.screen.theme import Look
from p2p.terminal.screen.ui import Ui, turned

OTHER_LANGUAGE = {"en": "العربية", "ar": "English"}
"""What the row that changes the language offers, in that language."""


class StartPage(RowsPage):
    """Where one begins, and comes back to. `kept` is how many interrupted tables there are, `name` who plays here."""

    def __init__(self, ui: Ui, name: str, kept: int = 0, said: str = "") -> None:
        super().__init__(ui)
        self.name = name
        self.kept = kept
        self.said = said
        self.game = FIRST_GAME

    def rows(self) -> list[Row]:
        """What one can do."""
        send, go = self.ui.send, "start-go"
        rules = t("start-rules", game=game_name(self.game))
        found = [
            Row("host", t("start-host"), enter=(go, lambda: send(ToForm()))),
            Row("join", t("start-join"), enter=(go, lambda: send(ToNear()))),
            Row("resume", t("start-resume", count=self.kept), enter=(go, lambda: send(ToKept()))),
            Row("rules", rules, enter=("start-read", self._read), turn=self._other_game),
            Row("settings", t("pane-settings"), enter=(go, lambda: self.ui.open(SettingsPane(self.ui)))),
            Row("language", OTHER_LANGUAGE[current().code], enter=("hint-change", self._other_language)),
            Row("leave", t("start-leave"), enter=("hint-leave", lambda: send(Leave()))),
        ]
        if not self.kept:
            found[2] = Row("resume", t("start-resume-none"), (Look.DIM,))
        return numbered(found)

    def _read(self) -> None:
        self.ui.open(GameRulesPane(self.ui, find_game(self.game), {}, {}))

    def _other_game(self, step: int) -> None:
        self.game = turned(GAMES, self.game, step)

    def _other_language(self) -> None:
        self.said = change(self.ui, "language", turned(CODES, current().code, 1))

    def other(self, key: str) -> None:
        """Escape goes to the last row, so that enter behind it leaves."""
        if key == "escape":
            self.on = "leave"

    def draw(self, canvas: Canvas, now: float) -> None:
        """Title, list, what the row under the cursor means, and what happened before."""
        size = canvas.columns - 2
        canvas.line(1, t("start-title"), Look.TITLE, x=1, size=size)
        canvas.line(2, t("start-promise"), Look.DIM, x=1, size=size)
        canvas.line(4, t("start-name", player=whole(self.name)), x=1, size=size)
        used = self.draw_rows(canvas, 6, canvas.rows - 12)
        draw_told(canvas, 7 + used, 2, t(f"start-{self.on}-more"), Look.DIM)
        draw_told(canvas, canvas.rows - 4, 2, self.said, Look.WARNING)
