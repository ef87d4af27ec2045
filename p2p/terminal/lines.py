"""A table in lines: for pipes, screen readers, and terminals of any kind. Everything that is shown is one line a fact.

`LineTable` is the player of a person's seat, and the narrator of what happens at the table. What happened comes through
`observe`, for everybody; what concerns this seat alone comes through `tell` and `act`. What the lines say is decided by
the pure modules beside this one: `words` (moves and events), `facts` (what one must know to choose), `choices` (the
list of moves), `typed` (what an answer means).
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

import trio

from bots.player import fallback
from engine.actions import parse_action
from engine.game import Result, Value
from engine.games import NAMES as GAMES
from engine.games import game as find_game
from p2p.language import choose, clean_text, set_language, t, tn
from p2p.language.rules import WIDTH
from p2p.lobby import LobbyNews
from p2p.settings import changed, read_settings, write_settings
from p2p.terminal import advice, choices, facts, lookups, standing, typed, words
from p2p.terminal.adviser import Adviser
from p2p.terminal.console import Commands, Console
from p2p.terminal.front import Watched
from p2p.terminal.narrator import Narrator
from protocol import seat as seat_protocol
from protocol.errors import Refused

HAND_IN_SIGHT = 12
"""Lines after which an unchanged hand is told again: then it may have left the upper half of a small screen."""

LINES_KEPT = 500
"""Sentences and lines of talk that can be read again; a deal has about a hundred."""


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
        self._adviser = Adviser(self._advised)
        self._question: seat_protocol.Act | None = None
        self._answer: str | None = None
        self._answered = trio.Event()
        self._view: dict[str, Any] = {}
        self._told: dict[str, str] = {}
        self._hand_at = -HAND_IN_SIGHT
        self._hidden = False
        self._watched: Watched | None = None
        self._lobby: LobbyNews | None = None
        self._history: deque[tuple[str, bool]] = deque(maxlen=LINES_KEPT)  # of this deal; whether it is private
        self._talk: deque[str] = deque(maxlen=LINES_KEPT)

    # --- telling ------------------------------------------------------------------------------------------------------

    def say(self, text: str, important: bool = False) -> None:
        """Tell a sentence; of a hidden hand's cards nothing."""
        self._history.append((text, self._private))
        if not (self._hidden and self._private):
            self.console.say(text, important)

    def hear(self, author: str, text: str) -> None:
        """Somebody at the table said something."""
        told = t("event-chat", player=author, text=text)
        self._talk.append(told)
        self.console.say(told)

    def lobby(self, told: LobbyNews) -> None:
        """Who comes and goes is told in sentences elsewhere; here, who is ready."""
        for sentence in () if self._lobby is None else standing.readiness_told(self._lobby, told):
            self.console.say(sentence)
        self._lobby = told

    async def agree(self, told: LobbyNews) -> bool:
        """Whoever joins in lines has said so; the terms are told before he signs."""
        return True

    def dealt(self) -> None:
        """The own hand is new."""
        self._show_hand()

    def begin_deal(self) -> None:
        """Facts of the deal before are told again."""
        self._told.clear()
        self._history.clear()

    def attach(self, watched: Watched) -> None:
        """The table can be looked up from now on."""
        self._watched = watched

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
            await self._adviser.until(self._answered, message)
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
            if self._told.get(key) != told and not (self._hidden and key in facts.OF_THE_HAND):
                self._told[key] = told
                self.console.say(told)
        for _, told in facts.table(message.view):
            self.console.say(told)
        self._show_hand(unless_seen=True)
        self._show_choices(message.legal)
        seconds = message.seconds
        prompt = t("line-prompt") if seconds is None else t("line-prompt-timed", seconds=round(seconds))
        self.console.say(prompt, important=True)
        if self.console.rings and read_settings().settings.bell:
            self.console.ring()

    def _show_hand(self, unless_seen: bool = False, asked: bool = False) -> None:
        told = t("turn-hand", cards=words.cards(self._hand))
        if self._hidden and not asked:
            told = self._hidden_hand()
        in_sight = self.console.printed - self._hand_at < HAND_IN_SIGHT
        if unless_seen and in_sight and self._told.get("hand") == told:
            return
        self._told["hand"] = told
        self.console.say(told)
        self._hand_at = self.console.printed

    def _hidden_hand(self) -> str:
        return t("line-hand-hidden", cards=tn("cards-counted", len(self._hand)))

    def _show_choices(self, legal: Sequence[str]) -> None:
        if self._hidden:
            legal = [action for action in legal if not parse_action(action).cards]
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
        told = self._looked_up(name, rest.strip())
        if told is not None:
            self.console.say("\n".join(told))
            return
        match name:
            case "hand":
                self._show_hand(asked=True)
            case "table":
                self._show_table()
            case "hide":
                self._hidden = not self._hidden
                self.console.say(t("line-hidden" if self._hidden else "line-shown"))
            case "claim":
                self._answer_with("claim")
            case "hint" if self._hidden:
                self.console.say(self._hidden_hand())
            case "hint":
                self._adviser.ask({} if self._watched is None else self._watched.rules())
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

    def _looked_up(self, name: str, rest: str) -> list[str] | None:
        """What one looks up without acting; None where that is another command."""
        match name:
            case "score":
                return self._score_sheet(rest)
            case "plot":
                return lookups.plot_lines(self._results(), self.names, self.console.letters)
            case "last":
                course = self._course
                return lookups.last_lines(course.gathered(), course.took, tuple(course.moves), self.names)
            case "chat":
                return list(self._talk) or [t("chat-none")]
            case "history":
                told = [text for text, private in self._history if not (self._hidden and private)]
                return told or [t("history-none")]
            case "settings":
                return self._settings(rest)
            case "invite":
                line = "" if self._watched is None else self._watched.invite()
                return [t("host-invite"), line] if line else [t("invite-none")]
            case "rules" | "options":
                return self._terms(name)
        return None

    def _terms(self, name: str) -> list[str]:
        """What was agreed upon, or will be: all rules, or just the options."""
        options: Mapping[str, Value]
        if self.state is not None and self._watched is not None:
            game, options, rules = self.state.game, self.state.options, self._watched.rules()
        elif self._lobby is not None and self._lobby.game in GAMES:
            game, rules = find_game(self._lobby.game), self._lobby.rules
            options = {**game.defaults(), **self._lobby.options}
        else:
            return [t("line-not-begun")]
        if name == "rules":
            return lookups.rules_lines(game, options, rules, WIDTH)
        return lookups.option_lines(game, options, rules)

    def _results(self) -> Sequence[Result]:
        return () if self.state is None else self.state.results

    def _score_sheet(self, typed: str) -> list[str]:
        """The whole sheet, or the points of one deal by rule."""
        if not typed:
            totals = self._totals or [0] * len(self.names)
            return [words.score_table(self.names, self._score, totals)]
        found = [result for result in self._results() if typed.isdecimal() and result.deal == int(typed[:4])]
        if not found:
            return [t("score-no-deal", deal=clean_text(typed, 20))]
        return lookups.score_lines(found[0], self.names)

    def _settings(self, typed: str) -> list[str]:
        """All settings, or one of them changed. Digits, suits and the like are for the full screen."""
        kept = read_settings().settings
        if not typed:
            return list(lookups.setting_lines(kept))
        name, _, word = typed.partition(" ")
        try:
            kept = changed(kept, name, word.strip())
            write_settings(kept)
        except Refused as refused:
            values = {name: clean_text(str(value), 200) for name, value in refused.values.items()}
            return [t(refused.code, **values)]
        if name == "language":
            set_language(choose(None, os.environ, kept.language))
        return [lookups.setting_told(kept, name)]

    def _show_table(self) -> None:
        """How things stand: before the game who is here, then the table, and once more what is asked."""
        watched = self._watched
        view = None if watched is None else watched.view()
        if watched is not None and view is not None:
            asked = self._question is not None
            told = standing.table_lines(view, watched.presence_now(), watched.verified(), asked)
            self.console.say("\n".join(told))
        if self._question is not None:
            self._told.clear()
            self._show(self._question)
        elif view is not None and self._hand:
            self._show_hand()
        elif view is None and self._lobby is not None:
            self.console.say("\n".join(standing.lobby_lines(self._lobby)))
        elif view is None:
            self.console.say(t("line-not-begun"))

    def _advised(self, told: advice.Told) -> None:
        """A hint, or why there is none. One that comes after the answer is not told, and none of a hand that has been
        hidden meanwhile."""
        if self._hidden and told.advice is not None:
            self.console.say(self._hidden_hand())
        elif told.id < 0 or self._question is not None:
            legal = () if self._question is None else self._question.legal
            self.console.say("\n".join(advice.lines(told, legal, self.names)))

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
