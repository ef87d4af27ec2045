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


def catalogue(code: str) -> Catalog:
    with (ROOT / "p2p" / "language" / f"{code}.po").open("rb") as file:
        return read_po(file, locale=code, abort_invalid=True)


ENGLISH, ARABIC = catalogue("en"), catalogue("ar")


def sentences(messages: Catalog) -> dict[str, Message]:
    return {identity(message): message for message in messages if message.id}


def identity(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def forms(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


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


class Constants(ast.NodeTransformer):
    """Puts a module's own string constants where their names stand."""

    def visit_Module(self, node: ast.Module) -> ast.AST:
        self.strings = {
            target.id: part.value
            for part in node.body
            if isinstance(part, ast.Assign | ast.AnnAssign) and isinstance(part.value, ast.Constant)
            for target in (part.targets if isinstance(part, ast.Assign) else [part.target])
            if isinstance(target, ast.Name) and isinstance(part.value.value, str)
        }
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self.strings.get(node.id, node) if isinstance(node.ctx, ast.Load) else node


def nodes(*folders: str) -> Iterator[tuple[str, ast.AST]]:
    """Every node of every module in the folders, and where it stands."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            tree = Constants().visit(ast.parse(path.read_text("utf-8")))
            for node in ast.walk(tree):
                yield f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}", node


def calls(*folders: str) -> Iterator[tuple[str, str, ast.Call]]:
    """Where, the called name, and the call."""
    for where, node in nodes(*folders):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            yield where, node.func.id if isinstance(node.func, ast.Name) else node.func.attr, node


def literals(node: ast.expr | None) -> list[str]:
    """The strings that an expression can be, as far as they stand there."""
    if isinstance(node, ast.IfExp):
        return literals(node.body) + literals(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def takers_of_codes() -> dict[str, int]:
    """Functions and classes of `engine` and `protocol` with a parameter or field `code`, and which one it is."""
    takers: dict[str, int] = {}
    classes: list[ast.ClassDef] = []
    for _, node in nodes("engine", "protocol"):
        names: list[str] = []
        if isinstance(node, ast.FunctionDef) and node.name != "__init__":
            names = [argument.arg for argument in node.args.args]
        elif isinstance(node, ast.ClassDef):
            classes.append(node)
            fields = [part.target for part in node.body if isinstance(part, ast.AnnAssign)]
            names = [field.id for field in fields if isinstance(field, ast.Name)]
            for part in node.body:
                if isinstance(part, ast.FunctionDef) and part.name == "__init__":
                    names = [argument.arg for argument in part.args.args]
        if "code" in names and isinstance(node, ast.FunctionDef | ast.ClassDef):
            takers[node.name] = names.index("code") - (names[0] == "self")
    for _ in classes:  # each round reaches one step further down the family
        for kin in classes:
            for base in kin.bases:
                if isinstance(base, ast.Name) and base.id in takers:
                    takers.setdefault(kin.name, takers[base.id])
    return takers


def test_every_sentence_that_is_shown_exists_and_gets_its_values() -> None:
    known = sentences(ENGLISH)
    wrong = []
    for where, name, call in calls("p2p", "bots"):
        if name not in ("t", "tn") or not call.args:
            continue
        given = {keyword.arg for keyword in call.keywords} | ({"count"} if name == "tn" else set())
        for shown in literals(call.args[0]):
            if shown not in known:
                wrong.append(f"{where} no sentence {shown}")
            elif (name == "tn") != bool(known[shown].pluralizable):
                wrong.append(f"{where} {shown}: t is for one form, tn for counted ones")
            elif None not in given and not placeholders(known[shown]) <= given:
                wrong.append(f"{where} {shown} lacks {placeholders(known[shown]) - given}")
    assert wrong == []


def argument(call: ast.Call, position: int, name: str) -> ast.expr | None:
    named = next((keyword.value for keyword in call.keywords if keyword.arg == name), None)
    return call.args[position] if len(call.args) > position else named


def values_given(call: ast.Call, after: int) -> set[str] | None:
    """Names of the values of a refusal, in a literal dictionary or as keywords; None when they do not stand there."""
    values = argument(call, after + 1, "values")
    if values is None:
        names = {keyword.arg for keyword in call.keywords}
        return None if None in names else {name for name in names if name}
    if isinstance(values, ast.Dict):
        keys = [key.value if isinstance(key, ast.Constant) else None for key in values.keys]
        return None if None in keys else {str(key) for key in keys}
    return None


def test_every_refusal_has_a_sentence_and_gets_its_values() -> None:
    known, takers = sentences(ENGLISH), takers_of_codes()
    raised = {"Refused", "Malformed", "Stale", "BadProof", "Forked", "Illegal"}
    assert raised <= set(takers)
    wrong = []
    for where, name, call in calls("engine", "protocol", "bots", "p2p"):
        if name not in takers:
            continue
        given = values_given(call, takers[name]) if name in raised else None
        for code in literals(argument(call, takers[name], "code")):
            # A function of another module may have the same name and take something else there.
            if code and code not in known and (name[0].isupper() or re.fullmatch(r"[a-z]+(-[a-z]+)+", code)):
                wrong.append(f"{where} {name}: no sentence {code}")
            elif code in known and given is not None and not placeholders(known[code]) <= given:
                wrong.append(f"{where} {code} lacks {placeholders(known[code]) - given}")
    assert wrong == []


# What no code asks for, and what reads wrong -----------------------------------------------------------------------

FAMILY = re.compile(r"[a-z0-9-]+-")
"""The beginning of ids that are put together: a string that ends in a hyphen."""


def asked_for() -> tuple[set[str], list[re.Pattern[str]]]:
    """Every string of the programs, and patterns for those that they put together (``f"rule-{name}"``)."""
    texts, built = set(), []
    for _, node in nodes("p2p", "bots", "protocol", "engine"):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts.add(node.value)
        elif isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else None for part in node.values]
            if any(isinstance(part, str) and "-" in part for part in parts):
                built.append(re.compile("".join(re.escape(part) if isinstance(part, str) else ".+" for part in parts)))
    for page in sorted((ROOT / "p2p" / "replaying").glob("page.*")):
        texts |= set(re.findall(r'"([a-z0-9-]+)"', page.read_text("utf-8")))
    return texts, built + [re.compile(re.escape(text) + ".+") for text in texts if FAMILY.fullmatch(text)]


def test_every_sentence_is_asked_for_by_somebody() -> None:
    texts, built = asked_for()
    unused = [name for name in sentences(ENGLISH) if name not in texts and not any(p.fullmatch(name) for p in built)]
    assert unused == []


RUNS = re.compile(r"(?<![\w/.})'\u200e-])(?<![A-Za-z'] )(--?[a-z]|/[a-z])")
"""An option or a command that begins where Arabic may stand before it: without a mark its first signs go astray."""

SIGNED = re.compile("(?<![\u2066\\w}])[−+±×][0-9{]")
"""A number whose sign would come to stand behind it."""


def test_commands_and_signed_numbers_stay_whole_in_arabic() -> None:
    for name, message in sentences(ARABIC).items():
        for form in forms(message):
            if re.search("[\u0600-\u06ff]", form) and not form.startswith("majlis "):
                assert not RUNS.search(form), f"{name}: put U+200E before {RUNS.search(form)}"
                assert not SIGNED.search(form), f"{name}: put U+2066 and U+2069 around {SIGNED.search(form)}"


def test_arabic_has_its_own_punctuation_and_digits_that_a_person_may_choose() -> None:
    own_digits = {"game-three_five_eight", "setting-digits-arabic"}
    for name, message in sentences(ARABIC).items():
        for form in forms(message):
            assert not re.search("[\u0600-\u06ff][,;?]", form), name
            assert name in own_digits or not re.search("[٠-٩]", form), f"{name}: the screen turns western digits itself"
