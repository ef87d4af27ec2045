"""What a person needs to know when he is asked, as lines: pure, a view in and facts out.

A fact has a key and a text. Whoever shows facts tells each once, and again when the text under its key has changed.
The view is that of `protocol.seat.build_view`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from engine.actions import Action, parse_action
from engine.cards import name_list
from engine.games.kasra import GAMES
from engine.games.kasra.scoring import PENALTY_CARDS
from engine.kitty import HAND_SIZE
from p2p.language import t
from p2p.language.cards import contract_name, left_to_right, listed
from p2p.terminal.words import bid, card, cards, choice, player, strain, trumps

View: TypeAlias = Mapping[str, Any]
Fact: TypeAlias = tuple[str, str]

TRICKS = 13
LAST_TWO = 12  # the first trick that counts in the last two
HAND_AFTER_KITTY = HAND_SIZE
KINGDOM = len(GAMES)  # deals

PENALTIES = frozenset(name_list(PENALTY_CARDS))
"""The cards that cost whoever takes them in Complex."""

OF_WHOEVER_IS_ASKED = frozenset({"six", "declared", "new", "aside", "received", "quotas"})
"""Facts that hold only for the seat that must choose now."""

OF_THE_HAND = frozenset({"new", "received"})
"""Those of them that name cards of its hand: a hidden hand hides them, too."""


def facts(view: View) -> list[Fact]:
    """Everything worth knowing at this moment, the most lasting first."""
    match view["game"]:
        case "kasra":
            return [*_kasra(view)]
        case "estimation":
            return [*_estimation(view)]
        case _:
            return [*_kitty(view)]


def standing(view: View) -> list[Fact]:
    """The same for somebody who is not asked."""
    return [fact for fact in facts(view) if fact[0] not in OF_WHOEVER_IS_ASKED]


def table(view: View) -> list[Fact]:
    """What lies on the table: the trick, or the rows of Trix."""
    lying = listed(f"{player(seat, view['names'])} {card(name)}" for seat, name in view["trick"])
    if view.get("contract") == "trix":
        return [("rows", t("line-rows", rows=_rows(view)))]
    return [("trick", t("turn-trick", cards=lying))] if lying else []


def _rows(view: View) -> str:
    """``9♣–J♣  J♥``: the lowest and the highest card of each row."""
    ends = [list(dict.fromkeys(row)) for row in view["rows"].values() if row]
    return listed(left_to_right("–".join(card(name) for name in row)) for row in ends) or "–"


def _by_seat(view: View, values: Sequence[object]) -> str:
    """``Amal: 2, Basil: 0``."""
    names = view["names"]
    return listed(f"{player(seat, names)}: {left_to_right(str(value))}" for seat, value in enumerate(values))


def _of(view: View, taken: Sequence[int], wanted: Sequence[int]) -> str:
    """``Amal: 2/8, Basil: 1/5``."""
    return _by_seat(view, [f"{one}/{other}" for one, other in zip(taken, wanted, strict=True)])


# ---- Kasra --------------------------------------------------------------------------------------------------------


def _kasra(view: View) -> Iterator[Fact]:
    names, contract = view["names"], view["contract"]
    kingdom = t(
        "fact-kingdom",
        number=view["kingdom"] + 1,
        kingdoms=view["deals"] // KINGDOM,
        player=player(view["owner"], names),
    )
    yield "kingdom", kingdom
    if not contract:
        return
    yield "contract", t("fact-contract", contract=contract_name(contract), rule=t(f"contract-{contract}-rule"))
    if view["phase"] != "play":
        return
    tricks = _by_seat(view, view["tricks"])
    match contract:
        case "complex":
            yield from _doubled(view)
            if any(view["tricks"]):
                yield "tally", t("tally-taken", tricks=_taken(view))
        case "tarneeb":
            yield "tally", t("tally-tricks", trumps=trumps(view["trump"]), tricks=tricks)
        case "ltooshain":
            yield "tally", t("tally-last", number=sum(view["tricks"]) + 1, tricks=TRICKS)
        case _:
            yield "tally", t("tally-cards", cards=_by_seat(view, view["counts"]))


def _doubled(view: View) -> Iterator[Fact]:
    if view["options"].get("doubling") == "off":
        return
    told = listed(f"{player(seat, view['names'])} {cards(held)}" for seat, held in enumerate(view["doubled"]) if held)
    yield "doubled", t("fact-doubled", cards=told) if told else t("fact-doubled-none")


def _taken(view: View) -> str:
    """Tricks and penalty cards of everybody: ``Amal: 2 (Q♠ 4♦), Basil: 0``."""
    told = []
    for seat, (tricks, held) in enumerate(zip(view["tricks"], view["taken"], strict=True)):
        penalties = [name for name in held if name in PENALTIES]
        count = f"{tricks} ({cards(penalties)})" if penalties else str(tricks)
        told.append(f"{player(seat, view['names'])}: {count}")
    return listed(told)


# ---- Estimation ---------------------------------------------------------------------------------------------------


def _estimation(view: View) -> Iterator[Fact]:
    if view["multiplier"] > 1:
        yield "multiplier", t("fact-multiplier", multiplier=view["multiplier"])
    if view["speed"]:
        yield "speed", t("fact-speed", trumps=trumps(view["trump"]))
    match view["phase"]:
        case "dash" | "bid" if view["auction"]:
            yield "auction", t("fact-bids", bids=_auction(view))
        case "estimate":
            yield from _estimating(view)
        case "play":
            side = t("side-under" if view["total"] < TRICKS else "side-over")
            yield "estimates", t("fact-declared", estimates=_declared(view), total=view["total"], side=side)
            tally = _of(view, view["tricks"], view["estimates"])
            yield "tally", t("tally-estimate", trumps=trumps(view["trump"]), tricks=tally)


def _auction(view: View) -> str:
    told = []
    for seat, text in view["auction"]:
        told.append(f"{player(seat, view['names'])}: {said(parse_action(text), view['names'])}")
    return listed(told)


def said(call: Action, names: Sequence[str]) -> str:
    """What was said in an auction, as short as at a table: ``5♠``, ``pass``, ``Dash Call``."""
    match call.verb:
        case "bid":
            return bid(call.number, call.word)
        case "pass":
            return t("action-bid-pass")
        case _:
            return choice(call, names)


def _estimating(view: View) -> Iterator[Fact]:
    me, names, estimates = view["seat"], view["names"], view["estimates"]
    if view["caller"] >= 0:
        called = estimates[view["caller"]]
        said = bid(called, view["trump"])
        yield "caller", t("fact-caller", player=player(view["caller"], names), bid=said)
        yield "with", t("fact-with", number=called)
    others = [seat for seat, number in enumerate(estimates) if number >= 0 and seat != view["caller"]]
    total = sum(number for number in estimates if number > 0)
    if others:
        told = listed(f"{player(seat, names)}: {_estimate(view, seat)}" for seat in others)
        yield "estimates", t("fact-estimates", estimates=told, total=total)
    if view["risk"] != me:
        yield "risk", t("fact-risk", player=player(view["risk"], names))
        return
    forbidden = TRICKS - total
    high = estimates[view["caller"]] if view["caller"] >= 0 else TRICKS
    possible = 0 <= forbidden <= high
    yield "risk", t("fact-last", number=forbidden) if possible else t("fact-last-free")


def _estimate(view: View, seat: int) -> str:
    return t("role-dash") if seat in view["dashes"] else str(view["estimates"][seat])


def _declared(view: View) -> str:
    """``Basil: 5 (caller), Celine: 5 (With), Dawud: 2 (Risk), Amal: 0 (Dash Call)``."""
    told = []
    for seat, number in enumerate(view["estimates"]):
        roles = [*estimation_roles(view, seat)]
        told.append(f"{player(seat, view['names'])}: {number}" + (f" ({listed(roles)})" if roles else ""))
    return listed(told)


def estimation_roles(view: View, seat: int) -> Iterator[str]:
    """What a seat is in a deal of Estimation: caller, With, Dash Call, Risk."""
    if seat == view["caller"]:
        yield t("role-caller")
    if seat in view["with"]:
        yield t("role-with")
    if seat in view["dashes"]:
        yield t("role-dash")
    if seat == view["risk"] and view["risk_level"] > 0:
        yield t("role-risk" if view["risk_level"] == 1 else "role-double-risk")


# ---- Isti'mar and 3-5-8 -------------------------------------------------------------------------------------------


def _kitty(view: View) -> Iterator[Fact]:
    contract = view.get("contract")
    limits = contract == "none"
    if view["goals"]:
        yield "goals", t("fact-limits" if limits else "fact-goals", goals=_by_seat(view, view["goals"]))
    match view["phase"]:
        case "choose" if "contracts" in view:
            yield "six", t("fact-six")
            if declared := view["contracts"][view["seat"]]:
                yield "declared", t("fact-declared-before", contracts=listed(map(strain, declared)))
        case "exchange":
            yield from _exchange(view)
        case "discard":
            if view["new"]:
                yield "new", t("fact-new", cards=cards(view["new"]))
            yield "aside", t("fact-aside", count=len(view["hand"]) - HAND_AFTER_KITTY)
        case "play":
            tally = _of(view, view["taken"], view["goals"])
            start = contract_name("none") if limits else trumps(view["trump"] or "")
            yield "tally", t("tally-limit" if limits else "tally-goal", trumps=start, tricks=tally)


def _exchange(view: View) -> Iterator[Fact]:
    exchange, names = view["exchange"], view["names"]
    if view["trump"]:  # in Isti'mar it is not named yet
        yield "trump", t("fact-trumps", trumps=trumps(view["trump"]))
    if exchange["owing"] == view["seat"] and view["received"]:
        giver = player(exchange["giver"], names)
        free = view["received"][1] == view["trump"]  # S358-7: a trump is paid with any card
        code = "fact-given" if free else "fact-given-suit"
        yield "received", t(code, player=giver, card=card(view["received"]))
        return
    left = exchange["may_give"][view["seat"]]
    quotas = [(seat, min(left, number)) for seat, number in enumerate(exchange["may_get"]) if number]
    told = listed(f"{player(seat, names)}: {number}" for seat, number in quotas)
    yield "quotas", t("fact-give", quotas=told)
