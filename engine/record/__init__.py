"""Game records: text files of whole games that people can read and share and that replay exactly.

`read` turns text into a `Record`, `write` a `Record` into text, `replay` plays it with every action and every score
checked, `Recorder` makes one from a referee's events. Deals without hands are score sheets of tables with real cards.
"""

from __future__ import annotations

from engine.record.model import Attempt, Deal, Move, Record, RecordError
from engine.record.read import read
from engine.record.recorder import Recorder
from engine.record.replay import Replay, replay
from engine.record.watch import Moment, Watch
from engine.record.write import write

__all__ = [
    "Attempt", "Deal", "Moment", "Move", "Record", "RecordError", "Recorder", "Replay", "Watch", "read", "replay",
    "write",
]  # fmt: skip
