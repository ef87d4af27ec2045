"""A person at the full screen: looks at the prompt and presses keys, until he sees what he waits for."""

from __future__ import annotations

import re
import select
import time
from collections.abc import Callable, Sequence
from itertools import cycle
from pathlib import Path

from p2p.store import list_tables, tables_folder
from p2p.terminal.screen.hand import ROWS as HAND_ROWS
from tests.terminal.screen import DEADLINE, LOOK, Terminal, seen

CARD = re.compile(r"(?:10|[2-9JQKA])[♠♥♦♣]")


def prompt(terminal: Terminal) -> str:
    """The row that says what is asked."""
    return terminal.rows[-2]


def asked(terminal: Terminal) -> bool:
    """Whether it is the person's turn and nothing is lifted yet."""
    row = prompt(terminal)
    return any(seen(one, terminal.lang) in row for one in ("prompt-choose", "prompt-doubles"))


def lifted(terminal: Terminal) -> bool:
    """Whether something is lifted and enter plays it."""
    row = prompt(terminal)
    return any(seen(one, terminal.lang) in row for one in ("prompt-lifted", "double-confirm"))


def legal_cards(terminal: Terminal) -> list[tuple[int, int, str]]:
    """The cards of the hand that stand out as playable, as (column, row, card); none while words are chosen from."""
    if terminal.shows("▸") or terminal.shows("◂"):
        return []
    y = terminal.lines - 2 - HAND_ROWS + 1
    return [(found.start(), y, found[0]) for found in CARD.finditer(terminal.rows[y])]


def hand(terminal: Terminal) -> list[str]:
    """The cards of the hand, wherever they stand in it."""
    first = terminal.lines - 2 - HAND_ROWS
    return sorted(card for row in terminal.rows[first : first + HAND_ROWS - 1] for card in CARD.findall(row))


def answer(terminal: Terminal, way: str = "keys") -> None:
    """Play something that is allowed: with enter alone, by typing the card, or by mouse."""
    if asked(terminal):
        cards = legal_cards(terminal)
        if seen("prompt-doubles", terminal.lang) in prompt(terminal):
            terminal.press("up", "enter")
        elif not cards or way == "keys":
            terminal.press("enter")
        elif way == "typed":
            terminal.press(typed(cards[-1][2]))
        elif way == "mouse":
            terminal.click(*cards[-1][:2])
        terminal.see(lifted)
    before = prompt(terminal)
    terminal.press("enter").see(lambda terminal: prompt(terminal) != before)


def typed(card: str) -> str:
    """A card as it is typed: ``10S``."""
    return card[:-1] + "SHDC"["♠♥♦♣".index(card[-1])]


def sit_down(*terminals: Terminal) -> None:
    """Everybody says that he is ready, until the table is there with everybody's cards."""

    def seated(terminal: Terminal) -> bool:
        if terminal.shows("lobby-enter-ready-yes"):
            terminal.press("enter").see(lambda screen: not screen.shows("lobby-enter-ready-yes"))
        return deal_on_screen(terminal) > 0

    look_at(terminals, seated)


def play(*terminals: Terminal, until: Callable[[Terminal], object]) -> None:
    """Everybody plays whenever it is his turn, until each has seen something."""
    ways = {terminal: cycle(("keys", "typed", "keys", "mouse")) for terminal in terminals}
    reached: set[Terminal] = set()

    def done(terminal: Terminal) -> bool:
        if until(terminal):
            reached.add(terminal)
        if len(reached) < len(terminals) and (asked(terminal) or lifted(terminal)):
            answer(terminal, next(ways[terminal]))
        return len(reached) == len(terminals)

    look_at(terminals, done)


def look_at(terminals: Sequence[Terminal], done: Callable[[Terminal], bool]) -> None:
    """Look at all these screens whenever something is new there, until all are as they should be."""
    ends = time.monotonic() + DEADLINE
    while True:
        states = [terminal.whole and done(terminal) for terminal in terminals]
        if all(states):
            return
        for terminal in select.select(terminals, [], [], LOOK)[0]:
            assert terminal.read(0.0), f"it ended:\n{terminal}"
        assert time.monotonic() < ends, "\n".join(map(str, terminals))


def invite(home: Path) -> str:
    """The invite to the only table there is in a folder, or nothing as long as there is none."""
    listed = list_tables(tables_folder({"MAJLIS_HOME": str(home)}))
    return listed[0].meta.invite if listed else ""


def deal_on_screen(terminal: Terminal) -> int:
    """The number of the deal in the title, or 0."""
    words = seen("title-deal", terminal.lang)
    number = rf"(\d+) {re.escape(words)}" if terminal.lang == "ar" else rf"{re.escape(words)} (\d+)"
    found = re.search(number, terminal.rows[0])
    return int(found[1]) if found else 0
