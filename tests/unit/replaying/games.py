"""Records for the tests of replays: whole games, and one with names and notes as nobody should have them."""

from __future__ import annotations

from pathlib import Path

RECORDS = Path(__file__).parents[2] / "scenarios" / "records"

HOSTILE = (
    "<b>bold</b>",
    "</script><script>pwned=1</script>",
    "\u202eevil\u2066 \u2028x\x07 <img src=x onerror=pwned=2>",
    "A" + "\u0301" * 50 + "&lt;i&gt; ${pwned=3}",
)
"""Tags, the end of a script, direction overrides, line separators, controls, towers of marks, entities, templates."""


def text_of(game: str) -> str:
    """The record of a whole game."""
    return (RECORDS / f"{game}.txt").read_text("utf-8")


def hostile() -> str:
    """A game of Kasra in which all names are hostile, and a bot notes what they are called."""
    lines = text_of("kasra").splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("seats:"))
    lines[at : at + 1] = [f"seat {seat}: {name}".replace("\u2028", "") for seat, name in enumerate(HOSTILE)]
    first = next(number for number, line in enumerate(lines) if " play " in line)
    lines[first + 1 : first + 1] = [f"info: {HOSTILE[1]} {HOSTILE[0]}"]
    return "\n".join(lines)
