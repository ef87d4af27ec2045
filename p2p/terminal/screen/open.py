"""A screen for this terminal and this person's settings."""

from __future__ import annotations

import os
import sys

from p2p.settings import Settings, read_settings
from p2p.terminal.screen.app import Screen
from p2p.terminal.screen.bidi import Bidi, guess
from p2p.terminal.screen.canvas import Manner
from p2p.terminal.screen.first import ask_first
from p2p.terminal.screen.theme import has_colour, needs_letters
from p2p.terminal.screen.ui import Ui


def open_screen(language_given: bool = False) -> Screen:
    """The screen, not yet shown. Before the first one, the person is asked what only he can see (`first`);
    `language_given`: he has said already which language he wants."""
    settings = ask_first(read_settings().settings, language_given)
    return Screen(lambda send: Ui(send, settings, manner_of), colour=has_colour(os.environ))


def manner_of(settings: Settings) -> Manner:
    """How one draws on this terminal by these settings."""
    bare = needs_letters(sys.stdout.encoding or "ascii")
    bidi = Bidi(settings.bidi) if settings.bidi else guess(os.environ)
    return Manner(bidi, letters=bare or settings.suits == "letters", bare=bare)
