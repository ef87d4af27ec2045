"""Checking a whole log without any secret: the signatures and the order of the host, every proof, every score.

Anybody who holds the log can do it, long after the game. What comes out is a `Verdict`:

* `error` is set when the log itself is refused: the number of the record, its author's seat and name as far as they can
  be read, and why. Nothing after it was looked at.
* `faults` names those whose signed entries broke a rule or brought a false proof. The log of a game in which somebody
  cheated is a good log: it shows the cheat.
* `finished` says whether the game was played to its end. A log that was cut off is good as far as it goes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.game import Result
from protocol import messages
from protocol.errors import Refused
from protocol.log import Entry, decode_record_untrusted, table_of
from protocol.table import events
from protocol.table.rounds import Kind
from protocol.table.table import Finding, Player, Table

DEALING = (Kind.COMMIT, Kind.REVEAL, Kind.SHARE, Kind.ACCEPT, Kind.SHUFFLE, Kind.RELEASE)
"""The rounds of the deal phase: from the keys until everybody holds cards."""

_ONE_PROOF = (
    messages.KeyReveal,
    messages.Shares,
    messages.Complaint,
    messages.Shuffle,
    messages.OpenShares,
    messages.Mix,
    messages.RecoveryShares,
)
"""Entries that carry exactly one proof."""


@dataclass(frozen=True)
class LogError:
    """Why a log is refused: the number of the record (from 0), who signed the entry in it (seat -1 and no name when
    that cannot be told), and the sentence's id with its values."""

    number: int
    seat: int
    name: str
    code: str
    values: dict[str, object] = field(default_factory=dict)


@dataclass
class Phase:
    """How many entries answered rounds of one kind, and how many bytes their bodies have."""

    entries: int = 0
    bytes: int = 0


@dataclass
class Verdict:
    """What a log says, and whether it is to be believed.

    records   how many records were checked and found good
    players   in seat order
    results   the deals that count; totals by seat; winners, several when the win is shared
    finished  whether the game came to its end and everybody signed the last score
    packs     how many packs were made ready; deal_bytes: what keys, shares, shuffles and deal shares took
    proofs    how many proofs were verified
    phases    by the kind of round (`Kind.value`), and ``vote``, ``sit down`` and ``stale``
    faults    cheats that the log shows, with the entry's number, seat and code; lost: seats that were taken over
    names     of those in `faults`, in the same order
    """

    game: str = ""
    records: int = 0
    players: tuple[Player, ...] = ()
    results: tuple[Result, ...] = ()
    totals: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    finished: bool = False
    packs: int = 0
    deal_bytes: int = 0
    proofs: int = 0
    phases: dict[str, Phase] = field(default_factory=dict)
    faults: list[events.Cheated] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    lost: list[int] = field(default_factory=list)
    error: LogError | None = None

    @property
    def deals(self) -> int:
        """How many deals were scored."""
        return len(self.results)


def verify_records(records: Iterable[bytes]) -> Verdict:
    """Check a log, record by record as they stand in its file. Never raises for what the records hold."""
    verdict = Verdict()
    table: Table | None = None
    entry: Entry | None = None
    for number, data in enumerate(records):
        entry = None
        try:
            record = decode_record_untrusted(data)
            entry = record.entry
            if table is None:
                table = Table(table_of(record))
            table.take_untrusted(record)
            finding = table.examine(entry, number)
        except Refused as refused:
            seat, name = _author(table, entry)
            verdict.error = LogError(number, seat, name, refused.code, refused.values)
            break
        _count(verdict, finding, entry)
        for event in table.settle(finding):
            _note(verdict, table, event)
        verdict.records += 1
    if table is None and verdict.error is None:
        verdict.error = LogError(0, -1, "", "log-not-a-log")
    if table is not None:
        _sum_up(verdict, table)
    return verdict


def _author(table: Table | None, entry: Entry | None) -> tuple[int, str]:
    seat = table.seat_of(entry.author) if table is not None and entry is not None else None
    if table is None or seat is None:
        return -1, ""
    return seat, table.players[seat].name


def _count(verdict: Verdict, finding: Finding, entry: Entry) -> None:
    if finding.stale:
        kind = "stale"
    elif finding.round is not None:
        kind = finding.round.kind.value
        if finding.round.kind in DEALING:
            verdict.deal_bytes += len(entry.body)
    elif isinstance(finding.body, messages.Vote):
        kind = "vote"
    elif isinstance(finding.body, messages.SitDown):
        kind = "sit down"
    else:
        return
    phase = verdict.phases.setdefault(kind, Phase())
    phase.entries += 1
    phase.bytes += len(entry.body)
    if not finding.stale and finding.fault is None and finding.body is not None:
        verdict.proofs += _proofs(finding.body)


def _proofs(body: object) -> int:
    match body:
        case messages.Unseal(move=move):
            return _proofs(move)
        case messages.Move() | messages.Audit():
            return bool(body.opening) + bool(body.claim) + bool(getattr(body, "handed", None))
        case messages.DealShares():
            return bool(body.shares) + bool(body.opened)
        case messages.NotHeld():
            return int(bool(body.claim))
    return int(isinstance(body, _ONE_PROOF))


def _note(verdict: Verdict, table: Table, event: events.Event) -> None:
    match event:
        case events.Preparing(done=done, total=total):
            verdict.packs += done == total
        case events.Cheated(seat=seat):
            verdict.faults.append(event)
            verdict.names.append(table.players[seat].name)
        case events.Lost(seat=seat):
            verdict.lost.append(seat)
        case events.Ended(winners=winners):
            verdict.winners = winners
            verdict.finished = True


def _sum_up(verdict: Verdict, table: Table) -> None:
    verdict.players = tuple(table.players)
    verdict.game = table.genesis.game if table.genesis is not None else ""
    if table.state is not None:
        verdict.results, verdict.totals = table.state.results, table.state.totals


__all__ = ["LogError", "Phase", "Verdict", "verify_records"]
