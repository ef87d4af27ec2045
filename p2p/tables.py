"""Sitting down at a table, from the command line or from the lobby: a new one, somebody's, or an interrupted one."""

from __future__ import annotations

import getpass
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from p2p.hosting import HostedTable, Hosting, hosting_of, new_host_store
from p2p.invite import Invite, read_invite_untrusted
from p2p.joining import SEATED, join_table, lan_invite, new_guest_store, sitter_of
from p2p.lan import Found
from p2p.language import clean_text, t
from p2p.limits import NAME_LENGTH
from p2p.settings import read_settings
from p2p.sitting import Evening, Sitter
from p2p.store import Listed, TableStore, list_tables, tables_folder
from p2p.terminal.front import Front


def own_name(asked: str | None) -> str:
    """The player's name: as asked for, or the one in the settings, or the name one has on this machine."""
    asked = read_settings().settings.name or None if asked is None else asked
    if asked is None:
        try:
            asked = getpass.getuser()
        except (OSError, KeyError, ImportError):
            asked = ""
    return clean_text(asked, NAME_LENGTH) or t("player-unnamed")


@dataclass(frozen=True)
class Way:
    """What leads to somebody's table: the invite, and the line to keep of it. `found`: it was announced on the network,
    and whoever has a better line keeps that."""

    invite: Invite
    line: str = field(repr=False)
    found: bool = False


def way_untrusted(line: str) -> Way:
    """By a line that somebody sent. Raises what `read_invite_untrusted` does."""
    return Way(read_invite_untrusted(line), line)


def way_to(found: Found) -> Way:
    """To a table that was found on the network."""
    return Way(*lan_invite(found), found=True)


async def host(hosting: Hosting, front: Front, evening: Evening) -> None:
    """Host a new table until its game is over, or it is left. Raises Refused with a sentence."""
    with new_store(new_host_store(hosting)) as store:
        await HostedTable(store, hosting, front, evening).run()


async def join(
    way: Way, sitter: Sitter, front: Front, evening: Evening, name: str | None = None
) -> None:
    """Join somebody's table. Whoever sat there already gets his seat back, unless he asks for another `name`. Raises
    Refused with a sentence."""
    invite, line = way.invite, way.line
    before = None if sitter.companion else _seat_here(invite.table, name)
    if before is None:
        with new_store(new_guest_store(invite, line, sitter)) as store:
            await join_table(store, sitter, front, evening, addresses=invite.addresses)
        return
    with TableStore.open(before.path) as store:
        if not way.found:
            store.change_meta(invite=line)  # the host may have another address by now
        again = sitter_of(store, sitter.companion)
        again.ready = sitter.ready
        await join_table(store, again, front, evening, addresses=invite.addresses)


async def resume(listed: Listed, front: Front, evening: Evening, companion: bool = False, ready: bool = True) -> None:
    """Go on with an interrupted table; a game that has not begun waits for the person if he is not `ready`. Raises
    Refused with a sentence."""
    with TableStore.open(listed.path) as store:
        if store.meta.role == "host":
            hosting = hosting_of(store)
            hosting.sitter.ready = ready or hosting.among_bots
            await HostedTable(store, hosting, front, evening).run()
        else:
            sitter = sitter_of(store, companion)
            sitter.ready = ready
            await join_table(store, sitter, front, evening, resumed=True)


def resumable() -> list[Listed]:
    """All unfinished tables, last played first."""
    return [listed for listed in list_tables(tables_folder()) if not finished(listed)]


def finished(listed: Listed) -> bool:
    """Whether a table's game is over, as its store remembers."""
    return bool(listed.meta.run.get("finished"))


@contextmanager
def new_store(store: TableStore) -> Iterator[TableStore]:
    """A store that has just been made, open. What never came to a table (a busy port, a wrong invite, terms that were
    not wanted) leaves nothing to resume."""
    try:
        with store:
            yield store
    finally:
        invited = store.meta.role == "host" and store.meta.invite
        if not (store.log or store.outbox or invited or store.meta.run.get(SEATED)):
            shutil.rmtree(store.path, ignore_errors=True)


def _seat_here(table: bytes, name: str | None) -> Listed | None:
    """The unfinished seat at this table that was taken from here before, by a player of this name, and that nobody has
    open."""
    for listed in resumable():
        here = listed.meta.table == table.hex() and listed.meta.role == "guest"
        if here and not listed.locked and (name is None or listed.meta.run.get("name") == own_name(name)):
            return listed
    return None
