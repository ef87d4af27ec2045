"""The first four messages between two peers, and what each of them proves. Sans-IO.

The client already holds an invite: addresses, the hash of the host's certificate, the table's id and its
token. TLS has compared the certificate before the first of these messages leaves::

    client                                    server
    hello(versions, nonce)            ──▶
                                      ◀──     challenge(version, nonce, table, software)
    auth(key, signature, token, …)    ──▶
                                      ◀──     admitted

The server may answer either message with ``refused`` (code, values) and close. The client's signature covers
the version, the certificate's hash *as the client saw it*, the table's id, both nonces and its own key.
Somebody in the middle who shows the client another certificate can pass the signature on, but it will not fit
the real one (Python's ssl offers no exporter, and the finished message of TLS 1.3 is not a channel binding,
so the certificate's hash stands in for the channel).

The token says "was invited", the key says "is the one who sat there before": a player who comes back proves
both again.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from protocol.deck import labels
from protocol.errors import Malformed, Misuse, Refused
from protocol.identity import KEY_LENGTH, SIGNATURE_LENGTH, Identity, verify_untrusted

VERSIONS: tuple[int, ...] = (1,)
"""The protocol versions that this program speaks, oldest first."""

NONCE_LENGTH = 32
TABLE_LENGTH = 16
TOKEN_LENGTH = 16
"""128 bits each for table and token: not to be guessed, and short enough for an invite of one line. Nonces
are hash-sized."""

HASH_LENGTH = 32
SOFTWARE_LENGTH = 64
"""Longest name of a program, such as ``majlis 0.1.0``."""

MOST_VERSIONS = 16
"""Most versions that a program may offer; one a year would outlast the players."""

CODE_LENGTH = 64
MOST_VALUES = 8
VALUE_NAME_LENGTH = 32
VALUE_LENGTH = 200
"""What a refusal may carry: a sentence, not a letter. Our own codes and names of values are below 30
letters."""

Nonce = Annotated[bytes, Meta(min_length=NONCE_LENGTH, max_length=NONCE_LENGTH)]
TableId = Annotated[bytes, Meta(min_length=TABLE_LENGTH, max_length=TABLE_LENGTH)]
Token = Annotated[bytes, Meta(min_length=TOKEN_LENGTH, max_length=TOKEN_LENGTH)]
Key = Annotated[bytes, Meta(min_length=KEY_LENGTH, max_length=KEY_LENGTH)]
Signature = Annotated[bytes, Meta(min_length=SIGNATURE_LENGTH, max_length=SIGNATURE_LENGTH)]
Software = Annotated[str, Meta(max_length=SOFTWARE_LENGTH)]
Version = Annotated[int, Meta(ge=1, le=65535)]
ValueName = Annotated[str, Meta(max_length=VALUE_NAME_LENGTH)]
Value = Annotated[str, Meta(max_length=VALUE_LENGTH)] | int


class Hello(msgspec.Struct, frozen=True, tag_field="k", tag="hello"):
    """The client speaks first: the versions it can speak, and 32 fresh bytes."""

    versions: Annotated[list[Version], Meta(min_length=1, max_length=MOST_VERSIONS)]
    nonce: Nonce


class Challenge(msgspec.Struct, frozen=True, tag_field="k", tag="challenge"):
    """The server chooses the version, names its table, and adds 32 fresh bytes of its own."""

    version: Version
    nonce: Nonce
    table: TableId
    software: Software = ""


class Auth(msgspec.Struct, frozen=True, tag_field="k", tag="auth"):
    """The client's key, its signature over `auth_payload`, and the token from the invite."""

    key: Key
    signature: Signature
    token: Token
    software: Software = ""

    def __repr__(self) -> str:
        return f"Auth(key={self.key.hex()[:8]}…)"


class Admitted(msgspec.Struct, frozen=True, tag_field="k", tag="admitted"):
    """From here on both sides speak as members of the table."""


class Refusal(msgspec.Struct, frozen=True, tag_field="k", tag="refused"):
    """Why the other side closes: the id of a sentence and its values, seen from the reader's side."""

    code: Annotated[str, Meta(min_length=1, max_length=CODE_LENGTH)]
    values: Annotated[
        dict[ValueName, Value], Meta(max_length=MOST_VALUES)
    ] = {}


ServerAnswer = Challenge | Admitted | Refusal
"""Everything that a client may hear before it is admitted."""


def choose_version_untrusted(theirs: Sequence[int], ours: Sequence[int] = VERSIONS) -> int:
    """The newest version that both speak. Raises Refused with the sentence for our side: who should
    upgrade."""
    common = set(theirs) & set(ours)
    if common:
        return max(common)
    newest = {"ours": max(ours), "theirs": max(theirs, default=0)}
    older = newest["theirs"] < newest["ours"]
    raise Refused("wrong-version-theirs-older" if older else "wrong-version-yours-older", {**newest})


def auth_payload(
    version: int, certificate_hash: bytes, table: bytes, client_nonce: bytes, server_nonce: bytes, key: bytes
) -> bytes:
    """What the client signs: ``uint16 version || certificate hash || table || client nonce || server nonce ||
    key``. Every part has a fixed length, so the parts cannot run into each other."""
    parts = (certificate_hash, table, client_nonce, server_nonce, key)
    if tuple(map(len, parts)) != (HASH_LENGTH, TABLE_LENGTH, NONCE_LENGTH, NONCE_LENGTH, KEY_LENGTH):
        raise Misuse(f"parts of {tuple(map(len, parts))} bytes")
    return version.to_bytes(2, "big") + b"".join(parts)


def answer_challenge_untrusted(
    challenge: Challenge,
    hello: Hello,
    identity: Identity,
    certificate_hash: bytes,
    token: bytes,
    table: bytes | None = None,
    software: str = "",
) -> Auth:
    """The client's answer. Raises Malformed if the server chose a version that was not offered, and
    Refused('wrong-table') if it is not the table of the invite (`None`: any table will do)."""
    if challenge.version not in hello.versions:
        raise Malformed("message-misfit", {"field": "version"})
    if table is not None and challenge.table != table:
        raise Refused("wrong-table")
    payload = auth_payload(
        challenge.version, certificate_hash, challenge.table, hello.nonce, challenge.nonce, identity.public
    )
    return Auth(identity.public, identity.sign(labels.LABEL_AUTHENTICATE, payload), token, software)


def check_auth_untrusted(
    auth: Auth, hello: Hello, challenge: Challenge, certificate_hash: bytes, token: bytes
) -> bytes:
    """The key that the client has proved to hold, at a table to which it was invited.

    Raises Refused('bad-token') after a comparison in constant time, BadProof('bad-signature') for a signature
    over anything else: another certificate, table, nonce, version or key.
    """
    if len(token) != TOKEN_LENGTH:
        raise Misuse(f"a token has {TOKEN_LENGTH} bytes")
    if not hmac.compare_digest(auth.token, token):
        raise Refused("bad-token")
    payload = auth_payload(
        challenge.version, certificate_hash, challenge.table, hello.nonce, challenge.nonce, auth.key
    )
    verify_untrusted(auth.key, labels.LABEL_AUTHENTICATE, payload, auth.signature)
    return auth.key


_OTHER_SIDE = {
    "wrong-version-yours-older": "wrong-version-theirs-older",
    "wrong-version-theirs-older": "wrong-version-yours-older",
}
_CODE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def refusal(refused: Refused) -> Refusal:
    """The message that tells the other side why. What is *ours* here is *theirs* there."""
    values = {
        name[:VALUE_NAME_LENGTH]: _value(value) for name, value in list(refused.values.items())[:MOST_VALUES]
    }
    code = _OTHER_SIDE.get(refused.code, refused.code)
    if code != refused.code:
        values = {**values, "ours": values["theirs"], "theirs": values["ours"]}
    return Refusal(code, values)


def refused_untrusted(message: Refusal) -> Refused:
    """The error that the other side's refusal stands for, to be raised by whoever asked. The code has the
    form of a code and the values are short; text in them is still a stranger's and is cleaned before it is
    shown."""
    if _CODE.fullmatch(message.code) is None:
        return Malformed("message-misfit", {"field": "code"})
    return Refused(message.code, {**message.values})


def _value(value: object) -> str | int:
    return value if type(value) is int and abs(value) < 2**63 else str(value)[:VALUE_LENGTH]
