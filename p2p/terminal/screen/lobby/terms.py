"""What is played at a table, and what of it differs from the usual: everybody sees it before he sits down and signs."""

from __future__ import annotations

from p2p.language import t, tn
from p2p.language.cards import aloud, game_name, whole
from p2p.language.options import options_told
from p2p.lobby import LobbyNews
from p2p.terminal.screen.canvas import Canvas
from p2p.terminal.screen.scene import Command
from p2p.terminal.screen.theme import Look
from p2p.terminal.screen.ui import Hint, Page, Ui

Line = tuple[str, tuple[Look, ...]]


def terms_lines(lobby: LobbyNews, columns: int, most: int) -> list[Line]:
    """The differing options on at most so many lines; how many more there are is said."""
    told = options_told({**lobby.options, **lobby.rules})
    if not told:
        return [(t("lobby-usual"), (Look.DIM,))]
    lines: list[Line] = [(line, (Look.NEW,)) for line in told[:most]]
    if len(told) > most:
        lines[-1] = (tn("lobby-more", len(told) - most + 1), (Look.WARNING,))
    return lines


class TermsPage(Page):
    """The last look before one sits down: enter signs, escape leaves."""

    def __init__(self, ui: Ui, lobby: LobbyNews) -> None:
        super().__init__(ui)
        self.lobby = lobby
        self.top = 0

    def draw(self, canvas: Canvas, now: float) -> None:
        """The game, who sits there, the words, and all that differs."""
        lobby, columns = self.lobby, canvas.columns - 2
        canvas.line(0, t("terms-title", game=game_name(lobby.game)), Look.TITLE, x=1, size=columns)
        names = " · ".join(whole(seat.name or t("player-unnamed")) for seat in lobby.seats)
        canvas.line(2, t("terms-players", players=names, free=lobby.free), x=1, size=columns)
        if lobby.words:
            canvas.line(3, t("lobby-words", words=aloud(lobby.words)), Look.DIM, x=1, size=columns)
        told = options_told({**lobby.options, **lobby.rules})
        canvas.line(5, t("terms-differing") if told else t("lobby-usual"), Look.PROMPT, x=1, size=columns)
        rows = canvas.rows - 11
        self.top = max(0, min(self.top, len(told) - rows))
        for row, line in enumerate(told[self.top : self.top + rows]):
            canvas.line(6 + row, line, Look.NEW, x=3, size=columns - 2)
        canvas.line(canvas.rows - 3, t("terms-sign"), Look.TURN, x=1, size=columns)

    def press(self, key: str) -> None:
        """Enter sits down; escape does not."""
        if key in ("up", "down"):
            self.top += self.step(key)
        elif key in ("enter", "escape"):
            self.ui.send(Command("agree", "yes" if key == "enter" else "no"))

    def hints(self) -> list[Hint]:
        """Both answers."""
        return [Hint("Enter", t("terms-sit"), "enter"), Hint("Esc", t("hint-leave"), "escape")]
