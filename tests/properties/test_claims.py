"""Claiming the rest: wherever it is legal, no play and no distribution of the unseen cards can change the score."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions import Action
from engine.cards import FULL_PACK, PACK_SIZE, CardSet, card_set, cards_in, rank_of
from engine.game import Ask, Audit, Fault, Finished, Illegal, NewPack, Sealed, State, legal, owner
from engine.games import NAMES, game
from engine.kitty import KITTY_SIZE, KittyGame
from engine.knowledge import arranged
from engine.referee import Pack, Referee
from tests.properties.engine_games import options_of, seeds

PLAY_OUTS = 4


def uneven_pack(dice: Random, seats: int) -> Pack:
    """A pack that deals one seat mostly high cards, so that claims come early."""
    spread = dice.choice((1, 4, 20))
    best = sorted(range(PACK_SIZE), key=lambda card: rank_of(card) + dice.random() * spread)
    lucky = dice.randrange(seats)
    positions = sorted(range(PACK_SIZE), key=lambda position: owner(position, seats) == lucky)
    return [card for _, card in sorted(zip(positions, best, strict=True))]


def claim_of(referee: Referee, seat: int) -> Action | None:
    """The claim that is legal for `seat` now, always the last of the list."""
    actions = referee.legal(seat)
    assert all(action.verb != "claim" for action in actions[:-1])
    return actions[-1] if actions[-1].verb == "claim" else None


def elsewhere(referee: Referee, claimer: int, dice: Random) -> list[CardSet]:
    """Hands that all but the claimer might hold as well, by everything that was played and proved."""
    hands = referee.knowledge.hands
    others = [(seat, cards) for seat, slots in enumerate(hands) if seat != claimer for cards in slots.values()]
    mine = referee.hands[claimer]
    played = card_set(card for _, action in history(referee.state) if action.verb == "play" for card in [action.card])
    unseen = list(cards_in(FULL_PACK & ~mine & ~played))
    dice.shuffle(unseen)
    aside = KITTY_SIZE if isinstance(referee.state, KittyGame) else 0
    found = arranged([*(cards for _, cards in others), *[FULL_PACK] * aside], unseen)
    assert found is not None and len(found) == len(unseen)
    moved = [0] * len(hands)
    moved[claimer] = mine
    for (seat, _), card in zip(others, found, strict=False):
        moved[seat] |= 1 << card
    return moved


def history(state: State) -> list[tuple[int, Action]]:
    """What was done in this deal."""
    done = state.history  # type: ignore[attr-defined]
    return list(done() if callable(done) else done)


def play_out(state: State, hands: list[CardSet], dice: Random) -> State:
    """The state after the rest of the deal was played by chance."""
    while isinstance(step := state.step, Ask):
        action = dice.choice([one for one in legal(state, step.seat, hands[step.seat]) if one.verb != "claim"])
        hands[step.seat] &= ~action.cards
        state = state.apply(step.seat, action)
    return counted(state)


def counted(state: State) -> State:
    """The state when the table has done what follows the last trick."""
    while isinstance(step := state.step, Audit | Fault):
        state = state.after(step)
    assert isinstance(state.step, NewPack | Finished)
    return state


def came_to(state: State) -> tuple[object, ...]:
    """All that stays of a deal."""
    return state.results, state.redeals, state.deal, state.dealer, state.totals, state.winners, state.step


def asked(referee: Referee, dice: Random, choices: int) -> Iterator[int]:
    """Each seat that is asked alone, which the caller then lets act; where all choose at once, they do by chance."""
    for _ in range(choices):
        step = referee.advance()
        if isinstance(step, Finished):
            return
        if isinstance(step, Sealed):
            referee.act_at_once({seat: dice.choice(referee.legal(seat)) for seat in step.seats})
            continue
        assert isinstance(step, Ask)
        yield step.seat


def check_claims(referee: Referee, dice: Random, choices: int) -> int:
    """Play by chance without claiming, and try every claim on the way; how many there were."""
    claims = 0
    for seat in asked(referee, dice, choices):
        state = referee.state
        if (claim := claim_of(referee, seat)) is not None:
            claims += 1
            scored = came_to(counted(state.apply(seat, claim)))
            assert came_to(play_out(state, list(referee.hands), dice)) == scored
            for _ in range(PLAY_OUTS):
                assert came_to(play_out(state, elsewhere(referee, seat, dice), dice)) == scored
        referee.act(seat, dice.choice([one for one in referee.legal(seat) if one.verb != "claim"]))
    return claims


@given(st.data(), st.sampled_from(NAMES), seeds)
@settings(deadline=None, max_examples=40)
def test_after_a_claim_every_play_out_gives_the_same_score(data: st.DataObject, name: str, seed: int) -> None:
    """C-6, in every game and contract, whatever is dealt and played."""
    dice, rules = Random(seed), game(name)
    options = data.draw(options_of(name))
    referee = Referee.start(rules, lambda: uneven_pack(dice, rules.seats), options, dice.randrange(rules.seats))
    check_claims(referee, dice, 400)


def test_claims_are_found_in_every_game() -> None:
    """The property above is not true for want of claims."""
    for name in NAMES:
        dice, rules = Random(7), game(name)
        referee = Referee.start(rules, partial(uneven_pack, dice, rules.seats))
        assert check_claims(referee, dice, 400) >= 5, name


@given(st.sampled_from(NAMES), seeds)
@settings(deadline=None, max_examples=20)
def test_a_claim_is_of_the_whole_hand_by_the_leader_and_certain(name: str, seed: int) -> None:
    """What is not listed is refused with the reason: too few cards, not on lead, a card that may be beaten."""
    dice, rules = Random(seed), game(name)
    referee = Referee.start(rules, lambda: uneven_pack(dice, rules.seats))
    for seat in asked(referee, dice, 150):
        view, hand = referee.state.view(), referee.hands[seat]
        if referee.state.phase == "play" and view.get("contract") != "trix":
            reasons = {"claim-not-certain", "claim-declaration-open"}
            if view["trick"]:
                reasons = {"claim-not-leading"}
            for cards, expected in ((hand, reasons), (hand & hand - 1, reasons | {"claim-whole-hand"})):
                try:
                    referee.state.claim(seat, Action("claim", cards=cards))
                except Illegal as refusal:
                    assert refusal.code in expected and refusal.rule == "C-6"
                else:
                    assert cards == hand and claim_of(referee, seat) == Action("claim", cards=hand)
        referee.act(seat, dice.choice(referee.legal(seat)))
