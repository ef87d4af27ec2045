"""The page of an arena: whole without anything else, in both languages, and safe from what a bot is called."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from bots.arena.boards import Plan, jobs
from bots.arena.playing import label
from bots.arena.plots import NAME_LETTERS, Axis, number
from bots.arena.report import STYLE, page
from bots.arena.results import Results, Tally
from bots.arena.statistics import Times, milliseconds
from p2p.arena.words import bot_name
from p2p.language import load
from tests.unit.bots.arena.test_running import made_up

EVIL = "cmd:</style><script>alert(1)</script>\"'&"
VOID = {"meta", "input", "br", "line", "circle", "rect"}


def results(bots: tuple[str, ...] = ("steady", EVIL), boards: int = 4) -> Results:
    plan = Plan(game="kasra", bots=bots)
    tally = Tally(plan)
    for board in range(1, boards + 1):
        tally.add([made_up(plan, job).played for job in jobs(plan, board)])
    return tally.results()


def html(found: Results | None = None) -> str:
    return page(found or results(), [load("en"), load("ar")], "1.2")


class Outline(HTMLParser):
    """Tags and attributes, and whether what was opened is closed again."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_whole_and_asks_for_nothing() -> None:
    outline = Outline(html())
    assert outline.open == []
    kinds = {tag for tag, _ in outline.tags}
    assert not kinds & {"script", "link", "img", "iframe", "object", "base", "form", "use", "image"}
    names = {name for _, attributes in outline.tags for name in attributes}
    assert not names & {"src", "href", "xlink:href", "style"} and not any(name.startswith("on") for name in names)
    assert not re.search(r"url\(|@import|https?:", html())


def test_the_policy_allows_the_pages_own_style_and_nothing_else() -> None:
    text = html()
    wanted = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    policy = next(tag["content"] for name, tag in Outline(text).tags if name == "meta" and "http-equiv" in tag)
    assert policy == f"default-src 'none'; style-src 'sha256-{wanted}'"
    assert f"<style>{STYLE}</style>" in text


def test_a_bots_name_is_text() -> None:
    text = html()
    assert "<script" not in text and "&lt;script&gt;" in text
    assert text.count("</style>") == 1


def test_both_languages_say_the_same_numbers() -> None:
    text = html()
    english, arabic = (text.split(f'<main class="text{number}"')[1].split("</main>")[0] for number in (0, 1))
    numbers = [re.findall(r'<td class="number[^"]*">(.*?)</td>', part) for part in (english, arabic)]
    assert numbers[0] == numbers[1] and len(numbers[0]) == 2 * 7 + 4
    assert 'dir="rtl"' in text and "الحلبة" in arabic and "points a deal" in english
    assert "95 %" in english and "95٪" in arabic
    assert re.findall(r"<svg.*?</svg>", english) == re.findall(r"<svg.*?</svg>", arabic) != []


def test_the_matrix_mirrors_itself() -> None:
    found = results(("steady", "random", "quick"), 9)
    for duel in found.duels:
        there, back = found.duel(duel.first, duel.second), found.duel(duel.second, duel.first)
        assert (back.mean, back.low, back.high) == (-there.mean, -there.high, -there.low)
    cells = re.findall(r'<td class="number( good| bad)?">([^<]*)<br>', html(found))
    assert len(cells) == 2 * 6


def test_one_board_and_one_bot_make_a_page_too() -> None:
    assert Outline(html(results(("steady",), 1))).open == []


def test_of_one_board_there_is_no_curve_and_at_real_tables_no_time() -> None:
    assert html(results(boards=2)).count("<polyline") == 2 * 2
    assert "<polyline" not in html(results(("steady",), 1))
    found = results()
    untimed = replace(found, rows=tuple(replace(row, times=Times()) for row in found.rows))
    assert html(found).count("<svg") == 2 * 3 and html(untimed).count("<svg") == 2 * 2
    assert '<td class="number">–</td>' in html(untimed) and " ms<" not in html(untimed)


def test_long_names_can_be_told_apart_everywhere() -> None:
    """Beside plots and over columns there is room for a part only: the one in which programs differ."""
    folder = "/home/somebody/" + "projects/" * 9
    first, second = (f"cmd:python3 {folder}{name}.py" for name in ("الأول", "الثاني"))
    found = results((first, second))
    text = html(found)
    english = text.split('<main class="text0"')[1].split("</main>")[0]
    for name in (first, second):
        assert english.count(f"<bdi>{name}</bdi>") == 1 and english.count(f'title="{name}"') == 3
    beside = re.findall(r'class="name">([^<]*py)<', english)
    assert len(beside) == 2 * 2 and len(set(beside)) == 2 and all(len(name) == NAME_LETTERS for name in beside)
    assert bot_name(first) != bot_name(second) and label(first) != label(second)


def test_a_long_move_is_told_without_powers_of_ten() -> None:
    times = (0.0000834, 0.0831, 0.9996, 12.3456)
    assert [milliseconds(seconds) for seconds in times] == ["0.0834", "83.1", "1000", "12346"]


def test_ticks_are_round_and_inside() -> None:
    assert Axis(-37, 61, 0, 100).ticks() == [-20, 0, 20, 40, 60]
    assert Axis(0.0, 0.0, 0, 100).at(0.0) == 50
    assert Axis(0, 2, 0, 100).ticks(at_least=1) == [0, 1, 2], "there are no half boards"
    assert [number(value) for value in (0.0, 20.0, 0.25, 1e-7)] == ["0", "20", "0.25", "1e-07"]


@pytest.mark.skipif(shutil.which("chromium") is None, reason="needs Chromium")
def test_a_browser_shows_it_without_complaint(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(html(), "utf-8")
    browser = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    shown = subprocess.run(
        [*browser, "--enable-logging=stderr", "--dump-dom", file.as_uri()],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    assert shown.stdout.count("<main") == 2 and shown.stdout.count("<svg") == 6
    assert "Content Security Policy" not in shown.stderr and "CONSOLE" not in shown.stderr
