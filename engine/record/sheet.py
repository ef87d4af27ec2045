"""Score-sheet deals: the declarations are followed in public, and the outcome that was written down is scored."""

from __future__ import annotations

from collections.abc import Iterator

from engine.actions import Action
from engine.cards import NO_CARDS
from engine.game import Ask, Finished, Illegal, NewPack, Sealed, Search, Sheet, State, asked
from engine.record.model import Attempt, Deal, Move, RecordError

# What a score sheet leaves out, because nobody wrote the hidden cards down.
CARD_VERBS = ("play", "give", "return", "discard", "stop", "void", "full")


def follow(state: State, sheet: Sheet, deal: Deal, attempt: Attempt) -> State:
    """`state` after this attempt; if the record ends in the middle of it, the state as far as it goes."""
    for move in attempt.moves:
        if move.action.verb in CARD_VERBS:
            raise RecordError(move.line, "record-sheet-has-cards", action=str(move.action))
    if attempt.redeal is not None and (thrown_in := _voids(state, attempt)) is not None:
        return thrown_in
    state = _table(state.after(NewPack()), sheet)
    moves = iter(attempt.moves)
    for move in moves:
        if isinstance(state.step, NewPack | Finished):
            raise RecordError(move.line, "record-deal-is-over", action=str(move.action))
        state = _table(_move(state, move, moves), sheet)
    if isinstance(state.step, NewPack | Finished):
        return state
    if attempt.redeal is not None:
        return state.void(attempt.redeal)
    if deal.outcome is None:
        return state
    try:
        return sheet.score_sheet(state, deal.outcome)
    except Illegal as wrong:
        raise RecordError.breach(deal.outcome_line, wrong) from None


def _table(state: State, sheet: Sheet) -> State:
    """The state when a choice that a score sheet writes down is due."""
    while True:
        skipped = sheet.skip_hidden(state)
        if skipped == state:
            if isinstance(state.step, Ask | Sealed | Search | NewPack | Finished):
                return state
            skipped = state.after(state.step, NO_CARDS)
        state = skipped


def _move(state: State, move: Move, others: Iterator[Move]) -> State:
    """The state after this move; a round of sealed answers takes the moves of the other seats from `others`."""
    step = state.step
    if isinstance(step, Search) and move.action.verb != "show":
        # Who is the first to choose had the card.
        state = state.apply(move.seat, Action("show", cards=1 << step.card))
        step = state.step
    if not isinstance(step, Sealed):
        _check(state, move)
        return state.apply(move.seat, move.action)
    answers = {move.seat: move}
    while len(answers) < len(step.seats) and (other := next(others, None)):
        answers[other.seat] = other
    for answer in answers.values():
        _check(state, answer)
    if set(answers) != set(step.seats):
        raise RecordError(move.line, "record-answers-missing")
    for seat in step.seats:
        state = state.apply(seat, answers[seat].action)
    return state


def _check(state: State, move: Move) -> None:
    try:
        state.claim(move.seat, move.action)
    except Illegal as wrong:
        raise RecordError.breach(move.line, wrong, str(move.action), move.seat) from None


def _voids(state: State, attempt: Attempt) -> State | None:
    """After `redeal: void 2 3` (Estimation) the state in which these seats had their hands thrown in."""
    word, *seats = (attempt.redeal or "").split()
    state = state.after(NewPack())
    while not asked(state.step) and not isinstance(state.step, NewPack | Search):
        state = state.after(state.step, NO_CARDS)
    wish, full = Action("void", word="redeal"), Action("full")
    if word != "void" or not isinstance(state.step, Sealed) or not all(seat.isdigit() for seat in seats):
        return None
    for seat in state.step.seats:
        action = wish if str(seat) in seats else full
        _check(state, Move(seat, action, line=attempt.redeal_line))
        state = state.apply(seat, action)
    return state
