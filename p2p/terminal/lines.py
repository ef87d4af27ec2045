"""A table in lines: for pipes, screen readers, and terminals of any kind. Everything that is shown is one line a fact.

`LineTable` is the player of a person's seat, and the narrator of what happens at the table. What happened comes through
`observe`, for everybody; what concerns this seat alone comes through `tell` and `act`. What the lines say is decided by
the pure modules beside this one: `words` (moves and events), `facts` (what one must know to choose), `choices` (the
list of moves), `typed` (what an answer means).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import trio

from bots.player import fallback
from p2p.language import clean_text, t
from p2p.terminal import choices, facts, typed, words
from p2p.terminal.console import Commands, Console
from p2p.terminal.front import Watched
from p2p.terminal.narrator import Narrator
from protocol import seat as seat_protocol

HAND_IN_SIGHT = 12
"""Lines after which an unchanged hand is told again: then it may have left the upper half of a small screen."""


class LineTable(Narrator):
    """A person at the table, in line mode. Also tells what happens, for people and for peers that bots play.

    `commands` are what the person may do besides answering: say, vote, quit, … They are given by whoever runs the peer,
    as functions of the words behind the command. `state` is the public state of the game, where there is one.
    """

    def __init__(self, console: Console, commands: Commands | None = None) -> None:
        super().__init__()
        self.console = console
        self.commands = {} if commands is None else commands
        self.info: Mapping[str, object] | None = None  # a person keeps his notes to himself
        self.away = False
        self._question: seat_protocol.Act | None = None
        self._answer: str | None = None
        self._answered = trio.Event()
        self._view: dict[str, Any] = {}
        self._told: dict[str, str] = {}
        self._hand_at = -HAND_IN_SIGHT

    # --- telling ------------------------------------------------------------------------------------------------------

    def say(self, text: str, important: bool = False) -> None:
        """Tell a sentence."""
        self.console.say(text, important)

    def hear(self, author: str, text: str) -> None:
        """Somebody at the table said something."""
        self.say(t("event-chat", player=author, text=text))

    def dealt(self) -> None:
        """The own hand is new."""
        self._show_hand()

    def begin_deal(self) -> None:
        """Facts of the deal before are told again."""
        self._told.clear()

    def attach(self, watched: Watched) -> None:
        """Lines need nothing but what is told."""

    def changed(self) -> None:
        """Lines tell only what happens."""

    # --- the seat -----------------------------------------------------------------------------------------------------

    async def act(self, message: seat_protocol.Act) -> str:
        """Ask the person; commands go on working meanwhile."""
        self._view, self._hand = message.view, list(message.view["hand"])
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

    async def aclose(self) -> None:
        """Nothing to close."""

    def _show(self, message: seat_protocol.Act) -> None:
        """All that a person must know to choose: each fact once, the table, the hand, the list."""
        for key, told in facts.facts(message.view):
            if self._told.get(key) != told:
                self._told[key] = told
                self.console.say(told)
        for _, told in facts.table(message.view):
            self.console.say(told)
        self._show_hand(unless_seen=True)
        self._show_choices(message.legal)
        seconds = message.seconds
        prompt = t("line-prompt") if seconds is None else t("line-prompt-timed", seconds=round(seconds))
        self.console.say(prompt, important=True)

    def _show_hand(self, unless_seen: bool = False) -> None:
        told = t("turn-hand", cards=words.cards(self._hand))
        in_sight = self.console.printed - self._hand_at < HAND_IN_SIGHT
        if unless_seen and in_sight and self._told.get("hand") == told:
            return
        self._told["hand"] = told
        self.console.say(told)
        self._hand_at = self.console.printed

    def _show_choices(self, legal: Sequence[str]) -> None:
        for line in choices.lines(legal, self.names):
            self.console.say(line)

    # --- what is typed ------------------------------------------------------------------------------------------------

    async def listen(self, seated: bool = True) -> None:
        """Take typed lines for as long as there are any. Afterwards the seat is away."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.console.read)
            async for line in self.console.typed:
                self.typed(line)
        if seated and not self.away:
            self.console.say(t("line-input-closed"))
            self._go_away()

    def typed(self, line: str) -> None:
        """One typed line: an answer, or a command."""
        if not line:
            return
        if line in ("?", "؟", "/help", "help", "/?"):
            self.console.say(t("line-help"))
        elif line.startswith("/"):
            self._command(line[1:])
        else:
            self._answer_with(line)

    def _command(self, line: str) -> None:
        name, _, rest = line.partition(" ")
        match name:
            case "hand":
                self._show_hand()
            case "table":
                self._show_table()
            case "score":
                totals = self._totals or [0] * len(self.names)
                self.console.say(words.score_table(self.names, self._score, totals))
            case "away":
                self.console.say(t("line-away"))
                self._go_away()
            case "back":
                self.away = False
                self.console.say(t("line-back"))
            case _ if name in self.commands:
                self.commands[name](rest)
            case _:
                self.console.say(t("line-unknown-command", command=clean_text("/" + name, 40)))

    def _show_table(self) -> None:
        """Everything that was told for the last question, once more."""
        if self._question is None:
            self.console.say(t("line-not-now"))
            return
        self._told.clear()
        self._show(self._question)

    def _go_away(self) -> None:
        self.away = True
        self._answered.set()

    def _answer_with(self, line: str) -> None:
        question = self._question
        if question is None:
            self.console.say(t("line-not-now"))
            return
        chosen = typed.understood(line, question.legal, question.view)
        if isinstance(chosen, typed.Unclear):
            self.console.say(chosen.sentence)
            return
        self._answer = chosen
        self._question = None  # a second line does not answer twice
        self._answered.set()


__all__ = ["Console", "LineTable"]
