"""Every label and domain separator of the whole protocol, in one place, so that no two uses can be taken for each
other.

A hash, key derivation, signature or proof begins with exactly one of these. They are part of the protocol: changing
one makes old logs unreadable. All are ASCII, unique (a test looks), and carry the protocol's major version.

Names: `POINT_*` seeds of public points; `HASH_*` plain hashes; `DERIVE_*` keys of secrets that never leave the peer;
`PROOF_*` transcripts of zero-knowledge proofs; `STEP_*` the step a proof belongs to (`Context.step`);
`LABEL_*` signatures and hashes of the log, of identities and of the wire.
"""

from __future__ import annotations

from typing import Final

PROTOCOL: Final = "majlis/1"

# --- public points: hashed to the curve, so that nobody knows a relation between them --------------------------------

POINT_CARD: Final = f"{PROTOCOL}/point/card"
POINT_CHAIN: Final = f"{PROTOCOL}/point/chain"
POINT_POSITION: Final = f"{PROTOCOL}/point/position"

# --- hashes and key derivations of the deck --------------------------------------------------------------------------

HASH_TO_POINT: Final = f"{PROTOCOL}/hash/to-point"
HASH_TRANSCRIPT: Final = f"{PROTOCOL}/hash/transcript"
HASH_WEIGHTS: Final = f"{PROTOCOL}/hash/weights"
HASH_KEY_COMMITMENT: Final = f"{PROTOCOL}/hash/key-commitment"
HASH_SHARE_MASK: Final = f"{PROTOCOL}/hash/share-mask"
HASH_SEAL: Final = f"{PROTOCOL}/hash/seal"

DERIVE_DEAL_KEY: Final = f"{PROTOCOL}/derive/deal-key"
DERIVE_KEY_SALT: Final = f"{PROTOCOL}/derive/key-salt"
DERIVE_RECOVERY_SHARE: Final = f"{PROTOCOL}/derive/recovery-share"
DERIVE_SEAL_NONCE: Final = f"{PROTOCOL}/derive/seal-nonce"
DERIVE_SHUFFLE: Final = f"{PROTOCOL}/derive/shuffle"
DERIVE_NONCES: Final = f"{PROTOCOL}/derive/nonces"

# --- proofs ----------------------------------------------------------------------------------------------------------

PROOF_KEY: Final = f"{PROTOCOL}/proof/key"
PROOF_SHARES: Final = f"{PROTOCOL}/proof/recovery-shares"
PROOF_COMPLAINT: Final = f"{PROTOCOL}/proof/complaint"
PROOF_RECOVERY: Final = f"{PROTOCOL}/proof/recovery"
PROOF_SHUFFLE: Final = f"{PROTOCOL}/proof/shuffle"
PROOF_DEAL: Final = f"{PROTOCOL}/proof/deal"
PROOF_OPENING: Final = f"{PROTOCOL}/proof/opening"
PROOF_OWN: Final = f"{PROTOCOL}/proof/own-card"
PROOF_NONE: Final = f"{PROTOCOL}/proof/none-of-these"
PROOF_HAND_OVER: Final = f"{PROTOCOL}/proof/hand-over"

# --- steps: the moment of a deal that a proof or a seal belongs to (deck.md, "One deal, step by step") ---------------

STEP_KEY_COMMIT: Final = "key-commit"
STEP_KEY: Final = "key"
STEP_SHARES: Final = "recovery-shares"
STEP_COMPLAINT: Final = "complaint"
STEP_SHUFFLE: Final = "shuffle"
STEP_DEAL: Final = "deal"
STEP_OPEN: Final = "open"
STEP_JOINT: Final = "joint-randomness"
STEP_PLAY: Final = "play"
STEP_SHOW: Final = "show"
STEP_NONE: Final = "none"
STEP_HAND_OVER: Final = "hand-over"
STEP_MIX: Final = "mix"
STEP_DISCARD: Final = "discard"
STEP_CHECK: Final = "deferred-check"
STEP_TAKE_OVER: Final = "take-over"
STEP_DOUBLING: Final = "doubling"
STEP_VOID: Final = "void"
STEP_SEALED: Final = "sealed"

STEPS: Final = frozenset(
    {
        STEP_KEY_COMMIT,
        STEP_KEY,
        STEP_SHARES,
        STEP_COMPLAINT,
        STEP_SHUFFLE,
        STEP_DEAL,
        STEP_OPEN,
        STEP_JOINT,
        STEP_PLAY,
        STEP_SHOW,
        STEP_NONE,
        STEP_HAND_OVER,
        STEP_MIX,
        STEP_DISCARD,
        STEP_CHECK,
        STEP_TAKE_OVER,
        STEP_DOUBLING,
        STEP_VOID,
        STEP_SEALED,
    }
)

# --- the log, identities and the wire --------------------------------------------------------------------------------

LABEL_ENTRY: Final = f"{PROTOCOL}/log/entry"
LABEL_ENTRY_HASH: Final = f"{PROTOCOL}/log/entry-hash"
LABEL_HEAD: Final = f"{PROTOCOL}/log/head"
LABEL_HEAD_HASH: Final = f"{PROTOCOL}/log/head-hash"
LABEL_TABLE: Final = f"{PROTOCOL}/log/table"
LABEL_OPTIONS: Final = f"{PROTOCOL}/log/options"
LABEL_SEAT_CLAIM: Final = f"{PROTOCOL}/log/seat-claim"
LABEL_SEAT_VOUCH: Final = f"{PROTOCOL}/log/seat-vouch"
LABEL_SCORE: Final = f"{PROTOCOL}/log/score"
LABEL_TERM_VOTE: Final = f"{PROTOCOL}/log/term-vote"
LABEL_IDENTITY_SEED: Final = f"{PROTOCOL}/identity/seed"
LABEL_FINGERPRINT: Final = f"{PROTOCOL}/identity/fingerprint"
LABEL_WORDS: Final = f"{PROTOCOL}/identity/words"
LABEL_AUTHENTICATE: Final = f"{PROTOCOL}/wire/authenticate"
LABEL_CHAT: Final = f"{PROTOCOL}/wire/chat"
LABEL_LAN_TOKEN: Final = f"{PROTOCOL}/wire/lan-token"
LABEL_INVITE: Final = f"{PROTOCOL}/wire/invite"
LABEL_RELAY: Final = f"{PROTOCOL}/wire/relay"
