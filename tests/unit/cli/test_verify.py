"""`majlis verify`: good logs, logs that were changed in every way that the brief names, and unfinished ones."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import cycle
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from engine.games import NAMES
from p2p.cli import UNFINISHED
from p2p.cli.majlis import majlis
from p2p.language import CODES, set_language
from protocol import messages
from protocol.log import Record, decode_record_untrusted, pack_record
from protocol.messages import Body, decode_body_untrusted
from protocol.table.rounds import Round
from tests.sim.world import Peer
from tests.unit.cli.logs import bodies, file_of, lose, new, played

each_language = pytest.mark.parametrize("code", CODES)


def in_turn(cases: Iterable[object]) -> list[tuple[object, str]]:
    """Each case with one of the languages, in turn: to verify a whole log in every language would tell no more."""
    return [*zip(cases, cycle(CODES), strict=False)]


def verify(log: Path, *words: str) -> Result:
    return CliRunner().invoke(majlis, ["verify", str(log), *words])


def kept(folder: Path, records: list[bytes], more: bytes = b"") -> Path:
    path = folder / "table.log"
    path.write_bytes(file_of(records) + more)
    return path


@pytest.mark.parametrize(("game", "code"), in_turn(NAMES))
def test_a_finished_game_is_verified(tmp_path: Path, game: str, code: str) -> None:
    set_language(code)
    world = played(game)
    state = world.table.state
    assert state is not None
    result = verify(kept(tmp_path, bodies(world)))
    assert (result.exit_code, result.stderr) == (0, "")
    assert {"en": "verified: ", "ar": "تم التحقق: "}[code] in result.stdout
    for player in world.table.players:
        assert player.name in result.stdout
        assert player.key.hex()[:4] in result.stdout
    assert ["=", *(f"{total:+d}" for total in state.totals)] in [line.split() for line in result.stdout.splitlines()]


def test_the_json_has_what_is_documented(tmp_path: Path) -> None:
    world = played("kasra")
    state = world.table.state
    assert state is not None
    told = json.loads(verify(kept(tmp_path, bodies(world)), "--json").stdout)
    assert (told["verified"], told["finished"], told["error"], told["torn"]) == (True, True, None, 0)
    assert told["game"] == "kasra"
    assert told["seats"] == [{"name": one.name, "key": one.key.hex(), "bot": ""} for one in world.table.players]
    assert [deal["score"] for deal in told["deals"]] == [list(result.points) for result in state.results]
    assert told["total"] == list(state.totals)
    assert told["winners"] == list(state.winners)
    assert told["entries"] == len(world.records)
    assert told["shuffles"] == 4 * told["packs"]
    assert told["proofs"] > told["shuffles"]
    assert (told["cheats"], told["lost"]) == ([], [])


# --- changed logs ---------------------------------------------------------------------------------------------------


def _shuffles(records: list[bytes]) -> list[int]:
    found = []
    for number, data in enumerate(records):
        body = decode_body_untrusted(decode_record_untrusted(data).entry.body)
        if isinstance(body, messages.Shuffle):
            found.append(number)
    return found


def _with_body(record: Record, body: Body) -> bytes:
    entry = msgspec.structs.replace(record.entry, body=messages.encode(body))
    return pack_record(msgspec.structs.replace(record, entry=entry))


def _one_byte(records: list[bytes]) -> tuple[list[bytes], int]:
    number = _shuffles(records)[2]
    changed = bytearray(records[number])
    changed[len(changed) // 2] ^= 1
    return [*records[:number], bytes(changed), *records[number + 1 :]], number


def _dropped(records: list[bytes]) -> tuple[list[bytes], int]:
    return [*records[:40], *records[41:]], 40


def _swapped(records: list[bytes]) -> tuple[list[bytes], int]:
    return [*records[:40], records[41], records[40], *records[42:]], 40


def _repeated(records: list[bytes]) -> tuple[list[bytes], int]:
    return [*records[:41], *records[40:]], 41


def _proof_of_another_deal(records: list[bytes]) -> tuple[list[bytes], int]:
    first, *_, last = _shuffles(records)
    record = decode_record_untrusted(records[last])
    old, other = decode_body_untrusted(record.entry.body), decode_record_untrusted(records[first]).entry.body
    foreign = decode_body_untrusted(other)
    assert isinstance(old, messages.Shuffle) and isinstance(foreign, messages.Shuffle)
    changed = _with_body(record, messages.Shuffle(old.serial, old.pack, foreign.proof))
    return [*records[:last], changed, *records[last + 1 :]], last


CHANGES = [_one_byte, _dropped, _swapped, _repeated, _proof_of_another_deal]


@pytest.mark.parametrize("change", CHANGES)
@each_language
def test_a_changed_log_is_refused_with_the_entry_and_the_seat(tmp_path: Path, change: object, code: str) -> None:
    set_language(code)
    assert callable(change)
    world = played("kasra")
    records, number = change(bodies(world))
    result = verify(kept(tmp_path, records))
    author = decode_record_untrusted(records[number]).entry.author
    seat = world.table.seat_of(author)
    assert seat is not None
    assert result.exit_code == 1
    assert "verified" not in result.stdout
    assert result.stderr.startswith({"en": f"not valid: entry {number}, ", "ar": f"غير صالح: القيد {number}، "}[code])
    assert "?" not in result.stderr
    told = json.loads(verify(kept(tmp_path, records), "--json").stdout)
    assert told["verified"] is False
    assert told["error"]["entry"] == number
    assert told["error"]["sentence"] == result.stderr.strip()
    # before the cards are drawn the seats are those in which people sat down
    player = world.table.players[seat]
    assert told["error"]["name"] == player.name
    assert told["seats"][told["error"]["seat"]]["key"] == player.key.hex()
    assert player.name in result.stderr


def test_a_frame_that_cannot_be_read_is_damaged_there(tmp_path: Path) -> None:
    records = bodies(played("istimar"))
    data = bytearray(file_of(records))
    start = len(file_of(records[:60]))
    data[start + 4] = 0xC1  # no MessagePack value begins with it
    log = tmp_path / "table.log"
    log.write_bytes(data)
    result = verify(log)
    assert result.exit_code == 1
    assert result.stderr == "not valid: entry 60: It cannot be read; it was damaged or changed.\n"
    assert json.loads(verify(log, "--json").stdout)["error"]["entry"] == 60


def test_another_tables_log_does_not_go_on_here(tmp_path: Path) -> None:
    one, other = bodies(played("istimar")), bodies(played("three_five_eight"))
    assert verify(kept(tmp_path, [*one[:30], *other[30:]])).exit_code == 1
    assert verify(kept(tmp_path, one[1:])).exit_code == 1


# --- unfinished -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "code"), in_turn((1, 2, 100, -1)))
def test_a_log_that_was_cut_off_is_unfinished(tmp_path: Path, count: int, code: str) -> None:
    set_language(code)
    records = bodies(played("istimar"))[:count]
    result = verify(kept(tmp_path, records))
    assert (result.exit_code, result.stderr) == (UNFINISHED, "")
    assert {"en": "unfinished: ", "ar": "غير مكتمل: "}[code] in result.stdout
    assert str(len(records) - 1) in result.stdout
    told = json.loads(verify(kept(tmp_path, records), "--json").stdout)
    assert (told["verified"], told["finished"], told["entries"]) == (True, False, len(records))


def test_a_log_that_ends_in_the_middle_of_an_entry_is_unfinished(tmp_path: Path) -> None:
    records = bodies(played("istimar"))
    half = file_of(records[100:101])[:-5]
    result = verify(kept(tmp_path, records[:100], half))
    assert result.exit_code == UNFINISHED
    assert f"these {len(half)} bytes" in result.stdout
    told = json.loads(verify(kept(tmp_path, records[:100], half), "--json").stdout)
    assert (told["torn"], told["entries"]) == (len(half), 100)


# --- what a good log tells of people --------------------------------------------------------------------------------


def _false_opening(peer: Peer, round: Round, body: Body) -> Body:
    if isinstance(body, messages.Move) and body.opening:
        peer.tamper = None
        return messages.Move(body.serial, body.step, body.action, body.slots, bytes(len(body.opening)), body.claim)
    return body


def test_the_log_of_a_game_with_a_cheat_is_good_and_names_him(tmp_path: Path) -> None:
    world = new("istimar", 6)
    world.peers[1].tamper = _false_opening
    world.play()
    name = world.peers[1].table.players[world.peers[1].seat].name
    log = kept(tmp_path, bodies(world))
    told = json.loads(verify(log, "--json").stdout)
    (cheat,) = told["cheats"]
    assert told["seats"][cheat["seat"]]["name"] == name
    for code in CODES:
        set_language(code)
        result = verify(log)
        assert (result.exit_code, result.stderr) == (0, "")
        line = next(line for line in result.stdout.splitlines() if str(cheat["entry"]) in line and name in line)
        assert "?" not in line


def test_a_lost_seat_is_told(tmp_path: Path) -> None:
    world = new("three_five_eight", 3)
    world.play(until=lambda: world.table.state is not None and world.peers[1].seat in _asked(world.peers[1]))
    lose(world, world.peers[1])
    world.play()
    assert "The stand-in played for Player 1." in verify(kept(tmp_path, bodies(world))).stdout


def _asked(peer: Peer) -> list[int]:
    return [peer.seat] if any(round.row.chosen for round in peer.table.owed(peer.seat)) else []


# --- files that are no logs -----------------------------------------------------------------------------------------


@each_language
def test_what_is_no_log_is_said_in_a_sentence(tmp_path: Path, code: str) -> None:
    set_language(code)
    files = {
        "empty": b"",
        "zeros": bytes(100),
        "record": b"majlis-record 1\ngame: kasra\n",
        "text": b"Dear Amal,\n" * 50,
        "garbage": bytes(range(256)) * 9,
        "torn": file_of(bodies(played("istimar"))[:1])[:-1],
        "length": b"\xff\xff\xff\xff" + bytes(50),
        "map": b"\x00\x00\x00\x01\x80",
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    for path in [*(tmp_path / name for name in files), tmp_path, tmp_path / "nothing"]:
        result = verify(path)
        assert result.exit_code == 1, path
        assert len(result.stderr.strip().splitlines()) == 1, (path, result.stderr)
        assert "?" not in result.stderr
        assert isinstance(result.exception, SystemExit)
