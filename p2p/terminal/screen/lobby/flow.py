"""From one page to the next, to a table, and back: a task on trio that reads what a person wishes, and does it."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

import trio

from engine.game import Illegal
from p2p import tables
from p2p.hosting import Hosting
from p2p.lan import Found, seek, words_of
from p2p.language import current, t
from p2p.link import Closed
from p2p.sitting import Evening, Sitter
from p2p.terminal.front import Front
from p2p.terminal.screen.app import Screen, interrupt
from p2p.terminal.screen.lobby.form import FormPage
from p2p.terminal.screen.lobby.kept import KeptPage
from p2p.terminal.screen.lobby.near import Heard, Near, NearPage
from p2p.terminal.screen.lobby.start import StartPage
from p2p.terminal.screen.lobby.wishes import (
    Join,
    Leave,
    Open,
    Place,
    Resume,
    ToForm,
    ToKept,
    ToNear,
    ToStart,
    Wish,
)
from p2p.terminal.screen.player import ScreenTable
from p2p.terminal.screen.scene import Interrupt
from p2p.terminal.screen.settings_pane import change
from p2p.terminal.screen.ui import Page, Ui
from p2p.trouble import first_known, told
from protocol.errors import Refused

Session = Callable[[Front, Evening], Awaitable[None]]
"""Sitting at one table, from sitting down to leaving it."""


class Flow:
    """One person's way through the pages. `hosting` is how the form is filled in at first; whoever joins has the same
    name. `evening` is always that of the last table."""

    def __init__(self, screen: Screen, evening: Evening, hosting: Hosting) -> None:
        self.screen = screen
        self.evening = evening
        self.hosting = hosting
        self._words: dict[tuple[str, bytes], tuple[str, ...]] = {}  # by language and certificate

    async def run(self, first: Place) -> None:
        """From this page on, until the person leaves."""
        wish: Wish = first
        while not isinstance(wish, Leave):
            wish = await self._do(wish)
        self.evening.another()

    async def _do(self, wish: Wish) -> Wish:
        """Do what is wished; what is wished then."""
        match wish:
            case ToStart(said):
                kept = await trio.to_thread.run_sync(tables.resumable)
                return await self._page(lambda ui: StartPage(ui, self.name, len(kept), said))
            case ToForm(hosting, said, at):
                return await self._page(lambda ui: FormPage(ui, hosting or self.hosting, said, at))
            case ToNear(said):
                return await self._look_around(said)
            case ToKept(said):
                found = await trio.to_thread.run_sync(tables.resumable)
                return await self._page(lambda ui: KeptPage(ui, found, said))
            case Open(hosting):
                self._named(hosting.sitter.name)
                self.hosting = hosting
                waited = replace(hosting, sitter=replace(hosting.sitter, ready=hosting.among_bots))
                back = partial(ToForm, hosting, at="port")
                return await self._sit(lambda front, evening: tables.host(waited, front, evening), back)
            case Join(way, name):
                self._named(name)
                sitter = Sitter(self.name, ready=False)
                return await self._sit(lambda front, evening: tables.join(way, sitter, front, evening, name), ToNear)
            case Resume(listed):
                resumed = partial(tables.resume, listed, ready=False)
                return await self._sit(resumed, ToKept)
            case Leave():
                return wish

    @property
    def name(self) -> str:
        """The name the person plays under."""
        return self.hosting.sitter.name

    def _named(self, name: str) -> None:
        """The person has another name from now on, and the next time."""
        if name and name != self.name:
            self.hosting = replace(self.hosting, sitter=replace(self.hosting.sitter, name=name))
            self.screen.post(lambda: change(self.screen.ui, "name", name))

    async def _page(self, make: Callable[[Ui], Page]) -> Wish:
        """Show a page until something is wished there."""
        screen = self.screen
        screen.post(lambda: screen.ui.show(make(screen.ui)))
        async for wish in screen.wishes:
            if isinstance(wish, Wish):
                return wish
            if isinstance(wish, Interrupt):
                interrupt()
        return Leave()

    # --- at a table ---------------------------------------------------------------------------------------------------

    async def _sit(self, session: Session, back: Callable[[str], Wish]) -> Wish:
        """Sit at a table until it is over or left. `back` is where one is if it could not be done, and hears why."""
        evening = self.evening
        evening.another()
        try:
            await session(ScreenTable(self.screen), evening)
        except (Refused, Illegal, Closed) as trouble:
            return self._failed(trouble, back)
        except BaseExceptionGroup as group:
            known = first_known(group)
            if not isinstance(known, Refused | Illegal | Closed):
                raise
            return self._failed(known, back)
        if evening.finished:
            if not await self.screen.until_left():
                return Leave()
            return ToStart(t("goodbye"))
        kept = evening.store is not None and evening.store.exists()
        return ToStart(t("start-left") if kept else "")

    def _failed(self, trouble: Refused | Illegal | Closed, back: Callable[[str], Wish]) -> Wish:
        begun = self.evening.peer is not None and self.evening.peer.height > 0
        return ToStart(told(trouble)) if begun else back(told(trouble))

    # --- the network --------------------------------------------------------------------------------------------------

    async def _look_around(self, said: str) -> Wish:
        """The page that finds tables, while one listens for them."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._listen)
            wish = await self._page(lambda ui: NearPage(ui, self.name, said))
            nursery.cancel_scope.cancel()
        return wish

    async def _listen(self) -> None:
        """Tell the page what is heard, until cancelled."""
        tell, heard = trio.open_memory_channel[tuple[Found, ...]](math.inf)
        try:
            async with trio.open_nursery() as nursery:
                await nursery.start(seek, tell.send_nowait)
                async for found in heard:
                    while heard.statistics().current_buffer_used:
                        found = heard.receive_nowait()  # false tables come and go faster than their words are made
                    near = [Near(one, await self._words_of(one.certificate_hash)) for one in found]
                    self._words = {key: told for key, told in self._words.items() if key[1] in _certificates(found)}
                    self.screen.post(Heard(tuple(near)))
        except* Refused as group:
            known = first_known(group)
            self.screen.post(Heard(trouble=told(known) if isinstance(known, Refused) else ""))

    async def _words_of(self, certificate: bytes) -> tuple[str, ...]:
        key = current().code, certificate
        if key not in self._words:
            self._words[key] = await trio.to_thread.run_sync(words_of, certificate)
        return self._words[key]


def _certificates(found: tuple[Found, ...]) -> set[bytes]:
    return {one.certificate_hash for one in found}
