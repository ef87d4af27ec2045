"""Finding a table: those on the network appear as they are heard, one key joins; or an invite is pasted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from p2p.lan import MOST_TABLES, Found
from p2p.language import clean_text, t, tn
from p2p.language.cards import aloud, game_name
from p2p.limits import INVITE_TEXT_LIMIT, NAME_LENGTH
from p2p.tables import way_to, way_untrusted
from p2p.terminal import words
from p2p.terminal.screen.canvas import Canvas
from p2p.terminal.screen.lobby.wishes import Join, ToStart
from p2p.terminal.screen.panes import tail
from p2p.terminal.screen.rows import Row, RowsPage, draw_told, keys_for
from p2p.terminal.screen.theme import Look
from p2p.terminal.screen.ui import Hint, Ui
from p2p.trouble import told
from protocol.errors import Refused

SHOWN_OF_INVITE = 40
"""Characters of a pasted invite that stay in sight: its end, where one types."""


NUMBERED = 10
"""Tables that have a key (`keys_for`): as long as no more are heard of, those that are gone keep theirs."""


@dataclass(frozen=True)
class Near:
    """A table that was found, and its words (which take a moment to make)."""

    found: Found
    words: tuple[str, ...]

    @property
    def id(self) -> str:
        """The same for as long as it is the same table; another one's if anything differs that one joins by."""
        one = self.found
        return f"{one.table.hex()}{one.certificate_hash.hex()}{one.port}:{one.token.hex()}"


@dataclass(frozen=True)
class Heard:
    """All tables that are heard now; or why there cannot be any."""

    tables: tuple[Near, ...] = ()
    trouble: str = ""


class NearPage(RowsPage):
    """Takes `Heard`. Each table keeps its number for as long as it is heard of, and longer, unless very many come and
    go, as no honest ones do: then the numbers of those that are gone are given away again."""

    def __init__(self, ui: Ui, name: str, said: str = "") -> None:
        super().__init__(ui)
        self.name = name
        self.said = said
        self.invite = ""
        self.heard = Heard()
        self._numbers: dict[str, int] = {}
        self._moved = False

    def take(self, message: Any) -> None:
        """What is heard on the network."""
        if not isinstance(message, Heard):
            return
        self.heard = message
        here = {near.id for near in message.tables}
        if len(self._numbers.keys() | here) > NUMBERED:
            self._numbers = {id: number for id, number in self._numbers.items() if id in here}
        for near in message.tables:
            if near.id not in self._numbers:
                taken = set(self._numbers.values())
                self._numbers[near.id] = next(number for number in range(MOST_TABLES) if number not in taken)
        if message.tables and not self._moved:
            self.on = message.tables[0].id

    # --- the list -----------------------------------------------------------------------------------------------------

    def rows(self) -> list[Row]:
        """The tables, the invite, the name."""
        keys = keys_for(MOST_TABLES)
        tables = sorted(self.heard.tables, key=lambda near: self._numbers[near.id])
        found = [
            Row(near.id, self._told(near), key=keys[self._numbers[near.id]], enter=("terms-sit", self._joins(near)))
            for near in tables
        ]
        shown = tail(self.invite, SHOWN_OF_INVITE) + ("_" if self.on == "invite" else "")
        looks = () if self.invite or self.on == "invite" else (Look.DIM,)
        told = t("near-invite", invite=shown) if looks == () else t("near-paste")
        named = t("near-name", name=self.name + ("_" if self.on == "name" else ""))
        return [
            *found,
            Row("invite", told, looks, enter=("terms-sit", self._by_invite), write=self._write_invite),
            Row("name", named, write=self._write_name, enter=("near-keep", self._to_tables)),
        ]

    def _told(self, near: Near) -> str:
        one = near.found
        return t(
            "near-table",
            player=words.player(0, [one.name]),
            game=game_name(one.game),
            free=tn("seats-free", one.free),
            words=" ".join(near.words),
        )

    def _joins(self, near: Near) -> Callable[[], None]:
        return lambda: self.ui.send(Join(way_to(near.found), self._named()))

    def _by_invite(self) -> None:
        try:
            way = way_untrusted(self.invite)
        except Refused as refused:
            self.said = told(refused) if self.invite.strip() else t("near-no-invite")
        else:
            self.ui.send(Join(way, self._named()))

    def _named(self) -> str:
        return clean_text(self.name, NAME_LENGTH)

    def _to_tables(self) -> None:
        self.on = self.rows()[0].id

    def _write_invite(self, text: str) -> None:
        self.said = ""
        written = self.invite[:-1] if text == "backspace" else self.invite + text
        self.invite = written[:INVITE_TEXT_LIMIT]

    def _write_name(self, text: str) -> None:
        self.name = self.name[:-1] if text == "backspace" else (self.name + text)[:NAME_LENGTH]

    # --- keys ---------------------------------------------------------------------------------------------------------

    def press(self, key: str) -> None:
        """What is pasted is an invite, wherever the cursor is."""
        self._moved = True
        if key.startswith("paste:") and self.on != "name":
            self.on, self.invite = "invite", ""
        super().press(key)

    def other(self, key: str) -> None:
        """Escape goes back; letters begin an invite."""
        if key == "escape":
            self.ui.send(ToStart())
        elif len(key) == 1 and key.isalpha():
            self.on = "invite"
            self._write_invite(key)

    def hints(self) -> list[Hint]:
        """What the row does, and the way back."""
        return [*super().hints(), Hint("Esc", t("hint-back"), "escape")]

    # --- drawing ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        """The list, the words of the table under the cursor, and what is to be known."""
        size, tables = canvas.columns - 2, self.heard.tables
        canvas.line(0, t("near-title"), Look.TITLE, x=1, size=size)
        status = self.heard.trouble or t("near-heard" if tables else "near-listening")
        draw_told(canvas, 1, 2, status, Look.WARNING if self.heard.trouble else Look.DIM)
        self.draw_rows(canvas, 4, canvas.rows - 12)
        here = next((near for near in tables if near.id == self.on), None)
        if here is not None:
            draw_told(canvas, canvas.rows - 7, 2, t("near-words", words=aloud(here.words)), Look.PROMPT)
        elif self.on in ("invite", "name"):
            draw_told(canvas, canvas.rows - 7, 2, t(f"near-{self.on}-more"), Look.DIM)
        draw_told(canvas, canvas.rows - 4, 3, self.said, Look.ERROR)
