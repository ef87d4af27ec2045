"""What a peer says to one seat, message by message, at an open table: for recording conversations and checking bots."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence

from bots.practice import SeatNews, greeting, seat_view
from engine.actions import Action, parse_action
from engine.game import Ask, Sealed, forced
from engine.referee import Referee
from protocol.seat import Act, Clocks, End, FromPeer, act_message

Talk = Generator[FromPeer, str, None]
"""Gives what the peer says; takes the answer to each `act` by `send`."""


def talk(
    referee: Referee,
    seat: int,
    names: Sequence[str],
    others: Callable[[int], Action],
    *,
    wants: Sequence[str] = (),
    deals: int = 0,
    seed: int = 1,
    clocks: Clocks | None = None,
) -> Talk:
    """A game of the referee's from `hello` to `end`, as one seat hears it. `others(seat)` chooses for the other seats;
    `deals` ends it early. Raises Illegal for an answer that the rules do not allow."""
    names, clocks = names[: len(referee.hands)], clocks or Clocks()
    heard: list[FromPeer] = []
    news = SeatNews(referee, seat, names, heard.append) if "events" in wants else None
    game, options = referee.state.game, dict(referee.state.options)
    yield greeting(game, options, seat, names, seed, clocks)
    question = 0
    while isinstance(step := referee.advance_until_scored(deals or -1), Ask | Sealed):
        chosen: dict[int, Action] = {}
        for mover in (step.seat,) if isinstance(step, Ask) else step.seats:
            if (only := forced(referee.legal(mover))) is not None:
                chosen[mover] = only
                continue
            if mover != seat:
                chosen[mover] = others(mover)
                continue
            if news is not None:
                news.look()
            yield from _all(heard)
            question += 1
            answer = yield act_message(question, seat_view(referee, seat, names), clocks.move)
            chosen[mover] = parse_action(answer)
        if isinstance(step, Sealed):
            referee.act_at_once(chosen)
        else:
            referee.act(step.seat, chosen[step.seat])
    yield from _all(heard)
    totals = referee.state.totals
    best = [other for other, total in enumerate(totals) if total == max(totals)]
    yield End(totals=list(totals), winners=list(referee.state.winners) or best)


def answered(heard: Talk, choose: Callable[[Act], str]) -> Iterator[tuple[FromPeer, str | None]]:
    """The whole talk when a function answers: each message, and the answer if it is a question."""
    answer: str | None = None
    while True:
        try:
            message = next(heard) if answer is None else heard.send(answer)
        except StopIteration:
            return
        answer = choose(message) if isinstance(message, Act) else None
        yield message, answer


def _all(heard: list[FromPeer]) -> Generator[FromPeer, str, None]:
    """Everything that was heard, once."""
    while heard:
        yield heard.pop(0)
