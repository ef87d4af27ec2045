"""The same games on an existing Dask cluster, where one machine is not enough (``pip install 'majlis[dask]'``).

Majlis must be installed on every machine of the cluster, in the same version; a bot that is a program must be there
too.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from bots.arena.boards import Job, Plan
from bots.arena.playing import Game, play
from protocol.errors import Refused

AHEAD = 2
"""Games waiting for each thread of the cluster, so that none of them has to wait for us."""

CONNECT_SECONDS = 10
"""How long a scheduler may take to answer."""


def own_version() -> str:
    """The version of Majlis that is installed here."""
    return version("majlis")


class Cluster:
    """The workers of a Dask scheduler. Raises Refused: ``arena-no-dask``, ``arena-dask-unreachable``,
    ``arena-dask-version``."""

    def __init__(self, address: str, plan: Plan) -> None:
        try:
            from distributed import Client, as_completed
        except ImportError:
            raise Refused("arena-no-dask") from None
        try:
            self._client: Any = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise Refused("arena-dask-unreachable", {"address": address, "reason": str(error)}) from None
        self._plan = plan
        self._finished: Any = as_completed(loop=self._client.loop)
        try:
            self._check()
        except BaseException:
            self.close()
            raise
        self.capacity = AHEAD * max(1, sum(self._client.nthreads().values()))

    def _check(self) -> None:
        """All workers must play by the same rules."""
        try:
            found: dict[str, str] = self._client.run(own_version)
        except Exception as error:  # whatever a worker raises, such as that it cannot import this module
            raise Refused("arena-dask-version", {"worker": "?", "theirs": str(error), "ours": own_version()}) from None
        if not found:
            raise Refused("arena-dask-empty")
        for worker, theirs in found.items():
            if theirs != own_version():
                raise Refused("arena-dask-version", {"worker": worker, "theirs": theirs, "ours": own_version()})

    def submit(self, job: Job) -> None:
        """Whichever worker is free plays it."""
        self._finished.add(self._client.submit(play, self._plan, job, pure=False))

    def take(self) -> Game:
        """What comes first from any of them."""
        try:
            game: Game = next(self._finished).result()
        except Exception as error:  # Dask tells what went wrong over there in many ways
            raise Refused("arena-dask-failed", {"reason": str(error)}) from error
        return game

    def close(self) -> None:
        """Games that have not begun are dropped by the scheduler when we are gone."""
        self._client.close()
