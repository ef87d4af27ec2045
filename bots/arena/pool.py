"""Where the games of an arena are played: in this process, or in worker processes beside it.

A worker is a fresh interpreter (`spawn`, which every platform has) at the other end of a pipe. It is given jobs, and
gives back games; it ends when its pipe does, so no worker outlives an arena that was killed. When the arena has enough
(or Ctrl-C came), it breaks off the games that its workers play, and the programs in these games are ended.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import FrameType
from typing import Protocol

from bots.arena.boards import Job, Plan
from bots.arena.playing import Game
from protocol.errors import Refused

AHEAD = 2
"""Games that a worker is given at once: it need not wait for the next, and little is lost when it is stopped."""

END_GRACE = 5.0
"""Seconds that a worker has to end the programs it has started, before it is killed."""

Play = Callable[[Plan, Job, str], Game]
"""Plays one game: `bots.arena.playing.play`, or another function of a module (workers are told its name)."""


class Pool(Protocol):
    """Where games are played. `capacity` is how many it should be given at once."""

    capacity: int

    def submit(self, job: Job) -> None:
        """A game to play."""
        ...

    def take(self) -> Game:
        """The next game that is finished; waits for it. Raises Refused('arena-worker-ended')."""
        ...

    def close(self) -> None:
        """Drop what was not finished."""
        ...


def finished(pool: Pool, jobs: Iterable[Job]) -> Iterator[Game]:
    """The games of these jobs in the order in which they are finished; the pool always has as many as it should."""
    waiting = iter(jobs)
    given = 0
    while True:
        while given < pool.capacity and (job := next(waiting, None)) is not None:
            pool.submit(job)
            given += 1
        if not given:
            return
        game = pool.take()
        given -= 1
        yield game


class Here:
    """In this process, one after the other."""

    capacity = 1

    def __init__(self, play: Play, plan: Plan, errors: str = "") -> None:
        self._play = play
        self._plan = plan
        self._errors = errors
        self._jobs: deque[Job] = deque()

    def submit(self, job: Job) -> None:
        """It is played when it is asked for."""
        self._jobs.append(job)

    def take(self) -> Game:
        """Play the next one."""
        try:
            return self._play(self._plan, self._jobs.popleft(), self._errors)
        except BaseExceptionGroup as group:
            if group.subgroup(KeyboardInterrupt) is not None:
                raise KeyboardInterrupt from group
            raise

    def close(self) -> None:
        """Nothing to end."""


class Workers:
    """In so many processes."""

    def __init__(self, play: Play, plan: Plan, count: int, errors: str = "") -> None:
        context = get_context("spawn")
        self.capacity = AHEAD * count
        self._pipes: list[Connection] = []
        self._processes: list[SpawnProcess] = []
        self._given: dict[Connection, int] = {}
        interrupt = signal.signal(signal.SIGINT, signal.SIG_IGN)  # inherited: they shall not complain while they start
        try:
            for _ in range(count):
                ours, theirs = context.Pipe()
                process = context.Process(target=work, args=(theirs, play, plan, errors), daemon=True)
                process.start()
                theirs.close()
                self._pipes.append(ours)
                self._processes.append(process)
                self._given[ours] = 0
        finally:
            signal.signal(signal.SIGINT, interrupt)

    def submit(self, job: Job) -> None:
        """Given to whoever has least to do."""
        pipe = min(self._pipes, key=self._given.__getitem__)
        self._given[pipe] += 1
        try:
            pipe.send(job)
        except OSError:
            raise Refused("arena-worker-ended") from None

    def take(self) -> Game:
        """What comes first from any of them."""
        for ready in wait(self._pipes):
            assert isinstance(ready, Connection)
            try:
                game: Game = ready.recv()
            except (EOFError, OSError):
                raise Refused("arena-worker-ended") from None
            self._given[ready] -= 1
            return game
        raise AssertionError("nothing to wait for")

    def close(self) -> None:
        """End all of them."""
        for pipe in self._pipes:
            pipe.close()
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join(END_GRACE)
            if process.is_alive():
                process.kill()
                process.join()
            process.close()


def work(pipe: Connection, play: Play, plan: Plan, errors: str) -> None:
    """What a worker does until its pipe ends or it is told to."""
    playing = False

    def stop(number: int, frame: FrameType | None) -> None:
        """As Ctrl-C would: trio's own handler knows where it may break in, and the programs are ended on the way."""
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough
        interrupt = signal.getsignal(signal.SIGINT)
        if not playing or not callable(interrupt):
            os._exit(0)
        interrupt(signal.SIGINT, frame)

    if hasattr(os, "setpgid"):
        os.setpgid(0, 0)  # Ctrl-C in the terminal is for the arena, which then ends us
    signal.signal(signal.SIGINT, signal.default_int_handler)  # so that trio puts its own in its place
    signal.signal(signal.SIGTERM, stop)
    here = Here(play, plan, errors)
    try:
        while True:
            here.submit(pipe.recv())
            playing = True
            game = here.take()
            playing = False
            pipe.send(game)
    except (EOFError, OSError):
        pass  # the arena is over
    except KeyboardInterrupt:
        os._exit(0)
