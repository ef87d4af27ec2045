"""What the command line says of a wrong command, in both languages."""

from __future__ import annotations

import inspect

import pytest
from click.testing import CliRunner

from p2p.cli.majlis import majlis
from p2p.cli.phrases import _SPOKEN, PHRASES, speak
from p2p.language import set_language

WRONG = tuple(
    words.split() for words in ("host", "nothing", "host kasra --port x", "host chess", "host --nix", "host --name")
)


@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_a_wrong_command_is_explained_in_arabic(words: list[str]) -> None:
    set_language("ar")
    speak()
    result = CliRunner().invoke(majlis, words)
    assert result.exit_code == 2
    for line in result.stderr.splitlines():
        if line and not line.startswith("\t"):
            assert any("\u0600" <= letter <= "\u06ff" for letter in line), line
            assert "Error" not in line and "Usage" not in line and "is not" not in line


def test_the_phrases_are_those_that_click_uses() -> None:
    sources = "".join(inspect.getsource(module) for module in _SPOKEN).replace("\\n", "\n").replace("\\t", "\t")
    assert [english for english in PHRASES if english not in sources] == []
