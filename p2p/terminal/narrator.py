"""What happens at a table, told in sentences: for lines, for the news on a full screen, for whoever listens.

What happened comes through `observe`, for everybody; what concerns this seat alone comes through `tell`. What the
sentences say is decided by `p2p.terminal.words`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Sequence
from typing import Any

from engine.actions import FACE_DOWN, Action, parse_action
from engine.cards import SUITS, Suit, card_name
from engine.game import State
from engine.games.kasra.state import HAND_SIZE
from engine.kitty import KITTY_SIZE
from engine.tricks import Trick, winning
from p2p.language import t
from p2p.language.cards import listed
from p2p.terminal import words
from protocol import seat as seat_protocol
from protocol.table import events
from protocol.table.events import Event

MOVES_KEPT = 12
"""Three rounds of Trix: whoever looked away sees what became of the rows."""


class Narrator(ABC):
    """Tells what happens. `say` is where it tells it, `dealt` how the person's own cards are told when they change."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.seat = -1
        self._course = Course()
        self._hand: list[str] = []
        self._score: list[list[int]] = []
        self._totals: list[int] = []
        self._private = False  # what is told now names cards that only this seat knows

    @abstractmethod
    def say(self, text: str, important: bool = False) -> None:
        """Tell a sentence."""

    @abstractmethod
    def dealt(self) -> None:
        """The own hand is new."""

    @abstractmethod
    def begin_deal(self) -> None:
        """What was told of the deal before is over."""

    def ended(self) -> None:
        """The game is over, who won has been told: the score sheet follows, unless one can look at it already."""
        self.say(words.score_table(self.names, self._score, self._totals), important=True)

    @property
    def state(self) -> State | None:
        """The public state of the game."""
        return self._course.state

    @state.setter
    def state(self, state: State | None) -> None:
        self._course.see(state)

    async def observe(self, event: Event) -> None:
        """Tell an event of the table."""
        match event:
            case events.Seated():
                self.names = list(event.names)
            case events.Scored(result):
                self._score.append(list(result.points))
                self._totals = list(result.totals)
            case events.Dealt() if self._course.dealt:
                self.say(t("line-rest"))
                return
            case events.Dealt():
                self.begin_deal()
            case events.Redealt() if told := self._course.why_redealt(self.names):
                self.say(told)
        if isinstance(event, events.Acted) and event.action.verb in FACE_DOWN:
            self._observe_hidden(event)
        elif told := words.happened(event, self.names, self._course.game, self._course.deals):
            self.say(told)
        for told in self._course.follow(event, self.names):
            self.say(told)
        if isinstance(event, events.Ended) and self._score:
            self.ended()

    def _observe_hidden(self, event: events.Acted) -> None:
        """A card that only some may see. Whom it concerns is told by `tell`."""
        action = event.action
        if _concerns(self.seat, event.seat, action, self._course.giver):
            return
        if action.verb != "discard":
            self.say(words.acted(event, self.names, self._course.game))
        elif self._course.all_aside:
            self.say(t("event-discards", player=words.player(event.seat, self.names)))

    def restore(self, names: list[str], scores: list[list[int]], totals: list[int]) -> None:
        """What was told before an interruption."""
        self.names, self._score, self._totals = names, scores, totals

    def recall(self, seat: int, history: Sequence[tuple[int, str]]) -> None:
        """After an interruption, what `seat` gave, was given and put aside in the deal that goes on."""
        self._private, giver = True, -1
        for who, text in history:
            action = parse_action(text)
            giver = who if action.verb == "give" else giver
            told = words.own(action, who, seat, self.names) if _concerns(seat, who, action, giver) else ""
            if told:
                self.say(told)
        self._private = False

    async def hello(self, message: seat_protocol.Hello) -> None:
        """The game begins."""
        self.names, self.seat = message.names, message.seat
        order = listed(words.player(seat, message.names) for seat in range(len(message.names)))
        self.say(t("line-your-seat", seat=message.seat, players=order))

    async def tell(self, message: seat_protocol.FromPeer) -> None:
        """Events come through `observe`; only what concerns this seat alone is told here."""
        match message:
            case seat_protocol.Deal(hand=hand):
                self._hand = hand
                self.dealt()
            case seat_protocol.HandChanged(hand=hand, new=new):
                dealt = not new and len(hand) > len(self._hand)
                self._hand = hand
                if dealt:  # what was exchanged is told as it happens, and the next question shows the hand
                    self.dealt()
            case seat_protocol.Event(seat=seat, action=text):
                self._private = True
                self._happened_to_me(seat, parse_action(text))
                self._private = False
            case seat_protocol.Score(points=points, breakdown=lines, multiplier=multiplier) if self.seat >= 0:
                told = words.breakdown(lines[self.seat], points[self.seat], multiplier)
                if told:
                    self.say(told)
            case seat_protocol.Cancel():
                self.say(t("turn-timeout"))

    def _happened_to_me(self, seat: int, action: Action) -> None:
        concerns = _concerns(self.seat, seat, action, self._course.giver)
        told = words.own(action, seat, self.seat, self.names) if concerns else ""
        if told:
            self.say(told)
        elif concerns and action.verb in FACE_DOWN:
            event = events.Acted(seat, action, proved=False)
            self.say(words.acted(event, self.names, self._course.game))
        if seat == self.seat and not action.hidden and action.verb in ("play", "discard", "give", "return"):
            card = str(action).split()[-1]
            self._hand = [held for held in self._hand if held != card]
        elif action.verb == "claim":
            self._hand = []  # the deal is over for everybody


def _concerns(seat: int, who: int, action: Action, giver: int) -> bool:
    """Whether `seat` does this, or gets the card: what is returned goes to the `giver`. Nothing concerns who only looks
    on (-1)."""
    return seat >= 0 and (seat in (who, action.to) or (action.verb == "return" and seat == giver))


class Course:
    """What a narrator keeps in mind of a deal: who takes a trick, who is out in Trix, who has put all cards aside."""

    def __init__(self) -> None:
        self.state: State | None = None
        self.giver = -1
        self.dealt = False
        """Whether cards of the present deal were dealt: in 3-5-8 they come in two parts."""
        self.taker = -1
        """Who takes the trick that lies whole on the table."""
        self.took = -1
        """Who took the last whole trick."""
        self.moves: deque[tuple[int, str]] = deque(maxlen=MOVES_KEPT)
        """In Trix, what was played or passed last, as (seat, action)."""
        self._trick: Trick = ()
        self._whole: Trick = ()  # the last trick that was completed
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
            self._laid = {seat: HAND_SIZE - count for seat, count in enumerate(state.counts)}
            self._out = len(view.get("out") or ())
            self.dealt = any(state.counts)
            for seat, text in view["history"]:
                self._moved(seat, parse_action(text).verb)

    def lying(self) -> tuple[tuple[int, str], ...]:
        """What lies on the table, as (seat, card): a trick that is whole stays until the next card."""
        return _named(self._trick or (self._whole if self.taker >= 0 else ()))

    def gathered(self) -> tuple[tuple[int, str], ...]:
        """The last whole trick, as (seat, card)."""
        return _named(self._whole)

    def why_redealt(self, names: Sequence[str]) -> str:
        """Why the cards were thrown in, where the game says it."""
        return words.why_redealt(self.state.redeals[-1], names) if self.state and self.state.redeals else ""

    @property
    def all_aside(self) -> bool:
        """Whether the card put aside is the last one."""
        return self._aside == KITTY_SIZE - 1

    def follow(self, event: Event, names: Sequence[str]) -> list[str]:
        """What an event comes to: sentences besides its own."""
        match event:
            case events.Dealt():
                self.dealt = True
                self._trick, self._laid, self._out, self._aside = (), {}, 0, 0
                self._whole, self.taker, self.took = (), -1, -1
                self.moves.clear()
            case events.Scored() | events.Redealt():
                self.dealt = False
            case events.Acted(seat, action) if self._trix and action.verb in ("play", "pass"):
                self.moves.append((seat, str(action)))
                return self._laid_down(seat, names) if action.verb == "play" else []
            case events.Acted(seat, action) if action.verb == "play":
                return self._played(seat, action, names)
            case events.Acted(seat, action):
                self._moved(seat, action.verb)
        return []

    def _moved(self, seat: int, verb: str) -> None:
        """Keep in mind who gives, and how many cards lie aside."""
        if verb == "discard":
            self._aside += 1
        elif verb == "give":
            self.giver = seat

    def _laid_down(self, seat: int, names: Sequence[str]) -> list[str]:
        """A card of Trix."""
        self._laid[seat] = self._laid.get(seat, 0) + 1
        if self._laid[seat] < HAND_SIZE:
            return []
        self._out += 1
        return [t("event-out", player=words.player(seat, names), place=self._out)]

    def _played(self, seat: int, action: Action, names: Sequence[str]) -> list[str]:
        self._trick, self.taker = (*self._trick, (seat, action.card)), -1
        if len(self._trick) < len(names):
            return []
        self._whole, self._trick = self._trick, ()
        self.taker = self.took = winning(self._whole, self._trump)[0]
        return [t("event-trick", player=words.player(self.taker, names))]


def _named(trick: Trick) -> tuple[tuple[int, str], ...]:
    return tuple((seat, card_name(card)) for seat, card in trick)
