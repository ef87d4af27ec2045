"""Who knows which cards that went face down, also where a stand-in goes on openly."""

from __future__ import annotations

from engine.cards import NO_CARDS, count
from tests.sim.world import World


def test_what_a_stand_in_puts_aside_is_known_to_all_and_what_went_before_to_its_owner_alone() -> None:
    world = World("istimar", 3, {}, seats=3, one_verifies=True)

    def aside() -> int:
        state = world.table.state
        return 0 if state is None else sum(action.verb == "discard" for _, action in state.history)  # type: ignore[attr-defined]

    world.play(until=lambda: aside() == 2)
    owner = next(peer for peer in world.peers if peer.holder.face_down(peer.table, peer.seat) != [NO_CARDS] * 2)
    owner.gone = True
    world.play_on(until=lambda: aside() == 4)
    for peer in world.peers:
        known = [count(cards) for cards in peer.holder.face_down(peer.table, peer.seat)]
        assert known == ([1, 1, 1, 1] if peer is owner else [0, 0, 1, 1])
    assert world.table.in_play is not None
    nobody = owner.holder.face_down(owner.table, -1)
    assert [count(cards) for cards in nobody] == [0, 0, 1, 1], "a seat is what knows, not the keys"
