"""What is asked once, before the first full screen: which language, and which of two Arabic lines reads right.

A terminal cannot be asked how it shows Arabic, a person can (`p2p.terminal.screen.bidi`). Asked on plain lines, because
a screen that shapes what it shows could not show the two lines as they are; and answered by a line, because a key
that is pressed before the terminal is ready for single keys would be lost.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

import msgspec

from p2p.language import CODES, current, set_language, t
from p2p.settings import Settings, write_settings
from p2p.terminal.screen.bidi import question, samples
from protocol.errors import Refused

LANGUAGES = ("English", "العربية")
"""Each by its own name, in the order of `CODES`."""

_FIRST, _SECOND = ("1", "١", "۱"), ("2", "٢", "۲")
"""The two answers, in any digits."""


def ask_first(kept: Settings, language_given: bool = False, answer: Callable[[], str] = input) -> Settings:
    """The settings with what the person answered, kept already. Nothing is asked that is known: the language where one
    is in the settings or was given for this time, the direction where it is in the settings or no Arabic is shown."""
    answered = kept
    if not (kept.language or language_given):
        code = CODES[_choice(t("first-language"), LANGUAGES, answer)]
        set_language(code)
        answered = msgspec.structs.replace(answered, language=code)
    if current().right_to_left and not kept.bidi:
        shown = samples()
        mode, _ = shown[_choice(question(), [line for _, line in shown], answer)]
        answered = msgspec.structs.replace(answered, bidi=mode.value)
    if answered != kept:
        try:
            write_settings(answered)
        except Refused:
            pass  # the disk may be full; then the same is asked again the next time
    return answered


def _choice(asked: str, offered: Sequence[str], answer: Callable[[], str]) -> int:
    """Which of two lines a person chooses. Raises KeyboardInterrupt or EOFError as the terminal does."""
    lines = [asked, *(f"{number}) {line}" for number, line in enumerate(offered, 1)), t("first-keys")]
    print("\n".join(lines), file=sys.stdout, flush=True)
    while True:
        typed = answer().strip()
        if typed in _FIRST:
            return 0
        if typed in _SECOND:
            return 1
        print(t("first-keys"), flush=True)
