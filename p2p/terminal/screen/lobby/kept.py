"""The tables that were interrupted: one key goes on with one."""

from __future__ import annotations

import time
from collections.abc import Sequence

from p2p.language import clean_text, digits, t
from p2p.language.cards import game_name, left_to_right, whole
from p2p.limits import NAME_LENGTH
from p2p.store import Listed
from p2p.terminal.screen.canvas import Canvas
from p2p.terminal.screen.lobby.wishes import Resume, ToStart
from p2p.terminal.screen.rows import Row, RowsPage, draw_told, keys_for
from p2p.terminal.screen.theme import Look
from p2p.terminal.screen.ui import Hint, Ui


class KeptPage(RowsPage):
    """The unfinished tables of this machine, last played first. One that another program has open cannot be chosen."""

    def __init__(self, ui: Ui, tables: Sequence[Listed], said: str = "") -> None:
        super().__init__(ui)
        self.tables = tables
        self.said = said

    def rows(self) -> list[Row]:
        """A row a table."""
        found = []
        for listed, key in zip(self.tables, keys_for(len(self.tables)), strict=True):
            game = listed.meta.game or str(listed.meta.run.get("game") or "")
            name = clean_text(str(listed.meta.run.get("name") or ""), NAME_LENGTH)
            told = t(
                "kept-table",
                game=game_name(game) if game else t("game-unknown"),
                role=t(f"role-{listed.meta.role}"),
                player=whole(name or t("player-unnamed")),
                when=left_to_right(digits(time.strftime("%Y-%m-%d %H:%M", time.localtime(listed.written)))),
                table=left_to_right(listed.meta.table[:8]),
            )
            if listed.locked:
                found.append(Row(listed.path.name, t("kept-open", told=told), (Look.DIM,)))
            else:
                wish = Resume(listed)
                enter = ("kept-go", lambda wish=wish: self.ui.send(wish))
                found.append(Row(listed.path.name, told, key=key, enter=enter))
        return found or [Row("none", t("resume-none"), (Look.DIM,))]

    def other(self, key: str) -> None:
        """Escape goes back."""
        if key == "escape":
            self.ui.send(ToStart())

    def hints(self) -> list[Hint]:
        """What the row does, and the way back."""
        return [*super().hints(), Hint("Esc", t("hint-back"), "escape")]

    def draw(self, canvas: Canvas, now: float) -> None:
        """The list."""
        canvas.line(0, t("kept-title"), Look.TITLE, x=1, size=canvas.columns - 2)
        self.draw_rows(canvas, 2, canvas.rows - 8)
        draw_told(canvas, canvas.rows - 4, 3, self.said, Look.ERROR)
