"""The page of a game as text, and the command that writes it: whole, small, self-contained, or an honest sentence."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine.games import NAMES
from engine.record import read, replay
from p2p.cli.majlis import majlis
from p2p.language import CODES, current, set_language
from p2p.replaying.frames import frames
from p2p.replaying.page import page
from tests.unit.replaying.games import RECORDS, hostile, text_of

SIZE_LIMIT = 1_000_000
"""Bytes of the page of an ordinary game: it is sent to friends on telephones."""


def page_of(text: str) -> str:
    record = read(text)
    return page(replay(record), frames(record))


def data_of(text: str) -> dict[str, object]:
    (found,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    data = json.loads(found)
    assert isinstance(data, dict)
    return data


@pytest.mark.parametrize("game", NAMES)
def test_a_page_is_small_and_loads_nothing(game: str) -> None:
    text = page_of(text_of(game))
    assert len(text.encode()) < SIZE_LIMIT
    assert not re.search(r"\b(src|srcset|action|poster)=|@import|url\(|https?://(?!www\.w3\.org/2000/svg)", text)
    assert all(target.startswith("#") for target in re.findall(r'\bhref="([^"]*)"', text))
    assert not re.search(r'\s(style|on\w+)="', text), "the policy forbids what stands in attributes"
    assert "@@" not in text


def test_the_policy_names_the_script_and_the_style_and_nothing_else() -> None:
    text = page_of(text_of("istimar"))
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    parts = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert parts.keys() == {"default-src", "script-src", "style-src", "base-uri", "form-action"}
    assert parts["default-src"] == parts["base-uri"] == parts["form-action"] == "'none'"
    for kind, tag in (("script-src", "script"), ("style-src", "style")):
        (inside,) = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.S)
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert parts[kind] == f"'sha256-{digest}'"


def test_both_languages_are_in_it_and_the_one_in_force_comes_first() -> None:
    for code in CODES:
        set_language(code)
        text = page_of(text_of("kasra"))
        assert current().code == code, "making a page leaves the language as it was"
        data = data_of(text)
        assert data["language"] == code
        spoken = data["spoken"]
        assert isinstance(spoken, dict) and list(spoken) == list(CODES)
        assert spoken["en"]["words"]["pane-score"] == "Score sheet"
        assert spoken["ar"]["words"]["pane-score"] == "ورقة النقاط"
        assert (spoken["en"]["rtl"], spoken["ar"]["rtl"]) == (False, True)


def test_the_same_game_gives_the_same_page() -> None:
    assert page_of(text_of("three_five_eight")) == page_of(text_of("three_five_eight"))


def test_what_strangers_wrote_cannot_leave_its_place() -> None:
    text = page_of(hostile())
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>\n<script>', text, re.S)
    assert not set(data) & set("<>&\u2028\u2029\u202e\u0000\u0007")
    assert text.count("<script") == 2 and text.count("</script>") == 2
    (title,) = re.findall(r"<title>(.*?)</title>", text, re.S)
    assert "<" not in title and "&lt;b&gt;" in title


def test_only_the_seats_that_may_know_a_card_are_told_it() -> None:
    """In what one seat sees, no sentence names a card that was given, returned or put aside by others."""
    seen = frames(read(text_of("three_five_eight")))
    data = data_of(page_of(text_of("three_five_eight")))
    told = data["spoken"]["en"]["frames"]  # type: ignore[index]
    hidden = 0
    last: list[dict[str, object]] = []
    for frame, change in zip(seen, told, strict=True):
        last = change.get("told", last)
        for sentence in last:
            if "shut" in sentence:
                assert not set(str(sentence["shut"])) & set("♠♥♦♣")
                assert set(str(sentence["open"])) & set("♠♥♦♣")
                assert frame.table["turn"] is None or sentence["knows"]
                hidden += 1
    assert hidden > 18 * 4


# ---- the command ---------------------------------------------------------------------------------------------------


def write(path: Path, record: str = "istimar") -> Result:
    return CliRunner().invoke(majlis, ["replay", str(RECORDS / f"{record}.txt"), "--html", str(path)])


def test_the_page_is_written_and_the_score_table_printed(tmp_path: Path) -> None:
    done = write(tmp_path / "game.html")
    assert done.exit_code == 0
    assert done.stderr == f"The page is in {tmp_path / 'game.html'}; open it in a browser.\n"
    assert "Isti'mar" in done.stdout
    assert (tmp_path / "game.html").read_text("utf-8") == page_of(text_of("istimar"))
    assert os.listdir(tmp_path) == ["game.html"]


def test_nothing_that_is_there_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "game.html").write_text("mine")
    done = write(tmp_path / "game.html")
    assert (done.exit_code, (tmp_path / "game.html").read_text()) == (2, "mine")
    assert "is there already" in done.stderr
    assert write(tmp_path).exit_code == 2


def test_a_page_that_cannot_be_written_is_a_sentence_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = write(tmp_path / "nowhere" / "game.html")
    assert (done.exit_code, done.stderr) == (
        1,
        f"Could not write {tmp_path / 'nowhere' / 'game.html'}: No such file or directory\n",
    )

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    done = write(tmp_path / "game.html")
    assert done.exit_code == 1 and "No space left on device" in done.stderr
    assert os.listdir(tmp_path) == []


def test_a_record_that_is_wrong_gets_no_page(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.txt"
    wrong.write_text(text_of("istimar").replace("2 play 6D", "2 play 6C"))
    done = CliRunner().invoke(majlis, ["replay", str(wrong), "--html", str(tmp_path / "game.html")])
    assert done.exit_code == 1
    assert os.listdir(tmp_path) == ["wrong.txt"]
