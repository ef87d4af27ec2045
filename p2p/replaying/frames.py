"""A record as a sequence of moments: everything that one can see of the game, and what each seat saw of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from bots.practice import new_cards
from engine.actions import Action
from engine.cards import FULL_PACK, NO_CARDS, SUITS, Card, CardSet, card_name, card_set, count, parse_card
from engine.cards import names as card_names
from engine.game import NewPack, Outcome, Result, State, TakeKitty
from engine.games import game as find_game
from engine.record import Moment, Record, replay
from engine.referee import Acted, Event, Opened, Referee, Scored, ThrownIn
from engine.tricks import winning
from protocol.seat import build_view

View: TypeAlias = Mapping[str, Any]

MOVING = (NewPack, TakeKitty)
"""Steps in which cards move although nobody chooses: they are moments of their own."""


@dataclass(frozen=True, slots=True)
class Open:
    """The cards of a deal whose hands the record gives, by seat.

    hands     what each holds
    known     what the public knows that each can hold
    received  the card just handed to each in an exchange, or None
    new       the cards that came to each last, until it acts
    face_down the cards that went face down in this deal, in order, as far as each knows them
    """

    hands: tuple[CardSet, ...]
    known: tuple[CardSet, ...]
    received: tuple[Card | None, ...]
    new: tuple[CardSet, ...]
    face_down: tuple[tuple[CardSet, ...], ...]

    @classmethod
    def of(cls, referee: Referee) -> Open:
        """The cards as they lie now."""
        seats = range(len(referee.hands))
        return cls(
            tuple(referee.hands),
            tuple(referee.knowledge.can_hold(seat) for seat in seats),
            tuple(referee.received),
            tuple(new_cards(referee, seat) for seat in seats),
            tuple(tuple(referee.known_face_down(seat)) for seat in seats),
        )


@dataclass(frozen=True, slots=True)
class Frame:
    """One moment of a game.

    deal, dealer  of the deal that this is a moment of, also when it has just ended
    attempt       from 0; the deal was thrown in so many times before
    events        what just happened (`engine.referee`); none when only cards moved
    state         what is public now
    table         the public view (`State.view`) of this deal's table: when the deal has just ended, as it lay at its
                  end, while `state` already waits for the next pack
    cards         all cards; None in a deal whose hands the record does not give (a score sheet)
    kitty         its cards once they are opened, and `kitty_seat`: who alone saw them, -1 for everybody
    aside         what was put aside face down
    trick         what lies on the table: the trick being played, else the one that was just taken
    taker         who took that one, -1 while it is being played
    tricks        tricks won in this deal, by seat
    result        the score of the deal, in the moment in which it is scored
    info          what bots noted about the actions of this moment, by seat
    standins      the seats that the stand-in plays
    names         of the seats as the record gives them; text of strangers
    """

    deal: int
    dealer: int
    attempt: int
    events: tuple[Event, ...]
    state: State
    table: View
    cards: Open | None
    kitty: CardSet
    kitty_seat: int
    aside: CardSet
    trick: tuple[tuple[int, Card], ...]
    taker: int
    tricks: tuple[int, ...]
    result: Result | None
    info: tuple[tuple[int, str], ...]
    standins: tuple[int, ...]
    names: tuple[str, ...]

    @property
    def hands(self) -> tuple[CardSet, ...]:
        """Everybody's cards; () where the record does not give them."""
        return self.cards.hands if self.cards else ()

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of all deals so far."""
        return self.state.totals

    def view(self, seat: int) -> dict[str, object]:
        """Everything that `seat` may know now, as it is sent to the player of a seat (`protocol.seat.build_view`). In
        a deal without hands it holds nothing."""
        if self.cards is None:
            everything = (FULL_PACK,) * self.state.game.seats
            return build_view(self.state, seat, NO_CARDS, everything, self.names)
        cards = self.cards
        return build_view(
            self.state,
            seat,
            cards.hands[seat],
            cards.known,
            self.names,
            cards.received[seat],
            cards.new[seat],
            cards.face_down[seat],
        )


def frames(record: Record) -> tuple[Frame, ...]:
    """Every moment of the game, in order; none of a record without deals. Raises `RecordError` as `replay` does."""
    names = record.seats or [""] * find_game(record.game).seats
    camera = _Camera(tuple(names))
    replay(record, camera.see)
    return tuple(camera.frames)


@dataclass
class _Camera:
    """Takes the frames, and keeps what no single moment tells: where the kitty and the cards put aside are."""

    names: tuple[str, ...]
    frames: list[Frame] = field(default_factory=list)
    attempt: int = 0
    kitty: CardSet = NO_CARDS
    kitty_seat: int = -1
    aside: CardSet = NO_CARDS

    def see(self, moment: Moment) -> None:
        """Take a frame, unless nothing is to be seen (a card searched for in vain)."""
        if not moment.events and not isinstance(moment.step, MOVING):
            return
        self._follow(moment)
        state, events = moment.state, moment.events
        end = next((event for event in events if isinstance(event, Scored | ThrownIn)), None)
        acts = [event for event in events if isinstance(event, Acted)]
        table: dict[str, Any] = state.view()
        if end is not None:
            table = at_end(self._before(moment, acts), table, [(act.seat, act.action) for act in acts])
            table |= _written(moment.outcome, table) if moment.outcome else {}
        trick, taker = _trick(table)
        self.frames.append(
            Frame(
                deal=table["deal"],
                dealer=table["dealer"],
                attempt=self.attempt,
                events=events,
                state=state,
                table=table,
                cards=Open.of(moment.referee) if moment.referee else None,
                kitty=self.kitty,
                kitty_seat=self.kitty_seat,
                aside=self.aside,
                trick=trick,
                taker=taker,
                tricks=_tricks(table),
                result=end.result if isinstance(end, Scored) else None,
                info=tuple((move.seat, move.info) for move in moment.moves if move.info),
                standins=moment.standins,
                names=self.names,
            )
        )
        if end is not None:
            self.attempt = self.attempt + 1 if isinstance(end, ThrownIn) else 0
            self.kitty, self.kitty_seat, self.aside = NO_CARDS, -1, NO_CARDS

    def _follow(self, moment: Moment) -> None:
        for event in moment.events:
            if isinstance(event, Opened):
                self.kitty, self.kitty_seat = card_set(event.cards), event.only
            elif isinstance(event, Acted) and event.action.verb == "discard":
                self.aside |= event.action.cards

    def _before(self, moment: Moment, acts: list[Acted]) -> dict[str, Any]:
        """The table before the deal's last action, or as it was last seen."""
        if acts:
            return acts[-1].before.view()
        ended = next(event for event in moment.events if isinstance(event, Scored | ThrownIn))
        if isinstance(ended, ThrownIn):
            return ended.before.view()
        return dict(self.frames[-1].table)


def _tricks(table: View) -> tuple[int, ...]:
    """Tricks won by seat; the games of three call them `taken`."""
    return tuple(table["taken"] if "goals" in table else table["tricks"])


def _trump(table: View) -> int | None:
    return SUITS.index(table["trump"]) if table["trump"] and table["trump"] in SUITS else None


def _trick(table: View) -> tuple[tuple[tuple[int, Card], ...], int]:
    """The trick to show, and who took it (-1 while it is being played). The last trick of the deal before, which some
    games still tell, is not shown any more."""
    taken = table["last_trick"] if any(_tricks(table)) else []
    lying = tuple((seat, parse_card(name)) for seat, name in table["trick"] or taken)
    return lying, winning(lying, _trump(table))[0] if lying and not table["trick"] else -1


# The last card of a deal: the state that follows already waits for the next pack ----------------------------------


def at_end(before: View, after: View, acts: Sequence[tuple[int, Action]]) -> dict[str, Any]:
    """The table `before` the last action of a deal, with what that action put on it. `acts` are the seats that acted
    and what they did, `after` is the view that already waits for the next pack."""
    table = {**before, "history": before["history"] + [[seat, str(action)] for seat, action in acts], "turn": None}
    last = next((act for act in acts if act[1].verb in ("play", "claim")), None)
    if last is None:
        return table
    seat, action = last
    table["counts"] = [held - (one == seat) for one, held in enumerate(before["counts"])]
    if table.get("contract") == "trix":
        out = table["out"] + [seat] * (not table["counts"][seat])
        return table | {"rows": _laid(table["rows"], action), "out": out}
    if action.verb == "play":
        table |= {"trick": [], "last_trick": after["last_trick"]}
        seat, _ = winning(tuple((one, parse_card(name)) for one, name in after["last_trick"]), _trump(before))
        won, cards = 1, [name for _, name in after["last_trick"]]
    else:  # he leads, holds a card for each trick that is left, and takes them all
        won, cards = count(action.cards), []
    table["taken" if "goals" in table else "tricks"] = [
        so_far + won * (one == seat) for one, so_far in enumerate(_tricks(before))
    ]
    if "rows" in table:  # Kasra tells the cards that were taken, too
        rest = FULL_PACK & ~card_set(parse_card(name) for held in before["taken"] for name in held)
        cards = cards or card_names(rest).split()
        table["taken"] = [held + cards * (one == seat) for one, held in enumerate(before["taken"])]
    return table


def _written(outcome: Outcome, table: View) -> dict[str, Any]:
    """What a score sheet tells of a deal's end, by the names of the view; what it leaves out is as it was."""
    told: dict[str, Any] = {"out": list(outcome.out)} if outcome.out else {}
    if outcome.tricks:
        told["taken" if "goals" in table else "tricks"] = list(outcome.tricks)
    if outcome.took:
        told["taken"] = [card_names(cards).split() for cards in outcome.took]
    return told


def _laid(rows: Mapping[str, list[str]], action: Action) -> dict[str, list[str]]:
    """The rows of Trix with one more card, which the rules let lie there."""
    name = str(action).split()[1]
    ends = [parse_card(end) for end in rows[name[1]]] or [action.card]
    low, high = min(ends[0], action.card), max(ends[-1], action.card)
    return {**rows, name[1]: [card_name(low), card_name(high)]}
