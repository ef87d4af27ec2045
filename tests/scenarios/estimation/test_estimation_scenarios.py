"""Every worked example of the rules, and every option and preset, as a game record beside this file.

Lines that begin with ``x-`` are ignored by other readers of records and checked here::

    x-preset: egyptian            the options above are exactly this preset
    x-legal 3: dash / bid 4NT     the legal actions of seat 3, whose hand is that of the record (none: public choices)
    x-legal 3 [3D AS]: play 3D    the same with this hand
    x-refused 2 bid 3S: EST-7     not possible, and the rule that says so
    x-breakdown 3: EST-S1 1, EST-S5 20      of the deal just scored
    x-state: phase play, turn 0, trump S    fields of the view; lists are written 0+2
"""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.actions import parse_action
from engine.cards import NO_CARDS, CardSet, parse_cards
from engine.game import Finished, Illegal, NewPack, Outcome, Release, Start, State, check, legal, remaining
from engine.games.estimation import GAME, begin_at, score_sheet, skip_hidden
from engine.record import read, replay

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.txt"))


class Reader:
    """Plays a record through the engine, line by line."""

    def __init__(self) -> None:
        self.options: dict[str, str | int] = {}
        self.start: dict[str, int] = {}
        self.state: State | None = None
        self.hands: list[CardSet] = []
        self.ended = True  # the next `deal` line begins a deal

    def read(self, text: str) -> None:
        for number, line in enumerate(text.splitlines(), 1):
            line = line.split("#")[0].strip()
            if line:
                try:
                    self.line(*line.split(maxsplit=1))
                except (AssertionError, Illegal) as wrong:
                    raise AssertionError(f"line {number}: {line}: {wrong!r}") from wrong

    def line(self, first: str, rest: str = "") -> None:
        match first:
            case "majlis-record" | "game:" | "seats:" | "seat":
                pass
            case "option:":
                name, value = rest.split()
                option = next(option for option in GAME.options if option.name == name)
                self.options[name] = option.parse(value)
            case "x-preset:":
                assert GAME.chosen(self.options) == GAME.chosen(GAME.presets[rest])
            case "deal":
                self.hands = []
                self.start["deal"] = int(rest)
            case "dealer:" | "multiplier:":
                self.start[first[:-1]] = int(rest)
            case "hand":
                self.hands.append(parse_cards(rest.split(":")[1]))
            case "redeal:":
                assert self.table().step == NewPack()
                assert rest == self.table().redeals[-1]  # type: ignore[attr-defined]
                self.hands = []
            case "tricks:":
                outcome = Outcome(tricks=tuple(map(int, rest.split())))
                self.state = score_sheet(self.deal(), outcome)  # type: ignore[arg-type]
            case "score:":
                assert list(self.table().results[-1].points) == [int(word) for word in rest.split()]
            case "total:":
                assert list(self.table().totals) == [int(word) for word in rest.split()]
            case "x-over":
                assert self.table().step == Finished()
            case "x-breakdown":
                seat, parts = rest.split(":")
                found = ", ".join(f"{rule} {points}" for rule, points in self.table().results[-1].breakdown[int(seat)])
                assert found == parts.strip()
            case "x-state:":
                view = self.deal().view()
                for part in rest.split(","):
                    name, value = part.split()
                    seen = view[name]
                    assert ("+".join(map(str, seen)) if isinstance(seen, list) else str(seen)) == value, seen
            case "x-legal":
                who, actions = rest.split(":")
                seat = int(who.split()[0])
                hand = parse_cards(who.split("[")[1].rstrip("]")) if "[" in who else self.hand(seat)
                found = " / ".join(str(action) for action in legal(self.deal(), seat, hand))
                assert found == actions.strip()
            case "x-refused":
                action, rule = rest.rsplit(":", 1)
                who, words = action.split(maxsplit=1)
                with pytest.raises(Illegal) as refusal:
                    check(self.deal(), int(who), parse_action(words), self.hand(int(who)))
                assert refusal.value.rule == rule.strip()
            case _:
                self.act(int(first), rest)

    def act(self, seat: int, words: str) -> None:
        action, state = parse_action(words), self.deal()
        if self.hands:
            claim = check(state, seat, action, self.hands[seat])
            self.hands[seat] = remaining(self.hands[seat], action, claim)
        else:
            state.claim(seat, action)
        self.state = state.apply(seat, action)

    def hand(self, seat: int) -> CardSet:
        return self.hands[seat] if self.hands else NO_CARDS

    def table(self) -> State:
        if self.state is None:
            begin = Start(**self.start)
            self.state = begin_at(GAME.chosen(self.options), begin)
        return self.state

    def deal(self) -> State:
        """The state with this deal's cards dealt."""
        state = self.table()
        while isinstance(state.step, NewPack | Release):
            if isinstance(state.step, NewPack):
                assert {name: getattr(state, name) for name in self.start} == self.start, self.start
            state = state.after(state.step)
        self.state = state if self.hands else skip_hidden(state)  # type: ignore[arg-type]
        return self.state


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_scenario(path: Path) -> None:
    Reader().read(path.read_text("utf-8"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_scenario_is_a_record_that_replays(path: Path) -> None:
    replay(read(path.read_text("utf-8")))


def test_every_worked_example_and_every_option_and_preset_has_a_scenario() -> None:
    texts = {path.stem: path.read_text("utf-8") for path in FILES}
    assert {f"EST-X{number}" for number in (1, 2, 3, 5, 7, 9, 11, 12, 13)} <= set(texts)
    chosen = "\n".join(texts.values())
    for option in GAME.options:
        for value in option.values[1:] if len(option.values) < 5 else ():
            assert f"option: {option.name} {value}\n" in chosen, (option.name, value)
    for preset in GAME.presets:
        assert preset == "seed" or f"x-preset: {preset}\n" in chosen
