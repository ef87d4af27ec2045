"""What the first four messages prove: the channel, the table, the key, the invite; and who should upgrade."""

from __future__ import annotations

import msgspec
import pytest

from protocol.errors import BadProof, Malformed, Misuse, Refused
from protocol.handshake import (
    Admitted,
    Auth,
    Challenge,
    Hello,
    Refusal,
    ServerAnswer,
    answer_challenge_untrusted,
    auth_payload,
    check_auth_untrusted,
    choose_version_untrusted,
    refusal,
    refused_untrusted,
)
from protocol.identity import Identity
from protocol.wire import LIMIT_BEFORE_AUTH, decode_untrusted, pack

AMAL = Identity.generate(b"\x01" * 32)
MALLORY = Identity.generate(b"\x03" * 32)
TABLE, TOKEN, SEEN = b"T" * 16, b"K" * 16, b"C" * 32
HELLO = Hello([1], b"c" * 32)
CHALLENGE = Challenge(1, b"s" * 32, TABLE, "majlis 0")
AUTH = answer_challenge_untrusted(CHALLENGE, HELLO, AMAL, SEEN, TOKEN, TABLE)


def test_an_honest_client_is_known_by_its_key() -> None:
    assert check_auth_untrusted(AUTH, HELLO, CHALLENGE, SEEN, TOKEN) == AMAL.public


@pytest.mark.parametrize(
    ("hello", "challenge", "seen", "auth"),
    [
        (HELLO, CHALLENGE, b"M" * 32, AUTH),  # the client saw another certificate: somebody is in the middle
        (Hello([1], b"d" * 32), CHALLENGE, SEEN, AUTH),  # replayed
        (HELLO, Challenge(1, b"t" * 32, TABLE), SEEN, AUTH),
        (HELLO, Challenge(1, b"s" * 32, b"U" * 16), SEEN, AUTH),  # passed on from another table
        (HELLO, Challenge(2, b"s" * 32, TABLE), SEEN, AUTH),
        (HELLO, CHALLENGE, SEEN, Auth(MALLORY.public, AUTH.signature, TOKEN)),  # another's key
    ],
)
def test_a_signature_from_elsewhere_is_refused(
    hello: Hello, challenge: Challenge, seen: bytes, auth: Auth
) -> None:
    with pytest.raises(BadProof, match="bad-signature"):
        check_auth_untrusted(auth, hello, challenge, seen, TOKEN)


def test_a_wrong_token_is_refused() -> None:
    with pytest.raises(Refused, match="bad-token"):
        check_auth_untrusted(AUTH, HELLO, CHALLENGE, SEEN, b"L" * 16)


def test_the_client_refuses_another_table_and_a_version_it_did_not_offer() -> None:
    with pytest.raises(Refused, match="wrong-table"):
        answer_challenge_untrusted(CHALLENGE, HELLO, AMAL, SEEN, TOKEN, b"U" * 16)
    with pytest.raises(Malformed, match="message-misfit"):
        answer_challenge_untrusted(CHALLENGE, Hello([2], b"c" * 32), AMAL, SEEN, TOKEN)


@pytest.mark.parametrize(
    ("theirs", "ours", "chosen"),
    [([1], [1], 1), ([1, 2, 3], [2, 1], 2), ([3, 1], [1, 2], 1), ([9, 4], [4, 9], 9)],
)
def test_the_newest_common_version_is_chosen(theirs: list[int], ours: list[int], chosen: int) -> None:
    assert choose_version_untrusted(theirs, ours) == chosen


@pytest.mark.parametrize(
    ("theirs", "ours", "code"),
    [
        ([1], [2], "wrong-version-theirs-older"),
        ([2, 3], [1], "wrong-version-yours-older"),
        ([2], [1, 3], "wrong-version-theirs-older"),
        ([], [1], "wrong-version-theirs-older"),
    ],
)
def test_a_mismatch_says_who_should_upgrade(theirs: list[int], ours: list[int], code: str) -> None:
    with pytest.raises(Refused, match=code) as caught:
        choose_version_untrusted(theirs, ours)
    assert caught.value.values == {"ours": max(ours), "theirs": max(theirs, default=0)}


def test_the_other_side_is_told_from_its_own_side() -> None:
    told = refused_untrusted(refusal(Refused("wrong-version-theirs-older", {"ours": 2, "theirs": 1})))
    assert (told.code, told.values) == ("wrong-version-yours-older", {"ours": 1, "theirs": 2})


@pytest.mark.parametrize(
    "refused",
    [
        Refused("bad-token"),
        Malformed("frame-too-long", {"length": 2**32 - 1, "limit": 4096}),
        Refused(
            "odd", {"n" * 1000: "v" * 1000, "huge": 2**70, "what": object(), **{str(n): n for n in range(20)}}
        ),
    ],
)
def test_every_refusal_can_be_sent_and_read(refused: Refused) -> None:
    body = pack(refusal(refused))
    assert len(body) < LIMIT_BEFORE_AUTH
    message = decode_untrusted(body, ServerAnswer)
    assert isinstance(message, Refusal)
    assert refused_untrusted(message).code == refused.code


@pytest.mark.parametrize("code", ["", "Bad", "a b", "-a", "a--b", "\x1b[2J", "é"])
def test_a_refusal_with_an_odd_code_is_malformed(code: str) -> None:
    assert refused_untrusted(Refusal(code)).code == "message-misfit"


@pytest.mark.parametrize("message", [HELLO, CHALLENGE, AUTH, Admitted(), Refusal("bad-token", {"n": 1})])
def test_messages_survive_the_wire(message: msgspec.Struct) -> None:
    assert decode_untrusted(pack(message), type(message)) == message
    assert len(pack(message)) < LIMIT_BEFORE_AUTH


@pytest.mark.parametrize(
    ("message", "field"),
    [
        ({"k": "hello", "versions": [], "nonce": bytes(32)}, "versions"),
        ({"k": "hello", "versions": [1] * 17, "nonce": bytes(32)}, "versions"),
        ({"k": "hello", "versions": [0], "nonce": bytes(32)}, "versions[0]"),
        ({"k": "hello", "versions": [1], "nonce": bytes(31)}, "nonce"),
        ({"k": "hello", "versions": [1]}, "nonce"),
    ],
)
def test_a_hello_of_another_shape_is_malformed(message: dict[str, object], field: str) -> None:
    with pytest.raises(Malformed, match="message-misfit") as caught:
        decode_untrusted(pack(message), Hello)
    assert caught.value.values == {"field": field}


def test_the_token_is_not_shown() -> None:
    assert "KKKK" not in repr(AUTH)


def test_what_is_signed_has_fixed_lengths() -> None:
    assert len(auth_payload(1, SEEN, TABLE, b"c" * 32, b"s" * 32, AMAL.public)) == 2 + 32 + 16 + 32 + 32 + 32
    with pytest.raises(Misuse):
        auth_payload(1, SEEN[:16], TABLE, b"c" * 32, b"s" * 32, AMAL.public)
