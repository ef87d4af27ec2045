"""Random games on the referee's table, for the property tests of the engine."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from engine.actions import Action, parse_action
from engine.cards import PACK_SIZE, CardSet, card_name
from engine.game import Ask, Finished, Sealed, State
from engine.games import NAMES, game
from engine.referee import Referee, shuffled

RANKS = "23456789TJQKA"
CARDS = [card_name(card) for card in range(PACK_SIZE)]

seeds = st.integers(0, 2**32 - 1)
names = st.sampled_from(NAMES)


@st.composite
def options_of(draw: st.DrawFn, name: str) -> dict[str, str | int]:
    """Any options of a game."""
    return {option.name: draw(st.sampled_from(option.values)) for option in game(name).options}


def any_choice(dice: Random) -> object:
    """A chooser that takes any legal action."""

    def choose(seat: int, state: State, hand: CardSet, actions: list[Action]) -> Action:
        return dice.choice(actions)

    return choose


def new_table(name: str, options: dict[str, str | int], seed: int) -> tuple[Referee, Random]:
    """A table before its first pack, and the dice for it."""
    dice = Random(seed)
    table = game(name)
    return Referee.start(table, shuffled(dice.shuffle), options, dice.randrange(table.seats)), dice


def play_some(referee: Referee, dice: Random, choices: int, claims: bool = True) -> bool:
    """Let random legal actions happen until so many steps waited for a choice; whether the game still goes on."""
    for _ in range(choices):
        step = referee.advance()
        if isinstance(step, Finished):
            return False
        if isinstance(step, Ask):
            actions = [action for action in referee.legal(step.seat) if claims or action.verb != "claim"]
            referee.act(step.seat, dice.choice(actions))
        elif isinstance(step, Sealed):
            referee.act_at_once({seat: dice.choice(referee.legal(seat)) for seat in step.seats})
    return not isinstance(referee.advance(), Finished)


def every_action() -> list[Action]:
    """Everything that can be said in the notation, except most sets of several cards."""
    texts = ["pass", "dash", "no dash", "full", "stop", "void redeal", "void play", "double", "double 2C", "claim"]
    texts += [f"game {word}" for word in ("complex", "tarneeb", "ltooshain", "trix")]
    texts += [f"trump {suit}" for suit in "SHDC"]
    texts += [f"contract {word}" for word in ("S", "H", "D", "C", "NT", "none")]
    texts += [f"estimate {number}" for number in range(15)]
    texts += [f"bid {number}{strain}" for number in range(15) for strain in ("C", "D", "H", "S", "NT")]
    for card in CARDS:
        texts += [f"{verb} {card}" for verb in ("play", "show", "return", "discard")]
        texts += [f"give {seat} {card}" for seat in range(4)]
    special = ("KH", "QC", "QD", "QH", "QS")
    for chosen in range(1, 1 << len(special)):
        texts.append("double " + " ".join(card for bit, card in enumerate(special) if chosen >> bit & 1))
    return [parse_action(text) for text in texts]
