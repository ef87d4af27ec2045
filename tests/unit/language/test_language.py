"""Choosing a language, and what becomes of ids and values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.language import choose, current, digits, load, set_digits, set_language, t, tn
from p2p.language.cards import cards_short
from p2p.terminal.screen.bidi import visual
from p2p.terminal.typed import understood


@pytest.mark.parametrize(
    ("asked", "environ", "expected"),
    [
        (None, {}, "en"),
        ("ar", {"LANG": "en_US.UTF-8"}, "ar"),
        (None, {"LANG": "ar_LB.UTF-8"}, "ar"),
        (None, {"LANG": "ar"}, "ar"),
        (None, {"LANG": "ar_EG@euro"}, "ar"),
        (None, {"LANG": "AR-SY"}, "ar"),
        (None, {"LC_ALL": "C.UTF-8", "LANG": "ar_LB"}, "en"),
        (None, {"LC_ALL": "", "LC_MESSAGES": "ar_JO.utf8", "LANG": "en_GB"}, "ar"),
        (None, {"MAJLIS_LANG": "ar", "LC_ALL": "en_US.UTF-8"}, "ar"),
        (None, {"LANG": "fr_FR.UTF-8"}, "en"),
        (None, {"LANG": "arc"}, "en"),
    ],
)
def test_the_language_asked_for_then_the_environment_decides(
    asked: str | None, environ: dict[str, str], expected: str
) -> None:
    assert choose(asked, environ) == expected


def test_sentences_follow_the_language() -> None:
    assert t("port-busy", port=7070).startswith("Another program uses port 7070")
    set_language("ar")
    assert current().right_to_left
    assert t("port-busy", port=7070).startswith("المنفذ 7070")
    with pytest.raises(ValueError, match="no such language"):
        set_language("fr")


@pytest.mark.parametrize(
    ("environ", "kept", "expected"),
    [
        ({"LANG": "en_US.UTF-8"}, "ar", "ar"),
        ({"LANG": "ar_LB.UTF-8"}, "en", "en"),
        ({"LANG": "ar_LB.UTF-8"}, "", "ar"),
        ({"MAJLIS_LANG": "en"}, "ar", "en"),
    ],
)
def test_what_was_kept_comes_before_the_system_and_after_what_was_said_for_majlis(
    environ: dict[str, str], kept: str, expected: str
) -> None:
    assert choose(None, environ, kept) == expected
    assert choose("ar", environ, kept) == "ar"


def test_numbers_are_shown_in_arabic_digits_where_that_was_chosen() -> None:
    set_digits(True)
    assert (digits(358), tn("cards-counted", 13), cards_short(["TH"])) == ("358", "13 cards", "10♥")
    set_language("ar")
    assert (digits("+12"), tn("cards-counted", 13)) == ("+١٢", "١٣ ورقة")
    assert t("rule-EST-S12") == "داش كول تحت ١٣"
    assert "المنفذ 7070" in t("port-busy", port=7070)
    assert t("event-joined", player="Bot 2") == load("ar").t("event-joined", player="Bot 2")
    set_digits(False)
    assert (digits(358), tn("cards-counted", 13), cards_short(["TH"])) == ("358", "13 ورقة", "10♥")


def test_cards_in_arabic_digits_keep_their_order_and_can_be_typed_back() -> None:
    set_language("ar")
    set_digits(True)
    row = cards_short(["TH", "9S", "KD", "3D", "2C"])
    assert visual(f"\u2066{row}\u2069", True) == "١٠♥ ٩♠ K♦ ٣♦ ٢♣"
    assert understood(cards_short(["TH"]), ["play TH", "play 9H"], {}) == "play TH"
    assert understood("٢", ["play TH", "play 9H"], {}) == understood("2", ["play TH", "play 9H"], {})


@pytest.mark.parametrize(
    ("count", "english", "arabic"),
    [
        (0, "0 cards", "بلا أوراق"),
        (1, "1 card", "ورقة واحدة"),
        (2, "2 cards", "ورقتان"),
        (3, "3 cards", "3 أوراق"),
        (13, "13 cards", "13 ورقة"),
        (52, "52 cards", "52 ورقة"),
        (100, "100 cards", "100 ورقة"),
    ],
)
def test_counted_sentences_use_every_form(count: int, english: str, arabic: str) -> None:
    assert tn("cards-counted", count) == english
    set_language("ar")
    assert tn("cards-counted", count) == arabic


def test_an_unknown_id_and_a_missing_value_are_shown_not_raised() -> None:
    for code in ("en", "ar"):
        set_language(code)
        assert t("no-such-sentence", seat=1) == "no-such-sentence"
        assert tn("no-such-sentence", 2) == "no-such-sentence"
        assert "?" in t("port-busy")


def test_a_sentence_missing_in_arabic_is_taken_from_english(monkeypatch: pytest.MonkeyPatch) -> None:
    arabic = load("ar")
    monkeypatch.delitem(arabic._sentences._catalog, "game-kasra")  # type: ignore[attr-defined]
    assert arabic.t("game-kasra") == "Kasra"


@given(st.text())
def test_a_value_is_never_read_as_a_template(value: str) -> None:
    assert t("event-joined", player=value) == f"{value} sits down."


def test_braces_of_a_peer_reach_nothing() -> None:
    assert t("event-joined", player="{player.__class__} {0} {") == "{player.__class__} {0} { sits down."


def test_values_may_have_any_name() -> None:
    assert t("event-joined", player="A", sentence="x", self="y") == "A sits down."
