"""A person at the table on the full screen: the front on trio's side, which makes scenes of what happens."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import replace

import trio

from bots.player import fallback
from engine.game import Result
from p2p.language import clean_text, t
from p2p.lobby import LobbyNews
from p2p.terminal.adviser import Adviser
from p2p.terminal.console import Commands
from p2p.terminal.front import Watched
from p2p.terminal.narrator import Narrator
from p2p.terminal.screen.app import Screen, interrupt
from p2p.terminal.screen.ending import Ending
from p2p.terminal.screen.lobby.terms import TermsPage
from p2p.terminal.screen.lobby.waiting import WaitingPage
from p2p.terminal.screen.scene import Answer, Command, Interrupt, News, Question, Scene
from p2p.terminal.screen.table_page import TablePage
from protocol import seat as seat_protocol
from protocol.table import events
from protocol.table.events import Event

PLAY_SECONDS = 0.45
TRICK_SECONDS = 1.4
KITTY_SECONDS = 2.5
SCORE_SECONDS = 6.0
"""How long a played card, a whole trick, the open kitty and the points of a deal stay before what follows is shown, for
people to see what happened when bots answer at once. Any key goes on; the table itself does not wait."""

PACES = {"normal": 1.0, "slow": 2.0, "off": 0.0}
"""How much of these seconds the person wants, by `p2p.settings.Settings.pace`."""

NEWS_KEPT = 500
"""Lines that are kept for the history."""

AFTERWARDS = ("save", "invite")
"""Commands that need no table any more."""

COMMAND_SHOWN = 40
"""Characters of a command that nobody knows."""


class ScreenTable(Narrator):
    """The player of a person's seat, and what he sees.

    What happened before the screen shows a table (in the lobby) is told as news too.
    """

    def __init__(self, screen: Screen) -> None:
        super().__init__()
        self.screen = screen
        self.commands: Commands = {}
        self.info: Mapping[str, object] | None = None  # a person keeps his notes to himself
        self.away = False
        self._adviser = Adviser(screen.post)
        self._watched: Watched | None = None
        self._question: Question | None = None
        self._answer: str | None = None
        self._answered = trio.Event()
        self._results: tuple[Result, ...] = ()
        self._scored: Result | None = None
        self._news: deque[News] = deque(maxlen=NEWS_KEPT)
        self._waiting = False  # the waiting room is shown, or was
        self._agreed = False
        self._shown = False
        self._ending = Ending()

    # --- what is told -------------------------------------------------------------------------------------------------

    def say(self, text: str, important: bool = False) -> None:
        """A line of news."""
        for line in text.split("\n"):
            self._tell_news(News(line, important=important, private=self._private))

    def hear(self, author: str, text: str) -> None:
        """Somebody at the table said something."""
        self._tell_news(News(text, author))

    def _tell_news(self, news: News) -> None:
        self._news.append(news)
        self.screen.post(news)

    def dealt(self) -> None:
        """The hand is in the scene."""

    def ended(self) -> None:
        """The score sheet has a key of its own; who won should stay in sight."""

    def begin_deal(self) -> None:
        """The points of the deal before have been seen."""
        self._scored = None
        self._ending.begin_deal()

    def attach(self, watched: Watched) -> None:
        """The peer can be looked at from now on."""
        self._watched = watched
        self.screen.afterwards = self._afterwards
        self._enter_waiting_room()  # until it is known what there is to see

    def _afterwards(self, wish: Command, nursery: trio.Nursery) -> None:
        """After the game, what needs no table."""
        if self._watched is not None and wish.name in AFTERWARDS:
            self._watched.work_in(nursery)
            self._command(wish.name, wish.rest)
        else:
            self.say(t("over-already"))

    def changed(self) -> None:
        """Presence, clocks, proofs: the same moment, looked at again."""
        self._show()

    def restore(self, names: list[str], scores: list[list[int]], totals: list[int]) -> None:
        """What was played before an interruption."""
        super().restore(names, scores, totals)
        if self.state is not None:
            self._results = tuple(self.state.results)
        self._show()

    # --- before the game ----------------------------------------------------------------------------------------------

    def lobby(self, told: LobbyNews) -> None:
        """The waiting room, until there is a table to see."""
        if told.running or self._shown:
            return
        if not self._waiting:
            self._enter_waiting_room()
        self.screen.post(told)

    def _enter_waiting_room(self) -> None:
        news, screen, commands = tuple(self._news), self.screen, self.commands
        self._waiting = True
        screen.post(lambda: screen.ui.show(WaitingPage(screen.ui, commands, news)))

    async def agree(self, told: LobbyNews) -> bool:
        """Show the terms, and wait for an answer."""
        screen, self._answered = self.screen, trio.Event()
        self._waiting = False
        screen.post(lambda: screen.ui.show(TermsPage(screen.ui, told)))
        await self._answered.wait()
        return self._agreed

    async def observe(self, event: Event) -> None:
        """Something happened: news, and a new scene."""
        seat, hold = -1, 0.0
        match event:
            case events.Scored(result):
                self._results, self._scored, hold = (*self._results, result), result, SCORE_SECONDS
            case events.Kitty():
                hold = KITTY_SECONDS
            case events.Acted(seat, action):
                hold = PLAY_SECONDS if action.verb == "play" else 0.0
        await super().observe(event)
        if isinstance(event, events.Acted) and self._course.taker >= 0 and event.action.verb == "play":
            hold = TRICK_SECONDS
        self._show(hold, seat, event)

    def _show(self, hold: float = 0.0, moved: int = -1, event: Event | None = None) -> None:
        scene = self._scene(event)
        if scene is None:
            return
        if not self._shown:
            self._shown = True
            news, screen = tuple(self._news), self.screen
            screen.post(lambda: screen.ui.show(TablePage(screen.ui, news)))
        pace = PACES[self.screen.ui.settings.pace]
        self.screen.post(replace(scene, hold=hold * pace, moved=moved))

    def _scene(self, event: Event | None) -> Scene | None:
        watched = self._watched
        now = None if watched is None else watched.view()
        if watched is None or now is None:
            return None
        view = self._ending.see(now, event)
        course = self._course
        return Scene(
            view,
            view["seat"] if isinstance(view["seat"], int) else -1,
            self._question,
            course.lying(),
            course.taker,
            course.gathered(),
            course.took,
            tuple(course.moves),
            scored=self._scored,
            results=self._results,
            presence=watched.presence_now(),
            at=time.monotonic(),
            verified=watched.verified(),
            busy=watched.busy(),
            away=self.away,
            rules=tuple(watched.rules().items()),
        )

    # --- the seat -----------------------------------------------------------------------------------------------------

    async def act(self, message: seat_protocol.Act) -> str:
        """Ask the person; everything else goes on meanwhile."""
        if self.away:
            return fallback(message)
        until = math.inf if message.seconds is None else time.monotonic() + message.seconds
        self._question, self._answer = Question(message.id, tuple(message.legal), until), None
        self._answered = trio.Event()
        self._show()
        try:
            await self._adviser.until(self._answered, message)
        finally:
            self._question = None
            self._show()
        return self._given() or fallback(message)

    def _given(self) -> str | None:
        return self._answer

    async def aclose(self) -> None:
        """Nothing to close: the screen outlives the table."""

    async def listen(self, seated: bool) -> None:
        """Take the person's wishes."""
        async for wish in self.screen.wishes:
            match wish:
                case Answer(question, action):
                    if self._question is not None and question == self._question.id:
                        self._answer = action
                        self._answered.set()
                case Command(name, rest):
                    self._command(name, rest)
                case Interrupt():
                    interrupt()
                case _:
                    pass  # of a page that was left meanwhile

    def _command(self, name: str, rest: str) -> None:
        match name:
            case "away":
                self.away = True
                self.say(t("line-away"))
                self._answered.set()
                self._show()
            case "back":
                self.away = False
                self.say(t("line-back"))
                self._show()
            case "agree":
                self._agreed = rest == "yes"
                self._answered.set()
            case "hint":
                self._adviser.ask({} if self._watched is None else self._watched.rules())
            case "invite":
                self._copy_invite()
            case _ if name in self.commands:
                self.commands[name](rest)
            case _:
                self.say(t("prompt-unknown", command=clean_text(f"/{name}", COMMAND_SHOWN)))

    def _copy_invite(self) -> None:
        line, ui = "" if self._watched is None else self._watched.invite(), self.screen.ui
        if line:
            self.screen.post(lambda: setattr(ui, "copy", line))
            self.say(line)
        self.say(t("invite-copied" if line else "invite-none"))
