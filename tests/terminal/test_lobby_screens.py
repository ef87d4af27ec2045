"""The pages before a table as they look, word for word: tests/terminal/snapshots/*/lobby-*.txt. `test_table_screens`
says how they are drawn anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from p2p.host import Terms
from p2p.hosting import Hosting
from p2p.lan import Found
from p2p.language import set_language
from p2p.lobby import AskingNews, LobbyNews, SeatNews
from p2p.settings import Settings
from p2p.sitting import Sitter
from p2p.store import Listed, Meta
from p2p.terminal.screen.canvas import Manner
from p2p.terminal.screen.lobby.form import FormPage
from p2p.terminal.screen.lobby.kept import KeptPage
from p2p.terminal.screen.lobby.near import Heard, Near, NearPage
from p2p.terminal.screen.lobby.start import StartPage
from p2p.terminal.screen.lobby.terms import TermsPage
from p2p.terminal.screen.lobby.waiting import WaitingPage
from p2p.terminal.screen.scene import News
from p2p.terminal.screen.ui import Page, Ui, draw_hints
from tests.terminal.test_table_screens import LANGUAGES, LARGE, SMALL, Checked, compare, kept

LONG = "Abu-Ali-the-Second-of-Al-Basrah"
WORDS = ("falcon", "hawk", "honey", "onion")
INVITE = "majlis1:" + "usetx76ixmymwzsbihiwcd6korl6r2yeh" * 3
HOST = {"admit": None}
"""The command by which a page knows that its person hosts."""


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("MAJLIS_HOME", str(tmp_path))
    monkeypatch.setenv("TZ", "UTC")
    yield
    set_language("en")


def near(number: int, name: str) -> Near:
    token = bytes([number]) * 16
    found = Found(name, ("kasra", "istimar")[number % 2], number % 4, ("10.0.0.7",), 7070, token, token * 2, token)
    return Near(found, WORDS)


def hosting(game: str = "kasra", name: str = "Amal") -> Hosting:
    return Hosting(Terms(game, {}, {}), Sitter(name))


def seat(
    name: str, key: int, *, bot: str = "", machine: str = "", present: bool = True, ready: bool = True
) -> SeatNews:
    return SeatNews(bytes([key]) * 32, name, bot, machine, present, ready, key == 1)


def lobby(waiting: bool = False) -> LobbyNews:
    """A table of Estimation: a host who is not ready, his bot, somebody who was cut off, and two who ask."""
    seats = (
        seat("Amal", 1, ready=False),
        seat("Bot 1", 2, bot="steady", machine="Amal"),
        seat("أبو علي", 3, present=False),
    )
    asking = (AskingNews(4, b"d" * 32, LONG, "10.0.0.7", False), AskingNews(5, b"e" * 32, "سلمى", "10.0.0.8", True))
    options = {"with_miss": 10, "max_dash": 1, "base_bonus": 13, "all_miss": "keep"}
    rules = {"turn_seconds": 30}
    return LobbyNews("estimation", options, rules, seats, 1, asking, waiting, False, WORDS, INVITE)


def start(ui: Ui) -> Page:
    return StartPage(ui, "Amal", 2, "Port 7070 is in use.")


def form(ui: Ui) -> Page:
    return FormPage(ui, hosting("estimation"))


def changed(ui: Ui) -> Page:
    page = FormPage(ui, hosting(), "Port 7070 is in use.", at="game:doubling")
    ui.pages = [page]
    ui.press("right")
    page.said = "Port 7070 is in use."
    return page


def found(ui: Ui) -> Page:
    page = NearPage(ui, "Amal")
    page.take(Heard(tuple(near(number, name) for number, name in enumerate(("Basil", LONG, "أبو علي", *"ABCDEFGHI")))))
    return page


def alone(ui: Ui) -> Page:
    return NearPage(ui, "Amal", "There is no invite in this text.")


def interrupted(ui: Ui) -> Page:
    meta = Meta("ab" * 16, "host", "kasra", run={"name": "Amal"})
    other = Meta("cd" * 16, "guest", "", run={"name": "أبو علي", "game": "istimar"})
    tables = [Listed(Path("a"), meta, 1e9, False), Listed(Path("b"), other, 1.1e9, True)]
    return KeptPage(ui, tables)


def terms(ui: Ui) -> Page:
    return TermsPage(ui, lobby())


def host(ui: Ui) -> Page:
    page = WaitingPage(ui, HOST, [News("Bot 1 sits down."), News("salam", "أبو علي")])
    page.take(lobby())
    return page


def guest(ui: Ui) -> Page:
    page = WaitingPage(ui, {})
    page.take(lobby(waiting=True))
    return page


PAGES: dict[str, Callable[[Ui], Page]] = {
    "start": start,
    "form": form,
    "form-changed": changed,
    "near": found,
    "near-none": alone,
    "kept": interrupted,
    "terms": terms,
    "host": host,
    "guest": guest,
}


def drawn(make: Callable[[Ui], Page], size: tuple[int, int], letters: bool = False) -> Checked:
    ui = Ui(lambda _: None, Settings(), lambda _: Manner(letters=letters))
    page = make(ui)
    ui.pages = [page]
    canvas = Checked(*size, ui.manner)
    page.draw(canvas, 0.0)
    draw_hints(canvas, page.hints())
    return canvas


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", PAGES)
def test_a_page_before_the_table(page: str, language: str) -> None:
    set_language(language)
    canvas = drawn(PAGES[page], SMALL)
    assert canvas.faults == []
    compare(f"{language}/lobby-{page}", kept(canvas))
    assert drawn(PAGES[page], LARGE).faults == drawn(PAGES[page], (100, 30)).faults == []


@pytest.mark.parametrize("page", PAGES)
def test_without_symbols_a_page_is_ascii_but_for_names(page: str) -> None:
    text = "".join(drawn(PAGES[page], SMALL, letters=True).text())
    assert not set("▸◂─♠♥♦♣") & set(text)
