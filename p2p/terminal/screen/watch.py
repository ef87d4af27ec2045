"""A record watched on the full screen, all hands open or as one seat saw it (`majlis replay --watch`).

The table is drawn as it is while one plays; here the scenes are made of the record's frames, and keys go through them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

from engine.cards import card_name
from engine.cards import names as card_names
from engine.record import Replay
from engine.referee import Acted
from p2p.language import current, digits, t
from p2p.language.cards import left_to_right
from p2p.replaying.frames import Frame, frames
from p2p.replaying.sentences import first_frames, told_to
from p2p.sitting import Evening
from p2p.terminal import words
from p2p.terminal.narrator import MOVES_KEPT
from p2p.terminal.screen.app import Screen, interrupt
from p2p.terminal.screen.canvas import Canvas
from p2p.terminal.screen.panes import HistoryPane, LastPane, RulesPane, folded
from p2p.terminal.screen.scene import Command, Interrupt, News, Scene
from p2p.terminal.screen.score_pane import ScorePane
from p2p.terminal.screen.table_page import TablePage
from p2p.terminal.screen.theme import Look
from p2p.terminal.screen.ui import NEVER, Hint, TextPane, Ui

MOMENT_SECONDS = 1.2
TRICK_SECONDS = 2.4
SCORE_SECONDS = 6.0
"""How long a moment, a whole trick and the points of a deal are shown when the record plays by itself."""

NOBODY = -1
"""Instead of a seat: all hands are open."""

ALL_HANDS = ("a", "A", "ش")
"""The last one is the same key on an Arabic keyboard."""


def scene_of(seen: Sequence[Frame], at: int, seat: int) -> Scene:
    """The table at one moment: as `seat` saw it, or (`NOBODY`) with all hands open and seat 0 at the bottom."""
    frame = seen[at]
    below = max(seat, 0)
    lying = _named(frame)
    before = [one for one in seen[: at + 1] if (one.deal, one.attempt) == (frame.deal, frame.attempt)]
    whole = next((one for one in reversed(before) if one.taker >= 0), None)
    acts = [event for one in before for event in one.events if isinstance(event, Acted)]
    moves = [(act.seat, str(act.action)) for act in acts if act.action.verb in ("play", "pass")]
    in_trix = frame.table.get("contract") == "trix" and frame.table["phase"] == "play"
    return Scene(
        frame.view(below),
        below,
        trick=lying,
        winner=frame.taker,
        last=_named(whole) if whole else (),
        took=whole.taker if whole else -1,
        moves=tuple(moves[-MOVES_KEPT:]) if in_trix else (),
        hands=tuple(tuple(card_names(hand).split()) for hand in frame.hands) if seat == NOBODY else (),
        scored=frame.result,
        results=tuple(one.result for one in seen[: at + 1] if one.result is not None),
        watched=(at + 1, len(seen)),
    )


def _named(frame: Frame) -> tuple[tuple[int, str], ...]:
    return tuple((by, card_name(card)) for by, card in frame.trick)


def stops(seen: Sequence[Frame]) -> list[int]:
    """Where one comes to trick by trick: whole tricks, rounds of Trix, points, and where a phase ends."""
    found, moves = {0, len(seen) - 1}, 0
    for at, (before, frame) in enumerate(pairwise(seen), 1):
        turned, moved = _phase(frame) != _phase(before), _moves(frame)
        moves = moved if turned else moves + moved
        in_trix = frame.table.get("contract") == "trix"
        rounded = moves % len(frame.names) == 0 if in_trix else frame.taker >= 0
        if turned or frame.result is not None or (moved and rounded):
            found.add(at)
    return sorted(found)


def _phase(frame: Frame) -> tuple[int, int, str]:
    return frame.deal, frame.attempt, str(frame.table["phase"])


def _moves(frame: Frame) -> int:
    """How many cards were played, or passed over in Trix."""
    acts = [event.action.verb for event in frame.events if isinstance(event, Acted)]
    return sum(verb in ("play", "pass") for verb in acts)


class WatchPage(TablePage):
    """A table of the past. `at` is the moment shown, `seat` who looks on (`NOBODY`: all hands are open)."""

    def __init__(self, ui: Ui, replayed: Replay) -> None:
        super().__init__(ui)
        self.replayed = replayed
        self.seen = frames(replayed.record)
        self.stops = stops(self.seen)
        self.deals = [self.seen.index(first) for first in first_frames(self.seen)]
        self.at = 0
        self.seat = NOBODY
        self.playing = False
        self._since = 0.0
        self._made: tuple[int, int, str] | None = None
        self._see_moment()

    # --- drawing ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        """The moment, or the next one when it is time for it."""
        if self.playing and now >= self._since + self._seconds():
            self._since = now
            self._go(self.at + 1)
            self.playing = self.at < len(self.seen) - 1
        elif not self.playing:
            self._since = now
        self._see_moment()
        super().draw(canvas, now)

    def wakes(self, now: float) -> float:
        """For the next moment, while it plays by itself."""
        return self._since + self._seconds() if self.playing else NEVER

    def _seconds(self) -> float:
        frame = self.seen[self.at]
        return SCORE_SECONDS if frame.result else TRICK_SECONDS if frame.taker >= 0 else MOMENT_SECONDS

    def _see_moment(self) -> None:
        wanted = (self.at, self.seat, current().code)
        if wanted != self._made:
            self._made = wanted
            self.scene = scene_of(self.seen, self.at, self.seat)
            self.news = self._told()
        self.notice = self._notice()

    def _told(self) -> list[News]:
        """What happened in this deal so far, as whoever looks on heard it."""
        frame, game = self.seen[self.at], self.replayed.game.name
        deal = [one for one in self.seen[: self.at + 1] if (one.deal, one.attempt) == (frame.deal, frame.attempt)]
        return [News(text, important=note) for one in deal for text, note in told_to(one, game, self.seat)]

    def _notice(self) -> str:
        frame = self.seen[self.at]
        if not frame.hands:
            shown = t("replay-no-hands")
        elif self.seat == NOBODY:
            shown = t("watch-all")
        else:
            shown = t("watch-as", player=words.player(self.seat, frame.names))
        return t("watch-playing", shown=shown) if self.playing else shown

    # --- keys ---------------------------------------------------------------------------------------------------------

    def everywhere(self) -> dict[str, Callable[[], None]]:
        """Panes that say something of a record."""
        return {
            "f1": self._help,
            "f2": partial(self._open, ScorePane),
            "f3": partial(self._open, LastPane),
            "f4": partial(self._open, RulesPane),
            "f6": partial(self._open, HistoryPane),
        }

    def _help(self) -> None:
        """The keys; again: away with them."""
        lies = any(isinstance(one, WatchHelpPane) for one in self.ui.panes)
        self.ui.panes.clear()
        if not lies:
            self.ui.open(WatchHelpPane(self.ui, len(self.seen[0].names)))

    def press(self, key: str) -> None:
        """Through the game, and from hand to hand."""
        on = -1 if self.ui.manner.right_to_left else 1
        panes = self.everywhere()
        seats = len(self.seen[0].names)
        if key in panes or key in ("?", "؟"):
            panes.get(key, panes["f1"])()
        elif key in ("left", "right"):
            self._go(self.at + (on if key == "right" else -on))
        elif key in ("up", "down"):
            self._leap(self.stops, key == "down")
        elif key in ("pageup", "pagedown"):
            self._leap(self.deals, key == "pagedown")
        elif key in ("home", "end"):
            self._go(0 if key == "home" else len(self.seen) - 1)
        elif key in (" ", "enter"):
            self.playing = not self.playing and self.at < len(self.seen) - 1
        elif key in ("tab", "backtab"):
            self.seat = (self.seat + (2 if key == "tab" else 0)) % (seats + 1) - 1
        elif key in ALL_HANDS:
            self.seat = NOBODY
        elif key.isdecimal() and len(key) == 1 and int(key) < seats:
            self.seat = int(key)
        elif key in ("escape", "q", "Q", "ض"):
            self.ui.send(Command("quit"))

    def _go(self, at: int) -> None:
        self.at = min(max(at, 0), len(self.seen) - 1)

    def _leap(self, places: Sequence[int], on: bool) -> None:
        """To the next of these places, or to the one before."""
        ahead = [place for place in places if place > self.at] or [len(self.seen) - 1]
        behind = [place for place in places if place < self.at] or [0]
        self._go(ahead[0] if on else behind[-1])

    def hints(self) -> list[Hint]:
        """The keys of a record."""
        return [
            Hint("←→", t("hint-moves"), "left" if self.ui.manner.right_to_left else "right"),
            Hint("↑↓", t("hint-trick"), "down"),
            Hint("PgDn", t("hint-deal"), "pagedown"),
            Hint("Tab", t("hint-hands"), "tab"),
            Hint(t("key-space"), t("hint-plays"), " "),
            Hint("F1", t("hint-help"), "f1"),
            Hint("F2", t("hint-score"), "f2"),
            Hint("Esc", t("hint-leave"), "escape"),
        ]


class WatchHelpPane(TextPane):
    """The keys."""

    title = "pane-watch-help"

    def __init__(self, ui: Ui, seats: int) -> None:
        super().__init__(ui)
        self._seats = seats

    def lines(self, size: int, now: float) -> list[tuple[str, tuple[Look, ...]]]:
        """A line a key."""
        seats = left_to_right(digits(f"0–{self._seats - 1}"))
        return [(line, ()) for line in folded(t("watch-help", seats=seats), size)]


async def watch(screen: Screen, replayed: Replay, evening: Evening) -> None:
    """Show a record until the person leaves it; on trio, beside `screen.run`. `evening` has nothing to part from."""
    screen.post(lambda: screen.ui.show(WatchPage(screen.ui, replayed)))
    async for wish in screen.wishes:
        if isinstance(wish, Interrupt):
            interrupt()
        elif wish == Command("quit"):
            return
