"""Joining a table: the guest's folder, its connection, its seat."""

from __future__ import annotations

import json
import secrets as system_secrets
import sys
from dataclasses import replace
from functools import partial

import trio

from engine.games import game as find_game
from p2p import limits
from p2p.guest import Guest, terms_of
from p2p.invite import Invite, read_invite_untrusted, write_invite
from p2p.lan import LOOPBACK, Found, words_of
from p2p.language import t
from p2p.language.cards import aloud
from p2p.lobby import lobby_news
from p2p.sitting import Evening, Sitter, Sitting, claim_for, terms_told
from p2p.store import Secrets, TableStore, tables_folder
from p2p.terminal.front import Front
from protocol.errors import Refused
from protocol.identity import Identity
from protocol.messages import Chat, Lobby, SeatClaim

SEATED = "asked-for-a-seat"
"""Under this name a guest's store remembers that it has asked for a seat."""


def new_guest_store(invite: Invite, line: str, sitter: Sitter) -> TableStore:
    """A guest's folder with fresh secrets."""
    identity = Identity.generate(system_secrets.token_bytes(32))
    secrets = Secrets(system_secrets.token_bytes(32), identity.to_bytes(), invite.token)
    run: dict[str, str | int | bool | list[str] | None] = {
        "name": sitter.name,
        "bot": sitter.bot,
        "seed": sitter.seed,
        "seat_port": sitter.seat_port,
        "game": "",
    }
    return TableStore.create(tables_folder(), invite.table, "guest", secrets, game="", invite=line, run=run)


def sitter_of(store: TableStore, companion: bool) -> Sitter:
    """Who sat at an interrupted table."""
    run = store.meta.run
    seed, seat_port = run.get("seed"), run.get("seat_port")
    return Sitter(
        str(run.get("name", "")),
        str(run.get("bot", "")),
        seed if isinstance(seed, int) else None,
        seat_port if isinstance(seat_port, int) else None,
        companion,
    )


def lan_invite(found: Found) -> tuple[Invite, str]:
    """What leads to a table that was found on the network: all its addresses for now, and a line to keep, in which
    those cannot stand that mean something on this machine only."""
    invite = Invite(found.addresses, found.certificate_hash, found.table, found.token, found.port)
    lasting = tuple(address for address in found.addresses if "%" not in address) or (LOOPBACK,)
    return invite, write_invite(replace(invite, addresses=lasting))


async def join_table(
    store: TableStore,
    sitter: Sitter,
    front: Front,
    evening: Evening,
    resumed: bool = False,
    addresses: tuple[str, ...] = (),
) -> None:
    """Sit at a table until its game is over. `resumed`: keep dialling even if the host does not answer at first;
    `addresses`: where to dial besides those of the invite. Raises Refused with a sentence."""
    evening.store = store.path
    invite = read_invite_untrusted(store.meta.invite)
    invite = replace(invite, addresses=tuple(dict.fromkeys((*addresses, *invite.addresses))))
    if sitter.companion:
        await _introduce(store, sitter)
    async with trio.open_nursery() as nursery:
        sitting = Sitting(store, sitter, front)
        words = await trio.to_thread.run_sync(words_of, invite.certificate_hash)
        guest = Guest(invite, partial(_sit, sitting, words), lambda code: front.say(t(code)))
        evening.peer = guest.peer = await sitting.open(nursery, guest.submit, keeps_log=True, seated=True)
        evening.parting = guest.leave
        guest.resumed = resumed or guest.peer.height > 0
        guest.ready = sitter.ready
        sitting.send_ready = guest.set_ready
        _listen_to(guest, sitting, words)
        if sitter.companion:
            guest.patience, guest.longest = limits.COMPANION_PATIENCE, limits.COMPANION_REDIAL
            guest.parted = sitting.quit.set
        if not guest.peer.table.over:
            front.say(t("join-connecting", address=f"{invite.addresses[0]}:{invite.port}"))
            nursery.start_soon(_stay, guest, store)
            await sitting.until_quit(guest.peer.run)
        if guest.peer.table.over:
            evening.finished = True
            await trio.to_thread.run_sync(lambda: store.change_meta(run={"finished": True}))
        await evening.part()
        nursery.cancel_scope.cancel()


async def _sit(sitting: Sitting, words: tuple[str, ...], lobby: Lobby) -> SeatClaim | None:
    """The claim to a seat, once the terms are told and the person agrees; otherwise he leaves."""
    store, front = sitting.store, sitting.front
    told = lobby_news(lobby, store.identity.public, words, store.meta.invite)
    front.say(terms_told(told.game, told.options, told.rules))
    if not await front.agree(told):
        sitting.quit.set()
        return None
    await trio.to_thread.run_sync(lambda: store.change_meta(run={SEATED: True, "game": find_game(lobby.game).name}))
    return claim_for(store.identity, store.table, terms_of(lobby), sitting.sitter)


async def _stay(guest: Guest, store: TableStore) -> None:
    """Connected until the end. Whoever was not let in has nothing to come back to."""
    try:
        await guest.run()
    except Refused as refused:
        if refused.code == "seat-refused":
            store.change_meta(run={SEATED: False})
        raise


def _listen_to(guest: Guest, sitting: Sitting, words: tuple[str, ...]) -> None:
    """What the host says, told."""
    store = sitting.store
    seen: list[tuple[SeatClaim, ...]] = []
    asked: list[bool] = []

    def lobby_changed(lobby: Lobby) -> None:
        sitting.host = lobby.host
        if lobby.asking and not asked:
            asked.append(True)
            sitting.front.say(t("asked-for-seat", words=aloud(words)), important=True)
        if not lobby.running and seen[-1:] != [lobby.seats]:
            seen[:] = [lobby.seats]
            sitting.lobby(lobby.seats, len(lobby.seats) + lobby.missing)
        sitting.lobby_changed(lobby_news(lobby, store.identity.public, words, store.meta.invite))

    def say(chat: Chat) -> None:
        guest.say(chat)
        if not sitting.peer.is_bot:
            sitting.heard(chat)  # the host tells the others; a person sees his own words as well

    sitting.send_chat = say
    guest.chat_heard = sitting.heard
    guest.lobby_changed = lobby_changed
    guest.presence_changed = lambda: sitting.presence(guest.present)
    guest.parted = lambda: sitting.front.say(t("host-parted"))


async def _introduce(store: TableStore, sitter: Sitter) -> None:
    """Tell the host that started us our key; get its signature under it."""
    print(json.dumps({"key": store.identity.public.hex()}), flush=True)
    answer = await trio.to_thread.run_sync(sys.stdin.readline, abandon_on_cancel=True)
    try:
        told = json.loads(answer)
        sitter.machine, sitter.vouch = bytes.fromhex(told["machine"]), bytes.fromhex(told["vouch"])
    except (ValueError, KeyError, TypeError):
        raise Refused("output-closed") from None
