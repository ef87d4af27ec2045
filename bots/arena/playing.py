"""One game of an arena: a board played by one seating, without proofs.

Every bot is asked through `bots.player.Guarded`, as at a real table: an illegal answer is refused once, then the
fallback plays, and each fault is counted by kind. Programs are started anew for each game, so that nothing of one game
can change another, whatever process plays it.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import trio
from msgspec import Struct

from bots.arena.boards import Job, Plan, bot_seed, deal_seed, jobs, start
from bots.arena.statistics import Times
from bots.builtin import NAMES as BUILTIN
from bots.builtin import make
from bots.external import External
from bots.player import FAULTS, Fault, Guarded, InProcess, Notice, fallback
from bots.practice import SeatNews, greeting, seat_view
from bots.programs import PROGRAM, started
from engine.actions import Action, parse_action
from engine.game import Ask, Sealed, asked
from engine.record import Recorder, write
from engine.referee import Referee
from protocol.seat import Clocks, End, FromPeer, act_message

CHEATER = "cheater"
"""Sees all hands: the upper bound of what can be reached. It plays in the arena only, where a referee has the hands."""

BOTS = (*BUILTIN, CHEATER)
"""The bots that can be named."""

NAMES = ("Amal", "Basil", "Celine", "Dawud")
"""Who sits in the seats, as the bots are told: nothing that would tell a bot whom it plays against."""

KINDS = (*FAULTS, "fallback")
"""The faults of a seat in the order in which they are kept; `fallback` counts the moves that were played for it."""

THROWN_IN_LIMIT = 100
"""How often a deal is dealt again before the fallback plays it: bots that always pass would never get to its end."""

LABEL_LENGTH = 40
"""Longest name of a bot in a game record, in characters."""


class Played(Struct, frozen=True, kw_only=True):
    """What came of one game, as a line of the log keeps it.

    packs   what the packs came from
    points  of each deal, by seat
    faults  by seat, as many numbers as there are `KINDS`
    times   by seat, how long its moves took: pairs of a bucket of `Times` and how many fell into it
    moves   of the whole game, every deal and score included: the SHA-256 of its record, in hex
    """

    board: int
    seating: tuple[int, ...]
    packs: str
    points: tuple[tuple[int, ...], ...]
    faults: tuple[tuple[int, ...], ...]
    times: tuple[tuple[tuple[int, int], ...], ...]
    moves: str

    def job(self, plan: Plan) -> Job:
        """Which game of the plan it was."""
        return jobs(plan, self.board)[0] if plan.proved else Job(self.board, self.seating)

    @property
    def totals(self) -> tuple[int, ...]:
        """Points of the game, by seat."""
        return tuple(map(sum, zip(*self.points, strict=True)))


class Game(Struct, frozen=True):
    """A game that was played, and its record as text."""

    played: Played
    record: str


class Direct(InProcess):
    """A built-in bot called where the game is played, without a thread and so without a clock: what it plays must not
    depend on how busy the machine is."""

    async def _call(self, function: Callable[[], None], limit: float) -> None:
        try:
            function()
        except Exception as error:
            raise Fault("crash") from error


def play(plan: Plan, job: Job, errors: str = "") -> Game:
    """Play one game. What programs write to standard error is appended to files in the folder `errors`, if given."""
    return trio.run(_play, plan, job, errors)


async def _play(plan: Plan, job: Job, errors: str) -> Game:
    referee = start(plan, job.board)
    names = NAMES[: plan.rules.seats]
    recorder = Recorder(referee, [label(plan.distinct[bot]) for bot in job.seating])
    async with trio.open_nursery() as nursery:
        seats = [
            _Seat(referee, seat, _player(plan, job, referee, seat, nursery, errors), plan.seconds)
            for seat in range(len(job.seating))
        ]
        for seat in seats:
            seed, clocks = bot_seed(plan, job.board, seat.number), Clocks(move=plan.seconds)
            options = dict(referee.state.options)
            await seat.player.hello(greeting(plan.rules, options, seat.number, names, seed, clocks))
        await _deals(referee, seats, plan.board.deals)
        end = End(totals=list(referee.state.totals), winners=list(referee.state.winners))
        for seat in seats:
            await seat.tell(end)
            await seat.player.aclose()
        nursery.cancel_scope.cancel()
    text = write(recorder.record)
    played = Played(
        board=job.board,
        seating=job.seating,
        packs=deal_seed(plan, job.board),
        points=tuple(result.points for result in referee.state.results),
        faults=tuple(seat.faults() for seat in seats),
        times=tuple(seat.times.pairs() for seat in seats),
        moves=hashlib.sha256(text.encode()).hexdigest(),
    )
    return Game(played, text)


async def _deals(referee: Referee, seats: Sequence[_Seat], deals: int) -> None:
    """Play so many deals. A seat that can do one thing only is not asked."""
    while isinstance(step := referee.advance_until_scored(deals), Ask | Sealed):
        chosen = {seat: await seats[seat].choose() for seat in asked(step)}
        if isinstance(step, Sealed):
            referee.act_at_once(chosen)
        else:
            referee.act(step.seat, chosen[step.seat])


def _player(plan: Plan, job: Job, referee: Referee, seat: int, nursery: trio.Nursery, errors: str) -> Guarded:
    bot = plan.distinct[job.seating[seat]]
    if bot == CHEATER:
        from bots.search.player import Cheater  # what it needs takes a moment, which no other command should wait for

        return Direct(Cheater(lambda: referee.hands))
    if not bot.startswith(PROGRAM):
        return Direct(make(bot))
    log = Path(errors) / f"{name_of(job)}-seat-{seat}.stderr.txt" if errors else None

    def noticed(notice: Notice) -> None:
        if notice.code == "bot-not-found":  # at a table its owner is told; here a row without a fault would lie
            player.faults.crash += 1

    player = External(nursery, started(bot.removeprefix(PROGRAM), log), notice=noticed)
    return player


class _Seat:
    """A seat of the table and who plays it."""

    def __init__(self, referee: Referee, number: int, player: Guarded, seconds: float) -> None:
        self.number = number
        self.player = player
        self.times = Times()
        self._referee = referee
        self._seconds = seconds if isinstance(player, External) else None  # built-in bots have no clock
        self._asked = 0
        self._news: list[FromPeer] = []
        self._teller = SeatNews(referee, number, NAMES, self._news.append) if _may_want_news(player) else None

    async def choose(self) -> Action:
        """The seat's next action: always legal."""
        actions = self._referee.legal(self.number)
        if len(actions) == 1:
            return actions[0]
        if self._teller is not None:
            self._teller.look()
            await self._pass_on()
        self._asked += 1
        view = seat_view(self._referee, self.number, NAMES[: len(self._referee.hands)])
        message = act_message(self._asked, view, self._seconds)
        if len(self._referee.state.redeals) >= THROWN_IN_LIMIT:
            self.player.faults.fallback += 1
            return parse_action(fallback(message))
        since = time.perf_counter()
        answer = await self.player.act(message)
        self.times.add(time.perf_counter() - since)
        return parse_action(answer)

    async def tell(self, message: FromPeer) -> None:
        """Something that needs no answer, after what happened before it."""
        await self._pass_on()
        await self.player.tell(message)

    async def _pass_on(self) -> None:
        for message in self._news:
            await self.player.tell(message)
        self._news.clear()

    def faults(self) -> tuple[int, ...]:
        """How often the bot did what it should not, in the order of `KINDS`."""
        return tuple(getattr(self.player.faults, kind) for kind in KINDS)


def _may_want_news(player: Guarded) -> bool:
    """A program tells what it wants when it starts; of a built-in bot it is known."""
    return isinstance(player, External) or "events" in player.wants


def shortened(bot: str, letters: int) -> str:
    """A bot's name in at most so many letters. Programs differ at the end of their commands rather than before it."""
    before = (letters - 1) // 3
    return bot if len(bot) <= letters else f"{bot[:before]}…{bot[before + 1 - letters :]}"


def label(bot: str) -> str:
    """A bot's name in a game record, where ``#`` begins a comment."""
    shown = "".join(letter if letter.isprintable() and letter != "#" else " " for letter in bot)
    return shortened(shown.strip(), LABEL_LENGTH)


def name_of(game: Job | Played) -> str:
    """A game's name for its files: board and seating."""
    return f"board-{game.board:05}-{'-'.join(map(str, game.seating))}"
