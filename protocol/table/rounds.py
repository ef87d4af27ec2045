"""Rounds: the table's transition table, as data.

At any moment the table waits for a few *rounds*. A round names the kind of entry it wants, the seats that still owe
one, and the place (serial, step) that an entry must name to belong to it. Everything else is *stale*. When nobody owes
anything any more the round is finished, and the next one opens. All that can happen at a table is in `ROWS`: for each
kind the entries that answer it, who owes one, and what follows. ``tools/draw_table.py`` draws the diagram and the table
in docs/table.md from these rows.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from engine.game import Step
from protocol import messages
from protocol.deck import labels
from protocol.messages import Struct


class Kind(Enum):
    """What a round is for."""

    # making a pack ready: these depend on nothing in play and run beside the game
    COMMIT = "commit"
    REVEAL = "reveal"
    SHARE = "share"
    ACCEPT = "accept"
    SHUFFLE = "shuffle"
    # the deal in play
    DRAW = "draw"
    RELEASE = "release"
    OPEN = "open"
    MIX = "mix"
    SEARCH = "search"
    ASK = "ask"
    SEAL = "seal"
    UNSEAL = "unseal"
    AUDIT = "audit"
    SCORE = "score"
    # a lost seat
    RECOVER = "recover"


class Row(NamedTuple):
    """One row of the transition table."""

    kind: Kind
    answers: tuple[type[Struct], ...]  # the entries that answer it
    label: str  # the step's name in proofs
    owes: str  # who owes one
    next: tuple[str, ...]  # what may follow
    chosen: bool = False  # the player decides (otherwise the peer answers by itself)


ROWS: dict[Kind, Row] = {
    row.kind: row
    for row in (
        Row(Kind.COMMIT, (messages.KeyCommit,), labels.STEP_KEY_COMMIT, "every live seat", ("reveal",)),
        Row(Kind.REVEAL, (messages.KeyReveal,), labels.STEP_KEY, "every live seat", ("share",)),
        Row(Kind.SHARE, (messages.Shares,), labels.STEP_SHARES, "every live seat", ("accept",)),
        Row(
            Kind.ACCEPT,
            (messages.Accept, messages.Complaint),
            labels.STEP_COMPLAINT,
            "every live seat",
            ("shuffle", "a new pack after a justified complaint"),
        ),
        Row(Kind.SHUFFLE, (messages.Shuffle,), labels.STEP_SHUFFLE, "live seats, in turn", ("shuffle", "pack ready")),
        Row(Kind.DRAW, (messages.OpenShares,), labels.STEP_JOINT, "every live seat", ("first pack",)),
        Row(Kind.RELEASE, (messages.DealShares,), labels.STEP_DEAL, "every live seat", ("next step of the game",)),
        Row(Kind.OPEN, (messages.OpenShares,), labels.STEP_OPEN, "every live seat", ("next step of the game",)),
        Row(Kind.MIX, (messages.Mix,), labels.STEP_MIX, "the seat", ("ask", "next step of the game")),
        Row(
            Kind.SEARCH,
            (messages.NotHeld, messages.Move),
            labels.STEP_SHOW,
            "every live seat",
            ("next step of the game",),
        ),
        Row(Kind.ASK, (messages.Move,), labels.STEP_PLAY, "the seat", ("next step of the game",), chosen=True),
        Row(Kind.SEAL, (messages.Seal,), labels.STEP_SEALED, "the seats", ("unseal",), chosen=True),
        Row(Kind.UNSEAL, (messages.Unseal,), labels.STEP_SEALED, "the seats", ("next step of the game",)),
        Row(
            Kind.AUDIT,
            (messages.Audit,),
            labels.STEP_CHECK,
            "seats with deferred claims, one entry each",
            ("next step of the game",),
        ),
        Row(Kind.SCORE, (messages.Score,), labels.STEP_CHECK, "every live seat", ("new pack", "game over")),
        Row(
            Kind.RECOVER,
            (messages.RecoveryShares,),
            labels.STEP_TAKE_OVER,
            "every live seat",
            ("the round that was held up",),
        ),
    )
}


@dataclass
class Round:
    """One open round. `waiting` lists the seats that owe an entry (several times when they owe several)."""

    kind: Kind
    serial: int
    step: int
    waiting: list[int]
    in_turn: bool = False  # only the first of `waiting` may answer
    about: Step | None = None  # the step of the game behind it
    lost: int = -1  # RECOVER: the seat
    given: dict[int, object] = field(default_factory=dict)

    @property
    def row(self) -> Row:
        """The round's row of the transition table."""
        return ROWS[self.kind]

    def awaits(self, seat: int) -> bool:
        """Whether `seat` may answer now."""
        return seat in (self.waiting[:1] if self.in_turn else self.waiting)

    def fits(self, body: Struct) -> bool:
        """Whether an entry names this round."""
        return (
            isinstance(body, self.row.answers)
            and getattr(body, "serial", self.serial) == self.serial
            and getattr(body, "step", self.step) == self.step
        )
