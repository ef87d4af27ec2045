"""The searching bots: legal everywhere, the same for a seed, sensible where the answer is known."""

from __future__ import annotations

from random import Random

import pytest

from bots.builtin import NAMES as BOTS
from bots.builtin import make
from bots.practice import bot_chooser, seat_view
from bots.sdk import View
from bots.search.calls_estimation import Calls
from bots.search.calls_kitty import judge_call as judge_kitty_call
from bots.search.deals import deal_of
from bots.search.discards import put_aside
from bots.search.guesses import likelihood_of
from bots.search.hidden import hidden
from bots.search.judgement import Budget, Judgement, Tally
from bots.search.player import Cheater, Ismcts, Quick
from bots.search.reading import Reading
from bots.search.samples import sample
from bots.search.tricks import Position, Rules
from bots.search.worlds import Worlds
from bots.strength import compare
from engine.actions import Action
from engine.cards import FULL_PACK, SUIT_CARDS, CardSet, count, names, parse_cards
from engine.game import Ask, Finished, Sealed, State
from engine.games import NAMES
from engine.games import game as find_game
from engine.referee import Referee, shuffled
from engine.tricks import Duties
from tests.properties.engine_games import new_table


class Tiny(Quick):
    """As `quick`, in so few worlds that whole games are played in no time."""

    worlds = 3


class TinyTree(Ismcts):
    """As `ismcts`, in few iterations."""

    worlds = 3
    iterations = 8


SETTINGS = [
    ("kasra", {"kingdoms": 1}),
    ("kasra", {"kingdoms": 1, "doubling": "sequential", "self_capture": "full"}),
    ("estimation", {"normal_deals": 3, "speed_deals": 1}),
    ("estimation", {"normal_deals": 2, "speed_deals": 1, "auction": "until_pass", "dash_timing": "before_bidding"}),
    ("istimar", {}),
    ("istimar", {"kitty_shown": "owner", "exchange_optional": "yes", "return_rule": "own_cards"}),
    ("three_five_eight", {"deals": 3}),
    ("three_five_eight", {"deals": 3, "per_loser_cap": "none", "return_rule": "include_received"}),
]


@pytest.mark.parametrize("bot", [Tiny, TinyTree])
@pytest.mark.parametrize(("game", "options"), SETTINGS)
def test_whole_games_under_any_options(bot: type[Tiny], game: str, options: dict[str, str | int]) -> None:
    referee, _ = new_table(game, options, seed=3)
    bots = [bot() for _ in referee.hands]
    state = referee.play([bot_chooser(referee, one) for one in bots])
    assert state.winners and len(state.results) == state.last_deal
    assert all(one.info() is None or one.info()["worlds"] for one in bots)  # type: ignore[index]


def questions(game: str, seed: int, wanted: str, number: int = 3) -> list[View]:
    """Views of some decisions with a choice in a phase, in a game between steady bots."""
    referee, found = Referee.start(find_game(game), shuffled(Random(seed).shuffle)), []

    def watching(seat: int, state: State, hand: CardSet, actions: list[Action]) -> Action:
        if state.phase == wanted and len(found) < number:
            found.append(View(seat_view(referee, seat), tuple(map(str, actions))))
        return bot_chooser(referee, make("steady"))(seat, state, hand, actions)

    referee.play([watching] * len(referee.hands), 2)
    return found


@pytest.mark.parametrize("game", NAMES)
def test_the_same_seed_and_view_give_the_same_answer(game: str) -> None:
    for view in questions(game, 5, "play"):
        answers = []
        for _ in range(2):  # a new bot each time: nothing is remembered from one question to the next
            bot = make("quick", seed=7)
            answers.append((bot.act(view), bot.info()))
        assert answers[0] == answers[1] and answers[0][0] in view.legal


def test_notes_tell_the_points_expected_of_every_legal_card() -> None:
    view = questions("istimar", 2, "play")[1]
    bot = make("quick")
    bot.act(view)
    notes = bot.info()
    assert notes is not None and notes["worlds"] == 20
    assert set(notes["values"]) == set(view.legal) - {"claim"}  # type: ignore[call-overload]


@pytest.mark.parametrize("phase", ["exchange", "discard"])
def test_of_equals_the_first_of_the_list_is_chosen(phase: str) -> None:
    """So the list must keep its order: a set of words would have another one in every process."""
    views = questions("istimar", 4, phase)
    assert views
    for view in views:
        judgement = judge_kitty_call(Reading.of(view.raw), view.legal, Budget(1, Random(1)))
        assert judgement is not None
        assert list(judgement.tallies) == [action for action in view.legal if action in judgement.tallies]


def test_a_short_clock_is_kept() -> None:
    view = questions("kasra", 1, "play")[0]
    bot = make("sharp")
    short = View(view.raw, view.legal, seconds=0.01)
    assert bot.act(short) in view.legal
    notes = bot.info()
    assert notes is not None and int(str(notes["worlds"])) <= 2
    assert Budget.of(100, 5.0, Random(1)).worlds == 100


def test_no_list_of_bots_has_the_one_that_sees_all_hands() -> None:
    assert "cheater" not in BOTS
    with pytest.raises(TypeError):
        Cheater()  # type: ignore[call-arg]
    referee, _ = new_table("three_five_eight", {"deals": 3}, seed=1)
    bots = [Cheater(lambda: referee.hands), Tiny(), Tiny()]
    assert referee.play([bot_chooser(referee, one) for one in bots]).winners


# ---- known answers ------------------------------------------------------------------------------------------------


def kasra_view(**given: object) -> dict[str, object]:
    """A view of Kasra in which seat 0 plays."""
    full: dict[str, object] = {
        "game": "kasra", "phase": "play", "seat": 0, "owner": 0, "contract": "complex", "trump": "", "history": [],
        "doubled": [[], [], [], []], "options": {"self_capture": "net"}, "out": [], "counts": [13] * 4,
    }  # fmt: skip
    return full | given


def test_the_king_of_hearts_goes_where_somebody_else_takes_it() -> None:
    """Three cards each: seat 3 led the ace of spades, we have no spade."""
    left = {0: "3C 9C KH", 1: "2S 3S 4S", 2: "AC 5S 6S", 3: "2H 7S AS"}
    gone = FULL_PACK & ~parse_cards(" ".join(left.values()))
    played = [[seat, f"play {card}"] for seat, card in _tricks(gone)]
    others = parse_cards(" ".join(left[seat] for seat in (1, 2, 3))) & ~parse_cards("AS")
    view = kasra_view(
        hand=left[0].split(),
        history=[*played, [3, "play AS"]],
        owner=played[0][0],
        counts=[3, 3, 3, 2],
        trick=[[3, "AS"]],
        tricks=[2, 2, 3, 3],
        rows={suit: [] for suit in "CDHS"},
        can_hold=[left[0].split(), *[_names(others)] * 3],
    )
    assert make("quick").act(View(view, ("play 3C", "play 9C", "play KH"))) == "play KH"


def _names(cards: CardSet) -> list[str]:
    return names(cards).split()


def _tricks(cards: CardSet) -> list[tuple[int, str]]:
    """These cards as tricks of one suit after the other, the last won by seat 3; who holds what is made up."""
    position = Position(Rules(4, 0, Duties("")), [0] * 4, 0)
    order, plays = _names(cards), []
    for card in order:
        plays.append((position.turn, card))
        position.hands[position.turn] |= parse_cards(card)
        position.play(parse_cards(card))
    turn = (3 - position.turn) % 4
    return [((seat + turn) % 4, card) for seat, card in plays]


def test_a_sure_trick_is_taken_when_tricks_count() -> None:
    view = questions("istimar", 4, "play", number=200)
    last = next(one for one in view if len(one.trick) == 2 and len(one.legal) > 2)
    bot = make("sharp")
    answer, notes = bot.act(last), bot.info()
    assert notes is not None
    values = notes["values"]
    assert values[answer] == max(values.values())  # type: ignore[index,attr-defined]


def test_the_best_is_what_brings_most_over_the_others() -> None:
    rich, poor = Tally(), Tally()
    rich.add((10, 20, 20), 0)
    poor.add((5, 0, 0), 0)
    judgement = Judgement({"play AS": rich, "play 2S": poor})
    assert judgement.best() == "play 2S"
    assert judgement.notes() == {"values": {"play AS": 10.0, "play 2S": 5.0}, "worlds": 1}


# ---- worlds -------------------------------------------------------------------------------------------------------


def test_who_promised_many_tricks_is_given_more_high_cards() -> None:
    raw = {
        "game": "estimation", "phase": "play", "seat": 0, "hand": _names(SUIT_CARDS[0]), "counts": [13] * 4,
        "history": [], "can_hold": [_names(SUIT_CARDS[0])] + [_names(FULL_PACK & ~SUIT_CARDS[0])] * 3,
        "estimates": [0, 7, 1, 4], "caller": 1, "dashes": [], "trump": "S", "options": {},
    }  # fmt: skip
    reading = Reading.of(raw)
    assert likelihood_of(reading, hidden(reading)) is not None
    trumps = {1: 0, 2: 0}
    for hands in sample(reading, Budget(100, Random(1))):
        for seat in trumps:
            trumps[seat] += count(hands[seat] & SUIT_CARDS[3])
    assert trumps[1] > 1.5 * trumps[2]


def after_a_return() -> Reading:
    """A giver of Isti'mar who was just returned another card, and may give once more."""
    referee, found = Referee.start(find_game("istimar"), shuffled(Random(4).shuffle)), []

    def watching(seat: int, state: State, hand: CardSet, actions: list[Action]) -> Action:
        reading = Reading.of(seat_view(referee, seat))
        last = " ".join(text for _, text in reading.raw["history"][-2:]).split()  # give SEAT CARD return CARD
        if state.phase == "exchange" and "return" in last and last[2] != last[-1]:
            found.append(reading)
        return bot_chooser(referee, make("steady"))(seat, state, hand, actions)

    referee.play([watching] * 3, 4)
    return found[0]


def test_who_gave_a_card_knows_where_it_lies_and_what_the_returned_one_tells() -> None:
    reading = after_a_return()
    (_, gave), (loser, returned) = reading.raw["history"][-2:]
    given, back = parse_cards(gave.split()[2]), parse_cards(returned.split()[1])
    suit = next(suit for suit in SUIT_CARDS if suit & back)
    places, known = hidden(reading), hidden(reading, private=False)
    for place, can_hold, to_all in zip(places.places, places.can_hold, known.can_hold, strict=True):
        assert bool(can_hold & given) == (place == loser)
        assert not (place == loser and can_hold & suit & -back), "it was his highest"
        assert to_all & given and not can_hold & ~to_all
    assert all(hands[loser] & given for hands in sample(reading, Budget(20, Random(1))))


def test_a_return_that_cannot_be_true_leaves_a_bot_what_everybody_knows() -> None:
    """Whoever returns another card than he owes is found out at the end of the deal; until then the game goes on."""
    reading = after_a_return()
    loser = reading.raw["history"][-1][0]
    lies = [one for suit in "SHDC" for one in ([reading.seat, f"give {loser} 2{suit}"], [loser, f"return 3{suit}"])]
    false = Reading.of({**reading.raw, "history": reading.raw["history"] + lies})
    worlds = list(sample(false, Budget(5, Random(1))))
    assert len(worlds) == 5 and {hands[loser].bit_count() for hands in worlds} == {reading.counts[loser]}


def test_who_named_trumps_is_thought_long_in_them() -> None:
    view = next(one for one in questions("istimar", 4, "play", number=200) if one.raw["declarer"] != one.raw["seat"])
    reading = Reading.of(view.raw)
    declarer, trump = reading.raw["declarer"], reading.trump
    drawn = [count(hands[declarer] & trump) for hands in sample(reading, Budget(60, Random(1)))]
    places = hidden(reading)
    even = Worlds(places, Random(1)).sample(60)
    assert sum(drawn) > sum(count(world[places.places.index(declarer)] & trump) for _, world in even) + 30


def test_a_declarer_is_thought_to_keep_his_good_cards() -> None:
    hand = parse_cards("AS KS QS JS TS 9S 2H 3H AD KD 4D 2C 5C 7C 8C 9C TC JC QC KC")
    assert put_aside(hand, 4, SUIT_CARDS[3], duck=False) & parse_cards("2H 3H") == parse_cards("2H 3H")
    assert not put_aside(hand, 4, SUIT_CARDS[3], duck=False) & parse_cards("AS KS QS JS TS 9S AD")
    assert count(put_aside(hand, 4, 0, duck=True)) == 4


def test_three_five_eight_declares_what_six_cards_suit() -> None:
    legal = tuple(f"contract {word}" for word in ("S", "H", "D", "C", "NT", "none"))
    for cards, expected in (("AS KS QS JS 9S AD", "contract S"), ("2S 3S 2H 3D 2C 4C", "contract none")):
        others = _names(FULL_PACK & ~parse_cards(cards))
        raw = {
            "game": "three_five_eight", "phase": "choose", "seat": 1, "hand": cards.split(), "counts": [6] * 3,
            "history": [], "can_hold": [others, cards.split(), others], "declarer": 1, "contract": None,
            "deal": 1, "deals": 18, "contracts": [[], [], []], "results": [],
            "options": {"no_tricks_limits": "reversed", "must_trump": "yes"},
        }  # fmt: skip
        judgement = judge_kitty_call(Reading.of(raw), legal, Budget(60, Random(1)))
        assert judgement is not None and judgement.best() == expected


def test_a_contract_of_three_five_eight_is_worth_keeping_only_while_it_may_be_needed() -> None:
    """And one with trumps more, the more cards it lets its declarer exchange."""
    cards = "AS KS QS JD 3H 2C"
    others = _names(FULL_PACK & ~parse_cards(cards))

    def later(deals: int, before: int) -> dict[str, float]:
        raw = {
            "game": "three_five_eight", "phase": "choose", "seat": 1, "hand": cards.split(), "counts": [6] * 3,
            "history": [], "can_hold": [others, cards.split(), others], "declarer": 1, "contract": None,
            "deal": 4, "deals": deals, "contracts": [["S"], ["H"], []], "results": [[-before, before, 0]],
            "options": {"no_tricks_limits": "reversed", "must_trump": "yes"},
        }  # fmt: skip
        legal = ("contract S", "contract D", "contract none")
        judgement = judge_kitty_call(Reading.of(raw), legal, Budget(1, Random(1)))
        assert judgement is not None
        return {text: tally.later for text, tally in judgement.tallies.items()}

    assert later(4, -1)["contract none"] == 0 < later(18, -1)["contract none"]
    assert later(18, 3)["contract S"] - later(18, -1)["contract S"] > 3
    assert later(18, 3)["contract none"] == later(18, -1)["contract none"]


def test_deals_are_read_from_any_view() -> None:
    """Whatever the phase, reading a view never fails."""
    for game in NAMES:
        referee, dice = new_table(game, {}, seed=9)
        for _ in range(40):
            step = referee.advance()
            if isinstance(step, Finished):
                break
            seats = (step.seat,) if isinstance(step, Ask) else step.seats if isinstance(step, Sealed) else ()
            for seat in seats:
                reading = Reading.of(seat_view(referee, seat))
                if referee.state.phase == "play":
                    assert deal_of(reading)
            chosen = {seat: dice.choice(referee.legal(seat)) for seat in seats}
            if isinstance(step, Sealed):
                referee.act_at_once(chosen)
            else:
                referee.act(seats[0], chosen[seats[0]])


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "deals"), [("kasra", 960), ("estimation", 960), ("istimar", 270), ("three_five_eight", 360)]
)
def test_quick_beats_steady(game: str, deals: int) -> None:
    strength = compare(game, "quick", "steady", deals, seed=1)
    assert strength.sure, str(strength)


@pytest.mark.parametrize("auction", ["single", "until_pass"])
@pytest.mark.parametrize("timing", ["in_turn", "before_bidding"])
def test_calls_made_up_for_the_others_keep_to_the_rules(auction: str, timing: str) -> None:
    options = {"auction": auction, "dash_timing": timing, "normal_deals": 2, "speed_deals": 2}
    for seed in range(12):
        referee, dice = new_table("estimation", options, seed)
        for _ in range(dice.randrange(1, 12)):
            step = referee.advance()
            if isinstance(step, Sealed):
                referee.act_at_once({seat: referee.legal(seat)[0] for seat in step.seats})
            elif isinstance(step, Ask) and referee.state.phase != "play":
                reading = Reading.of(seat_view(referee, step.seat))
                declared = Calls.of(reading, list(referee.hands)).declared()
                if declared is not None:
                    assert declared.total != 13 and min(declared.estimates) >= 0
                    assert declared.estimates[declared.caller] == max(declared.estimates)
                    assert declared.last not in declared.dashes and len(declared.dashes) <= 2
                referee.act(step.seat, dice.choice(referee.legal(step.seat)[:4]))


def test_who_knows_the_truth_sees_it_as_often_as_all_that_could_be() -> None:
    referee = Referee.start(find_game("kasra"), shuffled(Random(4).shuffle))
    referee.advance()
    reading = Reading.of(seat_view(referee, 0))
    worlds = list(sample(reading, Budget(6, Random(1), truth=lambda: referee.hands)))
    assert len(worlds) == 12 and all(hands == referee.hands for hands in worlds[1::2])
    assert all(hands != referee.hands and hands[0] == referee.hands[0] for hands in worlds[::2])
