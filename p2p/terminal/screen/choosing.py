"""How a person chooses: cursor, lifted card, typed text. Pure: keys in, an action out when it is played.

Nothing can be taken back at this table, so everything takes two keys: the first lifts a card (or marks a choice), the
second plays it. The same holds for what is typed: the card that is meant lifts itself, enter plays it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from engine.actions import Action, parse_action
from engine.cards import RANKS, card_name, cards_in, parse_card
from p2p.language import t
from p2p.terminal import typed
from p2p.terminal.facts import View
from p2p.terminal.screen.scene import Question

SUITS_SHOWN = "SHCD"
"""Black and red in turn, so that neighbours are told apart."""


STRAINS = ("C", "D", "H", "S", "NT")
"""Of bids, the weakest first."""

ESTIMATES = 7
"""In a row: all fourteen fit into two."""


def hand_order(hand: Sequence[str]) -> list[str]:
    """A hand as it is held: suit by suit, each from the ace down."""
    return sorted(hand, key=lambda card: (SUITS_SHOWN.index(card[1]), -RANKS.index(card[0])))


class Choosing:
    """One question, and what the person has done about it so far.

    `lifted` is the action that the next enter plays, `said` the sentence about what was not possible.
    """

    def __init__(self, question: Question, view: View) -> None:
        self.question = question
        self.view = view
        self.legal = question.legal
        self.actions = {text: parse_action(text) for text in question.legal}
        self.hand = hand_order(view["hand"])
        self.doubling = all(action.verb == "double" for action in self.actions.values())
        self.marked: set[str] = set()
        self.lifted = ""
        self.typed = ""
        self.said = ""
        self.at_card = self._first_card()
        self.at_choice = 0
        self.in_hand = bool(self.by_card)
        if self.doubling:
            self._mark()

    @cached_property
    def by_card(self) -> dict[str, list[str]]:
        """The actions that each card of the hand can be chosen for."""
        found: dict[str, list[str]] = {}
        for text, action in self.actions.items():
            named = action.cards if action.takes_card or self.doubling else 0
            for one in cards_in(named):
                found.setdefault(card_name(one), []).append(text)
        return {card: actions for card, actions in found.items() if card in self.hand}

    @property
    def choices(self) -> list[str]:
        """The actions that no single card of the hand stands for, in the order of the list. Doubles are marked in the
        hand; the only choice is then to say so."""
        if self.doubling:
            return [self.lifted]
        return [text for text, action in self.actions.items() if not action.takes_card]

    @property
    def rows(self) -> list[list[str]]:
        """The choices as they are laid out: bids a row a strain, everything else a row each (estimates in two)."""
        return rows_of(self.choices, self.actions)

    def _first_card(self) -> int:
        return next((at for at, card in enumerate(self.hand) if card in self.by_card), 0)

    @property
    def card(self) -> str:
        """The card under the cursor."""
        return self.hand[self.at_card] if self.hand else ""

    @property
    def choice(self) -> str:
        """The choice under the cursor."""
        return self.choices[self.at_choice] if self.choices else ""

    # --- keys ---------------------------------------------------------------------------------------------------------

    def press(self, key: str) -> str:
        """A key. Returns the action to play now, or nothing."""
        match key:
            case "left" | "right":
                self._across(-1 if key == "left" else 1)
            case "up" | "down" | "tab":
                self._up_or_down(key)
            case "home" | "end" if self.in_hand:
                self._to_card(0 if key == "home" else len(self.hand) - 1)
            case "escape":
                self.lower()
            case "backspace":
                self._retype(self.typed[:-1])
            case "enter":
                return self._enter()
            case " " if not self.typed:
                return self._enter()
            case _ if key.startswith("card:"):
                return self._clicked(key.removeprefix("card:"))
            case _ if key.startswith("choice:"):
                return self._clicked_choice(key.removeprefix("choice:"))
            case _ if len(key) == 1 or key.startswith("paste:"):
                self._retype(self.typed + key.removeprefix("paste:"))
        return ""

    def lower(self) -> None:
        """Nothing is lifted, nothing typed."""
        self.lifted = self.typed = self.said = ""
        self.marked.clear()
        if self.doubling:
            self._mark()

    def _across(self, step: int) -> None:
        self.said = self.typed = ""
        if self.in_hand and self.hand:
            self._to_card((self.at_card + step) % len(self.hand))
        elif self.choices:
            row, column = self._place()
            across = self.rows[row]
            self._to_choice(across[(column + step) % len(across)])

    def _up_or_down(self, key: str) -> None:
        self.said = self.typed = ""
        either = self.by_card.get(self.card, []) if self.in_hand and not self.doubling else []
        if self.lifted in either and len(either) > 1 and key != "tab":  # to whom it is given
            step = -1 if key == "up" else 1
            self.lifted = either[(either.index(self.lifted) + step) % len(either)]
            return
        if key == "tab" or self.in_hand:
            if self.choices and self.by_card:
                self.in_hand = not self.in_hand
                self._lower_one()
            return
        row, column = self._place()
        step = -1 if key == "up" else 1
        if row + step >= len(self.rows) and self.by_card:
            self.in_hand = True
            self._lower_one()
            return
        below = self.rows[(row + step) % len(self.rows)]
        number = self.actions[self.choice].number if self.actions[self.choice].verb == "bid" else 0
        same = [text for text in below if number and self.actions[text].number >= number]
        self._to_choice(same[0] if same else below[min(column, len(below) - 1)])

    def _place(self) -> tuple[int, int]:
        """Row and column of the choice under the cursor."""
        for row, choices in enumerate(self.rows):
            if self.choice in choices:
                return row, choices.index(self.choice)
        return 0, 0

    def _to_card(self, at: int) -> None:
        self.at_card = at
        self._lower_one()

    def _to_choice(self, choice: str) -> None:
        self.at_choice = self.choices.index(choice)
        self._lower_one()

    def _lower_one(self) -> None:
        """The cursor has moved: what was lifted is lowered again. Marks stay."""
        if not self.doubling:
            self.lifted = ""

    def _clicked(self, card: str) -> str:
        if not self.by_card:  # the keys stay with the choices: from a card that means nothing there is no way back
            self.typed, self.said = "", self._why_not(card)
            return ""
        self.in_hand, self.typed = True, ""
        at = self.hand.index(card)
        if at != self.at_card:
            self._to_card(at)
        return self._enter()

    def _clicked_choice(self, choice: str) -> str:
        self.in_hand, self.typed = False, ""
        if choice != self.choice:
            self._to_choice(choice)
        return self._enter()

    def _enter(self) -> str:
        """The first time lifts, the second time plays."""
        if self.typed:
            if self.lifted:
                return self.lifted
            self._understand()
            return ""
        if self.doubling:
            return self._enter_doubles()
        wanted = self._meant()
        if wanted and wanted == self.lifted:
            return wanted
        self.lifted = wanted
        self.said = "" if wanted else self._why_not(self.card)
        return ""

    def _meant(self) -> str:
        if not self.in_hand:
            return self.choice
        actions = self.by_card.get(self.card, [])
        if self.lifted in actions:
            return self.lifted
        return actions[0] if actions else ""

    def _why_not(self, card: str) -> str:
        if not self.by_card and self.view.get("contract") != "trix":
            return t("choose-above")
        return why_not(card, self.legal, self.view)

    # --- doubling -----------------------------------------------------------------------------------------------------

    def _enter_doubles(self) -> str:
        """In the hand, enter marks a card or takes the mark away; below it says so, once asked whether that is all."""
        if not self.in_hand:
            sure, self.said = self.said == t("double-confirm"), t("double-confirm")
            return self.lifted if sure else ""
        if self.card not in self.by_card:
            self.said = self._why_not(self.card)
            return ""
        self.said = ""
        self.marked ^= {self.card}
        self._mark()
        return ""

    def _mark(self) -> None:
        """The action that doubles just the cards that are marked."""
        wanted = sum(1 << parse_card(card) for card in self.marked)
        self.lifted = next((text for text, action in self.actions.items() if action.cards == wanted), "")

    # --- typing -------------------------------------------------------------------------------------------------------

    def _retype(self, text: str) -> None:
        self.typed, self.lifted, self.said = text[:60], "", ""
        if text.strip():
            meant = typed.understood(text, self.legal, self.view)
            self.lifted = "" if isinstance(meant, typed.Unclear) else meant

    def _understand(self) -> None:
        meant = typed.understood(self.typed, self.legal, self.view)
        if isinstance(meant, typed.Unclear):
            self.said = meant.sentence
        else:
            self.lifted = meant


def rows_of(choices: Sequence[str], actions: dict[str, Action]) -> list[list[str]]:
    """Choices in rows: of bids a row a strain from clubs to no trump, of estimates seven a row, of all others each its
    own, before the bids."""
    rows: dict[tuple[int, int], list[str]] = {}
    for at, text in enumerate(choices):
        action = actions[text]
        if action.verb == "bid":
            rows.setdefault((1, STRAINS.index(action.word)), []).append(text)
        elif action.verb == "estimate":
            rows.setdefault((1, action.number // ESTIMATES), []).append(text)
        else:
            rows[0, at] = [text]
    return [rows[key] for key in sorted(rows)]


def why_not(card: str, legal: Sequence[str], view: View) -> str:
    """Why a card of the hand cannot be chosen now."""
    meant = typed.understood(card, legal, view)
    return meant.sentence if isinstance(meant, typed.Unclear) else ""
