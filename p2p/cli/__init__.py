"""The command line: `majlis`, one file for each group of commands.

`main` chooses the language first, from ``--lang``, the environment or the settings, because the commands' help texts
are sentences too; the command modules are imported after that. Every refusal becomes a sentence on standard error and
a non-zero exit:
1 refused or failed, 2 wrong usage, 3 a log that is honest but unfinished, 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TextIO

from p2p.files import FULL
from p2p.language import CODES, choose, set_language, t
from p2p.settings import read_settings

UNFINISHED = 3
INTERRUPTED = 130


def language_asked_for(arguments: Sequence[str]) -> str | None:
    """The value of ``--lang`` among the words of a command line."""
    for at, word in enumerate(arguments):
        if word == "--lang" and at + 1 < len(arguments):
            return arguments[at + 1]
        if word.startswith("--lang="):
            return word.removeprefix("--lang=")
    return None


def main() -> None:
    """The `majlis` command."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    asked = language_asked_for(sys.argv[1:])
    found = read_settings()
    set_language(choose(asked if asked in CODES else None, os.environ, found.settings.language))
    if found.notice is not None:
        print(t(found.notice.code, **found.notice.values), file=sys.stderr)
    try:
        from p2p.cli.majlis import majlis
        from p2p.cli.phrases import speak

        speak()
        majlis(prog_name="majlis")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except OSError as error:
        if error.filename is not None or error.errno not in FULL:
            raise
        print(t("cannot-write", path="stdout", reason=error.strerror or ""), file=sys.stderr)
        sys.exit(1)  # what is printed goes to a file, and its disk is full
    finally:
        for stream in (sys.stdout, sys.stderr):
            _forget_if_closed(stream)


def _forget_if_closed(stream: TextIO | None) -> None:
    """What nobody reads any more must not become a complaint of Python's at the very end."""
    if stream is None:  # it was closed before we began
        return
    try:
        stream.flush()
    except (OSError, ValueError):
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        except (OSError, ValueError):
            pass
