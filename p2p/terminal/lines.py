"""A table in lines: for pipes, screen readers, and terminals of any kind. Everything that is shown is one line a fact.

`LineTable` is the player of a person's seat, and the narrator of what happens at the table.
"""

from __future__ import annotations

import math
import shutil
import sys
import textwrap
from collections.abc import Callable
from typing import TextIO

import trio

from bots.player import fallback
from engine.actions import parse_action
from p2p.language import clean_text, t
from p2p.language.cards import card_short, cards_short
from p2p.terminal import words
from protocol import seat as seat_protocol
from protocol.table import events
from protocol.table.events import Event

LINE_LENGTH = 500
"""Longest line that is read from a person; the rest is ignored."""


class Console:
    """Lines out and lines in. Output that nobody reads any more is dropped, the game goes on."""

    def __init__(self, out: TextIO | None = None, source: TextIO | None = None, quiet: bool = False) -> None:
        self._out = out or sys.stdout
        self._source = source or sys.stdin
        self._open = True
        self._width = terminal_width if self._out.isatty() else None
        self.quiet = quiet
        self.lines, self._lines = trio.open_memory_channel[str](math.inf)

    def say(self, text: str, important: bool = False) -> None:
        """Print a text as lines, each at once."""
        if not self._open or (self.quiet and not important):
            return
        encoding = self._out.encoding or "utf-8"
        if self._width is not None:
            text = "\n".join(wrapped(line, self._width()) for line in text.split("\n"))
        try:
            self._out.write(text.encode(encoding, "replace").decode(encoding) + "\n")
            self._out.flush()
        except (OSError, ValueError):
            self._open = False

    async def read(self) -> None:
        """Pass typed lines on until the input ends; then close the channel."""
        async with self.lines:
            while True:
                try:
                    line = await trio.to_thread.run_sync(self._source.readline, LINE_LENGTH, abandon_on_cancel=True)
                except (OSError, ValueError):
                    return
                if not line:
                    return
                self.lines.send_nowait(line.strip())

    @property
    def typed(self) -> trio.MemoryReceiveChannel[str]:
        """The lines that were typed."""
        return self._lines


def terminal_width() -> int:
    """The terminal's width in cells, now."""
    return shutil.get_terminal_size().columns


def wrapped(line: str, width: int) -> str:
    """A line folded at spaces; words that are longer (an invite) stay whole, so that they can be copied."""
    if len(line) <= width:
        return line
    return "\n".join(
        textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False, drop_whitespace=True) or [line]
    )


class LineTable:
    """A person at the table, in line mode. Also tells what happens, for people and for peers that bots play.

    `seat_commands` are what the person may do besides answering: say, vote, quit, … They are given by whoever runs the
    peer, as functions of the words behind the command.
    """

    def __init__(self, console: Console, commands: dict[str, Callable[[str], None]]) -> None:
        self.console = console
        self.commands = commands
        self.names: list[str] = []
        self.game = ""
        self.deals = 0
        self.away = False
        self._question: seat_protocol.Act | None = None
        self._answer: str | None = None
        self._answered = trio.Event()
        self._view: dict[str, object] = {}
        self._score: list[list[int]] = []
        self._totals: list[int] = []

    # --- telling ------------------------------------------------------------------------------------------------------

    async def observe(self, event: Event) -> None:
        """Tell an event of the table."""
        if isinstance(event, events.Seated):
            self.names = list(event.names)
        if isinstance(event, events.Scored):
            self._score.append(list(event.result.points))
            self._totals = list(event.result.totals)
        told = words.happened(event, self.names, self.game, self.deals)
        if told:
            self.console.say(told)
        if isinstance(event, events.Ended) and self._score:
            self.console.say(words.score_table(self.names, self._score, self._totals), important=True)

    def restore(self, names: list[str], scores: list[list[int]], totals: list[int]) -> None:
        """What was told before an interruption."""
        self.names, self._score, self._totals = names, scores, totals

    # --- the seat -----------------------------------------------------------------------------------------------------

    async def hello(self, message: seat_protocol.Hello) -> None:
        """The game begins."""
        self.names = message.names
        order = ", ".join(words.player(seat, message.names) for seat in range(len(message.names)))
        self.console.say(t("line-your-seat", seat=message.seat, players=order))

    async def act(self, message: seat_protocol.Act) -> str:
        """Ask the person; commands go on working meanwhile."""
        self._view = message.view
        if self.away:
            return fallback(message)
        self._question, self._answer, self._answered = message, None, trio.Event()
        self._show(message)
        try:
            await self._answered.wait()
        finally:
            self._question = None
        return self._given() or fallback(message)

    def _given(self) -> str | None:
        return self._answer

    async def tell(self, message: seat_protocol.FromPeer) -> None:
        """Events come through `observe`; only what concerns this seat alone is told here."""
        if isinstance(message, seat_protocol.Deal):
            self.console.say(t("turn-hand", cards=cards_short(message.hand)))
        elif isinstance(message, seat_protocol.Cancel):
            self.console.say(t("turn-timeout"))

    async def aclose(self) -> None:
        """Nothing to close."""

    def _show(self, message: seat_protocol.Act) -> None:
        view = message.view
        trick = view.get("trick")
        if isinstance(trick, list) and trick:
            lying = ", ".join(f"{words.player(seat, self.names)} {card_short(card)}" for seat, card in trick)
            self.console.say(t("turn-trick", cards=lying))
        rows = view.get("rows")
        if isinstance(rows, dict) and view.get("contract") == "trix":
            told = "  ".join("–".join(card_short(card) for card in ends) for ends in rows.values() if ends)
            self.console.say(t("line-rows", rows=told or "–"))
        self._show_hand()
        self.console.say(t("turn-legal", actions=self._choices(message.legal)))
        self.console.say(t("line-prompt"), important=True)

    def _show_hand(self) -> None:
        hand = self._view.get("hand")
        if isinstance(hand, list):
            self.console.say(t("turn-hand", cards=cards_short(hand)))

    def _choices(self, legal: list[str]) -> str:
        numbers = _numbers(legal)
        return "  ".join(f"{numbers[action]}) {words.choice(parse_action(action), self.names)}" for action in legal)

    # --- what is typed ------------------------------------------------------------------------------------------------

    async def listen(self) -> None:
        """Take typed lines for as long as there are any. Afterwards the seat is away."""
        async for line in self.console.typed:
            self.typed(line)
        if not self.away:
            self.console.say(t("line-input-closed"))
            self._go_away()

    def typed(self, line: str) -> None:
        """One typed line: an answer, or a command."""
        if not line:
            return
        if line in ("?", "/help", "help"):
            self.console.say(t("line-help"))
        elif line.startswith("/"):
            self._command(line[1:])
        else:
            self._answer_with(line)

    def _command(self, line: str) -> None:
        name, _, rest = line.partition(" ")
        if name == "hand":
            self._show_hand()
        elif name == "score":
            self.console.say(words.score_table(self.names, self._score, self._totals or [0] * len(self.names)))
        elif name == "away":
            self.console.say(t("line-away"))
            self._go_away()
        elif name == "back":
            self.away = False
            self.console.say(t("line-back"))
        elif name in self.commands:
            self.commands[name](rest)
        else:
            self.console.say(t("line-unknown-command", command=clean_text("/" + name, 40)))

    def _go_away(self) -> None:
        self.away = True
        self._answered.set()

    def _answer_with(self, line: str) -> None:
        question = self._question
        if question is None:
            self.console.say(t("line-not-now"))
            return
        chosen = _chosen(line, question.legal)
        if chosen is None:
            self.console.say(t("turn-unclear", text=clean_text(line, 40), actions=self._choices(question.legal)))
            return
        self._answer = chosen
        self._answered.set()


def _numbers(legal: list[str]) -> dict[str, int]:
    """The number to type for each action: its place in the list, but for an estimate the estimate itself."""
    if all(action.startswith("estimate ") for action in legal):
        return {action: int(action.split()[1]) for action in legal}
    return {action: number for number, action in enumerate(legal, 1)}


def _chosen(line: str, legal: list[str]) -> str | None:
    """The legal action that a person means: by number, in the notation, or by its last words."""
    western = line.translate(str.maketrans("٠١٢٣٤٥٦٧٨٩", "0123456789"))
    if western.isascii() and western.isdigit():
        return next((action for action, number in _numbers(legal).items() if number == int(western)), None)
    wanted = " ".join(western.upper().replace("10", "T").split())
    for action in legal:
        if wanted == action.upper():
            return action
    ends = [action for action in legal if action.upper().split()[1:] == wanted.split() and wanted]
    return ends[0] if len(ends) == 1 else None
