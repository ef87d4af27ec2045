"""Whole conversations between a peer and a bot, as examples for authors and as test data.

`python -m bots.conversation` writes examples/conversations/, docs/seat-schema.json and the conversation inside
docs/bots.md anew. A line of a conversation is ``{"from": "peer" or "player", "message": …}``; beside it lies what each
side sent as MessagePack frames. Everything comes from a seed, so the files change only when the protocol, the rules or
the steady bot do; a test compares them.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from bots.builtin import make
from bots.check.questions import Kind, kind_of, sittings
from bots.practice import choice
from bots.sdk import View
from bots.talk import answered, talk
from engine.actions import Action
from engine.game import Value
from engine.games import NAMES as GAMES
from engine.games import game as find_game
from engine.referee import Referee, shuffled
from protocol.seat import (
    CAPABILITIES,
    Act,
    Answer,
    Away,
    Bye,
    Cancel,
    Clocks,
    Encoding,
    End,
    Error,
    FromPeer,
    FromPlayer,
    Heard,
    Hello,
    Ping,
    Pong,
    Presence,
    Ready,
    Table,
    Vote,
    Waiting,
    peer_codec,
    schema,
)
from protocol.seat import Ask as AskVote
from protocol.seat import Say as Chat

CONVERSATION_SEED = "conversation"
NAMES = ("Amal", "Basil", "Celine", "Dawud")
SEAT = 2
"""Where the bot sits whose conversation it is."""

SHORT: Mapping[str, tuple[int, Mapping[str, Value]]] = {
    "kasra": (4, {"kingdoms": 1}),
    "estimation": (1, {"normal_deals": 1, "speed_deals": 0}),
    "istimar": (1, {}),
    "three_five_eight": (2, {"deals": 3}),
}
"""Deals recorded of each game (a kingdom of Kasra, so that every contract occurs), and the options that differ."""

BOTS = {"kasra": "steady"}
"""Who plays; elsewhere the random bot, so that better rules of thumb do not change the files."""

Said = tuple[str, FromPeer | FromPlayer]


def conversation(game: str, wants: tuple[str, ...] = ("events",), deals: int = 0) -> list[Said]:
    """What a peer and the bot at SEAT say to each other in a short game from a fixed seed."""
    rules = find_game(game)
    length, options = SHORT[rules.name]
    referee = Referee.start(rules, shuffled(random.Random(f"{CONVERSATION_SEED}/{game}").shuffle), options)
    kind = BOTS.get(rules.name, "random")
    bots = [make(kind, other) for other in range(rules.seats)]

    def others(mover: int) -> Action:
        return choice(referee, bots[mover], mover, NAMES)

    said: list[Said] = [("player", Ready(name=kind, version="1", wants=list(wants)))]
    heard = talk(referee, SEAT, NAMES, others, wants=wants, deals=deals or length)
    for message, answer in answered(heard, lambda act: bots[SEAT].act(View.of(act))):
        said.append(("peer", message))
        if isinstance(message, Act) and answer is not None:
            said.append(("player", Answer(id=message.id, action=answer)))
    return said


def phases() -> list[Said]:
    """One question of every phase, contract and kind of action of every game; a conversation for each seat asked."""
    said: list[Said] = []
    for game in GAMES:
        seen = set[Kind]()
        for sitting in sittings(game, Clocks()):
            acts = []
            for act in sitting.acts:
                if kind_of(act) not in seen:
                    seen.add(kind_of(act))
                    acts.append(act)
            if acts:
                said += [("player", Ready(name="first", version="1")), ("peer", sitting.hello)]
                for act in acts:
                    said += [("peer", act), ("player", Answer(id=act.id, action=act.legal[0]))]
                seats = len(sitting.hello.names)
                said.append(("peer", End(totals=[0] * seats, winners=list(range(seats)))))
    return said


def manners() -> list[Said]:
    """Everything that a table may say besides a game, and everything that a program may: over TCP, with errors."""
    first, second, third = (
        Act(id=number, legal=["pass", "bid 4S"], seconds=5.0, view={"game": "estimation", "phase": "bid"})
        for number in (1, 2, 3)
    )
    presence = [
        Presence(seat=seat, name=name, state=state, bot_of=bot_of)
        for seat, (name, state, bot_of) in enumerate(
            (("Amal", "here", -1), ("أبو علي", "missing", -1), ("Celine", "stand-in", -1), ("Bot 1", "here", 0))
        )
    ]
    bids = {"tried": [{"action": "bid 4S", "value": 1.5}, {"action": "pass", "value": -0.25}], "worlds": 100}
    hello = Hello(
        game="estimation", options={}, seat=3, names=[one.name for one in presence], clocks=Clocks(bank=20.0),
        seed=2**32 - 1, capabilities=list(CAPABILITIES),
    )  # fmt: skip
    return [
        ("player", Ready(token="0123456789abcdef", name="all", version="1", author="Amal", wants=["events", "table"])),
        ("peer", hello),
        ("peer", Table(presence=presence, waiting=[Waiting(seat=1, seconds=12.5)], done=2, total=4)),
        ("peer", Heard(seat=0, name="Amal", text="مساء الخير")),
        ("player", Chat(text="مساء النور")),
        ("peer", AskVote(id=1, kind="take-over", seat=1)),
        ("player", Vote(id=1, yes=True)),
        ("peer", first),
        ("player", Answer(id=1, action="bid 9S")),
        ("peer", Error(kind="illegal", sentence="bid 9S is not legal here.", id=1, legal=first.legal)),
        ("player", Answer(id=1, action="bid 4S", info=bids)),
        ("peer", second),
        ("peer", Error(kind="timeout", sentence="The time is up.", id=2, legal=second.legal)),
        ("player", Answer(id=2, action="pass")),
        ("peer", Ping()),
        ("player", Pong()),
        ("peer", third),
        ("peer", Cancel(id=3)),
        ("player", Away()),
        ("player", Away(away=False)),
        ("player", Bye()),
        ("peer", End(totals=[0, 0, 0, 0], winners=[0, 1, 2, 3])),
    ]


def recorded() -> dict[str, list[Said]]:
    """All conversations that are kept, by the name of their files."""
    return {**{game: conversation(game) for game in GAMES}, "phases": phases(), "manners": manners()}


# ---- as text and bytes --------------------------------------------------------------------------------------------


def as_lines(said: list[Said]) -> str:
    """A conversation as the text of its file."""
    return "".join(
        '{"from":"' + who + '","message":' + msgspec.json.encode(message).decode() + "}\n"
        for who, message in said
    )


def as_frames(said: list[Said], who: str) -> bytes:
    """What one side sent, in the other encoding: MessagePack frames as they stand on the wire."""
    codec = peer_codec(Encoding.FRAMES)
    return b"".join(codec.encode(message) for sender, message in said if sender == who)


def as_story(said: list[Said]) -> Iterator[str]:
    """A conversation for reading: ``<`` from the peer, ``>`` from the player, views left out after the first."""
    shown = False
    for who, message in said:
        fields = msgspec.to_builtins(message)
        if "view" in fields and shown:
            fields["view"] = "…"
        shown = shown or "view" in fields
        yield ("> " if who == "player" else "< ") + json.dumps(fields, ensure_ascii=False).replace(
            '"…"', "{…}"
        )


STORY_BEGINS, STORY_ENDS = "<!-- conversation: written by `python -m bots.conversation` -->", "<!-- end -->"


def with_story(text: str) -> str:
    """docs/bots.md with the conversation of one deal of Kasra in its place."""
    before, rest = text.split(STORY_BEGINS)
    after = rest.split(STORY_ENDS)[1]
    story = "\n".join(as_story(conversation("kasra", wants=(), deals=1)))
    return f"{before}{STORY_BEGINS}\n```\n{story}\n```\n{STORY_ENDS}{after}"


def schema_text() -> str:
    """The text of docs/seat-schema.json."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


def main(root: Path) -> None:
    """Write the files of a checkout anew."""
    folder = root / "examples" / "conversations"
    folder.mkdir(parents=True, exist_ok=True)
    for name, said in recorded().items():
        (folder / f"{name}.jsonl").write_text(as_lines(said), encoding="utf-8")
        for who in ("peer", "player"):
            (folder / f"{name}.{who}.frames").write_bytes(as_frames(said, who))
    (root / "docs" / "seat-schema.json").write_text(schema_text(), encoding="utf-8")
    guide = root / "docs" / "bots.md"
    guide.write_text(with_story(guide.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
