"""Hints while a person is asked: worked out in a thread, so that the table goes on meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import trio

from bots.sdk import View
from engine.game import Value
from p2p.terminal.advice import Told
from protocol.rules import hints_allowed
from protocol.seat import Act

THINKING = "advice-thinking"


class Adviser:
    """Gives hints to the person of one seat; `tell` hears what becomes of each wish."""

    def __init__(self, tell: Callable[[Told], None]) -> None:
        self._tell = tell
        self._question: Act | None = None
        self._wanted = trio.Event()
        self._one = trio.CapacityLimiter(1)  # thoughts about a question that is void are waited for: they take a moment

    def ask(self, rules: Mapping[str, Value]) -> None:
        """The person wishes a hint; `rules` are those of the table that were chosen."""
        if not hints_allowed(rules):
            self._tell(Told(reason="advice-forbidden"))
        elif self._question is None:
            self._tell(Told(reason="line-not-now"))
        else:
            self._tell(Told(self._question.id, reason=THINKING))
            self._wanted.set()

    async def until(self, answered: trio.Event, question: Act) -> None:
        """Wait for the answer to a question, and give hints meanwhile. When it is answered, or this is cancelled (the
        question is void), hints that are still thought of are void too."""
        self._question, self._wanted = question, trio.Event()
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._advise, question)
                await answered.wait()
                nursery.cancel_scope.cancel()
        finally:
            self._question = None

    async def _advise(self, question: Act) -> None:
        told: Told | None = None
        while True:
            await self._wanted.wait()
            self._wanted = trio.Event()
            if told is None:
                told = await trio.to_thread.run_sync(_thought, question, abandon_on_cancel=True, limiter=self._one)
            self._tell(told)


def _thought(question: Act) -> Told:
    """In a thread. A mistake in the search must not cost the person his seat: he plays without a hint."""
    from bots.search.advice import advise  # who wishes no hint need not wait for it when the program starts

    try:
        return Told(question.id, advise(View.of(question)))
    except Exception:
        return Told(question.id, reason="advice-failed")
