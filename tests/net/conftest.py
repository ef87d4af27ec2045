"""What the tests with real programs share."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import trio

from tests.net.bench import Bench

C_BOT = Path(__file__).parents[2] / "examples" / "bot.c"
STRICT = ("-std=c11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined")


@pytest.fixture(scope="session")
def c_bot(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The command of the example bot in C, built without a warning and with everything that finds its mistakes."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("needs a C compiler")
    program = tmp_path_factory.mktemp("c") / "bot"
    subprocess.run([compiler, *STRICT, "-o", program, C_BOT], check=True)
    return shlex.quote(str(program))


@pytest.fixture
def bench(nursery: trio.Nursery, tmp_path: Path) -> Bench:
    """Where programs are tried."""
    return Bench(nursery, tmp_path)
