"""What a person chose once: the language, how Arabic is drawn, and the like. Kept in ``settings.json`` in the folder
of `p2p.store.home_folder`.

Settings are a comfort, so nothing that happens to the file stops a game: a file that cannot be understood is put aside
under another name, the defaults hold, and a sentence says so once. There are no secrets in it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from p2p.files import refused_by_disk, replace_file
from p2p.language import clean_text
from p2p.limits import NAME_LENGTH
from p2p.store import home_folder
from protocol.errors import Refused

SETTINGS_VERSION = 1

FILE_NAME = "settings.json"

SIZE_LIMIT = 1 << 16
"""Bytes of the file that are read: far more than a person's settings take, and too few to be a burden."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All settings; the defaults hold until a person chooses. An empty text means: not chosen."""

    language: Literal["", "en", "ar"] = ""
    """Empty: the language of the system."""
    bidi: Literal["", "visual", "logical"] = ""
    """A value of `p2p.terminal.screen.bidi.Bidi`; empty: ask which line reads right."""
    digits: Literal["western", "arabic"] = "western"
    """In which digits the full screen shows numbers in Arabic."""
    suits: Literal["symbols", "letters"] = "symbols"
    bell: bool = True
    """Ring when it is one's turn."""
    flash: bool = True
    """Flash the screen when it is one's turn."""
    mouse: bool = True
    pace: Literal["normal", "slow", "off"] = "normal"
    """How long a played card, a trick and the points of a deal are shown before what follows."""
    name: str = ""
    """The name one plays under; empty: the name one has on this machine."""
    version: int = SETTINGS_VERSION


CHOICES: dict[str, tuple[tuple[str, str | bool], ...]] = {
    "language": (("auto", ""), ("en", "en"), ("ar", "ar")),
    "bidi": (("ask", ""), ("visual", "visual"), ("logical", "logical")),
    "digits": (("western", "western"), ("arabic", "arabic")),
    "suits": (("symbols", "symbols"), ("letters", "letters")),
    "bell": (("on", True), ("off", False)),
    "flash": (("on", True), ("off", False)),
    "mouse": (("on", True), ("off", False)),
    "pace": (("normal", "normal"), ("slow", "slow"), ("off", "off")),
}
"""Settings with a few values: the word that a person types for each, and what is kept. The first one is the default."""

_ASIDE = {"settings-damaged": ".damaged", "settings-version": ".newer"}
"""What is put behind the name of a file that could not be used, by the reason."""

NAMES = (*CHOICES, "name")
"""All settings that a person can change, in the order in which they are shown."""


@dataclass(frozen=True)
class Found:
    """What was read. `notice` says why the defaults hold, if the file could not be used."""

    settings: Settings
    notice: Refused | None = None


def settings_file(environment: Mapping[str, str] | None = None) -> Path:
    """Where settings are kept."""
    return home_folder(environment) / FILE_NAME


def read_settings(path: Path | None = None) -> Found:
    """The settings, whatever state the file is in. A file that is no settings is renamed, so that the notice comes
    once and nothing of it is lost."""
    path = path or settings_file()
    try:
        with path.open("rb") as file:
            data = file.read(SIZE_LIMIT + 1)
    except FileNotFoundError:
        return Found(Settings())
    except OSError as error:
        return Found(Settings(), refused_by_disk(error, path))
    try:
        return Found(decode_untrusted(data))
    except Refused as refused:
        aside = path.with_name(path.name + _ASIDE[refused.code])
        try:
            os.replace(path, aside)
        except OSError:
            aside = path  # where we may not write it stays, and the notice comes again
        return Found(Settings(), Refused(refused.code, {**refused.values, "path": str(aside)}))


def decode_untrusted(data: bytes) -> Settings:
    """Settings from the bytes of a file. Raises Refused: ``settings-version`` (ours, theirs), ``settings-damaged``."""
    try:
        if len(data) > SIZE_LIMIT:
            raise ValueError("too long")
        theirs = msgspec.json.decode(data, type=_Versioned).version
        if theirs > SETTINGS_VERSION:
            raise Refused("settings-version", {"path": FILE_NAME, "ours": SETTINGS_VERSION, "theirs": theirs})
        settings = msgspec.json.decode(data, type=Settings)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise Refused("settings-damaged", {"path": FILE_NAME}) from None
    return msgspec.structs.replace(settings, name=clean_text(settings.name, NAME_LENGTH))


class _Versioned(msgspec.Struct, frozen=True):
    """The one field that settings of every version have."""

    version: int = SETTINGS_VERSION


def write_settings(settings: Settings, path: Path | None = None) -> None:
    """Keep the settings; the file is never half written. Raises Refused: ``disk-full``, ``disk-failed``,
    ``store-unreadable``."""
    path = path or settings_file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        replace_file(path, msgspec.json.format(msgspec.json.encode(settings), indent=2) + b"\n")
    except OSError as error:
        raise refused_by_disk(error, path) from None


def changed(settings: Settings, name: str, word: str) -> Settings:
    """The settings with one of them set to what a person typed.

    Raises Refused: ``settings-no-name`` (name, names), ``settings-no-value`` (name, value, values).
    """
    if name == "name":
        return msgspec.structs.replace(settings, name=clean_text(word, NAME_LENGTH))
    if name not in CHOICES:
        raise Refused("settings-no-name", {"name": name, "names": ", ".join(NAMES)})
    kept = dict(CHOICES[name])
    if word.casefold() not in kept:
        raise Refused("settings-no-value", {"name": name, "value": word, "values": ", ".join(kept)})
    return msgspec.structs.replace(settings, **{name: kept[word.casefold()]})


def word_of(settings: Settings, name: str) -> str:
    """How a person would type the present value of a setting."""
    kept = getattr(settings, name)
    return str(next((word for word, value in CHOICES.get(name, ()) if value == kept), kept))
