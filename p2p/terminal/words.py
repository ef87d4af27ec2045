"""Moves and events as sentences: pure, values in and text out, in the language in force."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.actions import HIDDEN, Action
from engine.cards import SUITS, cards_in
from engine.cards import card_name as notation
from p2p.language import clean_text, digits, t
from p2p.language.cards import (
    SUIT_SYMBOLS,
    card_short,
    cards_short,
    contract_name,
    figures,
    left_to_right,
    listed,
    seat_name,
    whole,
)
from p2p.terminal.console import cells
from protocol.table import events
from protocol.table.events import Event


def cards(names: Iterable[str]) -> str:
    """Cards as symbols, in one piece."""
    return left_to_right(cards_short(names))


def card(name: str) -> str:
    """One card as a symbol."""
    return left_to_right(card_short(name))


def short(action: Action) -> str:
    """The card or cards of an action, as symbols."""
    return HIDDEN if action.hidden else cards(notation(one) for one in cards_in(action.cards))


def strain(word: str) -> str:
    """A suit as its symbol, no trump, or a contract, by its word in the notation."""
    if word == "NT":
        return t("no-trump")
    return SUIT_SYMBOLS[word] if word in SUITS else contract_name(word)


def trumps(word: str) -> str:
    """What is trumps, as the beginning of a line."""
    return t("trumps-are", suit=strain(word)) if word and word in SUITS else t("trumps-none")


def bid(number: int, word: str) -> str:
    """A bid: ``5♠``, ``6 no trump``."""
    shown = digits(number)
    return left_to_right(f"{shown}{strain(word)}") if word in SUITS else f"{shown} {strain(word)}"


def choice(action: Action, names: Sequence[str]) -> str:
    """An action that can be chosen: ``play A♠``, ``bid 5♠``."""
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
            return t("action-bid", bid=bid(action.number, action.word))
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
    return whole(seat_name(seat, names[seat] if seat < len(names) else ""))


def acted(event: events.Acted, names: Sequence[str], game: str) -> str:
    """What a seat did. Hidden cards are left away."""
    action, who = event.action, player(event.seat, names)
    if event.by_standin:
        who = t("seat-stand-in", name=who)
    match action.verb:
        case "double" if not action.cards:
            told = t("event-double-none", player=who)
        case "double" | "claim":
            told = t(f"event-{action.verb}", player=who, cards=short(action))
        case "pass" if game == "estimation":
            told = t("event-bid-pass", player=who)
        case "game" | "contract":
            told = t(f"event-{action.verb}", player=who, contract=strain(action.word))
        case "trump":
            told = t("event-trump", player=who, suit=strain(action.word))
        case "bid":
            told = t("event-bid", player=who, bid=bid(action.number, action.word))
        case "estimate":
            told = t("event-estimate", player=who, number=action.number)
        case "void":
            told = t(f"event-void-{action.word}", player=who)
        case "no":
            told = t("event-no-dash", player=who)
        case "give" if action.hidden:
            told = t("event-give-hidden", player=who, other=player(action.to, names))
        case "give":
            told = t("event-give", player=who, other=player(action.to, names), card=short(action))
        case "return" if action.hidden:
            told = t("event-return-hidden", player=who)
        case verb:
            told = t(f"event-{verb}", player=who, card=short(action))
    return t("event-proved", sentence=told) if event.proved else told


def own(action: Action, seat: int, me: int, names: Sequence[str]) -> str:
    """An action with a card that only some may see, told to one who does: by him, or to him. "" for any other."""
    mine, shown = seat == me, not action.hidden
    match action.verb:
        case "give" if mine and shown:
            return t("give-yours", card=short(action), player=player(action.to, names))
        case "give" if action.to == me and shown:
            return t("given-you", card=short(action), player=player(seat, names))
        case "return" if mine and shown:
            return t("return-yours", card=short(action))
        case "return" if shown:
            return t("returned-you", card=short(action), player=player(seat, names))
        case "discard" if mine and shown:
            return t("discard-yours", card=short(action))
        case _:
            return ""


def happened(event: Event, names: Sequence[str], game: str, deals: int) -> str:
    """An event as a sentence, or "" for what a person need not read."""
    match event:
        case events.Seated(drawn, drew):
            pairs = zip(drawn, drew, strict=True)
            told = listed(f"{whole(clean_text(name, 24))} {card(notation(one))}" for name, one in pairs)
            return t("event-seated", players=told)
        case events.Dealt(1) if game == "kasra":  # nobody owns a kingdom yet, so nobody counts as the dealer
            return t("line-first-deal", deals=deals, card=card("7H"))
        case events.Dealt(deal, dealer):
            return t("line-deal", deal=deal, deals=deals, player=player(dealer, names))
        case events.Kitty(kitty):
            return t("event-kitty", cards=cards(notation(one) for one in sorted(kitty)))
        case events.Acted():
            return acted(event, names, game)
        case events.Scored(result):
            return t("event-score", points=points(result.points, names)) + "\n" + t(
                "event-totals", points=points(result.totals, names)
            )
        case events.Redealt():
            return t("event-redealt")
        case events.Voted(seat, against, yes):
            code = "event-voted" if yes else "event-waits"
            return t(code, player=player(seat, names), other=player(against, names))
        case events.Lost(seat):
            return t("event-stand-in", player=player(seat, names))
        case events.Cheated(seat, height, code):
            reason = t(code)
            return t("event-cheat", player=player(seat, names), reason=reason, number=height)
        case events.Returned(seat):
            return t("event-returned", player=player(seat, names))
        case events.Ended(_, won):
            return winners(won, names) or t("event-abandoned")
        case _:
            return ""


def winners(seats: Sequence[int], names: Sequence[str]) -> str:
    """Who won, or who shares the win; "" while nobody has won."""
    won = [player(seat, names) for seat in seats]
    if len(won) == 1:
        return t("event-winner", player=won[0])
    return t("event-winners-tie", players=listed(won)) if won else ""


def why_redealt(reason: str, names: Sequence[str]) -> str:
    """Why the cards are thrown in, from the game's own reason (`Result.redeals`); "" where others have told it."""
    match reason.split():
        case ["seven", "in", "kitty"]:
            return t("redeal-seven")
        case ["all", "pass"]:
            return t("redeal-all-pass")
        case ["fault", seat]:
            return t("redeal-fault", player=player(int(seat), names))
        case _:
            return ""


# ---- points -------------------------------------------------------------------------------------------------------


def signed(number: int) -> str:
    """``+10``, ``-25``, ``0``: a sign always, so that it is read aloud."""
    return left_to_right(digits(f"{number:+d}" if number else "0"))


def points(numbers: Sequence[int], names: Sequence[str]) -> str:
    """``Amal +10, Basil -25``."""
    return listed(f"{player(seat, names)} {signed(number)}" for seat, number in enumerate(numbers))


def breakdown(lines: Sequence[tuple[str, int]], total: int, multiplier: int = 1) -> str:
    """Where one seat's points of a deal come from: ``Your -110: queens -25, tricks -45, …``, or "" for nothing."""
    by_rule: dict[str, int] = {}
    for rule, number in lines:
        by_rule[rule] = by_rule.get(rule, 0) + number
    told = listed(f"{t(f'rule-{rule}')} {signed(number)}".removesuffix(" 0") for rule, number in by_rule.items())
    if not told:
        return ""
    if multiplier == 1:
        return t("score-own", points=signed(total), rules=told)
    return t("score-multiplied", points=signed(total), rules=told, multiplier=multiplier)


def score_table(names: Sequence[str], deals: Sequence[Sequence[int]], totals: Sequence[int], first: int = 1) -> str:
    """The score sheet: a row a deal from deal `first` on, a column a seat. Columns run from left to right, Arabic names
    above them too."""
    shown = [seat_name(seat, names[seat]) for seat in range(len(names))]
    widths = [max(6, cells(name)) for name in shown]
    head = "    " + "  ".join(
        " " * (width - cells(name)) + whole(name) for name, width in zip(shown, widths, strict=True)
    )
    rows = [
        f"{number:>3} " + "  ".join(f"{score:+d}".rjust(width) for score, width in zip(row, widths, strict=True))
        for number, row in enumerate(deals, first)
    ]
    total = "  = " + "  ".join(f"{score:+d}".rjust(width) for score, width in zip(totals, widths, strict=True))
    return "\n".join([left_to_right(head), *map(figures, rows), figures(total)])
