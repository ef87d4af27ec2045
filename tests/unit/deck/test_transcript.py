"""A transcript binds every field, label and length; nonces depend on all three of their sources."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.deck import labels
from protocol.deck.group import ORDER, G, mul_base
from protocol.deck.nonce import Nonces, Secrets
from protocol.deck.transcript import Context, Transcript
from protocol.errors import Misuse
from tests.unit.deck.dealt import FRESH, TABLE, at

STEPS_OF_A_TRANSCRIPT = st.lists(st.tuples(st.text("ab", max_size=3), st.binary(max_size=3)), max_size=4)


def run(steps: list[tuple[str, bytes]]) -> bytes:
    transcript = Transcript(at(0), labels.PROOF_KEY)
    for label, data in steps:
        transcript.absorb(label, data)
    return transcript.state()


@given(STEPS_OF_A_TRANSCRIPT, STEPS_OF_A_TRANSCRIPT)
@settings(max_examples=100, deadline=None)
def test_different_frames_never_give_the_same_state(one: list[tuple[str, bytes]], two: list[tuple[str, bytes]]) -> None:
    assert (run(one) == run(two)) == (one == two)


def test_every_field_of_the_context_and_the_label_change_every_draw() -> None:
    context = at(0)
    others = [
        replace(context, table=bytes(16)),
        replace(context, serial=8),
        replace(context, seat=1),
        replace(context, counter=6),
        context.at(labels.STEP_SHOW),
        replace(context, head=bytes(32)),
    ]
    draws = {Transcript(place, labels.PROOF_KEY).challenge("c") for place in [context, *others]}
    draws.add(Transcript(context, labels.PROOF_OWN).challenge("c"))
    draws.add(Transcript(context, labels.PROOF_KEY).challenge("d"))
    assert len(draws) == 9


def test_a_draw_changes_what_follows() -> None:
    one, two = Transcript(at(0), labels.PROOF_KEY), Transcript(at(0), labels.PROOF_KEY)
    first = one.challenge("c")
    assert first != one.challenge("c")
    two.weights("c", 1)
    assert one.state() != two.state()


def test_weights_are_non_zero_and_have_128_bits() -> None:
    transcript = Transcript(at(0), labels.PROOF_KEY)
    transcript.absorb_points("points", [G, mul_base(2)])
    weights = transcript.weights("w", 500)
    assert len(set(weights)) == 500 and all(0 < w < 2**128 for w in weights)
    assert max(weights) > 2**126


def test_a_context_of_the_wrong_shape_is_our_bug() -> None:
    for wrong in (
        lambda: replace(at(0), table=b"short"),
        lambda: replace(at(0), head=b""),
        lambda: replace(at(0), step="no such step"),
        lambda: replace(at(0), serial=-1),
        lambda: replace(at(0), counter=2**64),
    ):
        with pytest.raises(Misuse):
            wrong()


def test_labels_are_unique_ascii_and_none_begins_another() -> None:
    names = {name: value for name, value in vars(labels).items() if name.isupper() and isinstance(value, str)}
    names.pop("PROTOCOL")
    steps = {value for name, value in names.items() if name.startswith("STEP_")}
    separators = [value for name, value in names.items() if not name.startswith("STEP_")]
    assert len(set(names.values())) == len(names) and all(value.isascii() for value in names.values())
    assert steps == labels.STEPS
    assert all(value.startswith(labels.PROTOCOL + "/") for value in separators)


def test_nonces_mix_secret_transcript_and_fresh_bytes() -> None:
    transcript, other = Transcript(at(0), labels.PROOF_KEY), Transcript(at(1), labels.PROOF_KEY)
    streams = [
        Nonces(b"secret", transcript, FRESH).scalars(2),
        Nonces(b"Secret", transcript, FRESH).scalars(2),
        Nonces(b"secret", other, FRESH).scalars(2),
        Nonces(b"secret", transcript, bytes(32)).scalars(2),
    ]
    assert len({k for stream in streams for k in stream}) == 8
    assert streams[0] == Nonces(b"secret", transcript, FRESH).scalars(2)
    assert all(0 < k < ORDER for stream in streams for k in stream)
    nonces = Nonces(b"secret", transcript, FRESH)
    assert nonces.scalar() != nonces.scalar()
    with pytest.raises(Misuse):
        Nonces(b"secret", transcript, b"too short")


def test_permutations_are_permutations_and_differ() -> None:
    nonces = Nonces(b"secret", Transcript(at(0), labels.PROOF_KEY), FRESH)
    orders = [nonces.permutation(52) for _ in range(20)]
    assert all(sorted(order) == list(range(52)) for order in orders)
    assert len({tuple(order) for order in orders}) == 20
    assert nonces.permutation(1) == [0] and nonces.permutation(0) == []
    firsts = [nonces.permutation(4)[0] for _ in range(400)]
    assert all(60 < firsts.count(at_first) < 140 for at_first in range(4))


def test_secrets_are_derived_apart_and_never_shown() -> None:
    own = Secrets(b"m" * 32)
    assert "6d6d" not in repr(own) and "mm" not in repr(own)
    assert "secret" not in repr(Nonces(b"secret", Transcript(at(0), labels.PROOF_KEY), FRESH))
    derived = [
        own.deal_key(TABLE, 1),
        own.deal_key(TABLE, 2),
        own.deal_key(bytes(16), 1),
        own.recovery_share(TABLE, 1, 0),
        own.recovery_share(TABLE, 1, 1),
        Secrets(b"n" * 32).deal_key(TABLE, 1),
    ]
    assert len(set(derived)) == len(derived)
    assert own.key_salt(TABLE, 1) != own.seal_nonce(TABLE, 1, 0, labels.STEP_VOID)
    assert own.derive("label", b"ab", b"c") != own.derive("label", b"a", b"bc")
    assert own.derive("label", 1) != own.derive("label", (1).to_bytes(8, "big"))
    with pytest.raises(Misuse):
        Secrets(b"short")


def test_contexts_are_values() -> None:
    assert at(0) == at(0) and at(0) != at(1)
    assert Context(TABLE, 1, 2, 3, labels.STEP_KEY, bytes(32)).at(labels.STEP_MIX).step == labels.STEP_MIX
