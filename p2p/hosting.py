"""Hosting a table: the door, the order of the log, the host's own seat, and the bots beside it."""

from __future__ import annotations

import secrets as system_secrets
from dataclasses import dataclass

import trio

from p2p import companions, limits
from p2p.bucket import Bucket
from p2p.door import Door, listen, port_of, serve
from p2p.host import Host, Terms
from p2p.invite import Invite, local_addresses, write_invite
from p2p.language import clean_text, t
from p2p.link import Closed
from p2p.sitting import SOFTWARE, Evening, Sitter, Sitting, claim_for, sentence
from p2p.store import Secrets, TableStore, tables_folder
from p2p.terminal import words
from p2p.terminal.front import Front
from p2p.tls import Certificate, make_certificate, server_context
from protocol.deck import labels
from protocol.errors import Refused
from protocol.identity import Identity
from protocol.log import decode_entry_untrusted, framed
from protocol.messages import Genesis, SeatClaim, decode_body_untrusted

LOOPBACK = "127.0.0.1"


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


def hosting_of(store: TableStore) -> Hosting:
    """What the host of an interrupted table was asked for."""
    run = store.meta.run
    seed, port, bind, bots, rules = (run.get(key) for key in ("seed", "port", "bind", "bots", "rules"))
    parsed = dict(text.split("=", 1) for text in rules) if isinstance(rules, list) else {}
    typed: dict[str, str | int] = {name: int(value) if value.isdigit() else value for name, value in parsed.items()}
    return Hosting(
        Terms(store.meta.game, dict(store.meta.options), typed),
        Sitter(str(run.get("name", "")), str(run.get("bot", "")), seed if isinstance(seed, int) else None),
        bool(run.get("seated", True)),
        tuple(bots) if isinstance(bots, list) else (),
        port if isinstance(port, int) else limits.DEFAULT_PORT,
        bind if isinstance(bind, str) else None,
    )


class HostedTable:
    """One evening of a host."""

    def __init__(self, store: TableStore, hosting: Hosting, front: Front, evening: Evening) -> None:
        self.store = store
        self.hosting = hosting
        self.front = front
        self.evening = evening
        self.certificate = Certificate(store.secrets.cert_pem, store.secrets.key_pem)
        self.sitting = Sitting(store, hosting.sitter, front)
        self.host = Host(store, hosting.terms, self._news)
        self.host.reload()
        self.host.stood_up = self._stood_up
        self._changed = trio.Event()
        self._port = 0
        self._leaving = False
        self._away: set[bytes] = set()  # guests who were told to have lost the connection before the game

    async def run(self) -> None:
        """Until the game is over. Raises Refused with a sentence."""
        self.evening.store = self.store.path
        self.evening.parting = self._part
        listeners = await listen(self.hosting.bind, self.hosting.port)
        try:
            self._port = port_of(listeners)
            invite = await self._invite()
            await trio.to_thread.run_sync(lambda: self.store.change_meta(invite=invite, run={"port": self._port}))
            async with trio.open_nursery() as nursery:
                await self._sit(nursery)
                nursery.start_soon(self._serve, listeners)
                nursery.start_soon(self.host.order)
                async with trio.open_nursery() as bots:
                    self._start_bots(bots)
                    await self.sitting.until_quit(self._play)
                    await self.evening.part()
                    bots.cancel_scope.cancel()
                nursery.cancel_scope.cancel()
        finally:
            for listener in listeners:
                await trio.aclose_forcefully(listener)

    async def _part(self) -> None:
        """We leave: what the others do from now on is not told any more."""
        self._leaving = True
        await self.host.part()

    async def _play(self) -> None:
        """Wait for players, play, and see everybody off."""
        again = self.sitting.peer.table.over
        if again:
            self.front.say(t("resume-serving"), important=True)
        else:
            self.front.say(t("host-listening", port=self._port))
            self.front.say(t("host-invite"))
            self.front.say(self.store.meta.invite, important=True)
        if not self.host.running and not self._take_up_beginning():
            await self._fill_seats()
            await self.host.begin()
        await self.sitting.peer.run()
        self.evening.finished = True
        self.store.change_meta(run={"finished": True})
        await self.host.farewell(own_bots=not again)

    def _take_up_beginning(self) -> bool:
        """Whether the first entry was signed before an interruption, and waits for its place: then those sit who are
        named in it, and no others."""
        for data in self.sitting.peer.pending():
            body = decode_body_untrusted(decode_entry_untrusted(data).body)
            if isinstance(body, Genesis):
                self.host.claims = list(body.seats)
                return True
        return False

    async def _invite(self) -> str:
        bind = self.hosting.bind
        if bind is None or bind in ("0.0.0.0", "::"):
            found = await trio.to_thread.run_sync(local_addresses)
            return self._line((*found[: limits.INVITE_ADDRESSES - 1], LOOPBACK))
        return self._line((bind,))

    def _line(self, addresses: tuple[str, ...]) -> str:
        fingerprint = self.certificate.hash[:16]
        return write_invite(Invite(addresses, fingerprint, self.store.table, self.store.secrets.token, self._port))

    async def _sit(self, nursery: trio.Nursery) -> None:
        peer = await self.sitting.open(nursery, self.host.submit, keeps_log=False, seated=self.hosting.seated)
        self.evening.peer = self.host.peer = peer
        self.sitting.send_chat = self.host.say
        self.host.chat_heard = self.sitting.heard
        self.sitting.host = self.store.identity.public
        self.sitting.front.commands["remove"] = self._remove
        if self.hosting.seated and not self.host.running:
            identity = self.store.identity
            claim = claim_for(identity, self.store.table, self.host.digest, self.hosting.sitter)
            self.host.sit_untrusted(identity.public, claim)

    def _remove(self, typed: str) -> None:
        """/remove NAME, as the name is shown: of several with one name, the last who sat down."""
        name, me = clean_text(typed, limits.NAME_LENGTH), self.store.identity.public
        named = [claim.key for claim in self.host.claims if words.player(0, [claim.name]) == name and claim.key != me]
        if self.host.running or not named:
            self.front.say(t("remove-nobody", player=name))
        else:
            self.host.remove(named[-1])

    def _stood_up(self, claim: SeatClaim) -> None:
        if not self._leaving:
            self.front.say(t("lobby-left", player=words.player(0, [claim.name])))

    async def _serve(self, listeners: list[trio.SocketListener]) -> None:
        certificate, store = self.certificate, self.store
        context = server_context(certificate.cert_pem, certificate.key_pem)
        door = Door(context, certificate.hash, store.table, store.secrets.token, SOFTWARE)
        self._notices = Bucket(limits.NOTICES_BURST, limits.NOTICES_PER_SECOND, trio.current_time())
        await serve(listeners, door, self.host.welcome, admit=self.host.admit, turned_away=self._turned_away)

    def _turned_away(self, address: str, reason: Refused | Closed) -> None:
        if isinstance(reason, Refused) and self._notices.spend(trio.current_time()):
            self.front.say(t("line-turned-away", address=clean_text(address, 60), reason=sentence(reason)))

    def _start_bots(self, nursery: trio.Nursery) -> None:
        seed, invite = self.hosting.sitter.seed, self._line((self._own_address(),))
        for number, bot in enumerate(self.hosting.bots, 1):
            companion = companions.Companion(
                t("bot-name", number=number),
                bot,
                self.store.path / "bots" / str(number),
                None if seed is None else seed + number,
            )
            if not companion.finished():
                nursery.start_soon(companions.run, companion, invite, self._vouch, self._trouble)

    def _own_address(self) -> str:
        """Where bots on this machine reach us."""
        bind = self.hosting.bind
        return LOOPBACK if bind is None or bind in ("0.0.0.0", "::", "localhost") else bind

    def _trouble(self, trouble: Refused) -> None:
        self.front.say(sentence(trouble), important=True)

    def _vouch(self, key: bytes) -> dict[str, str]:
        """This machine runs the bot with that key."""
        signature = self.store.identity.sign(labels.LABEL_SEAT_VOUCH, framed(self.store.table, key))
        return {"machine": self.store.identity.public.hex(), "vouch": signature.hex()}

    def _news(self) -> None:
        if not self._leaving:
            self.sitting.presence(self.host.connected())
            self._changed.set()

    async def _fill_seats(self) -> None:
        """Until every seat is taken by somebody who is here."""
        seen: list[SeatClaim] | None = None
        while True:
            if self.host.claims != seen:
                seen = list(self.host.claims)
                self.sitting.lobby(seen, self.host.terms.seats)
            self._tell_missing()
            if self.host.complete:
                return
            self._changed = trio.Event()
            await self._changed.wait()

    def _tell_missing(self) -> None:
        missing = {claim.key: words.player(0, [claim.name]) for claim in self.host.missing()}
        for key, name in missing.items():
            if key not in self._away:
                self.front.say(t("lobby-dropped", player=name))
        for claim in self.host.claims:
            if claim.key in self._away and claim.key not in missing:
                self.front.say(t("event-back", player=words.player(0, [claim.name])))
        self._away = set(missing)
