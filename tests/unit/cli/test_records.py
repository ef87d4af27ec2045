"""`majlis replay` and `majlis score`: whole records, illegal ones, and files that are no records."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine.games import NAMES
from p2p.cli import reading
from p2p.cli.majlis import majlis
from p2p.language import CODES, set_language
from tests.unit.cli.logs import bodies, file_of, played

RECORDS = Path(__file__).parents[2] / "scenarios" / "records"
both = pytest.mark.parametrize("command", ["replay", "score"])
each_language = pytest.mark.parametrize("code", CODES)


def run(command: str, *words: object, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(majlis, [command, *map(str, words)], input=stdin)


def written(folder: Path, text: str | bytes, name: str = "game.txt") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize("game", NAMES)
@both
@each_language
def test_a_whole_game_is_played_again(game: str, command: str, code: str) -> None:
    set_language(code)
    result = run(command, RECORDS / f"{game}.txt")
    assert (result.exit_code, result.stderr) == (0, "")
    totals = json.loads(run(command, RECORDS / f"{game}.txt", "--json").stdout)["total"]
    assert result.stdout.splitlines()[-2].split() == ["=", *(f"{total:+d}" for total in totals)]


@pytest.mark.parametrize("game", NAMES)
def test_the_json_has_what_is_documented(game: str) -> None:
    told = json.loads(run("replay", RECORDS / f"{game}.txt", "--json").stdout)
    assert set(told) == {"game", "options", "seats", "finished", "deals", "total", "winners"}
    assert told["game"] == game
    assert told["finished"] is True
    assert told["winners"] == [seat for seat, total in enumerate(told["total"]) if total == max(told["total"])]
    running = [0] * len(told["seats"])
    for number, deal in enumerate(told["deals"], 1):
        assert set(deal) == {"deal", "score", "breakdown", "multiplier", "redeals", "total"}
        assert deal["deal"] == number
        for seat, (points, parts) in enumerate(zip(deal["score"], deal["breakdown"], strict=True)):
            assert points == deal["multiplier"] * sum(parts.values())
            running[seat] += points
        assert deal["total"] == running
    assert told["total"] == running


# --- what is wrong is said ------------------------------------------------------------------------------------------

HANDS = """majlis-record 1
game: estimation
option: void_rule off
seats: Amal Basil Celine Dawud
deal 1
dealer: 3
hand 0: AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S
hand 1: AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2C
hand 2: AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D
hand 3: AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C 2H
"""
ILLEGAL = (
    HANDS
    + """0 bid 7H
1 pass
2 pass
3 pass
1 estimate 0
2 estimate 0
3 estimate 0
0 play AS
1 play KH
2 play AD
3 play 2H
1 play 2C
2 play KD
3 play 3C
0 play AS
"""
)


@both
def test_an_illegal_play_is_named_with_line_player_action_and_rule(tmp_path: Path, command: str) -> None:
    path = written(tmp_path, ILLEGAL.replace("0 play AS\n", "0 play AC\n", 1))
    result = run(command, path)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr == 'Line 18: Amal: "play AC" breaks rule D-1. That card is not in your hand.\n'


def test_reneging_is_named(tmp_path: Path) -> None:
    follow = HANDS.replace("AS KS", "AS KH").replace("AH KH", "AH KS") + (
        "0 bid 7H\n1 pass\n2 pass\n3 pass\n1 estimate 0\n2 estimate 0\n3 estimate 0\n0 play AS\n1 play AH\n"
    )
    result = run("replay", written(tmp_path, follow))
    assert result.exit_code == 1
    assert result.stderr.startswith('Line 19: Basil: "play AH" breaks rule EST-17. Follow suit')
    set_language("ar")
    told = run("replay", written(tmp_path, follow)).stderr
    assert told.startswith("السطر 19: \u2068Basil\u2069: «play AH» تخالف القاعدة EST-17. ")


def test_programs_get_the_error_as_json(tmp_path: Path) -> None:
    result = run("replay", written(tmp_path, HANDS + "0 bid 3H\n"), "--json")
    assert result.exit_code == 1
    error = json.loads(result.stdout)["error"]
    assert (error["line"], error["action"], error["rule"], error["code"]) == (11, "bid 3H", "EST-7", "bid-minimum")
    assert error["sentence"] == result.stderr.strip()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("nonsense\n", 1),
        ("majlis-record 2\n", 1),
        ("majlis-record 1\n", 1),
        ("majlis-record 1\ngame: bridge\n", 2),
        ("majlis-record 1\ngame: kasra\noption: deals 3\n", 3),
        ("majlis-record 1\ngame: kasra\noption: kingdoms 7\n", 3),
        (HANDS + "score: 1 2 3\n", 11),
        (HANDS.replace("2H\n", "2C\n"), 10),
        (HANDS + "0 fly AS\n", 11),
        (HANDS + "7 pass\n", 11),
        (HANDS + "deal 2\n", 5),
    ],
)
@each_language
def test_every_mistake_in_a_record_is_a_sentence_with_its_line(tmp_path: Path, text: str, line: int, code: str) -> None:
    set_language(code)
    result = run("replay", written(tmp_path, text))
    assert result.exit_code == 1
    assert result.stderr.startswith({"en": f"Line {line}: ", "ar": f"السطر {line}: "}[code])
    assert len(result.stderr.splitlines()) == 1
    assert "?" not in result.stderr


def test_a_false_score_is_told_with_the_right_one(tmp_path: Path) -> None:
    text = (RECORDS / "istimar.txt").read_text("utf-8")
    good = next(line for line in text.splitlines() if line.startswith("score:"))
    result = run("replay", written(tmp_path, text.replace(good, "score: 2 -2 0", 1)))
    assert result.exit_code == 1
    assert good.removeprefix("score: ") in result.stderr


@both
@each_language
def test_an_adjourned_game_is_unfinished_and_no_mistake(tmp_path: Path, command: str, code: str) -> None:
    set_language(code)
    for text in (HANDS, ILLEGAL.rpartition("0 play AS")[0]):
        result = run(command, written(tmp_path, text))
        assert (result.exit_code, result.stderr) == (0, "")
        assert {"en": "unfinished", "ar": "لم تكتمل"}[code] in result.stdout
        assert json.loads(run(command, written(tmp_path, text), "--json").stdout)["finished"] is False


def test_a_score_sheet_needs_declarations_and_tricks_only(tmp_path: Path) -> None:
    sheet = """majlis-record 1
game: estimation
seats: Amal Basil Celine Dawud
deal 15
dealer: 1
2 estimate 3
3 estimate 2
0 estimate 3
1 estimate 4
tricks: 4 4 2 3
"""
    result = run("score", written(tmp_path, sheet))
    assert result.exit_code == 0, result.stderr
    assert " 15 " in result.stdout
    told = json.loads(run("score", written(tmp_path, sheet), "--json").stdout)
    assert [deal["deal"] for deal in told["deals"]] == [15]
    assert told["deals"][0]["score"] == told["total"]


def test_names_are_shown_clean(tmp_path: Path) -> None:
    text = HANDS.replace("seats: Amal Basil Celine Dawud", "seat 0: \x1b[2Jevil\nseat 1: أبو علي\nseat 3: D")
    result = run("replay", written(tmp_path, text.replace("hand 0", "# \x1b\nhand 0")))
    assert result.exit_code == 0
    assert "\x1b" not in result.stdout + result.stderr


# --- files that are no records --------------------------------------------------------------------------------------


@both
@each_language
def test_what_is_no_record_is_said_in_a_sentence(tmp_path: Path, command: str, code: str) -> None:
    set_language(code)
    files = [
        written(tmp_path, "", "empty"),
        written(tmp_path, " \n\n", "blank"),
        written(tmp_path, HANDS.replace("Amal", "أمل").encode("utf-16"), "utf-16"),
        written(tmp_path, HANDS.replace("Amal", "أمل").encode("cp1256"), "cp1256"),
        written(tmp_path, bytes(range(256)) * 9, "garbage"),
        written(tmp_path, bytes(5000), "zeros"),
        written(tmp_path, b"x" * 5000, "long-line"),
        written(tmp_path, file_of(bodies(played("istimar"))), "a.log"),
        tmp_path,
        tmp_path / "nothing-there",
        tmp_path / "empty" / "below-a-file",
    ]
    for path in files:
        result = run(command, path)
        assert result.exit_code == 1, path
        assert result.stdout == ""
        assert len(result.stderr.strip().splitlines()) == 1, result.stderr
        assert "?" not in result.stderr
        assert result.exception is None or isinstance(result.exception, SystemExit)


def test_a_log_and_a_folder_are_told_apart_from_other_files(tmp_path: Path) -> None:
    log = written(tmp_path, file_of(bodies(played("istimar"))), "a.log")
    assert "majlis record" in run("replay", log).stderr
    assert "folder" in run("replay", tmp_path).stderr
    assert "There is no file" in run("replay", tmp_path / "nothing").stderr
    assert "UTF-8 (see byte 9)" in run("replay", written(tmp_path, b"majlis-re\xff")).stderr


def test_a_huge_file_is_not_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "RECORD_LIMIT", 1000)
    result = run("replay", written(tmp_path, "x" * 1001))
    assert (result.exit_code, "too big" in result.stderr) == (1, True)


def test_a_record_comes_through_a_pipe_with_a_mark_and_foreign_line_ends() -> None:
    text = (RECORDS / "istimar.txt").read_text("utf-8")
    assert run("replay", "-", stdin=text.encode()).exit_code == 0
    foreign = b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()
    assert run("replay", "-", stdin=foreign).stdout == run("replay", RECORDS / "istimar.txt").stdout
    assert run("replay", "-", stdin=b"").exit_code == 1


def test_without_a_file_it_is_wrong_usage() -> None:
    assert run("replay").exit_code == 2
    assert run("score").exit_code == 2
