"""Writes the part of docs/table.md that is drawn from the table's transition table.

    python -m tools.draw_table          writes it anew
    python -m tools.draw_table --check  says whether it is current (exit 1 when not)
"""

from __future__ import annotations

import sys
from pathlib import Path

from protocol.table.rounds import ROWS

PAGE = Path(__file__).parents[1] / "docs" / "table.md"
BEGIN, END = "<!-- drawn by tools/draw_table.py -->", "<!-- end of what is drawn -->"


def drawing() -> str:
    """The diagram and the table, between their markers."""
    return "\n".join([BEGIN, "", "```mermaid", *diagram(), "```", "", *rows(), "", END])


def diagram() -> list[str]:
    """A mermaid flowchart: rounds as boxes, what is not a round as rounded boxes."""
    lines = ["flowchart TD"]
    names = {kind.value for kind in ROWS}
    others = sorted({name for row in ROWS.values() for name in row.next if name not in names})
    lines += [f"    {_id(kind.value)}[{kind.value}]" for kind in ROWS]
    lines += [f"    {_id(name)}([{name}])" for name in others]
    lines += [f"    {_id(row.kind.value)} --> {_id(name)}" for row in ROWS.values() for name in row.next]
    return lines


def rows() -> list[str]:
    """The transition table in Markdown."""
    lines = [
        "| round | answered by | who owes one | who decides | then |",
        "|---|---|---|---|---|",
    ]
    for row in ROWS.values():
        answers = " or ".join(answer.__name__ for answer in row.answers)
        decides = "the player" if row.chosen else "the peer"
        lines.append(f"| {row.kind.value} | {answers} | {row.owes} | {decides} | {', or '.join(row.next)} |")
    return lines


def _id(name: str) -> str:
    return name.replace(" ", "_")


def page_with(page: str, drawn: str) -> str:
    """The page with its drawn part replaced."""
    before, rest = page.split(BEGIN, 1)
    _, after = rest.split(END, 1)
    return before + drawn + after


def main() -> int:
    """Write or check the page."""
    old = PAGE.read_text("utf-8")
    new = page_with(old, drawing())
    if "--check" in sys.argv:
        return int(old != new)
    PAGE.write_text(new, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
