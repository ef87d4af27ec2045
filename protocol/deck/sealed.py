"""Small hidden values (doubling, void declarations): a hash commitment that its author can open even after a restart.

The seal is a hash over label, table, serial, seat, step, value and a nonce of 32 bytes that comes from the peer's
master secret (`Secrets.seal_nonce`): hiding while the nonce is secret, binding always. Not opening counts as the
neutral value, and as a fault; that is the table's business.
"""

from __future__ import annotations

import hmac
from hashlib import sha512

from protocol.deck.labels import HASH_SEAL
from protocol.deck.nonce import Secrets
from protocol.errors import BadProof, Malformed, Misuse

SEAL_BYTES = 32
NONCE_BYTES = 32
LONGEST_VALUE = 255
"""Seals are for small values: a mask of cards, a yes or no. One length byte is enough."""


def seal(table: bytes, serial: int, seat: int, step: str, value: bytes, nonce: bytes) -> bytes:
    """The 32-byte seal of `value` (at most 255 bytes) at this place."""
    if len(nonce) != NONCE_BYTES or len(table) != 16 or len(value) > LONGEST_VALUE:
        raise Misuse("a seal needs 16 bytes of table, a short value and a nonce of 32 bytes")
    name = step.encode()
    place = table + serial.to_bytes(8, "big") + seat.to_bytes(8, "big") + bytes([len(name)]) + name
    return sha512(HASH_SEAL.encode() + b"\0" + place + bytes([len(value)]) + value + nonce).digest()[:SEAL_BYTES]


def seal_own(secrets: Secrets, table: bytes, serial: int, seat: int, step: str, value: bytes) -> tuple[bytes, bytes]:
    """(seal, nonce) with the nonce derived from the peer's secrets: the same again after a restart."""
    nonce = secrets.seal_nonce(table, serial, seat, step)
    return seal(table, serial, seat, step, value, nonce), nonce


def check_seal(sealed: bytes, table: bytes, serial: int, seat: int, step: str, value: bytes, nonce: bytes) -> None:
    """Raises `Malformed` for wrong lengths, `BadProof` ``seal`` when value and nonce do not open it."""
    if len(sealed) != SEAL_BYTES or len(nonce) != NONCE_BYTES or len(value) > LONGEST_VALUE:
        raise Malformed("seal-length")
    if not hmac.compare_digest(sealed, seal(table, serial, seat, step, value, nonce)):
        raise BadProof("seal")
