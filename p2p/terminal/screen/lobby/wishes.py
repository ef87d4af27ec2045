"""What a person wishes on the pages before a table: where to go next, and which table to sit down at. Values only."""

from __future__ import annotations

from dataclasses import dataclass

from p2p.hosting import Hosting
from p2p.store import Listed
from p2p.tables import Way

FIRST_GAME = "kasra"
"""Where choosing a game begins: at the one that is quickest to learn."""


@dataclass(frozen=True)
class ToStart:
    """The start page. `said` is what the person should hear there."""

    said: str = ""


@dataclass(frozen=True)
class ToForm:
    """The form of a new table, as it is filled in; `at` is the row where something is wrong."""

    hosting: Hosting | None = None
    said: str = ""
    at: str = ""


@dataclass(frozen=True)
class ToNear:
    """The tables of others."""

    said: str = ""


@dataclass(frozen=True)
class ToKept:
    """The interrupted tables."""

    said: str = ""


@dataclass(frozen=True)
class Open:
    """Host this table."""

    hosting: Hosting


@dataclass(frozen=True)
class Join:
    """Sit down at somebody's table, under this name."""

    way: Way
    name: str


@dataclass(frozen=True)
class Resume:
    """Go on with an interrupted table."""

    listed: Listed


@dataclass(frozen=True)
class Leave:
    """Out."""


Place = ToStart | ToForm | ToNear | ToKept
"""A page to be on."""

Wish = Place | Open | Join | Resume | Leave
"""What leaves these pages."""
