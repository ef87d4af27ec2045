"""The list of legal moves as a person reads it: numbered, the verb told once, bids and estimates in short."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from engine.actions import Action, parse_action
from engine.cards import NO_CARDS, card_name
from p2p.language import t
from p2p.language.cards import card_short, left_to_right
from p2p.terminal.words import bid, choice, player

GROUPED = ("play", "discard", "give", "return")
"""Verbs of which only the cards are listed."""


def numbers(legal: Sequence[str]) -> dict[str, int]:
    """The number to type for each move: its place in the list, but for an estimate the estimate itself. A bid has no
    number of its own: ``5`` would be mistaken for a bid of five."""
    if all(action.startswith("estimate ") for action in legal):
        return {action: int(action.split()[1]) for action in legal}
    return {action: number for number, action in enumerate(_in_order(legal), 1) if not action.startswith("bid ")}


def _in_order(legal: Sequence[str]) -> list[str]:
    """Cards in the order of the hand, suit by suit, whatever the order of the list; a claim last."""

    def place(text: str) -> tuple[bool, int, int]:
        action = parse_action(text)
        return action.verb == "claim", action.to, action.cards if action.verb in GROUPED else NO_CARDS

    return sorted(legal, key=place)


def lines(legal: Sequence[str], names: Sequence[str]) -> list[str]:
    """What may be chosen, one line a kind of move."""
    numbered = numbers(legal)
    actions = [(parse_action(text), numbered.get(text, 0)) for text in _in_order(legal)]
    return [_line(*kind, list(group), names) for kind, group in groupby(actions, key=_kind)]


def _kind(numbered: tuple[Action, int]) -> tuple[str, int]:
    action, _ = numbered
    return (action.verb if action.verb in (*GROUPED, "bid", "estimate") else ""), action.to


def _line(verb: str, to: int, group: list[tuple[Action, int]], names: Sequence[str]) -> str:
    match verb:
        case "bid":
            return t("legal-bid", lowest=_bid(group[0][0]), example=example(group[0][0]))
        case "estimate":
            return t("legal-estimate", actions=left_to_right("  ".join(str(number) for _, number in group)))
        case "":
            listed = [(number, called(action, len(group), names)) for action, number in group]
            return t("turn-legal", actions="  ".join(f"{number}) {told}" for number, told in listed))
    told = left_to_right("  ".join(f"{number}) {card_short(card_name(action.card))}" for action, number in group))
    match verb:
        case "give":
            return t("legal-give", player=player(to, names), actions=told)
        case "discard":
            return t("legal-discard", actions=told)
        case "return":
            return t("legal-return", actions=told)
        case _:
            return t("legal-play", actions=told)


def called(action: Action, of: int, names: Sequence[str]) -> str:
    """One of so many choices. Where one could bid, a pass is said otherwise than in Trix, where it is the only one."""
    return t("action-bid-pass") if action.verb == "pass" and of > 1 else choice(action, names)


def _bid(action: Action) -> str:
    return bid(action.number, action.word)


def example(action: Action) -> str:
    """A move as it can be typed: ``5S``, ``1 5H``."""
    return left_to_right(" ".join(str(action).split()[1:]))
