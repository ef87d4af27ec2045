"""What the public knows of hidden hands, worked out when somebody looks."""

from __future__ import annotations

from engine.cards import parse_card
from engine.knowledge import Knowledge


def known() -> Knowledge:
    """Two seats with two cards each, one of which was seen elsewhere."""
    knowledge = Knowledge.of(2)
    for slot in range(4):
        knowledge.deal(slot % 2, slot)
    knowledge.see(parse_card("AS"))
    return knowledge


def test_the_same_is_known_whether_somebody_has_looked_or_not() -> None:
    """Two copies of a table agree although only one of them was asked."""
    looked, not_yet = known(), known()
    assert not looked.can_hold(0) >> parse_card("AS") & 1
    assert looked == not_yet
    not_yet.exclude(1, 1 << parse_card("2C"))
    assert looked != not_yet
