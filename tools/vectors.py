"""Writes all of tests/vectors/ that is made from seeds: `make vectors`.

    python -m tools.vectors

Runs every `tools/make_*_vectors.py`. `git diff` must be empty afterwards unless the protocol changed; then say so in
the changelog, and in SPEC.md what changed.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path


def generators() -> list[str]:
    """The modules that make vectors, by name."""
    return sorted(path.stem for path in Path(__file__).parent.glob("make_*_vectors.py"))


def main() -> int:
    """Run them all."""
    codes: list[int] = [import_module(f"tools.{name}").main([]) for name in generators()]
    return max(codes)


if __name__ == "__main__":
    raise SystemExit(main())
