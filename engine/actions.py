"""Actions and their notation: the one place that parses and prints them.

The same short ASCII strings stand in the seat protocol, the log, game records, tests and on the screen. Suits are
``S H D C``, strains add ``NT``; a card that the reader may not know is ``??``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TypeAlias

from engine.cards import PACK_SIZE, Card, CardSet, card_name, card_set, name_list, parse_card

HIDDEN = "??"

# verb as typed -> what follows it. One row a verb: this table is the grammar.
#   ""  nothing    card  one card, may be hidden    cards  any number of cards    word  one of the listed words
_WORDS = {
    "game": ("complex", "tarneeb", "ltooshain", "trix"),
    "trump": ("S", "H", "D", "C"),
    "contract": ("S", "H", "D", "C", "NT", "none"),
    "void": ("redeal", "play"),
    "no": ("dash",),
}
_GRAMMAR = {
    "play": "card",
    "show": "card",
    "return": "card",
    "discard": "card",
    "give": "seat card",
    "double": "cards",
    "claim": "cards",
    "pass": "",
    "dash": "",
    "full": "",
    "stop": "",
    "estimate": "number",
    "bid": "bid",
    "game": "word",
    "trump": "word",
    "contract": "word",
    "void": "word",
    "no": "word",
}
FACE_DOWN = frozenset({"give", "return", "discard"})  # verbs whose card only some may see
STRAINS = ("C", "D", "H", "S", "NT")  # ascending for the auction (B-EST-3)


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that a seat does. `cards` are the cards named; `hidden` means one card that is not told here."""

    verb: str
    cards: CardSet = 0
    word: str = ""
    number: int = 0
    to: int = -1
    hidden: bool = False

    @property
    def card(self) -> Card:
        """The one card of an action that names one."""
        cards = self.cards
        assert cards and not cards & (cards - 1), self
        return cards.bit_length() - 1

    @property
    def takes_card(self) -> bool:
        """Whether the action names exactly one card, hidden or told."""
        return "card" in _GRAMMAR[self.verb].split()

    def concealed(self) -> Action:
        """The same action as those see it who may not know its card."""
        return Action(self.verb, word=self.word, number=self.number, to=self.to, hidden=True)

    def __str__(self) -> str:
        return _text(self)


TEXTS = 4096  # actions whose text is kept: a view names each action of the deal again


@lru_cache(TEXTS)
def _text(action: Action) -> str:
    parts = [action.verb]
    for piece in _GRAMMAR[action.verb].split():
        match piece:
            case "card":
                parts.append(HIDDEN if action.hidden else card_name(action.card))
            case "cards":
                parts += name_list(action.cards)
            case "seat":
                parts.append(str(action.to))
            case "number":
                parts.append(str(action.number))
            case "bid":
                parts.append(f"{action.number}{action.word}")
            case "word":
                parts.append(action.word)
    return " ".join(parts)


Kind: TypeAlias = tuple[str, int]
"""Actions that differ only in the one card they name: the verb, and the seat it goes to where they say so (else -1)."""
PLAYING: Kind = ("play", -1)


@cache
def naming(verb: str, to: int = -1) -> tuple[Action, ...]:
    """The 52 actions of this `Kind`, each at the number of the card that it names."""
    return tuple(Action(verb, cards=1 << card, to=to) for card in range(PACK_SIZE))


PLAYS = naming(*PLAYING)


def play(card: Card) -> Action:
    """Play a card."""
    return PLAYS[card]


PASS = Action("pass")


def whole(action: Action, hand: CardSet) -> Action:
    """The action with the cards that it means: a claim opens the whole hand, so its holder may say just ``claim``."""
    return replace(action, cards=hand) if action.verb == "claim" and not action.cards else action


def parse_action(text: str) -> Action:
    """The action that `text` stands for; `ValueError` when it is not in the notation."""
    verb, *rest = text.split() or [""]
    if verb not in _GRAMMAR:
        raise ValueError(text)
    fields: dict[str, object] = {}
    try:
        for piece in _GRAMMAR[verb].split():
            match piece:
                case "card":
                    name = rest.pop(0)
                    fields |= {"hidden": True} if name == HIDDEN else {"cards": 1 << parse_card(name)}
                case "cards":
                    cards = [parse_card(name) for name in rest]
                    if len(set(cards)) != len(cards):
                        raise ValueError(text)
                    fields["cards"] = card_set(cards)
                    rest = []
                case "seat":
                    fields["to"] = _digits(rest.pop(0))
                case "number":
                    fields["number"] = _digits(rest.pop(0))
                case "bid":
                    bid = rest.pop(0)
                    strain = next(s for s in ("NT", "S", "H", "D", "C") if bid.endswith(s))
                    fields |= {"number": _digits(bid[: -len(strain)]), "word": strain}
                case "word":
                    fields["word"] = rest.pop(0)
                    if fields["word"] not in _WORDS[verb]:
                        raise ValueError(text)
    except (IndexError, StopIteration) as missing:
        raise ValueError(text) from missing
    if rest:
        raise ValueError(text)
    return Action(verb, **fields)  # type: ignore[arg-type]


def _digits(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 2 and text == str(int(text))):
        raise ValueError(text)
    return int(text)
