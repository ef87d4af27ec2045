"""Moments of real games, as scenes for the screen: seeded packs, random bots, the views that the seats of peers get."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from bots.builtin import make
from bots.practice import bot_chooser
from engine.game import Value
from engine.games import game as find_game
from engine.record import Record, Recorder, read, write
from engine.referee import Referee, shuffled
from p2p.replaying.frames import Frame, frames
from p2p.terminal.screen.scene import News, Question, Scene
from p2p.terminal.screen.watch import NOBODY, scene_of
from protocol.seat import Presence, Table, Waiting

View = Mapping[str, Any]

NAMES = ("Amal", "أبو علي", "Celine", "Dawud")
LONG = (
    "Maximiliane Wolkenstein-X",
    "عبد الرحمن بن خالد المهندس",
    "Bartholomew Featherstone",
    "Wilhelmina Krottenthaler",
)
"""As long as names are shown: 24 letters, and one more in the first two."""

NEWS = (
    News("Celine plays 9♠. (proved)"),
    News("good luck, everybody", "أبو علي"),
    News("Dawud has lost the connection.", important=True),
)


@dataclass(frozen=True)
class Wanted:
    """The first moment of a seeded game in which `when` holds of it and of the view of the seat that looks: one that
    is asked, or (`other`) one that is not. `keys` are pressed then; `changed` is done to the scene before."""

    name: str
    game: str
    when: Callable[[Frame, View], bool]
    seed: int = 1
    deals: int = 1
    options: Mapping[str, Value] = field(default_factory=dict)
    other: bool = False
    keys: tuple[str, ...] = ()
    changed: Callable[[Scene], Scene] = lambda scene: scene


@cache
def played(game: str, seed: int, deals: int, options: tuple[tuple[str, Value], ...] = ()) -> tuple[Frame, ...]:
    """Every moment of some deals that random bots play."""
    seen = frames(read(write(record(game, seed, deals, options))))
    return tuple(frame for frame in seen if frame.deal <= deals)


def record(game: str, seed: int, deals: int, options: tuple[tuple[str, Value], ...] = ()) -> Record:
    """The record of some deals that random bots play."""
    rules = find_game(game)
    referee = Referee.start(rules, shuffled(random.Random(seed).shuffle), dict(options))
    recorder = Recorder(referee, list(NAMES[: rules.seats]))
    bots = [make("random", seed + seat) for seat in range(rules.seats)]
    referee.play([bot_chooser(referee, bot) for bot in bots], deals)
    return recorder.record


def scene(wanted: Wanted) -> Scene:
    """The scene of a moment; a seed in which there is none is a mistake."""
    now = _at_table(*_found(wanted))
    legal = now.view["legal"]
    return wanted.changed(replace(now, question=Question(1, tuple(legal)) if legal else None))


def opened(wanted: Wanted) -> Scene:
    """The same with all hands open, as somebody sees it who watches a record."""
    seen, at, seat = _found(wanted)
    return replace(_at_table(seen, at, seat), hands=scene_of(seen, at, NOBODY).hands)


def _found(wanted: Wanted) -> tuple[tuple[Frame, ...], int, int]:
    """The moments of the game, which of them it is, and the seat."""
    seen = played(wanted.game, wanted.seed, wanted.deals, tuple(sorted(wanted.options.items())))
    for at, frame in enumerate(seen):
        for seat in range(len(frame.names)):
            view: View = frame.view(seat)
            if (seat in view["asked"]) != wanted.other and wanted.when(frame, view):
                return seen, at, seat
    raise LookupError(f"{wanted.game} {wanted.name}: no such moment with seed {wanted.seed}")


def _at_table(seen: tuple[Frame, ...], at: int, seat: int) -> Scene:
    """A moment as this seat sees it while it plays, not afterwards."""
    return replace(scene_of(seen, at, seat), watched=None, verified=240)


# What may be wanted of a moment ------------------------------------------------------------------------------------


def phase(word: str, contract: str | None = None) -> Callable[[Frame, View], bool]:
    """A phase, perhaps of one contract."""
    return lambda frame, view: view["phase"] == word and (contract is None or view["contract"] == contract)


def playing(tricks: int, lying: int, contract: str | None = None) -> Callable[[Frame, View], bool]:
    """In play, so many tricks taken and so many cards on the table."""

    def when(frame: Frame, view: View) -> bool:
        right = view["phase"] == "play" and (contract is None or view["contract"] == contract)
        return right and sum(frame.tricks) == tricks and len(view["trick"]) == lying

    return when


def barred(frame: Frame, view: View) -> bool:
    """Some card of the hand may not be played."""
    return 0 < len(view["legal"]) < len(view["hand"]) and bool(view["trick"])


def claimable(frame: Frame, view: View) -> bool:
    """The rest is certain."""
    return any(action.startswith("claim") for action in view["legal"])


def scored(frame: Frame, view: View) -> bool:
    """A deal has just been scored."""
    return frame.result is not None


def seen(test: Callable[[View], object]) -> Callable[[Frame, View], bool]:
    """Something that the view alone says."""
    return lambda frame, view: bool(test(view))


def both(*wishes: Callable[[Frame, View], bool]) -> Callable[[Frame, View], bool]:
    """All of these."""
    return lambda frame, view: all(wish(frame, view) for wish in wishes)


# What may be changed in a scene --------------------------------------------------------------------------------------


def present(
    *states: str, waiting: Mapping[int, float] | None = None, bots: int = 0, done: int = 0, total: int = 0
) -> Callable[[Scene], Scene]:
    """Who is there, seat by seat; the last `bots` seats are programs."""

    def changed(scene: Scene) -> Scene:
        seats = [
            Presence(seat=seat, name=name, state=state, bot_of=0 if seat >= scene.seats - bots else -1)
            for seat, (name, state) in enumerate(zip(scene.names, states, strict=False))
        ]
        waits = [Waiting(seat=seat, seconds=seconds) for seat, seconds in (waiting or {}).items()]
        return replace(scene, presence=Table(presence=seats, waiting=waits, done=done, total=total))

    return changed


def named(scene: Scene, who: tuple[str, ...] = LONG) -> Scene:
    """The same with other names."""
    return replace(scene, view={**scene.view, "names": list(who[: scene.seats])})
