"""What the seat protocol tells a program about the table itself: who is there, who is waited for, what was said."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import asked
from p2p.language import clean_text
from p2p.language.cards import seat_name
from p2p.limits import NAME_LENGTH
from p2p.peer import Peer
from protocol import seat as seat_protocol
from protocol.table import events


def presence(peer: Peer, connected: Sequence[bool], shuffle: events.Preparing | None) -> seat_protocol.Table:
    """The `table` message: seats in order, the seats waited for with the seconds they have left, and the shuffle."""
    players = peer.table.players
    seats_of = {player.key: seat for seat, player in enumerate(players)}
    here = [
        seat_protocol.Presence(
            seat=seat,
            name=seat_name(seat, clean_text(player.name, NAME_LENGTH)),
            state="stand-in" if player.lost else "here" if not connected or connected[seat] else "missing",
            bot_of=seats_of.get(player.machine, -1) if player.bot else -1,
        )
        for seat, player in enumerate(players)
    ]
    left = {seat: _left(peer, here[seat], waited) for seat, waited in peer.waited_for().items()}
    waiting = [seat_protocol.Waiting(seat=seat, seconds=seconds) for seat, seconds in sorted(left.items())]
    done, total = (shuffle.done, shuffle.total) if shuffle else (0, 0)
    return seat_protocol.Table(presence=here, waiting=waiting, done=done, total=total)


def _left(peer: Peer, one: seat_protocol.Presence, waited: float) -> float:
    """Seconds until something happens: the clock of a move runs out for somebody who is there and asked, as he sees it
    himself; then, or for somebody who is gone, until a stand-in may play for him."""
    state, clocks = peer.table.state, peer.clocks
    thinking = one.state == "here" and state is not None and one.seat in asked(state.step)
    move = (clocks.bot if one.bot_of >= 0 else clocks.turn) if thinking else 0.0
    return move - waited if waited < move else max(0.0, clocks.away - waited)
