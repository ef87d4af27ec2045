"""How things stand, as lines: who sits in the waiting room, and what is on at a table whosever turn it is. Pure.

What one must know to choose is `facts`; what one looks up in a rule or a score sheet, `lookups`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from p2p.language import digits, t, tn
from p2p.language.cards import aloud, game_name, left_to_right, listed, whole
from p2p.language.options import options_told
from p2p.lobby import AskingNews, LobbyNews, SeatNews
from p2p.terminal import facts
from p2p.terminal.facts import View
from p2p.terminal.words import player, signed
from protocol import seat as seat_protocol

# ---- before the game ----------------------------------------------------------------------------------------------


def seat_told(seat: SeatNews) -> str:
    """``Basil · bot on the machine of Amal · ready``: somebody who sits here."""
    name = whole(seat.name or t("player-unnamed"))
    bot = t("lobby-bot", owner=whole(seat.machine)) if seat.machine else t("lobby-bot-own") if seat.bot else ""
    parts = (t("seat-own", name=name) if seat.me else name, bot, t(seat_state(seat)))
    return " · ".join(part for part in parts if part)


def seat_state(seat: SeatNews) -> str:
    """The sentence that says whether whoever sits here is ready, not yet, or cut off."""
    if not seat.present:
        return "state-missing"
    return "lobby-ready" if seat.ready else "lobby-thinking"


def asking_told(one: AskingNews) -> str:
    """Somebody who asks for a seat, and how he found the table."""
    sentence = "lobby-asks-invited" if one.invited else "lobby-asks-lan"
    return t(sentence, player=player(0, [one.name]), address=one.address)


def waits_told(lobby: LobbyNews) -> str:
    """What the game waits for, besides this person; empty when that is nothing."""
    if lobby.waiting:
        return t("lobby-waiting")
    unready = sum(not (seat.ready and seat.present) for seat in lobby.seats)
    return t("lobby-waits", free=lobby.free, unready=unready) if lobby.free or unready else ""


def must_say_ready(lobby: LobbyNews) -> bool:
    """Whether the game waits for this person to say that he is ready."""
    return not lobby.waiting and any(seat.me and not seat.ready for seat in lobby.seats)


def lobby_lines(lobby: LobbyNews) -> list[str]:
    """The waiting room: the game and what differs from the usual, who sits and who asks, the words, the invite."""
    options = options_told({**lobby.options, **lobby.rules})
    asking = [f"{one.number}) {asking_told(one)}" for one in lobby.asking]
    waits = t("line-your-ready") if must_say_ready(lobby) else waits_told(lobby)
    return [
        t("lobby-title-game", game=game_name(lobby.game)),
        *(options or [t("lobby-usual")]),
        *map(seat_told, lobby.seats),
        *asking,
        *([waits] if waits else []),
        *([t("lobby-words", words=aloud(lobby.words))] if lobby.words else []),
        *([t("near-invite", invite=lobby.invite)] if lobby.invite else []),
    ]


def readiness_told(before: LobbyNews, now: LobbyNews) -> Iterator[str]:
    """Who says that he is ready, or takes it back."""
    known = {seat.key: seat.ready for seat in before.seats}
    for seat in now.seats:
        if known.get(seat.key, seat.ready) != seat.ready:
            yield t("event-ready" if seat.ready else "event-unready", player=player(0, [seat.name]))


# ---- at the table -------------------------------------------------------------------------------------------------


def table_lines(view: View, presence: seat_protocol.Table | None, verified: int, asked: bool) -> list[str]:
    """A table as anybody may look at it at any time. The own hand is told apart, because it may be hidden; and who is
    `asked` is told with the question what he must know to choose."""
    names = view["names"]
    totals = listed(f"{player(seat, names)} {signed(points)}" for seat, points in enumerate(view["totals"]))
    known = [] if asked else [*facts.standing(view), *facts.table(view)]
    return [
        t("line-deal", deal=view["deal"], deals=view["deals"], player=player(view["dealer"], names)),
        t("event-totals", points=totals),
        *(told for _, told in known),
        *_presence(presence),
        *_turn(view),
        tn("sign-verified", verified),
    ]


def _presence(table: seat_protocol.Table | None) -> Iterator[str]:
    """The shuffle while it lasts, and whoever is gone; for how long the table waits for him."""
    if table is None:
        return
    if table.done < table.total:
        yield t("sign-shuffling", done=table.done, total=table.total)
    left = {one.seat: one.seconds for one in table.waiting}
    for one in table.presence:
        if one.state == "missing" and one.seat in left:
            yield t("prompt-missing", player=whole(one.name), time=clock(left[one.seat]))
        elif one.state != "here":
            yield f"{whole(one.name)}: {t(f'state-{one.state}')}"


def _turn(view: View) -> Iterator[str]:
    asked = [seat for seat in view["asked"] if seat != view["seat"]]
    if asked:
        yield t("prompt-waiting", player=listed(player(seat, view["names"]) for seat in asked))


def clock(seconds: float) -> str:
    """``4:32``."""
    whole_seconds = math.ceil(seconds)
    return left_to_right(digits(f"{whole_seconds // 60}:{whole_seconds % 60:02d}"))
