"""A game of the arena at a real table: every player a peer in a process of its own, over TCP and TLS, all moves proved.

All players shuffle the packs, and the seats are drawn, so nobody can choose either: what the plan's seed decides is
only the bots' own chance. The log is verified afterwards, and the points are those that it proves.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from pathlib import Path

from bots.arena.boards import Job, Plan, bot_seed, deal_seed
from bots.arena.playing import KINDS, Game, Played
from bots.programs import PROGRAM
from engine.record import write
from p2p.cli import demo
from p2p.language import t
from p2p.recording import record_of_untrusted
from p2p.sitting import FAULTS_FILE
from p2p.store import read_log_untrusted

SEED_SHIFT = 22
"""Bits that a bot's seed is shortened by: the host adds its bots' numbers to it, and it must stay exact for all."""


def play(plan: Plan, job: Job, errors: str = "") -> Game:
    """Play one game and verify its log. A game that fails ends the program with a sentence, as in `majlis demo`."""
    bots = [plan.distinct[bot].removeprefix(PROGRAM) for bot in job.seating]
    options = {**plan.in_force, "bot_seconds": max(1, round(plan.seconds))}
    asked = tuple(f"{name}={value}" for name, value in options.items())
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary:
        folder = Path(temporary)
        at_table = demo.play(plan.game, asked, folder, bot_seed(plan, job.board, 0) >> SEED_SHIFT, bots)
        verdict = demo.check(at_table)
        demo.insist(verdict)
        bodies, _ = read_log_untrusted(at_table.logs[0])
        text = write(record_of_untrusted(bodies))
        names = [t("bot-name", number=number) for number in range(len(bots))]
        drawn = [names.index(player.name) for player in verdict.players]
        faults = [_faults(folder, number) for number in drawn]
    played = Played(
        board=job.board,
        seating=tuple(job.seating[number] for number in drawn),
        packs=deal_seed(plan, job.board),
        points=tuple(result.points for result in verdict.results),
        faults=tuple(faults),
        times=((),) * len(bots),
        moves=hashlib.sha256(text.encode()).hexdigest(),
    )
    return Game(played, text)


def _faults(folder: Path, number: int) -> tuple[int, ...]:
    """What the host's bot of this number did that it should not; number 0 plays the host's own seat."""
    (table,) = (folder / "home" / "tables").iterdir()
    if number:
        (table,) = (table / "bots" / str(number) / "tables").iterdir()
    found = json.loads((table / FAULTS_FILE).read_text("utf-8"))
    return tuple(int(found[kind]) for kind in KINDS)
