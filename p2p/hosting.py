"""Hosting a table: the door, the order of the log, the host's own seat, and the bots beside it."""

from __future__ import annotations

import secrets as system_secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import trio

from bots.builtin import NAMES as BUILTIN
from bots.builtin import OFFERED, bot_named
from p2p import companions, limits
from p2p.asking import Request
from p2p.bucket import Bucket
from p2p.door import Door, listen, port_of, serve
from p2p.host import Host, Terms
from p2p.invite import Invite, local_addresses, write_invite
from p2p.lan import LOOPBACK, Beacon, lan_port, places_of, words_of
from p2p.language import clean_text, t
from p2p.language.cards import aloud
from p2p.link import Closed
from p2p.lobby import lobby_news
from p2p.sitting import SOFTWARE, Evening, Sitter, Sitting, claim_for, sentence
from p2p.store import Secrets, TableStore, tables_folder
from p2p.terminal import words
from p2p.terminal.front import Front
from p2p.tls import Certificate, make_certificate, server_context
from protocol.beacon import BEACON_VERSION, Announce, lan_token
from protocol.deck import labels
from protocol.errors import Refused
from protocol.identity import Identity
from protocol.log import decode_entry_untrusted, framed
from protocol.messages import Genesis, SeatClaim, decode_body_untrusted


@dataclass
class Hosting:
    """What a host was asked for."""

    terms: Terms
    sitter: Sitter
    seated: bool = True
    bots: tuple[str, ...] = ()
    port: int = limits.DEFAULT_PORT
    bind: str | None = None
    lan: str = "ask"  # who found the table on the network asks for a seat; "open": sits down; "off": nobody finds it
    ask: bool = False  # those with the invite ask, too

    @property
    def among_bots(self) -> bool:
        """Whether bots of this machine take all the other seats, so that nobody is waited for."""
        return sum(map(bool, self.bots)) + self.seated >= self.terms.seats


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
        "lan": hosting.lan,
        "ask": hosting.ask,
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
        str(run.get("lan", "ask")),
        bool(run.get("ask")),
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
        self.host.open_to_all, self.host.ask_all = hosting.lan == "open", hosting.ask
        self.host.asked = self._asked
        self.sitting.send_ready = partial(self.host.set_ready, store.identity.public)
        self._company: companions.Company | None = None
        self._beacon: Beacon | None = None
        self._announced: Announce | None = None
        self._words: tuple[str, ...] = ()
        self._changed = trio.Event()
        self._port = 0
        self._leaving = False
        self._unready: set[bytes] = set()  # who was told to keep a full table waiting
        self._away: set[bytes] = set()  # guests who were told to have lost the connection before the game

    async def run(self) -> None:
        """Until the game is over. Raises Refused with a sentence."""
        self.evening.store = self.store.path
        self.evening.parting = self._part
        listeners = await listen(self.hosting.bind, self.hosting.port)
        try:
            self._port = port_of(listeners)
            invite = await self._invite()
            self._words = await trio.to_thread.run_sync(words_of, self.certificate.hash)
            await trio.to_thread.run_sync(lambda: self.store.change_meta(invite=invite, run={"port": self._port}))
            async with trio.open_nursery() as nursery:
                await self._sit(nursery)
                nursery.start_soon(self._serve, listeners)
                nursery.start_soon(self.host.order)
                self._announce(nursery, listeners)
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
            if self._beacon is not None and not self.host.running:
                self.front.say(t("lan-announcing", words=aloud(self._words)))
            if self._to_give():
                self.front.say(t("host-meanwhile"))
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
                self.host.settle()
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
        self.front.commands.update(
            remove=self._remove,
            unseat=self._unseat,
            admit=partial(self._answer, self.host.admit_seat),
            refuse=partial(self._answer, self.host.refuse_seat),
            bot=lambda typed: nursery.start_soon(self._add_bot, typed.strip()),
        )
        self._nursery = nursery
        if self.hosting.seated and not self.host.running:
            identity = self.store.identity
            claim = claim_for(identity, self.store.table, self.host.digest, self.hosting.sitter)
            self.host.sit_untrusted(identity.public, claim, self.hosting.sitter.ready)

    def _remove(self, typed: str) -> None:
        """/remove NAME, as the name is shown: of several with one name, the last who sat down."""
        name, me = clean_text(typed, limits.NAME_LENGTH), self.store.identity.public
        named = [claim.key for claim in self.host.claims if words.player(0, [claim.name]) == name and claim.key != me]
        if self.host.running or not named:
            self.front.say(t("remove-nobody", player=name))
        else:
            self._nursery.start_soon(self.remove_seat, named[-1])

    def _unseat(self, typed: str) -> None:
        """The same for whoever has this key, in hexadecimal digits: what a screen knows of a seat."""
        for claim in self.host.claims:
            if claim.key.hex() == typed and claim.key != self.store.identity.public:
                self._nursery.start_soon(self.remove_seat, claim.key)

    def _asked(self, request: Request) -> None:
        code = "asks-invited" if request.invited else "asks-lan"
        player = words.player(0, [request.claim.name])
        address = clean_text(request.address, 60)
        self.front.say(t(code, player=player, address=address, number=request.number), important=True)

    def _answer(self, answer: Callable[[bytes], bool], typed: str) -> None:
        """/admit and /refuse, with the number or the name of somebody who asks."""
        name = clean_text(typed, limits.NAME_LENGTH)
        if name.isdecimal():  # never a name: the one with that number may just have left, and another be called so
            meant = [one for one in self.host.asking if int(name) == one.number]
        else:
            meant = [one for one in self.host.asking if words.player(0, [one.claim.name]) == name]
        if not meant:
            self.front.say(t("asks-nobody", player=name))
        elif len(meant) > 1:
            self.front.say(t("asks-several", player=name, numbers=", ".join(str(one.number) for one in meant)))
        elif not answer(meant[0].claim.key):
            self.front.say(t("asks-no-seat", player=name))

    async def remove_seat(self, key: bytes) -> None:
        """Before the game: take a seat away again, from a guest for good, or from one of our bots."""
        number = None if self._company is None else self._company.number_of(key)
        if self.host.running:
            return
        if number is None or self._company is None:
            lan = "ask" if self.hosting.lan == "open" else self.hosting.lan
            await trio.to_thread.run_sync(lambda: self.store.change_meta(run={"ask": True, "lan": lan}))
            if not self.host.ask_all:
                self.front.say(t("remove-asks"), important=True)
            self.host.remove(key)
            return
        await self._company.dismiss(number)
        self.host.stand_up(key)
        await self._keep_bots(self._company)

    async def add_bot(self, bot: str = "steady") -> bool:
        """Before the game: one of the built-in bots comes to a free seat. False when there is none."""
        company = self._company
        if company is None or self.host.running or self._to_give() == 0:
            return False
        number = company.free_number
        company.start(number, t("bot-name", number=number), bot)
        self._news()
        await self._keep_bots(company)
        return True

    async def _keep_bots(self, company: companions.Company) -> None:
        """Remember which bots there are, for the next time."""
        await trio.to_thread.run_sync(lambda: self.store.change_meta(run={"bots": company.bots}))

    async def _add_bot(self, bot: str) -> None:
        """/bot, or /bot with a level or the name of a built-in bot."""
        named = bot_named(bot.lower() or "normal")  # telephones begin words with a capital
        if named not in BUILTIN:
            self.front.say(t("unknown-level", bot=clean_text(bot, 40), bots=", ".join(OFFERED)))
        elif not await self.add_bot(named):
            self.front.say(t("bot-no-seat"))

    def _to_give(self) -> int:
        """Seats that nobody has, and that none of our bots is on its way to."""
        seated = {claim.key for claim in self.host.claims}
        return max(0, self.host.free - (self._company.coming(seated) if self._company else 0))

    def _stood_up(self, claim: SeatClaim) -> None:
        if not self._leaving:
            self.front.say(t("lobby-left", player=words.player(0, [claim.name])))

    async def _serve(self, listeners: list[trio.SocketListener]) -> None:
        certificate, store = self.certificate, self.store
        context = server_context(certificate.cert_pem, certificate.key_pem)
        uninvited = None if self.hosting.lan == "off" else lan_token(store.secrets.token)
        door = Door(context, certificate.hash, store.table, store.secrets.token, SOFTWARE, lan_token=uninvited)
        self._notices = Bucket(limits.NOTICES_BURST, limits.NOTICES_PER_SECOND, trio.current_time())
        await serve(listeners, door, self.host.welcome, admit=self.host.admit, turned_away=self._turned_away)

    def _turned_away(self, address: str, reason: Refused | Closed) -> None:
        if isinstance(reason, Refused) and self._notices.spend(trio.current_time()):
            self.front.say(t("line-turned-away", address=clean_text(address, 60), reason=sentence(reason)))

    def _announce(self, nursery: trio.Nursery, listeners: list[trio.SocketListener]) -> None:
        """Be found on the network, unless somebody does not want that."""
        port = None if self.hosting.lan == "off" else lan_port()
        if port is not None:
            bound = [str(listener.socket.getsockname()[0]) for listener in listeners]
            self._beacon = Beacon(port, partial(places_of, bound), self._announcement, self._trouble)
            nursery.start_soon(self._beacon.run)

    def _announcement(self) -> Announce | None:
        """What the network is told now: nothing when nobody is needed."""
        free = self._to_give()
        if self._leaving or (free == 0 and self.host.all_here):
            return None
        secrets, name = self.store.secrets, clean_text(self.hosting.sitter.name, limits.NAME_LENGTH)
        token, certificate = lan_token(secrets.token), self.certificate.hash
        return Announce(
            BEACON_VERSION, self.store.table, certificate, self._port, token, name, self.hosting.terms.game, free
        )

    def _start_bots(self, nursery: trio.Nursery) -> None:
        invite = self._line((self._own_address(),))
        seed, folder = self.hosting.sitter.seed, self.store.path / "bots"
        self._company = companions.Company(nursery, folder, seed, invite, self._vouch, self._trouble)
        for number, bot in enumerate(self.hosting.bots, 1):
            if bot:
                self._company.start(number, t("bot-name", number=number), bot)

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
            lobby, key, invite = self.host.lobby(), self.store.identity.public, self.store.meta.invite
            self.sitting.lobby_changed(lobby_news(lobby, key, self._words, invite, self.host.asking))
        announced = self._announcement()
        if self._beacon is not None and announced != self._announced:
            self._announced = announced
            self._beacon.changed()

    async def _fill_seats(self) -> None:
        """Until every seat is taken by somebody who is here."""
        seen: list[SeatClaim] | None = None
        while True:
            if self.host.claims != seen:
                seen = list(self.host.claims)
                self.sitting.lobby(seen, self.host.terms.seats)
            self._tell_missing()
            self._tell_unready()
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

    def _tell_unready(self) -> None:
        """Who keeps a full table waiting: told once."""
        full = len(self.host.claims) == self.host.terms.seats
        unready = {claim.key for claim, ready in zip(self.host.claims, self.host.ready, strict=True) if not ready}
        for claim in self.host.claims:
            if full and claim.key in unready - self._unready:
                self.front.say(t("lobby-unready", player=words.player(0, [claim.name])))
        self._unready = unready if full else set()
