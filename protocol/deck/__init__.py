"""Mental poker: how a pack is shuffled, dealt and opened so that nobody sees a card before its owner shows it.

Bottom up: `group` is the curve, `labels` every domain separator, `transcript` what a proof is bound to, `nonce`
where secret numbers come from, `elgamal` a face-down card, `linear` one proof of knowledge for every linear
relation. On these stand the steps of a deal: `keys` (1), `recovery` (2, 10), `shuffle` (3, 8), `dealing` (4),
`opening` (5), `claims` (6), `transfer` (7) and `sealed` (hidden small values). Everything here is pure: no clock,
no files, no sockets; randomness is passed in as bytes. Functions named `verify_*`, `check_*`, `decode_*` and
`*_untrusted` take a peer's bytes and raise `Malformed` or `BadProof` and nothing else. Callers import the modules,
not this package.

Seats, tables, serials and steps are only labels here. Who may do what, and when, is decided in `protocol.table`.
"""
