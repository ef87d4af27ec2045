"""The frames of tests/vectors/wire, which serve other implementations too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from protocol.errors import Malformed
from protocol.wire import FrameReader, unpack_untrusted

VECTORS = Path(__file__).parents[2] / "vectors" / "wire" / "frames.txt"


def vectors() -> list[dict[str, str]]:
    text = "\n".join(line for line in VECTORS.read_text("utf-8").splitlines() if not line.startswith("#"))
    return [
        dict(line.split(": ", 1) for line in block.strip().splitlines())
        for block in text.split("\n\n")
        if block.strip()
    ]


def plain(value: object) -> object:
    """As JSON can say it: byte strings as {"hex": …}."""
    if isinstance(value, bytes):
        return {"hex": value.hex()}
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, list) else value


@pytest.mark.parametrize("vector", vectors(), ids=lambda vector: vector["name"])
def test_frame(vector: dict[str, str]) -> None:
    reader = FrameReader()
    reader.feed(bytes.fromhex(vector["bytes"]))
    try:
        bodies = list(reader)
        reader.finish()
        result = json.dumps(plain(unpack_untrusted(bodies[0])))
    except Malformed as refused:
        result = refused.code
    assert result == vector["expect"]
