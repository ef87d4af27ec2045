"""Is a foreign bot fit to sit at a table? `check` starts it, asks it in one situation of every kind in every game, and
tries what a table will do to it: unknown fields and messages, the same question twice, an error, chat, the end.

The situations are made by steady bots at an open table from a fixed seed, so everybody's bot faces the same ones.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import trio

from bots.builtin import make
from bots.external import External
from bots.player import Notice
from bots.practice import bot_chooser, greeting, seat_view
from bots.programs import Program
from engine.actions import Action
from engine.cards import CardSet
from engine.game import Illegal, State
from engine.games import NAMES
from engine.games import game as find_game
from engine.referee import Chooser, Referee, shuffled
from protocol.seat import Act, Clocks, End, Error, Heard, Hello, Ping, act_message

SITUATION_SEED = "check"
PER_KIND = 4
"""Situations of each phase and kind of action in a game: early and late ones differ."""

DEALS = {"kasra": 4, "estimation": 2, "istimar": 2, "three_five_eight": 3}
"""Deals looked through; in Kasra a whole kingdom, so that every contract occurs."""


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that was tried, whether it went well, and if not what happened."""

    what: str
    well: bool
    detail: str = ""

    def __str__(self) -> str:
        return f"{'ok  ' if self.well else 'FAIL'} {self.what}{': ' + self.detail if self.detail else ''}"


@dataclass(slots=True)
class Report:
    """What was found about a bot."""

    name: str = ""
    version: str = ""
    lines: list[Line] = field(default_factory=list)

    @property
    def fit(self) -> bool:
        """Whether all went well."""
        return all(line.well for line in self.lines)

    def __str__(self) -> str:
        return "\n".join([f"{self.name} {self.version}".strip(), *map(str, self.lines)])


def playable_games() -> Iterator[str]:
    """The games of this version of Majlis."""
    for name in NAMES:
        try:
            find_game(name)
        except (Illegal, ImportError, AttributeError):
            continue
        yield name


def situations(game: str, deals: int | None = None) -> Iterator[tuple[Hello, Act]]:
    """Questions to seats of one game: up to `PER_KIND` of each phase, contract and kind of action."""
    rules = find_game(game)
    referee = Referee.start(rules, shuffled(random.Random(f"{SITUATION_SEED}/{game}").shuffle))
    names = ["Amal", "Basil", "Celine", "Dawud"][: rules.seats]
    found: list[tuple[Hello, Act]] = []
    seen: dict[tuple[object, ...], int] = {}
    bots = [make("steady", seat) for seat in range(rules.seats)]

    def noting(seat: int) -> Chooser:
        choose = bot_chooser(referee, bots[seat])

        def look(asked: int, state: State, hand: CardSet, actions: list[Action]) -> Action:
            view = seat_view(referee, seat, names)
            kind = (view["phase"], view.get("contract"), bool(view.get("trick")), actions[0].verb)
            seen[kind] = seen.get(kind, 0) + 1
            if seen[kind] <= PER_KIND:
                hello = greeting(rules, dict(state.options), seat, names, seed=seat)
                found.append((hello, act_message(len(found), view)))
            return choose(asked, state, hand, actions)

        return look

    referee.play([noting(seat) for seat in range(rules.seats)], deals or DEALS[rules.name])
    yield from found


async def check(
    command: str, games: Sequence[str] = (), log: Path | None = None, clocks: Clocks | None = None
) -> Report:
    """Tries the program of a command, and reports. `games`: those it claims to play, all if empty."""
    report = Report()
    for game in games or list(playable_games()):
        async with trio.open_nursery() as nursery:
            notices: list[Notice] = []
            player = External(nursery, Program(command, log), notice=notices.append)
            await _check_game(player, game, clocks or Clocks(), report, notices)
            await player.aclose()
            nursery.cancel_scope.cancel()
    return report


async def _check_game(
    player: External, game: str, clocks: Clocks, report: Report, notices: list[Notice]
) -> None:
    asked = list(situations(game))
    hello, first = asked[0]
    await player.hello(_with_clocks(hello, clocks))
    if player.ready is None or notices:
        why = "; ".join(f"{notice.code} {dict(notice.values)}" for notice in notices) or "no `ready` in time"
        report.lines.append(Line(f"{game}: starts and introduces itself", False, why))
        return
    report.name, report.version = player.ready.name, player.ready.version
    report.lines.append(Line(f"{game}: starts and introduces itself", True))
    for number, (greeted, act) in enumerate(asked):
        if greeted.seat != hello.seat:
            await player.hello(_with_clocks(greeted, clocks))
            hello = greeted
        label = (
            f"{game}: {act.view['phase']} {act.view.get('contract') or ''}".rstrip() + f", question {number}"
        )
        await _try(player, report, label, act)
    await _try(player, report, f"{game}: the same question again", first)
    await player.tell(Ping())
    await player.tell(Error(kind="protocol", sentence="an error about nothing"))
    await player.tell(Heard(seat=0, name="Amal", text="مساء الخير"))
    unknown = Act(id=len(asked), legal=first.legal, view={**first.view, "x-unknown": [{"deep": None}]})
    await _try(player, report, f"{game}: fields and messages it need not know", unknown)
    await player.tell(End(totals=[0] * len(hello.names), winners=[]))
    report.lines.append(
        Line(f"{game}: no crash", player.faults.crash == 0, "" if not player.faults.crash else "it ended")
    )


async def _try(player: External, report: Report, label: str, act: Act) -> None:
    before = player.faults.counts()
    await player.act(act)
    faults = {
        kind: number - before[kind]
        for kind, number in player.faults.counts().items()
        if number > before[kind]
    }
    report.lines.append(Line(label, not faults, ", ".join(faults)))


def _with_clocks(hello: Hello, clocks: Clocks) -> Hello:
    return Hello(
        game=hello.game,
        options=hello.options,
        seat=hello.seat,
        names=hello.names,
        clocks=clocks,
        seed=hello.seed,
    )
