"""The table on the screen: seats, trick, hand, news, prompt; what keys do here."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from engine.actions import parse_action
from p2p.language import t
from p2p.language.cards import contract_name, game_name
from p2p.terminal import facts
from p2p.terminal.screen.canvas import Align, Canvas
from p2p.terminal.screen.choosing import Choosing
from p2p.terminal.screen.hand import ROWS as HAND_ROWS
from p2p.terminal.screen.hand import draw_hand
from p2p.terminal.screen.middle import draw_middle
from p2p.terminal.screen.scene import Answer, Command, News, Over, Scene
from p2p.terminal.screen.seats import draw_seats, draw_trick
from p2p.terminal.screen.theme import Look, sign
from p2p.terminal.screen.ui import NEVER, Hint, Page, Ui
from p2p.terminal.words import choice

BEHIND = 12
"""Scenes that wait to be shown, from which on they no longer take their time."""

WIDE = 116
"""Columns from which on the news stand beside the table instead of below it."""

NEWS_BESIDE = 40
NEWS_BELOW = 3

FACTS = 2
"""Rows for what one should know of the deal."""


class TablePage(Page):
    """One table. Takes `Scene` and `News`, one after the other, and shows each for as long as it wants."""

    def __init__(self, ui: Ui, news: Iterable[News] = ()) -> None:
        super().__init__(ui)
        self.news: list[News] = list(news)
        self.scene: Scene | None = None
        self.choosing: Choosing | None = None
        self.hidden = False
        self.line: str | None = None
        """What is being typed for the others (beginning with a space) or as a command (with a slash)."""
        self.notice = ""
        self.over = False
        self._queue: deque[Scene | News] = deque()
        self._shown_at = 0.0

    # --- news in ------------------------------------------------------------------------------------------------------

    def take(self, message: Any) -> None:
        """A scene or a line of news waits for its turn."""
        if isinstance(message, Scene | News):
            self._queue.append(message)
        elif isinstance(message, Over):
            self.over = True

    def _advance(self, now: float) -> None:
        """Show what is due."""
        held = sum(1 for one in self._queue if isinstance(one, Scene) and one.hold)
        while self._queue and (held > BEHIND or self._due() <= now):
            one = self._queue.popleft()
            if isinstance(one, News):
                self.news.append(one)
            else:
                held -= bool(one.hold)
                self._see(one, now)

    def _due(self) -> float:
        return self._shown_at + (self.scene.hold if self.scene is not None else 0.0)

    def _see(self, scene: Scene, now: float) -> None:
        before = self.scene
        self.scene = scene
        if scene.hold or before is None or not before.hold or self._due() <= now:
            self._shown_at = now
        if scene.question is None:
            self.choosing = None
        elif self.choosing is None or self.choosing.question.id != scene.question.id:
            self.choosing = Choosing(scene.question, scene.view)
            self.notice = ""
            self.ui.ring = True

    def gather(self) -> bool:
        """Do not wait any longer for what is to be seen next. False when nothing waits."""
        waiting = any(isinstance(one, Scene) for one in self._queue)
        self._shown_at = -NEVER
        return waiting

    def wakes(self, now: float) -> float:
        """For the next scene, or the next second of a clock."""
        if self._queue:
            return self._due()
        scene = self.scene
        counting = scene is not None and (scene.question is not None or (scene.presence and scene.presence.waiting))
        return float(int(now) + 1) if counting else NEVER

    # --- keys ---------------------------------------------------------------------------------------------------------

    def panes(self) -> dict[str, Callable[[], None]]:
        """What function keys open."""
        return {
            "f5": lambda: self._type(" "),
            "f7": self._hide,
        }

    @property
    def typing(self) -> bool:
        """Whether characters are text for the others now."""
        return self.line is not None

    def press(self, key: str) -> None:
        """A key of the table."""
        panes = self.panes()
        if self.line is not None:
            self._edit(key)
        elif self.over and key in ("enter", "escape", "q"):
            self.ui.send(Command("quit"))
        elif key in panes:
            panes[key]()
        elif key == "/" and not (self.choosing and self.choosing.typed):
            self._type("/")
        elif key in (" ", "enter") and self.gather():
            return
        elif self.choosing is not None:
            self.notice = ""
            action = self.choosing.press(key)
            if action:
                self.ui.send(Answer(self.choosing.question.id, action))
                self.choosing = None

    def _hide(self) -> None:
        self.hidden = not self.hidden

    def _type(self, first: str) -> None:
        self.line = first

    def _edit(self, key: str) -> None:
        assert self.line is not None
        if key == "escape" or (key == "backspace" and len(self.line) <= 1):
            self.line = None
        elif key == "backspace":
            self.line = self.line[:-1]
        elif key == "enter":
            line, self.line = self.line, None
            self._command(line)
        elif len(key) == 1 or key.startswith("paste:"):
            self.line = (self.line + key.removeprefix("paste:"))[:400]

    def _command(self, line: str) -> None:
        if line.startswith(" "):
            if line.strip():
                self.ui.send(Command("say", line.strip()))
            return
        name, _, rest = line[1:].partition(" ")
        self.ui.send(Command(name, rest.strip()))

    def hints(self) -> list[Hint]:
        """The keys of the table."""
        if self.line is not None:
            return [Hint("Enter", t("hint-send"), "enter"), Hint("Esc", t("hint-cancel"), "escape")]
        own = []
        if self.choosing is not None:
            lifted = bool(self.choosing.lifted)
            own = [Hint("Enter", t("hint-play" if lifted else "hint-lift"), "enter")]
        return [
            *own,
            Hint("F1", t("hint-help"), "f1"),
            Hint("F2", t("hint-score"), "f2"),
            Hint("F3", t("hint-last"), "f3"),
            Hint("F4", t("hint-rules"), "f4"),
            Hint("F5", t("hint-chat"), "f5"),
            Hint("F7", t("hint-hide"), "f7"),
            Hint("F9", t("hint-menu"), "f9"),
        ]

    # --- drawing ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        """All of it."""
        self._advance(now)
        scene = self.scene
        if scene is None:
            return
        draw_title(canvas, scene)
        beside = canvas.columns >= WIDE
        columns = canvas.columns - NEWS_BESIDE if beside else canvas.columns
        below = 0 if beside else NEWS_BELOW + max(0, (canvas.rows - 24) // 3)
        hand = canvas.rows - 2 - HAND_ROWS
        for row, (_, told) in enumerate(shown_facts(scene)[-FACTS:]):
            canvas.line(1 + row, told, Look.DIM, x=1, size=columns - 2)
        region = (1, 1 + FACTS, columns - 2, hand - below - 1 - FACTS)
        draw_seats(canvas, region, scene, now)
        if not draw_middle(canvas, region, scene, self.choosing):
            draw_trick(canvas, region, scene)
        if beside:
            draw_news(canvas, (columns, 1, NEWS_BESIDE - 1, hand - 1), self.news)
        else:
            draw_news(canvas, (1, hand - below, columns - 2, below), self.news)
        draw_hand(canvas, hand, scene, self.choosing, self.hidden)
        self._draw_prompt(canvas, canvas.rows - 2, scene)

    def _draw_prompt(self, canvas: Canvas, y: int, scene: Scene) -> None:
        """What is typed, why something is not possible, what is asked, or who is waited for."""
        choosing = self.choosing
        if self.line is not None:
            canvas.line(y, (t("prompt-say") + self.line if self.line[0] == " " else self.line) + "_", Look.PROMPT, x=1)
        elif choosing is None:
            canvas.line(y, self.notice or self._waiting(scene), Look.DIM, x=1)
        elif choosing.said:
            canvas.line(y, choosing.said, Look.WARNING, x=1)
        elif choosing.lifted and not (choosing.doubling and choosing.in_hand):
            told = choice(parse_action(choosing.lifted), scene.names)
            typed = f"{choosing.typed} → " if choosing.typed else ""
            canvas.line(y, t("prompt-lifted", action=typed + told), Look.PROMPT, x=1)
        elif choosing.typed:
            canvas.line(y, choosing.typed + "_", Look.PROMPT, x=1)
        else:
            canvas.line(y, t("prompt-doubles" if choosing.doubling else "prompt-choose"), Look.TURN, x=1)

    def _waiting(self, scene: Scene) -> str:
        asked = [seat for seat in scene.view["asked"] if seat != scene.seat]
        if self.over:
            return t("prompt-over")
        if scene.away:
            return t("prompt-away")
        if len(asked) == 1:
            return t("prompt-waiting", player=scene.names[asked[0]])
        return ""


def draw_title(canvas: Canvas, scene: Scene) -> None:
    """Game, contract, deal; and a small honest sign of what is proved."""
    view = scene.view
    told = [game_name(view["game"]), t("title-deal", deal=view["deal"], deals=view["deals"])]
    contract = view.get("contract")
    if contract and view["game"] == "kasra":
        told.append(contract_name(contract))
    canvas.fill(0, 0, canvas.columns, 1)
    sized = canvas.columns - 26
    x = 25 if canvas.right_to_left else 1
    canvas.put(x, 0, " · ".join(told), Look.TITLE, size=sized)
    state, look = proof_sign(canvas, scene)
    place = 1 if canvas.right_to_left else canvas.columns - 25
    canvas.put(place, 0, state, look, size=24, align=Align.END)


def proof_sign(canvas: Canvas, scene: Scene) -> tuple[str, Look]:
    """What the peer does for fairness just now: shuffling 2/4, proving, checking, or all that came is verified."""
    table = scene.presence
    letters = canvas.manner.letters
    if table is not None and table.total and table.done < table.total:
        return t("sign-shuffling", done=table.done, total=table.total), Look.WARNING
    if scene.busy:
        return t(f"sign-{scene.busy}", count=scene.verified), Look.DIM
    return f"{sign(Look.VERIFIED, letters)} {t('sign-verified', count=scene.verified)}", Look.VERIFIED


def shown_facts(scene: Scene) -> list[facts.Fact]:
    """What the title and the seats do not say already."""
    known = ("tally", "kingdom", "trick", "rows", "hand")
    return [fact for fact in facts.facts(scene.view) if fact[0] not in known]


def draw_news(canvas: Canvas, region: tuple[int, int, int, int], news: list[News]) -> None:
    """The last lines that fit, the newest at the bottom."""
    x, y, columns, rows = region
    if rows <= 0:
        return
    row = rows
    for one in reversed(news[-rows:]):
        text = t("event-chat", player=one.author, text=one.text) if one.author else one.text
        look = Look.CHAT if one.author else Look.WARNING if one.important else Look.DIM
        row -= 1
        canvas.put(x, y + row, text, look, size=columns)
        if row == 0:
            return
