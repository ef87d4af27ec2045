"""Imports that import-linter cannot judge: "only the standard library", games among themselves, built-ins."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
GAMES = ("kasra", "estimation", "istimar", "three_five_eight")


def modules(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    """Full names of what a module imports; relative imports are made absolute."""
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            origin = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*origin, *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


def test_the_engine_imports_the_standard_library_only() -> None:
    allowed = {*sys.stdlib_module_names, "engine"}
    strangers = {
        (str(path.relative_to(ROOT)), name)
        for path in modules("engine")
        for name in imported(path)
        if name.split(".")[0] not in allowed
    }
    assert not strangers


@pytest.mark.parametrize("game", GAMES)
def test_games_do_not_know_one_another(game: str) -> None:
    games = ROOT / "engine" / "games"
    own = [path for path in modules("engine/games") if path == games / f"{game}.py" or games / game in path.parents]
    others = [f"engine.games.{other}" for other in GAMES if other != game]
    known = {
        (str(path.relative_to(ROOT)), name)
        for path in own
        for name in imported(path)
        if any(name == other or name.startswith(other + ".") for other in others)
    }
    assert not known


def test_engine_and_protocol_open_no_file_and_print_nothing() -> None:
    """Clocks, randomness, sockets and files behind an import are for import-linter; these need none."""
    done = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.func.id}"
        for path in modules("engine", "protocol")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("open", "print", "input", "eval", "exec", "__import__")
    ]
    assert not done


def test_modules_stay_short_enough_to_live_in() -> None:
    longest = 600
    long = {
        str(path.relative_to(ROOT)): lines
        for path in modules("engine", "protocol", "bots", "p2p")
        if (lines := len(path.read_text("utf-8").splitlines())) > longest
    }
    assert not long
