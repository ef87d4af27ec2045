"""The page of a game in a real browser: what it shows, its keys, both languages, and names that are no good."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.cards import names
from engine.games import NAMES
from engine.record import read, replay
from p2p.language import set_language, t
from p2p.replaying.frames import Frame, frames
from p2p.replaying.page import page
from tests.unit.replaying.browser import CHROMIUM, Browser, dump
from tests.unit.replaying.games import HOSTILE, RECORDS, hostile, text_of

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")

ISOLATES = str.maketrans("", "", "\u2066\u2068\u2069\ufe0e")

Show = Callable[..., Browser]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    one = Browser(tmp_path_factory.mktemp("profile"))
    yield one
    one.close()


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Iterator[Show]:
    """Opens the page of a record; afterwards nothing may have gone wrong in it, and nothing been fetched."""

    def opened(text: str, hash_: str = "") -> Browser:
        record = read(text)
        file = tmp_path / "game.html"
        file.write_text(page(replay(record), frames(record)), "utf-8")
        browser.open(f"{file.as_uri()}#{hash_}")
        return browser

    yield opened
    assert browser.called("Runtime.exceptionThrown") == []
    assert [entry for entry in browser.called("Log.entryAdded") if entry["entry"]["level"] == "error"] == []
    asked = {event["request"]["url"].split("#")[0] for event in browser.called("Network.requestWillBeSent")}
    assert asked <= {(tmp_path / "game.html").as_uri()}


def cards(browser: Browser, where: str) -> list[str]:
    """The cards that lie face up in some part of the page."""
    found = browser.run(f"[...document.querySelectorAll({json.dumps(where)})].map(one => one.dataset.card)")
    assert isinstance(found, list)
    return sorted(found)


def told(browser: Browser) -> str:
    return str(browser.run("document.getElementById('told').textContent")).translate(ISOLATES)


def expected(frame: Frame) -> list[str]:
    return sorted(card for hand in frame.hands for card in names(hand).split())


@pytest.mark.parametrize("game", NAMES)
def test_a_whole_game_is_drawn_without_a_mistake(game: str, show: Show) -> None:
    """Every frame of a short game, every seventh of a long one; some are looked at card by card, in both languages."""
    seen = frames(read(text_of(game)))
    browser = show(text_of(game))
    browser.run("globalThis.to = (move) => { step.value = move; step.dispatchEvent(new Event('input')); }")
    browser.run(f"for (let move = 1; move <= {len(seen)}; move += {1 if len(seen) < 200 else 7}) to(move)")
    for number in range(0, len(seen), 41):
        browser.run(f"to({number + 1})")
        browser.press("l")
        frame = seen[number]
        assert cards(browser, ".hand [data-card]") == expected(frame)
        lying = [] if frame.table.get("contract") == "trix" else [names(1 << card) for _, card in frame.trick]
        assert cards(browser, ".trick [data-card]") == sorted(lying)
        assert cards(browser, "[data-pile=replay-kitty] [data-card]") == sorted(names(frame.kitty).split())


def test_one_seat_sees_its_own_cards_and_the_backs_of_the_others(show: Show) -> None:
    seen = frames(read(text_of("istimar")))
    aside = next(number for number, frame in enumerate(seen) if frame.aside.bit_count() == 2)
    declarer = seen[aside].table["declarer"]
    other = (declarer + 1) % 3
    browser = show(text_of("istimar"), f"move={aside + 1}&seat={other}")
    assert cards(browser, ".hand [data-card]") == sorted(names(seen[aside].hands[other]).split())
    backs = browser.run("document.querySelectorAll('.hand .shut').length")
    assert backs == sum(hand.bit_count() for seat, hand in enumerate(seen[aside].hands) if seat != other)
    assert browser.run("document.querySelectorAll('[data-pile=replay-aside] .shut').length") == 2
    assert browser.run(f"document.querySelector('[data-seat=\"{other}\"]').classList.contains('bottom')")
    hidden = told(browser)
    browser.press(str(declarer))
    assert len(cards(browser, "[data-pile=replay-aside] [data-card]")) == 2
    assert hidden.endswith("puts a card aside.") and told(browser) != hidden
    browser.press("a")
    assert cards(browser, ".hand [data-card]") == expected(seen[aside])


def test_keys_step_and_turn_with_the_language(show: Show) -> None:
    browser = show(text_of("kasra"), "move=40&lang=en")
    browser.run(
        "const replace = history.replaceState.bind(history); globalThis.written = new Promise(done => {"
        "history.replaceState = (...all) => { replace(...all);"
        "if (location.hash === '#move=41&lang=en') done(true); } }); 0"
    )

    def at() -> str:
        return str(browser.run("document.getElementById('number').textContent")).split("/")[0]

    browser.press("ArrowRight")
    browser.press("ArrowRight")
    assert at() == "42"
    browser.press("ArrowLeft")
    assert at() == "41"
    assert browser.run("written") is True
    browser.press("l")
    assert browser.run("document.documentElement.dir + document.documentElement.lang") == "rtlar"
    browser.press("ArrowLeft")
    assert at() == "42", "where one reads to the left, on is to the left"
    browser.press("PageDown")
    later = at()
    browser.press("PageDown")
    browser.press("PageUp")
    assert at() == later
    browser.press("Home")
    assert at() == "1"
    browser.press("End")
    assert at() == "913"
    assert "Ada" in told(browser)


def test_playing_goes_on_by_itself_and_stops_at_the_end(show: Show) -> None:
    seen = frames(read(text_of("istimar")))
    browser = show(text_of("istimar"), f"move={len(seen) - 1}")
    browser.run("globalThis.ticks = []; globalThis.setInterval = (tick) => ticks.push(tick)")
    browser.press(" ")
    assert browser.run("document.getElementById('play').textContent") == t("replay-pause")
    browser.run("ticks[0]()")
    assert browser.run("document.getElementById('number').textContent") == f"{len(seen)}/{len(seen)}"
    browser.run("ticks[0]()")
    assert browser.run("document.getElementById('play').textContent") == t("replay-play")


def test_the_score_sheet_has_points_by_rule_and_leads_to_its_deals(show: Show) -> None:
    record = read(text_of("estimation"))
    browser = show(text_of("estimation"), "move=1")
    results = replay(record).results
    first = browser.run("[...document.querySelectorAll('#sheet tbody tr')].map(one => one.innerText)")
    assert len(first) == len(results)
    shown = browser.run("getComputedStyle(document.querySelector('#sheet ul')).display")
    browser.run("document.getElementById('by-rule').click()")
    assert (shown, browser.run("getComputedStyle(document.querySelector('#sheet ul')).display")) == ("none", "block")
    lines = browser.run("document.querySelectorAll('#sheet li').length")
    assert lines == sum(len({rule for rule, _ in seat}) for result in results for seat in result.breakdown)
    browser.run("document.querySelectorAll('#sheet tbody button')[3].click()")
    place = int(str(browser.run("document.getElementById('number').textContent")).split("/")[0])
    assert frames(record)[place - 1].result == results[3]
    points = browser.run("[...document.querySelectorAll('#plot polyline')].map(one => one.points.length)")
    assert points == [len(results) + 1] * 4


def test_a_score_sheet_says_that_it_has_no_hands(show: Show) -> None:
    sheet = "majlis-record 1\ngame: kasra\nseats: A B C D\ndeal 1\n1 game tarneeb\n1 trump S\ntricks: 3 4 5 1\n"
    browser = show(sheet, "move=2&lang=ar")
    set_language("ar")
    assert t("replay-no-hands") in browser.run("document.getElementById('table').innerText")
    assert cards(browser, ".hand [data-card]") == []
    assert "طرنيب" in told(browser)


def test_a_record_without_a_deal_has_a_page(show: Show) -> None:
    browser = show("majlis-record 1\ngame: kasra\n")
    assert told(browser) == t("replay-empty")


def test_names_and_notes_of_strangers_are_only_text(show: Show) -> None:
    browser = show(hostile(), "move=60")
    assert browser.run("globalThis.pwned") is None
    assert browser.run("document.querySelectorAll('b, img, iframe, body script:not([type])').length") == 1
    shown = browser.run("[...document.querySelectorAll('.who')].map(one => one.textContent)")
    assert any("<b>" in name for name in shown) and any("</script>" in name for name in shown)
    everything = str(browser.run("document.documentElement.textContent"))
    assert not set(everything) & set("\u202e\u202d\u2028\u2029\x07\x1b")
    assert not any(raw in everything for raw in HOSTILE if set(raw) & set("\u202e\u2028"))


def test_no_other_script_can_run(browser: Browser, tmp_path: Path) -> None:
    """Even if a tag came into the page by a mistake of ours, the policy lets nothing run but the script it names."""
    record = read(text_of("istimar"))
    text = page(replay(record), frames(record))
    evil = "<script>globalThis.pwned = 1</script><img src='x:' onerror='globalThis.pwned = 2'><style>p{top:0}</style>"
    file = tmp_path / "evil.html"
    file.write_text(text.replace("<footer>", f"{evil}<footer>"), "utf-8")
    browser.open(file.as_uri())
    browser.run("document.body.append(Object.assign(document.createElement('script'), {textContent: 'pwned = 3'}))")
    assert browser.run("globalThis.pwned") is None
    assert len(browser.called("Log.entryAdded")) >= 3, "each of them was refused"
    assert browser.run("document.querySelectorAll('.seat').length") == 3, "the page itself works"


def test_the_address_alone_says_what_is_shown(tmp_path: Path) -> None:
    """As a reader opens it: one start of the browser, no debugging."""
    record = read((RECORDS / "kasra.txt").read_text("utf-8"))
    file = tmp_path / "game.html"
    file.write_text(page(replay(record), frames(record)), "utf-8")
    dom = dump(f"{file.as_uri()}#move=120&lang=ar&seat=2", tmp_path / "profile")
    assert '<html lang="ar" dir="rtl">' in dom
    assert 'id="number" for="step">120/913<' in dom
    assert 'data-seat="2"' in dom and "التوزيعة 2" in dom
    hand = dom.split('data-seat="2"')[1].split('class="cards hand"')[1].split("</div>")[0]
    assert hand.count("data-card=") == frames(record)[119].hands[2].bit_count()
