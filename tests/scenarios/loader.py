"""Scenarios: game records with lines that say what must be so where they stand.

Other readers of records ignore lines that begin with ``x-``; here the record is replayed up to each of them, and::

    x-legal 3: dash / bid 4NT              the legal actions of seat 3, whose hand is that of the record
    x-legal 3 [3D AS]: play 3D             the same with this hand
    x-refused 2 bid 3S: EST-7              not possible, and the rule that says so
    x-breakdown 3: EST-S1 1, EST-S5 20     how the points of the deal just scored came about
    x-state: phase play, tricks 0+2+0+1    fields of the view; lists are written with +
    x-asks: 0 1 2 3                        the seats that the step waits for
    x-winners: 0 2                         who won; the game is over
    x-over                                 the game is over
    x-preset: egyptian                     the options above are exactly this preset
"""

from __future__ import annotations

from pathlib import Path

from engine.actions import parse_action
from engine.cards import CardSet, parse_cards
from engine.game import Illegal, asked, check, legal
from engine.record import Replay, read, replay

HERE = Path(__file__).parent


def scenarios() -> list[Path]:
    """Every record among the scenarios."""
    return sorted(HERE.glob("*/*.txt"))


def title(path: Path) -> str:
    """``kasra/KAS-X1``."""
    return f"{path.parent.name}/{path.stem}"


def run(text: str) -> int:
    """Check every expectation of a scenario; how many there were. `AssertionError` names the line."""
    lines = text.splitlines()
    checked = 0
    for number, line in enumerate(lines, 1):
        if line.startswith("x-"):
            check_one = CHECKS[line.split(":")[0].split()[0]]
            so_far = replay(read("\n".join(lines[: number - 1])))
            try:
                check_one(so_far, line.split("#")[0].strip())
            except AssertionError as wrong:
                raise AssertionError(f"line {number}: {line}\n{wrong}") from wrong
            checked += 1
    replay(read(text))
    return checked


def _parts(line: str) -> tuple[str, str]:
    head, _, tail = line.rpartition(":")
    return head.split(maxsplit=1)[1] if " " in head else "", tail.strip()


def _hand(so_far: Replay, seat: int, who: str = "") -> CardSet:
    if "[" in who:
        return parse_cards(who.split("[")[1].rstrip("]"))
    return so_far.hands[seat] if so_far.hands else 0


def _legal(so_far: Replay, line: str) -> None:
    who, expected = _parts(line)
    seat = int(who.split()[0])
    found = " / ".join(str(action) for action in legal(so_far.state, seat, _hand(so_far, seat, who)))
    assert found == expected, found


def _refused(so_far: Replay, line: str) -> None:
    who, rule = _parts(line)
    seat, words = who.split(maxsplit=1)
    try:
        check(so_far.state, int(seat), parse_action(words), _hand(so_far, int(seat)))
    except Illegal as refusal:
        assert refusal.rule == rule, refusal
    else:
        raise AssertionError("it was allowed")


def _breakdown(so_far: Replay, line: str) -> None:
    seat, expected = _parts(line)
    found = ", ".join(f"{rule} {points}" for rule, points in so_far.results[-1].breakdown[int(seat)])
    assert found == expected, found


def _state(so_far: Replay, line: str) -> None:
    view = so_far.state.view()
    for part in _parts(line)[1].split(","):
        name, _, value = part.strip().partition(" ")
        seen = view[name]
        found = "+".join(map(str, seen)) if isinstance(seen, list) else str(seen)
        assert found == value, f"{name} {found}"


def _asks(so_far: Replay, line: str) -> None:
    assert asked(so_far.state.step) == tuple(map(int, _parts(line)[1].split())), so_far.state.step


def _winners(so_far: Replay, line: str) -> None:
    assert so_far.finished
    assert so_far.state.winners == tuple(map(int, _parts(line)[1].split())), so_far.state.winners


def _over(so_far: Replay, line: str) -> None:
    assert so_far.finished


def _preset(so_far: Replay, line: str) -> None:
    game = so_far.game
    assert game.chosen(so_far.state.options) == game.chosen(game.presets[_parts(line)[1]])


CHECKS = {
    "x-legal": _legal,
    "x-refused": _refused,
    "x-breakdown": _breakdown,
    "x-state": _state,
    "x-asks": _asks,
    "x-winners": _winners,
    "x-over": _over,
    "x-preset": _preset,
}
