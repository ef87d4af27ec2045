"""What lies on a page for a while: help, last trick, rules, options, talk, what happened.

Each is opened by a function key and says itself what it holds; the keys are in `table_page`. The score sheet is in
`score_pane`, the menu in `menu`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from engine.game import Game, Value
from engine.games import game as find_game
from p2p.language import current, t
from p2p.language.rules import indented
from p2p.terminal import lookups
from p2p.terminal.console import cells, wrapped
from p2p.terminal.screen.canvas import Canvas
from p2p.terminal.screen.scene import News, Scene
from p2p.terminal.screen.theme import Look, sign
from p2p.terminal.screen.ui import Hint, Page, TextPane, Ui, draw_range, pane_frame

if TYPE_CHECKING:
    from p2p.terminal.screen.table_page import TablePage

Line = tuple[str, tuple[Look, ...]]

END = 1 << 30
"""A line behind the last one of any pane."""

SAID_LENGTH = 400
"""Characters of a line that is typed for the others (protocol.messages.Chat)."""


@lru_cache(2048)
def folded(text: str, size: int) -> tuple[str, ...]:
    """A text in lines of at most `size` cells. Remembered: a long history is the same from one drawing to the next."""
    lines = [part for line in text.split("\n") for part in wrapped(line, size).split("\n")]
    return tuple(piece for line in lines for piece in _broken(line, size))


def _broken(line: str, size: int) -> Iterator[str]:
    """A word that is longer than a line (an invite) in pieces, so that all of it can be read."""
    while cells(line) > size:
        end = size
        while cells(line[:end]) < size:  # marks and isolates take no cell
            end += 1
        while cells(line[:end]) > size:
            end -= 1
        yield line[:end]
        line = line[end:]
    yield line


class Room(Page):
    """A page where people are together: the table, the waiting room before it."""

    def __init__(self, ui: Ui, news: Iterable[News] = ()) -> None:
        super().__init__(ui)
        self.news: list[News] = list(news)
        self.draft = ""
        """What is being typed for the others, also while that pane is closed."""
        self.hidden = False
        """Whether nothing of the own hand may be seen."""

    @property
    def my_turn(self) -> bool:
        """Whether the others wait for this person."""
        return False

    @abstractmethod
    def submit(self, line: str) -> None:
        """A typed line: a command, or something to say."""


class RoomPane(TextPane):
    """A pane that shows something of the room below it."""

    def __init__(self, page: Room) -> None:
        super().__init__(page.ui)
        self.page = page

    def hints(self) -> list[Hint]:
        """How to go on; when it is one's turn, that comes first."""
        return [closing(self.page), *super().hints()[1:]]


def closing(page: Room) -> Hint:
    """The key that closes what lies on a page, and whether something is asked there."""
    return Hint("Esc", t("hint-back-turn" if page.my_turn else "hint-close"), "escape")


class TablePane(RoomPane):
    """A pane that shows something of the table below it."""

    page: TablePage

    def __init__(self, page: TablePage) -> None:
        super().__init__(page)

    @property
    def scene(self) -> Scene | None:
        """The table now."""
        return self.page.scene


class HelpPane(TablePane):
    """The keys, how to type cards, the signs."""

    title = "pane-help"

    def lines(self, size: int, now: float) -> list[Line]:
        """Headings and what belongs to them."""
        letters = self.ui.manner.letters
        looks = {
            "turn": Look.TURN,
            "away": Look.AWAY,
            "winner": Look.WINNER,
            "new": Look.NEW,
            "verified": Look.VERIFIED,
        }
        signs = t("help-signs-list", **{name: sign(look, letters) for name, look in looks.items()})
        parts = [
            ("help-hand-1", [t(f"help-hand-{number}") for number in (2, 3, 4)]),
            ("help-typing-1", [t("help-typing-2")]),
            ("help-keys", [t(f"help-{key}") for key in HELP_KEYS]),
            ("help-commands", [t("help-commands-list")]),
            ("help-signs", [signs]),
        ]
        found: list[Line] = []
        for head, texts in parts:
            found += [("", ()), (t(head), (Look.TITLE,))] if found else [(t(head), (Look.TITLE,))]
            found += [(part, ()) for text in texts for part in folded(text, size)]
        return found


HELP_KEYS = ("f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "escape", "interrupt")
"""Keys that the help explains, in its order."""


class LastPane(TablePane):
    """The last trick; in Trix the last moves."""

    title = "pane-last"

    def lines(self, size: int, now: float) -> list[Line]:
        """Who played what, and who took it."""
        scene = self.scene
        if scene is None:
            return []
        told = lookups.last_lines(scene.last, scene.took, scene.moves, scene.names)
        return [(part, (Look.TITLE,) if not at else ()) for at, text in enumerate(told) for part in folded(text, size)]


def game_of(scene: Scene) -> tuple[Game, dict[str, Value], dict[str, Value]]:
    """What is played: the game, all its options, and those of the table that were chosen."""
    return find_game(scene.view["game"]), dict(scene.view["options"]), dict(scene.rules)


class RulesPane(TablePane):
    """The rules of the present game, with the options in force."""

    title = "pane-rules"
    margin = 0  # the rules are written for the whole width of a small screen

    def lines(self, size: int, now: float) -> list[Line]:
        """As `majlis rules` prints them."""
        return [] if self.scene is None else rules_told(*game_of(self.scene), size)


class GameRulesPane(TextPane):
    """The same before there is a table; the options that are not given are as usual."""

    title = "pane-rules"
    margin = 0

    def __init__(self, ui: Ui, game: Game, options: Mapping[str, Value], rules: Mapping[str, Value]) -> None:
        super().__init__(ui)
        self._of = game, game.chosen(options), dict(rules)

    def lines(self, size: int, now: float) -> list[Line]:
        """As `majlis rules` prints them."""
        return rules_told(*self._of, size)


def rules_told(game: Game, options: Mapping[str, Value], rules: Mapping[str, Value], size: int) -> list[Line]:
    """The rules, and every option; what differs from the usual is seen."""
    return list(_rules_told(current().code, game.name, tuple(options.items()), tuple(rules.items()), size))


Chosen = tuple[tuple[str, Value], ...]


@lru_cache(4)
def _rules_told(language: str, game: str, options: Chosen, rules: Chosen, size: int) -> tuple[Line, ...]:
    """Remembered: they are long, and the same from one drawing to the next."""
    told = lookups.rules_lines(find_game(game), dict(options), dict(rules), size)
    return tuple((line, (Look.WARNING,) if line.startswith("*") else ()) for line in told)


class OptionsPane(TablePane):
    """The options in force; those that differ from the usual ones come first."""

    title = "pane-options"

    def lines(self, size: int, now: float) -> list[Line]:
        """A line an option, in words."""
        if self.scene is None:
            return []
        told = lookups.option_lines(*game_of(self.scene))
        return [(part, _option_look(line, at)) for at, line in enumerate(told) for part in indented(line, size)]


def _option_look(line: str, at: int) -> tuple[Look, ...]:
    if at == 0:
        return (Look.TITLE,)
    return (Look.WARNING,) if line.startswith("*") else ()


# ---- what was said and what happened ------------------------------------------------------------------------------


class HistoryPane(RoomPane):
    """Every sentence so far, the newest at the bottom."""

    title = "pane-history"

    def __init__(self, page: Room) -> None:
        super().__init__(page)
        self._following = True  # what comes, until the person scrolls up

    def draw(self, canvas: Canvas, now: float) -> None:
        """At the end, or where the person has scrolled to."""
        if self._following:
            self.top = END
        super().draw(canvas, now)

    def press(self, key: str) -> None:
        """Scroll, or close."""
        super().press(key)
        self._following = self.top >= self._most

    def lines(self, size: int, now: float) -> list[Line]:
        """News and talk, one after the other; while the hand is hidden, nothing of its cards."""
        news = [one for one in self.page.news if not (self.page.hidden and one.private)]
        return list(_news_lines(news, size)) or [(t("history-none"), (Look.DIM,))]


def _news_lines(news: Iterable[News], size: int) -> Iterator[Line]:
    for one in news:
        text = t("event-chat", player=one.author, text=one.text) if one.author else one.text
        looks = (Look.CHAT,) if one.author else (Look.WARNING,) if one.important else ()
        yield from ((part, looks) for part in folded(text, size))


class ChatPane(RoomPane):
    """The talk so far, and the line that is typed."""

    title = "pane-chat"

    def __init__(self, page: Room) -> None:
        super().__init__(page)
        self._back = 0  # lines that the person has scrolled up

    def lines(self, size: int, now: float) -> list[Line]:
        """What was said."""
        said = [one for one in self.page.news if one.author]
        return list(_news_lines(said, size)) or [(t("chat-none"), (Look.DIM,))]

    def draw(self, canvas: Canvas, now: float) -> None:
        """The newest talk that fits, and below it what is being typed."""
        x, y, size, rows = pane_frame(canvas, t(self.title))
        room = rows - 2
        lines = self.lines(size, now)
        self._most = max(0, len(lines) - room)
        self._back = min(max(self._back, 0), self._most)
        first = self._most - self._back
        draw_range(canvas, (x, y, size, rows), first, room, len(lines))
        for row, (text, looks) in enumerate(lines[first : first + room]):
            canvas.put(x, y + row, text, *looks, size=size)
        canvas.put(x, y + rows - 2, ("-" if canvas.manner.letters else "─") * size, Look.BORDER)
        asked = t("prompt-say") + " "
        typed = tail(self.page.draft, size - cells(asked) - 1) + "_"
        canvas.put(x, y + rows - 1, asked + typed, Look.PROMPT, size=size)

    def press(self, key: str) -> None:
        """Letters are typed, enter says them, arrows scroll."""
        moves: dict[str, int] = {"up": 1, "down": -1, "pageup": 12, "pagedown": -12}
        if key in moves:
            self._back += moves[key]
        elif key == "escape":
            self.ui.close()
        elif key == "backspace":
            self.page.draft = self.page.draft[:-1]
        elif key == "enter":
            line, self.page.draft, self._back = self.page.draft, "", 0
            self.page.submit(line)
        elif len(key) == 1 or key.startswith("paste:"):
            self.page.draft = (self.page.draft + typed_text(key))[:SAID_LENGTH]

    def hints(self) -> list[Hint]:
        """Send or close."""
        return [Hint("Enter", t("hint-send"), "enter"), *super().hints()]


def typed_text(key: str) -> str:
    """What a key or a pasted text adds to a line: one line, nothing that is not drawn."""
    return "".join(letter if letter.isprintable() else " " for letter in key.removeprefix("paste:"))


def tail(text: str, size: int) -> str:
    """The end of a typed text that fits, since that is where one types."""
    left = size
    for at in reversed(range(len(text))):  # from the end: a pasted text may be long, and is drawn at every key
        left -= cells(text[at])
        if left < 0:
            return text[at + 1 :]
    return text
