"""What a bot noted on its actions (`info`), kept beside the table's log: ``notes.jsonl``, a line an action.

    {"deal": 3, "step": 71, "action": "play KH", "info": {…}}

Not part of the game: a line that cannot be written is left out, and nobody waits for the disk. What MessagePack knows
and JSON does not stands as JSON can have it: bytes in base64, a number that is none as null.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

NOTES_LIMIT = 16 * 1024 * 1024
"""A talkative bot must not fill the disk: a thousand notes a game, each as long as a message may be, is too much."""


class Notes:
    """The notes of one seat at one table."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "notes.jsonl"

    def add(self, deal: int, step: int, action: str, info: Mapping[str, object]) -> None:
        """Write a line, if there is room."""
        try:
            line = msgspec.json.encode({"deal": deal, "step": step, "action": action, "info": info}) + b"\n"
            with self._path.open("ab") as file:
                if file.tell() + len(line) <= NOTES_LIMIT:
                    file.write(line)
        except (OSError, TypeError, ValueError, RecursionError):  # the disk, or a bot in Python with an object in it
            return
