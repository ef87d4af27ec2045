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
from bots.practice import SeatNews, greeting, seat_view
from bots.sdk import Bot, View
from engine.actions import Action, parse_action
from engine.game import Ask, Finished, Sealed, Value
from engine.games import game as find_game
from engine.referee import Referee, shuffled
from protocol.seat import (
    Answer,
    End,
    FromPeer,
    FromPlayer,
    Ready,
    act_message,
    schema,
)

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


class _Tape:
    """One seat's side of a table."""

    def __init__(self, referee: Referee, seat: int, wants: list[str]) -> None:
        self.said: list[Said] = []
        self.news = SeatNews(referee, seat, NAMES, self.say) if "events" in wants else None

    def say(self, message: FromPeer | FromPlayer, who: str = "peer") -> None:
        """Note a message."""
        self.said.append((who, message))


def conversation(
    game: str, seat: int = 2, wants: tuple[str, ...] = ("events",), deals: int = 0
) -> list[Said]:
    """What a peer and a bot at `seat` say to each other in a short game from a fixed seed."""
    rules = find_game(game)
    length, options = SHORT[rules.name]
    referee = Referee.start(rules, shuffled(random.Random(f"{CONVERSATION_SEED}/{game}").shuffle), options)
    tape = _Tape(referee, seat, list(wants))
    kind = BOTS.get(rules.name, "random")
    bots = [make(kind, other) for other in range(rules.seats)]
    tape.say(Ready(name=kind, version="1", wants=list(wants)), "player")
    tape.say(greeting(rules, dict(referee.state.options), seat, NAMES[: rules.seats], seed=1))
    until = deals or length
    question = 0
    while not isinstance(step := referee.advance_until_scored(until), Finished) and isinstance(
        step, Ask | Sealed
    ):
        chosen: dict[int, Action] = {}
        for mover in (step.seat,) if isinstance(step, Ask) else step.seats:
            question += mover == seat
            chosen[mover] = _answer(referee, bots[mover], mover, tape if mover == seat else None, question)
        if isinstance(step, Sealed):
            referee.act_at_once(chosen)
        else:
            referee.act(step.seat, chosen[step.seat])
    totals = referee.state.totals
    best = [other for other, total in enumerate(totals) if total == max(totals)]
    tape.say(End(totals=list(totals), winners=list(referee.state.winners) or best))
    return tape.said


def _answer(referee: Referee, bot: Bot, seat: int, tape: _Tape | None, question: int) -> Action:
    view = seat_view(referee, seat, NAMES[: len(referee.hands)])
    asked = act_message(question, view, 5.0)
    action = bot.act(View.of(asked))
    if tape is not None:
        if tape.news is not None:
            tape.news.look()
        tape.say(asked)
        tape.say(Answer(id=question, action=action), "player")
    return parse_action(action)


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
    from bots.check import playable_games

    folder = root / "examples" / "conversations"
    folder.mkdir(parents=True, exist_ok=True)
    for game in playable_games():
        (folder / f"{game}.jsonl").write_text(as_lines(conversation(game)), encoding="utf-8")
    (root / "docs" / "seat-schema.json").write_text(schema_text(), encoding="utf-8")
    guide = root / "docs" / "bots.md"
    guide.write_text(with_story(guide.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
