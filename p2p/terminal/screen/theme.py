"""How the full screen looks: the styles it knows, in colour and without, and how suits are written.

Only the sixteen colours that every terminal lets its user choose are used, never a background: they were chosen by
somebody who reads on that very background. Grey (bright black) is not among them, because common palettes give it the
colour of the background; what is less important is *dim* instead. Where there are no colours, each style is still
told from the others by bold, underline, reverse and a sign of one cell that is drawn before it; suits by their symbol.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass

from p2p.language.cards import SUIT_SYMBOLS


class Look(enum.Enum):
    """What a piece of the screen is. The value is its prompt_toolkit class; `style` gives the string that names it."""

    SPADE = "spade"
    HEART = "heart"
    DIAMOND = "diamond"
    CLUB = "club"
    LEGAL = "legal"
    """A card or choice that can be taken now."""
    BARRED = "barred"
    """A card that may not be played now."""
    CHOSEN = "chosen"
    """Where the cursor is; a card that is lifted and waits for the second key."""
    NEW = "new"
    """A card that has just come into the hand."""
    TURN = "turn"
    """The player whose turn it is."""
    WINNER = "winner"
    """Who leads, won the trick, or won the game."""
    AWAY = "away"
    """A player who is away or cut off."""
    PROMPT = "prompt"
    """What is asked now."""
    KEY = "key"
    """A key that can be pressed."""
    TITLE = "title"
    """The name of a pane."""
    BORDER = "border"
    """Lines between panes."""
    DIM = "dim"
    """What is said besides."""
    CHAT = "chat"
    """Words of another player."""
    VERIFIED = "verified"
    """A proof that was checked."""
    WARNING = "warning"
    """What needs attention: little time left, a table that waits."""
    ERROR = "error"
    """What went wrong."""


SUIT_LOOKS = {"S": Look.SPADE, "H": Look.HEART, "D": Look.DIAMOND, "C": Look.CLUB}
"""By the letter of the notation."""


@dataclass(frozen=True)
class _Drawn:
    """A style in prompt_toolkit's words, with colours and without, and its sign in Unicode and in ASCII."""

    colour: str
    plain: str
    sign: str = ""
    ascii_sign: str = ""


_DRAWN: dict[Look, _Drawn] = {
    Look.SPADE: _Drawn("bold", "bold"),
    Look.HEART: _Drawn("ansibrightred", ""),
    Look.DIAMOND: _Drawn("ansicyan", ""),
    Look.CLUB: _Drawn("ansigreen", ""),
    Look.LEGAL: _Drawn("bold", "underline"),
    Look.BARRED: _Drawn("nobold dim", "nobold"),
    Look.CHOSEN: _Drawn("bold reverse", "bold reverse"),
    Look.NEW: _Drawn("underline", "underline", "+", "+"),
    Look.TURN: _Drawn("bold ansiyellow", "bold", "●", "*"),
    Look.WINNER: _Drawn("bold ansigreen", "bold", "★", "#"),
    Look.AWAY: _Drawn("dim", "", "○", "o"),
    Look.PROMPT: _Drawn("bold ansicyan", "bold"),
    Look.KEY: _Drawn("ansicyan", "reverse"),
    Look.TITLE: _Drawn("bold underline", "bold underline"),
    Look.BORDER: _Drawn("dim", "", "│", "|"),
    Look.DIM: _Drawn("dim", "", "·", "-"),
    Look.CHAT: _Drawn("ansimagenta", "", "»", ">"),
    Look.VERIFIED: _Drawn("ansigreen", "", "✓", "v"),
    Look.WARNING: _Drawn("bold ansiyellow", "bold", "!", "!"),
    Look.ERROR: _Drawn("bold ansibrightred", "bold reverse", "×", "x"),
}


def style(*looks: Look) -> str:
    """The prompt_toolkit style of a fragment that is all of these; the later ones decide where two differ."""
    return " ".join(f"class:{look.value}" for look in looks)


def rules(colour: bool) -> list[tuple[str, str]]:
    """What prompt_toolkit's `Style` takes: each class and how it is drawn."""
    return [(look.value, drawn.colour if colour else drawn.plain) for look, drawn in _DRAWN.items()]


def sign(look: Look, letters: bool = False) -> str:
    """The sign of one cell that goes before a text of this look, also in colour; empty where it has none. `letters`
    asks for ASCII."""
    drawn = _DRAWN[look]
    return drawn.ascii_sign if letters else drawn.sign


def has_colour(environ: Mapping[str, str]) -> bool:
    """Whether colours are wanted (no-color.org: a variable that is set and not empty) and the terminal has any."""
    terminal = environ.get("TERM", "")
    bare = terminal in ("dumb", "linux-m", "vt52", "vt100", "vt102", "vt220") or terminal.endswith(("-m", "-mono"))
    return not (environ.get("NO_COLOR") or bare)


# ---- suits --------------------------------------------------------------------------------------------------------

_LETTERS = str.maketrans({symbol: suit for suit, symbol in SUIT_SYMBOLS.items()})


def needs_letters(encoding: str) -> bool:
    """Whether an output of this encoding has no suits, so that letters must be shown whatever was chosen."""
    try:
        "".join(SUIT_SYMBOLS.values()).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return True
    return False


def suits_shown(text: str, letters: bool) -> str:
    """`text` with its suits as letters (``10♥`` -> ``10H``) or as they are. Symbols are never followed by a variation
    selector: some terminals would draw a picture two cells wide."""
    return text.translate(_LETTERS) if letters else text
