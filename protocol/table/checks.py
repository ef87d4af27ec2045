"""What each kind of entry must prove: one function a kind, pure, run off the event loop.

Each takes the table as it stands, the round that the entry answers, its author's seat, the proof context, and the body;
it returns what the round needs to know, or raises `BadProof` or `Malformed`: both are evidence, since the author signed
it; or `Stale`, which is innocent. Nothing here changes anything.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.actions import FACE_DOWN, Action, parse_action
from engine.cards import FULL_PACK, CardSet, cards_in, count, parse_card
from engine.game import Claim, Illegal, OpenKitty, Release, Search, Where, owner
from engine.knowledge import Slot
from protocol import messages
from protocol.deck import dealing, keys, recovery
from protocol.deck.elgamal import Cipher
from protocol.deck.group import Point, decode_untrusted
from protocol.deck.sealed import check_seal
from protocol.deck.transcript import Context
from protocol.errors import BadProof, Malformed, Stale
from protocol.table import proofs
from protocol.table.rounds import Kind, Round

if TYPE_CHECKING:
    from protocol.table.pack import Pack
    from protocol.table.table import Table


@dataclass(frozen=True, slots=True)
class Play:
    """A checked action, ready to be carried out."""

    action: Action
    claim: Claim
    slots: tuple[Slot, ...]
    excluded: CardSet  # what was proved or known not to remain in the hand
    proved: bool
    handed: Cipher | None = None
    by_standin: bool = False


@dataclass(frozen=True, slots=True)
class Dealt:
    """Checked deal shares, and opening shares for the cards of absent seats, by position."""

    shares: dict[int, dealing.DealShare]
    opened: dict[int, Point]


# --- making a pack ready -----------------------------------------------------------------------------------------


def check_commit(table: Table, round: Round, seat: int, context: Context, body: messages.KeyCommit) -> bytes:
    """A commitment is just bytes."""
    return body.commitment


def check_reveal(table: Table, round: Round, seat: int, context: Context, body: messages.KeyReveal) -> Point:
    """The key committed to, with the proof of knowing its secret."""
    key = decode_untrusted(body.key)
    keys.check_key_commitment(context, table.preparing.commitments[seat], key, body.salt)
    proofs.key(table, context, key, body.proof)
    return key


def check_share(
    table: Table, round: Round, seat: int, context: Context, body: messages.Shares
) -> recovery.PublishedShares:
    """Recovery shares that add up to the key."""
    pack = table.preparing
    others = [other for other in pack.seats if other != seat]
    return proofs.shares(table, context, pack.keys[seat], others, pack.keys, body.shares)


def check_accept(
    table: Table, round: Round, seat: int, context: Context, body: messages.Accept | messages.Complaint
) -> int | None:
    """None for an acceptance; the liar's seat for a justified complaint."""
    if isinstance(body, messages.Accept):
        return None
    pack = table.preparing
    if body.against not in pack.published or body.against == seat:
        raise BadProof("complaint-false", {"seat": body.against})
    if not recovery.verify_complaint(context, pack.keys[seat], pack.published[body.against], body.proof):
        raise BadProof("complaint-false", {"seat": body.against})
    return body.against


def check_shuffle(table: Table, round: Round, seat: int, context: Context, body: messages.Shuffle) -> list[Cipher]:
    """The next pack, shuffled."""
    pack = table.preparing
    assert pack.joint is not None
    return proofs.shuffled(table, context, pack.ciphers, body.pack, pack.joint, body.proof)


# --- dealing and opening -----------------------------------------------------------------------------------------


def recipients(table: Table, round: Round) -> dict[int, int]:
    """Position -> seat, for the cards that this round deals."""
    match round.about:
        case Release(positions):
            return {at: owner(at, table.seats) for at in positions}
        case OpenKitty(positions, only) if only >= 0:
            return dict.fromkeys(positions, only)
        case _:
            return {}


def deal_cards(table: Table, round: Round, seat: int) -> list[dealing.DealCard]:
    """The cards for which `seat` owes a share in this round: those that go face down to others."""
    pack = table.pack
    return [
        dealing.DealCard(at, pack.ciphers[at], to, pack.keys[to])
        for at, to in recipients(table, round).items()
        if to != seat and to in pack.keys
    ]


def open_positions(table: Table, round: Round) -> list[int]:
    """The positions that this round opens to everybody: the draw, the kitty, the cards of seats without a key."""
    match round.about:
        case None:
            return list(range(table.seats))
        case OpenKitty(positions, only) if only < 0:
            return list(positions)
        case _:
            return [at for at, to in recipients(table, round).items() if to not in table.pack.keys]


def check_release(table: Table, round: Round, seat: int, context: Context, body: messages.DealShares) -> Dealt:
    """Shares of all the cards of others, and of the open ones."""
    pack = table.pack
    cards = deal_cards(table, round, seat)
    shares: dict[int, dealing.DealShare] = {}
    if cards:
        found = proofs.dealt(table, context, pack.keys[seat], cards, body.shares)
        shares = {card.position: share for card, share in zip(cards, found, strict=True)}
    elif body.shares:
        raise Malformed("proof-length")
    return Dealt(shares, _opened(table, round, seat, context, body.opened))


def check_open(
    table: Table, round: Round, seat: int, context: Context, body: messages.OpenShares
) -> dict[int, Point]:
    """Opening shares by position."""
    return _opened(table, round, seat, context, body.shares)


def _opened(table: Table, round: Round, seat: int, context: Context, blob: bytes) -> dict[int, Point]:
    pack = table.pack
    positions = open_positions(table, round)
    if not positions:
        if blob:
            raise Malformed("proof-length")
        return {}
    ciphers = [pack.ciphers[at] for at in positions]
    points = proofs.opened(table, context, pack.keys[seat], ciphers, blob)
    return dict(zip(positions, points, strict=True))


def check_mix(table: Table, round: Round, seat: int, context: Context, body: messages.Mix) -> list[Cipher]:
    """The hand, mixed."""
    pack = table.pack
    inputs = pack.ciphers_of(pack.hand(seat))
    return proofs.mixed(table, context, inputs, body.hand, pack.keys[seat], body.proof)


def check_recover(
    table: Table, round: Round, seat: int, context: Context, body: messages.RecoveryShares
) -> list[Point]:
    """Shares of a lost seat's key, for the points asked for."""
    pack = table.pack
    if body.seat != round.lost:
        raise BadProof("recovery-seat", {"seat": body.seat})
    share = pack.published[round.lost].to(seat)
    return proofs.recovered(table, context, share.S, table.recovering, body.shares)


# --- moves -------------------------------------------------------------------------------------------------------


def parse_untrusted(text: str) -> Action:
    """An action in the notation, or `Malformed`. Only cards that go face down may be hidden."""
    try:
        action = parse_action(text)
    except ValueError:
        raise Malformed("action-unreadable", {"action": text}) from None
    if str(action) != text:  # one spelling for one action: a seal is over the text
        raise Malformed("action-unreadable", {"action": text})
    if action.hidden and action.verb not in FACE_DOWN:
        raise BadProof("card-must-be-shown", {"action": text})
    return action


def claim_untrusted(table: Table, seat: int, action: Action) -> Claim:
    """The claim of a publicly possible action; `BadProof` with the rule it breaks otherwise."""
    assert table.state is not None
    try:
        return table.state.claim(seat, action)
    except Illegal as illegal:
        raise BadProof(illegal.code, {**illegal.values, "rule": illegal.rule}) from None


@dataclass(frozen=True, slots=True)
class Obligation:
    """What is to be proved with an action: openings, and which slots must be none of which cards."""

    opened: list[tuple[Cipher, int]]  # not yet shown, to be opened now
    slots: list[Slot]  # doubtful ones
    allowed: CardSet  # what they may be
    excluded: CardSet


def obligation(pack: Pack, seat: int, action: Action, claim: Claim, slots: tuple[Slot, ...], choice: int) -> Obligation:
    """The proofs that an action owes, from its claim and from public knowledge. Prover and verifier agree here."""
    knowledge = pack.knowledge
    opened = []
    if action.cards and not action.hidden:
        opened = [
            (pack.slots[slot], card)
            for slot, card in zip(slots, cards_in(action.cards), strict=True)
            if knowledge.shown.get(slot) != card
        ]
    excluded = 0 if claim.deferred else claim.excludes[choice]
    gone = set() if claim.where is Where.STAYS else set(slots)
    seen = action.cards
    doubtful = [
        slot for slot, cards in knowledge.hands[seat].items() if slot not in gone and cards & excluded & ~seen
    ]
    return Obligation(opened, doubtful, knowledge.possible(seat, doubtful) & ~excluded & ~seen, excluded)


def _check_obligation(
    table: Table, seat: int, context: Context, owed: Obligation, opened: bytes, claim: bytes
) -> None:
    pack = table.pack
    key = pack.keys[seat]
    if owed.opened:
        proofs.own(table, context, key, owed.opened, opened)
    elif opened:
        raise Malformed("proof-length")
    if owed.slots:
        if not claim:
            raise BadProof("claim-missing")
        proofs.none(table, context, key, pack.ciphers_of(owed.slots), owed.allowed, claim)
    elif claim:
        raise Malformed("proof-length")


def face_down(table: Table, claim: Claim) -> bool:
    """Whether the card of an action stays hidden from the public: put aside, or handed to a seat that has a key."""
    return claim.where is Where.ASIDE or (claim.where is Where.SEAT and table.plays(claim.to))


def check_move(table: Table, round: Round, seat: int, context: Context, body: messages.Move) -> Play:
    """An action with its proofs."""
    pack = table.pack
    action = parse_untrusted(body.action)
    claim = claim_untrusted(table, seat, action)
    if action.takes_card and action.hidden is not face_down(table, claim):
        raise BadProof("card-must-be-hidden" if not action.hidden else "card-must-be-shown", {"action": str(action)})
    named = 1 if action.hidden else count(action.cards)
    if len(body.slots) != named or len(set(body.slots)) != named:
        raise BadProof("slots-wrong", {"action": str(action)})
    if any(slot not in pack.knowledge.hands[seat] for slot in body.slots):
        raise BadProof("slot-not-held", {"action": str(action)})
    if body.choice >= len(claim.excludes):
        raise BadProof("claim-missing")
    owed = obligation(pack, seat, action, claim, body.slots, body.choice)
    _check_obligation(table, seat, context, owed, body.opening, body.claim)
    handed = None
    if claim.where is Where.SEAT and action.hidden:
        if body.handed is None:
            raise BadProof("hand-over-proof")
        old, new_key = pack.slots[body.slots[0]], pack.keys[claim.to]
        handed = proofs.handed_over(
            table, context, pack.keys[seat], old, new_key, body.handed.cipher, body.handed.proof
        )
    elif body.handed is not None:
        raise Malformed("proof-length")
    proved = bool(owed.slots)
    return Play(action, claim, body.slots, owed.excluded, proved, handed)


def check_seal_entry(table: Table, round: Round, seat: int, context: Context, body: messages.Seal) -> bytes:
    """A seal is just bytes."""
    return body.seal


def check_unseal(table: Table, round: Round, seat: int, context: Context, body: messages.Unseal) -> Play:
    """The sealed choice, now in the open."""
    sealed = table.seals[seat]
    value = body.move.action.encode()
    check_seal(sealed, table.id, round.serial, seat, table.seal_name, value, body.nonce)
    if (body.move.serial, body.move.step) != (body.serial, body.step):
        raise Malformed("message-misfit", {"field": "move"})
    return check_move(table, round, seat, context, body.move)


def check_search(
    table: Table, round: Round, seat: int, context: Context, body: messages.NotHeld | messages.Move
) -> Play | None:
    """The card shown, or proof that the hand does not hold it."""
    assert isinstance(round.about, Search)
    if isinstance(body, messages.Move):
        play = check_move(table, round, seat, context, body)
        if play.action.verb != "show":
            raise BadProof("not-asked-for", {"action": str(play.action)})
        return play
    owed = absence(table.pack, seat, round.about)
    _check_obligation(table, seat, context, owed, b"", body.claim)
    return None


def absence(pack: Pack, seat: int, search: Search) -> Obligation:
    """What a seat that does not hold the searched card must prove."""
    excluded = 1 << search.card
    slots = pack.knowledge.doubtful(seat, excluded)
    return Obligation([], slots, pack.knowledge.possible(seat, slots) & ~excluded, excluded)


def check_audit(table: Table, round: Round, seat: int, context: Context, body: messages.Audit) -> int:
    """A deferred claim: what was handed, what was returned, and that nothing better remained."""
    pack = table.pack
    if body.which >= len(pack.deferred) or pack.deferred[body.which].seat != seat:
        raise BadProof("audit-wrong", {"number": body.which})
    if body.which != table.due_audit(seat):
        raise Stale("audit-wrong", {"number": body.which})
    deferred = pack.deferred[body.which]
    action = parse_untrusted(body.action)
    if action.hidden or action.concealed() != deferred.action.concealed():
        raise BadProof("audit-wrong", {"number": body.which})
    received = None
    opened = [(deferred.moved, action.card)]
    if deferred.received is not None:
        try:
            received = parse_card(body.received)
        except ValueError:
            raise Malformed("action-unreadable", {"action": body.received}) from None
        opened.insert(0, (deferred.received, received))
    try:
        claim = deferred.state.claim(seat, action, received)
    except Illegal as illegal:
        raise BadProof(illegal.code, {**illegal.values, "rule": illegal.rule}) from None
    proofs.own(table, context, pack.keys[seat], opened, body.opening)
    slots, allowed = audit_obligation(deferred.possible, claim, action)
    if slots:
        if not body.claim:
            raise BadProof(claim.code, {"action": str(action), "rule": claim.rule})
        left = [deferred.left[at] for at in slots]
        proofs.none(table, context, pack.keys[seat], left, allowed, body.claim)
    elif body.claim:
        raise Malformed("proof-length")
    return body.which


def audit_obligation(possible: tuple[CardSet, ...], claim: Claim, action: Action) -> tuple[list[int], CardSet]:
    """Which of the slots left at that moment are doubtful, and what they may be."""
    excluded = claim.excludes[0]
    slots = [at for at, cards in enumerate(possible) if cards & excluded]
    allowed = 0
    for at in slots:
        allowed |= possible[at]
    return slots, allowed & ~excluded & ~action.cards


def check_score(table: Table, round: Round, seat: int, context: Context, body: messages.Score) -> None:
    """The same score as everybody's."""
    assert table.state is not None
    result = table.state.results[-1]
    if body.deal != result.deal:
        raise Stale("score-differs", {"deal": body.deal})
    if body.digest != table.score_digest(result):
        raise BadProof("score-differs", {"deal": body.deal})


Check = Callable[["Table", Round, int, Context, Any], object]

CHECKS: dict[Kind, Check] = {
    Kind.COMMIT: check_commit,
    Kind.REVEAL: check_reveal,
    Kind.SHARE: check_share,
    Kind.ACCEPT: check_accept,
    Kind.SHUFFLE: check_shuffle,
    Kind.DRAW: check_open,
    Kind.RELEASE: check_release,
    Kind.OPEN: check_open,
    Kind.MIX: check_mix,
    Kind.SEARCH: check_search,
    Kind.ASK: check_move,
    Kind.SEAL: check_seal_entry,
    Kind.UNSEAL: check_unseal,
    Kind.AUDIT: check_audit,
    Kind.SCORE: check_score,
    Kind.RECOVER: check_recover,
}


def must_mix(table: Table, seat: int) -> bool:
    """Whether a seat must mix its hand before it acts: when what is asked for moves a hidden card, or any card while
    the hand holds one that was handed to it (whose slot everybody knows). Mixed is mixed until a card comes in."""
    assert table.state is not None
    if seat in table.pack.mixed:
        return False
    actions = list(table.state.candidates(seat, FULL_PACK))
    handed = seat in table.pack.received
    return any(action.verb in FACE_DOWN or (handed and action.takes_card) for action in actions)
