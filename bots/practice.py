"""Bots at an open table, without peers and proofs: for measuring them, for recording conversations, for checks.

The referee sees every card; each bot is given only the view that its seat would have at a table of peers.
"""

from __future__ import annotations

from collections.abc import Sequence

from bots.sdk import Bot, View
from engine.actions import Action, parse_action
from engine.cards import NO_CARDS, CardSet, card_set, single
from engine.game import Ask, Game, State
from engine.kitty import KITTY
from engine.referee import Chooser, Referee
from protocol.seat import Clocks, Hello, build_view


def seat_view(referee: Referee, seat: int, names: Sequence[str] = ()) -> dict[str, object]:
    """What `seat` may know now."""
    known = [referee.knowledge.can_hold(other) for other in range(len(referee.hands))]
    received = referee.received[seat]
    return build_view(referee.state, seat, referee.hands[seat], known, names, received, new_cards(referee, seat))


def new_cards(referee: Referee, seat: int) -> CardSet:
    """The cards that came to `seat` last, by exchange or from the kitty, and that it has not answered yet."""
    state = referee.state
    if state.phase == "discard" and state.step == Ask(seat):
        return referee.hands[seat] & card_set(referee.pack[position] for position in KITTY)
    received = referee.received[seat]
    return NO_CARDS if received is None or state.phase == "play" else single(received)


def bot_chooser(referee: Referee, bot: Bot) -> Chooser:
    """Lets a bot choose for whatever seat is asked at the referee's table. An illegal answer is an `Illegal`."""

    def choose(seat: int, state: State, hand: CardSet, actions: list[Action]) -> Action:
        return parse_action(bot.act(View(seat_view(referee, seat), tuple(str(action) for action in actions))))

    return choose


def greeting(game: Game, options: dict[str, str | int], seat: int, names: Sequence[str], seed: int) -> Hello:
    """The first message to a bot at such a table."""
    return Hello(game=game.name, options=options, seat=seat, names=list(names), clocks=Clocks(), seed=seed)
