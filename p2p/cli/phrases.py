"""click's own phrases ("Usage:", "Missing argument", …) in the language in force.

click asks gettext for them by their English text; no catalogue of its own is shipped. Here the same texts have ids in
ours. A phrase without an id (nothing in our commands brings it up) stays English.
"""

from __future__ import annotations

from types import ModuleType

import click.core
import click.decorators
import click.exceptions
import click.formatting
import click.parser
import click.types

from p2p.language import current

PHRASES = {
    "Usage:": "click-usage",
    "Options": "click-options",
    "Commands": "click-commands",
    "Show this message and exit.": "opt-help",
    "Error: {message}": "click-error",
    "Invalid value: {message}": "click-invalid",
    "Invalid value for {param_hint}: {message}": "click-invalid-for",
    "Missing argument": "click-missing-argument",
    "Missing option": "click-missing-option",
    "Missing command.": "click-missing-command",
    "No such option {name!r}.": "click-no-option",
    "No such command {name!r}.": "click-no-command",
    "Try '{command} {option}' for help.": "click-try",
    "default: {default}": "click-default",
    "{value} is not in the range {range}.": "click-range",
    "{value!r} is not a valid {number_type}.": "click-number",
    "Choose from:\n\t{choices}": "click-choices",
    "{name} {filename!r} does not exist.": "click-no-file",
    "{name} {filename!r} is a file.": "click-is-file",
    "{name} {filename!r} is a directory.": "click-is-folder",
    "Option {name!r} does not take a value.": "click-no-value",
    "{value!r} is not {choice}.": "click-not-one-of",
    "{value!r} is not one of {choices}.": "click-not-one-of",
    "Got unexpected extra argument ({args})": "click-extra",
    "Got unexpected extra arguments ({args})": "click-extra",
    "Did you mean {possibility}?": "click-did-you-mean",
    "(Did you mean one of: {possibilities}?)": "click-did-you-mean-one-of",
    "Option {name!r} requires an argument.": "click-needs-value",
    "Aborted!": "interrupted",
}
_SPOKEN: tuple[ModuleType, ...] = (
    click.core,
    click.decorators,
    click.exceptions,
    click.formatting,
    click.parser,
    click.types,
)


def phrase(english: str) -> str:
    """The phrase in the language in force, its placeholders as click wants them."""
    code = PHRASES.get(english)
    if code is None:
        return english
    found = current().template(code)
    return english if found == code else found


def phrases(singular: str, plural: str, count: int) -> str:
    """The same for a phrase with two English forms."""
    return phrase(singular if count == 1 else plural)


def speak() -> None:
    """Let click use our phrases."""
    for module in _SPOKEN:
        for name, ours in (("_", phrase), ("ngettext", phrases)):
            if hasattr(module, name):
                setattr(module, name, ours)
