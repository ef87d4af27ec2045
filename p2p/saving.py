"""Saving the game record of a table while it is played: the deals that are over, and what is public of the open one.

`majlis record` makes it, in a process of its own: to work out the hands it checks the whole log again, and a thread
that does so would hold up keys and proofs here.
"""

from __future__ import annotations

import os
from pathlib import Path

import trio

from p2p.files import replace_file, write_whole
from p2p.itself import OWN_COMMAND
from p2p.language import clean_text, current, t
from p2p.language.cards import left_to_right
from p2p.terminal.front import Front
from protocol.errors import Refused

PATH_LENGTH = 300
"""Characters of a path that are shown."""


def record_name(table: str) -> str:
    """What the file of a game record is called where no name is given; `table` is the table's id in hexadecimal."""
    return f"majlis-{table[:8]}.txt"


class Saver:
    """What /save does at one table. `log` is the table's log, `name` the file that is written where no other is
    named, `nursery` where it is written. A file that is there already is replaced when it is named a second time."""

    def __init__(self, log: Path, name: str, front: Front, nursery: trio.Nursery) -> None:
        self._log = log
        self._name = name
        self._front = front
        self.nursery = nursery
        self._to_replace: Path | None = None

    def save(self, typed: str) -> None:
        """/save, or /save FILE."""
        path = Path(os.path.expanduser(typed.replace("\0", "").strip() or self._name)).absolute()
        sure, self._to_replace = path == self._to_replace, None
        try:
            if path.is_dir():
                self._say("file-is-folder", path)
            elif path.exists() and not sure:
                self._to_replace = path
                self._say("save-exists", path)
            else:
                self._front.say(t("save-begun"))
                self.nursery.start_soon(self._save, path, sure)
        except OSError as error:  # a name that the system does not take
            self._say("cannot-write", path, reason=error.strerror or "")

    async def _save(self, path: Path, replace: bool) -> None:
        try:
            text = await record_text(self._log)
            await trio.to_thread.run_sync(_write, path, text, replace)
        except FileExistsError:
            self._say("save-exists", path)
        except OSError as error:
            self._say("cannot-write", path, reason=error.strerror or "")
        except Refused as refused:
            self._front.say(t(refused.code, **refused.values), important=True)
        else:
            self._say("save-done", path)

    def _say(self, code: str, path: Path, **values: str) -> None:
        self._front.say(t(code, path=left_to_right(clean_text(str(path), PATH_LENGTH)), **values), important=True)


def _write(path: Path, text: str, replace: bool) -> None:
    if replace:
        replace_file(path, text.encode())
    else:
        write_whole(path, text)


async def record_text(log: Path) -> str:
    """The game record of a log that may still be growing. Raises Refused: ``save-failed`` (reason)."""
    command = [*OWN_COMMAND, "--lang", current().code, "record", str(log)]
    made = await trio.run_process(command, capture_stdout=True, capture_stderr=True, check=False)
    if made.returncode != 0:
        told = made.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise Refused("save-failed", {"reason": clean_text(told, PATH_LENGTH)})
    return made.stdout.decode("utf-8")
