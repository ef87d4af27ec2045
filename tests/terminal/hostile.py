"""A guest whose name and talk try to disturb the screens of others: `python -m tests.terminal.hostile INVITE`.

It says what no honest program would send, with the project's own classes, over the real network.
"""

from __future__ import annotations

import io
import sys

import trio

from p2p.invite import read_invite_untrusted
from p2p.joining import join_table, new_guest_store
from p2p.sitting import Evening, Sitter, Sitting
from p2p.terminal.front import Watched
from p2p.terminal.lines import Console, LineTable
from protocol.deck import labels
from protocol.log import framed
from protocol.messages import Chat
from protocol.table import events
from protocol.table.events import Event

MARKS = "\u0301" * 10_000
NAME = "\x1b[2J\u202e<b>{player}\x9b8m" + "\u0301" * 34
"""As long as a name may be on the wire."""

TALK = (
    "\x1b[2J\x1b[H\x1b]0;owned\x07\x1b[?1049l\x9b31mescapes",
    "\u202e\u2067\u200fbackwards\u2066",
    "tower" + MARKS[:395],
    "<b>bold</b> {0} {player} %s",
    "wide 😀👩\u200d👩\u200d👧 ﷽ \u1160\u3164\u00ad end",
)
LAST = "undisturbed"
TOO_LONG = "long" + MARKS
"""More than the wire allows: whoever sends it loses the connection."""


class Hostile(LineTable):
    """Talks as soon as cards are dealt, and then again."""

    sitting: Sitting

    def attach(self, watched: Watched) -> None:
        """What it speaks through."""
        super().attach(watched)
        assert isinstance(watched, Sitting)
        self.sitting = watched

    async def observe(self, event: Event) -> None:
        """Its bot plays; all it does is talk."""
        await super().observe(event)
        if isinstance(event, events.Dealt):
            for number, text in enumerate((*TALK, LAST, TOO_LONG), 1):
                self._send(number, text)

    def _send(self, number: int, text: str) -> None:
        store = self.sitting.store
        signature = store.identity.sign(labels.LABEL_CHAT, framed(store.table, number, text))
        self.sitting.send_chat(Chat(store.identity.public, number, text, signature))


async def main(invite: str) -> None:
    """Sit down and play until the game is over."""
    sitter, front = Sitter(NAME, "random", 1), Hostile(Console(out=io.StringIO(), source=io.StringIO()))
    with new_guest_store(read_invite_untrusted(invite), invite, sitter) as store:
        await join_table(store, sitter, front, Evening())


if __name__ == "__main__":
    trio.run(main, sys.argv[1])
