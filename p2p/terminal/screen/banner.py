"""What must always be in sight of a deal: the contract and trumps, and what is going on just now. Pure: scene in, texts
out. What is told of single players stands at their seats (`labels`)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.actions import parse_action
from p2p.language import digits, t
from p2p.language.cards import contract_name, game_name, left_to_right, listed
from p2p.terminal import facts
from p2p.terminal.facts import HAND_AFTER_KITTY, KINGDOM, LAST_TWO, TRICKS, View, said
from p2p.terminal.screen.scene import Scene
from p2p.terminal.words import player, strain, trumps


def title(scene: Scene) -> list[str]:
    """Game, deal, kingdom."""
    view = scene.view
    told = [game_name(view["game"]), t("title-deal", deal=view["deal"], deals=view["deals"])]
    if "kingdom" in view:
        told.append(t("title-kingdom", number=view["kingdom"] + 1, kingdoms=view["deals"] // KINGDOM))
    return told


def contract(scene: Scene) -> list[str]:
    """Contract and trumps, what was called, what the deal counts."""
    view = scene.view
    match view["game"]:
        case "kasra":
            return [*_kasra(view)]
        case "estimation":
            return [*_estimation(view)]
        case _:
            return [*_kitty(view)]


def _kasra(view: View) -> Iterator[str]:
    now, owner = view["contract"], view["owner"]
    if now:
        yield contract_name(now)
    elif owner >= 0:
        yield t("banner-no-game", player=player(owner, view["names"]))
    if now == "tarneeb":
        yield trumps(view["trump"]) if view["trump"] else t("banner-no-trump-yet")
    if view["phase"] == "play" and now != "trix":
        yield _trick(sum(view["tricks"]), TRICKS)
    left = [contract_name(one) for one in view["available"] if one != now]
    if now or owner >= 0:
        yield t("banner-left", contracts=listed(left)) if left else t("banner-none-left")


def _estimation(view: View) -> Iterator[str]:
    phase, names = view["phase"], view["names"]
    if view["speed"]:
        yield t("banner-speed")
    if view["multiplier"] > 1:
        yield t("banner-times", multiplier=view["multiplier"])
    if phase in ("dash", "bid"):
        best = said(parse_action(f"bid {view['bid']}"), names) if view["bid"] else ""
        yield t("banner-bid", bid=best, player=player(view["caller"], names)) if best else t("banner-no-bid")
    elif view["trump"]:
        yield trumps(view["trump"])
    if phase in ("estimate", "play") and view["caller"] >= 0:
        yield t("banner-called", number=view["estimates"][view["caller"]], player=player(view["caller"], names))
    if phase == "estimate":
        yield t("banner-so-far", total=sum(number for number in view["estimates"] if number > 0))
    if phase == "play":
        apart, side = view["total"] - TRICKS, "under" if view["total"] < TRICKS else "over"
        yield t("banner-total", total=view["total"], side=t(f"side-{side}"), number=abs(apart))
        yield _trick(sum(view["tricks"]), TRICKS)


def _kitty(view: View) -> Iterator[str]:
    declared = view.get("contract", view["trump"])
    declarer = view["declarer"]
    if declared in ("NT", "none"):
        yield strain(declared)
    elif declared:
        yield trumps(declared)
    elif declarer is not None:
        code = "banner-no-contract" if "contract" in view else "banner-no-trumps"
        yield t(code, player=player(declarer, view["names"]))
    if "contracts" in view and declarer is not None:
        before = [strain(one) for one in view["contracts"][declarer] if one != declared]
        if before:
            yield t("banner-declared", player=player(declarer, view["names"]), contracts=listed(before))
    if view["phase"] in ("play", "audit"):
        yield _trick(sum(view["taken"]), HAND_AFTER_KITTY)


def _trick(done: int, of: int) -> str:
    """Which trick is being played: ``trick 3/13``."""
    return t("banner-trick", tricks=left_to_right(digits(f"{min(done + 1, of)}/{of}")))


def situation(scene: Scene, hidden: bool = False) -> list[str]:
    """What one should know of this moment besides, as sentences; the most useful first. Nothing of a `hidden` hand."""
    view, phase = scene.view, scene.view["phase"]
    known = dict(facts.facts(view)) if scene.seat >= 0 else {}
    mine = scene.seat in view["asked"]
    match view["game"]:
        case "kasra":
            return _kasra_situation(view)
        case "estimation" if phase == "estimate":
            return [known[key] for key in ("risk",) if key in known]  # who is With is told where one estimates
        case "istimar" | "three_five_eight" if mine:
            told = ("received", "quotas", "six", "aside", "new")
            return [known[key] for key in told if key in known and not (hidden and key in facts.OF_THE_HAND)]
        case "istimar" | "three_five_eight":
            return _others_cards(view)
        case _:
            return []


def _kasra_situation(view: View) -> list[str]:
    now = view["contract"]
    if not now or view["phase"] != "play":
        return [_rule(now)] if now else []
    if now == "complex" and view["options"].get("doubling") != "off" and not any(view["doubled"]):
        return [t("banner-complex"), t("fact-doubled-none")]
    if now == "ltooshain":
        done = sum(view["tricks"])
        return [t("banner-last-counts", number=done + 1)] if done >= LAST_TWO - 1 else [t("contract-ltooshain-rule")]
    return [_rule(now)]


def _rule(now: str) -> str:
    """The rule of a game of Kasra, on one line."""
    return t(f"banner-{now}" if now in ("complex", "trix") else f"contract-{now}-rule")


def _others_cards(view: View) -> list[str]:
    """Who gives, who owes a card, who puts cards aside, while somebody else waits."""
    names, exchange = view["names"], view["exchange"]
    if view["phase"] == "exchange" and exchange["owing"] is not None:
        owing, giver = player(exchange["owing"], names), player(exchange["giver"], names)
        return [t("banner-owing", player=owing, other=giver)]
    if view["phase"] == "exchange" and exchange["giver"] is not None:
        return [t("banner-giving", player=player(exchange["giver"], names))]
    if view["phase"] == "discard":
        declarer = view["declarer"]
        left = view["counts"][declarer] - HAND_AFTER_KITTY
        return [t("banner-aside", player=player(declarer, names), count=left)]
    return []
