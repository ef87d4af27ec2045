"""The legal list, against the claims of every action there is, and against the rules read independently by hand."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions import Action, Kind
from engine.cards import FULL_PACK, NO_CARDS, CardSet, count
from engine.cards import names as card_names
from engine.game import Illegal, asked, check, legal
from engine.referee import Acted, Event
from tests.properties.engine_games import RANKS, every_action, names, new_table, options_of, play_some, seeds

EVERY_ACTION = every_action()


@given(st.data(), names, seeds, st.integers(0, 120))
@settings(deadline=None)
def test_the_legal_list_is_what_is_possible_and_true_of_the_hand(
    data: st.DataObject, name: str, seed: int, choices: int
) -> None:
    """All seats and actions: listed if and only if the claim does not raise and is true of the hand."""
    referee, dice = new_table(name, data.draw(options_of(name)), seed)
    going_on = play_some(referee, dice, choices)
    for seat, hand in enumerate(referee.hands):
        allowed = set()
        for action in [*EVERY_ACTION, Action("claim", cards=hand), Action("claim", cards=hand & hand - 1)]:
            try:
                check(referee.state, seat, action, hand, referee.received[seat])
            except Illegal as refusal:
                assert refusal.rule and refusal.code
            else:
                allowed.add(action)
        listed = referee.legal(seat)
        assert len(set(listed)) == len(listed)
        assert set(listed) == allowed
        assert bool(listed) == (going_on and seat in asked(referee.state.step))


@given(st.data(), names, seeds, st.integers(0, 120))
@settings(deadline=None)
def test_every_card_that_can_be_named_stands_in_one_duty_that_does_not_forbid_it(
    data: st.DataObject, name: str, seed: int, choices: int
) -> None:
    """So the whole hand may be looked at instead of what remains of it; and the candidates are just these cards."""
    referee, dice = new_table(name, data.draw(options_of(name)), seed)
    play_some(referee, dice, choices)
    state = referee.state
    for seat, received in enumerate(referee.received):
        spoken_of: dict[Kind, CardSet] = {}
        for duty in state.duties(seat, received):
            assert duty.cards and not duty.cards & spoken_of.get(duty.kind, NO_CARDS)
            assert not duty.cards & duty.excludes or count(duty.cards) == 1
            spoken_of[duty.kind] = spoken_of.get(duty.kind, NO_CARDS) | duty.cards
        named: dict[Kind, CardSet] = {}
        for action in state.candidates(seat, FULL_PACK):
            if action.verb in ("play", "give", "return", "discard"):
                kind = action.verb, action.to
                named[kind] = named.get(kind, NO_CARDS) | action.cards
        # Whoever does not see what was given can only say that any card may go back.
        assert named == {kind: FULL_PACK if kind[0] == "return" else cards for kind, cards in spoken_of.items()}


class ByHand:
    """Kasra's plays as a person would check them: cards are text, the table is a list."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self.contract = ""
        self.trump = ""
        self.table: list[tuple[int, str]] = []
        self.rows: set[str] = set()

    def __call__(self, event: Event) -> None:
        if not isinstance(event, Acted):
            return
        verb, *words = str(event.action).split()
        if verb == "game":
            self.clear()
            self.contract = words[0]
        elif verb == "trump":
            self.trump = words[0]
        elif verb in ("play", "pass"):
            hand = card_names(event.hand).split()
            expected = self.trix(hand) if self.contract == "trix" else self.trick(hand)
            assert (words or ["pass"])[0] in expected
            # What was allowed instead must be just what the engine lists.
            actions = [action for action in legal(event.before, event.seat, event.hand) if action.verb != "claim"]
            listed = [str(action).removeprefix("play ") for action in actions]
            assert listed == sorted(expected, key=lambda card: (RANKS.find(card[0]), "CDHS".find(card[-1])))
            if verb == "play":
                self.put(event.seat, words[0])

    def trick(self, hand: list[str]) -> list[str]:
        """Follow suit if you can; nothing else is owed."""
        if not self.table:
            return hand
        led = self.table[0][1][1]
        return [card for card in hand if card[1] == led] or hand

    def trix(self, hand: list[str]) -> list[str]:
        """A jack, or the card next to one that lies there on the jack's side; a pass with neither."""
        fitting = []
        for card in hand:
            rank, suit = RANKS.index(card[0]), card[1]
            inward = rank + 1 if rank < RANKS.index("J") else rank - 1
            if card[0] == "J" or RANKS[inward] + suit in self.rows:
                fitting.append(card)
        return fitting or ["pass"]

    def put(self, seat: int, card: str) -> None:
        self.rows.add(card)
        if self.contract != "trix":
            if self.table:
                assert seat == (self.table[-1][0] + 1) % 4
            self.table.append((seat, card))
            if len(self.table) == 4:
                self.table = []


@given(st.data(), seeds)
@settings(deadline=None, max_examples=30)
def test_plays_of_kasra_are_those_that_the_rules_allow_by_hand(data: st.DataObject, seed: int) -> None:
    referee, dice = new_table("kasra", data.draw(options_of("kasra")) | {"kingdoms": 1}, seed)
    referee.observers.append(ByHand())
    play_some(referee, dice, 1000)


def winner_by_hand(table: list[tuple[int, str]], trump: str) -> int:
    """Who won a finished trick."""
    trumps = [play for play in table if play[1][1] == trump]
    led = [play for play in table if play[1][1] == table[0][1][1]]
    return max(trumps or led, key=lambda play: RANKS.index(play[1][0]))[0]


@given(seeds)
@settings(deadline=None, max_examples=30)
def test_tricks_of_kasra_are_won_and_paid_as_counted_by_hand(seed: int) -> None:
    """Points of the three trick games, counted from the plays alone."""
    referee, dice = new_table("kasra", {"kingdoms": 1, "doubling": "off"}, seed)
    plays: list[tuple[int, str]] = []
    words: list[str] = []

    def note(event: Event) -> None:
        if isinstance(event, Acted):
            verb, *rest = str(event.action).split()
            if verb == "play":
                plays.append((event.seat, rest[0]))
            elif verb in ("game", "trump"):
                words.extend(rest)

    referee.observers.append(note)
    for deal in range(4):
        plays.clear()
        words.clear()
        while len(referee.state.results) == deal:
            play_some(referee, dice, 1, claims=False)
        if words[0] == "trix":
            continue
        points = [0, 0, 0, 0]
        for number in range(13):
            table = plays[4 * number : 4 * number + 4]
            winner = winner_by_hand(table, words[1] if words[0] == "tarneeb" else "")
            match words[0]:
                case "tarneeb":
                    points[winner] += 10
                case "ltooshain":
                    points[winner] -= {11: 60, 12: 70}.get(number, 0)
                case "complex":
                    taken = [card for _, card in table]
                    points[winner] -= 15 + 75 * ("KH" in taken)
                    points[winner] -= sum(25 * (card[0] == "Q") + 10 * (card[1] == "D") for card in taken)
        assert list(referee.state.results[deal].points) == points
