"""Views: self-sufficient, and silent about what the seat may not know."""

from __future__ import annotations

import copy
import random

import msgspec
import pytest

from bots.builtin import make
from bots.practice import bot_chooser, seat_view
from engine.actions import parse_action
from engine.cards import NO_CARDS, card_name, cards_in, parse_cards
from engine.game import Ask, asked
from engine.games import NAMES as GAMES
from engine.games import game as find_game
from engine.referee import Referee, shuffled
from protocol.seat import LINE_LIMIT, Encoding, act_message, build_view, peer_codec

COMMON = [
    "game",
    "options",
    "phase",
    "deal",
    "dealer",
    "counts",
    "totals",
    "asked",
    "seat",
    "names",
    "hand",
    "can_hold",
    "legal",
    "trick",
    "last_trick",
    "history",
    "new",
    "received",
]


def tables(game: str, seed: int) -> list[tuple[Referee, int]]:
    """Every moment of some deals at which a seat is asked, with a copy of the table then."""
    moments: list[tuple[Referee, int]] = []
    referee = Referee.start(find_game(game), shuffled(random.Random(seed).shuffle))
    bot = make("random", seed)
    while len(referee.state.results) < 2:
        step = referee.advance()
        for seat in asked(step):
            moments.append((copy.deepcopy(referee), seat))
        chosen = {
            seat: bot_chooser(referee, bot)(seat, referee.state, referee.hands[seat], referee.legal(seat))
            for seat in asked(step)
        }
        if isinstance(step, Ask):
            referee.act(step.seat, chosen[step.seat])
        else:
            referee.act_at_once(chosen)
    return moments


@pytest.mark.parametrize("game", GAMES)
def test_a_view_is_self_sufficient_and_true(game: str) -> None:
    longest = 0
    for referee, seat in tables(game, 5):
        view = seat_view(referee, seat, ["A", "B", "C", "D"])
        hand = parse_cards(" ".join(view["hand"]))  # type: ignore[arg-type]
        assert hand == referee.hands[seat]
        assert view["legal"] == [str(action) for action in referee.legal(seat)]
        assert all(parse_action(text) for text in view["legal"])  # type: ignore[attr-defined]
        for other, cards in enumerate(view["can_hold"]):  # type: ignore[arg-type, var-annotated]
            assert not referee.hands[other] & ~parse_cards(" ".join(cards)), "it holds what it cannot"
            assert other == seat or not parse_cards(" ".join(cards)) & hand
        for key in COMMON:
            assert key in view
        message = act_message(1, view)
        codec = peer_codec(Encoding.JSON)
        longest = max(longest, len(codec.encode(message)))
        assert msgspec.json.decode(codec.encode(message), type=type(message)) == message
    assert longest < LINE_LIMIT / 4


@pytest.mark.parametrize("game", GAMES)
def test_the_cards_of_others_do_not_show(game: str) -> None:
    """Two deals that differ only in who of the others holds which hidden card look the same."""
    checked = 0
    for referee, seat in tables(game, 6)[::7]:
        known = [referee.knowledge.can_hold(other) for other in range(len(referee.hands))]
        before = build_view(referee.state, seat, referee.hands[seat], known, (), referee.received[seat])
        others = [other for other in range(len(referee.hands)) if other != seat]
        hidden = [card for other in others for card in cards_in(referee.hands[other])]
        random.Random(checked).shuffle(hidden)
        for other in others:
            count = referee.hands[other].bit_count()
            referee.hands[other] = sum((1 << card for card in hidden[:count]), NO_CARDS)
            del hidden[:count]
        assert (
            build_view(referee.state, seat, referee.hands[seat], known, (), referee.received[seat]) == before
        )
        checked += 1
    assert checked > 3


def test_who_is_not_asked_has_no_legal_actions() -> None:
    referee, seat = tables("kasra", 1)[0]
    assert seat_view(referee, (seat + 1) % 4)["legal"] == []


def fresh(view: dict[str, object]) -> list[str]:
    new = view["new"]
    assert isinstance(new, list)
    return new


@pytest.mark.parametrize("game", ["istimar", "three_five_eight"])
def test_the_four_new_cards_are_marked_for_their_owner_only(game: str) -> None:
    """Trap E-10: he chooses four to put aside, and must see which four came from the kitty."""
    referee = Referee.start(find_game(game), shuffled(random.Random(3).shuffle))
    bot = make("random", 3)
    aside = 0
    while not referee.state.results:
        step = referee.advance_until_scored(1)
        if not isinstance(step, Ask):
            break
        seat = step.seat
        view = seat_view(referee, seat)
        if view["phase"] == "discard":
            kitty = {card_name(card) for card in referee.pack[48:]}
            assert set(fresh(view)) == kitty & set(view["hand"])  # type: ignore[call-overload]
            assert aside > 0 or len(fresh(view)) == 4
            assert all(fresh(seat_view(referee, other)) == [] for other in range(3) if other != seat)
            aside += 1
        elif view["phase"] == "play":
            assert fresh(view) == [] and view["received"] is None
        chosen = bot_chooser(referee, bot)(seat, referee.state, referee.hands[seat], referee.legal(seat))
        referee.act(seat, chosen)
    assert aside == 4


@pytest.mark.parametrize("game", ["istimar", "three_five_eight"])
def test_a_seat_knows_what_it_put_aside_and_nobody_else_does(game: str) -> None:
    referee = Referee.start(find_game(game), shuffled(random.Random(3).shuffle))
    bot, put = make("random", 3), list[str]()
    while not referee.state.results and isinstance(step := referee.advance(), Ask):
        seat = step.seat
        chosen = bot_chooser(referee, bot)(seat, referee.state, referee.hands[seat], referee.legal(seat))
        if chosen.verb == "discard":
            put.append(str(chosen))
        referee.act(seat, chosen)
        for other in range(3):
            view = seat_view(referee, other)
            told = [text for _, text in view["history"] if text.startswith("discard")]  # type: ignore[attr-defined]
            assert referee.state.results or told == (put if other == view["declarer"] else ["discard ??"] * len(put))
            if told and other == view["declarer"]:
                held = {card for cards in view["can_hold"] for card in cards}  # type: ignore[attr-defined]
                assert not held & {text[-2:] for text in put}
    assert len(put) == 4


def test_exchanged_cards_are_told_to_those_two_and_to_nobody_else() -> None:
    referee = Referee.start(find_game("istimar"), shuffled(random.Random(8).shuffle))
    bot = make("steady", 8)
    exchanged = 0
    while len(referee.state.results) < 2:
        step = referee.advance_until_scored(2)
        if not isinstance(step, Ask):
            break
        before = referee.state
        seat = step.seat
        action = bot_chooser(referee, bot)(seat, before, referee.hands[seat], referee.legal(seat))
        referee.act(seat, action)
        if action.verb in ("give", "return"):
            to = action.to if action.verb == "give" else before.claim(seat, action).to
            told = seat_view(referee, to)
            name = card_name(action.card)
            assert told["received"] == name and fresh(told) == [name]
            for other in range(3):
                view = seat_view(referee, other)
                assert other == to or view["received"] is None
                shown = action if other in (seat, to) else action.concealed()
                assert view["history"][-1] == [seat, str(shown)]  # type: ignore[index]
            exchanged += 1
    assert exchanged > 0
    assert len(referee.state.view()["history"]) < 5, "a new deal begins with an empty history"  # type: ignore[arg-type]
    assert referee.state.void("cheat").view()["history"] == []
