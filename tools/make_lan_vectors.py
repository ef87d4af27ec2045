"""Writes tests/vectors/lan/: what tables say of themselves on a network, and what one must not listen to.

    python -m tools.make_lan_vectors [folder]

The form of the files is that of `tools.make_log_vectors`; SPEC.md, section 14, says what each `check:` means.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from protocol.beacon import BEACON_VERSION, Announce, Seek, Withdraw, encode_packet, lan_token, table_words
from protocol.wire import pack
from tools.make_deck_vectors import Files, write
from tools.make_log_vectors import TABLE

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "vectors" / "lan"

TOKEN = bytes(range(16, 32))
CERTIFICATE = bytes(range(32, 64))
ANNOUNCE = Announce(BEACON_VERSION, TABLE, CERTIFICATE, 7070, lan_token(TOKEN), "أبو علي", "kasra", 2)


def build() -> dict[str, str]:
    """File name → text, for all vectors."""
    files = Files()
    files.case("token", "lan-token", "The token that is announced, from the invite's.",
               [("token", TOKEN), ("announced", lan_token(TOKEN))])  # fmt: skip
    files.case("words", "table-words", "A certificate's hash, of which 16 bytes count, as four words.",
               [("certificate", CERTIFICATE), *(("word", one) for one in table_words(CERTIFICATE, "en"))])  # fmt: skip
    for name, about, packet in (
        ("announce", "A table with two free seats.", ANNOUNCE),
        ("withdraw", "It is not to be joined any more.", Withdraw(BEACON_VERSION, TABLE, CERTIFICATE)),
        ("seek", "Somebody looks for tables.", Seek(BEACON_VERSION)),
    ):
        files.case(name, "packet", about, [("packet", encode_packet(packet))])
    said: dict[str, object] = msgspec.to_builtins(ANNOUNCE, builtin_types=(bytes,))
    for name, about, changed in (
        ("other-version", "Of a version to come.", {"version": 2}),
        ("five-seats", "More free seats than a table has.", {"free": 5}),
        ("port-zero", "No port.", {"port": 0}),
        ("short-token", "A token that is too short.", {"token": bytes(15)}),
        ("long-name", "A name that is too long.", {"name": "a" * 61}),
        ("more-fields", "A field that nobody knows.", {"more": 1}),
    ):
        files.case(name, "packet", about, [("packet", pack({**said, **changed}))], "message-misfit")
    files.case("too-long", "packet", "More than 1,024 bytes.", [("packet", bytes(1025))], "frame-too-long")
    files.case("garbage", "packet", "No map at all.", [("packet", b"\xc1" * 40)], "frame-garbage")
    return files.texts


def main(arguments: list[str] | None = None) -> int:
    """Write tests/vectors/lan, or the folder that is named."""
    return write(build, FOLDER, arguments)


if __name__ == "__main__":
    raise SystemExit(main())
