"""What leaves the house: a wheel that is whole, exact versions, and no trace of where packages were fetched."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
ENVIRONMENT = r"[a-z_]+ [!=]= \"\w+\""
PIN = re.compile(rf"^[A-Za-z0-9._-]+==[0-9][A-Za-z0-9.]*( ; {ENVIRONMENT}( (and|or) {ENVIRONMENT})*)?$")
URL = re.compile(r"\b(https?|file|git\+\w+|ssh)://")
SOURCE_OF_PACKAGES = re.compile(r"(index[-_]url|find[-_]links|registry|resolved)\W{1,6}(https?|file)://", re.IGNORECASE)


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("majlis-*-py3-none-any.whl")
    return built


def test_the_wheel_holds_the_four_packages_and_both_languages(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {"p2p/language/en.po", "p2p/language/ar.po"} <= set(names)
    assert {f"p2p/replaying/page.{kind}" for kind in ("html", "css", "js")} <= set(names)
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"engine", "protocol", "bots", "p2p"}
    assert any(name.endswith("licenses/LICENSE") for name in names)
    (entry_points,) = [name for name in names if name.endswith("entry_points.txt")]
    assert "majlis = p2p.cli:main" in zipfile.ZipFile(wheel).read(entry_points).decode()


def test_sentences_are_read_from_the_wheel_itself(wheel: Path, tmp_path: Path) -> None:
    """Imported from the zip file, where there are no files on disk to find."""
    program = (
        f"import sys; sys.path.insert(0, {str(wheel)!r})\n"
        "from p2p import language\n"
        f"assert language.__file__.startswith({str(wheel)!r})\n"
        "language.set_language('ar'); assert 'كسرة' == language.t('game-kasra')"
    )
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_every_dependency_has_an_exact_version() -> None:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert [pin for pin in pins if not PIN.match(pin)] == []
    pinned = {canonical(pin.split("==")[0]) for pin in pins}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    asked = [
        *project["build-system"]["requires"],
        *project["project"]["dependencies"],
        *project["project"]["optional-dependencies"]["dev"],
    ]
    names = {canonical(re.split(r"[^A-Za-z0-9._-]", requirement)[0]) for requirement in asked}
    assert names <= pinned


def test_every_runtime_dependency_is_explained() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    told = (ROOT / "docs" / "dependencies.md").read_text("utf-8")
    names = {re.split(r"[^A-Za-z0-9._-]", requirement)[0] for requirement in project["dependencies"]}
    assert {name for name in names if f"`{name}`" not in told} == set()


def test_no_committed_file_says_where_packages_came_from() -> None:
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("not a checkout")
    listed = subprocess.run([git, "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    told = []
    for name in filter(None, listed.split("\0")):
        path = ROOT / name
        if not path.is_file():
            continue
        text = path.read_text("utf-8", errors="replace")
        recipe = name in ("constraints.txt", "pyproject.toml", "Makefile", ".ci/run")
        if SOURCE_OF_PACKAGES.search(text) or (recipe and URL.search(text)):
            told.append(name)
    assert told == []
