"""Small tables for tests of Isti'mar and 3-5-8: packs with chosen hands, states in the middle of a trick, score sheets.

The scenario files (``tests/scenarios/*/*.table``) hold one worked example a line, columns separated by ``|``; the first
column is its id, the second the options that differ from the defaults. `rows` reads them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from engine.actions import Action, parse_action
from engine.cards import FULL_PACK, SUITS, Card, cards_in, names, parse_card, parse_cards, rank_of, suit_of
from engine.exchange import Exchange
from engine.game import Ask, Finished, NewPack, Outcome, Release, Search, State, Value, legal, owner
from engine.games import game
from engine.games.istimar import Istimar
from engine.games.three_five_eight import ThreeFiveEight
from engine.kitty import KittyDeal, KittyGame, Stage
from engine.referee import Referee, packs

PLAYABLE = {"istimar": "trump S", "three_five_eight": "contract S"}


def rows(folder: Path, name: str) -> list[tuple[str, ...]]:
    """The examples of one table file, cell by cell."""
    lines = (line.split("#")[0].strip() for line in (folder / f"{name}.table").read_text("utf-8").splitlines())
    return [tuple(cell.strip() for cell in line.split("|")) for line in lines if line]


def options_of(name: str, text: str) -> dict[str, Value]:
    """``under_trump free, extra_series 0`` as options of a game."""
    by_name = {option.name: option for option in game(name).options}
    pairs = [pair.split() for pair in text.split(",") if pair.strip()]
    return {key: by_name[key].parse(value) for key, value in pairs}


def numbers(text: str) -> tuple[int, ...]:
    """``+2 -1 -1`` as numbers."""
    return tuple(int(word) for word in text.split())


def pack_with(
    hands: Sequence[str] = ("", "", ""), kitty: str = "", lacks: Sequence[str] = ("", "", "")
) -> list[Card]:
    """A pack in which the seats are dealt at least these cards (in this order), and the kitty holds these. Besides them
    a seat gets no card of the suits that it `lacks`."""
    dealt: list[list[Card]] = [[parse_card(word) for word in cards.split()] for cards in (*hands, kitty)]
    named = {card for cards in dealt for card in cards}
    sizes = (16, 16, 16, 4)
    others = [card for card in cards_in(FULL_PACK) if card not in named]
    others.sort(key=lambda card: (-sum(SUITS[suit_of(card)] in suits for suits in lacks), rank_of(card)))
    for card in others:
        allowed = [place for place in range(4) if place == 3 or SUITS[suit_of(card)] not in lacks[place]]
        free = {place: sizes[place] - len(dealt[place]) for place in allowed}
        dealt[max(free, key=lambda place: free[place])].append(card)
    pack = [dealt[owner(position, 3)].pop(0) for position in range(52)]
    assert not any(dealt) and len(set(pack)) == 52
    return pack


def table(
    name: str, options: dict[str, Value] | None = None, pack: list[Card] | None = None, start: State | None = None
) -> Referee:
    """A referee whose every pack is this one, advanced to the first choice."""
    again = packs(list(pack or pack_with()) for _ in range(99))
    referee = Referee(start, again) if start is not None else Referee.start(game(name), again, options)
    referee.advance()
    return referee


def act(referee: Referee, *lines: str) -> None:
    """Let seats act: ``1 give 0 5H``. The table's own steps are done in between."""
    for line in lines:
        seat, _, text = line.partition(" ")
        referee.advance()
        referee.act(int(seat), parse_action(text))


def first_legal(referee: Referee, until: str) -> None:
    """Let everybody take the first legal action until this phase."""
    while referee.state.phase != until:
        step = referee.advance()
        if referee.state.phase == until or not isinstance(step, Ask):
            return
        referee.act(step.seat, referee.legal(step.seat)[0])


def in_trick(name: str, options: dict[str, Value], trump: str, on_table: str) -> tuple[KittyGame, int]:
    """A state in which these cards lie on the table, and the seat that plays next. Seat 0 led. `trump` is a suit, NT,
    or none."""
    referee = table(name, options, pack_with(kitty=""))
    state = referee.state
    while state.phase != "play":
        step = state.step
        if isinstance(step, Ask):
            state = state.apply(step.seat, next(iter(state.candidates(step.seat, FULL_PACK))))
        else:
            state = state.after(step)
    assert isinstance(state, Istimar | ThreeFiveEight) and state.hand is not None
    trick = tuple((seat, parse_card(word)) for seat, word in enumerate(on_table.split()))
    suit = SUITS.index(trump) if trump in SUITS else None
    hand: KittyDeal = replace(state.hand, trump=suit, leader=0, trick=trick)
    return replace(state, hand=hand), len(trick)


def playable(name: str, options: str, trump: str, on_table: str, hand: str) -> str:
    """The cards that may be played, as text."""
    state, seat = in_trick(name, options_of(name, options), trump, on_table)
    return names(sum(action.cards for action in legal(state, seat, parse_cards(hand))))


def returnable(name: str, options: str, trump: str, received: str, own: str) -> str:
    """The cards that a loser with `own` cards may return for a card received, as text."""
    state = exchanging(name, options_of(name, options), (2, -2, 0), trump)
    card = parse_card(received)
    state = state.apply(0, Action("give", cards=1 << card, to=1))
    hand = parse_cards(own) | 1 << card
    return names(sum(action.cards for action in legal(state, 1, hand, card)))


def exchanging(name: str, options: dict[str, Value], previous: tuple[int, ...], trump: str) -> KittyGame:
    """The state of deal 2 that stands at the exchange (or past it, when there is none); seat 0 declares."""
    state = game(name).start(options, dealer=2)
    assert isinstance(state, Istimar | ThreeFiveEight)
    if isinstance(state, Istimar):
        state = replace(state, deal=2, declarer=0, sought=-1, previous=previous)
    else:
        state = replace(state, deal=2, previous=previous)
    while isinstance(state.step, NewPack | Release):
        state = state.after(state.step)
    if isinstance(state, ThreeFiveEight):
        state = state.apply(0, parse_action(f"contract {trump}"))
        state = state.after(state.step)
    return state


def exchange_of(state: KittyGame) -> Exchange:
    """The exchange that a state stands at."""
    assert state.stage is Stage.EXCHANGE and state.exchange is not None
    return state.exchange


def sheet(state: State, tricks: Sequence[int], choice: str = "", shows: int = 0) -> State:
    """The state after a deal that was played with real cards: `choice` as in ``trump S``."""
    from importlib import import_module

    module = import_module(f"engine.games.{state.game.name}")
    choice = choice or PLAYABLE[state.game.name]
    while state.phase != "play":
        state = module.skip_hidden(state)
        step = state.step
        if isinstance(step, Search):
            state = state.apply(shows, Action("show", cards=1 << step.card))
        elif isinstance(step, Ask) and state.phase == "choose":
            state = state.apply(step.seat, parse_action(choice))
        elif isinstance(step, NewPack | Release):
            state = state.after(step)
    after: State = module.score_sheet(state, Outcome(tricks=tuple(tricks)))
    assert isinstance(after.step, NewPack | Finished)
    return after
