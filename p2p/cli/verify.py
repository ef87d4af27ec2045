"""`majlis verify`: the whole log of a game checked, without any secret, by somebody who need not have played."""

from __future__ import annotations

import json
import time
from pathlib import Path

import click

from p2p.cli import UNFINISHED
from p2p.cli.reading import read_log
from p2p.cli.records import json_option
from p2p.language import clean_text, t
from p2p.language.cards import game_name
from p2p.terminal import words
from p2p.trouble import cleaned
from protocol.verify import LogError, Verdict, verify_records

KEY_SHOWN = 16
"""Hex digits of a key that are shown; the JSON has all of them."""


@click.command(help=t("help-verify"))
@click.argument("log", type=click.Path(path_type=Path))
@json_option
def verify(log: Path, as_json: bool) -> None:
    bodies, torn, damaged = read_log(log)
    since = time.monotonic()
    verdict = verify_records(bodies)
    if damaged and verdict.error is None:
        verdict.error = LogError(len(bodies), -1, "", "entry-damaged")
    seconds = time.monotonic() - since
    if as_json:
        click.echo(json.dumps(to_json(verdict, torn, seconds), indent=2))
    else:
        _tell(verdict, torn, seconds)
    if verdict.error is not None:
        raise SystemExit(1)
    if not verdict.finished:
        raise SystemExit(UNFINISHED)


def _tell(verdict: Verdict, torn: int, seconds: float) -> None:
    names = [player.name for player in verdict.players]
    if verdict.game:
        click.echo(game_name(verdict.game))
    for seat, player in enumerate(verdict.players):
        who, key = words.player(seat, names), key_shown(player.key)
        if player.bot:
            click.echo(t("verify-player-bot", player=who, bot=clean_text(player.bot, 60), key=key))
        else:
            click.echo(t("verify-player", player=who, key=key))
    if verdict.results:
        points = [result.points for result in verdict.results]
        click.echo(words.score_table(names, points, verdict.totals))
    if won := words.winners(verdict.winners, names):
        click.echo(won)
    for cheat, name in zip(verdict.faults, verdict.names, strict=True):
        who = words.player(0, [name]) if name else words.player(cheat.seat, names)
        click.echo(t("verify-cheat", number=cheat.height, player=who, reason=t(cheat.code)))
    for seat in dict.fromkeys(verdict.lost):
        click.echo(t("verify-lost", player=words.player(seat, names)))
    click.echo(t("verify-counted", packs=verdict.packs, shuffles=shuffles(verdict), proofs=verdict.proofs))
    if torn:
        click.echo(t("verify-torn", bytes=torn))
    click.echo(judgement(verdict), err=verdict.error is not None)
    click.echo(t("verify-seconds", seconds=f"{seconds:.1f}"))


def judgement(verdict: Verdict) -> str:
    """The verdict in a line: verified, unfinished, or which entry of whom is wrong, and why."""
    error = verdict.error
    if error is not None:
        reason = t(error.code, **{"number": error.number, "seat": error.seat, **cleaned(error.values)})
        if error.seat < 0:
            return t("verify-bad-entry", number=error.number, reason=reason)
        who = t("seat-named", name=words.player(error.seat, [""] * error.seat + [error.name]), seat=error.seat)
        return t("verify-bad", number=error.number, player=who, reason=reason)
    if not verdict.finished:
        return t("log-cut-off", number=verdict.records - 1)
    return t("verify-ok", entries=verdict.records, deals=verdict.deals)


def shuffles(verdict: Verdict) -> int:
    """How many shuffles the log holds."""
    phase = verdict.phases.get("shuffle")
    return phase.entries if phase is not None else 0


def key_shown(key: bytes) -> str:
    """The beginning of a key, in fours."""
    digits = key.hex()[:KEY_SHOWN]
    return " ".join(digits[at : at + 4] for at in range(0, KEY_SHOWN, 4))


def to_json(verdict: Verdict, torn: int, seconds: float) -> dict[str, object]:
    """The verdict for programs (docs/records.md)."""
    error = verdict.error
    return {
        "verified": error is None,
        "finished": verdict.finished,
        "error": None
        if error is None
        else {
            "entry": error.number,
            "seat": error.seat if error.seat >= 0 else None,
            "name": clean_text(error.name, 60),
            "code": error.code,
            "sentence": judgement(verdict),
        },
        "game": verdict.game,
        "seats": [
            {"name": clean_text(player.name, 60), "key": player.key.hex(), "bot": clean_text(player.bot, 60)}
            for player in verdict.players
        ],
        "deals": [
            {"deal": result.deal, "score": list(result.points), "total": list(result.totals)}
            for result in verdict.results
        ],
        "total": list(verdict.totals),
        "winners": list(verdict.winners),
        "cheats": [{"entry": cheat.height, "seat": cheat.seat, "code": cheat.code} for cheat in verdict.faults],
        "lost": list(dict.fromkeys(verdict.lost)),
        "entries": verdict.records,
        "packs": verdict.packs,
        "shuffles": shuffles(verdict),
        "proofs": verdict.proofs,
        "torn": torn,
        "seconds": round(seconds, 3),
    }
