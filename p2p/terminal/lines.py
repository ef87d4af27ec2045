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
from engine.actions import FACE_DOWN, Action, parse_action
from engine.cards import SUITS, Suit
from engine.game import State
from engine.tricks import Trick, winning
from p2p.language import clean_text, t
from p2p.language.cards import listed
from p2p.terminal import choices, facts, typed, words
from p2p.terminal.console import Commands, Console
from p2p.terminal.front import Watched
from protocol import seat as seat_protocol
from protocol.table import events
from protocol.table.events import Event

HAND_IN_SIGHT = 12
"""Lines after which an unchanged hand is told again: then it may have left the upper half of a small screen."""

CARDS_IN_TRIX = 13
PUT_ASIDE = 4


class LineTable:
    """A person at the table, in line mode. Also tells what happens, for people and for peers that bots play.

    `commands` are what the person may do besides answering: say, vote, quit, … They are given by whoever runs the peer,
    as functions of the words behind the command. `state` is the public state of the game, where there is one.
    """

    def __init__(self, console: Console, commands: Commands | None = None) -> None:
        self.console = console
        self.commands = {} if commands is None else commands
        self.info: Mapping[str, object] | None = None  # a person keeps his notes to himself
        self.names: list[str] = []
        self.seat = -1
        self.away = False
        self._course = Course()
        self._question: seat_protocol.Act | None = None
        self._answer: str | None = None
        self._answered = trio.Event()
        self._view: dict[str, Any] = {}
        self._hand: list[str] = []
        self._told: dict[str, str] = {}
        self._hand_at = -HAND_IN_SIGHT
        self._score: list[list[int]] = []
        self._totals: list[int] = []

    @property
    def state(self) -> State | None:
        """The public state of the game."""
        return self._course.state

    @state.setter
    def state(self, state: State | None) -> None:
        self._course.see(state)

    # --- telling ------------------------------------------------------------------------------------------------------

    def say(self, text: str, important: bool = False) -> None:
        """Tell a sentence."""
        self.console.say(text, important)

    def attach(self, watched: Watched) -> None:
        """Lines need nothing but what is told."""

    def changed(self) -> None:
        """Lines tell only what happens."""

    async def observe(self, event: Event) -> None:
        """Tell an event of the table."""
        match event:
            case events.Seated():
                self.names = list(event.names)
            case events.Scored(result):
                self._score.append(list(result.points))
                self._totals = list(result.totals)
            case events.Dealt() if self._course.dealt:
                self.console.say(t("line-rest"))
                return
            case events.Dealt():
                self._told.clear()
            case events.Redealt() if told := self._course.why_redealt(self.names):
                self.console.say(told)
        if isinstance(event, events.Acted) and event.action.verb in FACE_DOWN:
            self._observe_hidden(event)
        elif told := words.happened(event, self.names, self._course.game, self._course.deals):
            self.console.say(told)
        for told in self._course.follow(event, self.names):
            self.console.say(told)
        if isinstance(event, events.Ended) and self._score:
            self.console.say(words.score_table(self.names, self._score, self._totals), important=True)

    def _observe_hidden(self, event: events.Acted) -> None:
        """A card that only some may see. Whom it concerns is told by `tell`."""
        action = event.action
        if self.seat >= 0 and (event.seat == self.seat or self._comes_to_me(action)):
            return
        if action.verb != "discard":
            self.console.say(words.acted(event, self.names, self._course.game))
        elif self._course.all_aside(event.seat):
            self.console.say(t("event-discards", player=words.player(event.seat, self.names)))

    def _comes_to_me(self, action: Action) -> bool:
        return action.to == self.seat or (action.verb == "return" and self._course.giver == self.seat)

    def restore(self, names: list[str], scores: list[list[int]], totals: list[int]) -> None:
        """What was told before an interruption."""
        self.names, self._score, self._totals = names, scores, totals

    # --- the seat -----------------------------------------------------------------------------------------------------

    async def hello(self, message: seat_protocol.Hello) -> None:
        """The game begins."""
        self.names, self.seat = message.names, message.seat
        order = listed(words.player(seat, message.names) for seat in range(len(message.names)))
        self.console.say(t("line-your-seat", seat=message.seat, players=order))

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

    async def tell(self, message: seat_protocol.FromPeer) -> None:
        """Events come through `observe`; only what concerns this seat alone is told here."""
        match message:
            case seat_protocol.Deal(hand=hand):
                self._hand = hand
                self._show_hand()
            case seat_protocol.HandChanged(hand=hand, new=new):
                dealt = not new and len(hand) > len(self._hand)
                self._hand = hand
                if dealt:  # what was exchanged is told as it happens, and the next question shows the hand
                    self._show_hand()
            case seat_protocol.Event(seat=seat, action=text):
                self._happened_to_me(seat, parse_action(text))
            case seat_protocol.Score(points=points, breakdown=lines, multiplier=multiplier) if self.seat >= 0:
                told = words.breakdown(lines[self.seat], points[self.seat], multiplier)
                if told:
                    self.console.say(told)
            case seat_protocol.Cancel():
                self.console.say(t("turn-timeout"))

    def _happened_to_me(self, seat: int, action: Action) -> None:
        concerns = seat == self.seat or self._comes_to_me(action)
        told = words.own(action, seat, self.seat, self.names) if concerns else ""
        if told:
            self.console.say(told)
        elif concerns and action.verb in FACE_DOWN:
            event = events.Acted(seat, action, proved=False)
            self.console.say(words.acted(event, self.names, self._course.game))
        if seat == self.seat and not action.hidden and action.verb in ("play", "discard", "give", "return"):
            card = str(action).split()[-1]
            self._hand = [held for held in self._hand if held != card]

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


class Course:
    """What a narrator keeps in mind of a deal: who takes a trick, who is out in Trix, who has put all cards aside."""

    def __init__(self) -> None:
        self.state: State | None = None
        self.giver = -1
        self.dealt = False
        """Whether cards of the present deal were dealt: in 3-5-8 they come in two parts."""
        self._trick: Trick = ()
        self._trump: Suit | None = None
        self._trix = False
        self._laid: dict[int, int] = {}
        self._out = 0
        self._aside = 0

    @property
    def game(self) -> str:
        """The game's name, or "" before it is known."""
        return self.state.game.name if self.state else ""

    @property
    def deals(self) -> int:
        """How many deals it has."""
        return self.state.last_deal if self.state else 0

    def see(self, state: State | None) -> None:
        """The public state now. It may be ahead of the event that is told next."""
        first, self.state = self.state is None, state
        if state is None:
            return
        view: dict[str, Any] = state.view()
        if state.phase == "play":
            self._trix = view.get("contract") == "trix"
            word = view.get("trump") or ""
            self._trump = SUITS.index(word) if word in tuple(SUITS) else None
        if first:  # an interrupted deal goes on
            self._trick = tuple((seat, parse_action(f"play {card}").card) for seat, card in view.get("trick") or ())
            self._laid = {seat: CARDS_IN_TRIX - count for seat, count in enumerate(state.counts)}
            self._out = len(view.get("out") or ())
            self.dealt = any(state.counts)

    def why_redealt(self, names: Sequence[str]) -> str:
        """Why the cards were thrown in, where the game says it."""
        return words.why_redealt(self.state.redeals[-1], names) if self.state and self.state.redeals else ""

    def all_aside(self, seat: int) -> bool:
        """Whether the card put aside is the last one."""
        return self._aside == PUT_ASIDE - 1

    def follow(self, event: Event, names: Sequence[str]) -> list[str]:
        """What an event comes to: sentences besides its own."""
        match event:
            case events.Dealt():
                self.dealt = True
                self._trick, self._laid, self._out, self._aside = (), {}, 0, 0
            case events.Scored() | events.Redealt():
                self.dealt = False
            case events.Acted(seat, action) if action.verb == "play":
                return self._played(seat, action, names)
            case events.Acted(seat, action) if action.verb == "discard":
                self._aside += 1
            case events.Acted(seat, action) if action.verb == "give":
                self.giver = seat
        return []

    def _played(self, seat: int, action: Action, names: Sequence[str]) -> list[str]:
        if self._trix:
            self._laid[seat] = self._laid.get(seat, 0) + 1
            if self._laid[seat] < CARDS_IN_TRIX:
                return []
            self._out += 1
            return [t("event-out", player=words.player(seat, names), place=self._out)]
        self._trick = (*self._trick, (seat, action.card))
        if len(self._trick) < len(names):
            return []
        trick, self._trick = self._trick, ()
        return [t("event-trick", player=words.player(winning(trick, self._trump)[0], names))]


__all__ = ["Console", "LineTable"]
