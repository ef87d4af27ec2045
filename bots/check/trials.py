"""What is tried with a foreign program, in order: `check` runs all of it and reports.

Each run of the program sits in one seat of one table, as at a real one. A trial that ended three runs is not gone on
with, and what would only repeat a fault that was found before is skipped, so even a program that always hangs is told
so in a minute.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import trio

from bots.check.findings import Finding, Report, Trial
from bots.check.interview import Ear, Interview, Pieces, Reply, Unfit
from bots.check.leaks import compare
from bots.check.questions import Sitting, sittings, table
from bots.player import canonical, fallback
from bots.programs import started
from bots.session import END_GRACE
from bots.talk import Talk
from bots.transcript import Tape
from engine.games import NAMES as GAMES
from engine.games import game as find_game
from protocol.seat import (
    LINE_LIMIT,
    Act,
    Ask,
    Cancel,
    Clocks,
    End,
    Error,
    FromPeer,
    Heard,
    Hello,
    Message,
    Ping,
    Presence,
    Table,
    wanted,
)

BAD_RUNS = 3
"""Runs that end in a fault before a trial is given up: the same fault a fourth time tells an author nothing new."""

LONG = LINE_LIMIT * 15 // 16
"""Bytes of the longest question that is asked; a peer may send up to LINE_LIMIT."""

PLAYED_SEAT = 1
"""Where the program sits when it plays whole deals."""


KILLED_AT = 6
"""The question about which it is killed: in the middle of a deal of every game."""


class Weather(Message, frozen=True, kw_only=True, tag="x-weather"):
    """A message that no version of the protocol knows."""

    forecast: dict[str, object]


class WideAct(Act, frozen=True, kw_only=True, tag="act"):
    """A question with a field that no version of the protocol knows."""

    x_unknown: object


async def check(
    command: str,
    games: Sequence[str] = (),
    *,
    clocks: Clocks | None = None,
    log: Path | None = None,
    tape: Tape | None = None,
    told: Callable[[Trial], None] = lambda trial: None,
) -> Report:
    """Tries the program of a command: over TCP if ``{port}`` stands in it, else over standard input and output.

    `games`: those it claims to play, all if empty. `log` keeps its standard error, `tape` hears all that is said, and
    `told` each trial when it is over.
    """
    examiner = _Examiner(command, clocks or Clocks(), log, tape or Tape(), told)
    for game in games or GAMES:
        await examiner.examine(find_game(game).name)
        if examiner.hopeless:
            break
    return examiner.report


class _Examiner:
    """Goes through the trials with one program."""

    def __init__(
        self, command: str, clocks: Clocks, log: Path | None, tape: Tape, told: Callable[[Trial], None]
    ) -> None:
        self.report = Report(command)
        self.hopeless = False  # it cannot even be started
        self._clocks = clocks
        self._ear = Ear(tape)
        self._told = told
        self._grace = max(self._clocks.startup, END_GRACE)
        self._opener = Pieces(started(command, log))

    async def examine(self, game: str) -> None:
        """All trials of one game."""
        asked, first = sittings(game, self._clocks), list[str | None]()
        if not self.report.trials:
            await self._try("start", "", lambda trial: self._start(trial, asked[0]))
        if self.hopeless:
            return
        played = await self._try("played", game, lambda trial: self._play(trial, game))
        if not (played and await self._try("restart", game, lambda trial: self._restart(trial, game))):
            self._skip(game, "questions", "seed", "odd")
        elif not await self._try("questions", game, lambda trial: self._questions(trial, asked, first)):
            self._skip(game, "seed", "odd")
        else:
            await self._try("seed", game, lambda trial: self._same_seed(trial, asked, first))
            await self._odd(game, asked[0])
        await self._try("leaks", game, lambda trial: _leaks(trial, game))

    async def _try(self, name: str, game: str, body: Callable[[Trial], Awaitable[None]]) -> bool:
        """One trial; whether all went well."""
        trial = Trial(name, game)
        await body(trial)
        self._end(trial)
        return trial.well

    def _end(self, trial: Trial) -> None:
        self.report.trials.append(trial)
        self._told(trial)

    def _skip(self, game: str, *names: str) -> None:
        for name in names:
            self._end(Trial(name, game, skipped=True))

    @asynccontextmanager
    async def _run(self, trial: Trial, hello: Hello) -> AsyncIterator[Interview | None]:
        """A run of the program, up to its end; None if it could not be asked."""
        async with trio.open_nursery() as nursery:
            try:
                interview = await Interview.start(nursery, self._opener, hello, self._ear)
            except Unfit as unfit:
                trial.add([unfit.finding])
                yield None
            else:
                yield interview
                stays = await interview.end(len(hello.names), self._grace)
                if stays and self._grace:  # once is enough to know
                    trial.add(stays)
                    self._grace = 0.0
            nursery.cancel_scope.cancel()

    def _heard(self, trial: Trial, reply: Reply) -> str | None:
        """Notes what came of a question, and gives the answer."""
        trial.count += 1
        trial.add(reply.findings)
        if reply.action is not None:
            self.report.seconds.append(reply.seconds)
        return reply.action

    # ---- trials ---------------------------------------------------------------------------------------------------

    async def _start(self, trial: Trial, sitting: Sitting) -> None:
        """It starts, introduces itself, and leaves when the game is over."""
        async with self._run(trial, sitting.hello) as interview:
            self.hopeless = interview is None
            if interview is not None:
                ready = interview.ready
                self.report.name, self.report.version, self.report.author = ready.name, ready.version, ready.author

    async def _questions(self, trial: Trial, asked: Sequence[Sitting], answers: list[str | None]) -> None:
        """Every question of the game; the answers are kept."""
        bad = 0
        for sitting in asked:
            left = list(sitting.acts)
            while left and bad < BAD_RUNS:
                async with self._run(trial, sitting.hello) as interview:
                    while left and interview is not None and interview.alive:
                        act = left.pop(0)
                        answer = self._heard(trial, await interview.ask(act))
                        answers.append(None if answer is None else canonical(answer, act))
                    bad += interview is None or not interview.alive

    async def _play(self, trial: Trial, game: str) -> None:
        """Whole deals in which its answers count, with everything that it asked to be told."""
        async with self._run(trial, self._seated(game)) as interview:
            if interview is not None:
                await self._deals(trial, interview, table(game, 0, PLAYED_SEAT, self._clocks, interview.ready.wants))

    async def _restart(self, trial: Trial, game: str) -> None:
        """Killed while it thinks in the middle of a deal, started again, asked again."""
        async with self._run(trial, self._seated(game)) as interview:
            if interview is None:
                return
            heard = table(game, 0, PLAYED_SEAT, self._clocks, interview.ready.wants)
            open_question = await self._deals(trial, interview, heard, KILLED_AT)
            if open_question is None:
                return
            interview.tell(open_question)
            await interview.kill()
        async with self._run(trial, self._seated(game)) as interview:
            if interview is not None:
                answer = self._heard(trial, await interview.ask(open_question))
                if answer is not None:
                    await self._deals(trial, interview, heard, answer=canonical(answer, open_question))

    def _seated(self, game: str) -> Hello:
        hello = next(table(game, 0, PLAYED_SEAT, self._clocks))
        assert isinstance(hello, Hello)
        return hello

    async def _deals(
        self, trial: Trial, interview: Interview, heard: Talk, until: int = 0, answer: str = ""
    ) -> Act | None:
        """Play on to the end, or give the question number `until` unasked; `answer` is that to the last question."""
        while interview.alive:
            try:
                message = heard.send(answer) if answer else next(heard)
            except StopIteration:
                return None
            answer = ""
            if isinstance(message, Act):
                if message.id == until:
                    return message
                given = self._heard(trial, await interview.ask(message))
                answer = fallback(message) if given is None else canonical(given, message)
            elif not isinstance(message, Hello | End):  # every run begins and ends with those
                interview.tell(message)
        return None

    async def _same_seed(self, trial: Trial, asked: Sequence[Sitting], first: Sequence[str | None]) -> None:
        """The same questions with the same seeds once more: the answers must be the same."""
        second: list[str | None] = []
        await self._questions(trial, asked, second)
        acts = [act for sitting in asked for act in sitting.acts]
        for act, before, now in zip(acts, first, second, strict=False):
            if trial.well and before != now:
                values = {"id": act.id, "first": before, "second": now}
                sent = f"act {act.id}: {', '.join(act.legal[:8])}"
                trial.add([Finding("check-other-moves", values, sent, f"{before} / {now}")])

    async def _odd(self, game: str, sitting: Sitting) -> None:
        """What a table may do besides asking, one after the other in one run, as long as it lives."""
        odd = {
            "repeat": self._repeat, "unknown": self._unknown, "refused": self._refused, "void": self._void,
            "talk": self._talk, "pieces": self._pieces, "long": self._long,
        }  # fmt: skip
        left = list(odd)
        while left:
            trial = Trial(left[0], game)
            async with self._run(trial, sitting.hello) as interview:
                while left and interview is not None and interview.alive:
                    trial = Trial(left.pop(0), game)
                    act = sitting.acts[len(left) % len(sitting.acts)]
                    await odd[trial.name](trial, interview, msgspec.structs.replace(act, id=1000 * (len(left) + 1)))
                    self._opener.cut, self._opener.hold = False, 0
                    self._end(trial)
                if interview is None:
                    left.pop(0)
                    self._end(trial)

    async def _repeat(self, trial: Trial, interview: Interview, act: Act) -> None:
        """The very same question again, as after a lost connection."""
        for _ in range(2):
            self._heard(trial, await interview.ask(act))

    async def _unknown(self, trial: Trial, interview: Interview, act: Act) -> None:
        """Messages and fields of a later version."""
        weather = Weather(forecast={"rain": [None, {"deep": ["«؟»", '\\"', 1e9]}]})
        fields = msgspec.structs.asdict(act)
        fields["view"] = {"x-first": [{"legal": ["play XX"]}], **act.view, "x-last": '} , "legal": ['}
        self._heard(trial, await interview.ask(WideAct(**fields, x_unknown=[{"id": -1, "legal": []}]), weather))

    async def _refused(self, trial: Trial, interview: Interview, act: Act) -> None:
        """An error after its answer, of each kind that leaves the question open; then one about nothing."""
        for number, kind in enumerate(("illegal", "timeout", "protocol")):
            question = msgspec.structs.replace(act, id=act.id + number)
            if self._heard(trial, await interview.ask(question)) is not None:
                self._heard(trial, await interview.refuse(question, kind))
            if not trial.well:
                return
        nothing = Error(kind="protocol", sentence="about nothing")
        self._heard(trial, await interview.ask(msgspec.structs.replace(act, id=act.id + 3), nothing))

    async def _void(self, trial: Trial, interview: Interview, act: Act) -> None:
        """A question that is cancelled at once, and the next."""
        void = msgspec.structs.replace(act, id=act.id + 1)
        interview.expect(void)
        self._heard(trial, await interview.ask(act, void, Cancel(id=void.id)))

    async def _talk(self, trial: Trial, interview: Interview, act: Act) -> None:
        """A vote, a ping, and what it asked to be told of the table."""
        here = [Presence(seat=0, name="أبو علي", state="stand-in", bot_of=-1)]
        chat = Heard(seat=-1, name='"', text="مساء الخير 🂡\u2028\\n")
        news: list[FromPeer] = [Table(presence=here, done=1, total=4), chat]
        said = [message for message in news if wanted(message, interview.ready.wants)]
        self._heard(trial, await interview.ask(act, *said, Ask(id=1, kind="take-over", seat=2)))
        trial.add(await interview.pong(Ping()))

    async def _pieces(self, trial: Trial, interview: Interview, act: Act) -> None:
        """A question that comes in pieces, and one that comes together with another message."""
        self._opener.cut = True
        self._heard(trial, await interview.ask(act))
        self._opener.cut, self._opener.hold = False, 1
        self._heard(trial, await interview.ask(msgspec.structs.replace(act, id=act.id + 1), Ping()))

    async def _long(self, trial: Trial, interview: Interview, act: Act) -> None:
        """A question almost as long as one may be."""
        room = LONG - len(msgspec.json.encode(act))
        filled = msgspec.structs.replace(act, view={**act.view, "x-long": "long " * (room // 5)})
        self._heard(trial, await interview.ask(filled))


async def _leaks(trial: Trial, game: str) -> None:
    """Our own side: nothing that a seat is sent depends on what it must not know."""
    for seat in range(2):
        compared = await trio.to_thread.run_sync(compare, game, seat)
        trial.count += compared.same
        if compared.different >= 0:
            trial.add([Finding("check-leak", {"number": compared.different, "seat": seat})])

