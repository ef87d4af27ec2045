"""SPEC.md names everything that the code sends, signs, waits for or counts on."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from engine import actions
from engine.games import NAMES, game
from p2p import lan, limits
from protocol import beacon, handshake, messages, wire
from protocol.deck import labels, shuffle
from protocol.log import Entry, Record
from protocol.table.rounds import ROWS, Kind

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "SPEC.md").read_text(encoding="utf-8")
PLAIN = re.sub(r"\s+", " ", TEXT)

# what only records, options, lists of legal moves and programs on the same machine are told
NOT_BETWEEN_PEERS = {
    *("bad-start", "bad-outcome", "bad-option-name", "bad-option-value", "unknown-game"),
    *("card-not-held", "declare-full", "declare-void", "log-not-a-log"),
    *("seat-encoding", "seat-version", "message-unknown"),
}

STRUCTS = [
    one
    for module in (messages, handshake, beacon)
    for one in vars(module).values()
    if isinstance(one, type) and issubclass(one, msgspec.Struct) and one not in (messages.Struct, msgspec.Struct)
]


def uses() -> set[str]:
    """The names from `protocol.deck.labels` that the code uses."""
    found: set[str] = set()
    names = {name for name in vars(labels) if name.isupper()}
    for folder in ("protocol", "p2p", "bots", "engine"):
        for path in (ROOT / folder).rglob("*.py"):
            if path.name != "labels.py":
                found |= names & set(re.findall(r"\b[A-Z][A-Z_]+\b", path.read_text(encoding="utf-8")))
    return found - {"PROTOCOL", "STEPS"}


@pytest.mark.parametrize("name", sorted(uses()))
def test_every_label_in_use_is_named(name: str) -> None:
    value = getattr(labels, name)
    assert f"`{value.removeprefix('majlis/1/')}`" in TEXT or f'"{value}"' in TEXT


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_every_message_and_field_is_named(struct: type[msgspec.Struct]) -> None:
    tag = struct.__struct_config__.tag
    assert f"`{tag}`" in TEXT or f'"k": "{tag}"' in TEXT
    for field in struct.__struct_fields__:
        assert f"`{field}`" in TEXT, f"{tag}.{field}"


@pytest.mark.parametrize("struct", [Entry, Record], ids=["entry", "record"])
def test_every_field_of_the_log_is_named(struct: type[msgspec.Struct]) -> None:
    for field in struct.__struct_fields__:
        assert f"`{field}`" in TEXT


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_of_round_has_its_row(kind: Kind) -> None:
    row = next(line for line in TEXT.splitlines() if line.startswith(f"| `{kind.value}` |"))
    assert f"| `{ROWS[kind].label}` |" in row
    if kind is not Kind.RECOVER:  # its entry is named under 9.9
        assert all(f"`{answer.__struct_config__.tag}`" in row for answer in ROWS[kind].answers)


def test_the_order_of_kinds_is_the_order_of_the_table() -> None:
    at = [TEXT.index(f"\n| `{kind.value}` |") for kind in Kind]
    assert at == sorted(at)


def codes(folder: str) -> set[str]:
    """The ids of the sentences with which a folder's code refuses something."""
    found: set[str] = set()
    for path in (ROOT / folder).rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        found |= set(re.findall(r"(?:BadProof|Malformed|Stale|Forked)\(\s*\"([a-z0-9-]+)\"", text))
        found |= set(re.findall(r"^_[A-Z]+ = \"([a-z-]+)\"$", text, flags=re.MULTILINE))  # protocol/deck names them so
        found |= set(re.findall(r"Illegal\(\s*[^,()]+, \"([a-z0-9-]+)\"", text))
        found |= set(re.findall(r"\bcode=\"([a-z0-9-]+)\"", text))
    return found


@pytest.mark.parametrize("code", sorted((codes("protocol") | codes("engine")) - NOT_BETWEEN_PEERS))
def test_every_refusal_is_named(code: str) -> None:
    assert f"`{code}`" in TEXT


def test_limits_are_those_of_the_code() -> None:
    assert "**4,096** bytes" in TEXT and wire.LIMIT_BEFORE_AUTH == 4096
    assert "**65,536**" in TEXT and wire.LIMIT_AFTER_AUTH == 65536
    assert "at most **16** levels" in TEXT and wire.MAX_DEPTH == 16
    assert "at most **4,096** items" in TEXT and wire.MAX_ITEMS == 4096
    assert "for 5 seconds" in TEXT and limits.PING_INTERVAL == 5
    assert "after 20 seconds without a byte" in TEXT and limits.SILENCE_LIMIT == 20
    assert f"more than {limits.ENTRIES_PER_SECOND} entries a second beyond the first {limits.ENTRIES_BURST}" in PLAIN
    assert f"at most {beacon.PACKET_LIMIT:,} bytes" in PLAIN and f"every {lan.ANNOUNCE_EVERY} seconds" in PLAIN
    assert f"`{lan.GROUP_4}`" in TEXT and f"`{lan.GROUP_6}`" in TEXT and f"UDP port {lan.LAN_PORT}" in PLAIN
    assert f"for {lan.GONE_AFTER:.0f} seconds" in PLAIN
    assert "130·N + 160" in TEXT and shuffle.shuffle_proof_bytes(52) == 130 * 52 + 160
    assert "`blob` | `bytes(≤32000)`" in TEXT
    assert "body has at most 40,000 bytes, a packed entry 41,000, a packed record 42,000" in PLAIN


@pytest.mark.parametrize("name", NAMES)
def test_every_option_and_value_is_named(name: str) -> None:
    section = PLAIN[PLAIN.index("### 10.5") : PLAIN.index("## 11")]
    for option in game(name).options:
        lists = re.findall(rf"`{option.name}` ([^·.]*)[·.]", section)
        for value in option.values:
            assert any(_offers(text, value) for text in lists), f"{option.name} {value}"


def _offers(text: str, value: str | int) -> bool:
    spread = re.search(r"(\d+) … (\d+)", text)
    if spread and isinstance(value, int) and int(spread.group(1)) <= value <= int(spread.group(2)):
        return True
    return str(value) in re.split(r"[ ,]+", text)


def test_the_grammar_of_actions_is_complete() -> None:
    start = TEXT.index("### 10.3")
    section = TEXT[start : TEXT.index("### 10.4")]
    for verb in actions._GRAMMAR:
        assert f"`{verb}`" in section
    for words in actions._WORDS.values():
        for word in words:
            assert re.search(rf"\b{word}\b", section), word


def test_nothing_is_left_to_do() -> None:
    assert "TODO" not in TEXT and "@@" not in TEXT


def test_every_section_that_is_referred_to_exists() -> None:
    headings = set(re.findall(r"^#{2,3} (\d+(?:\.\d+)?)", TEXT, flags=re.MULTILINE))
    assert set(re.findall(r"\((\d{1,2}\.\d{1,2})\)", TEXT)) <= headings
