"""Kasra beyond the scenarios: the course of a game, the stand-in, and what a table may rely on."""

from __future__ import annotations

from random import Random

import pytest

from engine.actions import Action, parse_action
from engine.cards import NO_CARDS, parse_card, parse_cards
from engine.game import Ask, Finished, Illegal, NewPack, Outcome, Release, Sealed, Search, Start, State, check
from engine.games import game
from engine.games.kasra import GAME, Kasra, begin_at, score_sheet, skip_hidden
from engine.games.kasra.scoring import PENALTY_CARDS
from engine.games.kasra.trix import playable
from engine.referee import Acted, Event, Referee, shuffled
from engine.standin import standin

LAST = Outcome(last=(0, 0))


def chosen(*names: str, owner: int = 0, **options: str | int) -> State:
    """A game in which the owner of the first kingdom has just chosen the last of `names`, the others played."""
    state: State = begin_at(GAME.chosen(options), Start(owner=owner))
    for name in names:
        state = state.after(state.step).after(Release(tuple(range(52))))
        asker = state.step
        assert isinstance(asker, Ask)
        state = state.apply(asker.seat, Action("game", word=name))
        if name != names[-1]:
            assert isinstance(state, Kasra)
            while state.phase != "play":
                for seat in getattr(state.step, "seats", (owner,)):
                    state = state.apply(seat, parse_action("double" if name == "complex" else "trump S"))
            state = score_sheet(state, OUTCOMES[name])
    return state


OUTCOMES = {
    "complex": Outcome(tricks=(13, 0, 0, 0), took=(PENALTY_CARDS, 0, 0, 0)),
    "tarneeb": Outcome(tricks=(13, 0, 0, 0)),
    "ltooshain": LAST,
    "trix": Outcome(out=(0, 1, 2)),
}


def test_the_course_of_the_first_deal() -> None:
    state = GAME.start()
    assert state.step == NewPack()
    state = state.after(NewPack())
    assert state.step == Release(tuple(range(52)))
    state = state.after(state.step)
    assert state.counts == (13, 13, 13, 13)
    assert state.step == Search(parse_card("7H"))
    state = state.apply(2, parse_action("show 7H"))
    assert state.step == Ask(2)
    state = state.apply(2, parse_action("game tarneeb"))
    assert state.step == Ask(2) and state.phase == "trump"
    state = state.apply(2, parse_action("trump D"))
    assert state.step == Ask(2) and state.phase == "play"


def test_the_seven_of_hearts_is_looked_for_only_once() -> None:
    state = chosen("ltooshain", owner=3)
    state = score_sheet(state, LAST)  # type: ignore[arg-type]
    state = state.after(NewPack()).after(Release(tuple(range(52))))
    assert state.step == Ask(3)


def test_a_first_deal_that_is_thrown_in_finds_its_owner_again() -> None:
    state = GAME.start().after(NewPack()).after(Release(tuple(range(52)))).apply(1, parse_action("show 7H"))
    state = state.void("lost pack")
    state = state.after(NewPack()).after(Release(tuple(range(52))))
    assert state.step == Search(parse_card("7H"))
    assert state.redeals == ("lost pack",)


def test_the_owner_given_by_a_record_survives_a_redeal() -> None:
    state = chosen("complex", owner=3).void("lost pack").after(NewPack()).after(Release(tuple(range(52))))
    assert state.step == Ask(3)


def test_kingdoms_go_round_to_the_right() -> None:
    state: State = begin_at(GAME.chosen({}), Start(owner=2))
    owners = []
    for _ in range(4):
        for name in ("complex", "tarneeb", "ltooshain", "trix"):
            state = state.after(NewPack()).after(Release(tuple(range(52))))
            assert isinstance(state, Kasra)
            owners.append(state.owner)
            state = state.apply(state.owner, Action("game", word=name))
            while state.phase != "play":
                for seat in getattr(state.step, "seats", (state.owner,)):
                    state = state.apply(seat, parse_action("double" if name == "complex" else "trump S"))
            state = score_sheet(state, OUTCOMES[name])
    assert owners == [2] * 4 + [3] * 4 + [0] * 4 + [1] * 4
    assert state.step == Finished()
    assert state.totals == (4 * (-500 + 130 - 130 + 200), 4 * 150, 4 * 100, 4 * 50)
    assert state.winners == (1,)


def test_every_seat_is_asked_to_double_even_with_nothing_to_double() -> None:
    """Skipping seats would say who holds the cards (E-11)."""
    assert chosen("complex", owner=1).step == Sealed((1, 2, 3, 0))
    one_by_one = chosen("complex", owner=1, doubling="sequential")
    for seat in (1, 2, 3, 0):
        assert one_by_one.step == Ask(seat)
        one_by_one = one_by_one.apply(seat, parse_action("double"))
    assert one_by_one.step == Ask(1) and one_by_one.phase == "play"
    assert chosen("complex", owner=1, doubling="off").phase == "play"


def test_the_doubles_of_others_change_nothing_before_all_have_answered() -> None:
    """In a sealed round each answer is checked against the state in which all were asked."""
    state = chosen("complex")
    after_one = state.apply(0, parse_action("double KH"))
    assert after_one.step == Sealed((1, 2, 3))
    queens = parse_cards("QS QH")
    for seat in (1, 2, 3):
        assert list(after_one.candidates(seat, queens)) == list(state.candidates(seat, queens))
    with pytest.raises(Illegal) as twice:
        after_one.claim(0, parse_action("double"))
    assert twice.value.code == "not-your-turn"


def test_rows_of_trix_grow_from_their_jack_both_ways() -> None:
    assert playable(NO_CARDS) == parse_cards("JC JD JH JS")
    assert playable(parse_cards("JH")) == parse_cards("TH QH JC JD JS")
    assert playable(parse_cards("JH QH KH AH TH")) == parse_cards("9H JC JD JS")
    every_heart = parse_cards("2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH")
    assert playable(every_heart) == parse_cards("JC JD JS")  # no row runs over into the next suit


def test_trix_ends_when_the_third_is_out() -> None:
    """B-KAS-15: the cards of the fourth are not played; a seat that is out is passed over."""
    referee = Referee.start(GAME, shuffled(Random(5).shuffle), {"kingdoms": 1})
    out: list[int] = []
    turns: list[int] = []

    def note(event: Event) -> None:
        if isinstance(event, Acted) and event.before.phase == "play":
            turns.append(event.seat)
            assert event.seat not in out
            if event.hand == event.action.cards:
                out.append(event.seat)

    referee.observers.append(note)
    step = referee.advance()
    assert isinstance(step, Ask)
    referee.act(step.seat, parse_action("game trix"))
    while not referee.state.results:
        step = referee.advance()
        assert isinstance(step, Ask)
        referee.act(step.seat, referee.legal(step.seat)[0])
    assert len(out) == 3
    points = referee.state.results[0].points
    assert [points[seat] for seat in out] == [200, 150, 100] and sum(points) == 500


def test_a_bad_start_or_option_is_refused() -> None:
    for start in (Start(deal=17, owner=0), Start(deal=0, owner=0), Start(deal=3), Start(owner=4)):
        with pytest.raises(Illegal) as refused:
            begin_at(GAME.chosen({}), start)
        assert refused.value.code == "bad-start"
    with pytest.raises(Illegal) as refused:
        GAME.start({"kingdoms": 3})
    assert refused.value.code == "bad-option-value"
    with pytest.raises(Illegal) as refused:
        GAME.start({"colour": "red"})
    assert refused.value.code == "bad-option-name"
    with pytest.raises(Illegal) as refused:
        game("bridge")
    assert refused.value.code == "unknown-game"


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("tarneeb", Outcome(tricks=(5, 4, 3, 2))),
        ("tarneeb", Outcome(tricks=(14, 0, 0, -1))),
        ("tarneeb", Outcome()),
        ("ltooshain", Outcome(last=(1,))),
        ("ltooshain", Outcome(last=(1, 4))),
        ("trix", Outcome(out=(1, 2))),
        ("trix", Outcome(out=(1, 2, 2))),
        ("complex", Outcome(tricks=(13, 0, 0, 0))),
        ("complex", Outcome(tricks=(13, 0, 0, 0), took=(PENALTY_CARDS & ~(1 << parse_card("QS")), 0, 0, 0))),
        ("complex", Outcome(tricks=(12, 1, 0, 0), took=(0, PENALTY_CARDS, 0, 0))),  # more cards than a trick holds
    ],
)
def test_an_impossible_outcome_is_refused(name: str, outcome: Outcome) -> None:
    state = chosen(name, doubling="off")
    if name == "tarneeb":
        state = state.apply(0, parse_action("trump S"))
    with pytest.raises(Illegal) as refused:
        score_sheet(state, outcome)  # type: ignore[arg-type]
    assert refused.value.code == "bad-outcome"
    assert skip_hidden(state) is state  # type: ignore[arg-type]


def test_a_score_before_the_declarations_is_refused() -> None:
    state = chosen("complex")
    with pytest.raises(Illegal):
        score_sheet(state, OUTCOMES["complex"])  # type: ignore[arg-type]


def test_the_stand_in_plays_modestly() -> None:
    hand = parse_cards("2S KH 9C AC QC 3D")
    state = begin_at(GAME.chosen({}), Start(owner=0)).after(NewPack()).after(Release(tuple(range(52))))
    assert str(standin(state, 0, hand)) == "game complex"
    assert str(standin(chosen("complex"), 2, hand)) == "double"
    assert str(standin(chosen("tarneeb"), 0, hand)) == "trump C"
    assert str(standin(chosen("ltooshain"), 0, hand)) == "play 2S"
    assert str(standin(chosen("trix"), 0, hand)) == "pass"


def test_the_last_trick_stays_to_be_seen_after_the_deal() -> None:
    """E-5: also the thirteenth."""
    referee = Referee.start(GAME, shuffled(Random(1).shuffle))
    step = referee.advance()
    assert isinstance(step, Ask)
    referee.act(step.seat, parse_action("game ltooshain"))
    while not referee.state.results:
        step = referee.advance()
        assert isinstance(step, Ask)
        referee.act(step.seat, referee.legal(step.seat)[0])
    last = referee.state.view()["last_trick"]
    assert isinstance(last, list) and len(last) == 4


def test_a_legal_play_says_what_must_be_proved() -> None:
    state = chosen("ltooshain").apply(0, parse_action("play 9S"))
    follow = check(state, 1, parse_action("play 2S"), parse_cards("2S AS"))
    assert follow.excludes == (NO_CARDS,)
    discard = check(state, 1, parse_action("play 2H"), parse_cards("2H AC"))
    assert discard.excludes == (parse_cards("2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"),)
    with pytest.raises(Illegal) as broken:
        check(state, 1, parse_action("play 2H"), parse_cards("2H AS"))
    assert (broken.value.rule, broken.value.code) == ("B-KAS-3", "follow-suit")
