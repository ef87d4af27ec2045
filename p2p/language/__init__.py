"""Every sentence that a person reads, in English and Arabic.

`engine` and `protocol` speak in ids and values; here an id becomes a sentence. The sentences stand in `en.po` and
`ar.po` beside this file, in the same order, and are read as they are: there is no build step, and a sentence changed in
a checkout is the sentence shown.

    from p2p.language import choose, set_language, t, tn

    set_language(choose(asked_for, os.environ))
    t("port-busy", port=7070)
    tn("cards-counted", 3)

Cards and seats have their names in `p2p.language.cards`; text that came from a peer goes through `clean_text` first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from gettext import GNUTranslations
from importlib.resources import files
from io import BytesIO

from p2p.language.clean import clean_text

__all__ = [
    "CODES",
    "Language",
    "choose",
    "clean_text",
    "current",
    "digits",
    "load",
    "own_digits",
    "set_digits",
    "set_language",
    "t",
    "tn",
]

CODES = ("en", "ar")
"""The languages there are; the first one stands in where another has no sentence."""

_VARIABLE = "MAJLIS_LANG"
_SYSTEM_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Asked in this order; the first one that is set decides, as POSIX has it."""

_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
_ARABIC_DIGITS = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
# A number of a sentence itself; what belongs to a word of Latin letters (TLS, an option's name) is none.
_NUMBER = re.compile(r"(?<![A-Za-z0-9_=])[0-9]+(?![A-Za-z0-9_])")
_TYPED_ELSEWHERE = frozenset({"port"})
"""Values that stay in western digits always: other programs do not take others."""


class Language:
    """One language's sentences."""

    def __init__(self, code: str, sentences: GNUTranslations) -> None:
        self.code = code
        self._sentences = sentences

    @property
    def right_to_left(self) -> bool:
        """Whether its lines begin at the right."""
        return self.code == "ar"

    def t(self, sentence: str, /, **values: object) -> str:
        """The sentence with this id, its placeholders filled. An unknown id is shown as it is.

        Only the catalogue's text is searched for placeholders: a value is put in as it is, whatever braces a peer
        wrote into it. A value that was not given shows as ``?``, because a sentence about trouble must not cause more.
        """
        return self._filled(self._sentences.gettext(sentence), values)

    def template(self, sentence: str) -> str:
        """The sentence as it stands in the catalogue, for a library that fills it itself."""
        return self._sentences.gettext(sentence)

    def tn(self, sentence: str, count: int, /, **values: object) -> str:
        """The form of the sentence that fits `count`, which also fills ``{count}``."""
        return self._filled(self._sentences.ngettext(sentence, sentence, count), {"count": count, **values})

    def digits(self, number: object) -> str:
        """`number` in the language's own digits, for places where nobody has to type it."""
        return str(number).translate(_ARABIC_DIGITS) if self.code == "ar" else str(number)

    def _filled(self, template: str, values: Mapping[str, object]) -> str:
        own = _own_digits and self.code == "ar"
        if own:
            template = _NUMBER.sub(lambda found: self.digits(found[0]), template)

        def value(found: re.Match[str]) -> str:
            given = values.get(found[1], "?")
            number = isinstance(given, int | float) and found[1] not in _TYPED_ELSEWHERE
            return self.digits(given) if own and number else str(given)

        return _PLACEHOLDER.sub(value, template)


@cache
def load(code: str) -> Language:
    """The language `code`, read once. A sentence that it lacks is taken from English."""
    # Babel takes a moment to import, and `--version` does not need it.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with files(__name__).joinpath(f"{code}.po").open("rb") as file:
        catalogue = read_po(file, locale=code)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    sentences = GNUTranslations(compiled)
    if code != CODES[0]:
        sentences.add_fallback(load(CODES[0])._sentences)
    return Language(code, sentences)


# One program shows one language at a time, in all its threads; tests and the settings page change it.
_shown = CODES[0]
_own_digits = False


def set_language(code: str) -> None:
    """Show everything from now on in `code`, one of `CODES`."""
    global _shown  # noqa: PLW0603 - the one place where the choice is kept
    if code not in CODES:
        raise ValueError(f"no such language: {code}")
    _shown = code


def set_digits(own: bool) -> None:
    """Whether numbers in sentences and on cards are shown in the language's own digits. Only the full screen does so,
    and only where a person chose it; lines, files and JSON are read by programs as well."""
    global _own_digits  # noqa: PLW0603 - as above
    _own_digits = own


def own_digits() -> bool:
    """Whether numbers are shown in other than western digits now."""
    return _own_digits and current().code == "ar"


def current() -> Language:
    """The language that is shown now."""
    return load(_shown)


def t(sentence: str, /, **values: object) -> str:
    """`Language.t` of the language that is shown."""
    return current().t(sentence, **values)


def tn(sentence: str, count: int, /, **values: object) -> str:
    """`Language.tn` of the language that is shown."""
    return current().tn(sentence, count, **values)


def digits(number: object) -> str:
    """`number` as numbers are shown now: for what is not a value of a sentence (a table of points, ``+12``)."""
    return current().digits(number) if own_digits() else str(number)


def choose(asked: str | None, environ: Mapping[str, str], kept: str = "") -> str:
    """Which language to show: the one asked for (``--lang``), else MAJLIS_LANG, else the one `kept` in the settings,
    else the system's, else English."""
    system = next((environ[name] for name in _SYSTEM_VARIABLES if environ.get(name)), "")
    wish = asked or environ.get(_VARIABLE) or kept or system
    code = re.split(r"[_.@-]", wish.strip().lower(), maxsplit=1)[0]
    return code if code in CODES else CODES[0]
