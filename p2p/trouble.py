"""What can go wrong without anybody's mistake, and the sentence for it."""

from __future__ import annotations

import signal
from typing import Any

from bots.programs import Ending
from engine.game import Illegal
from p2p.language import clean_text, t
from p2p.link import Closed
from protocol.errors import Refused

VALUE_LENGTH = 300
"""Characters of a value that are shown in a sentence."""


def cleaned(values: dict[str, object]) -> dict[str, object]:
    """A refusal's values, fit to be shown."""
    return {name: clean_text(str(value), VALUE_LENGTH) for name, value in values.items()}


def told(trouble: Refused | Illegal | Closed) -> str:
    """Its sentence."""
    return t(trouble.code) if isinstance(trouble, Closed) else t(trouble.code, **cleaned(trouble.values))


def how_it_ended(ending: Ending) -> str:
    """How a program ended by itself, as a sentence, or nothing where that is not known."""
    code = ending.code
    if code is None:
        return ""
    if code >= 0:
        return t("program-exit", code=code)
    name = next((one.name for one in signal.Signals if one == -code), "?")  # those of real time have no names
    return t("program-signal", number=-code, name=name)


def last_words(ending: Ending) -> str:
    """The last line of a program's standard error, as a sentence, or nothing."""
    return t("program-words", words=clean_text(ending.words[-1].strip(), VALUE_LENGTH)) if ending.words else ""


def first_known(group: BaseExceptionGroup[Any]) -> BaseException:
    """The exception of a group that says most. Raises the group when it holds anything unknown."""
    leaves: list[BaseException] = []
    waiting: list[BaseException] = [group]
    while waiting:
        error = waiting.pop(0)
        if isinstance(error, BaseExceptionGroup):
            waiting += error.exceptions
        else:
            leaves.append(error)
    known = [error for error in leaves if isinstance(error, Refused | Illegal | Closed | KeyboardInterrupt)]
    if len(known) == len(leaves):
        return known[0]
    raise group
