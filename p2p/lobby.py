"""What a front shows before the game: who sits, who is here and ready, who asks to be let in, what is played.

Plain values without drawing. Host and guest tell them in the same form, whenever something changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine.game import Value
from engine.games import NAMES
from engine.games import game as find_game
from p2p.asking import Request
from p2p.language import clean_text
from p2p.limits import NAME_LENGTH
from protocol.messages import Lobby
from protocol.rules import TABLE_OPTIONS


@dataclass(frozen=True)
class SeatNews:
    """A seat that is taken: the name (cleaned, perhaps empty), the bot that plays it ("" for a person) and the name of
    whose machine runs that bot ("" for its own, or one of nobody at the table), and whether its peer is connected, is
    ready to begin, is this one here."""

    key: bytes
    name: str
    bot: str
    machine: str
    present: bool
    ready: bool
    me: bool


@dataclass(frozen=True)
class AskingNews:
    """Somebody who asks for a seat: the number by which a person may call him, where he asks from, and whether he has
    the invite or only found the table on the network."""

    number: int
    key: bytes
    name: str
    address: str
    invited: bool


@dataclass(frozen=True)
class LobbyNews:
    """All that is known before the game. `asking` is empty for guests; one who asks himself sees `waiting`. `options`
    and `rules` hold only what differs from the defaults. `invite` is the line to send to friends; `words` tell the
    table from a false one."""

    game: str
    options: Mapping[str, Value]
    rules: Mapping[str, Value]
    seats: tuple[SeatNews, ...]
    free: int
    asking: tuple[AskingNews, ...]
    waiting: bool
    running: bool
    words: tuple[str, ...]
    invite: str = field(repr=False)


def lobby_news(
    lobby: Lobby, me: bytes, words: Sequence[str], invite: str, asking: Sequence[Request] = ()
) -> LobbyNews:
    """What a lobby says to whoever has the key `me`."""
    names = {claim.key: clean_text(claim.name, NAME_LENGTH) for claim in lobby.seats}
    seats = tuple(
        SeatNews(
            claim.key,
            names[claim.key],
            clean_text(claim.bot, NAME_LENGTH),
            names.get(claim.machine, "") if claim.machine != claim.key else "",
            _flag(lobby.present, number),
            _flag(lobby.ready, number),
            claim.key == me,
        )
        for number, claim in enumerate(lobby.seats)
    )
    usual = find_game(lobby.game).defaults() if lobby.game in NAMES else {}
    return LobbyNews(
        lobby.game,
        _different(lobby.options, usual),
        _different(lobby.rules, {option.name: option.values[0] for option in TABLE_OPTIONS}),
        seats,
        lobby.missing,
        tuple(
            AskingNews(one.number, one.claim.key, clean_text(one.claim.name, NAME_LENGTH), one.address, one.invited)
            for one in asking
        ),
        lobby.asking,
        lobby.running,
        tuple(words),
        invite,
    )


def _flag(flags: Sequence[bool], number: int) -> bool:
    """A host that is older, or careless, says less than there are seats: nothing bad is known of those."""
    return flags[number] if number < len(flags) else True


def _different(given: Mapping[str, Value], usual: Mapping[str, Value]) -> dict[str, Value]:
    return {name: value for name, value in given.items() if usual.get(name) != value}
