"""The schemas of everything that travels between peers after they have authenticated, and of what the log holds.

Two families, both MessagePack maps with the tag ``k``:

* *entry bodies*: signed by their author, put in order by the host, kept for ever (`Body`);
* *talk*: what passes between a guest and the host beside the log (`Talk`).

All fields are required unless they have a default; an unknown field or tag is `Malformed`. Points are 33 bytes
compressed, scalars 32 bytes, digests 32 bytes, cards and positions small integers; blobs are what `protocol.deck`
defines and checks. `serial` numbers the attempts to deal from 1, `step` the moves of the table from 0.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from protocol.wire import convert_untrusted, pack, unpack_untrusted

PROTOCOL_VERSION = 1

Key: TypeAlias = Annotated[bytes, Meta(min_length=32, max_length=32)]
Digest: TypeAlias = Annotated[bytes, Meta(min_length=32, max_length=32)]
Signature: TypeAlias = Annotated[bytes, Meta(min_length=64, max_length=64)]
TableId: TypeAlias = Annotated[bytes, Meta(min_length=16, max_length=16)]
PointBytes: TypeAlias = Annotated[bytes, Meta(min_length=33, max_length=33)]
Blob: TypeAlias = Annotated[bytes, Meta(max_length=32_000)]  # the largest, a proof of shuffle, has 10.4 kB
BodyBytes: TypeAlias = Annotated[bytes, Meta(max_length=40_000)]  # an entry's body as it is signed
EntryBytes: TypeAlias = Annotated[bytes, Meta(max_length=41_000)]  # with author, counter, head and signature around it
RecordBytes: TypeAlias = Annotated[bytes, Meta(max_length=42_000)]  # with its place; still less than a frame
Number: TypeAlias = Annotated[int, Meta(ge=0, lt=2**32)]
Seat: TypeAlias = Annotated[int, Meta(ge=0, lt=4)]
SeatCount: TypeAlias = Annotated[int, Meta(ge=0, le=4)]
Slot: TypeAlias = Annotated[int, Meta(ge=0, lt=4096)]
Slots: TypeAlias = Annotated[tuple[Slot, ...], Meta(max_length=20)]
Name: TypeAlias = Annotated[str, Meta(max_length=60)]
Notation: TypeAlias = Annotated[str, Meta(max_length=60)]  # the longest, a claim with sixteen cards, has 53
Flags: TypeAlias = Annotated[tuple[bool, ...], Meta(max_length=4)]  # one for each seat
OptionValue: TypeAlias = Annotated[str, Meta(max_length=20)] | Number
OptionMap: TypeAlias = Annotated[dict[Annotated[str, Meta(max_length=40)], OptionValue], Meta(max_length=40)]


class Struct(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="k", tag=str.lower):
    """A message: its class name in small letters is its tag."""


# What people sign before they sit down ---------------------------------------------------------------------------


class SeatClaim(Struct, frozen=True):
    """Somebody sits down: who, and under which options. Signed by `key` (and `machine` vouches for its bots)."""

    key: Key
    name: Name
    bot: Name  # empty for a person, else the bot's name
    machine: Key  # whose machine runs this peer: its own key, or the host of the bots it started
    vouch: Annotated[bytes, Meta(max_length=64)]  # signature of `machine` over the bot's key, empty when machine == key
    terms: Digest  # digest of table, game, options: what he agreed to
    signature: Signature


# Entry bodies ----------------------------------------------------------------------------------------------------


class Genesis(Struct, frozen=True):
    """The first entry, by the host: everything that never changes."""

    version: Number
    table: TableId
    game: Name
    options: OptionMap
    rules: OptionMap  # options of the table itself (clocks, penalties)
    seats: Annotated[tuple[SeatClaim, ...], Meta(max_length=4)]


class KeyCommit(Struct, frozen=True):
    """Deck step 1: hash of the deal key."""

    serial: Number
    commitment: Digest


class KeyReveal(Struct, frozen=True):
    """Deck step 1: the deal key, the salt of its commitment, and the proof of knowing its secret."""

    serial: Number
    key: PointBytes
    salt: Digest
    proof: Blob


class Shares(Struct, frozen=True):
    """Deck step 2: recovery shares of the deal key, one for each other seat."""

    serial: Number
    shares: Blob


class Accept(Struct, frozen=True):
    """Deck step 2: all recovery shares addressed to me fit."""

    serial: Number


class Complaint(Struct, frozen=True):
    """Deck step 2: the share that `against` sent me does not fit; here it is, opened with proof."""

    serial: Number
    against: Seat
    proof: Blob


class Shuffle(Struct, frozen=True):
    """Deck step 3: the pack re-encrypted and permuted, with the proof of shuffle."""

    serial: Number
    pack: Blob
    proof: Blob


class DealShares(Struct, frozen=True):
    """Deck step 4: my shares of the cards that go to others; `opened` are opening shares of cards of absent seats."""

    serial: Number
    step: Number
    shares: Blob
    opened: Blob


class OpenShares(Struct, frozen=True):
    """Deck steps 5 and 12: my shares of cards that everybody sees (the draw, the kitty)."""

    serial: Number
    step: Number
    shares: Blob


class Mix(Struct, frozen=True):
    """Deck step 8: my hand, mixed."""

    serial: Number
    step: Number
    hand: Blob
    proof: Blob


class Handed(Struct, frozen=True):
    """Deck step 7: a card under its new owner's key, with the proof that it is the old card."""

    cipher: Annotated[bytes, Meta(min_length=66, max_length=66)]
    proof: Blob


class Move(Struct, frozen=True):
    """A seat's action. `slots` are the slots of the cards in it, `opening` proves the cards it shows, `claim` that the
    rest of the hand keeps the rule (empty where the public knowledge already implies it), `handed` moves a card."""

    serial: Number
    step: Number
    action: Notation
    slots: Slots
    opening: Blob
    claim: Blob
    handed: Handed | None = None
    choice: Annotated[int, Meta(ge=0, lt=4)] = 0  # which alternative of the claim is proved


class Seal(Struct, frozen=True):
    """A simultaneous choice, committed to."""

    serial: Number
    step: Number
    seal: Digest


class Unseal(Struct, frozen=True):
    """The choice committed to, once everybody has committed. The move says the same as in the open."""

    serial: Number
    step: Number
    nonce: Digest
    move: Move


class NotHeld(Struct, frozen=True):
    """In a search: proof that my hand does not hold the card."""

    serial: Number
    step: Number
    claim: Blob


class Audit(Struct, frozen=True):
    """Deck step 9: one deferred claim kept: the move in the open, with proof; `received` opens what I was handed."""

    serial: Number
    step: Number
    which: Number  # index of the deferred claim in the deal
    action: Notation
    received: Notation  # the card's name, or empty
    opening: Blob
    claim: Blob


class Score(Struct, frozen=True):
    """My signature under a deal's score."""

    deal: Number
    digest: Digest


class Vote(Struct, frozen=True):
    """`seat` keeps the step waiting: I am for taking its hand over; or (`yes` false) I am here and wait for it. Lapses
    when the step gets its answer."""

    serial: Number
    step: Number
    seat: Seat
    yes: bool = True


class RecoveryShares(Struct, frozen=True):
    """Deck step 10: my shares of what the lost seat owes and holds."""

    serial: Number
    step: Number
    seat: Seat
    shares: Blob


class SitDown(Struct, frozen=True):
    """The owner of a seat that the stand-in plays wants it back from the next pack on."""


Body: TypeAlias = (
    Genesis
    | KeyCommit
    | KeyReveal
    | Shares
    | Accept
    | Complaint
    | Shuffle
    | DealShares
    | OpenShares
    | Mix
    | Move
    | Seal
    | Unseal
    | NotHeld
    | Audit
    | Score
    | Vote
    | RecoveryShares
    | SitDown
)


# Talk between a guest and the host, beside the log ----------------------------------------------------------------


class Lobby(Struct, frozen=True):
    """Host to guest, when it is admitted and whenever it changes: the terms and who sits where."""

    table: TableId
    game: Name
    options: OptionMap
    rules: OptionMap
    host: Key
    seats: Annotated[tuple[SeatClaim, ...], Meta(max_length=4)]
    missing: SeatCount  # how many seats are still free
    running: bool
    height: Number = 0  # how many records the log has now: who knows fewer writes nothing before it has them
    present: Flags = ()  # of `seats`, before the game: who is connected
    ready: Flags = ()  # … and who is ready to begin
    asking: bool = False  # the reader has asked for a seat, and the host has not answered yet


class Sit(Struct, frozen=True):
    """Guest to host: I take a seat, or ask for one where the host wants to be asked."""

    claim: SeatClaim
    ready: bool = True


class Ready(Struct, frozen=True):
    """Guest to host, before the game: I, who have a seat, am ready to begin, or not yet."""

    yes: bool


class Want(Struct, frozen=True):
    """Guest to host: send me the log from this height on, and go on."""

    height: Number


class Submit(Struct, frozen=True):
    """Guest to host: put this entry in order."""

    entry: EntryBytes


class Ordered(Struct, frozen=True):
    """Host to guest: one record of the log."""

    record: RecordBytes


class Presence(Struct, frozen=True):
    """Host to guest: which of the players are connected, in seat order."""

    connected: Flags


class Chat(Struct, frozen=True):
    """A line of table talk, signed by its author over the table and the number, not kept."""

    key: Key
    number: Number
    text: Annotated[str, Meta(max_length=400)]
    signature: Signature


class Bye(Struct, frozen=True):
    """I leave: `height` is what I hold of the log. The sentence's id says why (empty: all is well)."""

    height: Number
    reason: Annotated[str, Meta(max_length=60)] = ""


Talk: TypeAlias = Lobby | Sit | Ready | Want | Submit | Ordered | Presence | Chat | Bye


def encode(message: Struct) -> bytes:
    """A message as MessagePack."""
    return pack(message)


def decode_body_untrusted(data: bytes) -> Body:
    """The entry body that these bytes hold, or `Malformed`."""
    body: Body = convert_untrusted(unpack_untrusted(data), Body)
    return body


def decode_talk_untrusted(data: bytes) -> Talk:
    """The message that these bytes hold, or `Malformed`."""
    talk: Talk = convert_untrusted(unpack_untrusted(data), Talk)
    return talk
