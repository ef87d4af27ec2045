"""The invite: one line that carries everything a guest needs, and survives copy and paste.

::

    line      = "majlis" version ":" base32(payload || check)         lower case, without padding
    payload   = uint16 port || certificate hash (16) || table (16) || token (16) || uint8 count || address…
    address   = 0x04 || 4 bytes   |   0x06 || 16 bytes   |   0x00 || uint8 length || host name in ASCII
    check     = first 4 bytes of SHA-256("majlis" version ":" || payload)

Base32 rather than base64: chat programs turn ``_`` and ``*`` into italics, capitalise the first letter, and
break words at ``-``; the letters a-z and the digits 2-7 go through all of them.

What is pasted may be wrapped, quoted, indented, followed by a sentence, or full of the invisible marks that
programs put around left-to-right text in an Arabic chat. The reader drops everything that cannot belong to
the line, and what follows the payload's own end does not matter.
"""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import re
import secrets
import socket
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field

from p2p.limits import DEFAULT_PORT, HOST_NAME_LENGTH, INVITE_ADDRESSES, INVITE_TEXT_LIMIT
from protocol.errors import Malformed, Misuse, Refused
from protocol.handshake import TABLE_LENGTH, TOKEN_LENGTH

VERSION = 1
CERTIFICATE_HASH_LENGTH = 16
"""128 bits of the certificate's SHA-256. Finding a second certificate for them is out of reach, and a line of
half the length is copied whole more often."""

CHECK_LENGTH = 4
"""A checksum against typing errors, not against forgers: whoever can change an invite can also write one."""

_IP4, _IP6, _NAME = 4, 6, 0
_HOST_NAME = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*\.?")
_PREFIX = re.compile(r"majlis(\d{1,3}):")
_ALPHABET = re.compile(r"[^a-z2-7]")


@dataclass(frozen=True)
class Invite:
    """Where a table is (addresses, port), how to recognise it (first 16 bytes of the certificate's hash,
    table id), and the token that lets a guest in. Whoever has the line may come, so the token is not
    shown."""

    addresses: tuple[str, ...]
    certificate_hash: bytes
    table: bytes
    token: bytes = field(repr=False)
    port: int = DEFAULT_PORT

    def __str__(self) -> str:
        return repr(self)


def write_invite(invite: Invite) -> str:
    """The line. Raises Misuse for an address that is neither IP nor host name, and for parts of a wrong
    length."""
    if len(invite.table) != TABLE_LENGTH or len(invite.token) != TOKEN_LENGTH:
        raise Misuse(f"a table id has {TABLE_LENGTH} bytes, a token {TOKEN_LENGTH}")
    if len(invite.certificate_hash) < CERTIFICATE_HASH_LENGTH:
        raise Misuse(f"a certificate hash of at least {CERTIFICATE_HASH_LENGTH} bytes is needed")
    if not 1 <= len(invite.addresses) <= INVITE_ADDRESSES or not 1 <= invite.port <= 65535:
        raise Misuse(f"{len(invite.addresses)} addresses, port {invite.port}")
    payload = b"".join(
        (
            invite.port.to_bytes(2, "big"),
            invite.certificate_hash[:CERTIFICATE_HASH_LENGTH],
            invite.table,
            invite.token,
            bytes([len(invite.addresses)]),
            *map(_pack_address, invite.addresses),
        )
    )
    text = base64.b32encode(payload + _check(payload)).decode("ascii").rstrip("=").lower()
    return f"majlis{VERSION}:{text}"


def read_invite_untrusted(text: str) -> Invite:
    """The invite in a text that somebody pasted.

    Raises Malformed: ``invite-unreadable`` (no such line, or cut off), ``invite-bad-checksum`` (a letter is
    wrong); Refused('invite-version') for a line of another version of Majlis.
    """
    if len(text) > INVITE_TEXT_LIMIT:
        raise Malformed("invite-unreadable")
    squeezed = _squeeze(text)
    refused: Refused = Malformed("invite-unreadable")
    for found in _PREFIX.finditer(squeezed):
        try:
            return _read_line(int(found.group(1)), squeezed[found.end() :])
        except Refused as error:
            refused = error  # the sentence before the invite may have mentioned the word
    raise refused


def _read_line(version: int, rest: str) -> Invite:
    if version != VERSION:
        raise Refused("invite-version", {"ours": VERSION, "theirs": version})
    letters = _ALPHABET.sub("", rest)
    letters = letters[: len(letters) - (len(letters) % 8 in (1, 3, 6))]  # lengths that base32 never has
    reader = _Reader(base64.b32decode(letters.upper() + "=" * (-len(letters) % 8)))
    port = int.from_bytes(reader.take(2), "big")
    certificate, table, token = (
        reader.take(length) for length in (CERTIFICATE_HASH_LENGTH, TABLE_LENGTH, TOKEN_LENGTH)
    )
    addresses = tuple(_read_address(reader) for _ in range(reader.take(1)[0]))
    payload = reader.taken
    if not secrets.compare_digest(reader.take(CHECK_LENGTH), _check(payload)):
        raise Malformed("invite-bad-checksum")
    if port == 0 or not 1 <= len(addresses) <= INVITE_ADDRESSES or not all(addresses):
        raise Malformed("invite-unreadable")
    return Invite(addresses, certificate, table, token, port)


def _squeeze(text: str) -> str:
    """Lower case, compatibility forms resolved, and without anything invisible, blank, or quoting."""
    folded = unicodedata.normalize("NFKC", text).lower()
    return "".join(letter for letter in folded if letter == ":" or (letter.isascii() and letter.isalnum()))


def _check(payload: bytes) -> bytes:
    return hashlib.sha256(f"majlis{VERSION}:".encode("ascii") + payload).digest()[:CHECK_LENGTH]


class _Reader:
    """Takes bytes from the front; what is missing makes the invite unreadable."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def taken(self) -> bytes:
        return self._data[: self._at]

    def take(self, length: int) -> bytes:
        part = self._data[self._at : self._at + length]
        if len(part) != length:
            raise Malformed("invite-unreadable")
        self._at += length
        return part


def _pack_address(address: str) -> bytes:
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        name = address.lower().encode("ascii", "replace")
        if len(name) > HOST_NAME_LENGTH or _HOST_NAME.fullmatch(name.decode("ascii")) is None:
            raise Misuse(f"neither an address nor a host name: {address!r}") from None
        return bytes([_NAME, len(name)]) + name
    if isinstance(found, ipaddress.IPv6Address) and found.scope_id is not None:
        raise Misuse(f"an address that only this machine understands: {address!r}")
    return bytes([found.version]) + found.packed


def _read_address(reader: _Reader) -> str:
    """The next address; empty if its kind or its name cannot be (the checksum then says whether it was a
    typing error)."""
    kind = reader.take(1)[0]
    if kind == _IP4:
        return str(ipaddress.IPv4Address(reader.take(4)))
    if kind == _IP6:
        return str(ipaddress.IPv6Address(reader.take(16)))
    if kind != _NAME:
        return ""
    name = reader.take(reader.take(1)[0]).decode("ascii", "replace")
    return name if len(name) <= HOST_NAME_LENGTH and _HOST_NAME.fullmatch(name) else ""


_TOWARDS = (
    "192.0.2.1",  # the default route (TEST-NET-1)
    "10.255.255.254",
    "172.31.255.254",
    "192.168.255.254",
    "100.100.100.100",  # overlay networks (RFC 6598)
    "169.254.255.254",  # a cable between two machines (RFC 3927)
    "2001:db8::1",  # the IPv6 default route
    "fd00::1",  # and a private IPv6 network
)
"""Where to look. Connecting a UDP socket sends nothing; it only asks the system which of its addresses it
would use."""


def local_addresses(link_local: bool = False) -> tuple[str, ...]:
    """This machine's IPv4 and IPv6 addresses at which others may reach it, likeliest first; without loopback
    and link-local ones (those mean something else on every machine), unless IPv4's are asked for
    (`link_local`). May ask a name server for this machine's own name and so may take a moment: call it in a
    thread. Empty on a machine without any network."""
    usable = dict.fromkeys(address for address in _candidates() if _is_usable(address, link_local))
    return tuple(usable)[:INVITE_ADDRESSES]


def _candidates() -> Iterator[str]:
    for target in _TOWARDS:
        family = socket.AF_INET6 if ":" in target else socket.AF_INET
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((target, 9))
                yield str(probe.getsockname()[0])
        except OSError:
            continue  # no such family, or no route: then others cannot come that way either
    try:
        for entry in socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_DGRAM):
            yield str(entry[4][0])
    except OSError:
        return


def _is_usable(address: str, link_local: bool) -> bool:
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    if found.is_link_local:
        return link_local and found.version == 4
    return not (found.is_loopback or found.is_unspecified or found.is_multicast)
