#!/usr/bin/env python3
"""A bot for all four games in Python, with nothing but the standard library:

    majlis join INVITE --bot 'python3 examples/bot.py'

or over loopback TCP, started by hand with the port and the token that `majlis join INVITE --seat-port 7071` prints:

    python3 examples/bot.py 7071 TOKEN

It reads one JSON message a line and answers `act` with one of its `legal` actions. Every `act` carries the whole view,
so nothing is remembered between two of them. Among cards it plays the highest that no other seat can beat any more,
else its lowest; everything else is drawn by lot.
"""

from __future__ import annotations

import json
import random
import socket
import sys
from typing import IO, Any

RANKS = "23456789TJQKA"


def decide(view: dict[str, Any], legal: list[str], chance: random.Random) -> str:
    """One of `legal`."""
    cards = [action[5:] for action in legal if action.startswith("play ")]
    if not cards:
        return chance.choice(legal)
    others = {card for seat, held in enumerate(view["can_hold"]) if seat != view["seat"] for card in held}
    sure = [card for card in cards if not any(beats(other, card) for other in others)]
    wanted = max(sure, key=rank) if sure and winning_is_good(view) else min(cards, key=rank)
    return f"play {wanted}"


def rank(card: str) -> int:
    """From 0, the two, to 12, the ace."""
    return RANKS.index(card[0])


def beats(other: str, card: str) -> bool:
    """Whether the first would win against the second in its own suit (trumps are not looked at)."""
    return other[1] == card[1] and rank(other) > rank(card)


def winning_is_good(view: dict[str, Any]) -> bool:
    """Tricks are bad in Complex and in the last two of Ltooshain, and where the contract of 3-5-8 is none."""
    return view.get("contract") not in ("complex", "ltooshain", "none")


def play(source: IO[str], sink: IO[str], token: str = "") -> None:
    """The whole conversation."""

    def send(**message: object) -> None:
        sink.write(json.dumps(message) + "\n")
        sink.flush()

    chance, asked = random.Random(0), {}
    send(type="ready", token=token, name="bot.py", version="1", author="Majlis examples", versions=[1, 1])
    for line in source:
        message = json.loads(line)
        match message["type"]:
            case "hello":
                chance.seed(message["seed"])  # the same seed, the same moves
            case "act":
                asked = message
                send(type="act", id=asked["id"], action=decide(asked["view"], asked["legal"], chance))
            case "error":
                print("refused:", message["sentence"], file=sys.stderr)
                if message.get("legal"):  # the question is still open: take any of the list
                    send(type="act", id=message["id"], action=message["legal"][0])
            case "ask":  # a vote about a pause or a stand-in: agree
                send(type="vote", id=message["id"], yes=True)
            case "ping":
                send(type="pong")
            case "end":
                return
            case _:
                pass  # messages of later versions are no reason to stop


if __name__ == "__main__":
    if len(sys.argv) == 3:
        with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as peer:
            play(peer.makefile("r", encoding="utf-8"), peer.makefile("w", encoding="utf-8"), sys.argv[2])
    else:
        sys.stdin.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
        play(sys.stdin, sys.stdout)
