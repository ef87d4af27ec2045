"""The menu of the table: what is wanted now and then, each with a sentence. What cannot be undone is asked again."""

from __future__ import annotations

from abc import abstractmethod
from functools import partial
from typing import TYPE_CHECKING

from p2p.language import t, tn
from p2p.terminal import lookups, words
from p2p.terminal.screen.canvas import Canvas
from p2p.terminal.screen.panes import HistoryPane, OptionsPane, closing, game_of
from p2p.terminal.screen.rows import Do, Row, RowsPage, numbered
from p2p.terminal.screen.scene import Answer, Command, Scene
from p2p.terminal.screen.settings_pane import SettingsPane
from p2p.terminal.screen.theme import Look
from p2p.terminal.screen.ui import Confirm, Hint, pane_frame

if TYPE_CHECKING:
    from p2p.terminal.screen.table_page import TablePage


class ListPane(RowsPage):
    """A list over the table. What its rows do is `wish` and `ask`."""

    title = ""

    def __init__(self, page: TablePage) -> None:
        super().__init__(page.ui)
        self.page = page

    @abstractmethod
    def items(self, scene: Scene) -> list[Row]:
        """What there is to choose now; numbers are added."""

    def rows(self) -> list[Row]:
        """The list as it is now."""
        assert self.page.scene is not None, "panes are opened over a table"
        return numbered(self.items(self.page.scene))

    def draw(self, canvas: Canvas, now: float) -> None:
        """One below the other."""
        x, y, columns, rows = pane_frame(canvas, t(self.title))
        self.draw_rows(canvas, y, rows, x, columns)

    def other(self, key: str) -> None:
        """Any other key closes it."""
        self.ui.close()

    def hints(self) -> list[Hint]:
        """How to go on."""
        return [*super().hints(), closing(self.page)]

    # --- what lines do ------------------------------------------------------------------------------------------------

    def wish(self, *wishes: Command | Answer) -> None:
        """Wish something, and let the table be seen again."""
        self.ui.panes.clear()
        for one in wishes:
            self.ui.send(one)

    def ask(self, question: str, wish: Command | Answer) -> None:
        """Wish something that cannot be undone."""
        self.ui.open(Confirm(self.ui, question, partial(self.wish, wish)))


def _row(sentence: str, do: Do, text: str = "") -> Row:
    return Row(sentence, text or t(sentence), enter=("hint-choose", do))


class MenuPane(ListPane):
    """Everything that has no key of its own."""

    title = "pane-menu"

    def items(self, scene: Scene) -> list[Row]:
        """What makes sense at this moment."""
        found: list[Row] = []
        if scene.seat >= 0 and not self.page.over:
            name = "back" if scene.away else "away"
            found.append(_row(f"menu-{name}", self._wished(name)))
        if claim := claim_of(scene):
            found.append(_row("menu-claim", partial(self.ask, t("ask-claim"), claim)))
        if missing_seats(scene) and not self.page.over:
            found.append(_row("menu-vote", lambda: self.ui.open(VotePane(self.page))))
        unusual = lookups.unusual(*game_of(scene))
        options = tn("menu-options-changed", unusual) if unusual else ""
        return [
            *found,
            _row("menu-options", lambda: self.ui.open(OptionsPane(self.page)), options),
            _row("menu-history", lambda: self.ui.open(HistoryPane(self.page))),
            _row("menu-save", self._wished("save")),
            _row("menu-settings", lambda: self.ui.open(SettingsPane(self.ui))),
            _row("menu-invite", self._wished("invite")),
            _row("menu-quit", self._quit),
        ]

    def _wished(self, name: str) -> Do:
        return partial(self.wish, Command(name))

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

    def items(self, scene: Scene) -> list[Row]:
        """Everybody who is missing."""
        found = [self._seat(seat, words.player(seat, scene.names)) for seat in missing_seats(scene)]
        return found or [Row("nobody", t("vote-nobody"), (Look.DIM,))]

    def _seat(self, seat: int, name: str) -> Row:
        vote = partial(self.ask, t("ask-vote", player=name), Command("vote", str(seat)))
        return Row(str(seat), name, enter=("hint-choose", vote))


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
