"""Who somebody is at the table: an Ed25519 key, signatures under labels, and fingerprints in words to read
aloud.

Every signature is made over ``len(label) as uint16 || label || payload``. The label says what is being
promised, and its length in front keeps one promise from being read as another, whatever the payload begins
with.

Verification is that of RFC 8032 without the cofactor, with canonical scalars (what OpenSSL does), and refuses
the few public keys of small order: with such a key one signature would fit many messages, and evidence would
be worth nothing.
"""

from __future__ import annotations

import hashlib
from typing import Literal

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from protocol.deck import labels
from protocol.errors import BadProof, Misuse
from protocol.words import WORDS

KEY_LENGTH = 32
SIGNATURE_LENGTH = 64
LABEL_LIMIT = 255
"""Longest label in bytes; labels are ours and short, and a bound keeps the frame unambiguous in any
implementation."""

FINGERPRINT_WORDS = 6
"""Words read aloud: 48 bits, stretched by scrypt. Fewer are guessed too easily, more are not read to the
end."""

_SCRYPT = {"n": 2**14, "r": 8, "p": 1}
"""About 40 ms and 16 MiB a try. A dishonest host may choose both of two first entries that shall sound alike,
which takes 2^24 tries for six words: with bare bytes a matter of seconds, so each try is made to cost
something."""

_SMALL_ORDER = frozenset(
    bytes.fromhex(text)
    for text in (
        "00" * 32,
        "01" + "00" * 31,
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "ec" + "ff" * 30 + "7f",
        "ed" + "ff" * 30 + "7f",
        "ee" + "ff" * 30 + "7f",
    )
)
"""The y coordinates, with the sign bit cleared, of all encodings of the eight points of small order."""


class Identity:
    """A private key. It signs, and never shows itself."""

    __slots__ = ("_key", "public")

    public: bytes
    """The 32-byte public key: the name under which the table knows its holder."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.public = key.public_key().public_bytes_raw()

    @classmethod
    def generate(cls, seed: bytes) -> Identity:
        """The identity that belongs to 32 fresh random bytes; the same bytes give the same identity. The key
        is a hash of them, so that a seed which also serves for other secrets does not become the key
        itself."""
        if len(seed) != 32:
            raise Misuse(f"a seed has 32 bytes, not {len(seed)}")
        return cls.from_bytes(hashlib.sha256(labels.LABEL_IDENTITY_SEED.encode("ascii") + seed).digest())

    @classmethod
    def from_bytes(cls, private: bytes) -> Identity:
        """The identity whose `to_bytes` was kept."""
        if len(private) != KEY_LENGTH:
            raise Misuse(f"a private key has {KEY_LENGTH} bytes, not {len(private)}")
        return cls(Ed25519PrivateKey.from_private_bytes(private))

    def to_bytes(self) -> bytes:
        """The 32 private bytes, for the store and for nothing else."""
        return self._key.private_bytes_raw()

    def sign(self, label: str, payload: bytes) -> bytes:
        """A 64-byte signature of the payload under the label."""
        return self._key.sign(_labelled(label, payload))

    def __repr__(self) -> str:
        return f"Identity(public={self.public.hex()[:8]}…)"

    def __reduce__(self) -> str:
        raise Misuse("an identity is not pickled: it would carry the private key")


def verify_untrusted(public: bytes, label: str, payload: bytes, signature: bytes) -> None:
    """Return if `public` signed the payload under the label; raise BadProof('bad-signature') otherwise."""
    message = _labelled(label, payload)
    if len(public) != KEY_LENGTH or len(signature) != SIGNATURE_LENGTH or _is_small(public):
        raise BadProof("bad-signature")
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        raise BadProof("bad-signature") from None


def fingerprint_words(
    digest: bytes, n: int = FINGERPRINT_WORDS, language: Literal["en", "ar"] = "en"
) -> list[str]:
    """`n` words to compare by voice. The same digest gives the same places in both lists, so a table where
    one reads Arabic and another English compares by reading from `protocol.words` side by side."""
    if not 1 <= n <= 32:
        raise Misuse(f"{n} words; 1 to 32 can be asked for")
    if language not in WORDS:
        raise Misuse(f"no word list for {language!r}")
    stretched = hashlib.scrypt(digest, salt=labels.LABEL_WORDS.encode("ascii"), dklen=32, **_SCRYPT)
    return [WORDS[language][byte] for byte in stretched[:n]]


def _labelled(label: str, payload: bytes) -> bytes:
    name = label.encode("ascii", "strict")
    if not 0 < len(name) <= LABEL_LIMIT:
        raise Misuse(f"a label has 1 to {LABEL_LIMIT} bytes")
    return len(name).to_bytes(2, "big") + name + payload


def _is_small(public: bytes) -> bool:
    return public[:31] + bytes([public[31] & 0x7F]) in _SMALL_ORDER
