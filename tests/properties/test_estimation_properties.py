"""Estimation under random play: legality against an independent oracle, whole games, and views that hide the cards."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions import Action
from engine.cards import PACK_SIZE, RANKS, CardSet, card_name, cards_in
from engine.game import Ask, Finished, Illegal, NewPack, Sealed, State, check, holds, legal, remaining
from engine.games.estimation import GAME
from engine.games.estimation import State as Estimation
from engine.referee import Event, Referee, Scored, shuffled

options = st.fixed_dictionaries({option.name: st.sampled_from(option.values) for option in GAME.options})
seeds = st.integers(0, 2**32)


def oracle(state: Estimation, seat: int, hand: CardSet) -> list[str]:
    """What may be done, from the rules' wording: no claims, no bit sets."""
    cards = [card_name(card) for card in cards_in(hand)]
    chosen = state.options
    verbs = [(who, str(action)) for who, action in state.auction]
    dashes = [who for who, words in verbs if words == "dash"]
    if state.phase == "void":
        return ["full"] if {card[1] for card in cards} == set("SHDC") else ["void play", "void redeal"]
    if state.phase == "dash":
        return ["no dash"] + ["dash"] * (len(dashes) < int(chosen["max_dash"]))
    if state.phase == "bid":
        ladder = [f"bid {number}{strain}" for number in range(4, 14) for strain in ("C", "D", "H", "S", "NT")]
        made = [words for _, words in verbs if words.startswith("bid")]
        first = not any(who == seat and words.startswith("bid") for who, words in verbs)
        dash = chosen["dash_timing"] == "in_turn" and len(dashes) < int(chosen["max_dash"]) and first
        return ["pass"] + ["dash"] * dash + (ladder[ladder.index(made[-1]) + 1 :] if made else ladder)
    if state.phase == "estimate":
        order = [(state.dealer + 1 + i) % 4 for i in range(4)]
        if int(str(chosen["normal_deals"])) >= state.deal:
            caller = [who for who, words in verbs if words.startswith("bid")][-1]
            order = [(caller + i) % 4 for i in (1, 2, 3)]
        others = [who for who in order if who not in dashes]
        most = 13 if len(order) == 4 else state.estimates[caller]
        numbers = list(range(most + 1))
        if seat == others[-1]:
            said = sum(number for number in state.estimates if number != -1)
            numbers = [number for number in numbers if said + number != 13]
        return [f"estimate {number}" for number in numbers]
    led = card_name(state.trick[0][1])[1] if state.trick else ""
    follows = [card for card in cards if card[1] == led]
    by_rank = sorted(follows or cards, key=lambda card: (RANKS.index(card[0]), "CDHS".index(card[1])))
    return [f"play {card}" for card in by_rank]


def choose(rng: random.Random, actions: list[Action]) -> Action:
    """Any action, but not always a bid so high that the auction is over at once."""
    return rng.choice(actions[:6]) if actions[0].verb == "pass" else rng.choice(actions)


@settings(max_examples=40)
@given(options, seeds, st.integers(0, 3))
def test_legal_is_what_the_rules_say_and_every_deal_comes_to_its_end(
    chosen: dict[str, str | int], seed: int, dealer: int
) -> None:
    rng = random.Random(seed)
    referee = Referee.start(GAME, shuffled(rng.shuffle), chosen, dealer)

    def observe(event: Event) -> None:
        if isinstance(event, Scored):
            for points, parts in zip(event.result.points, event.result.breakdown, strict=True):
                assert points == event.result.multiplier * sum(part[1] for part in parts)

    referee.observers.append(observe)
    for _ in range(150):
        step, state = referee.advance(), referee.state
        assert isinstance(state, Estimation)
        if isinstance(step, Finished):
            break
        seats = step.seats if isinstance(step, Sealed) else (step.seat,) if isinstance(step, Ask) else ()
        acts = {}
        for seat in seats:
            actions = legal(state, seat, referee.hands[seat])
            listed = [str(action) for action in actions if action.verb != "claim"]  # claims: test_claims
            assert listed == oracle(state, seat, referee.hands[seat])
            acts[seat] = choose(rng, actions)
        if state.phase == "play":
            assert sum(state.estimates) != 13 and min(state.estimates) >= 0
            assert state.caller == state.declared.caller and state.caller not in state.dashes
            assert sum(state.taken) == len(state.tricks)
            assert max(state.estimates) == state.estimates[state.caller]
        if isinstance(step, Sealed):
            referee.act_at_once(acts)
        else:
            referee.act(seats[0], acts[seats[0]])
    assert referee.state.totals == tuple(
        sum(result.points[seat] for result in referee.state.results) for seat in range(4)
    )


@settings(max_examples=40)
@given(seeds)
def test_legal_is_possible_and_claimed(seed: int) -> None:
    """An action is legal for a hand exactly if it is publicly possible and its claim is true of the hand."""
    rng = random.Random(seed)
    referee = Referee.start(GAME, shuffled(rng.shuffle), {}, seed % 4)
    for _ in range(70):
        step, state = referee.advance(), referee.state
        seats = step.seats if isinstance(step, Sealed) else (step.seat,) if isinstance(step, Ask) else ()
        everything = (1 << PACK_SIZE) - 1
        for seat in seats:
            hand, allowed = referee.hands[seat], referee.legal(seat)
            for action in state.candidates(seat, everything):
                claim = state.claim(seat, action)
                assert (action in allowed) == holds(claim, action, hand)
        acts = {seat: choose(rng, referee.legal(seat)) for seat in seats}
        if isinstance(step, Sealed):
            referee.act_at_once(acts)
        elif seats:
            referee.act(seats[0], acts[seats[0]])


@settings(max_examples=40)
@given(options, seeds)
def test_whole_games_end_with_the_sum_of_their_deals(chosen: dict[str, str | int], seed: int) -> None:
    rng = random.Random(seed)
    referee = Referee.start(GAME, shuffled(rng.shuffle), {**chosen, "normal_deals": 2, "speed_deals": 2}, seed % 4)
    end = referee.play([lambda seat, state, hand, actions: choose(rng, actions)] * 4)
    assert end.step == Finished() and [result.deal for result in end.results] == [1, 2, 3, 4]
    assert end.totals == tuple(sum(result.points[seat] for result in end.results) for seat in range(4))
    assert end.winners and all(end.totals[seat] == max(end.totals) for seat in end.winners)


@settings(max_examples=40)
@given(seeds, st.integers(4, 60))
def test_what_everybody_sees_does_not_depend_on_hidden_cards(seed: int, moves: int) -> None:
    """Two deals with the same actions and different cards in the hands look alike."""
    rng = random.Random(seed)
    referee = Referee.start(GAME, shuffled(rng.shuffle), {"void_rule": "off"})
    done: list[tuple[int, Action]] = []
    while len(done) < moves and isinstance(step := referee.advance(), Ask):
        action = choose(rng, referee.legal(step.seat))
        if referee.state.redeals:  # type: ignore[attr-defined]
            return  # nobody bid: another pack
        referee.act(step.seat, action)
        done.append((step.seat, action))
    if isinstance(referee.state.step, NewPack):
        return
    for _ in range(20):
        if (other := replayed(rearranged(rng, referee, done), done)) is not None:
            assert other.view() == referee.state.view()
            assert other == referee.state


def rearranged(rng: random.Random, referee: Referee, done: list[tuple[int, Action]]) -> list[CardSet]:
    """Hands in which each seat has what it played, and the other cards are dealt anew."""
    hidden = [card for hand in referee.hands for card in cards_in(hand)]
    rng.shuffle(hidden)
    hands = []
    for seat in range(4):
        mine, hidden = hidden[: referee.hands[seat].bit_count()], hidden[referee.hands[seat].bit_count() :]
        played = sum(action.cards for who, action in done if who == seat)
        hands.append(played | sum(1 << card for card in mine))
    return hands


def replayed(hands: list[CardSet], done: list[tuple[int, Action]]) -> State | None:
    """The same actions with these hands, or None where a rule forbids one."""
    state = GAME.start({"void_rule": "off"})
    state = state.after(state.step)
    state = state.after(state.step)
    for seat, action in done:
        try:
            claim = check(state, seat, action, hands[seat])
        except Illegal:
            return None
        hands[seat] = remaining(hands[seat], action, claim)
        state = state.apply(seat, action)
    return state
