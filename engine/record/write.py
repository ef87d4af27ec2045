"""A `Record` as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.cards import card_name, names
from engine.record.model import FORMAT, Attempt, Deal, Record


def write(record: Record) -> str:
    """The text of a record; `read` gives it back."""
    return "\n".join(_lines(record)) + "\n"


def _lines(record: Record) -> Iterator[str]:
    yield FORMAT
    yield f"game: {record.game}"
    for name, value in record.options.items():
        yield f"option: {name} {value}"
    for seat, name in enumerate(record.seats):
        yield f"seat {seat}: {name}"
    for seat, key in record.keys.items():
        yield f"key {seat}: {key}"
    for field in ("table", "date"):
        if value := getattr(record, field):
            yield f"{field}: {value}"
    yield from record.extras
    for deal in record.deals:
        yield f"deal {deal.number}"
        if deal is record.deals[0]:
            yield from _start(record)
        for attempt in deal.attempts:
            yield from _attempt(attempt)
        yield from _end(deal)


def _start(record: Record) -> Iterator[str]:
    if record.start.owner >= 0:
        yield f"owner: {record.start.owner}"
    if record.start.multiplier != 1:
        yield f"multiplier: {record.start.multiplier}"
    if record.start.previous:
        yield f"previous: {_numbers(record.start.previous)}"


def _attempt(attempt: Attempt) -> Iterator[str]:
    if attempt.dealer >= 0:
        yield f"dealer: {attempt.dealer}"
    for seat, hand in sorted(attempt.hands.items()):
        yield f"hand {seat}: {_cards(hand)}"
    if attempt.kitty:
        yield f"kitty: {_cards(attempt.kitty)}"
    if attempt.first:
        yield f"first {attempt.first[0]}: {_cards(attempt.first[1])}"
    for index, move in enumerate(attempt.moves):
        yield from (f"standin {seat}" for at, seat in attempt.standins if at == index)
        yield f"{move.seat} {move.action}"
        if move.info:
            yield f"info: {move.info}"
    yield from (f"standin {seat}" for at, seat in attempt.standins if at >= len(attempt.moves))
    if attempt.redeal is not None:
        yield f"redeal: {attempt.redeal}"


def _end(deal: Deal) -> Iterator[str]:
    if deal.outcome:
        if deal.outcome.tricks:
            yield f"tricks: {_numbers(deal.outcome.tricks)}"
        for seat, taken in enumerate(deal.outcome.took):
            if taken:
                yield f"took {seat}: {names(taken)}"
        for field in ("last", "out"):
            if value := getattr(deal.outcome, field):
                yield f"{field}: {_numbers(value)}"
    if deal.score:
        yield f"score: {_numbers(deal.score)}"
    if deal.total:
        yield f"total: {_numbers(deal.total)}"


def _numbers(values: Iterable[int]) -> str:
    return " ".join(map(str, values))


def _cards(cards: Iterable[int]) -> str:
    return " ".join(map(card_name, cards))
