"""Cards as small integers and sets of cards as 52-bit integers.

A card is ``13 * suit + rank`` with suits clubs 0, diamonds 1, hearts 2, spades 3 (their order in bidding) and ranks
2 to A as 0 to 12 (C-2 in the rules). A `CardSet` has bit *c* set when it holds card *c*. Text is rank then suit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TypeAlias

Card: TypeAlias = int
CardSet: TypeAlias = int
Suit: TypeAlias = int

PACK_SIZE = 52
POSITIONS = tuple(range(PACK_SIZE))  # of a pack's cards, in the order in which they are dealt
SUIT_SIZE = 13
RANKS = "23456789TJQKA"
SUITS = "CDHS"
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
JACK, QUEEN, KING, ACE = range(9, 13)

FULL_PACK: CardSet = (1 << PACK_SIZE) - 1
NO_CARDS: CardSet = 0
SUIT_CARDS: tuple[CardSet, ...] = tuple(((1 << SUIT_SIZE) - 1) << (SUIT_SIZE * suit) for suit in range(4))


# Where a card stands when cards are looked at by rank: 2♣ 2♦ 2♥ 2♠ 3♣ …
_PLACES = [4 * (number % SUIT_SIZE) + number // SUIT_SIZE for number in range(PACK_SIZE)]
# Views are full of names, so they are looked up.
_NAMES = tuple(rank + suit for suit in SUITS for rank in RANKS)
_CARDS = {name: number for number, name in enumerate(_NAMES)}


def card(rank: int, suit: Suit) -> Card:
    """The card of `rank` (0..12) in `suit` (0..3)."""
    return SUIT_SIZE * suit + rank


def suit_of(card: Card) -> Suit:
    """The suit, 0..3."""
    return card // SUIT_SIZE


def rank_of(card: Card) -> int:
    """The rank, 0 (two) to 12 (ace)."""
    return card % SUIT_SIZE


def single(card: Card) -> CardSet:
    """The set that holds just `card`."""
    return 1 << card


def card_set(cards: Iterable[Card]) -> CardSet:
    """The set of `cards`."""
    mask = 0
    for one in cards:
        mask |= 1 << one
    return mask


def cards_in(cards: CardSet) -> Iterator[Card]:
    """The cards of a set, ascending by number (suit, then rank)."""
    while cards:
        low = cards & -cards
        yield low.bit_length() - 1
        cards ^= low


def by_rank(cards: CardSet) -> list[Card]:
    """The cards of a set from the lowest rank up, clubs before spades: the order in which the stand-in sees them."""
    return sorted(cards_in(cards), key=_PLACES.__getitem__)


def count(cards: CardSet) -> int:
    """How many cards a set holds."""
    return cards.bit_count()


def above(card: Card) -> CardSet:
    """The higher cards of the same suit."""
    return SUIT_CARDS[suit_of(card)] & ~((1 << (card + 1)) - 1)


def below(card: Card) -> CardSet:
    """The lower cards of the same suit."""
    return SUIT_CARDS[suit_of(card)] & ((1 << card) - 1)


def highest(cards: CardSet) -> Card:
    """The card with the highest number in a set that is not empty (within one suit: the highest card)."""
    return cards.bit_length() - 1


def card_name(card: Card) -> str:
    """Two letters, rank then suit: ``AS``, ``TD``."""
    return _NAMES[card]


def parse_card(text: str) -> Card:
    """The card that two letters name; `ValueError` when they name none."""
    found = _CARDS.get(text, -1)
    if found < 0:
        raise ValueError(text)
    return found


def name_list(cards: CardSet) -> list[str]:
    """The names of the cards of a set, suit by suit."""
    return [name for suit in range(4) for name in _names_in(suit, cards >> SUIT_SIZE * suit & _ALL_RANKS)]


_ALL_RANKS = (1 << SUIT_SIZE) - 1
HOLDINGS = 4096  # sets of one suit whose names are kept: a deal needs some hundred, again and again


@lru_cache(HOLDINGS)
def _names_in(suit: Suit, ranks: int) -> tuple[str, ...]:
    return tuple(_NAMES[one] for one in cards_in(ranks << SUIT_SIZE * suit))


def names(cards: CardSet) -> str:
    """The cards of a set as text, suit by suit."""
    return " ".join(name_list(cards))


def parse_cards(text: str) -> CardSet:
    """The set that a list of card names stands for; `ValueError` on a bad name or a card named twice."""
    mask = 0
    for word in text.split():
        bit = single(parse_card(word))
        if mask & bit:
            raise ValueError(word)
        mask |= bit
    return mask
