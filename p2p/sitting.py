"""An evening at one table, whichever way a peer reaches it: who sits here, what is told, what can be typed.

`p2p.hosting` and `p2p.joining` put a `Sitting` together with a store and a connection. Everything runs in one nursery;
Ctrl-C, SIGTERM, leaving and the end of the game all end in cancelling it.
"""

from __future__ import annotations

import math
import secrets as system_secrets
import signal
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import trio

from bots.builtin import NAMES as BUILTIN
from bots.builtin import make
from bots.external import External, Loopback, Program
from bots.player import InProcess, Notice, Player
from p2p import limits
from p2p.language import clean_text, current, t
from p2p.language.cards import game_name
from p2p.peer import Peer
from p2p.store import TableStore
from p2p.terminal import words
from p2p.terminal.lines import Console, LineTable
from protocol import seat as seat_protocol
from protocol.deck import labels
from protocol.errors import BadProof, Refused
from protocol.identity import Identity, fingerprint_words, verify_untrusted
from protocol.log import framed
from protocol.messages import Chat, SeatClaim
from protocol.table.events import Event, Seated
from protocol.table.table import claim_payload

SOFTWARE = "majlis"


@dataclass
class Sitter:
    """Who sits at this peer: a person (`bot` empty), one of our bots, or a program."""

    name: str
    bot: str = ""
    seed: int | None = None
    seat_port: int = 0
    companion: bool = False
    machine: bytes = b""
    vouch: bytes = b""

    @property
    def bot_label(self) -> str:
        """What the table is told plays here."""
        if self.seat_port:
            return "program"
        return self.bot if self.bot in BUILTIN or not self.bot else "program"


@dataclass
class Evening:
    """What an evening came to, for whoever ran it."""

    finished: bool = False
    interrupted: bool = False
    store: Path | None = None
    peer: Peer | None = None
    entries: list[str] = field(default_factory=list)


def claim_for(identity: Identity, table: bytes, terms: bytes, sitter: Sitter) -> SeatClaim:
    """A signed claim to a seat."""
    machine = sitter.machine or identity.public
    bare = SeatClaim(
        identity.public, sitter.name, sitter.bot_label, machine, sitter.vouch, terms, bytes(64)
    )
    signature = identity.sign(labels.LABEL_SEAT_CLAIM, claim_payload(table, bare))
    return SeatClaim(bare.key, bare.name, bare.bot, bare.machine, bare.vouch, bare.terms, signature)


# --- the parts of a session ------------------------------------------------------------------------------------


@asynccontextmanager
async def interruptible(evening: Evening) -> AsyncIterator[trio.Nursery]:
    """A nursery that Ctrl-C and SIGTERM cancel, at any moment, without a traceback."""
    watched = [signal.SIGINT, signal.SIGTERM]
    async with trio.open_nursery() as nursery:
        with trio.open_signal_receiver(*watched) as signals:

            async def watch() -> None:
                async for _ in signals:
                    evening.interrupted = True
                    nursery.cancel_scope.cancel()
                    return

            nursery.start_soon(watch)
            yield nursery
            nursery.cancel_scope.cancel()


class Sitting:
    """One peer with its player and its console, whichever way it reaches the table."""

    def __init__(self, store: TableStore, sitter: Sitter, console: Console) -> None:
        self.store = store
        self.sitter = sitter
        self.console = console
        self.lines = LineTable(console, {"vote": self._vote, "say": self._say, "quit": self._quit})
        self.quit = trio.Event()
        self.send_chat: Callable[[Chat], None] = lambda chat: None
        self._chats = 0
        self._seen: set[bytes] = set()
        self._connected: tuple[bool, ...] = ()
        self.peer: Peer

    async def player(self, nursery: trio.Nursery) -> Player:
        """Who decides for this seat."""
        sitter = self.sitter
        if sitter.seat_port:
            token = system_secrets.token_hex(8)
            loopback = await Loopback.listen(sitter.seat_port, token)
            self.console.say(t("host-port-token", port=loopback.port, token=token), important=True)
            return External(nursery, loopback, say=_say, notice=self._notice, said=self._bot_said)
        if sitter.bot in BUILTIN:
            return InProcess(make(sitter.bot, sitter.seed or 0), say=_say, notice=self._notice)
        if sitter.bot:
            log = self.store.path / "bot-stderr.txt"
            return External(nursery, Program(sitter.bot, log), say=_say, notice=self._notice, said=self._bot_said)
        nursery.start_soon(self.console.read)
        nursery.start_soon(self.lines.listen)
        return self.lines

    async def open(self, nursery: trio.Nursery, uplink: Callable[[bytes], None], keeps_log: bool, seated: bool) -> Peer:
        """The peer, with whatever its store already holds."""
        sitter = self.sitter
        player = await self.player(nursery) if seated else None
        self.peer = Peer(
            self.store,
            uplink=uplink,
            observe=self.observe,
            player=player,
            keeps_log=keeps_log,
            is_bot=bool(sitter.bot or sitter.seat_port) or not seated,
            seed=sitter.seed,
        )
        await self.peer.reload()
        self._remember()
        return self.peer

    def _remember(self) -> None:
        state = self.peer.table.state
        if state is not None:
            scores = [list(result.points) for result in state.results]
            self.lines.restore(self.peer.names(), scores, list(state.totals))
            self._about_game()
            self.console.say(t("resume-back", entries=self.peer.height))

    def _about_game(self) -> None:
        state = self.peer.table.state
        if state is not None:
            self.lines.game, self.lines.deals = state.game.name, state.last_deal

    async def observe(self, event: Event) -> None:
        """Tell what happens."""
        self._about_game()
        await self.lines.observe(event)
        if isinstance(event, Seated):
            self._connected = ()
            fingerprint = await trio.to_thread.run_sync(self._fingerprint)
            self.console.say(t("host-starting", words=fingerprint))
            self._tell_machines()

    def _fingerprint(self) -> str:
        """The first entry as words to read aloud: who hears the same words sits at the same table."""
        head = self.peer.table.chain.heads[0]
        return " ".join(fingerprint_words(head, language="ar" if current().code == "ar" else "en"))

    def _tell_machines(self) -> None:
        """Whose machine runs each bot, and a warning when one machine holds all the other seats."""
        players = self.peer.table.players
        owners = {player.key: player.name for player in players}
        me = self.peer.seat
        for player in players:
            if player.bot and player.machine != player.key:
                owner = clean_text(owners.get(player.machine, t("host-itself")), limits.NAME_LENGTH)
                self.console.say(t("line-player-bot", player=clean_text(player.name, 32), owner=owner))
            elif player.bot:
                self.console.say(t("line-player-bot-own", player=clean_text(player.name, 32)))
        others = {player.machine for seat, player in enumerate(players) if seat != me}
        if me is not None and len(others) == 1 and players[me].machine not in others:
            self.console.say(t("line-one-machine"))

    def lobby(self, claims: Sequence[SeatClaim], seats: int) -> None:
        """Tell who has sat down since the last time, and how many are missing."""
        for claim in claims:
            if claim.key not in self._seen:
                name = clean_text(claim.name, limits.NAME_LENGTH)
                self.console.say(t("event-joined", player=name))
        self._seen = {claim.key for claim in claims}
        self.console.say(t("host-waiting", seated=len(claims), seats=seats))

    def presence(self, connected: Sequence[bool]) -> None:
        """Tell who lost the connection, and who is back."""
        names = self.peer.names()
        known = self._connected or (True,) * len(connected)  # everybody was there when the seats were drawn
        for seat, (before, now) in enumerate(zip(known, connected, strict=True)):
            if before and not now and not self.peer.table.over:
                minutes = round(self.peer.clocks.away / 60)
                self.console.say(t("event-connection", player=words.player(seat, names)))
                self.console.say(t("vote-how", minutes=minutes, seat=seat))
            elif now and not before:
                self.peer.forget_vote(seat)
                self.console.say(t("event-back", player=words.player(seat, names)))
        self._connected = tuple(connected)

    # --- what a person may type ------------------------------------------------------------------------------------

    def _vote(self, rest: str) -> None:
        table = self.peer.table
        word = rest.strip()
        if not (word.isascii() and word.isdigit() and int(word) < table.seats):
            self.console.say(t("line-vote-nobody", seat=clean_text(word, 20)))
            return
        seat = int(word)
        left, name = self.peer.vote(seat), words.player(seat, self.peer.names())
        if left is None:
            self.console.say(t("line-vote-kept", player=name))
        elif left > 0:
            self.console.say(t("line-vote-early", player=name, seconds=math.ceil(left)))
        else:
            self.console.say(t("line-vote-cast"))

    def _say(self, rest: str) -> None:
        text = clean_text(rest, limits.CHAT_LENGTH)[:400]
        if text:
            self._chats += 1
            payload = framed(self.store.table, self._chats, text)
            signature = self.store.identity.sign(labels.LABEL_CHAT, payload)
            self.send_chat(Chat(self.store.identity.public, self._chats, text, signature))

    def heard(self, chat: Chat) -> None:
        """A line of table talk came."""
        try:
            payload = framed(self.store.table, chat.number, chat.text)
            verify_untrusted(chat.key, labels.LABEL_CHAT, payload, chat.signature)
        except BadProof:
            return
        seat = self.peer.table.seat_of(chat.key)
        name = words.player(seat, self.peer.names()) if seat is not None else t("host-itself")
        self.console.say(t("event-chat", player=name, text=clean_text(chat.text, limits.CHAT_LENGTH)))

    def _bot_said(self, message: seat_protocol.FromPlayer) -> None:
        """What a program says without being asked."""
        if isinstance(message, seat_protocol.Say):
            self._say(message.text)

    def _quit(self, rest: str) -> None:
        self.quit.set()

    def _notice(self, notice: Notice) -> None:
        values = {name: clean_text(str(value), 200) for name, value in notice.values.items()}
        values.setdefault("player", clean_text(self.sitter.name, limits.NAME_LENGTH))
        self.console.say(t(notice.code, **values), important=True)

    async def play(self) -> None:
        """Until the game is over or the person leaves."""
        async with trio.open_nursery() as nursery:

            async def wait_for_quit() -> None:
                await self.quit.wait()
                nursery.cancel_scope.cancel()

            nursery.start_soon(wait_for_quit)
            await self.peer.run()
            nursery.cancel_scope.cancel()


def _say(code: str, values: object) -> str:
    return t(code, **dict(values)) if isinstance(values, dict) else t(code)


def sentence(refused: Refused) -> str:
    """What a refusal says, its values cleaned."""
    return t(refused.code, **{name: clean_text(str(value), 200) for name, value in refused.values.items()})


def terms_told(game: str, options: dict[str, str | int], rules: dict[str, str | int]) -> str:
    """The game and what differs from the usual rules, as a sentence."""
    different = {**options, **rules}
    if not different:
        return t("join-terms-usual", game=game_name(game))
    told = ", ".join(f"{name}={value}" for name, value in sorted(different.items()))
    return t("join-terms", game=game_name(game), options=told)
