"""The log of an arena: JSON lines that are only ever appended to.

The first line is the plan (`Header`), each other line a game (`bots.arena.playing.Played`), in the order in which
they were finished. A game is found again by its board and seating, and its packs are named in it, so the same command
goes on where it was stopped, and anybody can play a logged game again. The last line may be torn, by a crash or a
full disk: then that game is played again, and what there is of the line is cut off.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

import msgspec
from msgspec import Struct

from bots.arena.boards import LONGEST_CLOCK, SHORTEST_CLOCK, Job, Plan, deal_seed, jobs
from bots.arena.playing import KINDS, Played
from bots.arena.statistics import BUCKETS
from protocol.errors import Malformed, Refused

FORMAT = "majlis-arena 1"

LINE_LIMIT = 64 * 1024
"""Longest line in bytes: the longest honest one, six deals of three seats, has some 2 kB."""

LARGEST = 10**9
"""No honest count or number of points of one game comes near it; sums of them stay exact as floats."""

_BEGINNING = f'{{"format":"{FORMAT}",'.encode()
"""Every log begins so. A file that does not is somebody's, and is left alone even where it has no whole line."""


class Header(Struct, frozen=True, kw_only=True):
    """The first line: what is played, and by which version of Majlis."""

    format: str
    version: str
    plan: Plan


class ArenaLog:
    """A log that is being written. `played` holds the games that stood in it already."""

    def __init__(self, file: IO[bytes], played: dict[Job, Played]) -> None:
        self.played = played
        self._file = file

    @classmethod
    def on(cls, file: IO[bytes], header: Header) -> ArenaLog:
        """Begin a log in a file that was opened for reading and appending (``a+b``), or go on with what it holds.

        Raises Refused (``arena-log-differs``, ``arena-log-bad``) and OSError, and closes the file then.
        """
        try:
            file.seek(0)
            found, played, end = read_untrusted(file)
            if found is not None:
                _compare(found, header)
            file.truncate(end)
            log = cls(file, played)
            if found is None:
                log._write(header)
        except BaseException:
            file.close()
            raise
        return log

    def add(self, played: Played) -> None:
        """A game more. Raises OSError."""
        self._write(played)

    def close(self) -> None:
        """What was written stays."""
        self._file.close()

    def _write(self, line: Struct) -> None:
        self._file.write(msgspec.json.encode(line) + b"\n")
        self._file.flush()  # whatever happens to us now, the line is with the system


def read_untrusted(file: IO[bytes]) -> tuple[Header | None, dict[Job, Played], int]:
    """The header (None in an empty file), the games, and where the last whole line ends.

    A game that stands there twice counts once. Raises Refused('arena-log-bad') with the number of the line.
    """
    header: Header | None = None
    played: dict[Job, Played] = {}
    end = 0
    for number, line in enumerate(_lines(file), 1):
        if not line.endswith(b"\n"):
            torn = line.startswith(_BEGINNING) or _BEGINNING.startswith(line) if header is None else True
            if len(line) >= LINE_LIMIT or not torn:
                raise Malformed("arena-log-bad", {"line": number})
            break
        try:
            if header is None:
                header = _header_untrusted(line)
            else:
                game = _played_untrusted(line, header.plan)
                played.setdefault(game.job(header.plan), game)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise Malformed("arena-log-bad", {"line": number}) from error
        end += len(line)
    return header, played, end


def _lines(file: IO[bytes]) -> Iterator[bytes]:
    return iter(lambda: file.readline(LINE_LIMIT), b"")


def _header_untrusted(line: bytes) -> Header:
    header = msgspec.json.decode(line, type=Header)
    if header.format != FORMAT:
        raise ValueError(header.format)
    if not SHORTEST_CLOCK <= header.plan.seconds <= LONGEST_CLOCK:
        raise ValueError(header.plan.seconds)
    try:
        header.plan.circles()
        header.plan.rules.chosen(header.plan.in_force)
    except Exception as error:  # a game, an option or a number of bots that there is not
        raise ValueError(str(error)) from error
    return header


def _played_untrusted(line: bytes, plan: Plan) -> Played:
    """A game that this plan has: the right seating, packs and number of seats."""
    game = msgspec.json.decode(line, type=Played)
    seats, board = plan.rules.seats, plan.board
    fitting = (
        game.board > 0
        and game.packs == deal_seed(plan, game.board)
        and (plan.proved or game.job(plan) in jobs(plan, game.board))
        and len(game.seating) == len(game.faults) == len(game.times) == seats
        and all(0 <= bot < len(plan.distinct) for bot in game.seating)
        and len(game.points) == board.deals
        and all(len(deal) == seats and max(map(abs, deal)) <= LARGEST for deal in game.points)
        and all(len(counts) == len(KINDS) and 0 <= min(counts) <= max(counts) <= LARGEST for counts in game.faults)
        and all(0 <= bucket < BUCKETS and 0 < count <= LARGEST for times in game.times for bucket, count in times)
    )
    if not fitting:
        raise ValueError("a game of another arena")
    return game


def _compare(found: Header, wanted: Header) -> None:
    """Refuses to mix games of two plans, and names the first thing that differs."""
    theirs, ours = msgspec.to_builtins(found), msgspec.to_builtins(wanted)
    theirs, ours = theirs["plan"] | {"version": theirs["version"]}, ours["plan"] | {"version": ours["version"]}
    for name, value in ours.items():
        if theirs[name] != value:
            shown = {"theirs": _shown(theirs[name]), "ours": _shown(value)}
            raise Refused("arena-log-differs", {"what": name, **shown})


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return " ".join(f"{name}={one}" for name, one in value.items()) or "–"
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
