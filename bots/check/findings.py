"""What came of a check: trials, and for each fault what was sent, what came, and where the protocol says otherwise.

Codes are ids of sentences (p2p.language); sections are headings of docs/bots.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bots.programs import Ending

CONVERSATION = "the-conversation"
CLOCKS = "clocks-and-faults"
WAYS = "ways-to-plug-in"

SECTIONS: Mapping[str, str] = {
    "check-not-found": WAYS,
    "check-no-ready": CLOCKS,
    "check-bad-token": WAYS,
    "check-version": CONVERSATION,
    "check-first-byte": CONVERSATION,
    "check-byte-order-mark": CONVERSATION,
    "check-garbage": CONVERSATION,
    "check-bad-json": CONVERSATION,
    "check-bad-frame": CONVERSATION,
    "check-too-deep": CONVERSATION,
    "check-endless": CONVERSATION,
    "check-misfit": CONVERSATION,
    "check-too-many": CLOCKS,
    "check-crash": CLOCKS,
    "check-illegal": CONVERSATION,
    "check-wrong-id": CONVERSATION,
    "check-late": CLOCKS,
    "check-silent": CLOCKS,
    "check-left": CONVERSATION,
    "check-no-pong": CONVERSATION,
    "check-stays": CONVERSATION,
    "check-ignores-error": CLOCKS,
    "check-other-moves": CONVERSATION,
    "check-leak": "the-view",
}
"""Every fault, and the section of docs/bots.md that says how it should be."""

MENDS: Mapping[str, str] = {
    "repeat": CONVERSATION,
    "unknown": CONVERSATION,
    "refused": CLOCKS,
    "void": CONVERSATION,
    "talk": CONVERSATION,
    "pieces": CONVERSATION,
    "long": CONVERSATION,
    "restart": CONVERSATION,
}
"""Trials about one rule: what to mend (``check-mend-TRIAL``) follows from the trial, whatever the fault was."""

OWN_MEND = ("check-not-found", "check-ignores-error", "check-no-pong", "check-no-ready")
"""Faults that say by themselves what to mend, in whatever trial."""

EXAMPLES = 2
"""Examples of one fault that a trial keeps; the others are counted."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault: the sentence's id with its values, the message before it and what came, as text; how it ended."""

    code: str
    values: Mapping[str, object] = field(default_factory=dict)
    sent: str = ""
    came: str = ""
    ending: Ending | None = None


@dataclass(slots=True)
class Trial:
    """Something that was tried: `name` is the end of its sentence's id (``check-trial-…``), `count` how many questions
    it took, `counts` how often each fault was seen. `skipped`: not tried because of what was found before."""

    name: str
    game: str = ""
    count: int = 0
    findings: list[Finding] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    skipped: bool = False

    @property
    def well(self) -> bool:
        """Whether nothing was found."""
        return not self.counts

    def add(self, findings: Sequence[Finding]) -> None:
        """Note faults."""
        for finding in findings:
            self.counts[finding.code] = self.counts.get(finding.code, 0) + 1
            if self.counts[finding.code] <= EXAMPLES:
                self.findings.append(finding)

    def mend(self, code: str) -> tuple[str, str]:
        """The id of the sentence that says what to mend, and the section that says it at length."""
        if self.name in MENDS and code not in OWN_MEND:
            return f"check-mend-{self.name}", MENDS[self.name]
        return code.replace("check-", "check-do-", 1), SECTIONS[code]


@dataclass(slots=True)
class Report:
    """What was found about a program."""

    command: str
    name: str = ""
    version: str = ""
    author: str = ""
    trials: list[Trial] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    @property
    def fit(self) -> bool:
        """Whether it may sit down: everything was tried, and nothing was found."""
        return all(trial.well and not trial.skipped for trial in self.trials)

    @property
    def codes(self) -> set[str]:
        """The faults that were found."""
        return {code for trial in self.trials for code in trial.counts}

    def percentile(self, share: float) -> float:
        """The seconds within which this share of the answers came (nearest rank); 0 when there are none."""
        ordered = sorted(self.seconds)
        return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else 0.0
