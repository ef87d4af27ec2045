"""An invite survives what happens to a line between two people."""

from __future__ import annotations

import socket
import textwrap

import pytest

from p2p.invite import Invite, local_addresses, read_invite_untrusted, write_invite
from p2p.limits import DEFAULT_PORT, INVITE_ADDRESSES
from protocol.errors import Malformed, Misuse, Refused

INVITE = Invite(("192.168.1.7", "2001:db8::5", "table.example.org"), b"C" * 16, b"T" * 16, b"K" * 16, 7171)
LINE = write_invite(INVITE)


def test_a_line_reads_back() -> None:
    assert read_invite_untrusted(LINE) == INVITE
    assert LINE.startswith("majlis1:")
    assert LINE.removeprefix("majlis1:").isalnum()
    assert len(LINE) < 180


def test_a_line_never_changes() -> None:
    assert LINE == (
        "majlis1:dqbugq2dinbugq2dinbugq2dinbugvcukrkfivcukrkfivcukrkfivcljnfuws2ljnfuws2ljnfuws2lam"
        "cmbkaba4dcaainxaaaaaaaaaaaaaaaaaaakaarorqwe3dffzsxqylnobwgkltpojtyph2eby"
    )


def test_the_default_port() -> None:
    assert (
        read_invite_untrusted(write_invite(Invite(("::1",), b"C" * 32, b"T" * 16, b"K" * 16))).port
        == DEFAULT_PORT
    )


@pytest.mark.parametrize(
    "pasted",
    [
        f"  {LINE}\r\n",
        f'"{LINE}"',
        f"«{LINE}»",
        f"\u200f\u2067تعال نلعب كسرة:\u2069 \u2066{LINE}\u2069، الليلة!",
        f"Come and play! {LINE} See you at eight.",
        f"The majlis1: invite, as promised: {LINE}",
        f"<{LINE}>",
        f"`{LINE}`.",
        "\n".join(textwrap.wrap(LINE, 30)),
        "\n".join("> > " + part for part in textwrap.wrap(LINE, 60)),
        "\u200b".join(LINE),
        "\u00ad".join(LINE),
        LINE.upper(),
        LINE.capitalize(),
        LINE.replace("majlis1:", "majlis1: "),
        "".join(chr(ord(letter) + 0xFEE0) for letter in LINE),
        f"\ufeff{LINE}\x00",
    ],
)
def test_an_invite_survives_copy_and_paste(pasted: str) -> None:
    assert read_invite_untrusted(pasted) == INVITE


@pytest.mark.parametrize(
    "text", ["", "hello", "majlis1:", "majlis:abc", "majlis1:a", LINE[:-7], LINE[:40], "x" * 5000]
)
def test_what_is_no_invite_or_cut_off_is_unreadable(text: str) -> None:
    with pytest.raises(Malformed, match="invite-unreadable"):
        read_invite_untrusted(text)


def test_every_wrong_letter_is_noticed() -> None:
    for place in range(len("majlis1:"), len(LINE)):
        wrong = LINE[:place] + ("b" if LINE[place] == "a" else "a") + LINE[place + 1 :]
        try:
            found = read_invite_untrusted(wrong)
        except Malformed as refused:
            assert refused.code in ("invite-bad-checksum", "invite-unreadable")
        else:
            assert (found, place) == (INVITE, len(LINE) - 1)  # bits of the last letter that carry nothing


def test_a_wrong_letter_in_the_middle_is_a_bad_checksum() -> None:
    wrong = LINE[:40] + ("b" if LINE[40] == "a" else "a") + LINE[41:]
    with pytest.raises(Malformed, match="invite-bad-checksum"):
        read_invite_untrusted(wrong)


def test_another_version_is_named() -> None:
    with pytest.raises(Refused, match="invite-version") as caught:
        read_invite_untrusted(LINE.replace("majlis1", "majlis2"))
    assert caught.value.values == {"ours": 1, "theirs": 2}


def test_the_token_is_not_shown() -> None:
    assert "KKKK" not in repr(INVITE) + str(INVITE) + f"{INVITE}"


@pytest.mark.parametrize(
    "addresses",
    [
        (),
        ("fe80::1%eth0",),
        ("a b",),
        ("طاولة",),
        ("-x",),
        ("x" * 64,),
        ("1.2.3.4",) * (INVITE_ADDRESSES + 1),
    ],
)
def test_only_addresses_that_others_can_use_are_written(addresses: tuple[str, ...]) -> None:
    with pytest.raises(Misuse):
        write_invite(Invite(addresses, b"C" * 16, b"T" * 16, b"K" * 16))


def test_local_addresses_are_usable_by_others() -> None:
    found = local_addresses()
    assert len(found) == len(set(found)) <= INVITE_ADDRESSES
    assert not any(
        address.startswith(("127.", "169.254.", "fe80:")) or address in ("::1", "::") for address in found
    )
    if found:
        write_invite(Invite(found, b"C" * 16, b"T" * 16, b"K" * 16))


def test_a_machine_without_network_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_network(*_: object, **__: object) -> None:
        raise OSError("no network")

    monkeypatch.setattr(socket, "socket", no_network)
    monkeypatch.setattr(socket, "getaddrinfo", no_network)
    assert local_addresses() == ()
