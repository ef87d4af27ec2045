"""The seat protocol: what a peer and whoever plays its seat say to each other. Sans-IO.

A player is a person's screen, a built-in bot or any program. All speak these messages, in one of two encodings
that carry the same fields: MessagePack frames as between peers, or JSON, one object a line. The program speaks
first, and its first byte tells which: ``{`` is JSON, ``0x00`` the length of a frame::

    program                       peer
    ready                    ->
                             <-   hello                 once, then for every decision:
                             <-   act id legal view
    act id action            ->
                             <-   error id legal        once, if that was not legal or came late; the id stays open
    act id action            ->
                             <-   end

`act` is self-sufficient: its view holds everything that the seat may know (see `build_view`), so a bot need
remember nothing, and recovery is sending it again. Fields that a reader does not know are ignored on both sides.
Actions and cards are in the notation of `engine.actions`. The JSON Schema of every message (docs/seat-schema.json)
is made from the classes below by `schema`.

Everything that reads a program's bytes raises `Malformed` and nothing else. That a bot runs on our own machine does not
make it a friend: it is as likely as any stranger to send garbage.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import Annotated, Any, Final, Generic, TypeAlias, TypeVar, cast

import msgspec
from msgspec import Meta, Struct

from engine.actions import HIDDEN, parse_action
from engine.cards import NO_CARDS, Card, CardSet, card_name, name_list
from engine.game import State, asked, legal
from protocol.errors import Malformed, Misuse
from protocol.wire import FrameReader, convert_untrusted, encode_frame, unpack_untrusted

PROTOCOL: Final = "majlis-seat/1"
VERSIONS: Final = (1, 1)
"""The oldest and the newest version of the seat protocol that this program speaks."""

CAPABILITIES: Final = ("chat", "notes", "votes")
"""What a table of peers offers to a player besides the game: what it says is heard, its `info` is kept, and it is asked
whether a stand-in shall play for somebody. Where bots are only measured or checked there is none of it."""

LINE_LIMIT = 64 * 1024
"""Longest message in either encoding. The longest honest one, an `act` late in a deal, is below 10 kB; what a bot notes
in `info` may be as long as the rest allows."""

DEPTH_LIMIT = 16
"""Deepest nesting, as between peers: nobody needs half of it, and no decoder's stack is at risk."""

TEXT_LIMIT = 500
"""Longest chat line in characters: some lines on a screen."""

NAME_LIMIT = 64
"""Longest name, version, author or token in characters."""

ACTION_LIMIT = 64
"""Longest action in characters; the longest honest one, a claim with a hand of sixteen cards, has 53."""

Text = Annotated[str, Meta(max_length=TEXT_LIMIT)]
Name = Annotated[str, Meta(max_length=NAME_LIMIT)]
ActionText = Annotated[str, Meta(max_length=ACTION_LIMIT)]
Seat = Annotated[int, Meta(ge=0, le=7)]
AnySeat = Annotated[int, Meta(ge=-1, le=7, description="a seat, or -1 for nobody at the table")]
Number = Annotated[int, Meta(ge=0, le=2**53 - 1, description="exact in every language's floating point")]
Seconds = Annotated[float, Meta(ge=0, description="seconds")]
Hand = Annotated[list[str], Meta(description="card names, clubs to spades, each suit from the two up")]


class Message(Struct, frozen=True, kw_only=True, tag_field="type"):
    """What every message has in common: `type` says which it is; fields nobody knows are ignored."""


class PlayerMessage(Message, frozen=True, kw_only=True, omit_defaults=True):
    """A peer writes every field; a player leaves away what it has nothing to say about."""


# ---- from the peer ------------------------------------------------------------------------------------------------


class Clocks(Struct, frozen=True, kw_only=True):
    """How long the player has, in seconds: to start up, for each move, and once a game beyond the moves (`bank`)."""

    startup: Seconds = 10.0
    move: Seconds = 5.0
    bank: Seconds = 0.0


class Hello(Message, frozen=True, kw_only=True, tag="hello"):
    """The peer's answer to `ready`: which game, which seat, who sits where.

    `seed` is for this seat's own randomness and for nothing that the deal depends on; the same seed at the same table
    lets a bot play the same again. `capabilities` are words for what there is besides the game (see `CAPABILITIES`).
    """

    protocol: str = PROTOCOL
    versions: tuple[int, int] = VERSIONS
    game: str
    options: dict[str, str | int]
    seat: Seat
    names: list[str]
    clocks: Clocks
    seed: Number
    capabilities: list[str] = []


class Presence(Struct, frozen=True, kw_only=True):
    """One seat at the table: `state` is ``here``, ``missing`` (its connection is gone) or ``stand-in`` (played for);
    `bot_of` is the seat on whose machine the bot of this seat runs, -1 when a person plays."""

    seat: Seat
    name: str
    state: str
    bot_of: AnySeat = -1


class Waiting(Struct, frozen=True, kw_only=True):
    """Somebody the table waits for, and for how many seconds more."""

    seat: Seat
    seconds: Seconds


class Table(Message, frozen=True, kw_only=True, tag="table"):
    """Who is there, who is waited for, and how far the shuffle has come (`done` of `total` seats). If asked for."""

    presence: list[Presence]
    waiting: list[Waiting] = []
    done: int = 0
    total: int = 0


class Heard(Message, frozen=True, kw_only=True, tag="chat"):
    """Somebody at the table said something. `seat` is -1 for a guest without a seat."""

    seat: AnySeat
    name: str
    text: str


class Ask(Message, frozen=True, kw_only=True, tag="ask"):
    """A vote: `kind` is ``take-over`` (shall a stand-in play for `seat`?). Not answering is voting no."""

    id: Number
    kind: str
    seat: AnySeat = -1


class Cancel(Message, frozen=True, kw_only=True, tag="cancel"):
    """The question with this id needs no answer any more."""

    id: Number


class Act(Message, frozen=True, kw_only=True, tag="act"):
    """It is your turn. `legal` is the complete list, never empty; `view` is everything that you may know."""

    id: Number
    legal: Annotated[list[str], Meta(min_length=1)]
    seconds: Annotated[float | None, Meta(description="time left; null: no limit but the table's patience")] = None
    view: dict[str, Any]


class Deal(Message, frozen=True, kw_only=True, tag="deal"):
    """A deal begins. `roles` says by name which seat has which role (owner, declarer…). If asked for."""

    number: int
    dealer: AnySeat
    roles: dict[str, int]
    hand: Hand
    totals: list[int]


class Event(Message, frozen=True, kw_only=True, tag="event"):
    """A seat acted. A card that you may not know is ``??``. If asked for."""

    deal: int
    seat: Seat
    action: str


class HandChanged(Message, frozen=True, kw_only=True, tag="hand"):
    """Your own cards after a change that was not chosen card by card (kitty, exchange); `new` are those that came.
    If asked for."""

    hand: Hand
    new: Hand = []


class Score(Message, frozen=True, kw_only=True, tag="score"):
    """The points of a deal by seat, as a list of (rule, points) for each, and the totals after it. If asked for."""

    deal: int
    points: list[int]
    breakdown: list[list[tuple[str, int]]]
    totals: list[int]
    multiplier: int = 1


class End(Message, frozen=True, kw_only=True, tag="end"):
    """The game is over; several winners share the win."""

    totals: list[int]
    winners: list[int]


class Error(Message, frozen=True, kw_only=True, tag="error"):
    """An answer was refused: `kind` is ``illegal``, ``timeout``, ``protocol``, ``version`` or ``token``.

    After the first three the question with this id stays open: answer it once more, from the list. The next fault, and
    the peer plays a sensible move itself.
    """

    kind: str
    sentence: str
    id: Number | None = None
    legal: list[str] = []


class Ping(Message, frozen=True, kw_only=True, tag="ping"):
    """Are you there? Answer `pong`."""


# ---- from the player ----------------------------------------------------------------------------------------------


class Ready(PlayerMessage, frozen=True, kw_only=True, tag="ready"):
    """The first message. `token` only over TCP; `wants` names what else to send: ``events``, ``table``, or nothing."""

    token: Name = ""
    name: Name = ""
    version: Name = ""
    author: Name = ""
    versions: tuple[int, int] = VERSIONS
    wants: Annotated[list[Name], Meta(max_length=16)] = []


class Answer(PlayerMessage, frozen=True, kw_only=True, tag="act"):
    """The chosen action of the question with this id. `info` (candidates and values) is kept for its author."""

    id: Number
    action: ActionText
    info: dict[str, Any] | None = None


class Vote(PlayerMessage, frozen=True, kw_only=True, tag="vote"):
    """The answer to `ask`."""

    id: Number
    yes: bool


class Say(PlayerMessage, frozen=True, kw_only=True, tag="chat"):
    """Say something to the table."""

    text: Text


class Away(PlayerMessage, frozen=True, kw_only=True, tag="away"):
    """Gone to dinner (the peer plays sensible moves), or back again."""

    away: bool = True


class Pong(PlayerMessage, frozen=True, kw_only=True, tag="pong"):
    """The answer to `ping`."""


class Bye(PlayerMessage, frozen=True, kw_only=True, tag="bye"):
    """The player leaves; the peer plays on by itself."""


FromPeer = Hello | Table | Heard | Ask | Cancel | Act | Deal | Event | HandChanged | Score | End | Error | Ping
FromPlayer = Ready | Answer | Vote | Say | Away | Pong | Bye

PEER_MESSAGES: Final[tuple[type[Message], ...]] = (
    Hello, Table, Heard, Ask, Cancel, Act, Deal, Event, HandChanged, Score, End, Error, Ping,
)  # fmt: skip
PLAYER_MESSAGES: Final[tuple[type[Message], ...]] = (Ready, Answer, Vote, Say, Away, Pong, Bye)


def wanted(message: FromPeer, wants: Sequence[str]) -> bool:
    """Whether a player with these `wants` is sent this message: hello, act, error and the like always are."""
    match message:
        case Deal() | Event() | HandChanged() | Score():
            return "events" in wants
        case Table() | Heard():
            return "table" in wants
        case _:
            return True


def agree_untrusted(versions: tuple[int, int]) -> int:
    """The newest version that both sides speak. Raises Malformed('seat-version')."""
    oldest, newest = max(versions[0], VERSIONS[0]), min(versions[1], VERSIONS[1])
    if oldest > newest:
        raise Malformed("seat-version", {"theirs": versions[1], "ours": VERSIONS[1]})
    return newest


# ---- encodings ----------------------------------------------------------------------------------------------------


class Encoding(Enum):
    """How messages become bytes."""

    JSON = "json"
    FRAMES = "frames"


M = TypeVar("M")
LATEST_LIMIT = 1024
"""Bytes kept of what is no message, to be looked at."""

_JSON_FIRST, _FRAMES_FIRST = ord("{"), 0
_NESTING = re.compile(rb'"(?:[^"\\]|\\.)*+"?|[\[{]|[\]}]')


class Codec(Generic[M]):
    """One end of the conversation: bytes that arrived become messages, messages become bytes.

    Make one with `peer_codec` or `player_codec`. Feed it what arrived, then take messages with `next_untrusted` until
    it gives None. After a `Malformed` the next call goes on behind the bad message, unless `broken` is set: then
    there is no way to tell where the next message begins.
    """

    def __init__(self, receives: Sequence[type[Message]], encoding: Encoding | None) -> None:
        self.encoding = encoding
        self.broken = False
        self.latest = b""
        """The newest message as it came, or the beginning of what cannot become one: for whoever looks for a fault."""
        self._schema: Any = _union(receives)
        self._tags = frozenset(_tag(kind) for kind in receives)
        self._frames = FrameReader(LINE_LIMIT)
        self._lines = bytearray()
        self._searched = 0  # how much of _lines is known to hold no line's end

    def feed(self, data: bytes) -> None:
        """Take bytes as they came. Nothing is judged before `next_untrusted`."""
        if self.encoding is Encoding.FRAMES:
            self._frames.feed(data)
        else:
            self._lines += data

    def next_untrusted(self) -> M | None:
        """The next whole message, or None when more bytes are needed.

        Raises Malformed: ``seat-encoding`` (the first byte), ``frame-too-long``, ``frame-garbage``, ``too-deep``,
        ``message-unknown``, ``message-misfit``.
        """
        if self.broken:
            return None
        found = self._next_map_untrusted()
        if found is None:
            return None
        kind = found.get("type")
        if not isinstance(kind, str) or kind not in self._tags:
            raise Malformed("message-unknown", {"kind": str(kind)[:NAME_LIMIT]})
        message: M = convert_untrusted(found, self._schema)
        return message

    def encode(self, message: FromPeer | FromPlayer) -> bytes:
        """A message as bytes, in the encoding that the program chose."""
        match self.encoding:
            case Encoding.JSON:
                return msgspec.json.encode(message) + b"\n"
            case Encoding.FRAMES:
                return encode_frame(message, LINE_LIMIT)
            case None:
                raise Misuse("the program speaks first: its encoding is not known yet")

    def _next_map_untrusted(self) -> dict[str, object] | None:
        if self.encoding is None and not self._detect_untrusted():
            return None
        if self.encoding is Encoding.JSON:
            line = self._next_line_untrusted()
            self.latest = self.latest if line is None else line
            return None if line is None else _json_map_untrusted(line)
        try:
            body = next(self._frames, None)
        except Malformed:
            self.broken = True
            raise
        self.latest = self.latest if body is None else body
        return None if body is None else unpack_untrusted(body, floats=True)

    def _detect_untrusted(self) -> bool:
        if not self._lines:
            return False
        first = self._lines[0]
        if first == _JSON_FIRST:
            self.encoding = Encoding.JSON
        elif first == _FRAMES_FIRST:
            self.encoding = Encoding.FRAMES
            self._frames.feed(self._lines)
            self._lines.clear()
        else:
            self.broken = True
            self.latest = bytes(self._lines[:LATEST_LIMIT])
            raise Malformed("seat-encoding", {"byte": first})
        return True

    def _next_line_untrusted(self) -> bytes | None:
        while True:
            end = self._lines.find(b"\n", self._searched)
            if (end if end >= 0 else len(self._lines)) > LINE_LIMIT:
                self.broken = True
                self.latest = bytes(self._lines[:LATEST_LIMIT])
                raise Malformed("frame-too-long", {"length": len(self._lines), "limit": LINE_LIMIT})
            if end < 0:
                self._searched = len(self._lines)
                return None
            line = bytes(self._lines[:end])
            del self._lines[: end + 1]
            self._searched = 0
            if line.strip():
                return line


def peer_codec(encoding: Encoding | None = None) -> Codec[FromPlayer]:
    """The peer's end: unless the encoding is known, it learns that from the program's first byte."""
    return Codec[FromPlayer](PLAYER_MESSAGES, encoding)


def player_codec(encoding: Encoding = Encoding.JSON) -> Codec[FromPeer]:
    """The program's end, with the encoding it wants to speak."""
    return Codec[FromPeer](PEER_MESSAGES, encoding)


def _json_map_untrusted(line: bytes) -> dict[str, object]:
    if line.count(b"[") + line.count(b"{") > DEPTH_LIMIT and _depth(line) > DEPTH_LIMIT:
        raise Malformed("too-deep", {"limit": DEPTH_LIMIT})
    try:
        found = msgspec.json.decode(line)
    except (ValueError, RecursionError, OverflowError):  # msgspec's errors and those of UTF-8 are ValueErrors
        raise Malformed("frame-garbage", {"length": len(line)}) from None
    if type(found) is not dict:
        raise Malformed("frame-garbage", {"length": len(line)})
    return found


def _depth(line: bytes) -> int:
    """How deep a line of JSON nests; brackets inside strings do not count."""
    depth = deepest = 0
    for token in _NESTING.finditer(line):
        first = token.group()[:1]
        if first in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif first in b"]}":
            depth -= 1
    return deepest


def _tag(kind: type[Message]) -> str:
    return str(kind.__struct_config__.tag)


def _union(kinds: Sequence[type[Message]]) -> Any:
    union: Any = kinds[0]
    for kind in kinds[1:]:
        union = union | kind
    return union


def schema() -> dict[str, Any]:
    """The JSON Schema of every message: `$defs` holds each, `fromPeer` and `fromPlayer` say who sends which."""
    _, components = msgspec.json.schema_components(
        (*PEER_MESSAGES, *PLAYER_MESSAGES), ref_template="#/$defs/{name}"
    )
    sides = {
        side: {"anyOf": [{"$ref": f"#/$defs/{kind.__name__}"} for kind in kinds]}
        for side, kinds in (("fromPeer", PEER_MESSAGES), ("fromPlayer", PLAYER_MESSAGES))
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": PROTOCOL,
        "description": "Messages between a Majlis peer and whoever plays its seat. Unknown fields are ignored.",
        "anyOf": [{"$ref": f"#/$defs/{side}"} for side in sides],
        "$defs": {**dict(sorted(components.items())), **sides},
    }


# ---- views --------------------------------------------------------------------------------------------------------

History: TypeAlias = Sequence[Sequence[Any]]
"""What was done in a deal, as [seat, action] pairs."""


def build_view(
    state: State,
    seat: int,
    hand: CardSet,
    can_hold: Sequence[CardSet],
    names: Sequence[str] = (),
    received: Card | None = None,
    new: CardSet = NO_CARDS,
    face_down: Sequence[CardSet] = (),
) -> dict[str, object]:
    """Everything that `seat` may know, as one map of plain JSON values: the public view of the game, and besides

    game, options, deal, dealer, phase, totals, counts (cards in each hand), seat, names
    asked      the seats that must act now (several when all choose at once)
    hand       the seat's own cards, by name, clubs to spades and each suit from the two up
    new        those of them that came last, by exchange or from the kitty, until the seat acts (putting cards aside
               does not count)
    received   the card among them that was just handed over, or null
    can_hold   for each seat the cards that it can still hold, from what was played and proved, and what this seat put
               aside; the seat's own entry is its hand
    history    what the game tells, and in it the cards that this seat moved face down itself or was handed
    legal      the seat's legal actions; empty when it is not asked

    `can_hold[i]` is the public knowledge of seat i (`Knowledge.can_hold`); the seat's own cards, and those that it put
    aside, are taken out of the others' here. `received` is the last card handed to this seat in an exchange; it is told
    while it is `new`. `face_down` are the cards of the deal's face-down actions in order, `NO_CARDS` for each that this
    seat does not know.
    """
    acting = asked(state.step)
    public = state.view()
    history = [*_uncovered(cast("History", public["history"]), face_down)]
    own = hand | cards_aside(history, seat)
    others = [hand if other == seat else cards & ~own for other, cards in enumerate(can_hold)]
    actions = legal(state, seat, hand, received) if seat in acting else []
    return {
        **public,
        "history": history,
        "game": state.game.name,
        "options": dict(state.options),
        "deal": state.deal,
        "dealer": state.dealer,
        "phase": state.phase,
        "asked": list(acting),
        "counts": list(state.counts),
        "totals": list(state.totals),
        "seat": seat,
        "names": list(names),
        "hand": name_list(hand),
        "new": name_list(new & hand),
        "received": card_name(received) if received is not None and (new & hand) >> received & 1 else None,
        "can_hold": [name_list(cards) for cards in others],
        "legal": [str(action) for action in actions],
    }


def _uncovered(history: History, face_down: Sequence[CardSet]) -> Iterator[list[Any]]:
    """A game's history with the cards of its face-down actions where they are known."""
    cards = iter(face_down)
    for seat, text in history:
        action = parse_action(text) if text.endswith(HIDDEN) else None
        known = NO_CARDS if action is None else next(cards, NO_CARDS)
        yield [seat, str(replace(action, cards=known, hidden=False)) if action and known else text]


def cards_aside(history: History, seat: int) -> CardSet:
    """The cards that `seat` put aside, as far as a view's history names them."""
    found = NO_CARDS
    for who, text in history:
        if who == seat and text.startswith("discard "):
            found |= parse_action(text).cards
    return found


ROLES = ("owner", "declarer", "caller")
"""What a deal's leading player is called: in Kasra, in the games of three, in Estimation."""


def roles_of(view: Mapping[str, object]) -> dict[str, int]:
    """The roles that are known when a deal begins, as role -> seat."""
    seats = {role: view.get(role) for role in ROLES}
    return {role: seat for role, seat in seats.items() if isinstance(seat, int) and seat >= 0}


def act_message(number: int, view: Mapping[str, object], seconds: float | None = None) -> Act:
    """The question that goes with a view in which the seat is asked to act."""
    actions = view["legal"]
    if not isinstance(actions, list) or not actions:
        raise Misuse("a player is asked although nothing is legal")
    return Act(id=number, legal=list(actions), seconds=seconds, view=dict(view))


def messages_in(codec: Codec[M]) -> Iterator[M]:
    """The whole messages that a codec holds now."""
    while (message := codec.next_untrusted()) is not None:
        yield message
