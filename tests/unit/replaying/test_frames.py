"""Frames of a record: what lies on the table, what each seat knew then, and deals whose hands nobody wrote down."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bots.builtin import make
from bots.practice import bot_chooser, seat_view
from engine.cards import FULL_PACK, count, names
from engine.game import Ask, Finished, Sealed
from engine.games import NAMES
from engine.games import game as find_game
from engine.record import Recorder, read, replay, write
from engine.referee import Acted, Dealt, Opened, Referee, Scored, ThrownIn, shuffled
from p2p.replaying.frames import Frame, frames
from tests.scenarios.loader import scenarios, title

RECORDS = Path(__file__).parents[2] / "scenarios" / "records"
SEATS = ["Amal", "باسل", "Celine", "Dawud"]


def whole(game: str) -> tuple[Frame, ...]:
    return frames(read((RECORDS / f"{game}.txt").read_text("utf-8")))


@pytest.mark.parametrize("game", NAMES)
def test_every_seat_sees_what_it_was_sent_while_it_was_played(game: str, rng: random.Random) -> None:
    """Two deals, so that the games of three exchange cards in the second."""
    seats = find_game(game).seats
    referee = Referee.start(find_game(game), shuffled(rng.shuffle))
    recorder = Recorder(referee, SEATS[:seats])
    bot = make("random", 4)
    sent = []
    while not isinstance(step := referee.advance_until_scored(2), Finished) and len(referee.state.results) < 2:
        sent.append([seat_view(referee, seat, SEATS[:seats]) for seat in range(seats)])
        assert isinstance(step, Ask | Sealed)
        asked = (step.seat,) if isinstance(step, Ask) else step.seats
        chosen = {
            seat: bot_chooser(referee, bot)(seat, referee.state, referee.hands[seat], referee.legal(seat))
            for seat in asked
        }
        if isinstance(step, Ask):
            referee.act(step.seat, chosen[step.seat])
        else:
            referee.act_at_once(chosen)
    seen = frames(read(write(recorder.record)))
    questions = [frame for frame in seen if isinstance(frame.state.step, Ask | Sealed)]
    asked_then = [[frame.view(seat) for seat in range(seats)] for frame in questions]
    assert asked_then[: len(sent)] == sent  # a deal that ends with an audit has been followed by the next one's cards
    assert len(asked_then) - len(sent) <= 1


@pytest.mark.parametrize("game", NAMES)
def test_a_whole_game_is_seen(game: str) -> None:
    """No card is ever lost from sight, every trick is counted, and the scores are those of the replay."""
    seen = whole(game)
    pack = FULL_PACK
    tricks = 13 if find_game(game).seats == 4 else 16
    played = 0
    for frame in seen:
        if any(isinstance(event, Dealt) for event in frame.events):
            pack = FULL_PACK
        played += sum(isinstance(event, Acted) and event.action.verb == "play" for event in frame.events)
        for event in frame.events:
            if isinstance(event, Acted) and event.action.verb == "play":
                pack &= ~event.action.cards
        in_hands = sum(map(count, frame.hands)) + count(frame.aside)
        if frame.table["phase"] == "play":
            assert in_hands == count(pack), frame
            assert not any(hand & ~pack for hand in frame.hands)
        if frame.result:
            assert frame.result.deal == frame.deal
            if frame.table.get("contract") == "trix":
                assert len(frame.table["out"]) == 3
                assert sum(frame.table["counts"]) == in_hands, "the last one's cards are still in his hand"
            else:
                assert frame.taker >= 0
                assert sum(frame.tricks) <= tricks
                assert sum(frame.tricks) == tricks or frame.hands, "a deal may end before its last trick"
    whole_record = replay(read((RECORDS / f"{game}.txt").read_text("utf-8")))
    assert [frame.result for frame in seen if frame.result] == list(whole_record.results)
    assert played > 100
    assert seen[-1].totals == whole_record.state.totals


def test_the_end_of_a_deal_shows_its_own_table() -> None:
    """The state then waits for the next pack already; what lies on the table belongs to the deal that is scored."""
    ends = [frame for frame in whole("kasra") if frame.result]
    assert [frame.deal for frame in ends] == list(range(1, 17))
    for frame in ends:
        contract = frame.table["contract"]
        assert contract
        if contract == "complex":
            taken = sum(len(held) for held in frame.table["taken"])
            assert taken == 4 * sum(frame.tricks)
        if contract == "trix":
            last = frame.events[0]
            assert isinstance(last, Acted)
            assert any(names(last.action.cards) in row for row in frame.table["rows"].values())


def test_the_kitty_and_the_cards_put_aside_are_seen() -> None:
    seen = whole("istimar")
    for number, frame in enumerate(seen):
        for event in frame.events:
            if isinstance(event, Opened):
                assert count(frame.kitty) == 4 and frame.kitty_seat == -1
                taken = seen[number + 1]
                assert taken.events == () and taken.cards is not None
                declarer = taken.table["declarer"]
                assert taken.cards.new[declarer] == frame.kitty
                assert not frame.kitty & ~taken.hands[declarer]
    played = [frame for frame in seen if frame.table["phase"] == "play"]
    assert {count(frame.aside) for frame in played} == {4}


def test_who_claims_the_rest_has_taken_it_at_the_end_of_the_deal() -> None:
    """Everybody holds one suit: without trumps the first to lead has every trick, and in Complex every card."""
    hands = "".join(f"hand {seat}: {' '.join(rank + 'SHDC'[seat] for rank in 'AKQJT98765432')}\n" for seat in range(4))
    head = "majlis-record 1\ngame: kasra\noption: doubling off\ndeal 1\n" + hands + "1 show 7H\n1 game complex\n"
    seen = frames(read(head + "1 play AH\n2 play AD\n3 play AC\n0 play AS\n1 claim\n"))
    end = seen[-1]
    assert end.result is not None and end.result.points[1] < 0
    assert end.tricks == (0, 13, 0, 0)
    assert [len(held) for held in end.table["taken"]] == [0, 52, 0, 0]
    assert len(end.trick) == 4 and end.taker == 1


def test_the_last_trick_of_a_deal_is_gone_when_the_next_begins() -> None:
    seen = whole("istimar")
    assert all(not frame.trick for frame in seen if frame.table["phase"] not in ("play", "audit"))
    ends = [frame for frame in seen if frame.result]
    assert all(len(frame.trick) == 3 and frame.taker >= 0 for frame in ends)


SHEET = """majlis-record 1
game: kasra
seats: Amal Basil Celine Dawud
deal 1
1 game tarneeb
1 trump S
tricks: 3 4 5 1
deal 2
1 game trix
out: 2 0 3
"""


def test_a_score_sheet_has_its_declarations_and_scores_and_no_cards() -> None:
    seen = frames(read(SHEET))
    assert all(frame.cards is None and frame.hands == () for frame in seen)
    told = [[type(event).__name__ for event in frame.events] for frame in seen]
    assert told == [[], ["Acted", "Acted"], ["Acted"], ["Scored"], [], ["Acted"], ["Scored"]]
    assert [frame.deal for frame in seen] == [1, 1, 1, 1, 2, 2, 2]
    result = seen[3].result
    assert result is not None and result.points == (30, 40, 50, 10)
    assert seen[3].tricks == (3, 4, 5, 1) and seen[2].tricks == (0, 0, 0, 0)
    assert seen[-1].table["out"] == [2, 0, 3]
    assert seen[2].view(1)["hand"] == []
    assert seen[-1].totals == (180, 90, 250, 110)


def test_a_pack_thrown_in_is_seen_with_its_deal() -> None:
    head = "majlis-record 1\ngame: estimation\ndeal 1\ndealer: 0\n"
    passes = "1 pass\n2 pass\n3 pass\n0 pass\n"
    seen = frames(read(head + passes + "redeal: all pass\ndealer: 1\nredeal: void 2\ndealer: 2\n"))
    thrown = [frame for frame in seen if isinstance(frame.events[-1:][0] if frame.events else None, ThrownIn)]
    assert [(frame.deal, frame.dealer, frame.attempt) for frame in thrown] == [(1, 0, 0), (1, 1, 1)]
    assert seen[-1].attempt == 2 and seen[-1].dealer == 2


def test_what_bots_noted_and_where_the_stand_in_plays_is_seen() -> None:
    text = (RECORDS / "kasra.txt").read_text("utf-8")
    lines = text.splitlines()
    first = next(number for number, line in enumerate(lines) if " play " in line)
    edited = [*lines[: first + 1], 'info: {"why": "<b>"}', "standin 3", *lines[first + 1 :]]
    seen = frames(read("\n".join(edited)))
    noted = [frame for frame in seen if frame.info]
    assert len(noted) == 1
    assert noted[0].info == ((int(lines[first][0]), '{"why": "<b>"}'),)
    after = seen.index(noted[0])
    assert seen[after].standins == () and seen[after + 1].standins == (3,)
    assert seen[-1].standins == (), "the next deal is his own again"


@pytest.mark.parametrize("path", scenarios(), ids=title)
def test_every_scenario_has_frames(path: Path) -> None:
    record = read(path.read_text("utf-8"))
    seen = frames(record)
    assert seen and frames(record) == seen, "looking changes nothing in the record"
    assert [frame.result for frame in seen if frame.result] == list(replay(record).results)
    assert sum(isinstance(event, Scored) for frame in seen for event in frame.events) == len(replay(record).results)
