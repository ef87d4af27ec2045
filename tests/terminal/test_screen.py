"""The terminal of these tests itself: a read ends anywhere, and half a drawing is not taken for a screen."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import pytest

from tests.terminal.screen import Terminal

FULL_SCREEN, HOME = "\x1b[?1049h\x1b[2J\x1b[H", "\x1b[H"


def test_half_a_drawing_is_not_looked_at_and_half_a_wide_letter_can_be() -> None:
    master, slave = pty.openpty()
    process = subprocess.Popen([sys.executable, "-S", "-c", ""])
    terminal = Terminal(process, master, "en")
    try:
        os.write(slave, f"{FULL_SCREEN}wide 😀.\r\n\nbelow{HOME}".encode())
        terminal.see("wide 😀.", "below")
        os.write(slave, b"wide x")
        terminal.until("wide x")
        assert terminal.rows[0] == "wide x." and not terminal.whole
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("tests.terminal.screen.DEADLINE", 0.0)
            with pytest.raises(AssertionError, match="never seen"):
                terminal.see("wide x", "below")
        os.write(slave, f"y.\r\n\nabove{HOME}".encode())
        assert terminal.see("wide xy.", "above").whole
    finally:
        os.close(slave)
        terminal.close()
