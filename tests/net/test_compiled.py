"""``make fast``: the compiled search chooses what the other one chooses."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CHOOSING = Path(__file__).with_name("choosing.py")
DEADLINE = 300.0
"""Seconds after which a program is given up."""


def run(*words: object, **more: str) -> str:
    done = subprocess.run(
        [*map(str, words)],
        cwd=ROOT,
        env={**os.environ, **more},
        capture_output=True,
        encoding="utf-8",
        timeout=DEADLINE,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.skipif(shutil.which("make") is None or shutil.which("cc") is None, reason="needs make and a C compiler")
@pytest.mark.skipif(not (ROOT / ".venv").is_dir(), reason="make would set an environment up first")
def test_the_compiled_search_chooses_the_same(tmp_path: Path) -> None:
    fast = tmp_path / "fast"
    run("make", "fast", f"FAST={fast}", MYPYC_OPT_LEVEL="0")  # optimising is what takes the compiler long
    assert run(fast / "majlis", "--version").startswith("majlis ")

    plain_from, *plain = run(sys.executable, CHOOSING).splitlines()
    from_, *compiled = run(sys.executable, CHOOSING, PYTHONPATH=str(fast)).splitlines()
    assert plain_from.endswith(".py") and Path(from_).parent == fast / "bots" / "search" and not from_.endswith(".py")
    assert compiled == plain and len(plain) > 300
