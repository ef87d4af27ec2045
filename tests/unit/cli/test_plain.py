"""``--plain`` means lines, before a command and behind it."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from p2p.cli import common, near
from p2p.cli.majlis import majlis
from p2p.language import t
from protocol.errors import Refused


@pytest.mark.parametrize("words", [["--plain", "join"], ["join", "--plain"]])
def test_who_wants_lines_gets_no_screen(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def chosen() -> None:
        raise Refused("lan-none")

    monkeypatch.setattr(common, "is_terminal", lambda: True)
    monkeypatch.setattr(near, "chosen", chosen)
    result = CliRunner().invoke(majlis, words)
    assert (result.exit_code, result.stderr.strip()) == (1, t("lan-none"))
