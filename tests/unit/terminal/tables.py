"""A table page with a real question on it: random bots play with seeded packs until somebody is asked."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from typing import Any

from bots.builtin import make
from bots.practice import bot_chooser, seat_view
from engine.actions import Action
from engine.cards import CardSet
from engine.game import State
from engine.games import game as find_game
from engine.referee import Referee, shuffled
from p2p.settings import Settings
from p2p.terminal.screen.canvas import Canvas, Manner
from p2p.terminal.screen.scene import News, Question, Scene
from p2p.terminal.screen.table_page import TablePage
from p2p.terminal.screen.ui import Ui

NAMES = ("Amal", "أبو علي", "Celine", "Bot 1")
SEED = 7
ME = 0


@cache
def asked(game: str, deals: int) -> tuple[Scene, ...]:
    """What seat `ME` sees at each of its questions in the deal after so many whole ones."""
    rules = find_game(game)
    referee = Referee.start(rules, shuffled(random.Random(SEED).shuffle), {})
    bots = [make("random", SEED + seat) for seat in range(rules.seats)]
    choosers = [bot_chooser(referee, bot) for bot in bots]
    found: list[Scene] = []

    def look(seat: int, state: State, hand: CardSet, actions: list[Action]) -> Action:
        view = seat_view(referee, seat, NAMES[: len(bots)])
        question = Question(len(found), tuple(view["legal"]))
        found.append(Scene(view, ME, question, results=tuple(referee.state.results), rules=(("turn_seconds", 30),)))
        return choosers[seat](seat, state, hand, actions)

    referee.play([look, *choosers[1:]], deals + 1)
    return tuple(scene for scene in found if len(scene.results) == deals)


def playing(game: str = "kasra", deals: int = 2) -> Scene:
    """A question for a card."""
    return next(scene for scene in asked(game, deals) if scene.view["phase"] == "play" and scene.view["hand"])


def shown(scene: Scene, settings: Settings | None = None, manner: Manner | None = None) -> tuple[TablePage, list[Any]]:
    """The table with this scene on it, and what leaves it."""
    sent: list[Any] = []
    ui = Ui(sent.append, settings, lambda settings: manner or Manner())
    page = TablePage(ui)
    ui.show(page) if ui.pages else ui.pages.append(page)
    page.take(scene)
    rows(page)
    return page, sent


def press(page: TablePage, *keys: str) -> None:
    """Keys, one after the other; each is drawn, as on a screen."""
    for key in keys:
        page.ui.press(key)
        rows(page)


def type_(page: TablePage, text: str) -> None:
    """A text, letter by letter."""
    press(page, *text)


def rows(page: TablePage, columns: int = 80, lines: int = 24, now: float = 100.0) -> list[str]:
    """What is on the screen."""
    return page.ui.draw(columns, lines, now).text()


def text(page: TablePage) -> str:
    """The same in one piece."""
    return "\n".join(rows(page))


def canvas(page: TablePage, now: float = 100.0) -> Canvas:
    """The same with its styles."""
    return page.ui.draw(80, 24, now)


def said(page: TablePage, *talk: tuple[str, str]) -> None:
    """Others say something."""
    for author, words in talk:
        page.take(News(words, author))
    rows(page)


def without_question(scene: Scene) -> Scene:
    """The same while others are asked."""
    return replace(scene, question=None)
