"""The first entry: what everybody signed before sitting down."""

from __future__ import annotations

from engine.game import Illegal
from engine.lookup import find_game
from protocol.deck import labels
from protocol.errors import BadProof, Malformed
from protocol.identity import verify_untrusted
from protocol.log import Entry, framed, terms_digest
from protocol.messages import PROTOCOL_VERSION, Genesis, SeatClaim, decode_body_untrusted
from protocol.rules import table_rules_untrusted


def claim_payload(table: bytes, claim: SeatClaim) -> bytes:
    """What a player signs when sitting down."""
    return framed(table, claim.terms, claim.key, claim.name, claim.bot, claim.machine, claim.vouch)


def check_claim_untrusted(table: bytes, terms: bytes, claim: SeatClaim) -> None:
    """Somebody's signature under the terms of the table; `BadProof` when it is not his."""
    if claim.terms != terms:
        raise BadProof("terms-differ", {"name": claim.name})
    verify_untrusted(claim.key, labels.LABEL_SEAT_CLAIM, claim_payload(table, claim), claim.signature)
    if claim.machine == claim.key:
        if claim.vouch:
            raise BadProof("bad-signature")
    else:
        verify_untrusted(claim.machine, labels.LABEL_SEAT_VOUCH, framed(table, claim.key), claim.vouch)


def genesis_untrusted(table: bytes, entry: Entry) -> Genesis:
    """The terms and seats of a table, all signatures checked. Raises `Malformed` or `BadProof`: without a good first
    entry there is no table."""
    body = decode_body_untrusted(entry.body)
    if not isinstance(body, Genesis) or body.table != table:
        raise BadProof("genesis-missing")
    if body.version != PROTOCOL_VERSION:
        code = "wrong-version-theirs-older" if body.version < PROTOCOL_VERSION else "wrong-version-yours-older"
        raise BadProof(code, {"ours": PROTOCOL_VERSION, "theirs": body.version})
    try:
        rules = find_game(body.game)
        rules.start(body.options)
        table_rules_untrusted(body.rules)
    except (Illegal, Malformed) as wrong:
        raise BadProof("genesis-bad") from wrong
    if len(body.seats) != rules.seats or len({claim.key for claim in body.seats}) != rules.seats:
        raise BadProof("genesis-bad")
    terms = terms_digest(table, body.game, body.options, body.rules)
    for claim in body.seats:
        check_claim_untrusted(table, terms, claim)
    return body
