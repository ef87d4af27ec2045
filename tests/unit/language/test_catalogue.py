"""Both languages say the same things, and the code asks only for sentences that exist."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

ROOT = Path(__file__).parents[3]
PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
ID = re.compile(r"[A-Za-z0-9]+([-_][A-Za-z0-9]+)*")
LONGEST_LINE_OF_THE_BARE_COMMAND = 80

# Where a class of `engine` or `protocol` takes the id of its sentence, if not first.
POSITION_OF_ID = {"Illegal": 1, "Duty": 2, "Claim": 5}


def catalogue(code: str) -> Catalog:
    with (ROOT / "p2p" / "language" / f"{code}.po").open("rb") as file:
        return read_po(file, locale=code, abort_invalid=True)


ENGLISH, ARABIC = catalogue("en"), catalogue("ar")


def sentences(messages: Catalog) -> dict[str, Message]:
    return {identity(message): message for message in messages if message.id}


def identity(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def forms(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string)


def placeholders(message: Message) -> set[str]:
    return {name for form in forms(message) for name in PLACEHOLDER.findall(form)}


def test_both_languages_have_the_same_sentences_in_the_same_order() -> None:
    assert list(sentences(ENGLISH)) == list(sentences(ARABIC))


@pytest.mark.parametrize("code", ["en", "ar"])
def test_an_id_stands_once(code: str) -> None:
    text = (ROOT / "p2p" / "language" / f"{code}.po").read_text("utf-8")
    ids = re.findall(r'^msgid "(.+)"$', text, re.M)
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("messages", [ENGLISH, ARABIC], ids=["en", "ar"])
def test_every_sentence_is_written_in_every_form(messages: Catalog) -> None:
    for name, message in sentences(messages).items():
        assert ID.fullmatch(name), name
        assert not message.fuzzy, name
        assert all(form.strip() == form and form for form in forms(message)), name
        if message.pluralizable:
            assert message.id == (name, name), f"{name}: msgid_plural repeats the id"
            assert len(forms(message)) == messages.num_plurals, name


def test_both_languages_use_the_same_plain_placeholders() -> None:
    arabic = sentences(ARABIC)
    for name, english in sentences(ENGLISH).items():
        assert english.pluralizable == arabic[name].pluralizable, name
        assert placeholders(english) == placeholders(arabic[name]), name
        for form in (*forms(english), *forms(arabic[name])):
            assert not re.search(r"[{}]", PLACEHOLDER.sub("", form)), f"{name}: a brace that is no placeholder"


def test_the_bare_command_fits_a_terminal() -> None:
    for messages in (ENGLISH, ARABIC):
        for name, message in sentences(messages).items():
            if name.startswith("bare-"):
                assert len(forms(message)[0]) <= LONGEST_LINE_OF_THE_BARE_COMMAND, name


# What the code asks for ------------------------------------------------------------------------------------------


def calls(*folders: str) -> Iterator[tuple[str, str, ast.Call]]:
    """Where, the called name, and the call, in every module of the folders."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                    name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", name, node


def literal(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def family_of_refusals() -> set[str]:
    """`Refused`, and every class that derives from it."""
    family = {"Refused"}
    classes = [
        node
        for folder in ("protocol", "engine", "bots", "p2p")
        for path in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    ]
    grown = True
    while grown:
        kin = {node.name for node in classes if any(isinstance(b, ast.Name) and b.id in family for b in node.bases)}
        grown = not kin <= family
        family |= kin
    return family


def test_every_sentence_that_is_shown_exists_and_gets_its_values() -> None:
    known = sentences(ENGLISH)
    wrong = []
    for where, name, call in calls("p2p", "bots"):
        shown = literal(call.args[0]) if name in ("t", "tn") and call.args else None
        if shown is None:
            continue
        if shown not in known:
            wrong.append(f"{where} no sentence {shown}")
            continue
        if (name == "tn") != known[shown].pluralizable:
            wrong.append(f"{where} {shown} is {'' if name == 'tn' else 'not '}called by tn")
        given = {keyword.arg for keyword in call.keywords} | ({"count"} if name == "tn" else set())
        asked = placeholders(known[shown])
        if None not in given and not asked <= given:
            wrong.append(f"{where} {shown} lacks {asked - given}")
    assert wrong == []


def test_every_refusal_of_engine_and_protocol_has_a_sentence() -> None:
    known, family = sentences(ENGLISH), family_of_refusals() | set(POSITION_OF_ID)
    wrong = []
    for where, name, call in calls("engine", "protocol", "bots", "p2p"):
        if name not in family:
            continue
        position = POSITION_OF_ID.get(name, 0)
        named = next((keyword.value for keyword in call.keywords if keyword.arg == "code"), None)
        code = literal(call.args[position] if len(call.args) > position else named)
        if code and code not in known:
            wrong.append(f"{where} {name}: no sentence {code}")
    assert wrong == []
