"""The table in lines: each fact once, own hidden cards to their owner, who takes a trick, what commands do."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from typing import Any

import pytest
import trio
import trio.testing

from engine.actions import parse_action
from engine.cards import parse_cards
from engine.game import Result, State
from engine.games import game as find_game
from p2p.language import set_language, t
from p2p.terminal import facts, words
from p2p.terminal.console import Console, cells, fit_for, wrapped
from p2p.terminal.lines import LineTable
from protocol import seat as seat_protocol
from protocol.table import events

NAMES = ["Amal", "Basil", "Celine", "Dawud"]


def line_table(encoding: str = "utf-8") -> tuple[LineTable, io.BytesIO]:
    raw = io.BytesIO()
    table = LineTable(Console(io.TextIOWrapper(raw, encoding, write_through=True), io.StringIO()), {})
    table.names = list(NAMES)
    return table, raw


def printed(raw: io.BytesIO) -> list[str]:
    """What was printed since the last time."""
    text = raw.getvalue().decode("utf-8")
    raw.seek(0)
    raw.truncate()
    return text.splitlines()


def acted(seat: int, action: str) -> events.Acted:
    return events.Acted(seat, parse_action(action), proved=False)


async def observe(table: LineTable, happened: Iterable[events.Event]) -> None:
    for event in happened:
        await table.observe(event)


def in_play(game: str, **options: Any) -> Any:
    """A public state, for its view to be changed by a test."""
    return find_game(game).start(options)


class Fixed:
    """A public state that shows a given view."""

    def __init__(self, state: State, **view: Any) -> None:
        self._state = state
        self._view = {**state.view(), **view}
        self.phase = view.get("phase", state.phase)
        self.redeals = view.get("redeals", ())

    def __getattr__(self, name: str) -> Any:
        return getattr(self._state, name)

    def view(self) -> dict[str, Any]:
        return self._view


def seen(table: LineTable, game: str, **view: Any) -> None:
    table.state = Fixed(in_play(game), **view)  # type: ignore[assignment]


async def test_the_taker_of_a_trick_is_told_also_after_the_deal_was_scored() -> None:
    """Trap E-5: the thirteenth trick does not vanish."""
    table, raw = line_table()
    seen(table, "kasra", phase="play", contract="tarneeb", trump="C")
    await observe(table, [acted(0, "play AS"), acted(1, "play 2C"), acted(2, "play KS"), acted(3, "play QS")])
    assert printed(raw)[-1] == "Basil takes the trick."
    await observe(table, [acted(1, "play 2S"), acted(2, "play 3S"), acted(3, "play 4S")])
    seen(table, "kasra", phase="shuffle", trump="")
    await table.observe(acted(0, "play 3C"))
    assert printed(raw)[-1] == "Amal takes the trick."


async def test_an_interrupted_trick_is_taken_up() -> None:
    table, raw = line_table()
    seen(table, "kasra", phase="play", contract="complex", trick=[[1, "2S"], [2, "9S"], [3, "4S"]])
    await table.observe(acted(0, "play 3S"))
    assert printed(raw)[-1] == "Celine takes the trick."


async def test_who_is_out_in_trix() -> None:
    table, raw = line_table()
    seen(table, "kasra", phase="play", contract="trix", trick=[])
    await table.observe(events.Dealt(1, 0))
    for card in ("JC", "JD", "JH", "JS", "TC", "TD", "TH", "TS", "9C", "9D", "9H", "9S", "8C"):
        await table.observe(acted(2, f"play {card}"))
    assert printed(raw)[-1] == "Celine is out of cards (1)."


async def test_exchanged_cards_are_told_once_to_each_as_he_may_know_them() -> None:
    table, raw = line_table()
    await table.hello(hello("istimar", 1))
    printed(raw)
    seen(table, "istimar", phase="exchange")
    await observe(table, [acted(1, "give 2 ??"), acted(2, "return ??")])
    assert printed(raw) == [], "it is told with its card"
    await table.tell(seat_protocol.Event(deal=2, seat=1, action="give 2 5H"))
    await table.tell(seat_protocol.Event(deal=2, seat=2, action="return AH"))
    assert printed(raw) == ["You give Celine 5♥.", "Celine returns A♥ to you."]
    await observe(table, [acted(0, "give 2 ??"), acted(2, "return ??")])
    await table.tell(seat_protocol.Event(deal=2, seat=0, action="give 2 ??"))
    await table.tell(seat_protocol.Event(deal=2, seat=2, action="return ??"))
    assert printed(raw) == ["Amal gives Celine a card.", "Celine returns a card."]
    await observe(table, [acted(0, "give 1 ??"), acted(1, "return ??")])
    await table.tell(seat_protocol.Event(deal=2, seat=0, action="give 1 2C"))
    await table.tell(seat_protocol.Event(deal=2, seat=1, action="return KC"))
    assert printed(raw) == ["Amal gives you 2♣.", "You return K♣."]


async def test_an_interrupted_exchange_is_taken_up() -> None:
    table, raw = line_table()
    history = [[1, "give 2 ??"], [2, "return ??"], [0, "give 2 ??"]]
    seen(table, "istimar", phase="exchange", history=history)
    await table.hello(hello("istimar", 0))
    printed(raw)
    await table.observe(acted(2, "return ??"))
    assert printed(raw) == []
    await table.tell(seat_protocol.Event(deal=2, seat=2, action="return AH"))
    assert printed(raw) == ["Celine returns A♥ to you."]


async def test_putting_aside_is_taken_up() -> None:
    table, raw = line_table()
    seen(table, "istimar", phase="discard", history=[[1, "trump S"], *[[1, "discard ??"]] * 3])
    await table.observe(acted(1, "discard ??"))
    assert printed(raw) == ["Basil has put four cards aside."]


@pytest.mark.parametrize(
    ("seat", "sentences"),
    [
        (0, ["Celine returns A♥ to you."]),
        (1, ["You give Celine 2♣.", "Celine returns 3♣ to you."]),
        (2, ["Basil gives you 2♣.", "You return 3♣.", "You return A♥."]),
    ],
)
async def test_what_is_told_again_concerns_this_seat_alone(seat: int, sentences: list[str]) -> None:
    """What a stand-in gave, returned or put aside is open to all, so their views name it, too."""
    table, raw = line_table()
    history = [
        (1, "give 2 2C" if seat else "give 2 ??"),
        (2, "return 3C" if seat else "return ??"),
        (0, "give 2 ??"),
        (2, "return AH"),
        (3, "discard 4D"),
    ]
    table.recall(seat, history)
    assert printed(raw) == sentences


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Amal shows K♠ A♠: the other tricks are certain, and the deal is over."),
        ("ar", "يد Amal مكشوفة: K♠ A♠. بقية الأكلات مضمونة، وانتهت التوزيعة."),
    ],
)
async def test_a_claim_is_told_with_its_cards_and_ends_the_hand(language: str, sentence: str) -> None:
    set_language(language)
    table, raw = line_table()
    await table.hello(hello("kasra", 1))
    await table.tell(seat_protocol.Deal(number=1, dealer=0, roles={}, hand=["2C"], totals=[0] * 4))
    printed(raw)
    await table.observe(acted(0, "claim KS AS"))
    assert re.sub("[\u2066-\u2069]", "", " ".join(printed(raw))) == sentence
    await table.tell(seat_protocol.Event(deal=1, seat=0, action="claim KS AS"))
    table.typed("/hand")
    assert "2♣" not in " ".join(printed(raw))


async def test_four_cards_put_aside_are_one_line() -> None:
    table, raw = line_table()
    await observe(table, [events.Dealt(1, 0), *[acted(0, "discard ??")] * 4])
    assert printed(raw)[1:] == ["Amal has put four cards aside."]


async def test_the_second_part_of_a_deal_is_no_new_deal() -> None:
    table, raw = line_table()
    await observe(table, [events.Dealt(1, 0), acted(1, "contract S"), events.Dealt(1, 0)])
    assert printed(raw)[1:] == ["Basil declares: ♠.", "The other cards are dealt."]


def hello(game: str, seat: int) -> seat_protocol.Hello:
    return seat_protocol.Hello(
        game=game, options={}, seat=seat, names=NAMES, clocks=seat_protocol.Clocks(), seed=1
    )


KASRA = {
    "game": "kasra",
    "phase": "play",
    "options": {},
    "names": NAMES,
    "seat": 0,
    "kingdom": 0,
    "deals": 16,
    "owner": 1,
    "contract": "tarneeb",
    "trump": "S",
    "tricks": [0, 1, 0, 0],
    "trick": [[1, "2S"]],
    "hand": ["KD", "3S"],
}


async def ask(table: LineTable, line: str, view: dict[str, Any] = KASRA, legal: tuple[str, ...] = ("play 3S",)) -> str:
    """Ask, type a line when the question is there, and give what was chosen."""
    chosen: list[str] = []

    async def question() -> None:
        chosen.append(await table.act(seat_protocol.Act(id=1, legal=list(legal), view=view, seconds=30.0)))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(question)
        await trio.testing.wait_all_tasks_blocked()
        table.typed(line)
    return chosen[0]


async def test_what_was_told_is_not_told_again_until_it_changes() -> None:
    table, raw = line_table()
    assert await ask(table, "3s") == "play 3S"
    first = printed(raw)
    assert first == [
        "Kingdom 1 of 4; Basil is king.",
        "Tarneeb: The king names trumps; every trick is +10.",
        "Trumps ♠. Tricks: Amal: 0, Basil: 1, Celine: 0, Dawud: 0",
        "On the table: Basil 2♠",
        "Your hand: K♦ 3♠",
        "You may play: 1) 3♠",
        "Your move, 30 s (number, card or ? for help)",
    ]
    await ask(table, "1", {**KASRA, "trick": [[1, "2S"], [2, "AS"]]})
    assert printed(raw) == ["On the table: Basil 2♠, Celine A♠", *first[-2:]]
    await ask(table, "1", {**KASRA, "tricks": [0, 2, 0, 0], "hand": ["3S"]})
    assert printed(raw) == [
        "Trumps ♠. Tricks: Amal: 0, Basil: 2, Celine: 0, Dawud: 0",
        "On the table: Basil 2♠",
        "Your hand: 3♠",
        *first[-2:],
    ]


async def test_an_unchanged_hand_is_told_again_when_it_has_left_the_screen() -> None:
    table, raw = line_table()
    await ask(table, "1")
    for _ in range(20):
        table.console.say("somebody talks")
    printed(raw)
    await ask(table, "1")
    assert any(line.startswith("Your hand") for line in printed(raw))


async def test_commands_work_before_the_answer() -> None:
    table, raw = line_table()

    async def question() -> None:
        await table.act(seat_protocol.Act(id=1, legal=["play 3S"], view=KASRA))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(question)
        await trio.testing.wait_all_tasks_blocked()
        told = printed(raw)
        table.typed("/hand")
        assert printed(raw) == [line for line in told if line.startswith("Your hand")]
        table.typed("/table")
        assert printed(raw) == told
        table.typed("nonsense")
        assert printed(raw) == [t("turn-unclear", text="nonsense")]
        table.typed("/dance")
        assert printed(raw) == [t("line-unknown-command", command="/dance")]
        table.typed("؟")
        assert printed(raw) == [t("line-help")]
        table.typed("/away")
        assert printed(raw) == [t("line-away")]
    table.typed("/back")
    table.typed("1")
    assert printed(raw) == [t("line-back"), t("line-not-now")]


async def test_one_line_answers_one_question() -> None:
    """Trap E-13: what is typed twice is not the answer to what comes next."""
    table, raw = line_table()
    await ask(table, "1")
    printed(raw)
    table.typed("1")
    assert printed(raw) == [t("line-not-now")]


async def test_own_points_are_told_rule_by_rule() -> None:
    table, raw = line_table()
    await table.hello(hello("kasra", 2))
    printed(raw)
    lines = [[], [], [("KAS-5-queens", -50), ("KAS-9", -25), ("KAS-9", 75)], []]
    await table.tell(
        seat_protocol.Score(deal=1, points=[0, 0, 0, 0], breakdown=lines, totals=[0] * 4)  # type: ignore[arg-type]
    )
    assert printed(raw) == ["Your 0: queens -50, doubled cards +50"]


@pytest.mark.parametrize(
    ("lines", "total", "multiplier", "told"),
    [
        ([("EST-S1", 3), ("EST-S2", 20)], 46, 2, "Your +46: estimate +3, caller +20, all of it ×2"),
        ([("EST-S13", 0)], 0, 1, "Your 0: nobody made it, the next deal is doubled"),
        ([], 0, 1, ""),
    ],
)
def test_a_breakdown_in_words(lines: list[tuple[str, int]], total: int, multiplier: int, told: str) -> None:
    assert words.breakdown(lines, total, multiplier) == told


def test_why_cards_are_thrown_in() -> None:
    assert words.why_redealt("seven in kitty", NAMES) == "The seven of hearts lies in the kitty."
    assert words.why_redealt("all pass", NAMES) == "Nobody has bid."
    assert "Celine" in words.why_redealt("fault 2", NAMES)
    assert words.why_redealt("void 2", NAMES) == "" == words.why_redealt("cheat", NAMES)


# ---- Estimation: what must be known to bid and to estimate ---------------------------------------------------------

ESTIMATION = {
    **find_game("estimation").start().view(),
    "game": "estimation",
    "names": NAMES,
    "seat": 0,
    "phase": "estimate",
    "caller": 1,
    "trump": "S",
    "estimates": [-1, 5, 3, 2],
    "dashes": [],
    "risk": 0,
}


def told(**changes: Any) -> list[str]:
    return [text for _, text in facts.facts({**ESTIMATION, **changes})]


def test_the_last_to_estimate_is_told_what_is_forbidden() -> None:
    assert told() == [
        "Caller: Basil, 5♠.",
        "At most 5; who says 5 is With.",
        "Estimates: Celine: 3, Dawud: 2; the sum so far is 10.",
        "You estimate last and are the Risk: not 3, the total can't be 13.",
    ]
    assert told(estimates=[-1, 9, 5, 0])[-1] == "You estimate last and are the Risk."
    assert told(estimates=[-1, 5, -1, -1], risk=3)[-1] == "Dawud estimates last and is the Risk."


def test_the_auction_is_told_as_it_stands() -> None:
    auction = [[1, "pass"], [2, "bid 5S"], [3, "dash"]]
    assert told(phase="bid", auction=auction) == ["Bids: Basil: pass, Celine: 5♠, Dawud: Dash Call"]
    set_language("ar")
    assert told(phase="bid", auction=[[1, "pass"]]) == ["المزايدة: \u2068Basil\u2069: باص"]


# ---- output ---------------------------------------------------------------------------------------------------------


def test_output_that_is_no_unicode_gets_letters() -> None:
    assert fit_for("ascii", "Your hand: \u206610♠ Q♥\u2069 − ×2…") == "Your hand: 10S QH - x2..."
    assert fit_for("utf-8", "\u2066♠\u2069") == "\u2066♠\u2069"
    assert fit_for("gb18030", "\u2068A\u2069 ♠") == "A ♠"
    table, raw = line_table("ascii")
    table.console.say("Basil 2♠")
    assert raw.getvalue() == b"Basil 2S\n"


def test_folding_keeps_items_and_isolates_whole() -> None:
    folded = wrapped("You may: 1) no trump  2) no tricks  3) spades", 24)
    assert folded.split("\n") == ["You may: 1) no trump", "2) no tricks  3) spades"]
    assert wrapped("\u2066AS KS QS JS\u2069", 6) == "\u2066AS KS\u2069\n\u2066QS JS\u2069"
    assert wrapped("invite:" + "x" * 90, 80) == "invite:" + "x" * 90
    assert cells("\u2066♠\u2069قَ") == 2


def test_the_score_sheet_keeps_its_columns_in_arabic() -> None:
    set_language("ar")
    sheet = words.score_table(["أبو علي", "Basil"], [[10, -10]], [10, -10])
    rows = sheet.split("\n")
    assert len({cells(row) for row in rows}) == 1
    assert rows[0].startswith("\u2066") and rows[0].endswith("\u2069") and rows[-1].split() == ["=", "+10", "-10"]


def test_cards_and_names_stand_isolated_in_arabic_sentences() -> None:
    set_language("ar")
    told = words.happened(acted(0, "play QS"), NAMES, "kasra", 16)
    assert NAMES[2] not in words.happened(events.Dealt(1, 2), NAMES, "kasra", 16), "7♥ says who, and that comes later"
    assert NAMES[2] in words.happened(events.Dealt(2, 2), NAMES, "kasra", 16)
    assert told == "\u2068Amal\u2069 يلعب \u2066Q♠\u2069."
    kitty = events.Kitty((parse_cards("2C").bit_length() - 1,))
    assert words.happened(kitty, NAMES, "istimar", 3) == "أوراق الوسط: \u20662♣\u2069"
    result = Result(1, (10, -10, 0, 0), ((), (), (), ()), (10, -10, 0, 0))
    assert "\u2066-10\u2069" in words.happened(events.Scored(result), NAMES, "kasra", 16)
