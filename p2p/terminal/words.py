"""Moves and events as sentences: pure, view in and text out, in the language in force."""

from __future__ import annotations

from collections.abc import Sequence

from engine.actions import HIDDEN, Action
from engine.cards import SUITS, cards_in
from engine.cards import card_name as notation
from p2p.language import clean_text, t
from p2p.language.cards import card_short, cards_short, seat_name, suit_name
from protocol.table import events
from protocol.table.events import Event


def short(action: Action) -> str:
    """The card or cards of an action, as symbols."""
    return card_short(HIDDEN) if action.hidden else cards_short(notation(card) for card in cards_in(action.cards))


def strain(word: str) -> str:
    """A suit, no trump, or a contract, by its word in the notation."""
    return suit_name(word) if word in (*SUITS, "NT") else t(f"contract-{word}")


def choice(action: Action, names: Sequence[str]) -> str:
    """An action that can be chosen: ``play A♠``, ``bid 5 spades``."""
    match action.verb:
        case "double" if not action.cards:
            return t("action-double-none")
        case "double":
            return t("action-double", cards=short(action))
        case "game" | "contract":
            return t(f"action-{action.verb}", contract=strain(action.word))
        case "trump":
            return t("action-trump", suit=strain(action.word))
        case "bid":
            return t("action-bid", number=action.number, suit=strain(action.word))
        case "estimate":
            return t("action-estimate", number=action.number)
        case "void":
            return t(f"action-void-{action.word}")
        case "no":
            return t("action-no-dash")
        case "give":
            return t("action-give", card=short(action), player=player(action.to, names))
        case verb:
            return t(f"action-{verb}", card=short(action))


def player(seat: int, names: Sequence[str]) -> str:
    """Who sits in a seat, by name."""
    return seat_name(seat, names[seat] if seat < len(names) else "")


def acted(event: events.Acted, names: Sequence[str], game: str) -> str:
    """What a seat did."""
    action, who = event.action, player(event.seat, names)
    if event.by_standin:
        who = t("seat-stand-in", name=who)
    match action.verb:
        case "double" if not action.cards:
            told = t("event-double-none", player=who)
        case "double":
            told = t("event-double", player=who, cards=short(action))
        case "pass" if game == "estimation":
            told = t("event-bid-pass", player=who)
        case "game" | "contract":
            told = t(f"event-{action.verb}", player=who, contract=strain(action.word))
        case "trump":
            told = t("event-trump", player=who, suit=strain(action.word))
        case "bid":
            told = t("event-bid", player=who, number=action.number, suit=strain(action.word))
        case "estimate":
            told = t("event-estimate", player=who, number=action.number)
        case "void":
            told = t(f"event-void-{action.word}", player=who)
        case "no":
            told = t("event-no-dash", player=who)
        case "give":
            told = t("event-give", player=who, other=player(action.to, names), card=short(action))
        case verb:
            told = t(f"event-{verb}", player=who, card=short(action))
    return t("event-proved", sentence=told) if event.proved else told


def happened(event: Event, names: Sequence[str], game: str, deals: int) -> str:
    """An event as a sentence, or "" for what a person need not read."""
    match event:
        case events.Seated(drawn, cards):
            pairs = zip(drawn, cards, strict=True)
            told = ", ".join(f"{clean_text(name, 24)} {card_short(notation(card))}" for name, card in pairs)
            return t("event-seated", players=told)
        case events.Dealt(deal, dealer):
            return t("line-deal", deal=deal, deals=deals, player=player(dealer, names))
        case events.Kitty(cards):
            return t("event-kitty", cards=cards_short(notation(card) for card in cards))
        case events.Acted():
            return acted(event, names, game)
        case events.Scored(result):
            return t("event-score", points=points(result.points, names)) + "\n" + t(
                "event-totals", points=points(result.totals, names)
            )
        case events.Redealt():
            return t("event-redealt")
        case events.Voted(seat, against):
            return t("event-voted", player=player(seat, names), other=player(against, names))
        case events.Lost(seat):
            return t("event-stand-in", player=player(seat, names))
        case events.Cheated(seat, height, code):
            reason = t(code)
            return t("event-cheat", player=player(seat, names), reason=reason, number=height)
        case events.Returned(seat):
            return t("event-returned", player=player(seat, names))
        case events.Ended(_, winners):
            if not winners:
                return t("event-abandoned")
            won = [player(seat, names) for seat in winners]
            if len(won) == 1:
                return t("event-winner", player=won[0])
            return t("event-winners-tie", players=", ".join(won))
        case _:
            return ""


def points(numbers: Sequence[int], names: Sequence[str]) -> str:
    """``Amal +10, Basil −25``: a sign always, so that it is read aloud."""
    return ", ".join(f"{player(seat, names)} {number:+d}" for seat, number in enumerate(numbers))


def score_table(names: Sequence[str], deals: Sequence[Sequence[int]], totals: Sequence[int], first: int = 1) -> str:
    """The score sheet: a row a deal from deal `first` on, a column a seat."""
    shown = [player(seat, names) for seat in range(len(names))]
    widths = [max(6, len(name)) for name in shown]
    head = "    " + "  ".join(name.rjust(width) for name, width in zip(shown, widths, strict=True))
    rows = [
        f"{number:>3} " + "  ".join(f"{score:+d}".rjust(width) for score, width in zip(row, widths, strict=True))
        for number, row in enumerate(deals, first)
    ]
    total = "  = " + "  ".join(f"{score:+d}".rjust(width) for score, width in zip(totals, widths, strict=True))
    return "\n".join([head, *rows, total])
