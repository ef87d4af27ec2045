"""Programs that play a seat: started by the peer and spoken to over their standard input and output, or connected to it
over loopback TCP. Any language, either encoding of `protocol.seat`.

A program is a stranger with good intentions: it may hang, crash, write garbage or a line without end, or not read what
it is sent. None of that may hold up the table. So each run of a program is a `bots.session.Session` that ends all at
once::

    opener.open() ──> Session ──ready──> in use ──EOF, garbage without end, stall──> killed
          ^                                                     │
          └──────────── at most RESTARTS times a game ──────────┘      then the peer plays on by itself

A peer makes one with `External(nursery, Program(command, log))` or `External(nursery, await Loopback.listen(…))`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import trio

from bots.player import Fault, Gone, Guarded, Notice, Say, in_words
from bots.programs import LAST_WORDS, Ending, Opener
from bots.session import FromBot, Session
from bots.transcript import Tape
from protocol.errors import Malformed
from protocol.seat import Act, Answer, Away, Bye, Error, FromPeer, Hello, Ready, agree_untrusted

RESTARTS = 3
"""How often a game a program that ended is started again; one that fails four times will fail a fifth time."""


class External(Guarded):
    """A program as a player. Its tasks run in `nursery`; cancelling that, or `aclose`, ends the program.

    `said` is given what the program says without being asked (votes, chat, away, bye); `tape` hears all of it.
    """

    def __init__(
        self,
        nursery: trio.Nursery,
        opener: Opener,
        *,
        say: Say = in_words,
        notice: Callable[[Notice], None] = lambda _: None,
        said: Callable[[FromBot], None] = lambda _: None,
        tape: Tape | None = None,
    ) -> None:
        super().__init__(say=say, notice=notice)
        self._nursery = nursery
        self._opener = opener
        self._said = said
        self._tape = tape
        self._session: Session | None = None
        self._hello: Hello | None = None
        self._starts = 0
        self._gone = False  # it said goodbye, or it is of no use to start it again
        self._awaited: trio.CancelScope | None = None  # the wait for one that was not there in time

    @property
    def ready(self) -> Ready | None:
        """How the program introduced itself."""
        return None if self._session is None else self._session.ready

    @property
    def wants(self) -> Sequence[str]:
        """As the program said in `ready`."""
        return () if self.ready is None else self.ready.wants

    async def aclose(self) -> None:
        """The program is told that nothing more comes, and ended if it does not end by itself."""
        self._gone = True
        if self._awaited is not None:
            self._awaited.cancel()
        if self._session is not None:
            await self._session.finish()

    def _alive(self) -> bool:
        return not self._gone

    def _running(self) -> bool:
        return self._session is not None and not self._session.ending and self._awaited is None

    @property
    def _ended(self) -> Ending:
        """How its last run ended."""
        return Ending() if self._session is None else self._session.ended

    def _faulty(self, fault: Fault) -> None:
        if fault.kind == "stall" and self._session is not None:
            self._session.cancel()
        if self._starts > RESTARTS and not self._running():
            self._give_up()

    def _give_up(self) -> None:
        """From now on the peer plays by itself."""
        if not self._gone:
            self._gone = True
            self._notice(Notice("bot-gave-up", ending=self._ended))

    async def _greet(self, message: Hello) -> None:
        self._hello = message
        if self._running():
            assert self._session is not None
            self._session.post(message)
        else:
            await self._start()

    async def _put(self, message: Act, error: Error | None) -> None:
        if self._session is not None and self._session.trusted:  # what a stranger did is no fault of the program
            await self._end_of(self._session)
            for fault in self._session.clear_mail(message.id):
                self._count(fault)
        if not self._running():
            if not self._alive():
                raise Gone
            await self._start()
        session = self._session
        assert session is not None
        again = error is not None and session.question == message.id
        session.question = message.id
        written = session.post(error if again and error is not None else message)
        with trio.move_on_after(self._clocks.move) as scope:
            await written.wait()
        if scope.cancelled_caught:
            raise Fault("stall")

    async def _end_of(self, session: Session) -> None:
        """How a run that is ending ended, if that does not take long."""
        if session.ending:
            with trio.move_on_after(2 * LAST_WORDS):
                await session.over.wait()

    async def _take(self, number: int) -> tuple[Answer, float]:
        assert self._session is not None
        while True:
            mail, arrived = await self._session.inbox.receive()
            answer = self._judge(mail, number)
            if answer is not None:
                return answer, arrived

    def _arrived(self, number: int) -> tuple[Answer, float] | None:
        assert self._session is not None
        while (found := self._session.next_mail()) is not None:
            answer = self._judge(found[0], number)
            if answer is not None:
                return answer, found[1]
        return None

    def _judge(self, mail: Answer | Fault | Gone, number: int) -> Answer | None:
        if isinstance(mail, Fault | Gone):
            raise mail
        return mail if mail.id == number else None  # an answer to an earlier question came too late

    async def _tell(self, message: FromPeer) -> None:
        if self._running():
            assert self._session is not None
            try:
                self._session.post(message)
            except Fault as fault:
                self._count(fault)

    async def _start(self) -> None:
        """Starts the program (again) and greets it. Raises Fault, Gone."""
        if self._awaited is not None:
            raise Gone  # played for until it comes
        if self._starts > RESTARTS:
            self._give_up()
            raise Gone
        self._starts += 1
        if self._starts > 1:
            code = "bot-left" if self._opener.patient else "bot-crashed"
            self._notice(Notice(code, {"count": self._starts - 1, "limit": RESTARTS}, self._ended))
        with trio.move_on_after(self._clocks.startup):
            while not await self._introduce():
                pass  # a stranger; wait for the next
            return
        if not self._opener.patient:
            raise Fault("stall")
        self._awaited = trio.CancelScope()
        self._nursery.start_soon(self._wait_for_it, self._awaited)
        self._notice(Notice("bot-awaited"))
        raise Gone

    async def _wait_for_it(self, scope: trio.CancelScope) -> None:
        """Hold the door open for a program that comes late. The table waits no longer."""
        introduced = False
        with scope:
            while not introduced:
                with trio.move_on_after(self._clocks.startup):
                    try:
                        introduced = await self._introduce()
                    except Gone:
                        return
        if introduced:
            self._awaited = None

    async def _introduce(self) -> bool:
        """Opens a session and hears `ready`. False for a stranger, who has shown no token or a wrong one: what he does
        is no fault of the program. Raises Fault, Gone."""
        try:
            line = await self._opener.open()
        except OSError as error:
            self._gone = True
            self._notice(Notice("bot-not-found", {"command": str(self._opener), "reason": str(error)}))
            raise Gone from error
        session = self._session = Session(line, self._hear, self._tape, self._opener.token)
        self._nursery.start_soon(session.run)
        try:
            await session.ready_or_over.wait()
        except trio.Cancelled:
            session.cancel()
            raise
        if session.ready is None and self._opener.patient:
            return False
        if session.ready is None:
            raise next(iter(session.clear_mail()), Fault("crash"))
        if not session.trusted:
            await self._refuse(session, "token", "seat-token", {})
            if not self._opener.patient:  # we started it ourselves, so it was most likely no stranger
                raise Fault("protocol", code="seat-token")
            return False
        try:
            agree_untrusted(session.ready.versions)
        except Malformed as malformed:
            await self._refuse(session, "version", malformed.code, malformed.values)
            self._gone = True
            self._notice(Notice("bot-protocol", {"reason": self._say(malformed.code, malformed.values)}))
            raise Gone from malformed
        if self._hello is not None:
            session.post(self._hello)
        return True

    async def _refuse(self, session: Session, kind: str, code: str, values: Mapping[str, object]) -> None:
        session.post(Error(kind=kind, sentence=self._say(code, values)))
        await session.finish()
        session.clear_mail()  # that it left then is no crash

    def _hear(self, message: FromBot) -> None:
        match message:
            case Away():
                self.away = message.away
            case Bye():
                self._gone = True
        self._said(message)
