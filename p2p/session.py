"""An evening at one table: opening it, joining it, coming back to it.

Puts together what the other rooms provide: the store, the peer, the host or the guest's connection, the bots, the person.
Everything runs in one nursery; Ctrl-C, SIGTERM and the end of the game all end in cancelling it.
"""

from __future__ import annotations

import json
import math
import secrets as system_secrets
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import trio

from bots.builtin import NAMES as BUILTIN
from bots.builtin import make
from bots.external import External, Loopback, Program
from bots.player import InProcess, Notice, Player
from p2p import companions, limits
from p2p.door import Door, listen, port_of, serve
from p2p.guest import Guest, terms_of
from p2p.host import Host, Terms
from p2p.invite import Invite, local_addresses, read_invite_untrusted, write_invite
from p2p.language import clean_text, current, t
from p2p.language.cards import game_name
from p2p.link import Closed
from p2p.peer import Peer
from p2p.store import Secrets, TableStore, tables_folder
from p2p.terminal import words
from p2p.terminal.lines import Console, LineTable
from p2p.tls import Certificate, make_certificate, server_context
from protocol.deck import labels
from protocol.errors import BadProof, Refused
from protocol.identity import Identity, fingerprint_words, verify_untrusted
from protocol.log import framed
from protocol.messages import Chat, Lobby, SeatClaim
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
    signature = identity.sign(labels.LABEL_TABLE, claim_payload(table, bare))
    return SeatClaim(bare.key, bare.name, bare.bot, bare.machine, bare.vouch, bare.terms, signature)


# --- the parts of a session --------------------------------------------------------------------------------------------


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
        self.peer: Peer

    async def player(self, nursery: trio.Nursery) -> Player:
        """Who decides for this seat."""
        sitter = self.sitter
        if sitter.seat_port:
            token = system_secrets.token_hex(8)
            loopback = await Loopback.listen(sitter.seat_port, token)
            self.console.say(t("host-port-token", port=loopback.port, token=token), important=True)
            return External(nursery, loopback, say=_say, notice=self._notice)
        if sitter.bot in BUILTIN:
            return InProcess(make(sitter.bot, sitter.seed or 0), say=_say, notice=self._notice)
        if sitter.bot:
            log = self.store.path / "bot-stderr.txt"
            return External(nursery, Program(sitter.bot, log), say=_say, notice=self._notice)
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

    # --- what a person may type ------------------------------------------------------------------------------------

    def _vote(self, rest: str) -> None:
        table = self.peer.table
        word = rest.strip()
        if not (word.isascii() and word.isdigit() and int(word) < table.seats):
            self.console.say(t("line-vote-nobody", seat=clean_text(word, 20)))
            return
        seat = int(word)
        try:
            left = self.peer.vote(seat)
        except KeyError:
            self.console.say(t("line-vote-nobody", seat=seat))
            return
        if left > 0:
            name = words.player(seat, self.peer.names())
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

    def _quit(self, rest: str) -> None:
        self.quit.set()

    def _notice(self, notice: Notice) -> None:
        values = {name: clean_text(str(value), 200) for name, value in notice.values.items()}
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


def terms_told(game: str, options: dict[str, str | int], rules: dict[str, str | int]) -> str:
    """The game and what differs from the usual rules, as a sentence."""
    different = {**options, **rules}
    if not different:
        return t("join-terms-usual", game=game_name(game))
    told = ", ".join(f"{name}={value}" for name, value in sorted(different.items()))
    return t("join-terms", game=game_name(game), options=told)


# --- hosting -------------------------------------------------------------------------------------------------------------


@dataclass
class Hosting:
    """What a host was asked for."""

    terms: Terms
    sitter: Sitter
    seated: bool = True
    bots: tuple[str, ...] = ()
    port: int = limits.DEFAULT_PORT
    bind: str | None = None


def new_host_store(hosting: Hosting) -> TableStore:
    """A new table's folder with fresh secrets."""
    certificate = make_certificate()
    identity = Identity.generate(system_secrets.token_bytes(32))
    secrets = Secrets(
        system_secrets.token_bytes(32),
        identity.to_bytes(),
        system_secrets.token_bytes(16),
        certificate.cert_pem,
        certificate.key_pem,
    )
    run: dict[str, str | int | bool | list[str] | None] = {
        "name": hosting.sitter.name,
        "bot": hosting.sitter.bot,
        "seed": hosting.sitter.seed,
        "seated": hosting.seated,
        "bots": list(hosting.bots),
        "port": hosting.port,
        "bind": hosting.bind,
        "rules": [f"{name}={value}" for name, value in hosting.terms.rules.items()],
    }
    return TableStore.create(
        tables_folder(),
        system_secrets.token_bytes(16),
        "host",
        secrets,
        game=hosting.terms.game,
        options=dict(hosting.terms.options),
        run=run,
    )


async def host_table(store: TableStore, hosting: Hosting, console: Console, evening: Evening) -> None:
    """Host a table until its game is over. Raises Refused with a sentence."""
    evening.store = store.path
    certificate = Certificate(store.secrets.cert_pem, store.secrets.key_pem)
    listeners = await listen(hosting.bind, hosting.port)
    port = port_of(listeners)
    store.change_meta(run={"port": port})
    addresses = await trio.to_thread.run_sync(local_addresses)
    loopback = hosting.bind if hosting.bind and hosting.bind.startswith("127.") else None
    invite = Invite(
        (loopback,) if loopback else (*addresses, "127.0.0.1"),
        certificate.hash[:16],
        store.table,
        store.secrets.token,
        port,
    )
    line = write_invite(invite)
    store.change_meta(invite=line)
    async with interruptible(evening) as nursery:
        sitting = Sitting(store, hosting.sitter, console)
        changed = trio.Event()
        host = Host(store, hosting.terms, lambda: changed.set())
        host.reload()
        peer = await sitting.open(nursery, host.submit, keeps_log=False, seated=hosting.seated)
        evening.peer = host.peer = peer
        sitting.send_chat = host.say
        host.listeners_told = sitting.heard
        door = Door(
            server_context(certificate.cert_pem, certificate.key_pem),
            certificate.hash,
            store.table,
            store.secrets.token,
            SOFTWARE,
        )

        def turned_away(address: str, reason: Refused | Closed) -> None:
            if isinstance(reason, Refused):
                console.say(t("refused-by-host", address=address, reason=_sentence(reason)))

        nursery.start_soon(
            lambda: serve(listeners, door, host.welcome, admit=host.admit, turned_away=turned_away)
        )
        nursery.start_soon(host.order)
        console.say(t("host-listening", port=port))
        console.say(t("host-invite"))
        console.say(line, important=True)
        if not host.running and hosting.seated:
            host.sit_untrusted(
                store.identity.public, claim_for(store.identity, store.table, host.digest, hosting.sitter)
            )

        def vouch(key: bytes) -> dict[str, str]:
            signature = store.identity.sign(labels.LABEL_TABLE, framed(store.table, key))
            return {"machine": store.identity.public.hex(), "vouch": signature.hex()}

        async with trio.open_nursery() as helpers:
            loopback_line = write_invite(Invite(("127.0.0.1",), invite.certificate_hash, store.table, invite.token, port))
            for number, bot in enumerate(hosting.bots, 1):
                seed = None if hosting.sitter.seed is None else hosting.sitter.seed + number
                companion = companions.Companion(
                    t("bot-name", number=number), bot, store.path / "bots" / str(number), seed
                )
                helpers.start_soon(
                    companions.run,
                    companion,
                    loopback_line,
                    vouch,
                    lambda trouble: console.say(_sentence(trouble), important=True),
                )
            seen = -1
            while not host.running and len(host.claims) < host.terms.seats:
                if len(host.claims) != seen:
                    seen = len(host.claims)
                    console.say(t("host-waiting", seated=seen, seats=host.terms.seats))
                changed = trio.Event()
                await changed.wait()
            if not host.running:
                await host.begin()
            await sitting.play()
            if peer.table.over:
                evening.finished = True
                store.change_meta(run={"finished": True})
                await host.farewell()
            helpers.cancel_scope.cancel()


def _sentence(refused: Refused) -> str:
    values = {name: clean_text(str(value), 200) for name, value in refused.values.items()}
    return t(refused.code, **values)


# --- joining -------------------------------------------------------------------------------------------------------------


def new_guest_store(invite: Invite, line: str, sitter: Sitter) -> TableStore:
    """A guest's folder with fresh secrets."""
    identity = Identity.generate(system_secrets.token_bytes(32))
    secrets = Secrets(system_secrets.token_bytes(32), identity.to_bytes(), invite.token)
    run: dict[str, str | int | bool | list[str] | None] = {
        "name": sitter.name,
        "bot": sitter.bot,
        "seed": sitter.seed,
        "seat_port": sitter.seat_port,
    }
    return TableStore.create(
        tables_folder(), invite.table, "guest", secrets, game="", invite=line, run=run
    )


async def join_table(store: TableStore, sitter: Sitter, console: Console, evening: Evening) -> None:
    """Sit at a table until its game is over. Raises Refused with a sentence."""
    evening.store = store.path
    invite = read_invite_untrusted(store.meta.invite)
    if sitter.companion:
        await _introduce(store, sitter)
    async with interruptible(evening) as nursery:
        sitting = Sitting(store, sitter, console)

        async def sit(lobby: Lobby) -> SeatClaim | None:
            console.say(terms_told(lobby.game, lobby.options, lobby.rules))
            return claim_for(store.identity, store.table, terms_of(lobby), sitter)

        def noticed(code: str, values: dict[str, object]) -> None:
            console.say(t(code, **values))

        guest = Guest(invite, sit, noticed)
        peer = await sitting.open(nursery, guest.submit, keeps_log=True, seated=True)
        evening.peer = guest.peer = peer
        sitting.send_chat = guest.say
        guest.heard = sitting.heard
        if sitter.companion:
            guest.patience = limits.COMPANION_PATIENCE

        def lobby_changed(lobby: Lobby) -> None:
            if not lobby.running:
                seated = len(lobby.seats)
                console.say(t("host-waiting", seated=seated, seats=seated + lobby.missing))

        guest.lobby_changed = lobby_changed
        console.say(t("join-connecting", address=f"{invite.addresses[0]}:{invite.port}"))
        if not peer.table.over:
            nursery.start_soon(guest.run)
            await sitting.play()
        if peer.table.over:
            evening.finished = True
            store.change_meta(run={"finished": True})
            await guest.leave()


async def _introduce(store: TableStore, sitter: Sitter) -> None:
    """Tell the host that started us our key; get its signature under it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the person's program, which ends us
    print(json.dumps({"key": store.identity.public.hex()}), flush=True)
    answer = await trio.to_thread.run_sync(sys.stdin.readline, abandon_on_cancel=True)
    try:
        told = json.loads(answer)
        sitter.machine, sitter.vouch = bytes.fromhex(told["machine"]), bytes.fromhex(told["vouch"])
    except (ValueError, KeyError, TypeError):
        raise Refused("output-closed") from None
