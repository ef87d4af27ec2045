"""Steps 2 and 10: recovery shares, so that all the others together (and only they) can finish a lost seat's deal.

Names: seat i has keys `x_i, Y_i`; for each other live seat j a share `s_ij` with `Σ_j s_ij = x_i` (random, additive).
Published for everybody: `S_ij = s_ij·G`, so that `Σ_j S_ij = Y_i` can be checked; and s_ij encrypted to j:
`E_ij = e·G`, `ct = s_ij ⊕ mask(e·Y_j)`, with a proof of knowledge of all e. That proof is bound to sender, serial,
recipients and everything published: a seat that copied another's E would otherwise turn an honest complaint into the
decryption of the original.

*Complaint*: j publishes `D = x_j·E_ij` with a proof that it is; everybody unmasks and sees whether `s·G = S_ij`.
*Take-over*: each j posts `s_ij·a` for the points that are needed, with one proof against S_ij; the sum over j is
`x_i·a`, and x_i itself is never known to anybody. A share ciphertext addressed to the lost seat is opened the same
way, through `x_i·E`.

On the wire: `(S E ct) c (s_e)`, recipients in ascending order: 98 bytes a recipient, and 32·(1 + recipients).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha512
from typing import NamedTuple

from protocol.deck import linear
from protocol.deck.group import (
    ORDER,
    POINT_BYTES,
    SCALAR_BYTES,
    InfinityError,
    Point,
    decode_untrusted,
    encode,
    mul,
    mul_base,
    scalar_bytes,
    total,
)
from protocol.deck.labels import HASH_SHARE_MASK, PROOF_COMPLAINT, PROOF_RECOVERY, PROOF_SHARES
from protocol.deck.nonce import Nonces, Secrets, secret_bytes
from protocol.deck.transcript import Context, Transcript
from protocol.errors import BadProof, Malformed, Misuse

_SHARE_BYTES = 2 * POINT_BYTES + SCALAR_BYTES
_SHARES = "shares-proof"
_COMPLAINT = "complaint-proof"
_RECOVERY = "recovery-proof"


class PublishedShare(NamedTuple):
    """One recipient's part: `recipient` j with deal key `key` Y_j, `S = s·G`, `E = e·G`, `ct` 32 bytes."""

    recipient: int
    key: Point
    S: Point
    E: Point
    ct: bytes


@dataclass(frozen=True)
class PublishedShares:
    """All that `sender` published at one table and serial, recipients in ascending order."""

    table: bytes
    serial: int
    sender: int
    shares: tuple[PublishedShare, ...]

    def to(self, seat: int) -> PublishedShare:
        """The part addressed to a seat. `Misuse` when there is none."""
        for share in self.shares:
            if share.recipient == seat:
                return share
        raise Misuse(f"seat {self.sender} published no share for seat {seat}")


def shares_bytes(recipients: int) -> int:
    """The length of what one seat publishes."""
    return _SHARE_BYTES * recipients + linear.proof_bytes(recipients)


def make_shares(secrets: Secrets, table: bytes, serial: int, x: int, seats: Sequence[int]) -> dict[int, int]:
    """Shares of x for the *other* live seats: derived from the master secret, the last one x minus the others."""
    others = sorted(set(seats))
    if not others:
        raise Misuse("nobody to share with")
    shares = {j: secrets.recovery_share(table, serial, j) for j in others[:-1]}
    shares[others[-1]] = (x - sum(shares.values())) % ORDER
    return shares


def publish_shares(context: Context, shares: Mapping[int, int], deal_keys: Mapping[int, Point], fresh: bytes) -> bytes:
    """The bytes that seat `context.seat` publishes. `deal_keys` may hold more seats than `shares`."""
    seats = sorted(shares)
    seed = Transcript(context, PROOF_SHARES)
    seed.absorb_points("recipient keys", [deal_keys[j] for j in seats])
    ephemeral = Nonces(secret_bytes(*(shares[j] for j in seats)), seed, fresh).scalars(len(seats))
    published = []
    for j, e in zip(seats, ephemeral, strict=True):
        S, E = mul_base(shares[j]), mul_base(e)
        mask = _mask(context.table, context.serial, context.seat, j, deal_keys[j], S, E, mul(e, deal_keys[j]))
        ct = _xor(scalar_bytes(shares[j]), mask)
        published.append(PublishedShare(j, deal_keys[j], S, E, ct))
    transcript, equations = _statement(context, total(share.S for share in published), published)
    proof = linear.prove(transcript, equations, ephemeral, fresh)
    return b"".join(encode(share.S) + encode(share.E) + share.ct for share in published) + proof


def verify_shares(
    context: Context, Y_i: Point, recipients: Sequence[int], deal_keys: Mapping[int, Point], data: bytes
) -> PublishedShares:
    """What seat `context.seat`, whose key is Y_i, published for `recipients` (the other live seats).

    Raises `Malformed`, or `BadProof` ``shares-sum`` (they do not add up to Y_i) or ``shares-proof``.
    """
    seats = sorted(set(recipients))
    if not seats or len(data) != shares_bytes(len(seats)):
        raise Malformed("shares-length", {"expected": shares_bytes(len(seats)), "got": len(data)})
    published = []
    for index, j in enumerate(seats):
        part = data[index * _SHARE_BYTES : (index + 1) * _SHARE_BYTES]
        S = decode_untrusted(part[:POINT_BYTES])
        E = decode_untrusted(part[POINT_BYTES : 2 * POINT_BYTES])
        published.append(PublishedShare(j, deal_keys[j], S, E, part[2 * POINT_BYTES :]))
    try:
        whole = total(share.S for share in published)
    except InfinityError:
        raise BadProof("shares-sum") from None
    if whole != Y_i:
        raise BadProof("shares-sum")
    transcript, equations = _statement(context, Y_i, published)
    linear.verify(transcript, equations, len(seats), data[_SHARE_BYTES * len(seats) :], _SHARES)
    return PublishedShares(context.table, context.serial, context.seat, tuple(published))


def open_share(x_j: int, published: PublishedShares, me: int) -> int | None:
    """The share addressed to me, or None when it does not match its S: then complain."""
    return _unmask(published, published.to(me), mul(x_j, published.to(me).E))


def prove_complaint(context: Context, x_j: int, published: PublishedShares, fresh: bytes) -> bytes:
    """97 bytes: `D = x_j·E` of the share addressed to `context.seat`, and the proof that it is."""
    transcript = _complaint_transcript(context, mul_base(x_j), published)
    return linear.prove_powers(transcript, x_j, [published.to(context.seat).E], fresh)


def verify_complaint(context: Context, Y_j: Point, published: PublishedShares, data: bytes) -> bool:
    """True when the complaint of seat `context.seat` is justified: the sender lied. False: the share was good.

    Raises `Malformed`, or `BadProof` ``complaint-proof`` when D is not the decryption, or nothing was addressed to the
    complaining seat.
    """
    if all(share.recipient != context.seat for share in published.shares):
        raise BadProof(_COMPLAINT)
    share = published.to(context.seat)
    transcript = _complaint_transcript(context, Y_j, published)
    (D,) = linear.verify_powers(transcript, Y_j, [share.E], data, _COMPLAINT)
    return _unmask(published, share, D) is None


def recovery_shares(context: Context, s_ij: int, points: Sequence[Point], fresh: bytes) -> bytes:
    """Step 10: `s_ij·P` for every point that is needed of the lost seat i, with one proof against S_ij."""
    transcript = _recovery_transcript(context, mul_base(s_ij))
    return linear.prove_powers(transcript, s_ij, points, fresh)


def recovery_bytes(count: int) -> int:
    """The length of one seat's recovery shares for `count` points."""
    return POINT_BYTES * count + linear.proof_bytes(1)


def verify_recovery(context: Context, S_ij: Point, points: Sequence[Point], data: bytes) -> list[Point]:
    """The points `s_ij·P`, in the order of `points`. Raises `Malformed`, or `BadProof` ``recovery-proof``."""
    return linear.verify_powers(_recovery_transcript(context, S_ij), S_ij, points, data, _RECOVERY)


def add_recovered(contributions: Sequence[Sequence[Point]]) -> list[Point]:
    """`x_i·P` for every point, from one list of `verify_recovery` for every remaining seat."""
    try:
        return [total(parts) for parts in zip(*contributions, strict=True)]
    except InfinityError:
        raise BadProof(_RECOVERY) from None


def reopen_ciphertext(D: Point, published: PublishedShares, recipient: int) -> int | None:
    """The share that was addressed to the lost seat `recipient`, from `D = x·E`; None when it does not match its S."""
    return _unmask(published, published.to(recipient), D)


def _unmask(published: PublishedShares, share: PublishedShare, D: Point) -> int | None:
    mask = _mask(published.table, published.serial, published.sender, share.recipient, share.key, share.S, share.E, D)
    s = int.from_bytes(_xor(share.ct, mask), "big")
    return s if 0 < s < ORDER and mul_base(s) == share.S else None


def _mask(table: bytes, serial: int, sender: int, recipient: int, key: Point, S: Point, E: Point, D: Point) -> bytes:
    """32 bytes from the Diffie–Hellman point D = e·Y_j = x_j·E, bound to everything around it."""
    place = table + b"".join(number.to_bytes(8, "big") for number in (serial, sender, recipient))
    points = b"".join(map(encode, (key, S, E, D)))
    return sha512(HASH_SHARE_MASK.encode() + b"\0" + place + points).digest()[:SCALAR_BYTES]


def _xor(left: bytes, right: bytes) -> bytes:
    return bytes(p ^ q for p, q in zip(left, right, strict=True))


def _absorb_shares(transcript: Transcript, published: Sequence[PublishedShare]) -> None:
    for share in published:
        transcript.absorb_int("recipient", share.recipient)
        transcript.absorb_points("share", [share.key, share.S, share.E])
        transcript.absorb("ciphertext", share.ct)


def _statement(
    context: Context, Y_i: Point, published: Sequence[PublishedShare]
) -> tuple[Transcript, list[linear.Equation]]:
    transcript = Transcript(context, PROOF_SHARES)
    transcript.absorb_points("key", [Y_i])
    transcript.absorb_int("recipients", len(published))
    _absorb_shares(transcript, published)
    return transcript, [linear.Equation(share.E, ((at, linear.BASE),)) for at, share in enumerate(published)]


def _complaint_transcript(context: Context, Y_j: Point, published: PublishedShares) -> Transcript:
    transcript = Transcript(context, PROOF_COMPLAINT)
    transcript.absorb_points("key", [Y_j])
    transcript.absorb_int("sender", published.sender)
    _absorb_shares(transcript, [published.to(context.seat)])
    return transcript


def _recovery_transcript(context: Context, S_ij: Point) -> Transcript:
    transcript = Transcript(context, PROOF_RECOVERY)
    transcript.absorb_points("share", [S_ij])
    return transcript
