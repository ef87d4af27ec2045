"""The table as it looks in every phase of every game, word for word: tests/terminal/snapshots.

`MAJLIS_WRITE_SCREENS=1 pytest tests/terminal/test_table_screens.py` draws them anew; read the difference.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from prompt_toolkit.styles import Style
from prompt_toolkit.utils import get_cwidth

from bots.search.advice import FAR_OFF, Advice, Valued
from bots.search.player import Sharp
from engine.actions import STRAINS
from engine.games import NAMES as GAMES
from p2p.language import set_language
from p2p.language.cards import card_short
from p2p.settings import Settings
from p2p.terminal.advice import Told
from p2p.terminal.screen.canvas import Canvas, Manner
from p2p.terminal.screen.scene import News, Question, Scene
from p2p.terminal.screen.table_page import TablePage
from p2p.terminal.screen.theme import rules
from p2p.terminal.screen.ui import Ui, draw_hints
from tests.terminal.moments import NEWS, Wanted, named, opened, playing, scene
from tests.terminal.wanted import ALL, ESTIMATION, ISTIMAR, KASRA, TABLE

FOLDER = Path(__file__).parent / "snapshots"
LANGUAGES = ("en", "ar")
SMALL, LARGE = (80, 24), (120, 40)
SIZES = (SMALL, (100, 30), (116, 24))
ENLARGED = ("points", "bid", "complex", "discard", "trix", "play")
"""Moments that are kept on a large screen too."""

LETTERS = Settings(suits="letters")
EVERY = (*ALL, *TABLE)


class Checked(Canvas):
    """A canvas that notices when a text is drawn over another, or beyond the edges."""

    def __init__(self, columns: int, rows: int, manner: Manner | None = None) -> None:
        super().__init__(columns, rows, manner)
        self.faults: list[str] = []
        self._taken: dict[tuple[int, int], str] = {}

    def _draw(self, x: int, y: int, text: str, look: str) -> None:
        at = x
        for letter in text:
            wide = get_cwidth(letter)
            if wide and letter != " ":
                if not (at >= 0 and at + wide <= self.columns and 0 <= y < self.rows):
                    self.faults.append(f"{text!r} leaves the screen at {at}, {y}")
                if (at, y) in self._taken:
                    self.faults.append(f"{text!r} covers {self._taken[at, y]!r} at {at}, {y}")
                self._taken[at, y] = text
            at += wide
        super()._draw(x, y, text, look)


def drawn(
    scene: Scene,
    size: tuple[int, int] = SMALL,
    keys: Sequence[str] = (),
    settings: Settings = Settings(),  # noqa: B008 - frozen
    news: Sequence[News] = NEWS,
) -> Checked:
    """A scene on a screen of this size, after some keys."""
    ui = Ui(lambda _: None, settings, lambda chosen: Manner(letters=chosen.suits == "letters"))
    page = TablePage(ui, news)
    ui.pages = [page]
    ui.take(scene)
    ui.draw(*size, 0.0)
    for key in keys:
        ui.press(key)
    canvas = Checked(*size, ui.manner)
    page.draw(canvas, 0.0)
    draw_hints(canvas, page.hints())
    return canvas


def kept(canvas: Canvas) -> str:
    """A screen as it is kept: a frame shows where its edges are."""
    edge = "+" + "-" * canvas.columns + "+\n"
    rows = (row + " " * (canvas.columns - canvas.measure(row)) for row in canvas.text())
    return edge + "".join(f"|{row}|\n" for row in rows) + edge


def compare(name: str, text: str) -> None:
    """With the snapshot of this name, or write it."""
    file = FOLDER / f"{name}.txt"
    if os.environ.get("MAJLIS_WRITE_SCREENS"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


def name(wanted: Wanted) -> str:
    return f"{'table' if wanted in TABLE else wanted.game}-{wanted.name}"


def find(wanted: Sequence[Wanted], called: str) -> Scene:
    return scene(next(one for one in wanted if one.name == called))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("wanted", EVERY, ids=name)
def test_a_moment_at_the_table(wanted: Wanted, language: str) -> None:
    set_language(language)
    then = scene(wanted)
    compare(f"{language}/{name(wanted)}", kept(drawn(then, keys=wanted.keys)))
    if wanted.name in ENLARGED:
        compare(f"{language}/{name(wanted)}-120x40", kept(drawn(then, LARGE, wanted.keys)))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_somebody_watches_a_record_with_all_hands_open(game: str, language: str) -> None:
    set_language(language)
    contract = {"kasra": "complex"}.get(game)
    then = opened(Wanted("open", game, playing(2, 2, contract)))
    compare(f"{language}/{game}-open", kept(drawn(then)))
    assert drawn(named(then)).faults == drawn(then, LARGE).faults == []
    shown = " ".join(drawn(then).text())
    for seat, hand in enumerate(then.hands):
        if seat == then.seat:
            assert all(card_short(card) in shown for card in hand)
        for suit, symbol in zip("SHDC", "♠♥♦♣", strict=True):
            held = "".join(card_short(card)[:-1] for card in sorted(hand, key=_rank) if card[1] == suit)
            assert seat == then.seat or not held or symbol + held in shown


def _rank(card: str) -> int:
    return "AKQJT98765432".index(card[0])


def hinted(scene: Scene, legal: Sequence[str]) -> Canvas:
    """A hint on these choices as it lies over the table: each is worth a little less than the one before, and those
    after the first dozen of an auction were looked at in few deals."""
    far = len(legal) - len(scene.view["hand"])
    valued = [
        Valued(one, 12.3 - at, 8.4 - at, -float(at), at / 3, FAR_OFF if at > 12 and far > 0 else Sharp.worlds)
        for at, one in enumerate(legal)
    ]
    ui = Ui(lambda _: None, Settings(), lambda _: Manner())
    ui.pages = [TablePage(ui)]
    ui.take(replace(scene, question=Question(1, tuple(legal))))
    ui.draw(*SMALL, 0.0)
    ui.press("f8")
    ui.take(Told(1, Advice(legal[0], tuple(valued))))
    return ui.draw(*SMALL, 0.0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hint(language: str) -> None:
    """On a card, and on an auction in which all may be bid."""
    set_language(language)
    bids = [f"bid {number}{strain}" for number in range(4, 14) for strain in STRAINS]
    compare(f"{language}/hint-bid", kept(hinted(find(ESTIMATION, "bid"), [*bids[:3], "pass", *bids[3:]])))
    then = find(ESTIMATION, "play")
    compare(f"{language}/hint-play", kept(hinted(then, [f"play {card}" for card in then.view["hand"]])))


# Other terminals ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_suits_as_letters(language: str) -> None:
    set_language(language)
    for wanted, called in ((KASRA, "complex"), (KASRA, "trix"), (ESTIMATION, "bid"), (ISTIMAR, "discard")):
        canvas = drawn(find(wanted, called), settings=LETTERS)
        compare(f"{language}/letters-{called}", kept(canvas))
        if language == "en":
            told = "".join(canvas.text()).replace("أبو علي", "")
            assert not set(told) & set("♠♥♦♣╭╮╰╯─│▲▸●★✓")


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_colours_looks_are_told_apart(language: str) -> None:
    """Below each row, what its cells are: bold, underlined, reverse."""
    set_language(language)
    wanted = next(one for one in ISTIMAR if one.name == "play")
    canvas = drawn(scene(wanted), keys=("right", "enter"))
    style, told = Style(rules(colour=False)), ""
    for y, row in enumerate(canvas.text()):
        marks = ""
        for look, text in ((part[0], part[1]) for part in canvas.fragments(y)):
            found = style.get_attrs_for_style_str(look)
            sign = "r" if found.reverse else "u" if found.underline else "b" if found.bold else " "
            marks += sign * sum(max(get_cwidth(letter), 0) for letter in text)
        told += f"{row}\n{marks.rstrip()}\n" if marks.strip() else f"{row}\n"
    compare(f"{language}/no-colour", told)


def test_arabic_digits() -> None:
    set_language("ar")
    for wanted, called in ((ESTIMATION, "bid"), (ESTIMATION, "play"), (KASRA, "trix"), (KASRA, "points")):
        canvas = drawn(find(wanted, called), settings=Settings(digits="arabic"))
        assert not re.search("[0-9]", "".join(canvas.text()[:-1]).replace("9♠", ""))
        compare(f"ar/digits-{wanted[0].game}-{called}", kept(canvas))


@pytest.mark.parametrize("language", LANGUAGES)
def test_long_names(language: str) -> None:
    set_language(language)
    for wanted, called in ((KASRA, "complex"), (ESTIMATION, "with"), (ISTIMAR, "owing")):
        compare(f"{language}/long-names-{called}", kept(drawn(named(find(wanted, called)))))


# What holds of every screen ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("wanted", EVERY, ids=name)
def test_nothing_is_drawn_over_anything_or_beyond_the_edges(wanted: Wanted, language: str) -> None:
    set_language(language)
    then, chosen = named(scene(wanted)), Settings() if wanted in TABLE else LETTERS
    for size in SIZES:
        canvas = drawn(then, size, wanted.keys, chosen)
        assert canvas.faults == [], size
        assert all(canvas.measure(row) <= size[0] for row in canvas.text())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_longest_hand_fits(language: str) -> None:
    set_language(language)
    then = find(ISTIMAR, "discard")
    shown = drawn(then).text()[18:22]
    assert len(then.view["hand"]) == 20
    for card in then.view["hand"]:
        assert sum(card_short(card) in row.split() for row in shown) == 1, card


@pytest.mark.parametrize("wanted", EVERY, ids=name)
def test_a_hidden_hand_shows_no_card(wanted: Wanted) -> None:
    """Nor does the middle, nor the prompt with a lifted card."""
    set_language("en")
    then = scene(wanted)
    doubled = {card for cards in then.view.get("doubled", ()) for card in cards}
    public = {card for _, card in then.trick} | set(then.view.get("kitty", ())) | doubled
    told = (News("Celine gave you 5♥ 3♦ 2♣.", private=True),)
    shown = " ".join(drawn(then, keys=("f7", "enter"), news=told).text())
    assert "gave you 5♥" not in shown
    for card in set(then.view["hand"]) - public:
        assert not re.search(rf"(?<!\d){re.escape(card_short(card))}", shown), card
    assert "▸" not in shown or then.view.get("contract") != "trix" or then.view["phase"] != "play"


@pytest.mark.parametrize("wanted", [one for one in EVERY if one.game == "estimation"], ids=name)
def test_trumps_and_what_was_called_are_always_in_sight(wanted: Wanted) -> None:
    set_language("en")
    then = scene(wanted)
    shown = "\n".join(drawn(then, keys=wanted.keys).text()[1:3])
    view = then.view
    if view["phase"] in ("dash", "bid"):
        assert ("no bid yet" if not view["bid"] else "highest bid") in shown
    elif view["phase"] in ("estimate", "play"):
        assert "rump" in shown


@pytest.mark.parametrize("wanted", EVERY, ids=name)
def test_somebody_without_a_seat_sees_the_table(wanted: Wanted) -> None:
    """A guest sees no hand; with all hands open, that of the first seat lies where the own one would."""
    set_language("en")
    then = scene(wanted)
    seatless = {"seat": -1, "hand": [], "new": [], "legal": [], "received": None}
    guest = replace(then, view={**then.view, **seatless}, seat=-1, question=None)
    canvas = drawn(guest, keys=wanted.keys)
    assert canvas.faults == [] and "(you)" not in " ".join(canvas.text())
    hands = ((*then.view["hand"],), *((),) * (guest.seats - 1))
    shown = drawn(replace(guest, hands=hands)).text()[18:22]
    for card in then.view["hand"]:
        assert any(card_short(card) in row.split() for row in shown), card
