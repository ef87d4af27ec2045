"""What `sharp` would do, on the table page: asked for when it is opened, shown when it has been thought of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from p2p.language import t
from p2p.terminal import advice
from p2p.terminal.adviser import THINKING
from p2p.terminal.screen.panes import Line, TablePane, folded
from p2p.terminal.screen.scene import Command
from p2p.terminal.screen.theme import Look

if TYPE_CHECKING:
    from p2p.terminal.screen.table_page import TablePage


class HintPane(TablePane):
    """A hint on the question that is open now, and on no other: when that is over, so is the hint. Whoever only watches
    gets none."""

    title = "pane-advice"

    def __init__(self, page: TablePage) -> None:
        super().__init__(page)
        self._question = None if page.choosing is None else page.choosing.question
        self._told = advice.Told(reason=THINKING)
        if self._question is not None:
            self.ui.send(Command("hint"))

    def take(self, message: Any) -> None:
        """What became of the wish; what was said of an earlier question comes too late."""
        if isinstance(message, advice.Told) and self._question is not None and message.id in (-1, self._question.id):
            self._told = message

    def lines(self, size: int, now: float) -> list[Line]:
        """What to do first, then the rest. It names cards, so a hidden hand hides it."""
        return [
            (part, (Look.TITLE,) if not at else ())
            for at, line in enumerate(self._lines())
            for part in folded(line, size)
        ]

    def _lines(self) -> list[str]:
        asked, scene = self.page.choosing, self.scene
        if self._question is None or scene is None:
            return [t("line-not-now" if asked is None else "advice-now")]
        if asked is None or asked.question.id != self._question.id:
            return [t("advice-void")]
        if self.page.hidden:
            return [t("hidden-first")]
        return advice.lines(self._told, self._question.legal, scene.names)
