"""What a person types, in either language, and what he is told when it is no move."""

from __future__ import annotations

from typing import Any

import pytest

from p2p.language import set_language, t
from p2p.terminal import choices
from p2p.terminal.typed import Unclear, simplify, understood

NAMES = ["Amal", "أبو علي", "Celine", "Bot 1"]
PLAYS = ["play 3S", "play TS", "play QS"]
BIDS = ["pass", "dash", "bid 5S", "bid 5NT", "bid 6C", "bid 10S", "bid 13NT"]
ESTIMATES = [f"estimate {number}" for number in (0, 1, 2, 4, 5)]
GIVES = ["stop", "give 1 5H", "give 1 AH", "give 2 5H"]
GAMES = ["game complex", "game tarneeb", "game ltooshain", "game trix"]
CLAIM = ["play AS", "claim AS"]
CONTRACTS = ["contract S", "contract NT", "contract none"]
DOUBLES = ["double", "double KH", "double QS", "double KH QS"]
VOID = ["void play", "void redeal"]
LEADS = ["play AS", "play 2C"]

BASE: dict[str, Any] = {
    "names": NAMES,
    "hand": ["2C", "3S", "TS", "QS", "5H"],
    "trick": [[0, "2S"]],
    "bid": "5H",
    "caller": 0,
    "estimates": [5, 3, 2, -1],
    "used": [],
}


@pytest.mark.parametrize(
    ("legal", "line", "action"),
    [
        (PLAYS, "1", "play 3S"),
        (PLAYS, "٣", "play QS"),
        (PLAYS, "qs", "play QS"),
        (PLAYS, "Q♠", "play QS"),
        (PLAYS, "10s", "play TS"),
        (PLAYS, "١٠♠", "play TS"),
        (PLAYS, "play TS", "play TS"),
        (PLAYS, "queen of spades", "play QS"),
        (PLAYS, "بنت البستوني", "play QS"),
        (PLAYS, "العب Q♠", "play QS"),
        (PLAYS, "♠Q", "play QS"),
        (BIDS, "pass", "pass"),
        (BIDS, "باص", "pass"),
        (BIDS, "1", "pass"),
        (BIDS, "2", "dash"),
        (BIDS, "داش كول", "dash"),
        (BIDS, "5S", "bid 5S"),
        (BIDS, "5 spades", "bid 5S"),
        (BIDS, "٥ بستوني", "bid 5S"),
        (BIDS, "5 no trump", "bid 5NT"),
        (BIDS, "5nt", "bid 5NT"),
        (BIDS, "٥ بدون طرنيب", "bid 5NT"),
        (BIDS, "bid 6C", "bid 6C"),
        (BIDS, "10s", "bid 10S"),
        (BIDS, "10 spades", "bid 10S"),
        (BIDS, "bid 10S", "bid 10S"),
        (BIDS, "13 NT", "bid 13NT"),
        (ESTIMATES, "0", "estimate 0"),
        (ESTIMATES, "٤", "estimate 4"),
        (ESTIMATES, "estimate 5", "estimate 5"),
        (ESTIMATES, "قدّر 5", "estimate 5"),
        (GIVES, "give 1 5H", "give 1 5H"),
        (GIVES, "5h celine", "give 2 5H"),
        (GIVES, "2 5H", "give 2 5H"),
        (GIVES, "AH", "give 1 AH"),
        (GIVES, "stop", "stop"),
        (GIVES, "5♥ أبو علي", "give 1 5H"),
        (GAMES, "Trix", "game trix"),
        (GAMES, "تركس", "game trix"),
        (GAMES, "كمبلكس", "game complex"),
        (GAMES, "last two", "game ltooshain"),
        (GAMES, "لطشين", "game ltooshain"),
        (GAMES, "طرنيب", "game tarneeb"),
        (["trump S", "trump H"], "S", "trump S"),
        (["trump S", "trump H"], "كبة", "trump H"),
        (["trump S", "trump H"], "trump h", "trump H"),
        (["trump S", "trump H"], "♥", "trump H"),
        (CONTRACTS, "no tricks", "contract none"),
        (CONTRACTS, "بدون أكلات", "contract none"),
        (CONTRACTS, "nt", "contract NT"),
        (CONTRACTS, "spades", "contract S"),
        (DOUBLES, "none", "double"),
        (DOUBLES, "بلا تدبيل", "double"),
        (DOUBLES, "QS KH", "double KH QS"),
        (DOUBLES, "double QS", "double QS"),
        (VOID, "redeal", "void redeal"),
        (VOID, "play", "void play"),
        (["full"], "1", "full"),
        (["no dash", "dash"], "no dash", "no dash"),
        (["no dash", "dash"], "dash", "dash"),
        (["pass"], "تمرير", "pass"),
        (["discard 2C", "discard 5H"], "2c", "discard 2C"),
        (CLAIM, "claim", "claim AS"),
        (CLAIM, "claim AS", "claim AS"),
        (CLAIM, "the rest is mine", "claim AS"),
        (CLAIM, "الباقي لي", "claim AS"),
        (CLAIM, "«الباقي مضمون»", "claim AS"),
        (CLAIM, "2", "claim AS"),
        (CLAIM, "AS", "play AS"),
        (["return 2C", "return 5H"], "return 5h", "return 5H"),
    ],
)
def test_every_usual_way_to_say_a_move(legal: list[str], line: str, action: str) -> None:
    for language in ("en", "ar"):
        set_language(language)
        assert understood(line, legal, BASE) == action


@pytest.mark.parametrize("legal", [PLAYS, BIDS, ESTIMATES, GIVES, GAMES, CONTRACTS, DOUBLES, VOID])
def test_what_the_screen_shows_may_be_typed(legal: list[str]) -> None:
    from engine.actions import parse_action
    from p2p.terminal.words import choice

    for language in ("en", "ar"):
        set_language(language)
        for action in legal:
            assert understood(action, legal, BASE) == action
            assert understood(choice(parse_action(action), NAMES), legal, BASE) == action
        for action, number in choices.numbers(legal).items():
            assert understood(str(number), legal, BASE) == action


@pytest.mark.parametrize(
    ("legal", "line", "code", "values"),
    [
        (PLAYS, "9", "turn-number", {"count": 3}),
        (PLAYS, "0", "turn-number", {"count": 3}),
        (PLAYS, "2C", "follow-suit", {}),
        (PLAYS, "KD", "card-not-held", {}),
        (["play QS"], "3S", "play-higher", {}),
        (["play 5H"], "2C", "must-trump", {}),
        (PLAYS, "what?", "turn-unclear", {"text": "what?"}),
        (PLAYS, "-1", "turn-unclear", {"text": "-1"}),
        (PLAYS, "²", "turn-unclear", {"text": "²"}),
        (PLAYS, "x" * 400, "turn-unclear", {"text": "x" * 40}),
        (BIDS, "6", "bid-what", {"example": "6C"}),
        (BIDS, "4H", "bid-higher", {"bid": "5H"}),
        (BIDS, "3S", "bid-minimum", {"minimum": 4}),
        (ESTIMATES, "3", "total-13", {"estimate": 3}),
        (ESTIMATES, "6", "estimate-above-bid", {"bid": 5}),
        (ESTIMATES, "estimate 3", "total-13", {"estimate": 3}),
        (GIVES, "5H", "give-whom", {"example": "1 5H"}),
        (CONTRACTS, "hearts", "contract-declared", {}),
        (DOUBLES, "3S", "double-not-allowed", {}),
        (["return 5H"], "2C", "return-highest", {}),
    ],
)
def test_one_clear_sentence_for_what_is_no_move(legal: list[str], line: str, code: str, values: dict[str, Any]) -> None:
    view = {**BASE, "trick": [[0, "2D"]]} if code == "must-trump" else BASE
    found = understood(line, legal, view)
    assert isinstance(found, Unclear)
    assert found.sentence == t(code, **values)


def test_in_trix_a_pass_and_a_card_that_does_not_fit_are_explained() -> None:
    view = {**BASE, "contract": "trix", "trick": []}
    assert understood("pass", ["play TS"], view) == Unclear(t("must-pass-only-with-none"))
    assert understood("2C", ["play TS"], view) == Unclear(t("card-does-not-fit"))


def test_a_game_that_was_played_is_explained() -> None:
    view = {**BASE, "used": ["trix"]}
    assert understood("trix", ["game complex"], view) == Unclear(t("contract-used-already"))


def test_a_bare_number_never_bids() -> None:
    """Trap E-13: five is no bid of five of whatever stands fifth in the list."""
    for number in ("3", "4", "5", "6", "13", "99"):
        assert isinstance(understood(number, BIDS, BASE), Unclear)


def test_isolates_and_vowels_do_not_matter() -> None:
    assert simplify("\u2066Q♠\u2069") == "qs"
    assert simplify("قَدِّر ٣") == "estimate 3"


@pytest.mark.parametrize(("trick", "code"), [([], "claim-not-certain"), ([[0, "2S"]], "claim-not-leading")])
def test_why_the_rest_cannot_be_claimed(trick: list[list[object]], code: str) -> None:
    set_language("en")
    assert understood("claim", LEADS, BASE | {"trick": trick}) == Unclear(t(code))
    for legal, view in ((BIDS, BASE), (LEADS, BASE | {"trick": [], "contract": "trix"})):
        assert understood("claim", legal, view) == Unclear(t("claim-not-leading"))
