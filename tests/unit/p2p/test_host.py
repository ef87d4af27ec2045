"""What a host counts against a seat."""

from __future__ import annotations

from pathlib import Path

from p2p import limits
from p2p.host import Host, Terms
from p2p.store import Secrets, TableStore
from protocol.identity import Identity


def test_late_votes_of_a_whole_game_do_not_cost_a_seat_but_floods_do(tmp_path: Path) -> None:
    """Every move of a game of Kasra may bring one: somebody votes about whoever is about to move, and an honest seat's
    word that it waits comes after the move."""
    honest, flooding = b"a" * 32, b"f" * 32
    secrets = Secrets(bytes(32), Identity.generate(b"h" * 32).to_bytes(), bytes(16))
    with TableStore.create(tmp_path, bytes(16), "host", secrets, game="kasra") as store:
        host = Host(store, Terms("kasra", {}, {}), lambda: None)
        for _ in range(16 * 52):
            host._count_stale(honest, 450)
        assert honest not in host._removed
        for _ in range(limits.STALE_BYTES // 40_000 + 1):
            host._count_stale(flooding, 40_000)
        assert host._removed == {flooding: "too-many-stale"}
