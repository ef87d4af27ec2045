"""The user interface in its own thread: pages and panes, keys in, a canvas out. Knows no terminal and no network.

A *page* fills the screen; a *pane* lies on top of it until it is closed. Both draw themselves and take keys. Keys have
names: a character stands for itself, others are called ``left``, ``right``, ``up``, ``down``, ``home``, ``end``,
``pageup``, ``pagedown``, ``enter``, ``escape``, ``tab``, ``backtab``, ``backspace``, ``delete``, ``f1`` … ``f12``; a
text that was pasted arrives as ``paste:`` and the text. ``c-c`` is never given to a page.

Everything here runs in one thread. `send` is how a wish leaves it, `take` how news come in.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from p2p.language import digits, set_digits, t
from p2p.language.cards import left_to_right
from p2p.settings import Settings
from p2p.terminal.screen.canvas import Align, Canvas, Manner
from p2p.terminal.screen.scene import Interrupt
from p2p.terminal.screen.theme import Look

SMALLEST = (80, 24)
"""Columns and rows that everything fits into; below that the screen only says so."""

PANE_COLUMNS = 110
"""Widest pane: longer lines are hard to read."""

NEVER = float("inf")

T = TypeVar("T")


def turned(values: Sequence[T], value: T, step: int) -> T:
    """The value so many places on in a list, round and round."""
    return values[(values.index(value) + step) % len(values)]


@dataclass(frozen=True)
class Hint:
    """A key that is worth naming now, and what it does, in the person's language."""

    key: str
    text: str
    press: str = ""
    """The key that a click on the hint stands for, if it is not `key` itself."""


class Page(ABC):
    """Something that fills the screen, or (a pane) a part of it."""

    def __init__(self, ui: Ui) -> None:
        self.ui = ui

    @abstractmethod
    def draw(self, canvas: Canvas, now: float) -> None:
        """Draw all of it; `now` is the time in seconds (time.monotonic)."""

    @abstractmethod
    def press(self, key: str) -> None:
        """A key was pressed, or clicked."""

    def step(self, key: str) -> int:
        """Where an arrow leads among values or rows: on is down, and to where the language runs."""
        ahead = "left" if self.ui.manner.right_to_left else "right"
        return 1 if key in ("down", ahead) else -1

    def take(self, message: Any) -> None:  # noqa: B027 - most panes need no news
        """News from outside; whoever sends them knows what the page understands."""

    def hints(self) -> list[Hint]:
        """The keys worth naming, the most useful first."""
        return []

    def wakes(self, now: float) -> float:
        """When it must be drawn again although nothing came."""
        return NEVER

    def everywhere(self) -> Mapping[str, Callable[[], None]]:
        """Keys of a page that do the same while panes lie on it."""
        return {}


class Ui:
    """Whatever is on the screen, by these settings. `ring` is set when the bell should sound; whoever has a terminal
    rings and clears it. `copy` is a text that should go to the clipboard, likewise. `manner_of` says how settings are
    drawn on this terminal.
    """

    def __init__(
        self,
        send: Callable[[Any], None],
        settings: Settings | None = None,
        manner_of: Callable[[Settings], Manner] = lambda settings: Manner(),
    ) -> None:
        self.send = send
        self._manner_of = manner_of
        self.use(settings or Settings())
        self.pages: list[Page] = []
        self.panes: list[Page] = []
        self.ring = False
        self.copy = ""
        self.canvas = Canvas(*SMALLEST, self.manner)

    def use(self, settings: Settings) -> None:
        """Show everything by other settings from now on. The language is not touched: another one may have been asked
        for."""
        self.settings = settings
        self.manner = self._manner_of(settings)
        set_digits(settings.digits == "arabic")

    @property
    def small(self) -> bool:
        """Whether there is no room to show anything."""
        return self.canvas.columns < SMALLEST[0] or self.canvas.rows < SMALLEST[1]

    @property
    def page(self) -> Page:
        """The page that is shown."""
        return self.pages[-1]

    @property
    def top(self) -> Page:
        """Whatever takes the keys: the uppermost pane, or the page."""
        return self.panes[-1] if self.panes else self.page

    def show(self, page: Page) -> None:
        """Another page instead of this one."""
        self.panes.clear()
        self.pages[-1:] = [page]

    def open(self, pane: Page) -> None:
        """A pane on top; one of its kind that lies there makes room for it."""
        self.panes = [one for one in self.panes if type(one) is not type(pane)]
        self.panes.append(pane)

    def close(self) -> None:
        """Close the uppermost pane."""
        if self.panes:
            self.panes.pop()

    def press(self, key: str) -> None:
        """A key."""
        if key == "c-c":
            self.send(Interrupt())
        elif self.small:
            return  # nobody plays a card that he does not see
        elif self.panes and key in (everywhere := self.page.everywhere()):
            everywhere[key]()
        elif self.pages:
            self.top.press(key)

    def click(self, x: int, y: int) -> None:
        """A click, wherever something that can be clicked was drawn."""
        key = self.canvas.hit(x, y)
        if key:
            self.press(key)

    def take(self, message: Any) -> None:
        """News for every page and pane; a callable is done here, in this thread."""
        if callable(message):
            message()
            return
        for one in (*self.pages, *self.panes):
            one.take(message)

    def wakes(self, now: float) -> float:
        """When it must be drawn again although nothing came."""
        return min((one.wakes(now) for one in (*self.pages[-1:], *self.panes)), default=NEVER)

    def draw(self, columns: int, rows: int, now: float) -> Canvas:
        """Everything, on a canvas of this size."""
        canvas = self.canvas = Canvas(columns, rows, self.manner)
        if self.small:
            told = t("screen-small", columns=SMALLEST[0], rows=SMALLEST[1])
            canvas.paragraph(0, max(0, rows // 2 - 1), columns, told, Look.WARNING, most=rows)
            return canvas
        if self.pages:
            self.page.draw(canvas, now)
        for pane in self.panes:
            canvas.targets.clear()  # what a pane covers cannot be clicked
            pane.draw(canvas, now)
        if self.pages:
            draw_hints(canvas, self.top.hints())
        return canvas


def draw_hints(canvas: Canvas, hints: list[Hint]) -> None:
    """The keys worth naming, on the last row, as many as there is room for."""
    y, at = canvas.rows - 1, 1
    rtl = canvas.right_to_left
    for hint in hints:
        sizes = canvas.measure(hint.key), canvas.measure(hint.text)
        whole = sizes[0] + 1 + sizes[1]
        if at + whole > canvas.columns - 1:
            return
        x = canvas.columns - at - whole if rtl else at
        if rtl:
            canvas.put(x, y, hint.text, Look.DIM)
            canvas.put(x + sizes[1] + 1, y, hint.key, Look.KEY)
        else:
            canvas.put(canvas.put(x, y, hint.key, Look.KEY) + 1, y, hint.text, Look.DIM)
        canvas.target(x, y, whole, hint.press or hint.key)
        at += whole + 2


class TextPane(Page):
    """A frame with a title over the page, with lines that can be scrolled. Subclasses give the lines."""

    title = ""
    margin = 2
    """Columns left free on either side."""

    def __init__(self, ui: Ui) -> None:
        super().__init__(ui)
        self.top = 0
        self._most = 0

    @abstractmethod
    def lines(self, size: int, now: float) -> list[tuple[str, tuple[Look, ...]]]:
        """What stands in it, folded already where it should be; each line is at most `size` cells."""

    def draw(self, canvas: Canvas, now: float) -> None:
        """The frame, as large as the screen allows, and the part of the lines that is in sight."""
        x, y, columns, rows = pane_frame(canvas, t(self.title), self.margin)
        lines = self.lines(columns, now)
        self._most = max(0, len(lines) - rows)
        self.top = min(max(self.top, 0), self._most)
        for row, (text, looks) in enumerate(lines[self.top : self.top + rows]):
            canvas.put(x, y + row, text, *looks, size=columns)
        draw_range(canvas, (x, y, columns, rows), self.top, rows, len(lines))

    def press(self, key: str) -> None:
        """Scroll, or close."""
        moves = {"up": -1, "down": 1, "pageup": -15, "pagedown": 15, " ": 15, "home": -9999, "end": 9999}
        if key in moves:
            self.top = min(max(self.top + moves[key], 0), self._most)
        else:
            self.ui.close()

    def hints(self) -> list[Hint]:
        """How to go on."""
        scrolled = [Hint("↑↓", t("hint-scroll"), "down")] if self._most else []
        return [Hint("Esc", t("hint-close"), "escape"), *scrolled]


def draw_range(canvas: Canvas, inside: tuple[int, int, int, int], first: int, shown: int, of: int) -> None:
    """On the lower edge of a frame, which lines of how many are in sight, where that is not all of them."""
    if shown < of:
        x, y, _, rows = inside
        told = digits(f"{first + 1}–{min(first + shown, of)}/{of}")
        canvas.put(x + 1, y + rows, f" {left_to_right(told)} ", Look.DIM)


def pane_frame(canvas: Canvas, title: str, margin: int = 2) -> tuple[int, int, int, int]:
    """The empty frame of a pane, and what is inside: x, y, columns, rows. The title of the page stays in sight, and the
    last rows, for its prompt and for hints."""
    columns, rows = min(canvas.columns - 2 * margin, PANE_COLUMNS), canvas.rows - 3
    x, y = (canvas.columns - columns) // 2, 1
    canvas.fill(0, y, canvas.columns, rows)
    canvas.box(x, y, columns, rows, title)
    inside = 2 if margin else 1
    return x + inside, y + 1, columns - 2 * inside, rows - 2


class Confirm(Page):
    """A question that is answered by y or n, before something that cannot be undone."""

    def __init__(self, ui: Ui, question: str, yes: Callable[[], None]) -> None:
        super().__init__(ui)
        self.question = question
        self._yes = yes

    def draw(self, canvas: Canvas, now: float) -> None:
        """A small frame in the middle."""
        columns = min(64, canvas.columns - 4)
        x, y = (canvas.columns - columns) // 2, canvas.rows // 2 - 3
        rows = 4 + len(self.question) // (columns - 6)
        canvas.box(x, y, columns, rows + 1, t("confirm-title"), Look.WARNING)
        canvas.paragraph(x + 2, y + 1, columns - 4, self.question, most=rows - 2)
        canvas.put(x + 2, y + rows - 1, t("confirm-keys"), Look.KEY, size=columns - 4, align=Align.START)

    def press(self, key: str) -> None:
        """y or enter does it, everything else does not."""
        self.ui.close()
        if key.lower() in ("y", "ن", "غ", "enter"):  # غ: the same key on an Arabic keyboard
            self._yes()

    def hints(self) -> list[Hint]:
        """Both answers."""
        return [Hint(t("confirm-yes-key"), t("confirm-yes"), "y"), Hint(t("confirm-no-key"), t("confirm-no"), "n")]
