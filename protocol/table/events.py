"""What happened at the table, for screens and bots. Values only: no keys, no proofs, no cards that are not public."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine.actions import Action
from engine.cards import Card
from engine.game import Result


@dataclass(frozen=True, slots=True)
class Seated:
    """The cards were drawn: who sits where from now on. `cards[i]` is what the player in seat i drew."""

    names: tuple[str, ...]
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Preparing:
    """A pack is being made ready: `done` of `total` entries are there."""

    serial: int
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Dealt:
    """Cards went to their owners."""

    deal: int
    dealer: int


@dataclass(frozen=True, slots=True)
class Kitty:
    """Cards were opened for everybody."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Acted:
    """A seat acted; hidden cards as ``??``. `proved` says that a proof of legality came with it."""

    seat: int
    action: Action
    proved: bool
    by_standin: bool = False


@dataclass(frozen=True, slots=True)
class Scored:
    """A deal's score stands."""

    result: Result


@dataclass(frozen=True, slots=True)
class Redealt:
    """The deal was thrown in: why, in the game's or the table's words."""

    reason: str


@dataclass(frozen=True, slots=True)
class Voted:
    """`seat` is for taking over `against`, or is here and waits for it."""

    seat: int
    against: int
    yes: bool = True


@dataclass(frozen=True, slots=True)
class Lost:
    """The stand-in plays for `seat` from now on."""

    seat: int


@dataclass(frozen=True, slots=True)
class Cheated:
    """An entry of `seat` broke the protocol or a rule: `height` is its number in the log, `code` what was wrong."""

    seat: int
    height: int
    code: str


@dataclass(frozen=True, slots=True)
class Returned:
    """The owner sits down again with the next pack."""

    seat: int


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over (or too few are left to go on: no winners)."""

    totals: tuple[int, ...]
    winners: tuple[int, ...]


Event: TypeAlias = (
    Seated | Preparing | Dealt | Kitty | Acted | Scored | Redealt | Voted | Lost | Cheated | Returned | Ended
)
