"""What a peer measures while it plays."""

from __future__ import annotations

from dataclasses import dataclass, field

from protocol.table.table import Table


@dataclass
class Measures:
    """When each pack (by serial) was begun, came into play, and was dealt: what the demo and the benchmark print."""

    begun: dict[int, float] = field(default_factory=dict)
    taken: dict[int, float] = field(default_factory=dict)
    dealt: dict[int, float] = field(default_factory=dict)

    def note(self, table: Table, now: float) -> None:
        """The table has moved on."""
        self.begun.setdefault(table.serial, now)
        if table.in_play is not None:
            self.taken.setdefault(table.serial_in_play, now)
            if any(table.pack.knowledge.hands):
                self.dealt.setdefault(table.serial_in_play, now)

    def report(self) -> dict[str, float | None]:
        """Seconds to deal: from nothing (the first pack that was dealt), and with the pack prepared (median of the
        others)."""
        serials = sorted(self.dealt)
        cold = self.dealt[serials[0]] - self.begun[serials[0]] if serials else None
        prepared = sorted(self.dealt[serial] - self.taken[serial] for serial in serials[1:])
        return {"cold": cold, "prepared": prepared[len(prepared) // 2] if prepared else None}
