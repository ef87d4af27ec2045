"""The points of a deal of Kasra, from how it ended (an `Outcome`), which cards were doubled and by whom.

Every number stands in one table with the rule it comes from. A breakdown lists (rule id, points) for each seat.
"""

from __future__ import annotations

from engine.cards import DIAMONDS, HEARTS, KING, NO_CARDS, QUEEN, SUIT_CARDS, CardSet, card, cards_in, count
from engine.game import Illegal, Outcome

SEATS = 4
TRICKS = 13

KING_OF_HEARTS: CardSet = 1 << card(KING, HEARTS)
QUEENS: CardSet = sum(1 << card(QUEEN, suit) for suit in range(4))
DOUBLABLE: CardSet = KING_OF_HEARTS | QUEENS
PENALTY_CARDS: CardSet = DOUBLABLE | SUIT_CARDS[DIAMONDS]

# Complex (KAS-5), in the order in which a score sheet lists it.
KING_POINTS, QUEEN_POINTS, DIAMOND_POINTS, COMPLEX_TRICK_POINTS = -75, -25, -10, -15
TARNEEB_TRICK_POINTS = 10  # KAS-6
LAST_TRICKS_POINTS = (-60, -70)  # KAS-7: tricks 12 and 13
TRIX_POINTS = (200, 150, 100, 50)  # KAS-8, by order of going out

Lines = list[list[tuple[str, int]]]


def single_value(one: int) -> int:
    """What a card that can be doubled costs its taker, undoubled; its being a diamond not counted (B-KAS-9)."""
    return -KING_POINTS if KING_OF_HEARTS >> one & 1 else -QUEEN_POINTS


def breakdown(
    contract: str, outcome: Outcome, doubled: tuple[CardSet, ...], self_capture: str
) -> tuple[tuple[tuple[str, int], ...], ...]:
    """(rule id, points) for each seat; lines of nothing are left out. `doubled` is by seat."""
    lines: Lines = [[] for _ in range(SEATS)]
    match contract:
        case "complex":
            _complex(lines, outcome, doubled, self_capture)
        case "tarneeb":
            for seat, tricks in enumerate(outcome.tricks):
                lines[seat].append(("KAS-6", TARNEEB_TRICK_POINTS * tricks))
        case "ltooshain":
            for seat, points in zip(outcome.last, LAST_TRICKS_POINTS, strict=True):
                lines[seat].append(("KAS-7", points))
        case "trix":
            for seat, points in zip(finishing_order(outcome.out), TRIX_POINTS, strict=True):
                lines[seat].append(("KAS-8", points))
    return tuple(tuple(line for line in seat if line[1]) for seat in lines)


def _complex(lines: Lines, outcome: Outcome, doubled: tuple[CardSet, ...], self_capture: str) -> None:
    """KAS-5 a line for each kind of penalty, then KAS-9 for doubled cards (B-KAS-8 for one's own)."""
    for seat, (tricks, taken) in enumerate(zip(outcome.tricks, outcome.took, strict=True)):
        lines[seat] += [
            ("KAS-5-king", KING_POINTS * count(taken & KING_OF_HEARTS)),
            ("KAS-5-queens", QUEEN_POINTS * count(taken & QUEENS)),
            ("KAS-5-diamonds", DIAMOND_POINTS * count(taken & SUIT_CARDS[DIAMONDS])),
            ("KAS-5-tricks", COMPLEX_TRICK_POINTS * tricks),
        ]
    for doubler, shown in enumerate(doubled):
        for one in cards_in(shown):
            value = single_value(one)
            taker = next(seat for seat, taken in enumerate(outcome.took) if taken >> one & 1)
            if taker != doubler:
                lines[taker].append(("KAS-9", -value))
                lines[doubler].append(("KAS-9", value))
            elif self_capture == "full":
                lines[taker].append(("B-KAS-8", -value))  # net: the second loss and the gain cancel out


def finishing_order(out: tuple[int, ...]) -> tuple[int, ...]:
    """All four seats: whoever is not out when the third is, is fourth (B-KAS-15)."""
    return out + tuple(seat for seat in range(SEATS) if seat not in out)


def check_outcome(contract: str, outcome: Outcome) -> None:
    """`Illegal` (code ``bad-outcome``) for what is impossible or missing in the outcome of a score-sheet deal."""
    match contract:
        case "complex":
            rule, lines, possible = "KAS-5", "tricks, took", _tricks_fit(outcome) and _took_fits(outcome)
        case "tarneeb":
            rule, lines, possible = "KAS-6", "tricks", _tricks_fit(outcome)
        case "ltooshain":
            rule, lines, possible = "KAS-7", "last", len(outcome.last) == 2 and _seats(outcome.last)
        case "trix":
            rule, lines, possible = "KAS-8", "out", _out_fits(outcome.out)
        case _:
            rule, lines, possible = "KAS-3", "game", False
    if not possible:
        raise Illegal(rule, "bad-outcome", lines=lines)


def _seats(seats: tuple[int, ...]) -> bool:
    return all(0 <= seat < SEATS for seat in seats)


def _tricks_fit(outcome: Outcome) -> bool:
    return len(outcome.tricks) == SEATS and sum(outcome.tricks) == TRICKS and min(outcome.tricks) >= 0


def _took_fits(outcome: Outcome) -> bool:
    """Every penalty card once, and no more cards than the tricks of a seat hold."""
    found = NO_CARDS
    for taken, tricks in zip(outcome.took, outcome.tricks, strict=False):
        if taken & found or count(taken) > SEATS * tricks:
            return False
        found |= taken
    return len(outcome.took) == SEATS and found == PENALTY_CARDS


def _out_fits(out: tuple[int, ...]) -> bool:
    return len(out) in (SEATS - 1, SEATS) and _seats(out) and len(set(out)) == len(out)
