"""examples/verify: a second implementation, written from SPEC.md alone, agrees with the vectors and reads our logs."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from protocol.wire import HEADER_LENGTH, frame
from tests.unit.spec.test_log_vectors import Vector

ROOT = Path(__file__).parents[3]
VERIFIER = ROOT / "examples" / "verify" / "verify.js"
VECTORS = ROOT / "tests" / "vectors"
NODE = shutil.which("node")

pytestmark = pytest.mark.skipif(NODE is None, reason="Node.js is not installed")


def run(*arguments: str | Path) -> tuple[int, str]:
    """Exit code and what was printed."""
    assert NODE is not None
    done = subprocess.run(
        [NODE, VERIFIER, *arguments], check=False, capture_output=True, text=True, encoding="utf-8", timeout=300
    )
    assert not done.stderr, done.stderr
    return done.returncode, done.stdout


@pytest.fixture(scope="module")
def bodies() -> list[bytes]:
    """The records of the log in tests/vectors/table/pack.txt."""
    return Vector((VECTORS / "table" / "pack.txt").read_text(encoding="utf-8")).datas("record")


def log_file(folder: Path, bodies: list[bytes]) -> Path:
    """A log as a table keeps it: one frame a record."""
    path = folder / "log"
    path.write_bytes(b"".join(map(frame, bodies)))
    return path


def test_the_vectors_agree() -> None:
    code, said = run("vectors", VECTORS)
    found = re.search(r"(\d+) vectors agree, 0 do not, (\d+) are not for this verifier", said)
    assert code == 0 and found is not None, said
    assert int(found.group(1)) > 150, "frames, logs and every proof are checked"


def test_a_log_of_ours_is_good(tmp_path: Path, bodies: list[bytes]) -> None:
    code, said = run("log", log_file(tmp_path, bodies))
    assert code == 0
    assert f"{len(bodies)} records" in said and "3 shuffle" in said and "أبو علي" in said


@pytest.mark.parametrize("number", [0, 1, 9, 18])
def test_a_changed_byte_is_found_in_its_record(tmp_path: Path, bodies: list[bytes], number: int) -> None:
    body = bytearray(bodies[number])
    body[len(body) // 2] ^= 1
    code, said = run("log", log_file(tmp_path, [*bodies[:number], bytes(body), *bodies[number + 1 :]]))
    assert (code, said.split(":")[0]) == (1, f"record {number}")


def test_a_dropped_and_a_swapped_record_are_found(tmp_path: Path, bodies: list[bytes]) -> None:
    assert run("log", log_file(tmp_path, [*bodies[:4], *bodies[5:]])) == (1, "record 4: log-order-bad\n")
    swapped = [*bodies[:4], bodies[5], bodies[4], *bodies[6:]]
    assert run("log", log_file(tmp_path, swapped)) == (1, "record 4: log-order-bad\n")


def test_a_file_cut_off_is_found(tmp_path: Path, bodies: list[bytes]) -> None:
    path = log_file(tmp_path, bodies)
    path.write_bytes(path.read_bytes()[: -HEADER_LENGTH])
    assert run("log", path) == (1, f"record {len(bodies) - 1}: frame-truncated\n")


def test_it_depends_on_nothing() -> None:
    for path in VERIFIER.parent.glob("*.js"):
        for wanted in re.findall(r"require\('([^']+)'\)", path.read_text(encoding="utf-8")):
            assert wanted.startswith(("node:", "./")), f"{path.name} needs {wanted}"
