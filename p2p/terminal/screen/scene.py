"""What there is to see at a table at one moment, and what a person can wish. Values only: they pass between threads."""

from __future__ import annotations

import math
from dataclasses import dataclass

from engine.game import Result, Value
from p2p.terminal.facts import View
from protocol import seat as seat_protocol


@dataclass(frozen=True)
class News:
    """A line that was told: `author` if a person said it, `important` if it must not be missed, `private` if it names
    cards that only this seat knows: a hidden hand hides it too."""

    text: str
    author: str = ""
    important: bool = False
    private: bool = False


@dataclass(frozen=True)
class Question:
    """What the person is asked: `legal` is the whole list; `until` is when the clock runs out (time.monotonic)."""

    id: int
    legal: tuple[str, ...]
    until: float = math.inf


@dataclass(frozen=True)
class Scene:
    """A table at one moment, as one seat may see it.

    view       what that seat may know (`protocol.seat.build_view`); seat is -1 for somebody without one
    trick      what lies on the table as (seat, card): the last trick too, until it is gathered; `winner` takes it
    last       the last whole trick, and `took`: who took it
    moves      in Trix, the last moves, as (seat, action)
    hands      all hands open, by seat, where somebody watches a record; () at a real table
    scored     the deal that was just scored, while that is shown
    results    all deals scored so far
    presence   who is there and who is waited for; `at` is the moment (time.monotonic) that its seconds are counted from
    verified   entries checked so far; `busy` is ``proving``, ``checking`` or nothing
    hold       seconds for which this scene should stay before the next one is shown
    rules      the options of the table itself that were chosen, as (name, value)
    moved      the seat that did what is new, or -1
    watched    which moment of how many this is, where somebody watches a record; nobody is "you" there
    """

    view: View
    seat: int = -1
    question: Question | None = None
    trick: tuple[tuple[int, str], ...] = ()
    winner: int = -1
    last: tuple[tuple[int, str], ...] = ()
    took: int = -1
    moves: tuple[tuple[int, str], ...] = ()
    hands: tuple[tuple[str, ...], ...] = ()
    scored: Result | None = None
    results: tuple[Result, ...] = ()
    presence: seat_protocol.Table | None = None
    at: float = 0.0
    verified: int = 0
    busy: str = ""
    away: bool = False
    rules: tuple[tuple[str, Value], ...] = ()
    moved: int = -1
    watched: tuple[int, int] | None = None
    hold: float = 0.0

    @property
    def names(self) -> list[str]:
        """The players' names in seat order."""
        names: list[str] = self.view["names"]
        return names

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.view["counts"])


@dataclass(frozen=True)
class Over:
    """The game is over and everything is kept: the person may leave whenever he likes."""


# What a person wishes ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Answer:
    """The answer to a question."""

    question: int
    action: str


@dataclass(frozen=True)
class Command:
    """What can be done besides answering, as in line mode: ``say``, ``vote``, ``away``, ``quit``, …"""

    name: str
    rest: str = ""


@dataclass(frozen=True)
class Interrupt:
    """Ctrl-C: as if the signal had come."""


Wish = Answer | Command | Interrupt
"""What leaves a page of the table. Other pages have wishes of their own."""
