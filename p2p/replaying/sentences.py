"""What a page says of a game, in the language in force: for every frame the same sentences as at a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.actions import FACE_DOWN
from engine.cards import SUITS, card_set, cards_in
from engine.cards import card_name as notation
from engine.record import Replay
from engine.referee import Acted, Dealt, Event, Opened, Scored, ThrownIn
from p2p.language import clean_text, current, t
from p2p.language.cards import card_name, game_name, left_to_right, listed
from p2p.replaying.frames import Frame, View
from p2p.terminal import words
from p2p.terminal.facts import estimation_roles, facts
from protocol.table import events

NOTE_LENGTH = 2000
"""Characters shown of what a bot noted: a whole line of a record."""

PUBLIC_FACTS = frozenset(
    {"kingdom", "contract", "doubled", "multiplier", "speed", "auction", "caller", "estimates", "risk", "goals"}
)
"""Facts that are the same for whoever looks on. The others speak to the seat that is asked."""

WORDS = (
    "replay-language", "replay-empty", "replay-hands", "replay-all", "replay-no-hands", "replay-table",
    "replay-deal-back", "replay-deal-on", "replay-back", "replay-on", "replay-play", "replay-pause", "replay-step",
    "replay-deals", "menu-history", "replay-trick", "replay-trick-last", "replay-rows", "replay-kitty", "replay-aside",
    "replay-turn", "pane-score", "replay-rules", "replay-plot", "replay-keys", "points-total", "card-hidden",
)  # fmt: skip
"""What stands on the page itself."""

PLAYED = ("play", "audit")
"""Phases in which tricks count."""

ROLES = ("owner", "declarer")


def spoken(replayed: Replay, seen: Sequence[Frame]) -> dict[str, Any]:
    """Everything that is read on the page: its words, names, cards and rules, and `frames` with for each frame

    head   which deal this is
    facts  what is known of the deal
    seats  by seat, what stands beside the name: roles, tricks of those wanted
    told   what happened, as maps: `open` is the sentence; where only the seats in `knows` may know its card, `shut` is
           the one for the others; `note` marks what a bot noted
    """
    names = replayed.seats
    seats = range(len(names))
    rules = {rule for result in replayed.results for lines in result.breakdown for rule, _ in lines}
    return {
        "rtl": current().right_to_left,
        "words": {word: t(word) for word in WORDS},
        "title": title(replayed),
        "names": [words.player(seat, names) for seat in seats],
        "views": [t("replay-as", player=words.player(seat, names)) for seat in seats],
        "cards": {notation(card): card_name(notation(card)) for card in range(52)},
        "rules": {rule: t(f"rule-{rule}") for rule in sorted(rules)},
        "ending": words.winners(replayed.state.winners, names) or t("record-unfinished"),
        "deals": [_deal(frame) for frame in first_frames(seen)],
        "frames": [_frame(frame, replayed.game.name) for frame in seen],
    }


def title(replayed: Replay) -> str:
    """The game and who played it."""
    players = listed(words.player(seat, replayed.seats) for seat in range(len(replayed.seats)))
    return t("record-title", game=game_name(replayed.game.name), players=players)


def first_frames(seen: Sequence[Frame]) -> list[Frame]:
    """The frame with which each pack of cards begins."""
    packs: dict[tuple[int, int], Frame] = {}
    for frame in seen:
        packs.setdefault((frame.deal, frame.attempt), frame)
    return list(packs.values())


def _deal(frame: Frame) -> str:
    return t("replay-deal-again" if frame.attempt else "replay-deal", deal=left_to_right(str(frame.deal)))


def _frame(frame: Frame, game: str) -> dict[str, Any]:
    view = _neutral(frame, game)
    dealer = words.player(frame.dealer, frame.names)
    return {
        "head": t("line-deal", deal=frame.deal, deals=view["deals"], player=dealer),
        "facts": [*_facts(view)],
        "seats": [[*_roles(frame, seat), *_tally(view, seat)] for seat in range(len(frame.names))],
        "told": [*_told(frame, game), *_notes(frame)],
    }


# ---- what is known of the deal ------------------------------------------------------------------------------------


def _neutral(frame: Frame, game: str) -> View:
    """A view in which nothing is addressed to anybody: that of a seat which is not asked anything now."""
    table = frame.table
    exchange = table.get("exchange") or {}
    spoken_to = {table.get("risk"), exchange.get("owing"), exchange.get("giver")}
    seat = next(seat for seat in range(len(frame.names)) if seat not in spoken_to)
    own: dict[str, Any] = {"seat": seat, "hand": [], "new": [], "received": None}
    return {**table, **own, "game": game, "options": dict(frame.state.options), "names": list(frame.names)}


def _facts(view: View) -> Iterator[str]:
    yield from (text for key, text in facts(view) if key in PUBLIC_FACTS)
    contract = view.get("contract")
    if contract and (contract == "NT" or contract in SUITS):  # 3-5-8; other contracts have facts of their own
        yield words.trumps(contract)
    elif view.get("trump") and not view.get("speed"):
        yield words.trumps(view["trump"])
    exchange = view.get("exchange")
    if exchange and view["phase"] == "exchange" and exchange["giver"] is not None:
        left = exchange["may_give"][exchange["giver"]]
        gets = [(seat, min(left, number)) for seat, number in enumerate(exchange["may_get"]) if number]
        quotas = listed(f"{words.player(seat, view['names'])}: {number}" for seat, number in gets)
        if gets:  # there are none while a card is owed
            yield t("replay-exchange", player=words.player(exchange["giver"], view["names"]), quotas=quotas)


def _roles(frame: Frame, seat: int) -> Iterator[str]:
    table = frame.table
    if seat == frame.dealer:
        yield t("seat-role-dealer")
    for role in ROLES:
        if table.get(role) == seat:
            yield t(f"seat-role-{role}")
    if "dashes" in table:
        yield from estimation_roles(table, seat)
    if seat in frame.standins:
        yield t("replay-stand-in")


def _tally(view: View, seat: int) -> Iterator[str]:
    """What a seat has taken of what it wants."""
    wanted = view.get("goals") or view.get("estimates") or ()
    goal = wanted[seat] if wanted else -1
    if view["phase"] not in PLAYED:
        if "estimates" in view and goal >= 0:
            yield t("replay-goal", goal=goal)
        return
    if view.get("contract") == "trix":
        if seat in view["out"]:
            yield t("replay-out", place=view["out"].index(seat) + 1)
        return
    taken = view["taken"] if "goals" in view else view["tricks"]
    if goal >= 0:
        yield t("replay-tricks-of", tricks=taken[seat], goal=goal)
    else:
        yield t("label-tricks", tricks=taken[seat])


# ---- what happened ------------------------------------------------------------------------------------------------


def told_to(frame: Frame, game: str, seat: int = -1) -> list[tuple[str, bool]]:
    """What happened in a moment, as (sentence, whether it is a note of a bot): all of it, or as one seat heard it."""
    lines = [*_told(frame, game), *_notes(frame)]
    heard = (one["open"] if seat < 0 or seat in one.get("knows", (seat,)) else one["shut"] for one in lines)
    return [(text, "note" in one) for one, text in zip(lines, heard, strict=True) if text]


def _told(frame: Frame, game: str) -> Iterator[dict[str, Any]]:
    if not frame.events and frame.table["phase"] == "discard":
        yield {"open": t("replay-kitty-taken", player=words.player(frame.table["declarer"], frame.names))}
    elif not frame.events:
        yield {"open": _deal(frame)}
    for event in frame.events:
        yield from _event(event, frame, game)
    if frame.result and frame.state.winners:
        yield {"open": words.winners(frame.state.winners, frame.names)}


def _event(event: Event, frame: Frame, game: str) -> Iterator[dict[str, Any]]:
    names = frame.names
    match event:
        case Dealt(_, positions, _):
            yield {"open": _deal(frame) if 0 in positions else t("line-rest")}
        case Opened(_, kitty, only):
            shown = t("event-kitty", cards=words.cards(notation(card) for card in cards_in(card_set(kitty))))
            alone = t("replay-kitty-alone", player=words.player(only, names))
            yield {"open": shown} if only < 0 else {"open": f"{alone} {shown}", "shut": alone, "knows": [only]}
        case Acted():
            yield _acted(event, frame, game)
            yield from ({"open": line} for line in _comes_to(event, frame))
        case Scored(_, result):
            yield {"open": t("event-score", points=words.points(result.points, names))}
        case ThrownIn(_, state):
            why = words.why_redealt(state.redeals[-1], names)
            yield {"open": f"{why} {t('event-redealt')}".strip()}


def _acted(event: Acted, frame: Frame, game: str) -> dict[str, Any]:
    seat, action = event.seat, event.action
    by_standin = seat in frame.standins
    if action.verb not in FACE_DOWN:
        return {"open": words.acted(events.Acted(seat, action, False, by_standin), frame.names, game)}
    shut = words.acted(events.Acted(seat, action.concealed(), False, by_standin), frame.names, game)
    if action.verb == "discard":
        open_ = t("replay-discard", player=words.player(seat, frame.names), card=words.short(action))
    else:
        open_ = words.acted(events.Acted(seat, action, False, by_standin), frame.names, game)
    return {"open": open_, "shut": shut, "knows": [seat, event.claim.to] if event.claim.to >= 0 else [seat]}


def _comes_to(event: Acted, frame: Frame) -> Iterator[str]:
    """What a card played brings about."""
    if event.action.verb != "play":
        return
    table = frame.table
    if table.get("contract") == "trix":
        if event.seat in table["out"] and not table["counts"][event.seat]:
            place = table["out"].index(event.seat) + 1
            yield t("event-out", player=words.player(event.seat, frame.names), place=place)
    elif frame.taker >= 0:
        yield t("event-trick", player=words.player(frame.taker, frame.names))


def _notes(frame: Frame) -> Iterator[dict[str, Any]]:
    for seat, info in frame.info:
        note = t("replay-note", player=words.player(seat, frame.names), note=clean_text(info, NOTE_LENGTH))
        yield {"open": note, "note": True}
