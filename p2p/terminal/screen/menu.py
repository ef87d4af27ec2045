"""The menu of the table: what is wanted now and then, each with a sentence. What cannot be undone is asked again."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from p2p.language import digits, t, tn
from p2p.terminal import lookups, words
from p2p.terminal.screen.canvas import Canvas
from p2p.terminal.screen.panes import HistoryPane, Line, OptionsPane, TablePane, game_of
from p2p.terminal.screen.scene import Answer, Command, Scene
from p2p.terminal.screen.settings_pane import SettingsPane
from p2p.terminal.screen.theme import Look
from p2p.terminal.screen.ui import Confirm, Hint, pane_frame

if TYPE_CHECKING:
    from p2p.terminal.screen.table_page import TablePage


@dataclass(frozen=True)
class Item:
    """A line of a menu, and what it does."""

    text: str
    do: Callable[[], None]


class ListPane(TablePane):
    """Lines of which one is chosen: by arrows and enter, by its number, by a click."""

    def __init__(self, page: TablePage) -> None:
        super().__init__(page)
        self.at = 0

    @abstractmethod
    def items(self, scene: Scene) -> list[Item]:
        """What there is to choose now."""

    def lines(self, size: int, now: float) -> list[Line]:
        """A number and a sentence each."""
        items = [] if self.scene is None else self.items(self.scene)
        self.at = min(self.at, max(0, len(items) - 1))
        return [
            (f"{digits(number + 1)}  {item.text}", (Look.CHOSEN,) if number == self.at else ())
            for number, item in enumerate(items)
        ]

    def draw(self, canvas: Canvas, now: float) -> None:
        """One below the other."""
        x, y, columns, _ = pane_frame(canvas, t(self.title))
        for row, (text, looks) in enumerate(self.lines(columns, now)):
            canvas.put(x, y + row, text, *looks, size=columns)
            canvas.target(x, y + row, columns, f"item:{row}")

    def press(self, key: str) -> None:
        """Choose, or close."""
        items = [] if self.scene is None else self.items(self.scene)
        if key in ("up", "down") and items:
            self.at = (self.at + self.step(key)) % len(items)
        elif key in ("enter", " ") and items:
            items[min(self.at, len(items) - 1)].do()
        elif (number := _number(key)) is not None:
            if number < len(items):
                self.at = number
                items[number].do()
        else:
            self.ui.close()

    def hints(self) -> list[Hint]:
        """How to go on."""
        close, *_ = super().hints()
        return [Hint("Enter", t("hint-choose"), "enter"), close]

    # --- what lines do ------------------------------------------------------------------------------------------------

    def wish(self, *wishes: Command | Answer) -> None:
        """Wish something, and let the table be seen again."""
        self.ui.panes.clear()
        for one in wishes:
            self.ui.send(one)

    def ask(self, question: str, wish: Command | Answer) -> None:
        """Wish something that cannot be undone."""
        self.ui.open(Confirm(self.ui, question, partial(self.wish, wish)))


def _number(key: str) -> int | None:
    """The line that a click or a digit (of any script) means."""
    if key.startswith("item:"):
        return int(key.removeprefix("item:"))
    return int(key) - 1 if len(key) == 1 and key.isdecimal() and int(key) else None


class MenuPane(ListPane):
    """Everything that has no key of its own."""

    title = "pane-menu"

    def items(self, scene: Scene) -> list[Item]:
        """What makes sense at this moment."""
        found: list[Item] = []
        if scene.seat >= 0 and not self.page.over:
            name = "back" if scene.away else "away"
            found.append(Item(t(f"menu-{name}"), partial(self.wish, Command(name))))
        if claim := claim_of(scene):
            found.append(Item(t("menu-claim"), partial(self.ask, t("ask-claim"), claim)))
        if missing_seats(scene) and not self.page.over:
            found.append(Item(t("menu-vote"), lambda: self.ui.open(VotePane(self.page))))
        unusual = lookups.unusual(*game_of(scene))
        options = tn("menu-options-changed", unusual) if unusual else t("menu-options")
        return [
            *found,
            Item(options, lambda: self.ui.open(OptionsPane(self.page))),
            Item(t("menu-history"), lambda: self.ui.open(HistoryPane(self.page))),
            Item(t("menu-save"), partial(self.wish, Command("save"))),
            Item(t("menu-settings"), lambda: self.ui.open(SettingsPane(self.ui))),
            Item(t("menu-invite"), partial(self.wish, Command("invite"))),
            Item(t("menu-quit"), self._quit),
        ]


    def _quit(self) -> None:
        """Nobody waits for somebody who leaves when the game is over."""
        leave = Command("quit")
        if self.page.over:
            self.wish(leave)
        else:
            self.ask(t("ask-quit"), leave)


class VotePane(ListPane):
    """Whose seat the stand-in shall play."""

    title = "pane-vote"

    def items(self, scene: Scene) -> list[Item]:
        """Everybody who is missing."""
        named = {seat: words.player(seat, scene.names) for seat in missing_seats(scene)}
        return [
            Item(name, partial(self.ask, t("ask-vote", player=name), Command("vote", str(seat))))
            for seat, name in named.items()
        ]


def missing_seats(scene: Scene) -> list[int]:
    """The other seats whose players are cut off."""
    presence = [] if scene.presence is None else scene.presence.presence
    return [one.seat for one in presence if one.state == "missing" and one.seat != scene.seat]


def claim_of(scene: Scene) -> Answer | None:
    """The answer that claims the rest, where that is legal now."""
    question = scene.question
    legal = () if question is None else question.legal
    claim = next((action for action in legal if action.partition(" ")[0] == "claim"), "")
    return Answer(question.id, claim) if question is not None and claim else None
