"""Commands that read and write game records: replay, score, record."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import NoReturn

import click

from engine.record import Record, RecordError, Replay, read, write
from engine.record import replay as play_again
from p2p.cli import INTERRUPTED
from p2p.cli.common import fail, is_terminal, new_screen, run_evening
from p2p.cli.reading import read_log, read_text, shown
from p2p.files import write_whole
from p2p.language import clean_text, t
from p2p.language.cards import game_name
from p2p.recording import record_of_untrusted
from p2p.terminal import words
from p2p.trouble import cleaned
from protocol.errors import Refused

file_argument = click.argument("file", type=click.Path(path_type=Path))
json_option = click.option("--json", "as_json", is_flag=True, help=t("opt-json"))


@click.command(help=t("help-replay"))
@file_argument
@json_option
@click.option("--html", "page", type=click.Path(path_type=Path), metavar="FILE", help=t("opt-html"))
@click.option("--watch", "on_screen", is_flag=True, help=t("opt-watch"))
def replay(file: Path, as_json: bool, page: Path | None, on_screen: bool) -> None:
    if on_screen and (as_json or page is not None):
        fail("watch-alone", 2)
    played = _played(file, as_json)
    if on_screen:
        _watch(played)
        return
    if page is not None:
        _write_page(played, page)
    if as_json:
        _print_json(played.to_json())
        return
    if played.finished:
        click.echo(t("record-ok", deals=len(played.results)))
    else:
        click.echo(t("record-unfinished"))
    click.echo(score_sheet(played))


@click.command(help=t("help-score"))
@file_argument
@json_option
def score(file: Path, as_json: bool) -> None:
    played = _played(file, as_json)
    if as_json:
        _print_json(played.to_json())
        return
    click.echo(score_sheet(played))
    if not played.finished:
        click.echo(t("record-unfinished"))


@click.command(help=t("help-record"))
@click.argument("log", type=click.Path(path_type=Path), metavar="TABLE.log")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help=t("opt-output"))
def record(log: Path, output: Path | None) -> None:
    if output is not None and output.exists() and log.exists() and output.samefile(log):
        fail("output-is-input", 2, path=shown(output))
    bodies, torn, damaged = read_log(log)
    try:
        made = record_of_untrusted(bodies)
    except Refused as refused:
        values = cleaned(refused.values)
        fail("verify-bad-entry", number=values["number"], reason=t(refused.code, **values))
    if damaged:
        fail("verify-bad-entry", number=len(bodies), reason=t("entry-damaged"))
    text = write(made)
    played = play_again(read(text))  # what we write, anybody can replay
    if output is None:
        click.echo(text, nl=False)
    else:
        try:
            output.write_text(text, "utf-8", newline="\n")
        except OSError as error:
            fail("cannot-write", path=shown(output), reason=error.strerror or "")
        click.echo(t("record-kept", path=shown(output)), err=True)
    if torn or not played.finished:
        click.echo(t("record-adjourned"), err=True)


def _watch(played: Replay) -> None:
    """The game on the full screen, until the person leaves it."""
    if not is_terminal():
        fail("watch-no-terminal", 2)
    if not played.record.deals:
        fail("replay-empty")
    from p2p.terminal.screen.watch import watch

    screen = new_screen()
    if run_evening(partial(watch, screen, played), screen=screen).interrupted:
        raise SystemExit(INTERRUPTED)


def _write_page(played: Replay, path: Path) -> None:
    """The game as a page for a browser, in a new file; a sentence and an exit code if there can be none."""
    from p2p.replaying.frames import frames
    from p2p.replaying.page import page

    try:
        write_whole(path, page(played, frames(played.record)))
    except FileExistsError:
        fail("file-is-folder" if path.is_dir() else "html-exists", 2, path=shown(path))
    except OSError as error:
        fail("cannot-write", path=shown(path), reason=error.strerror or "")
    click.echo(t("html-written", path=shown(path)), err=True)


# --- what replay and score share -----------------------------------------------------------------------------------


def _played(file: Path, as_json: bool) -> Replay:
    """The record played again; a sentence (or JSON) that names what is wrong, and exit code 1, if something is."""
    text = read_text(file)
    found: Record | None = None
    try:
        found = read(text)
        return play_again(found)
    except RecordError as wrong:
        _refuse(wrong, found.seats if found is not None else [], as_json)


def _refuse(wrong: RecordError, names: list[str], as_json: bool) -> NoReturn:
    sentence = error_sentence(wrong, names)
    if as_json:
        told = {"line": wrong.line, "action": wrong.action, "rule": wrong.rule, "code": wrong.code}
        _print_json({"error": {**told, "sentence": sentence}})
    click.echo(sentence, err=True)
    raise SystemExit(1)


def error_sentence(wrong: RecordError, names: list[str]) -> str:
    """What is wrong in a record: the line, who did what, the rule, and the rule's sentence."""
    values = cleaned(wrong.values)
    if "game" in values and wrong.code != "unknown-game":
        values["game"] = game_name(str(values["game"]))
    reason = t(wrong.code, **values)
    seat = wrong.values.get("seat", -1)
    if wrong.action and wrong.rule and isinstance(seat, int) and seat >= 0:
        who, action = words.player(seat, names), clean_text(wrong.action, 100)
        return t("record-wrong-action", line=wrong.line, player=who, action=action, rule=wrong.rule, reason=reason)
    if wrong.rule:
        return t("record-wrong-rule", line=wrong.line, rule=wrong.rule, reason=reason)
    return t("record-wrong", line=wrong.line, reason=reason)


def score_sheet(played: Replay) -> str:
    """The game, a row a deal, the totals, and who won."""
    names, results = played.seats, played.results
    told = [game_name(played.game.name)]
    if results:
        points = [result.points for result in results]
        told.append(words.score_table(names, points, played.state.totals, results[0].deal))
    told.append(words.winners(played.state.winners, names))
    return "\n".join(told).rstrip()


def _print_json(value: object) -> None:
    click.echo(json.dumps(value, indent=2))
