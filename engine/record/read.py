"""Text to `Record`. A line is understood by its first word alone; one table says which words there are and where.

    majlis-record 1                                     must be the first line
    game:  option:  seats:  seat N:  date:  table:  key N:          before the first deal
    deal N                                              begins a deal
    owner:  multiplier:  previous:                      in the first deal, before its actions
    dealer:  hand N:  kitty:  first N:                  before the actions of a pack
    N action   info:   standin N                        the actions
    tricks:  took N:  last:  out:                       the outcome of a score-sheet deal
    redeal:                                             the pack was thrown in; the next one follows
    score:  total:                                      end the deal
    x-…                                                 anywhere, kept and not looked at
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from engine.actions import parse_action
from engine.cards import NO_CARDS, Card, parse_card, parse_cards
from engine.game import Game, Illegal, Outcome, Value
from engine.games import game as find_game
from engine.record.model import FORMAT, Attempt, Deal, Move, Record, RecordError

COMMENT = re.compile(r"(^|\s)#.*")
FIELD = re.compile(r"([a-z]+)(?: ([0-9]))?:(?:\s+(.*))?$")
COMMAND = re.compile(r"(deal|standin) ([0-9]{1,3})$")
ACTION = re.compile(r"([0-9]) (\S.*)$")
NUMBER = re.compile(r"-?[0-9]{1,12}$")  # after seventeen deals that everybody missed the next counts 131,072 times
LINE_LIMIT = 2000  # characters; longer than any line that a game needs


def read(text: str) -> Record:
    """The record that `text` stands for; `RecordError` with the line that is wrong. Nothing is replayed."""
    lines = [(number, COMMENT.sub("", line).strip()) for number, line in enumerate(text.splitlines(), 1)]
    lines = [(number, line) for number, line in lines if line]
    if not lines or lines[0][1].lstrip("\ufeff") != FORMAT:
        raise RecordError(lines[0][0] if lines else 1, "record-no-header", expected=FORMAT)
    reader = _Reader()
    for number, line in lines[1:]:
        reader.take(number, line)
    if reader.record is None:
        raise RecordError(lines[-1][0], "record-no-game")
    return reader.record


class _Reader:
    """The record so far, and the line that is being read."""

    def __init__(self) -> None:
        self.record: Record | None = None
        self.game: Game | None = None
        self.line = 0
        self.text = ""
        self.seen: set[str] = set()  # lines that may stand only once in the present part

    def take(self, number: int, text: str) -> None:
        """Read one line."""
        self.line, self.text = number, text
        if len(text) > LINE_LIMIT:
            raise self._wrong("record-bad-line")
        if text.startswith("x-"):
            self._record.extras.append(text)
        elif match := COMMAND.match(text):
            self._deal(int(match[2])) if match[1] == "deal" else self._standin(int(match[2]))
        elif match := ACTION.match(text):
            self._action(int(match[1]), match[2])
        elif (match := FIELD.match(text)) and (match[1], match[2] is not None) in FIELDS:
            FIELDS[match[1], match[2] is not None](self, int(match[2] or -1), (match[3] or "").strip())
        else:
            raise self._wrong("record-unknown-line", text=text)

    def _wrong(self, code: str, **values: object) -> RecordError:
        error = RecordError(self.line, code)
        error.values = values
        return error

    # --- where we are -------------------------------------------------------------------------------------------

    @property
    def _record(self) -> Record:
        if self.record is None:
            raise self._wrong("record-no-game")
        return self.record

    @property
    def _deal_now(self) -> Deal:
        if not self._record.deals:
            raise self._wrong("record-before-deal", text=self.text)
        return self._record.deals[-1]

    def _attempt(self, before_moves: bool) -> Attempt:
        """The present pack; a new one after a redeal."""
        deal = self._deal_now
        if deal.score or deal.total or (deal.outcome and before_moves):
            raise self._wrong("record-misplaced", text=self.text)
        if deal.attempts[-1].redeal is not None:
            deal.attempts.append(Attempt(self.line))
            self.seen.clear()
        if before_moves and deal.attempts[-1].moves:
            raise self._wrong("record-misplaced", text=self.text)
        return deal.attempts[-1]

    def _once(self, what: str) -> None:
        if what in self.seen:
            raise self._wrong("record-line-twice", text=self.text)
        self.seen.add(what)

    def _in_header(self) -> Record:
        if self._record.deals:
            raise self._wrong("record-misplaced", text=self.text)
        return self._record

    # --- values -------------------------------------------------------------------------------------------------

    def _seat(self, seat: int) -> int:
        assert self.game is not None
        if not 0 <= seat < self.game.seats:
            raise self._wrong("record-no-such-seat", seat=seat)
        return seat

    def _numbers(self, text: str) -> tuple[int, ...]:
        words = text.split()
        if not words or not all(NUMBER.match(word) for word in words):
            raise self._wrong("record-bad-line", text=self.text)
        return tuple(map(int, words))

    def _by_seat(self, text: str) -> tuple[int, ...]:
        numbers = self._numbers(text)
        assert self.game is not None
        if len(numbers) != self.game.seats:
            raise self._wrong("record-count", found=len(numbers), expected=self.game.seats)
        return numbers

    def _one_number(self, text: str) -> int:
        numbers = self._numbers(text)
        if len(numbers) != 1:
            raise self._wrong("record-count", found=len(numbers), expected=1)
        return numbers[0]

    def _cards(self, text: str) -> list[Card]:
        cards: list[Card] = []
        for word in text.split():
            try:
                cards.append(parse_card(word))
            except ValueError:
                raise self._wrong("record-bad-card", card=word) from None
        return cards

    # --- the lines ----------------------------------------------------------------------------------------------

    def _game(self, seat: int, text: str) -> None:
        if self.record is not None:
            raise self._wrong("record-line-twice", text=self.text)
        try:
            self.game = find_game(text)
        except Illegal as unknown:
            raise RecordError.breach(self.line, unknown) from None
        self.record = Record(self.game.name)

    def _option(self, seat: int, text: str) -> None:
        record = self._in_header()
        assert self.game is not None
        name, _, value = text.partition(" ")
        option = next((option for option in self.game.options if option.name == name), None)
        if option is None:
            raise self._wrong("bad-option-name", option=name, game=self.game.name)
        self._once(f"option {name}")
        try:
            parsed: Value = option.parse(value.strip())
        except ValueError:
            raise self._wrong("bad-option-value", option=name, value=value.strip()) from None
        record.options = {**record.options, name: parsed}

    def _seats(self, seat: int, text: str) -> None:
        record = self._in_header()
        assert self.game is not None
        if record.seats:
            raise self._wrong("record-line-twice", text=self.text)
        record.seats = text.split()
        if len(record.seats) != self.game.seats:
            raise self._wrong("record-count", found=len(record.seats), expected=self.game.seats)

    def _seat_name(self, seat: int, text: str) -> None:
        record = self._in_header()
        assert self.game is not None
        self._once(f"seat {self._seat(seat)}")
        record.seats = record.seats or [""] * self.game.seats
        if record.seats[seat]:
            raise self._wrong("record-line-twice", text=self.text)
        record.seats[seat] = text

    def _date(self, seat: int, text: str) -> None:
        self._in_header().date = text

    def _table(self, seat: int, text: str) -> None:
        self._in_header().table = text

    def _key(self, seat: int, text: str) -> None:
        self._in_header().keys[self._seat(seat)] = text

    def _deal(self, number: int) -> None:
        record = self._record
        self.seen.clear()
        if record.deals and record.deals[-1].number == number and record.deals[-1].attempts[-1].redeal is not None:
            return  # the same deal, dealt again
        record.deals.append(Deal(number, self.line, [Attempt(self.line)]))
        if len(record.deals) == 1:
            record.start = replace(record.start, deal=number)
            record.start_line = self.line

    def _start_value(self, name: str, value: object) -> None:
        self._attempt(before_moves=True)
        self._once(name)
        if len(self._record.deals) != 1:
            raise self._wrong("record-misplaced", text=self.text)
        self._record.start = replace(self._record.start, **{name: value})  # type: ignore[arg-type]
        self._record.start_line = self.line

    def _owner(self, seat: int, text: str) -> None:
        self._start_value("owner", self._seat(self._one_number(text)))

    def _multiplier(self, seat: int, text: str) -> None:
        self._start_value("multiplier", self._one_number(text))

    def _previous(self, seat: int, text: str) -> None:
        self._start_value("previous", self._by_seat(text))

    def _dealer(self, seat: int, text: str) -> None:
        attempt = self._attempt(before_moves=True)
        self._once("dealer")
        attempt.dealer, attempt.dealer_line = self._seat(self._one_number(text)), self.line

    def _hand(self, seat: int, text: str) -> None:
        attempt = self._attempt(before_moves=True)
        self._once(f"hand {self._seat(seat)}")
        attempt.hands[seat] = self._cards(text)
        attempt.line = self.line

    def _kitty(self, seat: int, text: str) -> None:
        attempt = self._attempt(before_moves=True)
        self._once("kitty")
        attempt.kitty = self._cards(text)
        attempt.line = self.line

    def _first(self, seat: int, text: str) -> None:
        attempt = self._attempt(before_moves=True)
        self._once("first")
        attempt.first = (self._seat(seat), self._cards(text))
        attempt.line = self.line

    def _action(self, seat: int, text: str) -> None:
        attempt = self._attempt(before_moves=False)
        try:
            action = parse_action(text)
        except ValueError:
            raise self._wrong("unknown-action", text=text) from None
        attempt.moves.append(Move(self._seat(seat), action, line=self.line))

    def _info(self, seat: int, text: str) -> None:
        moves = self._deal_now.attempts[-1].moves
        if not moves:
            raise self._wrong("record-misplaced", text=self.text)
        moves[-1] = replace(moves[-1], info=text)

    def _standin(self, seat: int) -> None:
        attempt = self._attempt(before_moves=False)
        attempt.standins.append((len(attempt.moves), self._seat(seat)))

    def _redeal(self, seat: int, text: str) -> None:
        attempt = self._attempt(before_moves=False)
        attempt.redeal, attempt.redeal_line = text, self.line

    def _outcome(self, name: str, value: object) -> None:
        self._attempt(before_moves=False)
        deal = self._deal_now
        deal.outcome = replace(deal.outcome or Outcome(), **{name: value})  # type: ignore[arg-type]
        deal.outcome_line = self.line

    def _tricks(self, seat: int, text: str) -> None:
        self._once("tricks")
        self._outcome("tricks", self._by_seat(text))

    def _took(self, seat: int, text: str) -> None:
        self._once(f"took {self._seat(seat)}")
        assert self.game is not None
        try:
            taken = parse_cards(text)
        except ValueError as bad:
            raise self._wrong("record-bad-card", card=str(bad)) from None
        outcome = self._deal_now.outcome or Outcome()
        took = list(outcome.took or (NO_CARDS,) * self.game.seats)
        took[seat] = taken
        self._outcome("took", tuple(took))

    def _last(self, seat: int, text: str) -> None:
        self._once("last")
        self._outcome("last", self._numbers(text))

    def _out(self, seat: int, text: str) -> None:
        self._once("out")
        self._outcome("out", self._numbers(text))

    def _score(self, seat: int, text: str) -> None:
        self._once("score")
        self._deal_now.score, self._deal_now.score_line = self._by_seat(text), self.line

    def _total(self, seat: int, text: str) -> None:
        self._once("total")
        self._deal_now.total, self._deal_now.total_line = self._by_seat(text), self.line


# (word, whether a seat number follows) -> what reads it
FIELDS: dict[tuple[str, bool], Callable[[_Reader, int, str], None]] = {
    ("game", False): _Reader._game,
    ("option", False): _Reader._option,
    ("seats", False): _Reader._seats,
    ("seat", True): _Reader._seat_name,
    ("date", False): _Reader._date,
    ("table", False): _Reader._table,
    ("key", True): _Reader._key,
    ("owner", False): _Reader._owner,
    ("multiplier", False): _Reader._multiplier,
    ("previous", False): _Reader._previous,
    ("dealer", False): _Reader._dealer,
    ("hand", True): _Reader._hand,
    ("kitty", False): _Reader._kitty,
    ("first", True): _Reader._first,
    ("info", False): _Reader._info,
    ("redeal", False): _Reader._redeal,
    ("tricks", False): _Reader._tricks,
    ("took", True): _Reader._took,
    ("last", False): _Reader._last,
    ("out", False): _Reader._out,
    ("score", False): _Reader._score,
    ("total", False): _Reader._total,
}
