"""The fast core of the searching bots plays by the engine's rules: same legal cards at every step, same points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.practice import seat_view
from bots.search.deals import deal_of
from bots.search.hidden import ASIDE, Hidden, hidden
from bots.search.policies import AVOID, DUCK, SHED, TAKE, WANT
from bots.search.reading import Reading
from bots.search.tricks import Policy, Position, Rules, legal_cards
from bots.search.trix import TrixPosition, chosen
from bots.search.worlds import Worlds
from engine.actions import Action
from engine.cards import FULL_PACK, SUIT_CARDS, CardSet, card_set
from engine.game import Ask, Finished, NewPack, Sealed
from engine.games import NAMES
from engine.tricks import Duties
from tests.properties.engine_games import new_table, options_of, seeds

DEALS = {"kasra": 4, "estimation": 2, "istimar": 2, "three_five_eight": 3}


def choice(dice: Random, actions: list[Action]) -> Action:
    """Any action, but rarely a redeal, and no claim: deals are to be played out."""
    serious = [action for action in actions if action.verb != "claim" and str(action) != "void redeal"]
    return dice.choice(serious or actions)


@pytest.mark.parametrize("game", NAMES)
@settings(max_examples=12)
@given(data=st.data())
def test_core_and_engine_agree_on_what_may_be_played_and_what_it_scores(game: str, data: st.DataObject) -> None:
    referee, dice = new_table(game, data.draw(options_of(game)), data.draw(seeds))
    while len(referee.state.results) < DEALS[game] and not isinstance(step := referee.advance(), Finished | NewPack):
        if isinstance(step, Sealed):
            referee.act_at_once({seat: choice(dice, referee.legal(seat)) for seat in step.seats})
            continue
        assert isinstance(step, Ask)
        seat, legal = step.seat, referee.legal(step.seat)
        action = choice(dice, legal)
        scored = len(referee.state.results)
        if referee.state.phase == "play":
            deal = deal_of(Reading.of(seat_view(referee, seat)))
            core = deal.at(referee.hands)
            assert core.turn == seat and not core.over
            assert core.legal() == card_set(one.card for one in legal if one.verb == "play")
            core.play(action.cards)
            referee.act(seat, action)
            if core.over:
                assert len(referee.state.results) == scored + 1 or referee.advance()
                assert list(deal.points(core)) == list(referee.state.results[-1].points)  # type: ignore[arg-type]
            else:
                assert core.hands == referee.hands
        else:
            referee.act(seat, action)


def hands_of(dice: Random, seats: int, size: int) -> list[CardSet]:
    pack = list(range(52))
    dice.shuffle(pack)
    return [card_set(pack[seat * size : (seat + 1) * size]) for seat in range(seats)]


@given(
    seed=seeds,
    seats=st.sampled_from([3, 4]),
    trump=st.sampled_from([0, *SUIT_CARDS]),
    duties=st.builds(
        Duties,
        st.just("follow"),
        must_trump=st.booleans(),
        must_beat=st.booleans(),
        beat_led_in_trumped_trick=st.booleans(),
        under_trump_free=st.booleans(),
    ),
    policies=st.lists(st.sampled_from([TAKE, WANT, DUCK, SHED, AVOID]), min_size=4, max_size=4),
    begun=st.integers(0, 20),
)
def test_playing_out_is_playing_card_by_card(
    seed: int, seats: int, trump: CardSet, duties: Duties, policies: list[Policy], begun: int
) -> None:
    dice = Random(seed)
    slow = Position(Rules(seats, trump, duties), hands_of(dice, seats, 12), dice.randrange(seats))
    for _ in range(begun):
        legal = slow.legal()
        slow.play(1 << dice.choice([one for one in range(52) if legal >> one & 1]))
    fast = slow.copy()
    fast.finish(policies[:seats])
    while not slow.over:
        legal, hand = slow.legal(), slow.hands[slow.turn]
        assert legal and not legal & ~hand
        policy, others = policies[slow.turn], (sum(slow.hands) | slow.table) ^ hand
        trumped, after = bool(slow.best & trump), seats - 1 - slow.laid
        if not legal & (legal - 1):
            bit = legal
        elif not slow.led:
            bit = policy.lead(hand, others, trump)
        elif legal & slow.led:
            bit = policy.follow(legal, others, slow.best, trumped and slow.led != trump, after)
        else:
            bit = policy.throw(legal, trump, slow.best, trumped, after)
        assert bit & legal and not bit & (bit - 1)
        slow.play(bit)
    assert fast.over and (fast.won, fast.taken, fast.last) == (slow.won, slow.taken, slow.last)
    assert sum(fast.won) == 12


@given(seed=seeds)
def test_trix_played_out_is_trix_played_card_by_card(seed: int) -> None:
    dice = Random(seed)
    referee, _ = new_table("kasra", {}, seed)
    referee.advance()
    hands = list(referee.hands)
    slow = TrixPosition(hands, dice.randrange(4))
    for _ in range(dice.randrange(30)):
        legal = slow.legal()
        slow.play(1 << dice.choice([one for one in range(52) if legal >> one & 1]) if legal else 0)
    fast = slow.copy()
    fast.finish()
    while not slow.over:
        legal = slow.legal()
        bit = chosen(slow.hands[slow.turn], legal) if legal else 0
        assert not bit & ~legal
        slow.play(bit)
    assert fast.out == slow.out and fast.over


def test_no_duty_is_forgotten() -> None:
    """The core knows every field of `Duties`: a new one must be looked at here."""
    assert {name for name in Duties.__slots__ if not name.endswith("_rule")} == {
        "must_trump", "must_beat", "beat_led_in_trumped_trick", "under_trump_free",
    }  # fmt: skip
    assert legal_cards(Rules(3, 0, Duties("")), FULL_PACK, 0, 0, 0) == FULL_PACK


@pytest.mark.parametrize("game", NAMES)
@settings(max_examples=8)
@given(data=st.data())
def test_the_true_hands_are_always_possible_and_every_world_fits(game: str, data: st.DataObject) -> None:
    referee, dice = new_table(game, data.draw(options_of(game)), data.draw(seeds))
    for _ in range(data.draw(st.integers(5, 90))):
        step = referee.advance()
        if isinstance(step, Finished):
            return
        for seat in (step.seat,) if isinstance(step, Ask) else step.seats if isinstance(step, Sealed) else ():
            reading = Reading.of(seat_view(referee, seat))
            places = hidden(reading)
            for place, can_hold in zip(places.places, places.can_hold, strict=True):
                aside = places.cards & ~sum(referee.hands)
                assert not (aside if place == ASIDE else referee.hands[place]) & ~can_hold
            assert not reading.aside or ASIDE not in places.places, "who put cards aside knows where all others are"
            world = Worlds(places, dice).draw()
            assert sum(world) == places.cards and sum(cards.bit_count() for cards in world) == places.cards.bit_count()
            for cards, count, can_hold in zip(world, places.counts, places.can_hold, strict=True):
                assert cards.bit_count() == count and not cards & ~can_hold
        if isinstance(step, Ask):
            referee.act(step.seat, choice(dice, referee.legal(step.seat)))
        elif isinstance(step, Sealed):
            referee.act_at_once({seat: choice(dice, referee.legal(seat)) for seat in step.seats})


SMALL = Hidden(0b111111, (1, 2, ASIDE), (3, 2, 1), (0b011111, 0b111011, 0b111111))
"""Six cards in three places, some of which cannot hold some of them."""


def all_worlds(hidden: Hidden) -> set[tuple[CardSet, ...]]:
    """The worlds of `SMALL`, counted one by one."""
    possible = set()
    for first in combinations(range(6), 3):
        for second in combinations(sorted(set(range(6)) - set(first)), 2):
            world = (card_set(first), card_set(second), hidden.cards & ~card_set(first) & ~card_set(second))
            if not any(hand & ~can for hand, can in zip(world, hidden.can_hold, strict=True)):
                possible.add(world)
    return possible


def test_every_world_is_equally_likely() -> None:
    possible = all_worlds(SMALL)
    worlds, draws = Worlds(SMALL, Random(1)), 20_000
    seen = Counter(tuple(worlds.draw()) for _ in range(draws))
    assert set(seen) == possible
    expected = draws / len(possible)
    assert all(abs(number - expected) < 5 * expected**0.5 for number in seen.values())


def test_worlds_are_as_likely_as_is_said() -> None:
    """Many draws are hardly likely, so that all worlds are moved on."""

    def likelihood(hands: Sequence[CardSet]) -> float:
        return (0.01 if hands[0] & 1 else 1.0) * (1 + (hands[1] & 0b111).bit_count())

    possible = all_worlds(SMALL)
    total = sum(likelihood(world) for world in possible)
    worlds = Worlds(SMALL, Random(2))
    seen = Counter(tuple(hands) for _ in range(40) for _, hands in worlds.sample(500, likelihood, tries=1))
    assert set(seen) <= possible
    for world in possible:
        expected = 20_000 * likelihood(world) / total
        assert abs(seen[world] - expected) < 0.1 * expected + 15, (world, seen[world], expected)


def test_a_likely_draw_brings_more_than_one_world() -> None:
    """Few of a hundred draws are likely at all, and still there are many worlds to look at."""
    cards = (1 << 39) - 1
    hidden = Hidden(cards, (1, 2, 3), (13, 13, 13), (cards,) * 3)
    likely = card_set(range(6))
    found = Worlds(hidden, Random(3)).sample(25, lambda hands: 1000.0 ** (hands[0] & likely).bit_count())
    draws = {draw for draw, _ in found}
    assert len(draws) < 10 < 20 < len({tuple(hands) for _, hands in found})
