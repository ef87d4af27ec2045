"""One run of a program that plays a seat, from its first byte to its end.

Three tasks (reading, writing, its log); everything between them and the peer is bounded, and ending the session ends
all of it. What is said can be kept (`bots.transcript`).

Over TCP anybody on this machine may be at the other end. Until a `ready` has shown the token, nothing that is said
there counts: it would be said in the player's name.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable

import trio

from bots.player import Fault, Gone
from bots.programs import Ending, Line
from bots.transcript import Tape
from protocol.errors import Malformed
from protocol.seat import Answer, Away, Bye, Codec, Encoding, FromPeer, FromPlayer, Pong, Ready, Vote, peer_codec
from protocol.seat import Say as Chat

GARBAGE_LIMIT = 20
"""Bad messages of one run before it is ended: some stray prints are a mistake, more are not a conversation."""

UNASKED_LIMIT = 64
"""Messages between two questions before a run is ended: votes and chat need a handful."""

OUTBOX = 256
"""Messages waiting for a program that does not read; a whole deal of events has some eighty."""

END_GRACE = 1.0
"""Seconds a program has to end by itself when the game is over."""

FromBot = Vote | Chat | Away | Bye
"""What a player may say without being asked."""


class Session:
    """One run of a program: from its first byte to its end. `trusted` says whether it has shown the `token`, if one is
    asked for; `said` hears what the program says unasked, from then on."""

    def __init__(
        self, line: Line, said: Callable[[FromBot], None], tape: Tape | None = None, token: str = ""
    ) -> None:
        self.ready: Ready | None = None
        self.trusted = not token
        self.ready_or_over = trio.Event()
        self.over = trio.Event()
        self.ended = Ending()  # how, once it is over
        self.question = -1  # the id of the last `act` sent
        self.ending = False  # no more to be expected of it, though it may not have ended yet
        self._line = line
        self._said = said
        self._token = token
        self._tape = tape or Tape()
        self._codec: Codec[FromPlayer] = peer_codec()
        self._scope = trio.CancelScope()
        self._outbox, self._to_write = trio.open_memory_channel[tuple[bytes, trio.Event]](OUTBOX)
        self._mail, self.inbox = trio.open_memory_channel[tuple[Answer | Fault | Gone, float]](
            GARBAGE_LIMIT + UNASKED_LIMIT
        )
        self._unwritten: set[trio.Event] = set()
        self._garbage = 0
        self._unasked = 0

    async def run(self) -> None:
        """Talks until the program ends or `cancel` is called. Never raises."""
        self._tape.started()
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._line.keep_log)
                    nursery.start_soon(self._write)
                    await self._read()
                    nursery.cancel_scope.cancel()
        finally:
            self.ending = True
            for written in self._unwritten:
                written.set()
            with trio.CancelScope(shield=True):
                self.ended = await self._line.end()
            if not self.ended_by_us:  # else it was us, for a fault that is counted already or for none
                self._deliver(Fault("crash"))
            self._tape.ended(self.ended.code)
            self.ready_or_over.set()
            self.over.set()

    @property
    def ended_by_us(self) -> bool:
        """Whether it is over, or about to be, because of us: then no `crash` comes."""
        return self._scope.cancel_called

    @property
    def encoding(self) -> Encoding | None:
        """The one that the program chose, once it has."""
        return self._codec.encoding

    def cancel(self) -> None:
        """End it now."""
        self.ending = True
        self._scope.cancel()

    async def finish(self, grace: float = END_GRACE) -> bool:
        """Let it read what was sent, hang up, and end it if it does not end by itself. Whether it did."""
        self._outbox.close()
        with trio.move_on_after(grace) as scope:
            await self.over.wait()
        self.cancel()
        await self.over.wait()
        return not scope.cancelled_caught

    def post(self, message: FromPeer) -> trio.Event:
        """Queues a message; the event says that it was written (or never will be). Raises Fault('stall')."""
        written = trio.Event()
        try:
            self._outbox.send_nowait((self._codec.encode(message), written))
            self._unwritten.add(written)
            self._tape.peer(message)
        except trio.WouldBlock:
            raise Fault("stall") from None
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            written.set()
        return written

    def next_mail(self) -> tuple[Answer | Fault | Gone, float] | None:
        """What lies in the inbox now."""
        try:
            return self.inbox.receive_nowait()
        except (trio.WouldBlock, trio.EndOfChannel):
            return None

    def clear_mail(self, number: int = -1) -> list[Fault]:
        """Drops what came before a question is put, but no answer to question `number` (a stray print may have come
        before it); the faults among what is dropped."""
        self._unasked = 0
        faults = []
        kept = []
        while (mail := self.next_mail()) is not None:
            match mail[0]:
                case Fault() as fault:
                    faults.append(fault)
                case Answer(id=answered) if answered == number:
                    kept.append(mail)
        for answer, arrived in kept:
            self._deliver(answer, arrived)
        return faults

    async def _write(self) -> None:
        with self._to_write:
            try:
                async for data, written in self._to_write:
                    await self._line.send(data)
                    written.set()
                    self._unwritten.discard(written)
                await self._line.hang_up()
            except (trio.BrokenResourceError, trio.ClosedResourceError, OSError):
                return  # it reads no more; whether it has ended is seen where it is read

    async def _read(self) -> None:
        while True:
            try:
                data = await self._line.receive()
            except (trio.BrokenResourceError, trio.ClosedResourceError, OSError):
                return
            if not data:
                return
            self._codec.feed(data)
            if not self._take_in_untrusted(trio.current_time()):
                self.cancel()
                return

    def _take_in_untrusted(self, now: float) -> bool:
        """Sorts the messages that have arrived. False when the conversation is over."""
        while True:
            try:
                message = self._codec.next_untrusted()
            except Malformed as malformed:
                self._garbage += 1
                self._tape.refused(malformed.code, self._codec.latest)
                self._deliver(Fault("protocol", malformed.values, malformed.code), now)
                if self._codec.broken or self._garbage >= GARBAGE_LIMIT:
                    return False
                continue
            if message is None:
                return True
            self._tape.player(message)
            self._unasked += 1
            if self._unasked > UNASKED_LIMIT:
                self._deliver(Fault("protocol", {"limit": UNASKED_LIMIT}, "seat-too-many"), now)
                return False
            self._sort(message, now)

    def _sort(self, message: FromPlayer, now: float) -> None:
        match message:
            case Ready():
                if self.ready is None:
                    self.ready = message
                    self.trusted = self.trusted or _same(message.token, self._token)
                    self.ready_or_over.set()
            case Answer():
                self._deliver(message, now)
            case Pong():
                pass  # that it was read is all that matters
            case Vote() | Chat() | Away() | Bye() if self.trusted:
                self._said(message)
                if isinstance(message, Bye) or (isinstance(message, Away) and message.away):
                    self._deliver(Gone(), now)

    def _deliver(self, mail: Answer | Fault | Gone, now: float | None = None) -> None:
        try:
            self._mail.send_nowait((mail, trio.current_time() if now is None else now))
        except trio.WouldBlock:
            pass  # nobody is waiting for this much mail, and the limits above end such a run


def _same(given: str, token: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), token.encode())
