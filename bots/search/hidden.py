"""Where the cards can be that a seat does not see: by what everybody knows, and by what the seat alone knows of cards
that went face down.

In Isti'mar and 3-5-8 cards are given, returned, taken with the kitty and put aside. Everybody sees that a card moved;
who gave it and who got it know which. And whoever was returned a card knows that it was the highest of its suit there
(IST-14, B-IST-15). `lies` follows the cards through the deal: what it says of a place only grows when an unknown card
comes in there.
"""

from __future__ import annotations

from dataclasses import dataclass

from bots.search.reading import Reading, cards_of
from engine.actions import Action, parse_action
from engine.cards import FULL_PACK, NO_CARDS, SUIT_CARDS, CardSet, above, suit_of
from engine.games import three_five_eight

ASIDE = -1
"""The place of cards that are in no hand: the kitty, and what others put aside."""

NOWHERE = -2
"""No hidden place: where the seat's own cards lie."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """Cards whose place is not known: which ones, how many lie in each place, and what each place can hold.

    Places are seats, and `ASIDE`. The numbers add up to the cards.
    """

    cards: CardSet
    places: tuple[int, ...]
    counts: tuple[int, ...]
    can_hold: tuple[CardSet, ...]


def hidden(reading: Reading, private: bool = True) -> Hidden:
    """Where the unseen cards can be: with the other seats, the rest aside. Without what is `private`, by what everybody
    knows."""
    unseen, others = reading.unseen, reading.others
    lies = _Lies(reading).lies if private and reading.seats == 3 else dict.fromkeys((*others, ASIDE), FULL_PACK)
    counts = [reading.counts[seat] for seat in others]
    can_hold = [reading.can_hold[seat] & lies[seat] & unseen for seat in others]
    aside = unseen.bit_count() - sum(counts)
    if aside:
        return Hidden(unseen, (*others, ASIDE), (*counts, aside), (*can_hold, lies[ASIDE] & unseen))
    return Hidden(unseen, others, tuple(counts), tuple(can_hold))


class _Lies:
    """`lies`: for each place but our own, the cards that can lie there by what this seat alone knows."""

    def __init__(self, reading: Reading) -> None:
        raw = reading.raw
        self.lies = dict.fromkeys((*reading.others, ASIDE), FULL_PACK)
        self._declarer = raw["declarer"]
        self._kitty = cards_of(raw["kitty"])
        self._own_cards = reading.options["return_rule"] == "own_cards"
        # In 3-5-8 any card may be returned for a trump (S358-8), so that says nothing.
        self._free = reading.trump if reading.game == three_five_eight.GAME.name else NO_CARDS
        self._giver, self._given = NOWHERE, NO_CARDS
        kitty_lies = True
        for seat, text in raw["history"]:
            action = parse_action(text)
            match action.verb:
                case "play":
                    break  # from here on no card goes face down
                case "give":
                    self._move(seat, action.to, action)
                    self._giver, self._given = seat, action.cards
                case "return":
                    self._return(seat, action)
                case "discard":
                    if kitty_lies:
                        self._take_kitty()
                        kitty_lies = False
                    self._move(seat, ASIDE if action.hidden else NOWHERE, action)
        if kitty_lies and raw["phase"] in ("discard", "play"):
            self._take_kitty()

    def _move(self, seat: int, to: int, action: Action) -> None:
        """A card goes from one place to another; we may know which."""
        if action.hidden:
            self._unknown(seat, to)
        else:
            self._known(action.cards, to)

    def _known(self, cards: CardSet, to: int) -> None:
        for place in self.lies:
            self.lies[place] = self.lies[place] | cards if place == to else self.lies[place] & ~cards

    def _unknown(self, place: int, to: int) -> None:
        if place in self.lies and to in self.lies:
            self.lies[to] |= self.lies[place]

    def _return(self, seat: int, action: Action) -> None:
        """What comes back to us was the highest of its suit."""
        if not action.hidden and seat in self.lies and not self._given & self._free:
            none_left = self._own_cards and action.cards == self._given  # it comes back because he has no other
            gone = SUIT_CARDS[suit_of(action.card)] if none_left else above(action.card)
            kept = action.cards | (self._given if self._own_cards else NO_CARDS)
            self.lies[seat] &= ~gone | kept
        self._move(seat, self._giver, action)

    def _take_kitty(self) -> None:
        if self._kitty:
            self._known(self._kitty, self._declarer)
        else:
            self._unknown(ASIDE, self._declarer)
        self.lies[ASIDE] = NO_CARDS
