"""What a third player sees of an exchange and of discards is the same whatever the cards were.

Worlds of different seeds, hence with other cards, but the same public choices: kinds of entries, authors' seats, sizes
of every field, and events must be equal one by one.
"""

from __future__ import annotations

import msgspec
import pytest

from engine.actions import Action
from protocol import messages
from protocol.messages import Body, decode_body_untrusted
from protocol.table import events
from tests.sim.world import World


def shape(body: Body) -> tuple[object, ...]:
    """Everything about an entry that is not a number of the protocol: sizes of its blobs, and its public words."""
    if isinstance(body, messages.Move):
        handed = None if body.handed is None else (len(body.handed.cipher), len(body.handed.proof))
        return (body.action, len(body.slots), len(body.opening), len(body.claim), handed, body.choice)
    return (type(body).__name__, *(len(v) if isinstance(v, bytes) else 0 for v in msgspec.structs.astuple(body)))


def chooser(number: int):  # type: ignore[no-untyped-def]
    """The same public choices everywhere: gives to the first seat that may get; which card differs with the world."""

    def choose(table: object, seat: int, actions: list[Action], rng: object) -> Action:
        verbs = {action.verb for action in actions}
        if verbs & {"give", "discard", "return"}:
            first = next(action for action in actions if action.verb in ("give", "discard", "return"))
            same = [action for action in actions if action.verb == first.verb and action.to == first.to]
            return same[(7 * number) % len(same)]
        by_name = {str(action): action for action in actions}
        return by_name.get("trump H") or by_name.get("contract H") or actions[0]

    return choose


PHASES = ("exchange", "kitty", "discard")


def seen(game: str, seed: int, tricks: tuple[int, ...]) -> list[tuple[object, ...]]:
    """What anybody sees of the second deal until cards are played, with a history that both worlds share: the score of
    the deal before is set to be `tricks` over and under the goals."""
    from dataclasses import replace

    options: dict[str, str | int] = {"extra_series": 0} if game == "istimar" else {"deals": 3}
    world = World(game, seed, options, 3, one_verifies=True)
    for number, peer in enumerate(world.peers):
        peer.chooser = chooser(number + seed)

    def second_deal() -> bool:
        state = world.table.state
        return state is not None and state.deal == 2 and state.phase == "deal"

    world.play(until=second_deal)
    unit = 2 if game == "istimar" else 1
    for peer in world.peers:
        peer.table.state = replace(peer.table.state, previous=tuple(unit * one for one in tricks), declarer=0)  # type: ignore
    found: list[tuple[object, ...]] = []

    def playing() -> bool:
        state = world.table.state
        return state is not None and state.deal == 2 and state.phase == "play"

    start = len(world.records)
    happened = len(world.peers[2].events)
    world.play(until=playing)
    for record in world.records[start:]:
        seat = world.table.seat_of(record.entry.author)
        body = decode_body_untrusted(record.entry.body)
        if isinstance(body, messages.Move | messages.Mix):
            found.append((seat, *shape(body)))
    for event in world.peers[2].events[happened:]:
        if isinstance(event, events.Acted):
            found.append((event.seat, str(event.action), event.proved))
    return found


@pytest.mark.parametrize("game", ["istimar", "three_five_eight"])
@pytest.mark.parametrize("tricks", [(2, -1, -1), (-3, 1, 2)])
def test_an_exchange_and_the_discards_look_the_same_whatever_the_cards_are(
    game: str, tricks: tuple[int, ...]
) -> None:
    first = seen(game, 1, tricks)
    assert any("give" in str(part) for line in first for part in line)
    assert [line for line in first if "discard ??" in line]
    assert seen(game, 2, tricks) == first
