"""The waiting room: who sits here and is ready, who asks to be let in, and what the host can do about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from p2p.language import t
from p2p.language.cards import game_name, whole
from p2p.lobby import AskingNews, LobbyNews, SeatNews
from p2p.terminal.screen.canvas import Align, Canvas
from p2p.terminal.screen.lobby.terms import terms_lines
from p2p.terminal.screen.scene import Command, News
from p2p.terminal.screen.table_drawing import draw_news
from p2p.terminal.screen.theme import Look
from p2p.terminal.screen.ui import Confirm, Hint, Page, Ui

TOLD = 5
"""Rows for what was said last."""

INVITE_ROWS = 4
"""An invite of eight addresses has 270 characters."""


@dataclass(frozen=True)
class Row:
    """One line of the list: what it says and how, the command of enter, and that of delete with its question."""

    text: str
    looks: tuple[Look, ...] = ()
    enter: Command | None = None
    delete: Command | None = None
    question: str = ""


class WaitingPage(Page):
    """A table before its game. `hosting`: the person at this screen may admit, refuse, remove and add bots."""

    def __init__(self, ui: Ui, hosting: bool, news: Iterable[News] = ()) -> None:
        super().__init__(ui)
        self.hosting = hosting
        self.news: list[News] = list(news)
        self.lobby: LobbyNews | None = None
        self.at = 0

    def take(self, message: Any) -> None:
        """The lobby as it is now, or a line of news."""
        if isinstance(message, News):
            self.news.append(message)
        elif isinstance(message, LobbyNews):
            asking = 0 if self.lobby is None else len(self.lobby.asking)
            if len(message.asking) > asking and self.ui.settings.bell:
                self.ui.ring = True
            self.lobby = message
            self.at = min(self.at, len(self.rows()) - 1)

    # --- the list -----------------------------------------------------------------------------------------------------

    def rows(self) -> list[Row]:
        """Everybody, who asks, the free seats, and what else can be done."""
        lobby = self.lobby
        if lobby is None:
            return [self._leave()]
        found = [self._seat(seat) for seat in lobby.seats]
        found += [self._asking(one) for one in lobby.asking]
        for _ in range(lobby.free):
            add = Command("bot") if self.hosting else None
            found.append(Row(t("lobby-free-host" if self.hosting else "lobby-free"), (Look.DIM,), add))
        if lobby.invite:
            found.append(Row(t("lobby-copy"), (), Command("invite")))
        return [*found, self._leave()]

    def _seat(self, seat: SeatNews) -> Row:
        name = whole(seat.name or t("player-unnamed"))
        name = t("seat-own", name=name) if seat.me else name
        bot = t("lobby-bot", owner=whole(seat.machine)) if seat.machine else t("lobby-bot-own") if seat.bot else ""
        state = "lobby-ready" if seat.ready and seat.present else "lobby-thinking" if seat.present else "lobby-missing"
        looks = (Look.VERIFIED,) if state == "lobby-ready" else (Look.WARNING,)
        told = " · ".join(part for part in (name, bot, t(state)) if part)
        if seat.me:
            return Row(told, looks, Command("ready", "no" if seat.ready else "yes"))
        remove = Command("unseat", seat.key.hex()) if self.hosting else None
        return Row(told, looks, None, remove, t("lobby-remove", player=name))

    def _asking(self, one: AskingNews) -> Row:
        name = whole(one.name or t("player-unnamed"))
        told = t("lobby-asks-invited" if one.invited else "lobby-asks-lan", player=name, address=one.address)
        return Row(
            told, (Look.TURN,), Command("admit", str(one.number)), Command("refuse", str(one.number)),
            t("lobby-refuse", player=name),
        )  # fmt: skip

    def _leave(self) -> Row:
        return Row(t("lobby-leave"), (), Command("quit"))

    # --- keys ---------------------------------------------------------------------------------------------------------

    def press(self, key: str) -> None:
        """Up and down, enter, delete; F5 talks."""
        rows = self.rows()
        row = rows[self.at]
        match key:
            case "up" | "down":
                self.at = (self.at + (1 if key == "down" else -1)) % len(rows)
            case "home" | "end":
                self.at = 0 if key == "home" else len(rows) - 1
            case "enter" | " " if row.enter is not None:
                self.ui.send(row.enter)
            case "delete" | "backspace" if row.delete is not None:
                wish = row.delete
                self.ui.open(Confirm(self.ui, row.question, lambda: self.ui.send(wish)))
            case "escape":
                self.at = len(rows) - 1
            case _ if key.startswith("row:"):
                chosen = int(key.removeprefix("row:"))
                again, self.at = self.at == chosen, chosen
                if again:
                    self.press("enter")

    def hints(self) -> list[Hint]:
        """What the row under the cursor can do."""
        rows = self.rows()
        row = rows[min(self.at, len(rows) - 1)]
        found = [Hint("↑↓", t("hint-move"), "down")]
        if row.enter is not None:
            found.append(Hint("Enter", t(f"lobby-enter-{row.enter.name}"), "enter"))
        if row.delete is not None:
            found.append(Hint("Del", t(f"lobby-delete-{row.delete.name}"), "delete"))
        return found

    # --- drawing ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        """Terms, list, invite, words, news."""
        lobby, columns = self.lobby, canvas.columns - 2
        title = t("lobby-title") if lobby is None else t("lobby-title-game", game=game_name(lobby.game))
        canvas.line(0, title, Look.TITLE, x=1, size=columns)
        y = 2
        if lobby is not None:
            for told, looks in terms_lines(lobby, columns, 3):
                canvas.line(y, told, *looks, x=1, size=columns)
                y += 1
            if lobby.waiting:
                canvas.line(y, t("lobby-waiting"), Look.WARNING, x=1, size=columns)
                y += 1
            y += 1
        self._draw_rows(canvas, y)
        bottom = canvas.rows - 1 - TOLD
        if lobby is not None:
            y = bottom - INVITE_ROWS - 2
            if lobby.words:
                canvas.line(y, t("lobby-words", words=" ".join(lobby.words)), Look.DIM, x=1, size=columns)
            if lobby.invite:
                _draw_invite(canvas, y + 1, lobby.invite)
        draw_news(canvas, (1, bottom, columns, TOLD), self.news)

    def _draw_rows(self, canvas: Canvas, y: int) -> None:
        for at, row in enumerate(self.rows()):
            here = at == self.at
            cursor = (">" if canvas.manner.letters else "◂" if canvas.right_to_left else "▸") if here else " "
            looks = (*row.looks, Look.CHOSEN) if here else row.looks
            canvas.line(y + at, f"{cursor} {row.text}", *looks, x=1, size=canvas.columns - 2)
            canvas.target(1, y + at, canvas.columns - 2, f"row:{at}")


def _draw_invite(canvas: Canvas, y: int, invite: str) -> None:
    """The line to send to friends, whole, from left to right."""
    size = canvas.columns - 2
    for row in range(INVITE_ROWS):
        piece = invite[row * size : (row + 1) * size]
        if piece:
            align = Align.END if canvas.right_to_left else Align.START
            canvas.put(1, y + row, piece, Look.KEY, size=size, align=align)
