"""How much stronger one bot is than others: the same every time, and the steady one stronger than chance."""

from __future__ import annotations

from bots.strength import Strength, compare


def test_steady_beats_random_at_kasra() -> None:
    strength = compare("kasra", "steady", "random", deals=160, seed=1)
    assert strength.sure and strength.deals == 160, str(strength)


def test_a_bot_is_no_stronger_than_itself() -> None:
    assert not compare("kasra", "random", "random", deals=64, seed=2).sure


def test_strength_is_the_same_every_time() -> None:
    assert compare("kasra", "steady", "random", 32, 3) == compare("kasra", "steady", "random", 32, 3)


def test_a_strength_is_told_with_its_interval() -> None:
    assert str(Strength(2.0, 12.71, 32)) == "+2.0 ± 12.7 points a deal (32 deals)"
