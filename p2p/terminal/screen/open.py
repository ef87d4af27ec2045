"""A screen for this terminal and this person's settings."""

from __future__ import annotations

import os
import sys

from p2p.settings import read_settings
from p2p.terminal.screen.app import Screen
from p2p.terminal.screen.bidi import Bidi, guess
from p2p.terminal.screen.canvas import Manner
from p2p.terminal.screen.theme import has_colour, needs_letters
from p2p.terminal.screen.ui import Ui


def open_screen() -> Screen:
    """The screen, not yet shown."""
    settings = read_settings().settings
    letters = settings.suits == "letters" or needs_letters(sys.stdout.encoding or "ascii")
    manner = Manner(Bidi(settings.bidi) if settings.bidi else guess(os.environ), letters)
    return Screen(lambda send: Ui(send, manner), colour=has_colour(os.environ), mouse=settings.mouse)
