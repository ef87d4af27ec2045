"""Certificates and TLS contexts: TLS 1.3, no certificate authority, one certificate for each table.

Nobody vouches for a card table, so the certificate is self-signed and the invite carries its hash. A client
accepts any certificate during the handshake and compares the hash directly afterwards, before it sends a byte
(`p2p.link.dial`). The server never asks for a client certificate; clients sign instead
(`protocol.handshake`).
"""

from __future__ import annotations

import hashlib
import secrets
import ssl
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.x509.oid import NameOID

from protocol.errors import Misuse, Refused

FINGERPRINT_LEAST = 16
"""Shortest certificate hash that may be compared, in bytes: 128 bits, beyond finding a second certificate for
it."""

_FROM = datetime(2000, 1, 1)
_UNTIL = datetime(9999, 12, 31, 23, 59, 59)
"""RFC 5280's "no expiry". A table's certificate is trusted because of its hash, whatever a laptop's clock
says."""


@dataclass(frozen=True)
class Certificate:
    """A table's certificate and its private key, both PEM. Kept by the store, so that an invite stays
    good."""

    cert_pem: bytes
    key_pem: bytes = field(repr=False)

    @property
    def hash(self) -> bytes:
        """SHA-256 of the certificate as it travels (DER)."""
        return certificate_hash(ssl.PEM_cert_to_DER_cert(self.cert_pem.decode("ascii")))


def make_certificate(fresh: Callable[[int], bytes] = secrets.token_bytes) -> Certificate:
    """A new self-signed Ed25519 certificate. `fresh(n)` gives n random bytes; the same bytes give the same
    certificate."""
    key = Ed25519PrivateKey.from_private_bytes(fresh(32))
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "majlis table")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(int.from_bytes(fresh(16), "big") | 1)
        .not_valid_before(_FROM)
        .not_valid_after(_UNTIL)
        .sign(key, None)
    )
    return Certificate(
        certificate.public_bytes(serialization.Encoding.PEM),
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        ),
    )


def server_context(cert_pem: bytes, key_pem: bytes) -> ssl.SSLContext:
    """The host's side. Python's ssl reads keys only from files, so they pass through a private folder for a
    moment."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    _only_tls13(context)
    context.verify_mode = ssl.CERT_NONE
    context.num_tickets = 0  # no resumption: every connection proves everything again
    with tempfile.TemporaryDirectory(prefix="majlis-") as folder:
        both = Path(folder) / "tls.pem"
        both.touch(mode=0o600)
        both.write_bytes(key_pem.rstrip() + b"\n" + cert_pem)
        try:
            context.load_cert_chain(both)
        except (ssl.SSLError, ValueError):
            raise Misuse("the certificate or its key cannot be read") from None
    return context


def client_context() -> ssl.SSLContext:
    """The guest's side: any certificate passes here, `check_fingerprint` decides."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    _only_tls13(context)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def certificate_hash(der: bytes) -> bytes:
    """SHA-256 of a certificate in DER."""
    return hashlib.sha256(der).digest()


def check_fingerprint(found: bytes, expected: bytes, address: str) -> None:
    """Raise Refused('wrong-fingerprint') unless the certificate's hash begins with the expected 16 to 32
    bytes."""
    if not FINGERPRINT_LEAST <= len(expected) <= 32:
        raise Misuse(f"a fingerprint of {len(expected)} bytes")
    if not secrets.compare_digest(found[: len(expected)], expected):
        raise Refused("wrong-fingerprint", {"address": address})


def _only_tls13(context: ssl.SSLContext) -> None:
    context.minimum_version = ssl.TLSVersion.TLSv1_3
