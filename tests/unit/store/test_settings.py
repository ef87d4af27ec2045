"""Settings: kept as a whole, and never in the way whatever became of the file."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from p2p.cli.settings import settings as command
from p2p.language import current, load, set_language
from p2p.settings import (
    CHOICES,
    NAMES,
    SIZE_LIMIT,
    Settings,
    changed,
    decode_untrusted,
    read_settings,
    settings_file,
    word_of,
    write_settings,
)
from p2p.tables import own_name
from p2p.terminal.screen.bidi import Bidi
from protocol.errors import Refused


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where settings will be kept; the folder does not exist yet."""
    monkeypatch.setenv("MAJLIS_HOME", str(tmp_path / "home"))
    return settings_file()


def test_without_a_file_the_defaults_hold_and_nothing_is_said(file: Path) -> None:
    assert read_settings().settings == Settings()
    assert read_settings().notice is None
    assert not file.parent.exists()


def test_what_is_kept_is_read_again(file: Path) -> None:
    kept = Settings("ar", "logical", "arabic", "letters", False, False, False, "slow", "ليلى")
    write_settings(kept)
    assert read_settings().settings == kept
    assert [path.name for path in file.parent.iterdir()] == ["settings.json"]
    write_settings(Settings())
    assert read_settings().settings == Settings()


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "settings-damaged"),
        (b"{", "settings-damaged"),
        (b"[]", "settings-damaged"),
        (b"\xff\xfe{\x00}\x00", "settings-damaged"),
        ('{"name": "é"}'.encode("latin-1"), "settings-damaged"),
        (b'{"language": "fr"}', "settings-damaged"),
        (b'{"bell": "yes"}', "settings-damaged"),
        (b'{"colour": "red"}', "settings-damaged"),
        (b'{"name": ' + b"[" * 30_000 + b"]" * 30_000 + b"}", "settings-damaged"),
        (b'{"name": "' + b"x" * SIZE_LIMIT + b'"}', "settings-damaged"),
        (b'{"version": 2, "colour": "red"}', "settings-version"),
        (b'{"version": "one"}', "settings-damaged"),
    ],
)
def test_a_file_that_is_no_settings_is_put_aside_and_said_once(file: Path, content: bytes, code: str) -> None:
    file.parent.mkdir()
    file.write_bytes(content)
    found = read_settings()
    assert found.settings == Settings()
    assert found.notice is not None
    assert found.notice.code == code
    aside = Path(str(found.notice.values["path"]))
    assert aside.read_bytes() == content
    assert not file.exists()
    for language in ("en", "ar"):
        assert str(aside) in load(language).t(found.notice.code, **found.notice.values)
    assert read_settings().notice is None


def test_a_file_that_cannot_be_read_stays_and_is_named(file: Path) -> None:
    file.mkdir(parents=True)
    found = read_settings()
    assert found.settings == Settings()
    assert found.notice is not None
    assert found.notice.values["path"] == str(file)
    with pytest.raises(Refused):
        write_settings(Settings())


@given(st.binary(max_size=200))
def test_bytes_from_outside_raise_one_class(data: bytes) -> None:
    try:
        decode_untrusted(data)
    except Refused as refused:
        assert refused.code in ("settings-damaged", "settings-version")


def test_a_name_in_the_file_is_cleaned() -> None:
    assert decode_untrusted(json.dumps({"name": "A\x1b[2J\u202eb" + "c" * 99}).encode()).name == "A[2Jb" + "c" * 27


def test_missing_fields_have_their_defaults() -> None:
    assert decode_untrusted(b'{"bell": false}') == Settings(bell=False)


def test_every_setting_can_be_changed_by_its_words() -> None:
    fields = set(Settings.__struct_fields__) - {"version"}
    assert fields == set(NAMES)
    for name, choices in CHOICES.items():
        assert word_of(Settings(), name) == choices[0][0]
        for word, kept in choices:
            after = changed(Settings(), name, word.upper())
            assert getattr(after, name) == kept
            assert word_of(after, name) == word
    assert {kept for _, kept in CHOICES["bidi"] if kept} == {mode.value for mode in Bidi}
    assert changed(Settings(), "name", " Ce\x1bline ").name == "Celine"
    with pytest.raises(Refused, match="settings-no-name"):
        changed(Settings(), "colour", "red")
    with pytest.raises(Refused, match="settings-no-value"):
        changed(Settings(), "bell", "loud")


@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_command_tells_all_settings_and_changes_one(file: Path, language: str) -> None:
    set_language(language)
    runner = CliRunner()
    told = runner.invoke(command, []).output
    assert all(f"{name} = " in told for name in NAMES)
    assert current().t("setting-bidi-ask") in told
    assert "setting-" not in told
    changed_ = runner.invoke(command, ["bidi", "logical"])
    assert current().t("setting-bidi-logical") in changed_.output
    assert read_settings().settings == Settings(bidi="logical")
    wrong = runner.invoke(command, ["bell", "loud"])
    assert wrong.exit_code == 1
    assert "loud" in wrong.output
    assert runner.invoke(command, ["colour", "red"]).exit_code == 2
    assert read_settings().settings == Settings(bidi="logical")


def test_every_value_has_words_in_both_languages() -> None:
    for language in ("en", "ar"):
        for name, choices in CHOICES.items():
            for word, _ in choices:
                shown = f"setting-{word}" if word in ("on", "off") else f"setting-{name}-{word}"
                assert load(language).t(shown) != shown
                assert load(language).t(f"setting-{name}") != f"setting-{name}"


def test_where_nothing_may_be_renamed_the_notice_comes_again(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(source: Path, target: Path) -> None:
        raise PermissionError(errno.EACCES, "not yours")

    file.parent.mkdir()
    file.write_bytes(b"{")
    monkeypatch.setattr("os.replace", forbidden)
    for _ in range(2):
        notice = read_settings().notice
        assert notice is not None
        assert notice.values["path"] == str(file)
    assert file.read_bytes() == b"{"


def test_the_name_in_the_settings_is_the_one_played_under(file: Path) -> None:
    write_settings(Settings(name="Layla"))
    assert own_name(None) == "Layla"
    assert own_name("Sami") == "Sami"


def test_the_program_speaks_the_language_that_was_kept_and_says_what_became_of_a_bad_file(file: Path) -> None:
    def run(**more: str) -> tuple[str, str]:
        environment = {name: value for name, value in os.environ.items() if name != "MAJLIS_LANG"}
        command = [sys.executable, "-m", "p2p.cli", "settings", "bell"]
        shown = {**environment, "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1", **more}
        done = subprocess.run(command, env=shown, capture_output=True, encoding="utf-8", timeout=60, check=True)
        return done.stdout, done.stderr

    write_settings(Settings(language="ar"))
    assert load("ar").t("setting-bell") in run()[0]
    assert load("en").t("setting-bell") in run(MAJLIS_LANG="en")[0]
    file.write_bytes(b"{")
    told, notice = run()
    assert load("en").t("setting-bell") in told
    assert notice == load("en").t("settings-damaged", path=f"{file}.damaged") + "\n"
