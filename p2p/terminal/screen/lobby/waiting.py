"""The waiting room: who sits here and is ready, who asks to be let in, and what the host can do about it."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from functools import partial
from typing import Any

from bots.builtin import turned
from engine.games import NAMES as GAMES
from engine.games import game as find_game
from p2p.language import t
from p2p.language.cards import aloud, game_name, whole
from p2p.lobby import AskingNews, LobbyNews, SeatNews
from p2p.terminal.screen.canvas import Align, Canvas
from p2p.terminal.screen.lobby.terms import terms_lines
from p2p.terminal.screen.panes import ChatPane, GameRulesPane, HistoryPane, Room
from p2p.terminal.screen.rows import Row, RowsPage
from p2p.terminal.screen.scene import Command, News
from p2p.terminal.screen.table_drawing import draw_news
from p2p.terminal.screen.theme import Look
from p2p.terminal.screen.ui import Confirm, Hint, Page, Ui
from p2p.terminal.standing import asking_told, must_say_ready, seat_told, waits_told
from p2p.terminal.words import player

TOLD = 4
"""Rows for what was said last; a third of what is more than a small screen has is added."""

SMALL = 24

DIFFERING = 3
"""Rows for options that differ from the usual."""


class WaitingPage(RowsPage, Room):
    """A table before its game. `commands` are those that this person has; a host's has more."""

    click_does = False

    def __init__(self, ui: Ui, commands: Container[str], news: Iterable[News] = ()) -> None:
        RowsPage.__init__(self, ui)
        Room.__init__(self, ui, news)
        self.commands = commands
        self.lobby: LobbyNews | None = None
        self.level = "steady"

    @property
    def hosting(self) -> bool:
        """Whether this person may admit, refuse, remove and add bots."""
        return "admit" in self.commands

    def take(self, message: Any) -> None:
        """The lobby as it is now, or a line of news."""
        if isinstance(message, News):
            self.news.append(message)
        elif isinstance(message, LobbyNews):
            before = self.lobby
            if before is not None and len(message.asking) > len(before.asking) and self.ui.settings.bell:
                self.ui.ring = True
            self.lobby = message
            if not any(seat.me for seat in before.seats) if before else True:
                self.on = next((seat.key.hex() for seat in message.seats if seat.me), self.on)

    # --- the list -----------------------------------------------------------------------------------------------------

    def rows(self) -> list[Row]:
        """Everybody, who asks, the free seats, and what else can be done."""
        lobby = self.lobby
        leave = Row("leave", t("lobby-leave"), enter=("hint-leave", self._leave))
        if lobby is None:
            return [leave]
        found = [self._seat(seat) for seat in lobby.seats]
        found += [self._asking(one) for one in lobby.asking]
        found += [self._free(number) for number in range(lobby.free)]
        if lobby.invite:
            found.append(Row("invite", t("lobby-copy"), enter=("lobby-enter-invite", self._wish("invite"))))
        return [*found, leave]

    def _seat(self, seat: SeatNews) -> Row:
        looks = (Look.VERIFIED,) if seat.ready and seat.present else (Look.WARNING,)
        told, key = seat_told(seat), seat.key.hex()
        if seat.me:
            ready = "no" if seat.ready else "yes"
            return Row(key, told, looks, enter=(f"lobby-enter-ready-{ready}", self._wish("ready", ready)))
        remove = self._asked(t("lobby-remove", player=whole(seat.name or t("player-unnamed"))), Command("unseat", key))
        return Row(key, told, looks, delete=("lobby-delete-unseat", remove) if self.hosting else None)

    def _asking(self, one: AskingNews) -> Row:
        name, number = player(0, [one.name]), str(one.number)
        told = asking_told(one)
        refuse = self._asked(t("lobby-refuse", player=name), Command("refuse", number))
        admit = ("lobby-enter-admit", self._wish("admit", number))
        return Row(f"asks:{number}", told, (Look.TURN,), enter=admit, delete=("lobby-delete-refuse", refuse))

    def _free(self, number: int) -> Row:
        if not self.hosting:
            return Row(f"free:{number}", t("lobby-free"), (Look.DIM,))
        told = t("lobby-free-host", level=t(f"level-{self.level}"))
        add = ("lobby-enter-bot", self._wish("bot", self.level))
        return Row(f"free:{number}", told, (Look.DIM,), enter=add, turn=self._turn_level)

    def _turn_level(self, step: int) -> None:
        self.level = turned(self.level, step)

    # --- wishes -------------------------------------------------------------------------------------------------------

    def _wish(self, name: str, rest: str = "") -> Callable[[], None]:
        return partial(self.ui.send, Command(name, rest))

    def _asked(self, question: str, wish: Command) -> Callable[[], None]:
        """What cannot be undone is asked first."""
        return lambda: self.ui.open(Confirm(self.ui, question, partial(self.ui.send, wish)))

    def _leave(self) -> None:
        """Who sits with others is asked whether he means it."""
        others = self.lobby is not None and any(not seat.me for seat in self.lobby.seats)
        (self._asked(t("lobby-leave-sure"), Command("quit")) if others else self._wish("quit"))()

    def submit(self, line: str) -> None:
        """What was typed for the others, or a command as in lines."""
        name, _, rest = line.strip().removeprefix("/").partition(" ")
        if line.strip():
            self.ui.send(Command(name, rest.strip()) if line.strip().startswith("/") else Command("say", line.strip()))

    # --- keys ---------------------------------------------------------------------------------------------------------

    def everywhere(self) -> dict[str, Callable[[], None]]:
        """What function keys do: open a pane, or close it again."""
        return {
            "f4": partial(self._open, GameRulesPane, self._rules),
            "f5": partial(self._open, ChatPane, lambda: ChatPane(self)),
            "f6": partial(self._open, HistoryPane, lambda: HistoryPane(self)),
        }

    def _open(self, kind: type[Page], make: Callable[[], Page]) -> None:
        lies = any(type(one) is kind for one in self.ui.panes)
        self.ui.panes.clear()
        if not lies and (kind is not GameRulesPane or (self.lobby is not None and self.lobby.game in GAMES)):
            self.ui.open(make())

    def _rules(self) -> Page:
        assert self.lobby is not None
        return GameRulesPane(self.ui, find_game(self.lobby.game), self.lobby.options, self.lobby.rules)

    def other(self, key: str) -> None:
        """Function keys open panes, a slash begins a command; escape goes to the last row, so that enter leaves."""
        if key in (panes := self.everywhere()):
            panes[key]()
        elif key == "/":
            self.draft = key
            panes["f5"]()
        elif key == "escape":
            self.on = "leave"

    def hints(self) -> list[Hint]:
        """What the row under the cursor can do, and the panes."""
        panes = [Hint("F5", t("hint-chat"), "f5"), Hint("F4", t("hint-rules"), "f4")]
        return [*super().hints(), *panes, Hint("F6", t("hint-history"), "f6")]

    # --- drawing ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        """Terms, list, words, invite, news: from above what is agreed and who is there, from below what was said."""
        lobby, columns = self.lobby, canvas.columns - 2
        title = t("lobby-title") if lobby is None else t("lobby-title-game", game=game_name(lobby.game))
        canvas.line(0, title, Look.TITLE, x=1, size=columns)
        y = 2
        for told, looks in [] if lobby is None else _above(lobby, columns):
            canvas.line(y, told, *looks, x=1, size=columns)
            y += 1
        bottom = canvas.rows - 1 - TOLD - max(0, canvas.rows - SMALL) // 3
        draw_news(canvas, (1, bottom, columns, canvas.rows - 1 - bottom), self.news)
        if lobby is not None:
            pieces = [lobby.invite[at : at + columns] for at in range(0, len(lobby.invite), columns)]
            bottom -= len(pieces) + 2
            if lobby.words:
                canvas.line(bottom, t("lobby-words", words=aloud(lobby.words)), Look.PROMPT, x=1, size=columns)
            align = Align.END if canvas.right_to_left else Align.START
            for row, piece in enumerate(pieces, bottom + 1):
                canvas.put(1, row, piece, Look.KEY, size=columns, align=align)
        self.draw_rows(canvas, y + 1, bottom - y - 2)


def _above(lobby: LobbyNews, columns: int) -> list[tuple[str, tuple[Look, ...]]]:
    """What is agreed, and what one waits for."""
    found = terms_lines(lobby, columns, DIFFERING)
    if must_say_ready(lobby):
        found.append((t("lobby-your-ready"), (Look.TURN,)))
    elif waits := waits_told(lobby):
        found.append((waits, (Look.WARNING if lobby.waiting else Look.DIM,)))
    return found
