"""Score-sheet deals: the declarations are followed in public, and the outcome that was written down is scored."""

from __future__ import annotations

from collections import deque

from engine.actions import Action
from engine.cards import NO_CARDS
from engine.game import Ask, Finished, Illegal, NewPack, Sealed, Search, Sheet, State, asked
from engine.record.model import Attempt, Deal, Move, RecordError
from engine.record.watch import Watch, Witness, ignore
from engine.referee import Acted, Event, ThrownIn, deal_end

# What a score sheet leaves out, because nobody wrote the hidden cards down.
CARD_VERBS = ("play", "claim", "give", "return", "discard", "stop", "void", "full")


def follow(state: State, sheet: Sheet, deal: Deal, attempt: Attempt, watch: Watch = ignore) -> State:
    """`state` after this attempt; if the record ends in the middle of it, the state as far as it goes."""
    witness = Witness(attempt, watch)
    for move in attempt.moves:
        if move.action.verb in CARD_VERBS:
            raise RecordError(move.line, "record-sheet-has-cards", action=str(move.action))
    if attempt.redeal is not None and (thrown_in := _voids(state, attempt)) is not None:
        witness.look(state.step, thrown_in, (ThrownIn(state, thrown_in),), 0)
        return thrown_in
    state = _table(state.after(NewPack()), sheet)
    witness.look(NewPack(), state, (), 0)
    moves = deque(attempt.moves)
    while moves:
        if isinstance(state.step, NewPack | Finished):
            raise RecordError(moves[0].line, "record-deal-is-over", action=str(moves[0].action))
        before, left = state, len(moves)
        state, acted = _move(state, moves)
        state = _table(state, sheet)
        witness.look(before.step, state, (*acted, *_ending(before, state)), left - len(moves))
    if isinstance(state.step, NewPack | Finished):
        return state
    before = state
    if attempt.redeal is not None:
        state = state.void(attempt.redeal)
    elif deal.outcome is not None:
        try:
            state = sheet.score_sheet(state, deal.outcome)
        except Illegal as wrong:
            raise RecordError.breach(deal.outcome_line, wrong) from None
    if ending := _ending(before, state):
        witness.look(before.step, state, ending, 0, outcome=None if attempt.redeal else deal.outcome)
    return state


def _ending(before: State, state: State) -> tuple[Event, ...]:
    end = deal_end(before, state)
    return () if end is None else (end,)


def _table(state: State, sheet: Sheet) -> State:
    """The state when a choice that a score sheet writes down is due."""
    while True:
        skipped = sheet.skip_hidden(state)
        if skipped == state:
            if isinstance(state.step, Ask | Sealed | Search | NewPack | Finished):
                return state
            skipped = state.after(state.step, NO_CARDS)
        state = skipped


def _move(state: State, moves: deque[Move]) -> tuple[State, list[Acted]]:
    """The state after the next move, or after the next moves where all seats answer at once; and what was done."""
    step, done = state.step, []
    move = moves.popleft()
    if isinstance(step, Search) and move.action.verb != "show":
        # Who is the first to choose had the card.
        show = Action("show", cards=1 << step.card)
        done.append(Acted(state, move.seat, show, state.claim(move.seat, show), NO_CARDS))
        state = state.apply(move.seat, show)
        step = state.step
    if not isinstance(step, Sealed):
        done.append(_checked(state, move))
        return state.apply(move.seat, move.action), done
    answers = {move.seat: move}
    while len(answers) < len(step.seats) and moves:
        other = moves.popleft()
        answers[other.seat] = other
    checked = {answer.seat: _checked(state, answer) for answer in answers.values()}
    if set(answers) != set(step.seats):
        raise RecordError(move.line, "record-answers-missing")
    for seat in step.seats:
        state = state.apply(seat, answers[seat].action)
    return state, done + [checked[seat] for seat in step.seats]


def _checked(state: State, move: Move) -> Acted:
    try:
        claim = state.claim(move.seat, move.action)
    except Illegal as wrong:
        raise RecordError.breach(move.line, wrong, str(move.action), move.seat) from None
    return Acted(state, move.seat, move.action, claim, NO_CARDS)


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
        _checked(state, Move(seat, action, line=attempt.redeal_line))
        state = state.apply(seat, action)
    return state
