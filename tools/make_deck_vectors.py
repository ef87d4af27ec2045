"""Writes tests/vectors/deck/: for every equation and message of the deck, inputs and what a verifier must say.

    python -m tools.make_deck_vectors [folder]

Everything comes from fixed seeds, so that the files are the same every time; `git diff` is then empty unless the
protocol changed. A file is one case: comments, `name: value` lines (bytes in hex, a name repeated for a list, numbers
in decimal), and `expect:` with `ok`, `bad-proof` or `malformed`. `x`, `fresh` and other secrets stand there so that
another implementation can also make the same proof. tests/unit/deck/test_vectors.py says which function a `check:` is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from protocol.deck import claims, dealing, elgamal, keys, labels, linear, opening, recovery, sealed, shuffle, transfer
from protocol.deck.dealing import DealCard
from protocol.deck.elgamal import Cipher, encode_ciphers
from protocol.deck.group import ORDER, G, Point, encode, hash_to_point, mul_base, scalar_bytes
from protocol.deck.nonce import Nonces, Secrets
from protocol.deck.transcript import Context, Transcript

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "vectors" / "deck"

TABLE = bytes.fromhex("000102030405060708090a0b0c0d0e0f")
HEAD = bytes.fromhex("f0" * 32)
FRESH = bytes.fromhex("5a" * 32)
SERIAL = 7
SECRETS = [Secrets(bytes([0x10 + seat]) * 32) for seat in range(4)]
X = [own.deal_key(TABLE, SERIAL) for own in SECRETS]
Y = [mul_base(x) for x in X]
DEAL_KEYS = dict(enumerate(Y))
JOINT = keys.joint_key(Y)

Value = bytes | int | str | Point | Cipher
Fields = list[tuple[str, Value]]


class Files:
    """The vectors by file name, in the order in which they were made."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def case(self, name: str, check: str, about: str, fields: Fields, expect: str = "ok") -> None:
        """One file."""
        lines = [f"# {about}", f"check: {check}", *(f"{field}: {_text(value)}" for field, value in fields)]
        self.texts[f"{name}.txt"] = "\n".join([*lines, f"expect: {expect}"]) + "\n"

    def proof(self, name: str, about: str, context: Context, fields: Fields, proof: bytes) -> None:
        """A good proof, and the same one moved to another deal, too long, and with a changed answer."""
        check = name

        def with_proof(place: Context, shown: bytes) -> Fields:
            return [*_place(place), *fields, ("proof", shown)]

        self.case(f"{name}-ok", check, about, with_proof(context, proof))
        moved = replace(context, serial=SERIAL + 1)
        self.case(f"{name}-other-serial", check, "The same proof, replayed in the next deal.", with_proof(moved, proof),
                  "bad-proof")  # fmt: skip
        self.case(f"{name}-long", check, "One scalar too many at the end.", with_proof(context, proof + bytes(32)),
                  "malformed")  # fmt: skip
        changed = proof[:-1] + bytes([proof[-1] ^ 1])
        self.case(f"{name}-changed", check, "The last bit of the last answer is changed.",
                  with_proof(context, changed), "bad-proof")  # fmt: skip
        great = proof[:-32] + ORDER.to_bytes(32, "big")
        self.case(f"{name}-great-scalar", check, "The last answer is the group's order.",
                  with_proof(context, great), "malformed")  # fmt: skip


def _text(value: Value) -> str:
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Cipher):
        return encode_ciphers([value]).hex()
    if isinstance(value, Point):
        return encode(value).hex()
    return str(value)


def _place(context: Context) -> Fields:
    return [
        ("table", context.table),
        ("serial", context.serial),
        ("seat", context.seat),
        ("counter", context.counter),
        ("step", context.step),
        ("head", context.head),
    ]


def _at(seat: int, step: str) -> Context:
    return Context(TABLE, SERIAL, seat, 3, step, HEAD)


def _each(name: str, values: Iterable[Value]) -> Fields:
    return [(name, value) for value in values]


def _sealed_cards(cards: Sequence[int], key: Point) -> list[Cipher]:
    return [elgamal.encrypt(card, 1000 + card, key) for card in cards]


def build() -> dict[str, str]:
    """File name → text, for all vectors."""
    files = Files()
    for part in (_group, _hashes, _secrets, _keys, _shares, _shuffles, _deals, _openings, _claims, _hand_over, _seals):
        part(files)
    return files.texts


def _group(files: Files) -> None:
    x_of_g = encode(G)[1:]
    y_of_g = bytes.fromhex("483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8")
    for name, about, data, expect in (
        ("compressed", "The generator.", encode(G), "ok"),
        ("uncompressed", "The generator in the uncompressed form.", b"\x04" + x_of_g + y_of_g, "malformed"),
        ("hybrid", "The generator in the hybrid form.", b"\x06" + x_of_g + y_of_g, "malformed"),
        ("short", "One byte missing.", encode(G)[:-1], "malformed"),
        ("off-curve", "No point has x = 5.", b"\x02" + (5).to_bytes(32, "big"), "malformed"),
        ("infinity", "Infinity has no encoding.", bytes(33), "malformed"),
    ):
        files.case(f"point-{name}", "point", about, [("data", data)], expect)
    for name, about, number, expect in (
        ("greatest", "The order minus one.", ORDER - 1, "ok"),
        ("order", "The order itself.", ORDER, "malformed"),
    ):
        files.case(f"scalar-{name}", "scalar", about, [("data", number.to_bytes(32, "big"))], expect)
    files.case("card-points", "card-points", "M[0] … M[51]: clubs, diamonds, hearts, spades, each from 2 to ace.",
               _each("point", elgamal.CARD_POINTS))  # fmt: skip
    generators = [hash_to_point(labels.POINT_CHAIN, 0), *shuffle.POSITIONS]
    files.case("shuffle-points", "shuffle-points", "H, then H_0 … H_51.", _each("point", generators))


def _hashes(files: Files) -> None:
    context = _at(2, labels.STEP_PLAY)
    transcript = Transcript(context, labels.PROOF_OWN)
    transcript.absorb("first", b"\x01\x02")
    transcript.absorb("", b"")
    transcript.absorb_points("points", [G, Y[0]])
    transcript.absorb_int("number", 52)
    fields: Fields = [
        *_place(context),
        ("proof-label", labels.PROOF_OWN),
        ("absorb", "first 0102"),
        ("absorb", " "),
        ("absorb-point", G),
        ("absorb-point", Y[0]),
        ("absorb-int", 52),
        ("challenge", scalar_bytes(transcript.challenge("challenge"))),
        *_each("weight", (weight.to_bytes(16, "big") for weight in transcript.weights("weights", 3))),
        ("state", transcript.state()),
    ]
    files.case("transcript", "transcript", "Absorb first, an empty frame, two points as `points`, 52 as `number`; "
               "then draw a challenge and three weights; then the state.", fields)  # fmt: skip
    nonces = Nonces(b"\x07" * 32, Transcript(context, labels.PROOF_OWN), FRESH)
    fields = [*_place(context), ("proof-label", labels.PROOF_OWN), ("secret", b"\x07" * 32), ("fresh", FRESH)]
    fields += _each("scalar", (scalar_bytes(k) for k in nonces.scalars(3)))
    fields += [("scalar-after", scalar_bytes(nonces.scalar()))]
    files.case("nonces", "nonces", "Three scalars asked for at once, then one more.", fields)


def _secrets(files: Files) -> None:
    own = SECRETS[0]
    files.case("secrets", "secrets", "What is derived from a master secret.", [
        ("master", own.master), ("table", TABLE), ("serial", SERIAL),
        ("deal-key", scalar_bytes(own.deal_key(TABLE, SERIAL))),
        ("key-salt", own.key_salt(TABLE, SERIAL)),
        ("recovery-share-to-1", scalar_bytes(own.recovery_share(TABLE, SERIAL, 1))),
        ("seal-nonce-seat-0-void", own.seal_nonce(TABLE, SERIAL, 0, labels.STEP_VOID)),
    ])  # fmt: skip


def _keys(files: Files) -> None:
    context, salt = _at(0, labels.STEP_KEY), SECRETS[0].key_salt(TABLE, SERIAL)
    commitment = keys.commit_key(context, Y[0], salt)
    good: Fields = [*_place(context), ("key", Y[0]), ("salt", salt), ("commitment", commitment)]
    files.case("key-commitment-ok", "key-commitment", "A seat shows the key it committed to.", good)
    other: Fields = [*_place(context), ("key", Y[1]), ("salt", salt), ("commitment", commitment)]
    files.case("key-commitment-other-key", "key-commitment", "Another key than committed to.", other, "bad-proof")
    files.proof("key", "Knowledge of x with Y = x·G.", context,
                [("x", scalar_bytes(X[0])), ("fresh", FRESH), ("key", Y[0])],
                keys.prove_key(context, X[0], FRESH))  # fmt: skip


def _shares(files: Files) -> None:
    context, others = _at(0, labels.STEP_SHARES), [1, 2, 3]
    shares = recovery.make_shares(SECRETS[0], TABLE, SERIAL, X[0], others)
    data = recovery.publish_shares(context, shares, DEAL_KEYS, FRESH)
    published = recovery.verify_shares(context, Y[0], others, DEAL_KEYS, data)
    recipients: Fields = [("key", Y[0])]
    for j in others:
        recipients += [("recipient", j), ("recipient-key", Y[j]), ("recipient-x", scalar_bytes(X[j]))]
        recipients += [("share", scalar_bytes(shares[j]))]
    files.proof("shares", "Seat 0 shares its key among seats 1, 2, 3; `proof` is all that it publishes.", context,
                [*recipients, ("fresh", FRESH)], data)  # fmt: skip
    complaint_at = _at(2, labels.STEP_COMPLAINT)
    about: Fields = [("sender", 0), ("sender-key", Y[0]), *_each("sender-shares", [data]), *recipients[1:]]
    about += [("shares-counter", context.counter), ("shares-step", context.step)]
    complaint = recovery.prove_complaint(complaint_at, X[2], published, FRESH)
    files.proof("complaint", "Seat 2 complains about a good share: the proof holds, the complaint is false.",
                complaint_at, [*about, ("justified", "no"), ("fresh", FRESH)], complaint)  # fmt: skip
    _justified_complaint(files, complaint_at, published)
    points = [cipher.a for cipher in _sealed_cards([5, 6, 7], Y[0])]
    take_over = _at(1, labels.STEP_TAKE_OVER)
    files.proof("recovery", "Seat 1's part in finding x_0·P for three points, by its share of x_0.", take_over,
                [("share", scalar_bytes(shares[1])), ("fresh", FRESH), ("share-point", mul_base(shares[1])),
                 *_each("point", points)],
                recovery.recovery_shares(take_over, shares[1], points, FRESH))  # fmt: skip


def _justified_complaint(files: Files, complaint_at: Context, published: recovery.PublishedShares) -> None:
    """Seat 0 sent seat 2 a ciphertext of something else, with everything that the public can check in order."""
    context, ephemeral = _at(0, labels.STEP_SHARES), [21, 22, 23]
    bent = [
        share._replace(E=mul_base(e), ct=bytes([share.recipient]) * 32)
        for share, e in zip(published.shares, ephemeral, strict=True)
    ]
    transcript, equations = recovery._statement(context, Y[0], bent)
    data = b"".join(encode(share.S) + encode(share.E) + share.ct for share in bent)
    data += linear.prove(transcript, equations, ephemeral, FRESH)
    lied = recovery.verify_shares(context, Y[0], [1, 2, 3], DEAL_KEYS, data)
    fields: Fields = [("sender", 0), ("sender-key", Y[0]), ("sender-shares", data)]
    for j in (1, 2, 3):
        fields += [("recipient", j), ("recipient-key", Y[j])]
    fields += [("shares-counter", context.counter), ("shares-step", context.step), ("justified", "yes")]
    complaint = recovery.prove_complaint(complaint_at, X[2], lied, FRESH)
    files.case("complaint-justified", "complaint", "Seat 0 lied to seat 2, and the complaint shows it.",
               [*_place(complaint_at), *fields, ("fresh", FRESH), ("proof", complaint)])  # fmt: skip


def _shuffles(files: Files) -> None:
    order, randomizers = [2, 0, 3, 1], [11, 12, 13, 14]
    for name, step, key in (("shuffle", labels.STEP_SHUFFLE, JOINT), ("mix", labels.STEP_MIX, Y[1])):
        context, inputs = _at(1, step), _sealed_cards([8, 21, 34, 47], key)
        outputs = shuffle.shuffle(inputs, key, order, randomizers)
        proof = shuffle.prove_shuffle(context, inputs, outputs, key, order, randomizers, FRESH)
        secret: Fields = [*_each("permutation", order), *_each("randomizer", randomizers), ("fresh", FRESH)]
        fields: Fields = [*secret, ("key", key), *_each("input", inputs)]
        files.proof(name, "Four cards; output i is input permutation[i], randomizers by input.", context,
                    [*fields, *_each("output", outputs)], proof)  # fmt: skip
        swapped = [outputs[1], outputs[0], *outputs[2:]]
        files.case(f"{name}-swapped", name, "The first two outputs are swapped after the proof.",
                   [*_place(context), *fields, *_each("output", swapped), ("proof", proof)], "bad-proof")  # fmt: skip
        doubled = [*outputs[:3], outputs[0]]
        again = shuffle.prove_shuffle(context, inputs, doubled, key, order, randomizers, FRESH)
        files.case(f"{name}-duplicate", name, "One output twice, and a proof made for that.",
                   [*_place(context), *fields, *_each("output", doubled), ("proof", again)], "bad-proof")  # fmt: skip
        extra = [*_each("output", outputs), ("output", outputs[0])]
        files.case(f"{name}-extra-output", name, "An output too many.",
                   [*_place(context), *fields, *extra, ("proof", proof)], "malformed")  # fmt: skip


def _deals(files: Files) -> None:
    context = _at(0, labels.STEP_DEAL)
    ciphers = _sealed_cards([3, 14, 25, 36, 47], JOINT)
    cards = [DealCard(p, ciphers[p], seat, Y[seat]) for p, seat in enumerate([1, 2, 3, 1, 2])]
    fields: Fields = [("x", scalar_bytes(X[0])), ("fresh", FRESH), ("key", Y[0])]
    for card in cards:
        fields += [("position", card.position), ("card", card.cipher)]
        fields += [("recipient", card.recipient), ("recipient-key", card.key)]
    data = dealing.deal_shares(context, X[0], cards, FRESH)
    files.proof("deal", "Seat 0's shares of five cards for seats 1, 2, 3.", context, fields, data)
    crossed = data[66:132] + data[:66] + data[132:]
    files.case("deal-crossed", "deal", "The shares of the first two cards exchanged.",
               [*_place(context), *fields, ("proof", crossed)], "bad-proof")  # fmt: skip


def _openings(files: Files) -> None:
    context, ciphers = _at(3, labels.STEP_OPEN), _sealed_cards([0, 1, 50], JOINT)
    files.proof("opening", "Seat 3's part in opening three cards to everybody.", context,
                [("x", scalar_bytes(X[3])), ("fresh", FRESH), ("key", Y[3]), *_each("card", ciphers)],
                opening.opening_shares(context, X[3], ciphers, FRESH))  # fmt: skip
    context = _at(3, labels.STEP_PLAY)
    for name, held in (("own", [31]), ("own-two", [31, 44])):
        slots = _sealed_cards(held, Y[3])
        fields: Fields = [("x", scalar_bytes(X[3])), ("fresh", FRESH), ("key", Y[3])]
        shown = [*_each("slot", slots), *_each("card", held)]
        proof = opening.open_own(context, X[3], list(zip(slots, held, strict=True)), FRESH)
        files.proof(name, "A seat opens its own cards.", context, [*fields, *shown], proof)
        false = [*_each("slot", slots), *_each("card", [card + 1 for card in held])]
        proof = opening.open_own(
            context, X[3], [(slot, card + 1) for slot, card in zip(slots, held, strict=True)], FRESH
        )
        files.case(f"{name}-false", name, "A card that the slot does not hold, and a proof made for that.",
                   [*_place(context), *fields, *false, ("proof", proof)], "bad-proof")  # fmt: skip


def _claims(files: Files) -> None:
    context, held = _at(1, labels.STEP_NONE), [9, 40]
    slots = _sealed_cards(held, Y[1])
    allowed = sum(1 << card for card in (9, 22, 40, 41))
    proof = claims.prove_none(context, X[1], slots, held, allowed, FRESH)
    fields: Fields = [("x", scalar_bytes(X[1])), ("fresh", FRESH), ("key", Y[1]), *_each("slot", slots)]
    files.proof("none", "Two slots hold two different members of a set of four (a mask, in decimal).", context,
                [*_each("held", held), *fields, ("allowed", allowed)], proof)  # fmt: skip
    narrower = sum(1 << card for card in (9, 22, 39, 41))
    files.case("none-other-set", "none", "The same proof for a set without one of the cards.",
               [*_place(context), *fields, ("allowed", narrower), ("proof", proof)], "bad-proof")  # fmt: skip
    files.case("none-impossible", "none", "Two slots in a set of one card.",
               [*_place(context), *fields, ("allowed", 1 << 9), ("proof", proof)], "bad-proof")  # fmt: skip


def _hand_over(files: Files) -> None:
    context, slot = _at(0, labels.STEP_HAND_OVER), _sealed_cards([17], Y[0])[0]
    given, proof = transfer.hand_over(context, X[0], slot, 17, Y[2], FRESH)
    fields: Fields = [("x", scalar_bytes(X[0])), ("fresh", FRESH), ("key", Y[0]), ("slot", slot), ("held", 17)]
    files.proof("hand-over", "Seat 0 hands a card to seat 2.", context,
                [*fields, ("recipient-key", Y[2]), ("given", given)], proof)  # fmt: skip
    files.case("hand-over-other-recipient", "hand-over", "The same card and proof, for another seat.",
               [*_place(context), *fields, ("recipient-key", Y[1]), ("given", given), ("proof", proof)],
               "bad-proof")  # fmt: skip


def _seals(files: Files) -> None:
    made, nonce = sealed.seal_own(SECRETS[2], TABLE, SERIAL, 2, labels.STEP_DOUBLING, b"\x01")
    fields: Fields = [("table", TABLE), ("serial", SERIAL), ("seat", 2), ("step", labels.STEP_DOUBLING)]
    fields += [("nonce", nonce), ("seal", made)]
    files.case("seal-ok", "seal", "A sealed value and its opening.", [*fields, ("value", b"\x01")])
    files.case("seal-other-value", "seal", "Another value than sealed.", [*fields, ("value", b"\x00")], "bad-proof")


def write(build: Callable[[], dict[str, str]], folder: Path, arguments: list[str] | None) -> int:
    """What every generator does: make all files, in its usual folder or the one that is named, and remove those that
    are no longer made."""
    given = sys.argv[1:] if arguments is None else arguments
    folder = Path(given[0]) if given else folder
    folder.mkdir(parents=True, exist_ok=True)
    texts = build()
    for stale in {path.name for path in folder.glob("*.txt")} - set(texts):
        (folder / stale).unlink()
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    print(f"{len(texts)} files in {folder.name}/")
    return 0


def main(arguments: list[str] | None = None) -> int:
    """Write tests/vectors/deck, or the folder that is named."""
    return write(build, FOLDER, arguments)


if __name__ == "__main__":
    raise SystemExit(main())
