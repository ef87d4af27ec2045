"""Bots at an open table, without peers and proofs: for measuring them, for recording conversations, for checks.

The referee sees every card; each bot is given only the view that its seat would have at a table of peers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bots.sdk import Bot, View
from engine.actions import Action, parse_action
from engine.cards import NO_CARDS, CardSet, card_set, single
from engine.cards import names as card_names
from engine.game import Ask, Game, State
from engine.kitty import KITTY
from engine.referee import Acted, Chooser, Dealt, Referee, Scored, ThrownIn
from engine.referee import Event as TableEvent
from protocol.seat import Clocks, Deal, Event, FromPeer, HandChanged, Hello, Score, act_message, build_view, roles_of


def seat_view(referee: Referee, seat: int, names: Sequence[str] = ()) -> dict[str, object]:
    """What `seat` may know now."""
    known = [referee.knowledge.can_hold(other) for other in range(len(referee.hands))]
    return build_view(
        referee.state,
        seat,
        referee.hands[seat],
        known,
        names,
        referee.received[seat],
        new_cards(referee, seat),
        referee.known_face_down(seat),
    )


def new_cards(referee: Referee, seat: int) -> CardSet:
    """The cards that came to `seat` last, by exchange or from the kitty, and that it has not answered yet."""
    state = referee.state
    if state.phase == "discard" and state.step == Ask(seat):
        return referee.hands[seat] & card_set(referee.pack[position] for position in KITTY)
    received = referee.received[seat]
    return NO_CARDS if received is None or state.phase == "play" else single(received)


def choice(referee: Referee, bot: Bot, seat: int, names: Sequence[str] = ()) -> Action:
    """What a bot answers when `seat` is asked at the referee's table. Whether that is legal is not looked at."""
    return parse_action(bot.act(View.of(act_message(0, seat_view(referee, seat, names)))))


def bot_chooser(referee: Referee, bot: Bot) -> Chooser:
    """Lets a bot choose for whatever seat is asked at the referee's table. An illegal answer is an `Illegal`."""

    def choose(seat: int, state: State, hand: CardSet, actions: list[Action]) -> Action:
        return choice(referee, bot, seat)

    return choose


def greeting(
    game: Game, options: dict[str, str | int], seat: int, names: Sequence[str], seed: int, clocks: Clocks | None = None
) -> Hello:
    """The first message to a bot at such a table."""
    clocks = clocks or Clocks()
    return Hello(game=game.name, options=options, seat=seat, names=list(names), clocks=clocks, seed=seed)


class SeatNews:
    """What a bot that wants ``events`` is told of such a table: deals, actions as its seat sees them, cards that came
    to it, scores. Each message goes to `say`."""

    def __init__(
        self, referee: Referee, seat: int, names: Sequence[str], say: Callable[[FromPeer], None]
    ) -> None:
        self._referee = referee
        self._seat = seat
        self._names = names
        self._say = say
        self._deal = 0
        self._hand = NO_CARDS
        referee.observers.append(self._watch)

    def look(self, told: bool = False) -> None:
        """Tell of cards that came, and (`told`) of one that went by the rules."""
        before, self._hand = self._hand, self._referee.hands[self._seat]
        new = self._hand & ~before
        if new or told:
            self._say(HandChanged(hand=card_names(self._hand).split(), new=card_names(new).split()))

    def _watch(self, event: TableEvent) -> None:
        match event:
            case Dealt(hands=hands) if self._deal != event.state.deal:
                self._deal, self._hand = event.state.deal, hands[self._seat]
                self._say(self._dealt(event.state))
            case Dealt(hands=hands):
                self._hand = hands[self._seat]
                self._say(HandChanged(hand=card_names(self._hand).split()))
            case Acted(seat=seat, action=action, claim=claim):
                secret = claim.face_down and not self._referee.known_face_down(self._seat)[-1]
                shown = action.concealed() if secret else action
                self._say(Event(deal=event.before.deal, seat=seat, action=str(shown)))
                self.look(told=seat == self._seat and action.verb == "return")
            case ThrownIn():
                self._deal = 0  # what is dealt next begins it again
            case Scored(result=result):
                self._say(
                    Score(
                        deal=result.deal,
                        points=list(result.points),
                        breakdown=[list(lines) for lines in result.breakdown],
                        totals=list(result.totals),
                        multiplier=result.multiplier,
                    )
                )

    def _dealt(self, state: State) -> Deal:
        return Deal(
            number=state.deal,
            dealer=state.dealer,
            roles=roles_of(seat_view(self._referee, self._seat, self._names)),
            hand=card_names(self._hand).split(),
            totals=list(state.totals),
        )
