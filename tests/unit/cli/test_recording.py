"""Records made from logs: whole games of every kind, lost and returning players, cheats, adjourned games."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine.cards import FULL_PACK, card_set
from engine.game import Finished, State, asked
from engine.games import NAMES
from engine.record import Record, Replay, read, replay, write
from p2p.cli.majlis import majlis
from p2p.language import CODES, set_language
from p2p.recording import Recording, fit_to_write, record_of_untrusted
from protocol import messages
from protocol.errors import Refused
from protocol.messages import Body
from protocol.table.rounds import Round
from protocol.table.table import Table
from tests.sim.world import Peer, World
from tests.unit.cli.logs import bodies, come_back, file_of, lose, new, played

OWNERS_KITTY = (
    ("extra_series", 0),
    ("kitty_shown", "owner"),
    ("seven_in_kitty", "next_heart"),
    ("return_rule", "own_cards"),
    ("exchange_optional", "yes"),
)
EGYPTIAN = (
    ("normal_deals", 2),
    ("speed_deals", 0),
    ("auction", "until_pass"),
    ("dash_timing", "before_bidding"),
    ("void_rule", "off"),
)
GAMES = [
    *((game, 1, None) for game in NAMES),
    ("estimation", 1, EGYPTIAN),
    ("istimar", 1, OWNERS_KITTY),
    *(
        pytest.param(game, seed, options, marks=pytest.mark.long)
        for game, seed, options in (
            ("kasra", 1, (("kingdoms", 1), ("doubling", "sequential"), ("self_capture", "full"))),
            ("kasra", 1, (("kingdoms", 1), ("doubling", "off"))),
            ("istimar", 2, OWNERS_KITTY),
            ("istimar", 3, (("extra_series", 0), ("kitty_shown", "owner"))),
            ("three_five_eight", 1, (("deals", 3), ("return_rule", "include_received"), ("per_loser_cap", "none"))),
            *((game, 2, ()) for game in NAMES),
        )
    ),
]


def in_short(*games: str) -> pytest.MarkDecorator:
    """For every game; those that are not named take part in the long tests only."""
    return pytest.mark.parametrize(
        "game", [game if game in games else pytest.param(game, marks=pytest.mark.long) for game in NAMES]
    )


def recorded(world: World, records: int | None = None) -> tuple[Record, Replay]:
    """The record of a log (of its first `records` entries), written, read and played again."""
    record = record_of_untrusted(bodies(world)[:records])
    return record, replay(read(write(record)))


def assert_same(world: World, again: Replay) -> None:
    assert world.table.state is not None
    assert again.state.results == world.table.state.results
    assert again.state.winners == world.table.state.winners


@pytest.mark.parametrize(("game", "seed", "options"), GAMES)
def test_a_log_becomes_a_record_that_replays_to_the_same_scores(
    game: str, seed: int, options: tuple[tuple[str, str | int], ...] | None
) -> None:
    world = played(game, seed, options)
    record, again = recorded(world)
    assert again.finished
    assert_same(world, again)
    claims = [move for deal in record.deals for move in deal.attempts[-1].moves if move.action.verb == "claim"]
    assert claims and all(move.action.cards for move in claims), "a seed that shows nothing"
    assert record.table == world.table_id.hex()
    assert record.seats == [player.name for player in world.table.players]
    assert record.keys == {seat: player.key.hex() for seat, player in enumerate(world.table.players)}
    for deal in record.deals:
        hands = [card for hand in deal.attempts[-1].hands.values() for card in hand]
        assert len(hands) + len(deal.attempts[-1].kitty) == 52
        assert card_set([*hands, *deal.attempts[-1].kitty]) == FULL_PACK


@in_short("istimar", "estimation")
def test_the_hands_are_those_that_were_dealt(game: str) -> None:
    """Against the players' own secrets, at the moment when everybody has all cards of the first deal."""
    world = new(game)
    full = 13 if game in ("kasra", "estimation") else 16
    world.play(until=lambda: world.table.state is not None and world.table.state.counts[0] == full)
    first = len(world.table.state.results) if world.table.state is not None else 0
    truth = {peer.seat: peer.holder.cards(peer.table, peer.seat) for peer in world.peers}
    world.play()
    record, _ = recorded(world)
    attempt = record.deals[first].attempts[-1]
    if len(record.deals[first].attempts) == 1:
        assert {seat: card_set(hand) for seat, hand in attempt.hands.items()} == truth


@in_short("three_five_eight", "estimation")
def test_any_beginning_of_a_log_is_an_adjourned_game(game: str) -> None:
    world = played(game)
    assert world.table.state is not None
    recording = Recording(Table(world.table_id, trusted=True))
    for entry, ordered in enumerate(world.records):
        recording.take_untrusted(ordered)
        if entry % 5 == 0 or entry > len(world.records) - 6:
            again = replay(read(write(recording.record())))
            assert again.results == world.table.state.results[: len(again.results)]
    assert write(recording.record()) == write(recorded(world)[0])


@pytest.mark.parametrize(
    ("game", "options", "deal", "phase", "later"),
    [
        ("kasra", None, 1, "play", 1),
        ("estimation", None, 1, "estimate", 0),
        pytest.param("istimar", None, 2, "exchange", 0, marks=pytest.mark.long),
        ("istimar", None, 2, "exchange", 1),
        pytest.param("istimar", None, 1, "discard", 1, marks=pytest.mark.long),
        ("istimar", OWNERS_KITTY, 2, "exchange", 1),
        pytest.param("istimar", OWNERS_KITTY, 2, "kitty", 0, marks=pytest.mark.long),
        ("istimar", OWNERS_KITTY, 2, "discard", 0),
        pytest.param("three_five_eight", None, 2, "choose", 0, marks=pytest.mark.long),
    ],
)
def test_the_stand_ins_cards_are_in_the_record_too(
    game: str, options: tuple[tuple[str, str | int], ...] | None, deal: int, phase: str, later: int
) -> None:
    """Somebody who is to act there, or `later`, is lost, and comes back for the next deal."""
    world = new(game, 4, options)
    begun = _until(world, lambda state: (state.deal, state.phase) == (deal, phase))
    for _ in range(later):
        world.step()
    state = _until(world, lambda state: bool(_guests_asked(world, state)))
    gone = _guests_asked(world, state)[0]
    lose(world, gone)
    _until(world, lambda state: state.deal > begun.deal)
    if not world.table.over:
        come_back(world, gone)
    world.play()
    record, again = recorded(world)
    assert_same(world, again)
    assert "standin" in write(record)


def _guests_asked(world: World, state: State) -> list[Peer]:
    """Who is to act, but for the host."""
    asking = [world.peer_at(seat) for seat in asked(state.step)]
    return [peer for peer in asking if peer is not world.peers[0]]


def _until(world: World, there: Callable[[State], bool]) -> State:
    world.play(until=lambda: world.table.state is not None and there(world.table.state))
    assert world.table.state is not None
    return world.table.state


def _false_move(peer: Peer, round: Round, body: Body) -> Body:
    """A play whose proof belongs to nothing."""
    if isinstance(body, messages.Move) and body.opening and peer.table.state is not None:
        peer.tamper = None
        return messages.Move(body.serial, body.step, body.action, body.slots, bytes(len(body.opening)), body.claim)
    return body


@in_short("estimation", "three_five_eight")
def test_a_deal_thrown_in_by_a_cheat_is_told_without_its_cards(game: str) -> None:
    world = new(game, 6)
    world.play(until=lambda: world.table.state is not None and bool(world.table.state.counts[0]))
    world.peers[1].tamper = _false_move
    world.play()
    record, again = recorded(world)
    assert_same(world, again)
    redealt = [attempt for deal in record.deals for attempt in deal.attempts if attempt.redeal == "cheat"]
    assert len(redealt) == 1
    assert not redealt[0].hands
    assert sum(line.startswith("x-cheat ") for line in record.extras) == 1


def test_a_void_that_somebody_does_not_want_to_play_is_a_redeal() -> None:
    world = played("estimation", 3)
    assert world.table.state is not None
    reasons = [result.redeals for result in world.table.state.results]
    assert any(reason.startswith("void") for redeals in reasons for reason in redeals), "choose another seed"
    record, again = recorded(world)
    assert [result.redeals for result in again.results] == reasons
    assert "redeal: void" in write(record)


def test_a_changed_log_gives_no_record() -> None:
    good = bodies(played("istimar"))
    for bad in ([], [b"garbage"], good[1:], [*good[:50], *good[51:]], [*good[:50], good[51], good[50]]):
        with pytest.raises(Refused):
            record_of_untrusted(bad)


def test_a_name_stays_what_it_is_on_a_line_of_a_record() -> None:
    for name in ("# one", "a #b", "أبو علي", "x\ny", "\x1b[2J", "", " spaces  inside ", "a" * 99, "\u2028"):
        record = Record("kasra", seats=[fit_to_write(name), "B", "C", "D"])
        assert read(write(record)).seats[0] == fit_to_write(name)


# --- the command ----------------------------------------------------------------------------------------------------


def run(*words: object) -> Result:
    return CliRunner().invoke(majlis, list(map(str, words)))


@pytest.mark.parametrize("code", CODES)
def test_the_command_prints_or_keeps_the_record(tmp_path: Path, code: str) -> None:
    set_language(code)
    log, kept = tmp_path / "table.log", tmp_path / "game.txt"
    log.write_bytes(file_of(bodies(played("three_five_eight"))))
    printed = run("record", log)
    assert (printed.exit_code, printed.stderr) == (0, "")
    result = run("record", log, "-o", kept)
    assert (result.exit_code, result.stdout) == (0, "")
    assert str(kept) in result.stderr
    assert kept.read_text("utf-8") == printed.stdout
    assert run("replay", kept).exit_code == 0


def test_a_tables_folder_stands_for_its_log(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(file_of(bodies(played("istimar"))))
    assert run("record", tmp_path).stdout.startswith("majlis-record 1\ngame: istimar\n")


@pytest.mark.parametrize("code", CODES)
def test_an_unfinished_table_is_recorded_and_said_to_be(tmp_path: Path, code: str) -> None:
    set_language(code)
    log, kept = tmp_path / "table.log", tmp_path / "game.txt"
    log.write_bytes(file_of(bodies(played("kasra")))[:200_000])
    result = run("record", log, "-o", kept)
    assert result.exit_code == 0
    assert len(result.stderr.splitlines()) == 2
    again = run("replay", kept)
    assert again.exit_code == 0
    assert not isinstance(replay(read(kept.read_text("utf-8"))).state.step, Finished)


@pytest.mark.parametrize("code", CODES)
def test_what_is_no_good_log_is_said_in_a_sentence(tmp_path: Path, code: str) -> None:
    set_language(code)
    good = bodies(played("istimar"))
    changed = bytearray(file_of(good))
    changed[len(changed) // 2] ^= 1
    files = {
        "empty": b"",
        "text": b"majlis-record 1\ngame: kasra\n",
        "garbage": bytes(range(256)) * 9,
        "swapped": file_of([*good[:50], good[51], good[50], *good[52:]]),
        "headless": file_of(good[1:]),
        "changed": bytes(changed),
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    for path in [*(tmp_path / name for name in files), tmp_path, tmp_path / "nothing"]:
        result = run("record", path)
        assert result.exit_code == 1, path
        assert result.stdout == ""
        assert len(result.stderr.strip().splitlines()) == 1
        assert "?" not in result.stderr


def test_the_log_is_never_written_over(tmp_path: Path) -> None:
    log = tmp_path / "table.log"
    data = file_of(bodies(played("istimar")))
    log.write_bytes(data)
    assert run("record", log, "-o", log).exit_code == 2
    assert log.read_bytes() == data
    assert run("record", log, "-o", tmp_path).exit_code == 1
    assert run("record", log, "-o", tmp_path / "no" / "folder").exit_code == 1
