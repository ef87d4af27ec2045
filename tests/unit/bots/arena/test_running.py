"""Runs of an arena: the log, going on, the order in which boards count, stopping early, and when it is sure."""

from __future__ import annotations

import io
import random
import signal
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace as changed

from bots.arena.boards import Job, Plan, deal_seed
from bots.arena.log import FORMAT, LINE_LIMIT, ArenaLog, Header, read_untrusted
from bots.arena.playing import KINDS, Game, Played, play
from bots.arena.pool import Here
from bots.arena.results import Results, Tally
from bots.arena.running import Run
from protocol.errors import Refused

PLAN = Plan(game="kasra", bots=("steady", "random"))
HEADER = Header(format=FORMAT, version="1", plan=PLAN)


def made_up(plan: Plan, job: Job, better: float = 10.0) -> Game:
    """A game without playing: the first bot has some more points, with much luck on top."""
    chance = random.Random(f"{job.board}/{job.seating}")
    deals, seats = plan.board.deals, plan.rules.seats
    points = tuple(
        tuple(round(chance.gauss(better if job.seating[seat] == 0 else 0, 40)) for seat in range(seats))
        for _ in range(deals)
    )
    played = Played(
        board=job.board,
        seating=job.seating,
        packs=deal_seed(plan, job.board),
        points=points,
        faults=((0,) * len(KINDS),) * seats,
        times=(((40, 7),),) * seats,
        moves="0" * 64,
    )
    return Game(played, "record")


class Shuffled:
    """A pool that finishes games in an order of its own, and may be interrupted after some."""

    capacity = 7

    def __init__(self, plan: Plan, seed: int, stop_after: int = 10**9, better: float = 10.0) -> None:
        self.given: list[Job] = []
        self.played = 0
        self._plan = plan
        self._chance = random.Random(seed)
        self._stop_after = stop_after
        self._better = better

    def submit(self, job: Job) -> None:
        self.given.append(job)
        assert len(self.given) <= self.capacity

    def take(self) -> Game:
        if self.played == self._stop_after:
            raise KeyboardInterrupt
        self.played += 1
        return made_up(self._plan, self.given.pop(self._chance.randrange(len(self.given))), self._better)

    def close(self) -> None: ...


def results(plan: Plan, boards: int, seed: int, **settings: bool) -> Results:
    return Run(plan, boards, **settings).play(Shuffled(plan, seed)).results()


def test_the_result_does_not_depend_on_who_finishes_first() -> None:
    found = [results(PLAN, 40, seed) for seed in range(3)]
    assert found[0] == found[1] == found[2]
    assert (found[0].boards, found[0].games, found[0].deals) == (40, 120, 480)
    assert results(PLAN, 40, 1, until_sure=True) == results(PLAN, 40, 2, until_sure=True)


def test_means_are_over_all_deals_and_seats() -> None:
    run = Run(PLAN, 6)
    games: list[Played] = []
    run.keep = lambda game: games.append(game.played)
    found = run.play(Shuffled(PLAN, 1)).results()
    of_first = [game.totals[seat] for game in games for seat in range(4) if game.seating[seat] == 0]
    assert found.rows[0].points.mean == pytest.approx(sum(of_first) / (len(of_first) * 4))
    assert found.rows[0].times.total == 7 * len(of_first)
    (duel,) = found.duels
    assert found.duel("random", "steady").mean == -duel.difference.mean
    assert duel.difference.mean == pytest.approx(found.rows[0].points.mean - found.rows[1].points.mean)
    assert duel.held.mean == pytest.approx(duel.difference.mean), "after whole rounds of circles"
    assert found.curves[0][-1] == (6, pytest.approx(found.rows[0].points.mean))


def test_until_sure_stops_early_only_when_it_is_sure() -> None:
    clear = Run(PLAN, 2000, until_sure=True)
    clear.play(Shuffled(PLAN, 1, better=20))
    assert clear.tally.sure and 30 <= clear.tally.boards < 2000
    assert clear.tally.results().sure
    equal = Run(PLAN, 60, until_sure=True)
    equal.play(Shuffled(PLAN, 1, better=0))
    assert equal.tally.boards == 60 and not equal.tally.results().sure
    alone = Plan(game="kasra", bots=("steady",))
    nobody = Run(alone, 40, until_sure=True)
    nobody.play(Shuffled(alone, 1))
    assert nobody.tally.boards == 40, "one bot alone is never better"


def test_ctrl_c_never_counts_half_a_board(monkeypatch: pytest.MonkeyPatch) -> None:
    add = Tally.add

    def disturbed(self: Tally, games: Sequence[Played]) -> None:
        signal.raise_signal(signal.SIGINT)
        add(self, games)

    monkeypatch.setattr(Tally, "add", disturbed)
    run = Run(PLAN, 10)
    assert run.play(Shuffled(PLAN, 1)).results().boards == 1 and run.interrupted
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_that_is_ignored_stays_so_and_another_end_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the background of a shell, where SIGTERM means what Ctrl-C does elsewhere."""
    add = Tally.add

    def disturbed(self: Tally, games: Sequence[Played]) -> None:
        signal.raise_signal(signal.SIGINT)
        if self.boards == 2:
            signal.raise_signal(signal.SIGTERM)
        add(self, games)

    monkeypatch.setattr(Tally, "add", disturbed)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN), signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        run = Run(PLAN, 10)
        run.play(Shuffled(PLAN, 1))
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before[0])
        signal.signal(signal.SIGTERM, before[1])
    assert run.interrupted and run.tally.boards == 3


def test_a_game_in_the_log_has_its_record(tmp_path: Path) -> None:
    """A disk that is full of records does not lose one: the game is played again when there is room."""
    path = tmp_path / "log"
    log = log_of(path)

    def full(game: Game) -> None:
        raise OSError

    with pytest.raises(OSError):
        Run(PLAN, 10, log=log, keep=full).play(Shuffled(PLAN, 1))
    log.close()
    assert path.read_bytes() == lines_of()


# ---- the log ------------------------------------------------------------------------------------------------------


def log_of(path: Path, header: Header = HEADER) -> ArenaLog:
    return ArenaLog.on(path.open("a+b"), header)


def run_with(path: Path, pool: Shuffled, boards: int = 10) -> Run:
    log = log_of(path)
    run = Run(PLAN, boards, log=log)
    run.play(pool)
    log.close()
    return run


def test_a_stopped_run_goes_on_and_ends_as_if_never_stopped(tmp_path: Path) -> None:
    path = tmp_path / "log"
    first = run_with(path, Shuffled(PLAN, 1, stop_after=11))
    assert first.interrupted and first.played == 11 and first.tally.boards < 10
    pool = Shuffled(PLAN, 2)
    second = run_with(path, pool)
    assert not second.interrupted and pool.played == 30 - 11
    assert second.tally.results() == results(PLAN, 10, 3)
    idle = run_with(path, Shuffled(PLAN, 1, stop_after=0))
    assert idle.tally.results() == second.tally.results() and not idle.interrupted
    more = Shuffled(PLAN, 1)
    assert run_with(path, more, boards=12).tally.boards == 12 and more.played == 6


def test_a_torn_last_line_is_cut_off_and_played_again(tmp_path: Path) -> None:
    path = tmp_path / "log"
    run_with(path, Shuffled(PLAN, 1))
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    pool = Shuffled(PLAN, 1)
    assert run_with(path, pool).tally.results() == results(PLAN, 10, 1)
    assert pool.played == 1 and sorted(path.read_bytes().splitlines()) == sorted(whole.splitlines())


def test_a_torn_first_line_is_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "log"
    for length in (0, 3, 40):
        path.write_bytes(lines_of()[:length])
        assert run_with(path, Shuffled(PLAN, 1)).tally.games == 30
        assert path.read_bytes().startswith(lines_of())


def test_a_file_that_is_no_log_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "notes"
    path.write_bytes(b"without a line's end")
    with pytest.raises(Refused):
        run_with(path, Shuffled(PLAN, 1))
    assert path.read_bytes() == b"without a line's end"


def test_a_game_that_stands_twice_counts_once(tmp_path: Path) -> None:
    path = tmp_path / "log"
    run_with(path, Shuffled(PLAN, 1))
    path.write_bytes(path.read_bytes() + path.read_bytes().splitlines(keepends=True)[-1])
    assert run_with(path, Shuffled(PLAN, 1, stop_after=0)).tally.games == 30


@pytest.mark.parametrize(
    ("header", "what"),
    [
        (changed(HEADER, version="2"), "version"),
        (changed(HEADER, plan=changed(PLAN, seed=5)), "seed"),
        (changed(HEADER, plan=changed(PLAN, bots=("random", "steady"))), "bots"),
        (changed(HEADER, plan=changed(PLAN, options={"doubling": "off"})), "options"),
    ],
)
def test_a_changed_setting_is_refused(tmp_path: Path, header: Header, what: str) -> None:
    path = tmp_path / "log"
    run_with(path, Shuffled(PLAN, 1))
    before = path.read_bytes()
    with pytest.raises(Refused) as refused:
        log_of(path, header)
    assert refused.value.code == "arena-log-differs" and refused.value.values["what"] == what
    assert path.read_bytes() == before


def lines_of(*games: Played, header: Header = HEADER) -> bytes:
    return b"".join(msgspec.json.encode(line) + b"\n" for line in (header, *games))


GOOD = made_up(PLAN, Job(1, (0, 0, 1, 1))).played


@pytest.mark.parametrize(
    "change",
    [
        lambda game: changed(game, board=0),
        lambda game: changed(game, seating=(0, 1, 0, 1)),  # a seating of board 2
        lambda game: changed(game, seating=(0, 0, 1, 7)),
        lambda game: changed(game, packs="kasra/2/1"),
        lambda game: changed(game, points=game.points[:3]),
        lambda game: changed(game, points=((1, 2),) * 4),
        lambda game: changed(game, faults=game.faults[:3]),
        lambda game: changed(game, faults=((-1,) * 6,) * 4),
        lambda game: changed(game, times=((),) * 3),
        lambda game: changed(game, times=(((10**9, 1),),) * 4),
        lambda game: changed(game, times=(((40, -1),),) * 4),
        lambda game: changed(game, times=(((40, 10**30),),) * 4),
        lambda game: changed(game, points=((10**30, 0, 0, 0),) * 4),
        lambda game: changed(game, points=((0, 0, 0, -(10**30)),) * 4),
        lambda game: changed(game, faults=((10**30, 0, 0, 0, 0, 0),) * 4),
    ],
)
def test_a_game_of_another_arena_is_refused(change: Callable[[Played], Played]) -> None:
    assert read_untrusted(io.BytesIO(lines_of(GOOD)))[1] == {GOOD.job(PLAN): GOOD}
    with pytest.raises(Refused) as refused:
        read_untrusted(io.BytesIO(lines_of(GOOD, change(GOOD))))
    assert (refused.value.code, refused.value.values) == ("arena-log-bad", {"line": 3})


@pytest.mark.parametrize(
    "data",
    [
        b"majlis-record 1\n",
        b"{}\n",
        b"[[[[[[[[\n",
        b"\xff\xfe\n",
        lines_of(header=Header(format="majlis-arena 9", version="1", plan=PLAN)),
        lines_of(header=Header(format=FORMAT, version="1", plan=Plan(game="bridge", bots=("steady",)))),
        lines_of(header=Header(format=FORMAT, version="1", plan=Plan(game="kasra", bots=("steady",) * 5))),
        lines_of(header=Header(format=FORMAT, version="1", plan=Plan(game="kasra", bots=("a",), options={"x": 1}))),
        lines_of(header=Header(format=FORMAT, version="1", plan=Plan(game="kasra", bots=("steady",), seconds=-1.0))),
        lines_of(header=Header(format=FORMAT, version="1", plan=Plan(game="kasra", bots=("steady",), seconds=1e300))),
        b"x" * (LINE_LIMIT + 1),
        b"[" * 50_000 + b"\n",
        b"notes without a line's end",
    ],
)
def test_what_is_no_log_is_refused(data: bytes) -> None:
    with pytest.raises(Refused) as refused:
        read_untrusted(io.BytesIO(data))
    assert (refused.value.code, refused.value.values) == ("arena-log-bad", {"line": 1})


def test_random_bytes_raise_refused_only(rng: random.Random) -> None:
    good = lines_of(GOOD, GOOD)
    for _ in range(300):
        data = bytearray(good)
        for _ in range(rng.randrange(1, 6)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        try:
            read_untrusted(io.BytesIO(bytes(data)))
        except Refused as refused:
            assert refused.code == "arena-log-bad"


def test_real_games_run_here() -> None:
    plan = Plan(game="estimation", bots=("steady", "random"))
    found = Run(plan, 2).play(Here(play, plan)).results()
    assert (found.boards, found.games, found.deals) == (2, 6, 6)
    assert found.rows[0].bot == "steady" and all(row.times.total for row in found.rows)
