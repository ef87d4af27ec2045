"""Hosting a table: the door, the order of the log, the host's own seat, and the bots beside it."""

from __future__ import annotations

import secrets as system_secrets
from dataclasses import dataclass

import trio

from p2p import companions, limits
from p2p.door import Door, listen, port_of, serve
from p2p.host import Host, Terms
from p2p.invite import Invite, local_addresses, write_invite
from p2p.language import clean_text, t
from p2p.link import Closed
from p2p.sitting import SOFTWARE, Evening, Sitter, Sitting, claim_for, interruptible, sentence
from p2p.store import Secrets, TableStore, tables_folder
from p2p.terminal.lines import Console
from p2p.tls import Certificate, make_certificate, server_context
from protocol.deck import labels
from protocol.errors import Refused
from protocol.identity import Identity
from protocol.log import framed
from protocol.messages import SeatClaim

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

    def __init__(self, store: TableStore, hosting: Hosting, console: Console, evening: Evening) -> None:
        self.store = store
        self.hosting = hosting
        self.console = console
        self.evening = evening
        self.certificate = Certificate(store.secrets.cert_pem, store.secrets.key_pem)
        self.sitting = Sitting(store, hosting.sitter, console)
        self.host = Host(store, hosting.terms, self._news)
        self.host.reload()
        self._changed = trio.Event()
        self._port = 0

    async def run(self) -> None:
        """Until the game is over. Raises Refused with a sentence."""
        self.evening.store = self.store.path
        listeners = await listen(self.hosting.bind, self.hosting.port)
        self._port = port_of(listeners)
        self.store.change_meta(invite=await self._invite(), run={"port": self._port})
        async with interruptible(self.evening) as nursery:
            await self._sit(nursery)
            nursery.start_soon(self._serve, listeners)
            nursery.start_soon(self.host.order)
            self.console.say(t("host-listening", port=self._port))
            self.console.say(t("host-invite"))
            self.console.say(self.store.meta.invite, important=True)
            async with trio.open_nursery() as bots:
                self._start_bots(bots)
                if not self.host.running:
                    await self._fill_seats()
                    await self.host.begin()
                await self.sitting.play()
                if self.sitting.peer.table.over:
                    self.evening.finished = True
                    self.store.change_meta(run={"finished": True})
                    await self.host.farewell()
                bots.cancel_scope.cancel()

    async def _invite(self) -> str:
        addresses: tuple[str, ...] = (LOOPBACK,)
        if not (self.hosting.bind or "").startswith("127."):
            addresses = (*await trio.to_thread.run_sync(local_addresses), LOOPBACK)
        return self._line(addresses)

    def _line(self, addresses: tuple[str, ...]) -> str:
        fingerprint = self.certificate.hash[:16]
        return write_invite(Invite(addresses, fingerprint, self.store.table, self.store.secrets.token, self._port))

    async def _sit(self, nursery: trio.Nursery) -> None:
        peer = await self.sitting.open(
            nursery, self.host.submit, keeps_log=False, seated=self.hosting.seated
        )
        self.evening.peer = self.host.peer = peer
        self.sitting.send_chat = self.host.say
        self.host.chat_heard = self.sitting.heard

        def remove(name: str) -> None:
            for key in self._guests_named(name.strip()):
                nursery.start_soon(self.host.remove, key)

        self.sitting.lines.commands["remove"] = remove
        if self.hosting.seated and not self.host.running:
            identity = self.store.identity
            claim = claim_for(identity, self.store.table, self.host.digest, self.hosting.sitter)
            self.host.sit_untrusted(identity.public, claim)

    def _guests_named(self, name: str) -> list[bytes]:
        me = self.store.identity.public
        named = [claim.key for claim in self.host.claims if claim.name == name and claim.key != me]
        if self.host.running or not named:
            self.console.say(t("remove-nobody", player=clean_text(name, limits.NAME_LENGTH)))
            return []
        return named

    async def _serve(self, listeners: list[trio.SocketListener]) -> None:
        certificate, store = self.certificate, self.store
        context = server_context(certificate.cert_pem, certificate.key_pem)
        door = Door(context, certificate.hash, store.table, store.secrets.token, SOFTWARE)
        await serve(
            listeners, door, self.host.welcome, admit=self.host.admit, turned_away=self._turned_away
        )

    def _turned_away(self, address: str, reason: Refused | Closed) -> None:
        if isinstance(reason, Refused):
            self.console.say(t("refused-by-host", address=address, reason=sentence(reason)))

    def _start_bots(self, nursery: trio.Nursery) -> None:
        seed = self.hosting.sitter.seed
        for number, bot in enumerate(self.hosting.bots, 1):
            companion = companions.Companion(
                t("bot-name", number=number),
                bot,
                self.store.path / "bots" / str(number),
                None if seed is None else seed + number,
            )
            nursery.start_soon(companions.run, companion, self._line((LOOPBACK,)), self._vouch, self._bot_trouble)

    def _bot_trouble(self, trouble: Refused) -> None:
        self.console.say(sentence(trouble), important=True)

    def _vouch(self, key: bytes) -> dict[str, str]:
        """This machine runs the bot with that key."""
        signature = self.store.identity.sign(labels.LABEL_SEAT_VOUCH, framed(self.store.table, key))
        return {"machine": self.store.identity.public.hex(), "vouch": signature.hex()}

    def _news(self) -> None:
        self.sitting.presence(self.host.connected())
        self._changed.set()

    async def _fill_seats(self) -> None:
        seen: list[SeatClaim] | None = None
        while len(self.host.claims) < self.host.terms.seats:
            if self.host.claims != seen:
                seen = list(self.host.claims)
                self.sitting.lobby(seen, self.host.terms.seats)
            self._changed = trio.Event()
            await self._changed.wait()
