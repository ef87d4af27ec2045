"""Game records: what is wrong in one is said with its line, and what may be left out may be left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.record import RecordError, read, replay, write

RECORDS = Path(__file__).parents[2] / "scenarios" / "records"
KASRA = (RECORDS / "kasra.txt").read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "totals", "winners"),
    [
        ("kasra", (140, 50, -20, -170), (0,)),
        ("estimation", (-694, -316, 405, -52), (2,)),
        ("istimar", (-16, -10, 26), (2,)),
        ("three_five_eight", (6, -6, 0), (0,)),
    ],
)
def test_a_whole_game_replays(name: str, totals: tuple[int, ...], winners: tuple[int, ...]) -> None:
    done = replay(read((RECORDS / f"{name}.txt").read_text("utf-8")))
    assert (done.state.totals, done.state.winners, done.finished) == (totals, winners, True)


def wrong(text: str) -> RecordError:
    with pytest.raises(RecordError) as error:
        replay(read(text))
    return error.value


def edited(old: str, new: str) -> RecordError:
    assert old in KASRA
    return wrong(KASRA.replace(old, new, 1))


HEAD = "majlis-record 1\ngame: kasra\nseats: A B C D\n"


@pytest.mark.parametrize(
    ("text", "line", "code"),
    [
        ("", 1, "record-no-header"),
        ("majlis-record 2\n", 1, "record-no-header"),
        ("majlis-record 1\n", 1, "record-no-game"),
        ("majlis-record 1\n# nothing\noption: kingdoms 2\n", 3, "record-no-game"),
        ("majlis-record 1\ngame: bridge\n", 2, "unknown-game"),
        ("majlis-record 1\ngame: kasra\nseats: A B C\n", 3, "record-count"),
        (HEAD + "option: kingdoms 3\n", 4, "bad-option-value"),
        (HEAD + "option: colour red\n", 4, "bad-option-name"),
        (HEAD + "\n\nhallo\n", 6, "record-unknown-line"),
        (HEAD + "hand 0: 2S\n", 4, "record-before-deal"),
        (HEAD + "deal 1\nhand 7: 2S\n", 5, "record-no-such-seat"),
        (HEAD + "deal 1\nhand 1: 1S\n", 5, "record-bad-card"),
        (HEAD + "deal 1\nowner: x\n", 5, "record-bad-line"),
        (HEAD + "deal 1\nowner: 1\nowner: 1\n", 6, "record-line-twice"),
        (HEAD + "deal 1\n0 sing\n", 5, "unknown-action"),
        (HEAD + "deal 1\n0 game trix\noption: kingdoms 1\n", 6, "record-misplaced"),
        (HEAD + "deal 17\nowner: 0\n0 game trix\n", 5, "bad-start"),
        (HEAD + "deal 3\n", 4, "bad-start"),
        (HEAD + "deal 1\nowner: 0\n0 game trix\nout: 0 1\n", 7, "bad-outcome"),
        (HEAD + "deal 1\nowner: 0\n0 game trix\n0 play JS\n", 7, "record-sheet-has-cards"),
        (HEAD + "deal 1\nowner: 0\n0 game trix\nscore: 1 2 3 4\n", 7, "record-deal-not-finished"),
        (HEAD + "deal 1\nowner: 0\n0 game trix\nout: 0 1 2\nscore: 200 150 50 100\n", 8, "record-score"),
        (HEAD + "deal 1\nowner: 0\n0 game trix\nout: 0 1 2\ntotal: 200 150 100 0\n", 8, "record-total"),
        (HEAD + "deal 1\nowner: 0\n0 game trix\nout: 0 1 2\ndeal 3\n", 8, "record-deal-number"),
        (HEAD + "deal 1\nowner: 0\n0 game trix\ndeal 2\n", 4, "record-deal-not-finished"),
        (HEAD + "deal 1\nowner: 0\n0 game trix\nout: 0 1 2\ndeal 2\ndealer: 1\n", 9, "record-dealer"),
        (HEAD + "deal 1\nowner: 0\n1 game trix\n", 6, "not-your-turn"),
        (HEAD + "deal 1\nowner: 0\n0 game complex\n0 double\n0 double\n", 7, "record-answers-missing"),
        (HEAD + "deal 16\nowner: 0\n0 game trix\nout: 0 1 2\ndeal 17\n", 8, "record-game-is-over"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, line: int, code: str) -> None:
    error = wrong(text)
    assert (error.line, error.code) == (line, code)


def test_a_renege_is_named_with_its_action_and_rule() -> None:
    error = edited("1 play 5H\n2 play KH\n", "1 play 5H\n2 play 9S\n")
    assert (error.code, error.rule, error.action) == ("follow-suit", "B-KAS-3", ["2", "play 9S"][1])
    assert error.values["seat"] == 2


def test_a_card_must_have_been_dealt_to_its_player() -> None:
    error = edited("1 play JH\n", "1 play JC\n")
    assert (error.line, error.code, error.rule) == (11, "card-not-held", "D-1")


def test_passing_with_a_card_that_fits_is_a_breach() -> None:
    assert edited("1 play JH\n", "1 pass\n").code == "must-pass-only-with-none"


def test_hands_are_one_whole_pack() -> None:
    assert edited("hand 0: JC 5H", "hand 0: JC 3S").code == "record-card-twice"
    assert edited("hand 0: JC 5H", "hand 0: JC").code == "record-hand-size"
    assert wrong("\n".join(KASRA.splitlines()[:5])).code == "record-hand-size"
    assert edited("1 show 7H", "0 show 7H").code == "card-not-held"


def test_a_wrong_score_is_found() -> None:
    error = edited("score: 150 100 200 50", "score: 150 100 50 200")
    assert (error.line, error.code) == (80, "record-score")
    assert error.values == {"found": "150 100 50 200", "expected": "150 100 200 50"}


def test_actions_after_the_end_of_a_deal_are_refused() -> None:
    assert edited("score: 150 100 200 50", "1 pass\nscore: 150 100 200 50").code == "record-deal-is-over"


@pytest.mark.parametrize("lines", [4, 8, 9, 10, 40, 79, 82, 87, 88, 90, 100])
def test_an_adjourned_game_is_checked_as_far_as_it_goes(lines: int) -> None:
    done = replay(read("\n".join(KASRA.splitlines()[:lines])))
    assert not done.finished


def test_scores_may_be_left_out() -> None:
    text = "\n".join(line for line in KASRA.splitlines() if not line.startswith(("score", "total")))
    assert replay(read(text)).state.totals == (140, 50, -20, -170)


def test_comments_names_notes_and_foreign_lines() -> None:
    names = "seat 0: Ada # the host\nseat 1: أبو علي\nseat 2: #\nseat 3: C# player\n"
    text = KASRA.replace("seats: Ada Bo Cy Di\n", names)
    text = text.replace("1 game trix\n", "1 game trix\ninfo: trix 0.7, complex 0.3\nx-mood: good\n")
    record = read(text)
    assert record.seats == ["Ada", "أبو علي", "", "C# player"]
    assert record.extras == ["x-mood: good"]
    assert record.deals[0].attempts[0].moves[1].info == "trix 0.7, complex 0.3"
    assert read(write(record)).extras == record.extras
    assert replay(record).finished


def test_a_record_may_begin_in_the_middle_and_the_owner_be_told_by_his_choice() -> None:
    text = HEAD + "deal 6\n2 game trix\nout: 2 1 0\ndeal 7\n2 game tarneeb\n2 trump S\ntricks: 1 2 3 7\n"
    done = replay(read(text))
    assert done.state.totals == (110, 170, 230, 120)
    assert not done.finished


def test_a_score_sheet_needs_no_seven_of_hearts() -> None:
    done = replay(read(HEAD + "deal 1\n3 game ltooshain\nlast: 0 1\ndeal 2\n"))
    assert done.state.dealer == 3


def test_a_deal_that_was_thrown_in_is_followed_by_the_next_pack() -> None:
    first = "\n".join(KASRA.splitlines()[4:40])
    text = KASRA.replace("deal 1\n", "deal 1\n" + first + "\nredeal: cheat 2\n", 1)
    done = replay(read(text))
    assert done.results[0].redeals == ("cheat 2",)
    assert done.state.totals == (140, 50, -20, -170)
    assert write(read(write(read(text)))) == write(read(text))


def test_a_redeal_of_a_score_sheet() -> None:
    head = "majlis-record 1\ngame: estimation\nseats: A B C D\ndeal 1\ndealer: 0\n"
    passes = "2 pass\n3 pass\n0 pass\n1 pass\n"
    done = replay(read(head + "redeal: void 2\ndealer: 1\n" + passes + "redeal: all pass\ndealer: 2\n"))
    assert done.state.redeals == ("void 2", "all pass")
    assert wrong(head + "redeal: void 2\ndealer: 2\n").code == "record-dealer"
    done = replay(read(head + "1 bid 5S\nredeal: lost pack\ndealer: 0\n"))
    assert done.state.redeals == ("lost pack",)


def test_the_table_of_scores_for_programs() -> None:
    table = replay(read(KASRA)).to_json()
    assert table["winners"] == [0] and table["total"] == [140, 50, -20, -170]
    deals = table["deals"]
    assert isinstance(deals, list) and len(deals) == 16
    for deal in deals:
        assert [sum(lines.values()) for lines in deal["breakdown"]] == deal["score"]
