"""What a front is told of the lobby."""

from __future__ import annotations

from p2p.asking import Request
from p2p.lobby import AskingNews, SeatNews, lobby_news
from protocol.messages import Lobby, SeatClaim

AMAL, BOT, BASIL = b"a" * 32, b"b" * 32, b"c" * 32


def claim(key: bytes, name: str, bot: str = "", machine: bytes = b"") -> SeatClaim:
    return SeatClaim(key, name, bot, machine or key, b"", bytes(32), bytes(64))


SEATS = (claim(AMAL, "\x1bAmal"), claim(BOT, "Bot 1", "steady", AMAL))
OPTIONS: dict[str, str | int] = {"deals": 3}
RULES: dict[str, str | int] = {"turn_seconds": 60, "hints": "forbid"}


def lobby(game: str = "three_five_eight", present: tuple[bool, ...] = (True, False)) -> Lobby:
    return Lobby(bytes(16), game, OPTIONS, RULES, AMAL, SEATS, 1, False, 0, present, (False, True), True)


def test_a_lobby_is_told_whole() -> None:
    request = Request(4, claim(BASIL, "Ba\u202esil"), True, "10.0.0.7", False)
    news = lobby_news(lobby(), AMAL, ["apple", "pond"], "majlis1:x", [request])
    assert news.seats == (
        SeatNews(AMAL, "Amal", "", "", True, False, True),
        SeatNews(BOT, "Bot 1", "steady", "Amal", False, True, False),
    )
    assert news.asking == (AskingNews(4, BASIL, "Basil", "10.0.0.7", False),)
    assert (news.game, news.free, news.waiting, news.running) == ("three_five_eight", 1, True, False)
    assert news.options == {"deals": 3} and news.rules == {"hints": "forbid"}  # only what differs from the usual
    assert news.words == ("apple", "pond") and news.invite == "majlis1:x" and "majlis1" not in repr(news)


def test_a_host_that_says_little_or_nonsense_is_told_as_far_as_it_goes() -> None:
    news = lobby_news(lobby("poker", ()), BASIL, [], "")
    assert [seat.present for seat in news.seats] == [True, True] and news.options == {"deals": 3}
    assert not any(seat.me for seat in news.seats)
