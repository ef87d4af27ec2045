"""What a table says of itself to everybody on the same network, so that it is found without an invite. Sans-IO.

Datagrams, each one MessagePack map::

    announce   a table has free seats, or waits for somebody: who hosts it, what is played, how to come in
    withdraw   that is over
    seek       somebody looks for tables: announce again, now

Nothing of it is signed, and nothing is believed: anybody on the network can send these. What counts is proved when
one connects. The certificate must have the announced hash, so the words made of that hash (`table_words`), read aloud
by the host, tell the right table from a false one that calls itself the same. The token that is announced is not that
of the invite: its holder may only *ask* for a seat.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from protocol.deck import labels
from protocol.errors import Malformed
from protocol.handshake import TOKEN_LENGTH
from protocol.identity import fingerprint_words
from protocol.log import digest
from protocol.messages import Digest, Name, SeatCount, Struct, TableId
from protocol.wire import convert_untrusted, pack, unpack_untrusted

BEACON_VERSION = 1
"""Grows when these datagrams change. Whoever hears another version takes no notice of it."""

PACKET_LIMIT = 1024
"""Longest datagram in bytes: below the 1,280 that every network carries whole. The longest honest one, with a name of
sixty Arabic letters, has some 400."""

WORDS_LENGTH = 16
"""Bytes of the certificate's hash that the words are made of: as many as an invite holds, so that whoever has the
invite hears the same words."""

TABLE_WORDS = 4
"""Words of a table on the network: 32 bits at 40 ms a try, and the table is gone before a second certificate with the
same words is found. The six words of the first entry, which outlasts the evening, are another matter."""

Version: TypeAlias = Annotated[int, Meta(ge=BEACON_VERSION, le=BEACON_VERSION)]
Port: TypeAlias = Annotated[int, Meta(ge=1, le=65535)]
Token: TypeAlias = Annotated[bytes, Meta(min_length=TOKEN_LENGTH, max_length=TOKEN_LENGTH)]


class Announce(Struct, frozen=True):
    """A table can be joined at the address that this came from."""

    version: Version
    table: TableId
    certificate: Digest  # SHA-256 of the host's certificate
    port: Port
    token: Token  # `lan_token` of the invite's
    name: Name  # the host's
    game: Name
    free: SeatCount  # seats; none when the table only waits for somebody who has one


class Withdraw(Struct, frozen=True):
    """The table is not to be joined any more."""

    version: Version
    table: TableId
    certificate: Digest


class Seek(Struct, frozen=True):
    """Which tables are there?"""

    version: Version


Packet: TypeAlias = Announce | Withdraw | Seek


def encode_packet(packet: Packet) -> bytes:
    """A packet as it is sent."""
    return pack(packet)


def decode_packet_untrusted(data: bytes) -> Packet:
    """The packet that a datagram holds, or `Malformed`."""
    if len(data) > PACKET_LIMIT:
        raise Malformed("frame-too-long", {"length": len(data), "limit": PACKET_LIMIT})
    packet: Packet = convert_untrusted(unpack_untrusted(data), Packet)
    return packet


def lan_token(token: bytes) -> bytes:
    """The token with which one may ask for a seat, from the invite's. Whoever knows it does not know the invite's."""
    return digest(labels.LABEL_LAN_TOKEN, token)[:TOKEN_LENGTH]


def table_words(certificate_hash: bytes, language: Literal["en", "ar"]) -> tuple[str, ...]:
    """The words by which a table is told from a false one, from the first 16 bytes or more of its certificate's hash.
    Takes about 40 ms."""
    return tuple(fingerprint_words(certificate_hash[:WORDS_LENGTH], TABLE_WORDS, language))
