"""``make bench``: figures and ratios of this machine beside the goals of the design. Nothing here passes or fails.

    python -m bench [deck] [table] [screen] [engine] [core] [deciding] [bots]          all of them without a word
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from bench import deck, latency, search
from bots.strength import compare
from engine.games import NAMES
from p2p.cli.demo import SHORT, play
from p2p.store import read_log_untrusted
from protocol.verify import verify_records

GOALS = {"cold": 1.0, "prepared": 0.05}
BYTES_GOAL = 60_000
STRENGTH_DEALS = 400


def bench_deck() -> None:
    """The cryptography, one core."""
    deck.main()


def bench_table() -> None:
    """Whole tables in separate processes on loopback: wall time of dealing, bytes, checking."""
    print("\nwhole tables, a process a seat, TCP and TLS on loopback")
    print(
        f"{'game':<18}{'cold s':>8}{'goal':>6}{'prepared s':>12}{'goal':>6}"
        f"{'bytes/deal':>12}{'goal':>8}{'verify s':>10}"
    )
    for name in NAMES:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            options = ("normal_deals=3", "speed_deals=0") if name == "estimation" else SHORT[name]
            played = play(name, options, Path(folder), seed=1)
            records, _ = read_log_untrusted(played.logs[0])
        since = time.perf_counter()
        verdict = verify_records(records)
        spent = time.perf_counter() - since
        cold, prepared = played.measures["cold"], played.measures["prepared"]
        size = verdict.deal_bytes // max(1, verdict.packs)
        print(
            f"{name:<18}{cold:>8.2f}{GOALS['cold']:>6.1f}{prepared:>12.3f}{GOALS['prepared']:>6.2f}"
            f"{size:>12,}{BYTES_GOAL:>8,}{spent:>10.2f}"
        )


def bench_bots() -> None:
    """How much better the steady bot is than random ones."""
    print(f"\nsteady against random, points a deal above them, over {STRENGTH_DEALS} deals")
    for name in NAMES:
        print(f"{name:<18}{compare(name, 'steady', 'random', STRENGTH_DEALS, seed=1)}")


PARTS = {
    "deck": bench_deck,
    "table": bench_table,
    "screen": latency.main,
    "engine": search.engine,
    "core": search.core,
    "deciding": search.deciding,
    "bots": bench_bots,
}


def main() -> None:
    """The parts asked for, or all."""
    for part in sys.argv[1:] or list(PARTS):
        if part not in PARTS:
            raise SystemExit(f"bench: no part {part!r}; there are {', '.join(PARTS)}")
        PARTS[part]()


if __name__ == "__main__":
    main()
