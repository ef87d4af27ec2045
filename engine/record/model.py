"""What a game record says, as values; the lines that each came from are kept for error messages."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.actions import Action
from engine.cards import Card
from engine.game import Illegal, Options, Outcome, Start

FORMAT = "majlis-record 1"


class RecordError(Exception):
    """A record that cannot be read, or that says what the rules do not allow.

    `line` counts from 1; `code` is the id of the sentence and `values` its placeholders; `rule` is the rule that was
    broken and `action` the action that broke it, where it was one.
    """

    def __init__(self, line: int, code: str, rule: str = "", action: str = "", **values: object) -> None:
        super().__init__(line, code, rule, action, values)
        self.line = line
        self.code = code
        self.rule = rule
        self.action = action
        self.values = values | ({"action": action} if action else {})

    @classmethod
    def breach(cls, line: int, illegal: Illegal, action: str = "", seat: int = -1) -> RecordError:
        """The rules forbid what this line says."""
        error = cls(line, illegal.code, illegal.rule, action)
        error.values = {"seat": seat, **illegal.values, **error.values}
        return error


@dataclass(frozen=True, slots=True)
class Move:
    """One action; `info` is what a bot noted about it."""

    seat: int
    action: Action
    info: str = ""
    line: int = 0


@dataclass(slots=True)
class Attempt:
    """One shuffled pack: a deal has several when the earlier ones were thrown in.

    hands    every seat's cards as dealt, in order; empty for a score-sheet deal
    first    the seat that saw only its first cards, and these (3-5-8)
    standins (index of the move before which it sat down, seat)
    redeal   why it was thrown in, or None
    """

    line: int = 0
    dealer: int = -1
    dealer_line: int = 0
    hands: dict[int, list[Card]] = field(default_factory=dict)
    kitty: list[Card] = field(default_factory=list)
    first: tuple[int, list[Card]] | None = None
    moves: list[Move] = field(default_factory=list)
    standins: list[tuple[int, int]] = field(default_factory=list)
    redeal: str | None = None
    redeal_line: int = 0


@dataclass(slots=True)
class Deal:
    """One deal, with the score and totals that the record states (empty when it states none)."""

    number: int
    line: int = 0
    attempts: list[Attempt] = field(default_factory=lambda: [Attempt()])
    outcome: Outcome | None = None
    outcome_line: int = 0
    score: tuple[int, ...] = ()
    score_line: int = 0
    total: tuple[int, ...] = ()
    total_line: int = 0


@dataclass(slots=True)
class Record:
    """A game, or the part of it that was kept. `options` holds what differs from the defaults."""

    game: str
    options: Options = field(default_factory=dict)
    seats: list[str] = field(default_factory=list)
    deals: list[Deal] = field(default_factory=list)
    date: str = ""
    table: str = ""
    keys: dict[int, str] = field(default_factory=dict)
    extras: list[str] = field(default_factory=list)  # lines that begin with x-
    start: Start = field(default_factory=Start)
    start_line: int = 0
