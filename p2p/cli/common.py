"""What the commands share: running a session, and turning what went wrong into a sentence and an exit code."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, NoReturn, TypeVar

import click
import trio

from engine.game import Game, Illegal, Value
from engine.games import ALIASES, NAMES
from p2p.cli import INTERRUPTED, language_asked_for
from p2p.language import clean_text, t
from p2p.language.cards import game_name
from p2p.link import Closed
from p2p.saving import PATH_LENGTH, record_name
from p2p.sitting import Evening
from p2p.terminal.front import Front
from p2p.terminal.lines import Console, LineTable
from p2p.trouble import cleaned, first_known
from protocol.errors import Refused
from protocol.rules import TABLE_OPTIONS

if TYPE_CHECKING:
    from p2p.terminal.screen.app import Screen

T = TypeVar("T")


def fail(code: str, exit_code: int = 1, /, **values: object) -> NoReturn:
    """End with a sentence, also where nobody reads it any more."""
    last_words(t(code, **values), err=True)
    raise SystemExit(exit_code)


def last_words(text: str, err: bool = False) -> None:
    """Say something before the end; the exit code says how it ended in any case."""
    try:
        click.echo(text, err=err)
    except OSError:
        pass  # the window was closed, or the pipe


def thank(played: Path | None) -> None:
    """The end after games: where the last one is kept, said as the commands that check it and show it again."""
    last_words(t("goodbye"))
    if played is not None and played.exists():
        table, record = as_typed(played), record_name(played.name)
        last_words(t("goodbye-again"))
        last_words(f"  majlis verify {table}")
        last_words(f"  majlis record {table} -o {record} && majlis replay {record} --watch")


def as_typed(path: Path) -> str:
    """A path as it stands in a command: in quotes where its spaces or signs need them."""
    text = clean_text(str(path), PATH_LENGTH)
    return subprocess.list2cmdline([text]) if os.name == "nt" else shlex.quote(text)


@contextmanager
def sentences() -> Iterator[None]:
    """Refusals inside become a sentence and exit code 1, never a traceback."""
    try:
        yield
    except Refused as refused:
        fail(refused.code, **cleaned(refused.values))
    except Illegal as illegal:
        fail(illegal.code, **cleaned(illegal.values))
    except Closed as closed:
        fail(closed.code)
    except KeyboardInterrupt:
        fail("interrupted", INTERRUPTED)
    except BaseExceptionGroup as group:
        first = first_known(group)
        with sentences():
            raise first from None


def end_like_ctrl_c() -> None:
    """SIGTERM and a closed terminal, too, raise KeyboardInterrupt from now on: where and when Ctrl-C would, since
    whoever handles that (trio does) knows where it may break in."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        handler = signal.getsignal(signal.SIGINT)
        if not callable(handler):  # Ctrl-C is ignored, here as in a shell's background
            raise KeyboardInterrupt
        handler(signal.SIGINT, frame)

    for number in (signal.SIGTERM, *hang_up()):
        signal.signal(number, interrupt)


def hang_up() -> list[signal.Signals]:
    """The signal of a terminal that was closed, where there is one and nobody (nohup) had it ignored."""
    found = getattr(signal, "SIGHUP", None)
    return [] if found is None or signal.getsignal(found) is signal.SIG_IGN else [found]


def run_evening(
    session: Callable[[Evening], Awaitable[None]], companion: bool = False, screen: Screen | None = None
) -> Evening:
    """Run a session until it ends; say goodbye in the right words. Ctrl-C, SIGTERM and a closed terminal end it at any
    moment; a companion leaves Ctrl-C to the program that started it. A screen is shown meanwhile, and after the game
    until the person leaves it."""
    evening = Evening()
    watched = [signal.SIGTERM, *hang_up()]
    if companion:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    else:
        watched.append(signal.SIGINT)
    try:
        with sentences():
            trio.run(_interruptible, session, evening, watched, screen)
    finally:
        if screen is not None and screen.stuck:
            os._exit(INTERRUPTED)  # all is saved, and last words would wait for ever
    return evening


async def _interruptible(
    session: Callable[[Evening], Awaitable[None]],
    evening: Evening,
    watched: list[signal.Signals],
    screen: Screen | None,
) -> None:
    with trio.open_signal_receiver(*watched) as signals:
        async with trio.open_nursery() as nursery:

            async def watch() -> None:
                async for _ in signals:
                    evening.interrupted = True
                    await evening.part()
                    nursery.cancel_scope.cancel()

            nursery.start_soon(watch)
            if screen is not None:
                nursery.start_soon(screen.run)
            await session(evening)
            if screen is not None and evening.finished:
                await screen.until_left()
            nursery.cancel_scope.cancel()


def is_terminal() -> bool:
    """Whether there is a terminal on both ends that can move its cursor."""
    try:
        both = sys.stdin.isatty() and sys.stdout.isatty()
    except (ValueError, AttributeError):  # closed, or none at all
        return False
    return both and os.environ.get("TERM", "") not in ("", "dumb")


def face(plain: bool, quiet: bool = False) -> tuple[Front, Screen | None]:
    """What a person's table is shown by: the full screen where there is a terminal for it, lines everywhere else."""
    if not has_screen(plain, quiet):
        return LineTable(Console(quiet=quiet)), None
    from p2p.terminal.screen.player import ScreenTable  # prompt_toolkit takes a moment, which lines do not need

    screen = new_screen()
    return ScreenTable(screen), screen


def has_screen(plain: bool, quiet: bool = False) -> bool:
    """Whether there is a terminal for the full screen, and nobody wants lines: `plain`, or said before the command."""
    context = click.get_current_context(silent=True)
    said_before = context is not None and bool(context.find_root().params.get("plain"))
    return not (quiet or plain or said_before) and is_terminal()


def new_screen() -> Screen:
    """The full screen, not yet shown."""
    from p2p.terminal.screen.open import open_screen

    with sentences():  # it may have a question, and Ctrl-C answers it too
        return open_screen(bool(language_asked_for(sys.argv[1:]) or os.environ.get("MAJLIS_LANG")))


def read_options(game: Game, preset: str | None, texts: tuple[str, ...]) -> tuple[dict[str, Value], dict[str, Value]]:
    """(options of the game, options of the table) that were asked for, only what differs from the defaults."""
    chosen: dict[str, Value] = {}
    rules: dict[str, Value] = {}
    if preset is not None:
        if not game.presets:
            fail("no-presets", 2, game=game_name(game.name))
        if preset not in game.presets:
            fail("unknown-preset", 2, game=game_name(game.name), preset=preset, presets=", ".join(game.presets))
        chosen |= game.presets[preset]
    by_name = {option.name: option for option in (*game.options, *TABLE_OPTIONS)}
    own = {option.name for option in TABLE_OPTIONS}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            fail("bad-option-form", 2, text=text)
        if name not in by_name:
            fail("bad-option-name", 2, option=name, game=game_name(game.name))
        try:
            parsed = by_name[name].parse(value)
        except ValueError:
            offered = ", ".join(str(one) for one in by_name[name].values[:20])
            fail("bad-option-value", 2, option=name, value=value, offered=offered)
        (rules if name in own else chosen)[name] = parsed
    defaults = game.defaults() | {option.name: option.values[0] for option in TABLE_OPTIONS}
    return (
        {name: value for name, value in chosen.items() if value != defaults[name]},
        {name: value for name, value in rules.items() if value != defaults[name]},
    )


def games() -> list[str]:
    """The names of all games, and their aliases."""
    return [*NAMES, *ALIASES]
