"""From `majlis` alone to the table, by keys in a real terminal; and two people on one network who find each other."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from p2p.settings import read_settings, settings_file
from p2p.store import list_tables
from tests.terminal.screen import Terminal, majlis

INTERRUPTED = 130


def kept(home: Path) -> int:
    """How many tables could be gone on with."""
    return len(list_tables(home / "tables"))


def cursor(terminal: Terminal) -> int:
    """The line that the cursor is on; -1 while none is drawn."""
    return next((at for at, line in enumerate(terminal.rows) if line.startswith(" ▸")), -1)


def go_to(terminal: Terminal, text: str, key: str = "down") -> None:
    """Move until the cursor is on the row that says this."""
    for _ in range(30):
        terminal.see(lambda shown: cursor(shown) >= 0)
        before = cursor(terminal)
        if text in terminal.rows[before]:
            return
        terminal.press(key).see(lambda shown, before=before: cursor(shown) not in (before, -1))
    raise AssertionError(f"never on {text!r}\n{terminal}")


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> None:
    """A network within the network, for this test alone."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        monkeypatch.setenv("MAJLIS_LAN", str(probe.getsockname()[1]))


def test_from_the_start_page_to_a_table_and_back(tmp_path: Path) -> None:
    with majlis(tmp_path) as terminal, socket.create_server(("", 0)) as busy:
        terminal.see("start-title", "start-resume-none")
        terminal.press("1").see("form-title", "form-open")  # the last that is drawn
        terminal.press("right", "left").see("Kasra")
        go_to(terminal, "Your name")
        terminal.press(*["backspace"] * 32, *"Amal").see("Amal_")
        go_to(terminal, "Bots:")
        terminal.press("right").see("Bots: 1").press("right").see("Bots: 2").press("right").see("Bots: 3")
        go_to(terminal, "Port")
        terminal.press(*["backspace"] * 5, *str(busy.getsockname()[1]), "enter")
        terminal.see(f"port {busy.getsockname()[1]}", "Amal", "Bots: 3")  # told there, and nothing is lost
        assert kept(tmp_path) == 0
        terminal.press(*["backspace"] * 5, "enter").see("deal 1 of 16", "Amal (you)")
        terminal.see(lambda shown: not shown.shows("lobby-title"))
        terminal.press(*"/quit", "enter").see("start-left", "You play as Amal.")
        assert read_settings(settings_file({"MAJLIS_HOME": str(tmp_path)})).settings.name == "Amal"
        terminal.press("3").see("kept-title", "Kasra").press("1").see("deal 1 of 16")
        terminal.press(*"/quit", "enter").see("start-left")
        terminal.press("escape", "enter")
        assert terminal.wait() == 0 and not terminal.left_over()
    assert kept(tmp_path) == 1


@pytest.mark.parametrize("lang", ["en", "ar"])
def test_ctrl_c_on_every_page_leaves_a_clean_terminal_and_nothing_to_resume(lang: str, tmp_path: Path) -> None:
    for number, (words, page) in enumerate((((), "start-title"), (("host",), "form-title"), (("join",), "near-title"))):
        with majlis(tmp_path / str(number), *words, lang=lang) as terminal:
            terminal.see(page)
            terminal.press("c-c")
            assert terminal.wait() == INTERRUPTED and not terminal.left_over()
        assert kept(tmp_path / str(number)) == 0


def test_one_finds_the_others_table_and_they_play(network: None, tmp_path: Path) -> None:
    host = ("host", "istimar", "--bind", "127.0.0.1", "--port", "0", "--name", "Amal", "--bots", "1")
    with majlis(tmp_path / "amal", *host) as amal, majlis(tmp_path / "basil", "join", "--name", "Basil") as basil:
        amal.see("lobby-title-game", "Amal (you)", "Bot 1", "lobby-thinking")
        basil.see("1  Amal")
        basil.press("1").see("terms-title", "lobby-usual", "Amal")
        words = next(line.split(":")[1].strip() for line in amal.rows if "Words to read aloud" in line)
        assert basil.shows(words)
        basil.press("escape").see("start-title")  # these terms were not wanted, and nothing is kept of them
        assert kept(tmp_path / "basil") == 0
        basil.press("2").see("1  Amal").press("1").see("terms-title")
        basil.press("enter").see("lobby-waiting")
        amal.see("Basil asks for a seat")
        go_to(amal, "Basil asks")
        amal.press("enter").see(lambda shown: any("Basil" in line and "not ready" in line for line in shown.rows))
        basil.see("Basil (you)")
        basil.press("f5").see("pane-chat").press(*"salam", "enter", "escape").see("Basil: salam")
        amal.see("Basil: salam")
        basil.press("enter").see(lambda shown: any("Basil (you)" in line and "· ready" in line for line in shown.rows))
        go_to(amal, "Copy the invite")
        amal.press("enter").until("\x1b]52;c;")
        go_to(amal, "Amal (you)", "up")
        amal.press("enter").see("goal", "Amal (you)", "Basil")
        basil.see("goal", "Basil (you)", "Amal")
        for terminal in (basil, amal):
            terminal.press("c-c")
            assert terminal.wait() == INTERRUPTED and not terminal.left_over()
            assert "majlis resume" in terminal.text
