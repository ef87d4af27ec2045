"""Whole conversations between a peer and a bot, as examples for authors and as test data.

`python -m bots.conversation` writes examples/conversations/GAME.jsonl, docs/seat-schema.json and the conversation
inside docs/bots.md anew. A line of a conversation is ``{"from": "peer" or "player", "message": …}``. Everything comes
from a seed, so the files change only when the protocol, the rules or the steady bot do; a test compares them.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from bots.builtin import make
from bots.practice import seat_view
from bots.sdk import View
from bots.talk import answered, talk
from engine.actions import Action, parse_action
from engine.game import Value
from engine.games import NAMES as GAMES
from engine.games import game as find_game
from engine.referee import Referee, shuffled
from protocol.seat import Act, Answer, FromPeer, FromPlayer, Ready, act_message, schema

CONVERSATION_SEED = "conversation"
NAMES = ("Amal", "Basil", "Celine", "Dawud")
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


def conversation(
    game: str, seat: int = 2, wants: tuple[str, ...] = ("events",), deals: int = 0
) -> list[Said]:
    """What a peer and a bot at `seat` say to each other in a short game from a fixed seed."""
    rules = find_game(game)
    length, options = SHORT[rules.name]
    referee = Referee.start(rules, shuffled(random.Random(f"{CONVERSATION_SEED}/{game}").shuffle), options)
    kind = BOTS.get(rules.name, "random")
    bots = [make(kind, other) for other in range(rules.seats)]

    def others(mover: int) -> Action:
        return parse_action(bots[mover].act(View.of(act_message(0, seat_view(referee, mover, NAMES)))))

    said: list[Said] = [("player", Ready(name=kind, version="1", wants=list(wants)))]
    heard = talk(referee, seat, NAMES, others, wants=wants, deals=deals or length)
    for message, answer in answered(heard, lambda act: bots[seat].act(View.of(act))):
        said.append(("peer", message))
        if isinstance(message, Act) and answer is not None:
            said.append(("player", Answer(id=message.id, action=answer)))
    return said


# ---- as text ------------------------------------------------------------------------------------------------------


def as_lines(said: list[Said]) -> str:
    """A conversation as the text of its file."""
    return "".join(
        '{"from":"' + who + '","message":' + msgspec.json.encode(message).decode() + "}\n"
        for who, message in said
    )


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
    for game in GAMES:
        (folder / f"{game}.jsonl").write_text(as_lines(conversation(game)), encoding="utf-8")
    (root / "docs" / "seat-schema.json").write_text(schema_text(), encoding="utf-8")
    guide = root / "docs" / "bots.md"
    guide.write_text(with_story(guide.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
