"""The text files in tests/vectors/deck say what every verifier must say; and they are what the generator makes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from protocol.deck import claims, dealing, elgamal, keys, labels, opening, recovery, sealed, shuffle, transfer
from protocol.deck.dealing import DealCard
from protocol.deck.elgamal import Cipher
from protocol.deck.group import Point, decode_untrusted, scalar_bytes, scalar_untrusted
from protocol.deck.nonce import Nonces, Secrets
from protocol.deck.transcript import Context, Transcript
from protocol.errors import BadProof, Malformed
from tools import make_deck_vectors

FOLDER = Path(__file__).parents[2] / "vectors" / "deck"
FILES = sorted(path.name for path in FOLDER.glob("*.txt"))


class Vector:
    """One file: every name with its values in order."""

    def __init__(self, text: str) -> None:
        self.values: dict[str, list[str]] = {}
        for line in text.splitlines():
            if line and not line.startswith("#"):
                name, value = line.split(": ", 1)
                self.values.setdefault(name, []).append(value)

    def word(self, name: str) -> str:
        (value,) = self.values[name]
        return value

    def words(self, name: str) -> list[str]:
        return self.values.get(name, [])

    def data(self, name: str) -> bytes:
        return bytes.fromhex(self.word(name))

    def number(self, name: str) -> int:
        return int(self.word(name))

    def numbers(self, name: str) -> list[int]:
        return [int(value) for value in self.words(name)]

    def point(self, name: str) -> Point:
        return decode_untrusted(self.data(name))

    def points(self, name: str) -> list[Point]:
        return [decode_untrusted(bytes.fromhex(value)) for value in self.words(name)]

    def ciphers(self, name: str) -> list[Cipher]:
        return elgamal.decode_ciphers_untrusted(bytes.fromhex("".join(self.words(name))), len(self.words(name)))

    def context(self) -> Context:
        return Context(
            self.data("table"),
            self.number("serial"),
            self.number("seat"),
            self.number("counter"),
            self.word("step"),
            self.data("head"),
        )


def transcript(v: Vector) -> None:
    made = Transcript(v.context(), v.word("proof-label"))
    for frame in v.words("absorb"):
        label, data = frame.split(" ")
        made.absorb(label, bytes.fromhex(data))
    made.absorb_points("points", v.points("absorb-point"))
    made.absorb_int("number", v.number("absorb-int"))
    assert scalar_bytes(made.challenge("challenge")) == v.data("challenge")
    weights = [weight.to_bytes(16, "big").hex() for weight in made.weights("weights", len(v.words("weight")))]
    assert weights == v.words("weight")
    assert made.state() == v.data("state")


def nonces(v: Vector) -> None:
    made = Nonces(v.data("secret"), Transcript(v.context(), v.word("proof-label")), v.data("fresh"))
    assert [scalar_bytes(k).hex() for k in made.scalars(len(v.words("scalar")))] == v.words("scalar")
    assert scalar_bytes(made.scalar()) == v.data("scalar-after")


def secrets(v: Vector) -> None:
    own, table, serial = Secrets(v.data("master")), v.data("table"), v.number("serial")
    assert scalar_bytes(own.deal_key(table, serial)) == v.data("deal-key")
    assert own.key_salt(table, serial) == v.data("key-salt")
    assert scalar_bytes(own.recovery_share(table, serial, 1)) == v.data("recovery-share-to-1")
    assert own.seal_nonce(table, serial, 0, labels.STEP_VOID) == v.data("seal-nonce-seat-0-void")


def recipients(v: Vector) -> dict[int, Point]:
    return dict(zip(v.numbers("recipient"), v.points("recipient-key"), strict=True))


def shares(v: Vector) -> None:
    deal_keys = recipients(v)
    published = recovery.verify_shares(v.context(), v.point("key"), list(deal_keys), deal_keys, v.data("proof"))
    for seat, x, share in zip(deal_keys, v.words("recipient-x"), v.words("share"), strict=True):
        opened = recovery.open_share(scalar_untrusted(bytes.fromhex(x)), published, seat)
        assert opened is not None and scalar_bytes(opened).hex() == share


def complaint(v: Vector) -> None:
    deal_keys, context = recipients(v), v.context()
    sent = Context(
        context.table,
        make_deck_vectors.SERIAL,
        v.number("sender"),
        v.number("shares-counter"),
        v.word("shares-step"),
        context.head,
    )
    published = recovery.verify_shares(sent, v.point("sender-key"), list(deal_keys), deal_keys, v.data("sender-shares"))
    justified = recovery.verify_complaint(context, deal_keys[context.seat], published, v.data("proof"))
    assert justified is (v.word("justified") == "yes")


def check_shuffle(v: Vector) -> None:
    inputs, outputs = v.ciphers("input"), v.ciphers("output")
    shuffle.verify_shuffle(v.context(), inputs, outputs, v.point("key"), v.data("proof"))


def deal(v: Vector) -> None:
    rows = zip(v.numbers("position"), v.ciphers("card"), v.numbers("recipient"), v.points("recipient-key"), strict=True)
    dealing.verify_deal_shares(v.context(), v.point("key"), [DealCard(*row) for row in rows], v.data("proof"))


def own(v: Vector) -> None:
    opened = list(zip(v.ciphers("slot"), v.numbers("card"), strict=True))
    opening.verify_own(v.context(), v.point("key"), opened, v.data("proof"))


def hand_over(v: Vector) -> None:
    (slot,), (given,) = v.ciphers("slot"), v.ciphers("given")
    transfer.verify_hand_over(v.context(), v.point("key"), slot, v.point("recipient-key"), given, v.data("proof"))


def seal(v: Vector) -> None:
    place = v.data("table"), v.number("serial"), v.number("seat"), v.word("step")
    sealed.check_seal(v.data("seal"), *place, v.data("value"), v.data("nonce"))


def same(made: object, expected: object) -> None:
    assert made == expected


CHECKS: dict[str, Callable[[Vector], object]] = {
    "point": lambda v: decode_untrusted(v.data("data")),
    "scalar": lambda v: scalar_untrusted(v.data("data")),
    "card-points": lambda v: same(v.points("point"), list(elgamal.CARD_POINTS)),
    "shuffle-points": lambda v: same(v.points("point"), [shuffle.CHAIN_START, *shuffle.POSITIONS]),
    "transcript": transcript,
    "nonces": nonces,
    "secrets": secrets,
    "key-commitment": lambda v: keys.check_key_commitment(
        v.context(), v.data("commitment"), v.point("key"), v.data("salt")
    ),
    "key": lambda v: keys.verify_key(v.context(), v.point("key"), v.data("proof")),
    "shares": shares,
    "complaint": complaint,
    "recovery": lambda v: recovery.verify_recovery(
        v.context(), v.point("share-point"), v.points("point"), v.data("proof")
    ),
    "shuffle": check_shuffle,
    "mix": check_shuffle,
    "deal": deal,
    "opening": lambda v: opening.verify_opening_shares(v.context(), v.point("key"), v.ciphers("card"), v.data("proof")),
    "own": own,
    "own-two": own,
    "none": lambda v: claims.verify_none(
        v.context(), v.point("key"), v.ciphers("slot"), v.number("allowed"), v.data("proof")
    ),
    "hand-over": hand_over,
    "seal": seal,
}


@pytest.mark.parametrize("name", FILES)
def test_a_vector_gives_what_it_expects(name: str) -> None:
    vector = Vector((FOLDER / name).read_text(encoding="utf-8"))
    check, expect = CHECKS[vector.word("check")], vector.word("expect")
    if expect == "ok":
        check(vector)
        return
    with pytest.raises({"bad-proof": BadProof, "malformed": Malformed}[expect]):
        check(vector)


def test_the_generator_makes_these_files_and_no_others() -> None:
    """If this fails, the protocol changed: then `python -m tools.make_deck_vectors`, and say so in the changelog."""
    made = make_deck_vectors.build()
    assert sorted(made) == FILES
    assert [name for name in FILES if (FOLDER / name).read_text(encoding="utf-8") != made[name]] == []


def test_every_check_has_a_file_that_must_pass() -> None:
    passing = {Vector(text).word("check") for text in make_deck_vectors.build().values() if "expect: ok" in text}
    assert passing == set(CHECKS)


def test_the_generator_writes_its_files_and_removes_what_it_no_longer_makes(tmp_path: Path) -> None:
    (tmp_path / "left-over.txt").write_text("old", encoding="utf-8")
    assert make_deck_vectors.main([str(tmp_path)]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == FILES
