"""How states give new states: copied as they lie, never changed."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass, replace

import pytest

from engine.cards import FULL_PACK, parse_card, parse_cards
from engine.knowledge import Knowledge
from engine.values import changed


@dataclass(frozen=True)
class Pair:
    first: int
    second: int = 2


def test_a_changed_value_is_what_replace_makes_and_the_old_one_stays() -> None:
    old = Pair(1)
    new = changed(old, second=5)
    assert new == replace(old, second=5) and type(new) is Pair
    assert old == Pair(1, 2)
    with pytest.raises(FrozenInstanceError):
        new.second = 6  # type: ignore[misc]


def test_a_field_that_does_not_exist_is_our_mistake() -> None:
    with pytest.raises(AssertionError, match="third"):
        changed(Pair(1), third=3)


def test_what_is_noted_of_a_hand_shows_in_its_slots_and_a_card_that_was_shown_stays_known() -> None:
    knowledge = Knowledge.of(2)
    for slot in range(4):
        knowledge.deal(slot % 2, slot)
    shown, played = parse_card("7H"), parse_card("AS")
    knowledge.show(0, 0, shown)
    knowledge.see(played)
    knowledge.exclude(1, parse_cards("2C 3C"))
    unseen = FULL_PACK & ~(1 << shown) & ~(1 << played)
    without = unseen & ~parse_cards("2C 3C")
    assert knowledge.hands == [{0: 1 << shown, 2: unseen}, {1: without, 3: without}]
    knowledge.mix(0, [4, 5])  # now either can be the card that was shown
    assert knowledge.hands[0] == {4: unseen | 1 << shown, 5: unseen | 1 << shown}
    knowledge.see(parse_card("KS"))
    assert knowledge.leave(1, 1) == without & ~parse_cards("KS")
    knowledge.enter(1, 6, parse_cards("2C 9D"))  # what was excluded before says nothing of a card that comes in
    assert knowledge.can_hold(1) == unseen & ~parse_cards("3C KS")
    assert knowledge.fold()[1][6] == parse_cards("2C 9D") and not any(knowledge.hands)
