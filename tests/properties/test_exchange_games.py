"""Isti'mar and 3-5-8: legality against a second statement of the rules, whole games, and what a third player sees."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions import Action, naming
from engine.cards import FULL_PACK, SUITS, Card, card_set, cards_in, count, rank_of, suit_of
from engine.exchange import Exchange, Terms
from engine.game import Ask, Audit, Finished, Value, legal
from engine.games import game
from engine.kitty import SEATS
from engine.referee import Acted, Event, Referee, Scored, shuffled
from tests.unit.engine.kitty_tables import exchanging, in_trick

GAMES = ("istimar", "three_five_eight")
SEEDS = st.integers(0, 2**32)


def options(name: str) -> st.SearchStrategy[dict[str, Value]]:
    """Any options of a game."""
    return st.fixed_dictionaries({option.name: st.sampled_from(option.values) for option in game(name).options})


# The rules said once more, as a player would say them: by looking at the hand ------------------------------------


def may_play(name: str, chosen: dict[str, Value], trump: int | None, table: list[Card], hand: set[Card]) -> set[Card]:
    """The cards of `hand` that may be played to `table`."""
    if not table:
        return hand
    beat = name == "istimar"
    led = suit_of(table[0])
    trumps_down = [card for card in table if suit_of(card) == trump and trump != led]
    mine = {card for card in hand if suit_of(card) == led}
    if mine:
        high = max(rank_of(card) for card in table if suit_of(card) == led)
        better = {card for card in mine if rank_of(card) > high}
        owed = beat and (not trumps_down or chosen["raise_in_trumped_trick"] == "yes")
        return better if owed and better else mine
    my_trumps = {card for card in hand if trump is not None and suit_of(card) == trump}
    if not my_trumps or trump == led:
        return hand
    if not beat:
        return my_trumps if chosen["must_trump"] == "yes" else hand
    if not trumps_down:
        return my_trumps
    better = {card for card in my_trumps if rank_of(card) > max(map(rank_of, trumps_down))}
    if better:
        return better
    return my_trumps if chosen["under_trump"] == "forced" else hand


def may_return(chosen: dict[str, Value], trump: int | None, received: Card, own: set[Card]) -> set[Card]:
    """What a loser with `own` cards may give back for `received`."""
    if suit_of(received) == trump:
        return own | {received}
    suit = {card for card in own if suit_of(card) == suit_of(received)}
    if chosen["return_rule"] == "include_received":
        suit.add(received)
    return {max(suit)} if suit else {received}


@pytest.mark.parametrize("name", GAMES)
@given(data=st.data())
def test_plays_are_legal_exactly_when_the_rules_say_so(name: str, data: st.DataObject) -> None:
    chosen = data.draw(options(name))
    cards = data.draw(st.lists(st.integers(0, 51), unique=True, min_size=1, max_size=18))
    on_table = data.draw(st.integers(0, min(2, len(cards) - 1)))
    table, hand = cards[:on_table], set(cards[on_table:])
    trump = data.draw(st.sampled_from((0, 1, 2, 3) if name == "istimar" else (0, 1, 2, 3, None)))
    state, seat = in_trick(name, chosen, SUITS[trump] if trump is not None else "NT", "")
    assert state.hand is not None and seat == 0
    state = replace(state, hand=replace(state.hand, trick=tuple(enumerate(table))))
    allowed = {action.card for action in legal(state, on_table, card_set(hand))}
    assert allowed == may_play(name, chosen, trump, table, hand)


@pytest.mark.parametrize("name", GAMES)
@given(data=st.data())
def test_returns_are_legal_exactly_when_the_rules_say_so(name: str, data: st.DataObject) -> None:
    chosen = data.draw(options(name))
    received, *own = data.draw(st.lists(st.integers(0, 51), unique=True, min_size=2, max_size=17))
    trump = data.draw(st.integers(0, 3))
    state = exchanging(name, chosen, (2, -2, 0), SUITS[trump])
    state = state.apply(0, Action("give", cards=1 << received, to=1))
    allowed = {action.card for action in legal(state, 1, card_set([received, *own]), received)}
    assert allowed == may_return(chosen, trump if name != "istimar" else None, received, set(own))


@pytest.mark.parametrize("name", GAMES)
@given(data=st.data())
def test_any_card_may_be_given_and_put_aside(name: str, data: st.DataObject) -> None:
    chosen = data.draw(options(name))
    cards = data.draw(st.lists(st.integers(0, 51), unique=True, min_size=16, max_size=16))
    state = exchanging(name, chosen, (4, -2, -2), "S")
    given_away = [action for action in legal(state, 0, card_set(cards)) if action.verb == "give"]
    assert len(given_away) == 32 and {action.card for action in given_away} == set(cards)


# Quotas ----------------------------------------------------------------------------------------------------------


@given(
    first=st.integers(-16, 16),
    second=st.integers(-16, 16),
    declarer=st.integers(0, 2),
    capped=st.booleans(),
    optional=st.booleans(),
    chooser=st.randoms(use_true_random=False),
)
def test_quotas(
    first: int, second: int, declarer: int, capped: bool, optional: bool, chooser: random.Random
) -> None:
    balance = (first, second, -first - second)
    terms = Terms(optional, capped, True, None, "q", "s", "r")
    order = tuple((declarer + steps) % SEATS for steps in range(SEATS))
    exchange = Exchange.begin(terms, balance, order)
    stopped: set[int] = set()
    moves: list[tuple[int, int]] = []
    while not exchange.over:
        giver = exchange.step.seat
        gives = [naming(*duty.kind)[0] for duty in exchange.duties()]
        action = chooser.choice([*exchange.choices(), *gives])
        if action.verb == "stop":
            stopped.add(giver)
            exchange = exchange.apply(action)
            continue
        exchange = exchange.apply(action.concealed())
        assert exchange.step == Ask(action.to) and sum(exchange.counts(16)) == 48
        exchange = exchange.apply(Action("return", hidden=True))
        assert exchange.counts(16) == (16, 16, 16)
        moves.append((giver, action.to))
    assert tuple(moves) == exchange.moved
    for seat, one in enumerate(balance):
        gave = sum(giver == seat for giver, _ in moves)
        got = sum(loser == seat for _, loser in moves)
        assert gave == max(0, one) or (gave < one and seat in stopped)
        assert got <= max(0, -one) or (one < 0 and not capped)
        assert not (one >= 0 and got)
    givers = list(dict.fromkeys(giver for giver, _ in moves))
    assert givers == [seat for seat in order if seat in givers]


# Whole games -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=20)
@given(data=st.data(), seed=SEEDS)
def test_whole_games_end_and_add_up_to_nothing(name: str, data: st.DataObject, seed: int) -> None:
    chosen = data.draw(options(name)) | ({"deals": 6} if name == "three_five_eight" else {})
    chance = random.Random(seed)
    referee = Referee.start(game(name), shuffled(chance.shuffle), chosen, dealer=seed % 3)
    events: list[Event] = []
    referee.observers.append(events.append)
    exchanged = False
    while not isinstance(step := referee.state.step, Finished):
        if isinstance(step, Ask):
            assert referee.state.counts == tuple(map(count, referee.hands))
            actions = referee.legal(step.seat)
            assert actions, "nobody may be left without a legal action"
            assert len(actions) == len(set(actions))
            referee.act(step.seat, chance.choice(actions))
            exchanged |= events[-1:] != [] and isinstance(events[-1], Acted) and events[-1].action.verb == "return"
        else:
            # Deferred claims are proved exactly in the deals that had some.
            if isinstance(step, Audit):
                assert exchanged
            exchanged = exchanged and not isinstance(step, Audit)
            referee.do(step)
    assert not exchanged
    state = referee.state
    assert all(sum(result.points) == 0 for result in state.results) and sum(state.totals) == 0
    assert state.winners == tuple(seat for seat in range(3) if state.totals[seat] == max(state.totals))
    assert len(state.results) in ((3, 6) if name == "istimar" else (6,))
    assert sum(isinstance(event, Scored) for event in events) == len(state.results)
    for result in state.results:
        for seat in range(3):
            assert sum(points for _, points in result.breakdown[seat]) == result.points[seat]


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=20)
@given(data=st.data(), seed=SEEDS)
def test_what_a_third_player_sees_is_the_same_whatever_the_cards_were(
    name: str, data: st.DataObject, seed: int
) -> None:
    chosen = data.draw(options(name)) | ({"deals": 3} if name == "three_five_eight" else {})
    chance = random.Random(seed)
    referee = Referee.start(game(name), shuffled(chance.shuffle), chosen)
    hidden: list[Acted] = []

    def watch(event: Event) -> None:
        if isinstance(event, Acted) and event.action.verb in ("give", "return", "discard"):
            hidden.append(event)

    referee.observers.append(watch)
    referee.play([lambda seat, state, hand, actions: chance.choice(actions)] * 3)
    assert hidden
    for event in hidden:
        state, action = event.before, event.action
        public = state.apply(event.seat, action.concealed())
        claim = state.claim(event.seat, action.concealed())
        assert claim.opens == 0 and claim.excludes == (0,)
        for card in cards_in(FULL_PACK):
            other = replace(action, cards=1 << card)
            assert state.apply(event.seat, other) == public
            assert state.apply(event.seat, other).view() == public.view()
