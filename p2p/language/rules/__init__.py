"""The rules of each game as people read them: one text a game and language, with ``{option}`` where a value stands.

`rules_text` fills in the options in force. Values stand in the texts as one types them (``auction = until_pass``),
because the texts explain them by these words; `p2p.language.options` tells them in sentences.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from importlib.resources import files

from engine.game import Value
from p2p.language import CODES, current

PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
WIDTH = 78
"""Cells in a line: what fits a terminal of 80, and a printed page."""


def template(game: str, code: str) -> str:
    """The text of a game in the language `code`, options not filled in; in English where that language lacks it."""
    for language in (code, CODES[0]):
        file = files(__name__).joinpath(f"{game}.{language}.txt")
        if file.is_file():
            return file.read_text("utf-8")
    raise LookupError(f"no rules of {game}")


def rules_text(game: str, options: Mapping[str, Value], width: int = WIDTH) -> str:
    """The rules in the language in force, under these options (all of them), no line longer than `width` cells."""
    filled = PLACEHOLDER.sub(lambda found: str(options[found[1]]), template(game, current().code))
    return "\n".join(part for line in filled.splitlines() for part in indented(line, width))


def indented(line: str, width: int = WIDTH) -> Iterator[str]:
    """A line in parts that fit, broken between words; what follows stands under the line's first letter."""
    indent = line[: len(line) - len(line.lstrip(" *"))]
    words = line[len(indent) :].split()
    if cells(line) <= width or not words:
        yield line.rstrip()
        return
    part = indent + words[0]
    indent = " " * len(indent)
    for word in words[1:]:
        if cells(part) + 1 + cells(word) > width:
            yield part
            part = indent + word
        else:
            part += " " + word
    yield part


def cells(text: str) -> int:
    """How many cells of a terminal a text of letters takes: vowel signs stand above their letter."""
    return sum(unicodedata.category(character) not in ("Mn", "Me", "Cf") for character in text)
