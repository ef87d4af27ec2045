"""Tables on the network, for `majlis join` without an invite: listed, and one of them chosen."""

from __future__ import annotations

import json
import sys

import click
import trio

from p2p.cli.common import fail, sentences
from p2p.joining import lan_invite
from p2p.lan import Found, seek
from p2p.language import t, tn
from p2p.language.cards import aloud, game_name
from p2p.terminal import words
from protocol.errors import Refused

LISTENING = 3.0
"""How long one listens: twice as long as a table is silent."""

ANSWER_LENGTH = 20
"""Longest answer that is read."""


async def listen() -> tuple[Found, ...]:
    """The tables that are heard of within LISTENING. Raises Refused: ``lan-off``, ``lan-unavailable``."""
    heard: list[tuple[Found, ...]] = [()]
    async with trio.open_nursery() as nursery:
        await nursery.start(seek, heard.append)
        await trio.sleep(LISTENING)
        nursery.cancel_scope.cancel()
    return heard[-1]


def told(tables: tuple[Found, ...]) -> list[str]:
    """One line a table."""
    return [
        t(
            "lan-table",
            number=number,
            player=words.player(0, [one.name]),
            game=game_name(one.game),
            free=tn("seats-free", one.free),
            words=aloud(one.words()),
        )
        for number, one in enumerate(tables, 1)
    ]


def as_json(one: Found) -> dict[str, object]:
    """A table for programs; `invite` is what `majlis join` takes, and only asks for a seat."""
    return {
        "name": one.name,
        "game": one.game,
        "free": one.free,
        "words": list(one.words()),
        "addresses": list(one.addresses),
        "port": one.port,
        "table": one.table.hex(),
        "certificate": one.certificate_hash.hex(),
        "invite": lan_invite(one)[1],
    }


def show(for_programs: bool) -> None:
    """List the tables and end: exit code 1 where there is none."""
    with sentences():
        tables = trio.run(listen)
    if for_programs:
        click.echo(json.dumps([as_json(one) for one in tables], ensure_ascii=False, indent=2))
    elif tables:
        click.echo("\n".join([t("lan-heading"), *told(tables)]))
    else:
        fail("lan-none")


def chosen() -> Found:
    """The table that the person chooses. Raises what `choose` does."""
    return trio.run(choose)


async def choose() -> Found:
    """List the tables and read which is meant. Raises Refused: ``lan-none``, ``lan-no-answer``, as `listen`."""
    tables = await listen()
    if not tables:
        raise Refused("lan-none")
    click.echo("\n".join([t("lan-heading"), *await trio.to_thread.run_sync(told, tables), t("lan-which")]))
    while True:
        line = await trio.to_thread.run_sync(sys.stdin.readline, ANSWER_LENGTH, abandon_on_cancel=True)
        if not line:
            raise Refused("lan-no-answer")
        answer = line.strip()
        if answer.isdecimal() and 1 <= int(answer) <= len(tables):
            return tables[int(answer) - 1]
        click.echo(t("lan-no-number", number=answer))
