"""An evening at one table, whichever way a peer reaches it: who sits here, what is told, what can be typed.

`p2p.hosting` and `p2p.joining` put a `Sitting` together with a store and a connection. Everything runs in one nursery;
Ctrl-C, SIGTERM (p2p.cli.common), leaving and the end of the game all end in cancelling it.
"""

from __future__ import annotations

import json
import math
import secrets as system_secrets
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import trio

from bots.builtin import NAMES as BUILTIN
from bots.builtin import make
from bots.external import External
from bots.player import Faults, Guarded, InProcess, Notice, Player
from bots.programs import Loopback, Opener, started
from bots.transcript import Transcript
from engine.game import Value
from p2p import limits, news
from p2p.bucket import Bucket
from p2p.language import clean_text, current, t
from p2p.language.cards import aloud, game_name, listed, whole
from p2p.language.options import options_told
from p2p.lobby import LobbyNews
from p2p.peer import Peer
from p2p.saving import Saver, record_name
from p2p.store import TableStore
from p2p.terminal import words
from p2p.terminal.front import Front
from p2p.trouble import how_it_ended, last_words
from protocol import seat as seat_protocol
from protocol.deck import labels
from protocol.errors import BadProof, Refused
from protocol.identity import Identity, fingerprint_words, verify_untrusted
from protocol.log import framed
from protocol.messages import Chat, SeatClaim
from protocol.table.events import Ended, Event, Lost, Preparing, Returned, Seated, Voted
from protocol.table.table import claim_payload

SOFTWARE = "majlis"

FAULTS_FILE = "faults.json"
"""Beside a table's log, once its game is over: what the bot that played here did that it should not, by kind."""

CHAT_CHARACTERS = 400
"""Longest line of table talk on the wire (protocol.messages.Chat)."""


@dataclass
class Sitter:
    """Who sits at this peer: a person, one of our bots (`bot`), or a program: the command `bot`, or whoever connects to
    `seat_port` (0: a free one)."""

    name: str
    bot: str = ""
    seed: int | None = None
    seat_port: int | None = None
    companion: bool = False
    ready: bool = True  # to begin, as soon as there is a seat; a front may start with False and say it later
    machine: bytes = b""
    vouch: bytes = b""

    @property
    def bot_label(self) -> str:
        """What the table is told plays here."""
        if self.seat_port is not None:
            return "program"
        return self.bot if self.bot in BUILTIN or not self.bot else "program"


@dataclass
class Evening:
    """What an evening came to, for whoever ran it."""

    finished: bool = False
    interrupted: bool = False
    store: Path | None = None
    peer: Peer | None = None
    parting: Callable[[], Awaitable[None]] | None = None
    before: Path | None = None  # where the last game is kept that was played to its end at another table

    @property
    def played(self) -> Path | None:
        """Where the last game is kept that was played to its end."""
        return self.store if self.finished else self.before

    def another(self) -> None:
        """Another table: nothing of the last one counts any more, but that it may have been played to its end."""
        self.before = self.played
        self.finished, self.store, self.peer, self.parting = False, None, None, None

    async def part(self) -> None:
        """Say good-bye to the others, in a moment or not at all."""
        if self.parting is not None:
            with trio.move_on_after(limits.PARTING_DEADLINE):
                await self.parting()


def claim_for(identity: Identity, table: bytes, terms: bytes, sitter: Sitter) -> SeatClaim:
    """A signed claim to a seat."""
    machine = sitter.machine or identity.public
    bare = SeatClaim(identity.public, sitter.name, sitter.bot_label, machine, sitter.vouch, terms, bytes(64))
    signature = identity.sign(labels.LABEL_SEAT_CLAIM, claim_payload(table, bare))
    return SeatClaim(bare.key, bare.name, bare.bot, bare.machine, bare.vouch, bare.terms, signature)


class Sitting:
    """One peer with its player and its front, whichever way it reaches the table."""

    def __init__(self, store: TableStore, sitter: Sitter, front: Front) -> None:
        self.store = store
        self.sitter = sitter
        self.front = front
        front.commands.update(
            vote=self._vote, say=self._say, quit=self._quit, ready=lambda rest: self.ready(rest.strip() != "no")
        )
        self.quit = trio.Event()
        self.send_chat: Callable[[Chat], None] = lambda chat: None
        self.send_ready: Callable[[bool], None] = lambda yes: None
        self.lobby_changed: Callable[[LobbyNews], None] = front.lobby
        self.host = b""  # the host's key
        self._said = 0  # number of the last line of ours
        self._talk = Bucket(limits.CHAT_BURST, limits.CHAT_PER_SECOND, 0.0)  # what of it the others would hear
        self._heard: dict[bytes, tuple[int, Bucket]] = {}  # of each author's last line, and how much he may say
        self._unseated = Bucket(limits.CHAT_BURST, limits.CHAT_PER_SECOND, 0.0)  # what those may say who have no seat
        self._claims: dict[bytes, str] = {}  # names before the seats are drawn
        self._seen: set[bytes] = set()
        self._connected: tuple[bool, ...] = ()
        self._shuffle: Preparing | None = None  # how far the next pack has come
        self._ballots: list[int] = []  # seats that the program was asked about, by the question's number
        self.peer: Peer

    async def player(self, nursery: trio.Nursery) -> Player:
        """Who decides for this seat."""
        sitter = self.sitter
        if sitter.seat_port is not None:
            token = system_secrets.token_hex(8)
            try:
                loopback = await Loopback.listen(sitter.seat_port, token)
            except OSError:
                raise Refused("seat-port-busy", {"port": sitter.seat_port}) from None
            self.front.say(t("host-port-token", port=loopback.port, token=token), important=True)
            return self._program(nursery, loopback)
        if sitter.bot in BUILTIN:
            return InProcess(make(sitter.bot, sitter.seed or 0), say=_say, notice=self._notice)
        if sitter.bot:
            log = self.store.path / "bot-stderr.txt"
            return self._program(nursery, started(sitter.bot, log))
        nursery.start_soon(self.front.listen, True)
        return self.front

    def _program(self, nursery: trio.Nursery, opener: Opener) -> Player:
        """A program that plays here. What it says and is told is kept beside the table's log."""
        tape = Transcript(self.store.path / "bot-talk.jsonl")
        return External(nursery, opener, say=_say, notice=self._notice, said=self._bot_said, tape=tape)

    async def open(self, nursery: trio.Nursery, uplink: Callable[[bytes], None], keeps_log: bool, seated: bool) -> Peer:
        """The peer, with whatever its store already holds."""
        sitter = self.sitter
        player = await self.player(nursery) if seated else None
        if not seated:
            nursery.start_soon(self.front.listen, False)
        self.peer = Peer(
            self.store,
            uplink=uplink,
            observe=self.observe,
            player=player,
            keeps_log=keeps_log,
            is_bot=bool(sitter.bot) or sitter.seat_port is not None or not seated,
            seed=sitter.seed,
        )
        self.peer.present = self._is_present
        self.peer.noticed = lambda code: self.front.say(t(code))
        self.peer.worked = self.front.changed
        self._saver = Saver(self.store.path / "log", record_name(self.store.table.hex()), self.front, nursery)
        self.front.commands["save"] = self._saver.save
        self.front.attach(self)
        await self.peer.reload()
        self._remember()
        return self.peer

    def _is_present(self, seat: int) -> bool:
        return self._connected[seat] if seat < len(self._connected) else True

    def _remember(self) -> None:
        state = self.peer.table.state
        if state is not None:
            scores = [list(result.points) for result in state.results]
            self.front.restore(self.peer.names(), scores, list(state.totals))
            self._about_game()
            self.front.say(t("resume-back", entries=self.peer.height))
            if self.peer.seat is not None and self.peer.player is self.front:
                view: Mapping[str, Any] = self.peer.view()
                self.front.recall(self.peer.seat, view["history"])

    def _about_game(self) -> None:
        self.front.state = self.peer.table.state

    async def observe(self, event: Event) -> None:
        """Tell what happens."""
        self._about_game()
        await self.front.observe(event)
        if isinstance(event, Preparing):
            self._shuffle = event
        if isinstance(event, Voted) and event.yes and self.peer.seat not in (event.seat, event.against):
            self._ballots.append(event.against)
            self._tell_program(seat_protocol.Ask(id=len(self._ballots), kind="take-over", seat=event.against))
        if isinstance(event, Seated | Preparing | Lost | Returned):
            self._tell_presence()
        if isinstance(event, Seated):
            self._connected = ()
            self._ballots.clear()
            fingerprint = await trio.to_thread.run_sync(self._fingerprint)
            self.front.say(t("host-starting", words=fingerprint))
            self._tell_machines()
        if isinstance(event, Ended) and isinstance(self.peer.player, Guarded):
            await trio.to_thread.run_sync(self._keep_faults, self.peer.player.faults)

    def _keep_faults(self, faults: Faults) -> None:
        try:
            (self.store.path / FAULTS_FILE).write_text(json.dumps(asdict(faults)), "utf-8")
        except OSError:
            pass  # the game is over and does not depend on it

    def _tell_program(self, message: seat_protocol.FromPeer) -> None:
        """Something for the program that plays here, if one does and asked for it."""
        if self.peer.is_bot and self.peer.desk is not None:
            self.peer.desk.tell(message)

    def _tell_presence(self) -> None:
        told = self.presence_now()
        if told is not None:
            self._tell_program(told)
        self.front.changed()

    # --- what the front may look at ----------------------------------------------------------------------------------

    def view(self) -> dict[str, object] | None:
        """What this seat, or somebody without one, may know now; None before the game."""
        return None if self.peer.table.state is None else self.peer.view()

    def presence_now(self) -> seat_protocol.Table | None:
        """Who is there and who is waited for; None before the game."""
        if self.peer.table.state is None:
            return None
        return news.presence(self.peer, self._connected, self._shuffle)

    def verified(self) -> int:
        """How many entries this peer has checked."""
        return self.peer.height

    def busy(self) -> str:
        """What the peer works on just now."""
        return self.peer.busy

    def rules(self) -> Mapping[str, Value]:
        """The options of the table that were chosen."""
        return {} if self.peer.table.genesis is None else self.peer.table.genesis.rules

    def invite(self) -> str:
        """The line that leads here."""
        return self.store.meta.invite

    def work_in(self, nursery: trio.Nursery) -> None:
        """Where a record is saved from now on."""
        self._saver.nursery = nursery

    def _fingerprint(self) -> str:
        """The first entry as words to read aloud: who hears the same words sits at the same table."""
        head = self.peer.table.chain.heads[0]
        return aloud(fingerprint_words(head, language="ar" if current().code == "ar" else "en"))

    def _tell_machines(self) -> None:
        """Whose machine runs each bot, and a warning when one machine holds all the other seats."""
        players = self.peer.table.players
        owners = {player.key: player.name for player in players}
        me = self.peer.seat
        for player in players:
            if player.bot and player.machine != player.key:
                owner = whole(clean_text(owners.get(player.machine, t("host-itself")), limits.NAME_LENGTH))
                self.front.say(t("line-player-bot", player=words.player(0, [player.name]), owner=owner))
            elif player.bot:
                self.front.say(t("line-player-bot-own", player=words.player(0, [player.name])))
        others = {player.machine for seat, player in enumerate(players) if seat != me}
        if me is not None and len(others) == 1 and players[me].machine not in others:
            self.front.say(t("line-one-machine"))

    def lobby(self, claims: Sequence[SeatClaim], seats: int) -> None:
        """Tell who has sat down since the last time, and how many are missing."""
        for claim in claims:
            if claim.key not in self._seen:
                self.front.say(t("event-joined", player=words.player(0, [claim.name])))
        self._seen = {claim.key for claim in claims}
        self._claims = {claim.key: claim.name for claim in claims}
        self.front.say(t("host-waiting", seated=len(claims), seats=seats))

    def ready(self, yes: bool) -> None:
        """Before the game: who sits here is ready to begin, or not yet."""
        self.sitter.ready = yes
        self.send_ready(yes)

    def presence(self, connected: Sequence[bool]) -> None:
        """Tell who lost the connection, and who is back."""
        names = self.peer.names()
        if len(connected) != self.peer.table.seats:
            return  # of another time: the seats are not known here yet
        known = self._connected or (True,) * len(connected)  # everybody was there when the seats were drawn
        for seat, (before, now) in enumerate(zip(known, connected, strict=True)):
            if before and not now and not self.peer.table.over:
                minutes = round(self.peer.clocks.away / 60)
                self.front.say(t("event-connection", player=words.player(seat, names)))
                if not self.peer.table.players[seat].lost:  # a stand-in plays: nobody waits
                    self.front.say(t("vote-how", minutes=minutes, seat=seat))
            elif now and not before:
                self.peer.forget_vote(seat)
                self.front.say(t("event-back", player=words.player(seat, names)))
        self._connected = tuple(connected)
        self._tell_presence()

    # --- what a person may type ------------------------------------------------------------------------------------

    def _vote(self, rest: str) -> None:
        seat = self._seat_meant(rest.strip())
        if seat is None:
            self.front.say(t("line-vote-nobody"))
        elif seat == self.peer.seat:
            self.front.say(t("line-vote-self"))
        else:
            left, name = self.peer.vote(seat), words.player(seat, self.peer.names())
            if left is None:
                self.front.say(t("line-vote-kept", player=name))
            elif left > 0:
                self.front.say(t("line-vote-early", player=name, seconds=math.ceil(left)))
            else:
                self.front.say(t("line-vote-cast"))

    def _seat_meant(self, word: str) -> int | None:
        """The seat with this number, in any digits, or the only one whose player has this name."""
        names = [words.player(seat, self.peer.names()) for seat in range(self.peer.table.seats)]
        if word.isdecimal() and int(word[:3]) < len(names):
            return int(word[:3])
        named = [seat for seat, name in enumerate(names) if name == clean_text(word, limits.NAME_LENGTH)]
        return named[0] if len(named) == 1 else None

    def _say(self, rest: str) -> None:
        """Say something to the table. More than the others would hear is not sent: it would cost us the connection."""
        text = clean_text(rest, limits.CHAT_LENGTH)[:CHAT_CHARACTERS]
        if text and not self._talk.spend(trio.current_time()):
            self._too_fast()
        elif text:
            self._said = max(self._said + 1, int(time.time()))  # grows, after a restart as well
            payload = framed(self.store.table, self._said, text)
            signature = self.store.identity.sign(labels.LABEL_CHAT, payload)
            self.send_chat(Chat(self.store.identity.public, self._said, text, signature))

    def _too_fast(self) -> None:
        if not self.peer.is_bot:
            self.front.say(t("say-too-fast"))

    def heard(self, chat: Chat) -> None:
        """A line of table talk came: shown once, if its author said it, and no more than can be read."""
        try:
            payload = framed(self.store.table, chat.number, chat.text)
            verify_untrusted(chat.key, labels.LABEL_CHAT, payload, chat.signature)
        except BadProof:
            return
        now = trio.current_time()
        last, bucket = self._heard.get(chat.key, (-1, self._unseated))
        if not self._sits(chat.key):
            bucket = self._unseated  # keys cost nothing
        elif bucket is self._unseated:
            bucket = Bucket(limits.CHAT_BURST, limits.CHAT_PER_SECOND, now)
        if chat.number > last and bucket.spend(now):
            self._heard[chat.key] = chat.number, bucket
            if len(self._heard) > limits.PEERS_TOTAL:
                del self._heard[next(key for key in self._heard if not self._sits(key))]
            author, text = self._author(chat.key), clean_text(chat.text, limits.CHAT_LENGTH)
            self.front.hear(author, text)
            seat = self.peer.table.seat_of(chat.key)
            self._tell_program(seat_protocol.Heard(seat=-1 if seat is None else seat, name=author, text=text))

    def _sits(self, key: bytes) -> bool:
        """Whether it is the key of a player, or the host's."""
        return self.peer.table.seat_of(key) is not None or key in self._claims or key == self.host

    def _author(self, key: bytes) -> str:
        """Whose line it is: a player's, the host's, or of a guest who only watches."""
        seat = self.peer.table.seat_of(key)
        if seat is not None:
            return words.player(seat, self.peer.names())
        if key in self._claims:
            return words.player(0, [self._claims[key]])
        return t("host-itself") if key == self.host else t("guest-unseated")

    def _bot_said(self, message: seat_protocol.FromPlayer) -> None:
        """What a program says without being asked."""
        if isinstance(message, seat_protocol.Say):
            self._say(message.text)
        elif isinstance(message, seat_protocol.Vote) and message.yes and 0 < message.id <= len(self._ballots):
            self.peer.vote(self._ballots[message.id - 1])

    def _quit(self, rest: str) -> None:
        self.quit.set()

    def _notice(self, notice: Notice) -> None:
        values = {name: clean_text(str(value), 200) for name, value in notice.values.items()}
        values.setdefault("player", clean_text(self.sitter.name, limits.NAME_LENGTH))
        told = [t(notice.code, **values)]
        if notice.ending is not None:
            told += filter(None, (how_it_ended(notice.ending), last_words(notice.ending)))
        self.front.say(" ".join(told), important=True)

    async def until_quit(self, play: Callable[[], Awaitable[None]]) -> None:
        """Run until it ends by itself or the person leaves."""
        async with trio.open_nursery() as nursery:

            async def wait_for_quit() -> None:
                await self.quit.wait()
                nursery.cancel_scope.cancel()

            nursery.start_soon(wait_for_quit)
            await play()
            nursery.cancel_scope.cancel()


def _say(code: str, values: object) -> str:
    return t(code, **dict(values)) if isinstance(values, dict) else t(code)


def sentence(refused: Refused) -> str:
    """What a refusal says, its values cleaned."""
    return t(refused.code, **{name: clean_text(str(value), 200) for name, value in refused.values.items()})


def terms_told(game: str, options: Mapping[str, Value], rules: Mapping[str, Value]) -> str:
    """The game and what differs from the usual rules, as a sentence."""
    told = options_told({**options, **rules})
    if not told:
        return t("join-terms-usual", game=game_name(game))
    return t("join-terms", game=game_name(game), options=listed(told))
